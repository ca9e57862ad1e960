// For the reduction: which process may still send to which, without hearing from it first.
//
// Steps of different processes commute: each takes from its own channels and adds to the end of others'.
// So in a state where some process j has a message to receive, it is enough to explore j's own steps,
// provided that nothing new can reach j before j acts: whoever might be the next to send to j, on a
// channel that is empty now, will not do so before j sends to it. That is learnt from the steps seen so
// far: process i in local state s, with messages m1..mr from j under way to it, may send to j if some steps
// from s on, receiving from j at most m1..mr in order, send to j. A search is made again with what it has
// taught, until a search teaches nothing new: then every use of what was known was right.
//
// Proof, for searches without cycles, by induction from the ends: suppose that in the last search j was
// chosen in state x, and yet some run from x without a step of j has i send to j on an empty channel. In
// that run i receives from j at most what was under way. After any step of j from x the same run is
// possible, and from there on, by induction, every run is explored, perhaps in another order but through
// the same local states. So all of i's steps in it are known, and i may send to j.
// What is kept: every local state; every state in which no message is under way, hence every end, every
// deadlock and every quiet state; and every violation of the rule, because j is not chosen if one of its
// steps could mend one.
#pragma once

#include <cstdint>
#include <vector>

#include "check/space.h"

namespace coterie::check {

class Sends {
 public:
  // What the steps and channels in the space show; if it is new, that nobody sends to anybody.
  explicit Sends(const Space& space);

  // May the process in this local state, with this content of the channel from `to` under way to it, send
  // to `to` before `to` sends anything more?
  bool may_send(Id local, Id content, NodeId to) const {
    if (content == 0) return local < masks_.size() && ((masks_[local] >> to) & 1U) != 0;
    if (content >= under_way_.size()) return true;  // not seen before
    const std::vector<bool>& senders = under_way_[content];
    return local < senders.size() && senders[local];
  }
  // How many steps it was learnt from.
  std::size_t steps() const { return steps_; }

 private:
  std::size_t steps_;
  std::vector<std::uint64_t> masks_;          // per local state, with nothing under way: to whom
  std::vector<std::vector<bool>> under_way_;  // per content of a channel: the local states that may
};

}  // namespace coterie::check
