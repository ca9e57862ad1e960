// Group mutual exclusion: those inside together are all of one group. A request that has locked its quorum
// leads a forum, and invites the others of its group to follow it, under the shelter of that quorum.
//
// Atreya, Mittal, Peri, "A quorum-based group mutual exclusion algorithm for a distributed system with
// dynamic group set", IEEE TPDS 18(10), 2007. Actions P1..P6 and N1..N5 of its figures are named below.
//   +entry      concurrent entry (8.1): a forum takes in newcomers until somebody conflicts
//   +multi      a request may name several groups (8.2); without it, the first that it names
//   +no-failed  no FAILED: who is INQUIREd relinquishes at once
//   +leave      the stage of 4.1: followers LEAVE at their leader, which then releases: three hops
//   +direct     the stage of 4.2: no lists of stale requests; a stale INVITE is answered by q RELEASED
// Corrected:
//   E1  LOCKED does not list the request that it locks for;
//   E2  an INQUIRE that comes before any FAILED is remembered, and answered when a FAILED comes;
//   E3  a node that was relinquished no longer counts as locked;
//   E4  INQUIRE is sent once per tenure of the lock, not once per request;
//   E5  a request is stale if its process has fulfilled that one or a later one;
//   E6  when the leader has gone and the queue is empty, a newcomer causes neither FAILED nor INQUIRE;
// and in concurrent entry:
//   C1  followers that were invited by an open forum LEAVE, and a leader outside releases after the last;
//   C2  it does not release before;
//   C3  what was not forwarded because of a conflict is forwarded when the conflict turns out fulfilled;
//   C4  STEPDOWN names the conflicting request, so that a fulfilled one does not close the forum;
//   C5  LOCKED names every conflicting request;
//   C6  a request that several nodes forward is invited once;
//   M1  a forwarded request that does not accept the forum's group closes the forum, like a STEPDOWN.
//
// Weights are counts: the leader's RELEASED says how many it invited, and each follower's is one of those.
// LOCKED carries the node's whole list of stale requests. Then a process has heard of every request that was
// fulfilled in an earlier forum by the time that it leads, because its quorum meets the quorum of that forum's
// leader; so it keeps no list between requests, which is less state than the paper's two lists and what was
// sent to whom (and more bits: the paper's amortised bound needs that only news are sent).
// Assumes: reliable FIFO channels; a coterie, of which each process uses one quorum.
#pragma once

#include <optional>
#include <variant>
#include <vector>

#include "protocol/node.h"
#include "protocol/vote.h"

namespace coterie::protocol::surrogate {

// Requests that are known to be fulfilled: of each process, all up to the latest.
class Stale {
 public:
  bool contains(const Stamp& stamp) const { return stamp.time <= latest(stamp.process); }
  Time latest(NodeId process) const {  // before every request, if none is known
    if (is_at_its_number(process)) return latest_.nth(process)->second;
    const auto place = latest_.find(process);
    return place == latest_.end() ? Time{} : place->second;
  }
  void add(const Stamp& stamp) {
    Time& latest = is_at_its_number(stamp.process) ? latest_.nth(stamp.process)->second
                                                   : latest_[stamp.process];
    latest = std::max(latest, stamp.time);
  }
  void add(const Stale& other) {
    if (latest_.size() < other.latest_.size()) latest_.reserve(other.latest_.size());
    auto place = latest_.begin();  // both are in order
    for (const auto& item : other.latest_) {
      while (place != latest_.end() && place->first < item.first) ++place;
      if (place == latest_.end() || place->first != item.first) {
        place = latest_.insert(place, item);
      } else {
        place->second = std::max(place->second, item.second);
      }
    }
  }
  std::uint32_t requests() const { return static_cast<std::uint32_t>(latest_.size()); }
  COTERIE_FIELDS(latest_)

 private:
  // When all are known, which is soon, one need not search.
  bool is_at_its_number(NodeId process) const {
    return process < latest_.size() && latest_.nth(process)->first == process;
  }

