// One group inside at a time, by locks taken one after another: Maekawa_S.
//
// Joung, "Quorum-Based Algorithms for Group Mutual Exclusion", IEEE TPDS 14(5), 2003, as described by the
// Surrogate paper (section 1) and by Jiang's paper on group k-exclusion (section 1). A request visits the
// members of its quorum in order of id: each locks itself and passes the request on, the last tells the
// requester. So nobody waits in a circle, nothing is ever taken back, and a request costs 2q+1 messages
// and q+1 hops. A node that is not locked locks itself for the best request that it knows, its reference,
// and goes on locking for the reference's group until the reference has left.
// Added to what is described:
//   R1  a node whose reference has left still locks for the group while no other group waits: otherwise
//       there is no concurrent entry;
//   R2  RELEASED names the request, not just the process: a next request that comes along the chain may
//       overtake it, and two groups would be inside.
//
// One group inside at a time, every request served, concurrent entry: always.
// Assumes: reliable channels, not even FIFO; a group quorum system, or a coterie.
#pragma once

#include <optional>
#include <variant>

#include "protocol/node.h"

namespace coterie::protocol::maekawa_s {

struct Request {  // requester → first node → ... → last node: lock yourself for the one named
  static constexpr std::string_view kName = "REQUEST";
  Stamp stamp;
  Group group = 0;
  COTERIE_FIELDS(stamp, group)
};
using Locked = Stamped<"LOCKED">;      // last node → requester: the whole quorum is
using Released = Stamped<"RELEASED">;  // requester → node: I have left
using Message = std::variant<Request, Locked, Released>;

class Requester : public Part<Message> {
 public:
  using Part::Part;

  void enter(const Demand& demand);
  void exit();
  void on(NodeId from, const Locked& message);
  bool at_rest() const { return phase_ == Phase::idle; }

  COTERIE_FIELDS(phase_, current_, group_)

 protected:
  enum class Phase : std::uint8_t { idle, waiting, inside };

  NodeSet quorum() const { return setting().home(self(), group_); }
  virtual NodeId first_node() const { return *quorum().begin(); }

  Phase phase_ = Phase::idle;
  Stamp current_;
  Group group_ = 0;
};

class Arbiter : public Part<Message> {
 public:
  using Part::Part;

  virtual void on(NodeId from, const Request& message);
  virtual void on(NodeId from, const Released& message);
  bool at_rest() const { return queue_.empty(); }

  COTERIE_FIELDS(queue_, reference_)

 protected:
  struct Place {
    Group group = 0;
    bool is_locked = false;
    COTERIE_FIELDS(group, is_locked)
  };

  void settle();
  virtual std::optional<Group> open_group();
  void pass_on(const Request& request) const;
  virtual std::optional<NodeId> next_node(const Request& request) const;

  Map<Stamp, Place> queue_;         // every request that has come and not gone, best first
  std::optional<Stamp> reference_;  // that for which the node was locked first, until it has left
};

}  // namespace coterie::protocol::maekawa_s
