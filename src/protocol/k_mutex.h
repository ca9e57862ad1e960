// At most k inside, by quorums of a k-coterie, chosen around what is busy.
//
// Jiang and Huang, "Fault-Tolerant Distributed k-Mutual Exclusion with Constant Expected Message Cost",
// build k-coteries (Cohorts) and leave the algorithm over them to the reader. Four choices that come to
// mind fail:
//   K1  a request must not stay with one quorum: it goes on asking, in the end everybody, and what it
//       asked it keeps asking for;
//   K2  a better request takes votes back from one that is not inside;
//   K3  who enters keeps one quorum and releases every other node that it asked, granted or not;
//   K4  every message names the request that it is about.
// Then any k of those who ask can be inside together: at most k-1 hold one quorum each, a k-coterie has
// one more that is disjoint from these, and the best request that waits gets it in the end.
// No FAILED: who waits gives a vote back as soon as it is asked to.
// Assumes: reliable FIFO channels; a k-coterie; alarms that come some time after they are set.
#pragma once

#include <variant>

#include "protocol/node.h"
#include "protocol/vote.h"

namespace coterie::protocol::k_mutex {

using Request = Stamped<"REQUEST">;  // requester → arbiter: lend me your vote
using Grant = Stamped<"GRANT">;      // arbiter → requester: it is yours
// arbiter → requester: a better request came; give it back unless you are inside
using Preempt = Stamped<"PREEMPT">;
using Yield = Stamped<"YIELD">;      // requester → arbiter: here it is, and I still want it
using Release = Stamped<"RELEASE">;  // requester → arbiter: I do not want it any more
using Message = std::variant<Request, Grant, Preempt, Yield, Release>;

class Requester : public Part<Message> {
 public:
  explicit Requester(const Context<Message>& context);

  void enter(const Demand& demand);
  void exit();
  virtual void alarm(const NodeSet& prefer);
  virtual void on(NodeId from, const Grant& message);
  void on(NodeId from, const Preempt& message);
  bool at_rest() const { return phase_ == Phase::idle; }

  COTERIE_FIELDS(phase_, current_, asked_, votes_)

 protected:
  enum class Phase : std::uint8_t { idle, waiting, inside };

  bool is_stale(const Stamp& stamp) const { return phase_ != Phase::waiting || stamp != current_; }
  void ask(const NodeSet& members);
  NodeSet another_quorum(const NodeSet& prefer) const;
  virtual NodeSet votes_to_keep() const;

  Phase phase_ = Phase::idle;
  Stamp current_;
  NodeSet asked_;  // who has our request; inside, the quorum that we are inside with
  NodeSet votes_;  // while waiting: who granted it
};

class Arbiter : public Part<Message> {
 public:
  using Part::Part;

  void on(NodeId from, const Request& message);
  void on(NodeId from, const Yield& message);
  void on(NodeId from, const Release& message);
  bool at_rest() const { return vote_.empty(); }

  COTERIE_FIELDS(vote_)

 protected:
  void grant();
  virtual void preempt();

  Vote<Request> vote_;
};

}  // namespace coterie::protocol::k_mutex
