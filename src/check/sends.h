// For the reduction: which process may still send to which, without hearing from it first.
//
// Steps of different processes commute: each takes from its own channels and adds to the end of others'.
// So in a state where some process j has a message to receive, it is enough to explore j's own steps,
// provided that nothing new can reach j before j acts: whoever could be the next to send to j on a channel
// that is empty now will not do so before it has heard from j. That is learnt from the steps seen so far:
// process i in local state s may send to j if some steps from s on, none of them the receipt of a message
// from j, send to j. A search that used what was then unlearnt is made again with what it has taught, until
// a search teaches nothing new: then every use was right.
//
// Proof, for searches without cycles, by induction from the ends: suppose that in the last search j was
// chosen in state x, and yet some run from x without a step of j has i send to j on an empty channel. After
// any step of j from x the same run is possible, and from there on, by induction, every step of it is
// explored (perhaps in another order, by the same local states). So it was learnt that i may send to j.
// What is kept: every state in which no message is under way, hence every end, every deadlock and every
// quiet state; and every violation of the rule, because j is not chosen if one of its steps could mend one.
#pragma once

#include <cstdint>
#include <vector>

#include "check/space.h"

namespace coterie::check {

class Sends {
 public:
  // Nothing is known: nobody sends to anybody.
  Sends() = default;
  // What the steps in the space show.
  explicit Sends(const Space& space);

  bool may_send(Id local, NodeId to) const {
    return local < masks_.size() && ((masks_[local] >> to) & 1U) != 0;
  }
  friend bool operator==(const Sends& a, const Sends& b);

 private:
  std::vector<std::uint64_t> masks_;  // per local state: to whom
};

}  // namespace coterie::check