  Map<NodeId, Time> latest_;
};

struct Request {  // requester → arbiter: lock yourself for me
  static constexpr std::string_view kName = "REQUEST";
  Stamp stamp;
  Groups groups;
  COTERIE_FIELDS(stamp, groups)
};
struct Locked {  // arbiter → requester: I am yours; these wait here, and those are fulfilled
  static constexpr std::string_view kName = "LOCKED";
  Stamp stamp;
  std::vector<Request> compatible;
  std::vector<Stamp> conflicting;
  Stale stale;
  COTERIE_FIELDS(stamp, compatible, conflicting, stale)
};
struct Failed {  // arbiter → requester: a better request is before you
  static constexpr std::string_view kName = "FAILED";
  Stamp stamp;
  COTERIE_FIELDS(stamp)
};
struct Inquire {  // arbiter → requester: a better request came; can you do without?
  static constexpr std::string_view kName = "INQUIRE";
  Stamp stamp;
  COTERIE_FIELDS(stamp)
};
struct Relinquish {  // requester → arbiter: I can, for now
  static constexpr std::string_view kName = "RELINQUISH";
  Stamp stamp;
  COTERIE_FIELDS(stamp)
};
struct Invite {  // leader → requester: come in and follow me; tracked: and LEAVE when you go
  static constexpr std::string_view kName = "INVITE";
  Stamp stamp;
  Stamp leader;
  Group group = 0;
  bool tracked = false;
  COTERIE_FIELDS(stamp, leader, group, tracked)
};
struct Cancel {  // follower → its own arbiters: I need you no more
  static constexpr std::string_view kName = "CANCEL";
  Stamp stamp;
  COTERIE_FIELDS(stamp)
};
struct
    Released {  // leader, follower → the leader's arbiters: I have left; the leader: having invited so many
  static constexpr std::string_view kName = "RELEASED";
  Stamp stamp;
  Stamp leader;
  std::uint32_t invited = 0;
  COTERIE_FIELDS(stamp, leader, invited)
};
struct Leave {  // follower → leader: I have left
  static constexpr std::string_view kName = "LEAVE";
  Stamp leader;
  COTERIE_FIELDS(leader)
};
struct Forward {  // arbiter → who locked it: this one came, and meets your groups
  static constexpr std::string_view kName = "FORWARD";
  Stamp leader;
  Request request;
  COTERIE_FIELDS(leader, request)
};
struct Stepdown {  // arbiter → who locked it: this one came, and conflicts with you
  static constexpr std::string_view kName = "STEPDOWN";
  Stamp leader;
  Stamp conflicting;
  COTERIE_FIELDS(leader, conflicting)
};
using Message = std::variant<Request, Locked, Failed, Inquire, Relinquish, Invite, Cancel, Released,
                             Leave, Forward, Stepdown>;

// What a requester keeps of the forum that it follows or leads. Not inside its class: clang must see them whole
// before it lays out an optional one.
struct Following {
  Stamp leader;
  bool tracked = false;
  COTERIE_FIELDS(leader, tracked)
};
struct Door {  // what a leader keeps while it may still invite
  Group group = 0;
  std::uint32_t followers = 0;  // that have not told us that they left
  Stale stale;                  // who must not be invited: fulfilled, or invited already
  COTERIE_FIELDS(group, followers, stale)
};
struct Forum {  // a role apart: it may outlive the leader's stay inside
  Stamp leader;
  std::optional<Door> door;  // none: closed
  std::uint32_t invited = 0;
  COTERIE_FIELDS(leader, door, invited)
};

class Requester : public Part<Message> {
 public:
  explicit Requester(const Context<Message>& context);

  void enter(const Demand& demand);                      // P1
  void exit();                                           // P5
  void on(NodeId from, const Locked& message);           // P2
  void on(NodeId from, const Failed& message);           // P3
  virtual void on(NodeId from, const Inquire& message);  // P4
  virtual void on(NodeId from, const Invite& message);   // P6
  virtual void on(NodeId from, const Leave& message);
  virtual void on(NodeId from, const Forward& message);
  virtual void on(NodeId from, const Stepdown& message);
  bool at_rest() const { return phase_ == Phase::idle && !forum_; }

  COTERIE_FIELDS(phase_, current_, locked_, failed_, inquiries_, invitable_, conflicts_, stale_,
                 following_, forum_)

 protected:
  enum class Phase : std::uint8_t { idle, waiting, inside };

  bool is_stale(const Stamp& stamp) const {
    return phase_ != Phase::waiting || stamp != current_.stamp;
  }
  virtual bool is_live(const Stamp& request, const Stale& stale) const {
    return !stale.contains(request);
  }
  Door* open_door(const Stamp& leader);  // of its forum, if we lead that and it is open
  bool is_outside() const { return phase_ != Phase::inside || current_.stamp != forum_->leader; }

  virtual void relinquish(NodeId arbiter);
  void lead();
  Group most_accepted() const;
  virtual void invite(const Stamp& request, Group group);
  void step_inside(Group group);
  void depart(const Stamp& request, const Following& following) const;
  virtual void leave_forum();
  void step_down();
  void close();

  const bool entry_;
  const bool multi_;
  const bool no_failed_;
  const bool leave_;
  const bool stale_invites_;  // a stage before 4.3: no lists of stale requests
  const NodeSet quorum_;

  Phase phase_ = Phase::idle;
  Request current_;
  // Of the current request while it waits:
  NodeSet locked_;                // whose locks we hold
  bool failed_ = false;           // somebody has a better request than ours
  NodeSet inquiries_;             // who asked for its lock back, and has no answer yet
  Map<Stamp, Groups> invitable_;  // who meets our groups
  Set<Stamp> conflicts_;          // who does not
  Stale stale_;
  // While inside as a follower:
  std::optional<Following> following_;

  std::optional<Forum> forum_;  // that we lead
};

class Arbiter : public Part<Message> {
 public:
  explicit Arbiter(const Context<Message>& context);

  virtual void on(NodeId from, const Request& message);   // N1
  void on(NodeId from, const Cancel& message);            // N2
  virtual void on(NodeId from, const Released& message);  // N3
  void on(NodeId from, const Relinquish& message);        // N4
  bool at_rest() const { return vote_.empty() && is_free(); }

  COTERIE_FIELDS(vote_, invited_, returned_, told_, listed_, deferred_, stale_)

 protected:
  // The leader lends the vote back when it leaves; its followers keep us from lending it again.
  bool is_free() const { return vote_.is_free() && invited_ == returned_; }
  void rank(const Request& request);
  void fail(const Stamp& stamp);
  virtual void inquire();
  void grant();  // N5
  virtual std::vector<Request> compatible() const;
  virtual std::vector<Stamp> conflicting() const;
  void tell_holder(const Request& request);
  void forward(const Request& request);
  virtual void forward_deferred();
  void forget(const Stamp& stamp);

  const bool entry_;
  const bool no_failed_;
  const bool leave_;
  const bool stale_invites_;  // a stage before 4.3: no lists of stale requests

  Vote<Request> vote_;
  std::uint32_t invited_ = 0;   // by the leader that has left
  std::uint32_t returned_ = 0;  // of its followers
  Set<Stamp> told_;             // who waits and was told FAILED
  Set<Stamp> listed_;           // +leave: whom the last LOCKED listed
  Set<Stamp>
      deferred_;  // +entry: who meets the holder and was not forwarded, because of a conflict
  Stale stale_;
};

}  // namespace coterie::protocol::surrogate
