// Mutual exclusion by quorums.
//
// Maekawa, "A sqrt(N) algorithm for mutual exclusion in decentralized systems", ACM TOCS 3(2), 1985,
// as used by the Surrogate paper (section 2) and by the (l,k)-GCS paper (section 3).
// Corrected after Sanders, "The information structure of distributed mutual exclusion algorithms", ACM
// TOCS 5(3), 1987:
//   S1  an INQUIRE that comes before any FAILED is remembered, and answered when a FAILED comes;
//   S2  an arbiter also tells FAILED to a waiting request that a better one displaces.
// Assumes: reliable FIFO channels; a coterie, of which each process uses one quorum.
#pragma once

#include <set>
#include <variant>

#include "protocol/node.h"
#include "protocol/vote.h"

namespace coterie::protocol::maekawa {

using Request = Stamped<"REQUEST">;  // requester → arbiter: lend me your vote
using Locked = Stamped<"LOCKED">;    // arbiter → requester: it is yours
using Failed = Stamped<"FAILED">;    // arbiter → requester: a better request is before you
using Inquire = Stamped<"INQUIRE">;  // arbiter → requester: a better one came; can you do without?
using Relinquish = Stamped<"RELINQUISH">;  // requester → arbiter: I can, for now
using Released = Stamped<"RELEASED">;      // requester → arbiter: I have left
using Message = std::variant<Request, Locked, Failed, Inquire, Relinquish, Released>;

class Requester : public Part<Message> {
 public:
  explicit Requester(const Context<Message>& context);

  void enter(const Demand& demand);
  void exit();
  virtual void on(NodeId from, const Locked& message);
  virtual void on(NodeId from, const Failed& message);
  virtual void on(NodeId from, const Inquire& message);
  bool at_rest() const { return phase_ == Phase::idle; }

  COTERIE_FIELDS(phase_, current_, locked_, failed_, inquiries_)

 protected:
  enum class Phase : std::uint8_t { idle, waiting, inside };

  bool is_stale(const Stamp& stamp) const { return phase_ != Phase::waiting || stamp != current_; }
  void relinquish(NodeId arbiter);

  Phase phase_ = Phase::idle;
  Stamp current_;
  NodeSet locked_;     // whose votes we hold
  NodeSet failed_;     // who has a better request than ours, as far as we know
  NodeSet inquiries_;  // who asked for its vote back, and has no answer yet
};

class Arbiter : public Part<Message> {
 public:
  using Part::Part;

  virtual void on(NodeId from, const Request& message);
  virtual void on(NodeId from, const Relinquish& message);
  virtual void on(NodeId from, const Released& message);
  bool at_rest() const { return vote_.empty(); }

  COTERIE_FIELDS(vote_, told_)

 protected:
  void fail(const Stamp& stamp);
  virtual void displace(const Stamp& waiting) { fail(waiting); }
  void grant();

  Vote<Request> vote_;
  std::set<Stamp> told_;  // who waits and knows that it does
};

}  // namespace coterie::protocol::maekawa
