// Shares: a room (group mutual exclusion; with one group a mutex) for members that fail.
//
// An arbiter gives shares of its vote to all requests of one group at once, after the idea of Maekawa_M
// and of Toyomura et al. (see maekawa_m.h). Ours is what makes it live with failures:
//   - leases, tags and silence: see leasing.h;
//   - repair. A holder that doubts an arbiter asks others in its place, before all who wait;
//   - a spare. A hold that lasts has one arbiter more than it needs, so that it outlives any one of them;
//   - fencing. A number rides on LOCK, and back on RELEASE and YIELD: it grows with every new session of
//     a group, and by kStride over what a lost holder may have used. The token is the quorum's maximum;
//     one enters only if the numbers of a quorum lie within the stride of it;
//   - keeping (+keep). Who leaves keeps its shares until it hears that somebody waits: entering again
//     costs nothing.
// Several groups: a share is for one of them; if arbiters choose differently, the requester settles for
// one, until it has lost all its shares.
//
// Assumes: sessions are FIFO and end for the requester first.
#pragma once

#include <variant>

#include "protocol/leasing.h"

namespace coterie::protocol::shares {

// A tag that the arbiter knows: the same request, changed.
struct Request {  // requester → arbiter: a share for me
  static constexpr std::string_view kName = "REQUEST";
  Time tag{};
  Priority priority;
  Groups groups;
  COTERIE_FIELDS(tag, priority, groups)
};
struct Lock {  // arbiter → requester: a share is yours
  static constexpr std::string_view kName = "LOCK";
  Time tag{};
  Group group = 0;
  Number number = 0;
  bool is_wanted = false;  // another group waits
  COTERIE_FIELDS(tag, group, number, is_wanted)
};
struct Inquire {  // arbiter → requester: a better request waits; can you do without?
  static constexpr std::string_view kName = "INQUIRE";
  Time tag{};
  COTERIE_FIELDS(tag)
};
struct Wanted {  // arbiter → requester: another group waits; do not keep
  static constexpr std::string_view kName = "WANTED";
  Time tag{};
  COTERIE_FIELDS(tag)
};
struct Yield {  // requester → arbiter: I can, for now
  static constexpr std::string_view kName = "YIELD";
  Time tag{};
  Number number = 0;
  COTERIE_FIELDS(tag, number)
};
struct Release {  // requester → arbiter: I have left, or I do not wait any more
  static constexpr std::string_view kName = "RELEASE";
  Time tag{};
  Number number = 0;
  COTERIE_FIELDS(tag, number)
};
using Message = std::variant<Request, Lock, Inquire, Wanted, Yield, Release>;

class Requester : public Part<Message> {
 public:
  explicit Requester(const Context<Message>& context, NodeId first = 0);

  void enter(const Demand& demand, const Stamp& stamp = {});  // of when it first wanted to; or now
  // Inside by another's shares: shares of its own, before all who wait, for the same group and with the same token.
  void adopt(Group group, const Stamp& stamp, Number token);
  void exit();
  void cancel();
  virtual void alarm(const NodeSet& prefer);  // the hold lasts
  virtual void suspect(NodeId arbiter);
  void trust(NodeId arbiter);
  virtual void up(NodeId arbiter);
  virtual void lapse(NodeId arbiter);
  void restart();
  void meet(const NodeSet& reachable, const NodeSet& suspects);
  void on(NodeId from, const Lock& message);
  virtual void on(NodeId from, const Inquire& message);
  void on(NodeId from, const Wanted& message);
  // The arbiter will not serve us for now: it is as if it had not been asked.
  void declined(NodeId arbiter);
  // Before another user of the same hold enters: a token of its own, or before so many of them. False if there
  // are not enough left.
  bool renew(Number users = 1);
  // What is kept for later is wanted by others, or was kept for too long.
  void give_back();

