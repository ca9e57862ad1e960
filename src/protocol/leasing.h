// What algorithms for members that fail have in common, whatever they grant.
//
//   - leases. A requester counts what an arbiter granted only until its lease lapses, and always stops counting
//     before the arbiter does. A lapse closes the session between the two; what was under way is dropped;
//   - tags. Every fresh request to an arbiter has a new tag, which its answers repeat. What does not match
//     is of the past, and dropped;
//   - fencing. An arbiter has a number, which grows with what it grants, and by the stride over what a lost
//     requester may have used;
//   - silence. An arbiter that starts again grants nothing until every lease that it may have given has lapsed,
//     and remembers a number that no token exceeds.
#pragma once

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

#include "protocol/node.h"

namespace coterie::protocol {

using Number = std::uint64_t;  // of fencing

// How far the number of an arbiter may lag behind a token; +tight: 1, so that lags are met soon.
inline constexpr Number kStride = Number{1} << 32U;
Number stride_of(const Setting& setting);

// Holders that repair come before all who wait.
enum class Rank : std::uint8_t { holding, waiting };
struct Priority {
  Rank rank = Rank::waiting;
  Stamp stamp;

  auto operator<=>(const Priority&) const = default;
  COTERIE_FIELDS(rank, stamp)
};

// The arbiters, as a requester sees them: whom it can reach, whom it doubts, whom it has asked.
class Arbiters {
 public:
  // All who ask for the same thing begin with the same arbiter, so that arbiters see the same requests.
  // REQUIRES: the setting outlives it.
  Arbiters(const Setting& setting, NodeId first);

  void up(NodeId arbiter) { reachable_.insert(arbiter); }
  void lapse(NodeId arbiter);
  void suspect(NodeId arbiter) { suspects_.insert(arbiter); }
  void trust(NodeId arbiter) { suspects_.erase(arbiter); }
  void restart(NodeId self);  // nobody is reachable yet but ourselves
  // Whom it can ask, and whom of these it had better not, to begin with.
  void meet(const NodeSet& reachable, const NodeSet& suspects);
  const NodeSet& reachable() const { return reachable_; }
  const NodeSet& suspects() const { return suspects_; }
  NodeSet askable() const { return reachable_ - suspects_; }
  NodeId in_order(std::size_t place) const;

  void ask(NodeId arbiter, Time tag) { asked_.insert({arbiter, tag}); }
  void drop(NodeId arbiter) { asked_.erase(arbiter); }
  void drop_all() { asked_.clear(); }
  bool has_asked(NodeId arbiter) const { return asked_.contains(arbiter); }
  const Map<NodeId, Time>& asked() const { return asked_; }
  Time tag_of(NodeId arbiter) const { return asked_.at(arbiter); }
  bool is_stale(NodeId from, Time tag) const;
  // Of those that can be asked, with as many as possible of those that were; nothing if there is none.
  std::optional<NodeSet> nearest_quorum() const;

  COTERIE_FIELDS(asked_, reachable_, suspects_)

 private:
  const Setting& setting_;
  NodeId first_;
  Map<NodeId, Time> asked_;
  NodeSet reachable_;
  NodeSet suspects_;
};

// For a hold: a quorum; with a spare, one that outlives the loss of any one arbiter.
bool suffices(const Setting& setting, const NodeSet& arbiters, bool with_spare);

// The half of an arbiter that has to do with leases and numbers, not with what it grants.
template <class Message>
class Lender : public Part<Message> {
 public:
  // A former life has no link: it is told nothing, and has what it has until its lease has run out.
  using Key = std::pair<NodeId, Life>;

  explicit Lender(const Context<Message>& context, Number number = 0)
      : Part<Message>(context), number_(number) {}

  virtual void restart(Reader& durable) {
    unpack(durable, number_);
    number_ += stride_of(this->setting());
    begin_silence();
  }
  // Between the two it grants nothing: what a former life of ours has lent is not over.
  void begin_silence() {
    for (NodeId process = 0; process < this->setting().processes; ++process) owed_.insert(process);
  }
  void end_silence() {
    owed_.clear();
    pump();
  }
  void raise(Number number) { number_ = std::max(number_, number); }
  void save_durable(Writer& to) const { pack(to, number_); }
  Number number() const { return number_; }

 protected:
  virtual void pump() = 0;
  bool is_silent() const { return !owed_.empty(); }

  Number number_ = 0;  // at least every token that what this arbiter granted became part of
  // To whom a former life of ours may have lent: no grants until these are over.
  std::set<NodeId> owed_;
};

}  // namespace coterie::protocol
