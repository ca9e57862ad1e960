// Group k-exclusion by Surrogate over a k-coterie: at most k forums, 3|Q| messages and 2 hops uncontended.
//
// Atreya, Mittal, Peri, "A quorum-based group mutual exclusion algorithm for a distributed system with
// dynamic group set", IEEE TPDS 18(10), 2007, name it as future work. A forum holds its leader's quorum, and
// of these at most k are disjoint. It is Surrogate (surrogate.h, with its corrections) but for one thing:
//   stale-invite  Quorums need not meet. So a request may be invited by two leaders, or by one that could not
//                 know of its fulfilment. An INVITE that comes too late is answered by RELEASED to that
//                 leader's quorum at once, which counts one follower back; without it the forum never ends.
//
// What it does not have:
//   - A free slot need not be reachable: two forums of one group may take two of the k slots, and a request
//     waits for the one quorum of its process though another is free.
//   - Concurrent entry: a newcomer is not told of a forum that its group has elsewhere; and Surrogate's
//     extension for it (8.1) does not carry over, for a process might lead two forums at once.
// group_k.h has both, at a higher price.
// Assumes: reliable FIFO channels; a k-coterie, of which each process uses one quorum.
#pragma once

#include "protocol/surrogate.h"

namespace coterie::protocol::surrogate_k {

class Requester : public surrogate::Requester {
 public:
  using surrogate::Requester::on;
  using surrogate::Requester::Requester;
  void on(NodeId from, const surrogate::Invite& message) override;
};

}  // namespace coterie::protocol::surrogate_k