  bool at_rest() const { return phase_ == Phase::idle || phase_ == Phase::keeping; }
  bool is_idle() const { return phase_ == Phase::idle; }
  bool is_waiting() const { return phase_ == Phase::waiting || phase_ == Phase::adopting; }
  bool is_inside() const { return phase_ == Phase::inside; }
  bool is_keeping() const { return phase_ == Phase::keeping; }
  bool is_wanted() const { return is_wanted_; }
  bool has_asked() const { return !arbiters_.asked().empty(); }
  virtual bool is_stale(NodeId from, Time tag) const;
  NodeSet voters() const;
  Group group() const { return group_; }
  const Groups& wishes() const { return wishes_; }
  Number token() const { return token_; }
  Stamp stamp() const { return stamp_; }
  virtual Priority priority() const;

  COTERIE_FIELDS(phase_, stamp_, wishes_, groups_, group_, arbiters_, raised_, votes_, token_,
                 lasts_, is_wanted_)

 protected:
  enum class Phase : std::uint8_t { idle, waiting, inside, keeping, adopting };

  bool holds() const { return phase_ == Phase::inside || phase_ == Phase::keeping; }
  bool has_token() const { return holds() || phase_ == Phase::adopting; }
  bool is_enough(const NodeSet& arbiters) const;  // for the hold: with the spare if it lasts
  // Whose numbers lie within the stride of it.
  virtual NodeSet fresh_voters(Number token) const;
  bool lags(Number number) const;  // too far behind our token

  void ask();
  void ask_afresh(NodeId arbiter);
  void settle_for(const Groups& groups);
  void attempt();
  void come_in();
  virtual void raise_to(Number highest);
  void yield(NodeId arbiter, Number number);
  void drop_vote(NodeId arbiter);
  virtual void reopen();  // the choice of a group
  virtual void settle();
  bool raise_among(const NodeSet& candidates);
  virtual void release();
  void arbiters_changed();

  Phase phase_ = Phase::idle;
  Stamp stamp_;      // of the request: kept when it asks again
  Groups wishes_;    // that it accepts
  Groups groups_;    // of these, the ones that arbiters know of: one if it had to settle
  Group group_ = 0;  // of the votes, if there are any
  Arbiters arbiters_;
  NodeSet raised_;  // asked to serve us before all who wait
  Map<NodeId, Number> votes_;
  Number token_ = 0;
  bool lasts_ = false;      // so it wants a spare
  bool is_wanted_ = false;  // another group waits
};

class Arbiter : public Lender<Message> {
 public:
  struct Entry {
    Time tag{};
    Priority priority;
    Groups groups;
    bool has_share = false;
    bool is_inquired = false;  // since it has the share
    bool is_told = false;      // that another group waits
    COTERIE_FIELDS(tag, priority, groups, has_share, is_inquired, is_told)
  };
  using Entries = Map<Key, Entry>;

  using Lender::Lender;

  void on(NodeId from, const Request& message);
  void on(NodeId from, const Yield& message);
  void on(NodeId from, const Release& message);
  virtual void expire(NodeId requester, Life life);
  virtual void up(NodeId requester);
  // A share that needs no lease and is told nothing, beside others of the same group, until it is taken out.
  void pin(NodeId who, Group group);
  void unpin(NodeId who);
  // It will not come back, and has used no token above this one.
  void forget(NodeId requester, Life life, Number number);
  bool at_rest() const;
  const Entries& entries() const { return entries_; }
  const Entry* find(NodeId requester) const;  // of its present life
  Group group() const { return group_; }

  COTERIE_FIELDS(entries_, group_, number_, owed_)

 protected:
  void pump() override;
  void open_session();
  virtual bool may_join(const Entry& entry, const Entry* rival) const;
  void tell(const Entry& rival);
  virtual bool should_inquire(const Entry& share) const { return !share.is_inquired; }
  Entry* find(NodeId requester, Time tag);
  virtual void lock(NodeId requester, Entry& entry, bool is_wanted);
  bool is_open() const;
  const Entry* best_outside() const;  // of those that wait for another group
  Group most_accepted(const Groups& groups) const;
  void regroup();

  Entries entries_;
  Group group_ = 0;  // of the shares, if there are any
};

}  // namespace coterie::protocol::shares
