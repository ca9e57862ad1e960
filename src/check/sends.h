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
// Proof. Call a state reduced if only the steps of one process are explored from it. From a reduced state some explored
// step leads to a state at a greater depth: the search sees to it, and explores all steps of a state where that is not
// so. A run of such steps from x ends after d(x) of them in a state that is not reduced, whatever cycles there are:
// the depth grows with each step, and it is bounded. Claim: for every run w from an explored state x, the last search explores a
// run from x that takes the steps of w, perhaps in another order and with further steps between them, so that every
// process goes through the local states that it goes through in w. By induction over the length of w, then over d(x):
// - From x all steps are explored: so is the first of w, and the rest of w is shorter.
// - Only j's steps are, and w has no step of j. After the step of j that leads deeper the run w is still possible,
//   because it receives from j at most what was under way; and that state has a smaller d.
// - Only j's steps are, and w has a step of j. Before the first of them nobody sends to j on a channel that is empty in
//   x: otherwise, by the claim for the part of w up to that sending and the state after a step of j, all of the
//   sender's steps were explored and known, and j would not have been chosen. So the first step of j is possible in x,
//   commutes with what is before it in w, and the rest is shorter.
// Channels are FIFO, or a later message would let j do more. An alarm is a step like any other if it may go off at any
// moment. If alarms go off late, none does before j has received what is under way to it: they are no part of what is
// learnt.
//
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
