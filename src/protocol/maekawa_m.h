// One group inside at a time, by many locks at a node: Maekawa_M, the same over a plain coterie
// (Toyomura et al.), and with one lock per node (Joung's plain algorithm).
//
// Joung, "Quorum-Based Algorithms for Group Mutual Exclusion", IEEE TPDS 14(5), 2003; Toyomura, Kamei and
// Kakugawa, "A Quorum-Based Distributed Algorithm for Group Mutual Exclusion", PDCAT 2003; both as
// described by the Surrogate paper (sections 1 and 7) and by Jiang's paper on group k-exclusion
// (section 1). A node locks itself for several requests of one group, at most r at a time (Setting::locks;
// one in the plain algorithm), and takes locks back for a better request. Who is INQUIREd and not inside
// relinquishes at once, so there is no FAILED: 3q messages uncontended, at most 3q + 3rq.
//
// The descriptions leave the grant rule open. Unless told otherwise this is the strongest rival:
//   a node goes on locking for a group, newcomers too, as long as the best request that it knows, locked
//   or not, is of that group; it takes all locks back as soon as the best request is of another.
//   +prefix        only those of the group that are better than every request of another group
//   +no-newcomers  all of the group when it comes to its turn; then none while another group waits
//   +inquire-all   takes back every lock that is worse than the best who waits, although a better one
//                  stays: only with +prefix, since the other rules would lock the same again
// Added to what is described:
//   M1  whether to INQUIRE is asked again when a lock is released: the better holder may have gone;
//   M2  where locks are limited, a better request of the same group takes one back too.
// Without these two it deadlocks.
//
// One group inside at a time, and every request is served: always. Concurrent entry: only without a
// limit on locks; with one, at most degree times r of a group are inside together.
// Assumes: reliable FIFO channels; a group quorum system or, for Toyomura et al., a coterie.
#pragma once

#include <variant>
#include <vector>

#include "protocol/node.h"

namespace coterie::protocol::maekawa_m {

struct Request {  // requester → node: lock yourself for me
  static constexpr std::string_view kName = "REQUEST";
  Stamp stamp;
  Group group = 0;
  COTERIE_FIELDS(stamp, group)
};
using Locked = Stamped<"LOCKED">;  // node → requester: done
struct
    Inquire {  // node → requester: a better request came; give the lock back unless you are inside
  static constexpr std::string_view kName = "INQUIRE";
  Stamp stamp;
  COTERIE_FIELDS(stamp)
};
using Relinquish = Stamped<"RELINQUISH">;  // requester → node: here it is, and I still want it
using Released = Stamped<"RELEASED">;      // requester → node: I have left
using Message = std::variant<Request, Locked, Inquire, Relinquish, Released>;

class Requester : public Part<Message> {
 public:
  explicit Requester(const Context<Message>& context);

  void enter(const Demand& demand);
  void exit();
  void on(NodeId from, const Locked& message);
  void on(NodeId from, const Inquire& message);
  bool at_rest() const { return phase_ == Phase::idle; }

  COTERIE_FIELDS(phase_, current_, group_, locked_)

 private:
  enum class Phase : std::uint8_t { idle, waiting, inside };

  bool is_stale(const Stamp& stamp) const { return phase_ != Phase::waiting || stamp != current_; }

  Phase phase_ = Phase::idle;
  Stamp current_;
  Group group_ = 0;
  NodeSet locked_;  // who is locked for us
};

class Arbiter : public Part<Message> {
 public:
  explicit Arbiter(const Context<Message>& context);

  void on(NodeId from, const Request& message);
  void on(NodeId from, const Relinquish& message);
  virtual void on(NodeId from, const Released& message);
  bool at_rest() const { return queue_.empty(); }

  COTERIE_FIELDS(queue_)

 protected:
  enum class Standing : std::uint8_t { waiting, locked, inquired };
  struct Place {
    Group group = 0;
    Standing standing = Standing::waiting;
    COTERIE_FIELDS(group, standing)
    bool is_waiting() const { return standing == Standing::waiting; }
  };

  void drop(const Stamp& stamp);
  void lock_joiners();
  virtual void take_back();

  // REQUIRES of these: the queue is not empty.
  Group group() const;  // that locks are for: the holders', or else that of the best
  bool takes_newcomers() const;
  std::vector<Stamp> joiners() const;  // who waits and may be locked beside the others, best first
  const Stamp* best_waiting() const;

  std::size_t most_locks_;  // 0: no limit
  bool prefix_;
  bool no_newcomers_;
  bool inquire_all_;

  Map<Stamp, Place> queue_;  // every request that has come and not gone, best first
};

// Joung's plain algorithm.
class PlainArbiter : public Arbiter {
 public:
  explicit PlainArbiter(const Context<Message>& context) : Arbiter(context) { most_locks_ = 1; }
};

}  // namespace coterie::protocol::maekawa_m
