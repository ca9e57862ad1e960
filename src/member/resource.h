// One name: an arbiter that serves the requests of all members, and the requests of this member's clients. There are
// two sorts: those where one group is inside at a time (sharing.h), and those where who is inside is counted
// (counting.h).
//
// A member asks with several requesters, each of which has a slot. To an arbiter, slot s of member m of n is requester
// s * n + m.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "member/claim.h"
#include "member/group_names.h"
#include "member/lasting.h"
#include "member/tally.h"
#include "member/trials.h"
#include "member/view.h"
#include "member/wire.h"
#include "protocol/census.h"
#include "protocol/shares.h"

namespace coterie::member {

class Resource;

// The algorithms' parts, so that tests can put wrong ones in.
struct Parts {
  using Context = protocol::Context<protocol::shares::Message>;
  using Counting = protocol::Context<protocol::census::Message>;
  std::unique_ptr<protocol::shares::Requester> (*requester)(const Context&, NodeId first);
  std::unique_ptr<protocol::shares::Arbiter> (*arbiter)(const Context&, Number number);
  std::unique_ptr<protocol::census::Requester> (*counter)(const Counting&, NodeId first);
  std::unique_ptr<protocol::census::Arbiter> (*teller)(const Counting&, Number number);

  // Whether a name that is to become something else may.
  bool (*may_turn)(const Resource& resource);
  // Whether who shows this to another member is a client that is inside.
  bool (*vouches)(const Resource& resource, const Vouch& vouch);
  // Whether the end of a hold that was never here tells how far numbers have come.
  bool believes_ends = false;
  // Whether an arbiter refuses what was asked for before the owner's last hold ended.
  bool has_barrier = true;
  // Whether what others rely on can be withdrawn.
  bool withdraws_vouched = false;
  // Whether a member asks if a hold was given before it has others vote on that.
  bool inquires = true;
  // Whether an arbiter vouches for what it has not written down, and nobody knows as given.
  bool vouches_for_all = false;

  static Parts right();
};

// What a resource needs of its member.
class Host {
 public:
  virtual ~Host() = default;
  virtual const protocol::Setting& setting() const = 0;
  virtual const Parts& parts() const = 0;
  virtual NodeId self() const = 0;
  virtual Incarnation incarnation() const = 0;
  virtual protocol::Clock& clock() = 0;
  virtual void count(Happened what) = 0;
  virtual Instant now() const = 0;
  virtual Milliseconds time_of_day() const = 0;  // see Outlet
  virtual NodeSet reachable() const = 0;         // itself, and whose lease it has
  virtual NodeSet suspects() const = 0;
  virtual bool is_silent() const = 0;
  virtual Number floor() const = 0;  // from which an arbiter's numbers start
  virtual Duration spare_after() const = 0;
  virtual Duration keep() const = 0;
  virtual Duration key_after() const = 0;  // see keyring.h
  virtual std::size_t most_lasting() const = 0;
  virtual std::string text_of_full(const std::string& name) const = 0;
  virtual Duration lent() const = 0;  // a lease, as who gives it counts it
  virtual Duration soon() const = 0;  // when nobody waits for it
  virtual std::size_t batch() const = 0;

  virtual void ask(NodeId arbiter, Packet<Ask> packet) = 0;
  virtual void answer(NodeId requester, Packet<Answer> packet) = 0;
  // A number that an arbiter uses: to be remembered before anything is sent.
  virtual void use(Number number) = 0;
  // Of what is set for a name, after that one and all that we know.
  virtual std::uint64_t next_version(const std::string& name, std::uint64_t last) const = 0;
  // The same for what must not be forgotten of a name.
  virtual void keep(const std::string& name, const Keepsake& keepsake) = 0;
  // What is good to remember; it may be lost in a crash.
  virtual void note(const std::string& name, const Keepsake& keepsake) = 0;
  virtual void granted(Claim& claim, const std::string& group) = 0;
  // The claim is gone after each of these.
  virtual void lasts(Claim& claim) = 0;  // it is inside for good, and rests on nothing here
  // It is inside no more, and arbiters may have written it down: it is refused when that is over (settling.h).
  virtual void withdraw(Claim& claim, Refusal why, const std::string& text) = 0;
  virtual void lost(Claim& claim) = 0;
  virtual void refused(Claim& claim, Refusal why, const std::string& text) = 0;
  virtual void left(Claim& claim) = 0;
  virtual void taken_back(Claim& claim) = 0;  // what was lent: its client knows
  // It stays: it was not let out in time.
  virtual void stays(Claim& claim, const std::string& text) = 0;
  // Whether nobody uses what was lent: then it has left.
  virtual bool recall(Claim& claim) = 0;

  // For people who look.
  virtual std::string label(const Claim& claim) const = 0;
  virtual Instant good_until(const Claim& claim) const = 0;
  virtual Milliseconds lent_for(NodeId peer, protocol::Life life) const = 0;

  virtual Duration session() const = 0;  // of a client: it may be inside elsewhere meanwhile
  // Whether that life is the peer's present one or the one before, or neither.
  virtual std::optional<protocol::Life> life_of(const Origin& origin) const = 0;

 protected:
  Host() = default;
  Host(const Host&) = default;
  Host& operator=(const Host&) = default;
};

class Resource {
 public:
  virtual ~Resource() = default;
  Resource(const Resource&) = delete;
  Resource& operator=(const Resource&) = delete;

  const std::string& name() const { return name_; }
  const Kind& kind() const { return kind_; }  // by the terms that hold now
  // Whether a request for this kind is one for this resource. After `coterie set` everybody goes by that, whatever
  // they ask for.
  bool serves(const Kind& kind) const {
    return kind == kind_ || (terms().version > 0 && kind.type == kind_.type);
  }
  // The same, but for its numbers, which may have changed.
  bool is_like(const Kind& kind) const { return are_alike(kind, kind_); }
  Host& host() const { return host_; }
  NodeId first() const { return first_; }  // the arbiter that all members ask first
  NodeId id_of(NodeId member, Slot slot) const;
  NodeId member_of(NodeId id) const;

  // REQUIRES: the claim is of this name and kind, and new.
  virtual void acquire(Claim& claim) = 0;
  // Inside: it leaves, whoever minds. Waiting: it gives up. The resource knows it no more.
  virtual void drop(Claim& claim) = 0;
  // Inside: it wants to leave. True: it has, and the resource knows it no more. False: it will be told.
  virtual bool leave(Claim& claim);
  virtual void stay(Claim& claim);  // after all. REQUIRES: it is leaving
  // Inside by a ticket: its client took it while it still believed in what it had before.
  virtual void confirm(Claim& /*claim*/) {}
  // The claim's kind, with its own numbers, is to be in force; it is told that it has left when it is.
  virtual void change(Claim& claim);
  // The lasting hold that the claim names is to end, when it may.
  virtual void leave_for(Claim& claim);
  // It ends, whoever minds; who waits is told when a quorum knows it.
  void bury(const std::string& owner, Number token, Claim* waiting);
  // It ends, if the owner has it here.
  bool end_here(const std::string& owner, Number token);
  std::vector<Number> lastings_of(const std::string& owner) const {
    return lastings_.tokens_of(owner);
  }
  bool knows_end(const std::string& owner, Number token, const Attempt& attempt) const;
  bool knows(const std::string& owner, Number token) const;  // live, or over
  std::size_t lastings() const { return lastings_.all().size(); }
  void refuse_pinned(Claim& claim, const Pinned& pinned);  // an arbiter does not write it down
  Number ended_of(const std::string& owner) const { return lastings_.ended_of(owner); }
  bool is_barred(const std::string& owner, const Attempt& attempt) const {
    return lastings_.is_barred(owner, 0, attempt);
  }
  // Whether this arbiter agrees; what it agrees to is written down. See settling.h.
  Settled settle(const Settle& settle);
  bool has_lasting_of(const std::string& owner) const {
    return !lastings_.tokens_of(owner).empty();
  }
  // Those inside may not leave as they like.
  virtual bool may_have_to_stay() const { return false; }
  // A claim that is neither inside nor in line, but wants something to be done.
  virtual void drop_errand(Claim& claim) { lastings_.drop(claim); }
  // What a former life of this member has not forgotten; or, as hearsay, what another member has not.
  void restore(const Keepsake& keepsake, bool is_hearsay);
  // The peer's answers count no longer: see Lastings::lapse.
  void doubt_ends(NodeId peer) { lastings_.lapse(peer); }
  Keepsake keepsake() const;

  // The name becomes something else (becoming.h) when nobody is inside, waits, or is written down here; what is over may
  // be, if it has spread far enough.
  bool is_clear() const { return has_no_clients() && !has_entries() && are_lastings_over(); }
  virtual bool has_no_clients() const = 0;  // that are inside or wait
  virtual bool has_entries() const = 0;     // of any member's clients, by leases
  virtual bool has_entry(NodeId member, Slot slot) const = 0;
  bool has_lastings() const { return !lastings_.empty(); }
  // Until then nobody comes in any more, and nobody has to stay; by these terms, which are the next ones but for that.
  virtual void wind_up(const std::string& why, const Terms& terms) = 0;
  // What was set, if anything was. Of two, the one with the greater version holds.
  virtual Terms terms() const = 0;
  virtual void agree(const Terms& terms) = 0;
  virtual void on_agreed(NodeId /*from*/, const Agreed& /*agreed*/) {}

  // Whether a hold rests here that has this secret and this token, of this group: its client may take it elsewhere.
  bool vouches_for(const Vouch& vouch) const;
  // The arbiters are to know the secrets of all inside, however young the holds are: this member stops.
  virtual void tell_keys() = 0;

  // Whatever kind of name it was that it lasted in.
  void on_unpin(NodeId from, Slot slot, const Unpin& unpin);  // REQUIRES: it says which
  void on_unpinned(NodeId from, const Unpinned& unpinned);

  // A member says that we have heard all that it said before we asked: see trials.h.
  void on_probed(NodeId from, const Probed& probed);

  virtual void on_ask(NodeId from, const Packet<Ask>& packet) = 0;
  virtual void on_answer(NodeId from, const Packet<Answer>& packet) = 0;
  virtual void on_up(NodeId peer) = 0;
  virtual void on_suspect(NodeId peer) = 0;
  virtual void on_trust(NodeId peer) = 0;
  virtual void on_lapse(NodeId peer) = 0;
  virtual void on_reborn(NodeId peer) = 0;
  virtual void on_expire(NodeId peer, protocol::Life life) = 0;
  virtual void end_silence() = 0;
  // What the member keeps for nobody is given back: of another kind it is in the way.
  virtual void give_back() {}
  virtual Number lend(Claim& /*claim*/, Number /*users*/) { return 0; }
  // What was lent, and is not in use, is there for others again.
  virtual void recall() {}

  virtual void tick() = 0;
  virtual Instant due() const = 0;  // for tick()

  // Nothing is held, waited for, or kept.
  virtual bool is_idle() const = 0;
  virtual Number number() const = 0;  // from which an arbiter that comes after must start
  // Whose votes the claim rests on. REQUIRES: it is inside.
  virtual NodeSet voters(const Claim& claim) const = 0;
  // Of the request by which it is inside.
  virtual Origin origin(const Claim& claim) const = 0;
  virtual void look(View& view) const = 0;

 protected:
  Resource(std::string name, Kind kind, NodeId first, Host& host);

  // Of secrets (keyring.h). What an arbiter has of a hold is known by the requester and its life.
  using Holder = std::pair<NodeId, protocol::Life>;
  void on_keys(NodeId from, Slot slot, const Keys& keys);
  bool has_key(const Holder& holder, const Secret& secret) const;
  // Whose hold has the secret, if it rests here.
  std::optional<Holder> holder_of(const Secret& secret) const;
  void forget_keys(const Holder& holder) { keys_.erase(holder); }
  void move_keys(NodeId id);  // to the former life
  // The group of a hold that rests here; nothing if none does.
  virtual std::optional<std::string> group_held(const Holder& holder) const = 0;
  // Some may be counted otherwise from now on, by those that show these secrets.
  virtual void keys_changed() {}

  // Of tries (trials.h). The requester is told QUEUED unless what is in its way turns out to be over.
  void begin_trial(NodeId id, Time tag);
  void end_trials_of(NodeId peer);  // its session here is over
  struct Standing {
    bool is_granted = false;
    bool is_wanted = true;  // that it is told so
  };
  // Of the request with this tag; nothing if it is not here any more.
  virtual std::optional<Standing> standing_of(NodeId id, Time tag) const = 0;

  // Of lasting holds
  void on_pin(NodeId from, Slot slot, const Pin& pin);
  void on_given(const Pin& pin);
  bool are_lastings_over() const;  // and nobody waits to be told
  void on_end(NodeId from, const std::string& owner, Number token, const Attempt& attempt = {});
  void tell_of_lastings(NodeId peer);
  void tell_of_end(NodeId peer, const Lasting& lasting);
  void tick_lastings();
  // Until no copy of a request can come any more that is older than an end: a session, and what was said by leases.
  Lastings::Memory keeps_ends() const {
    return {(host_.lent() + host_.session()) * 2, host_.lent() * 2};
  }
  Instant lastings_due() const { return lastings_.due(keeps_ends()); }
  template <class Does>
  void each_lasting(const Does& does) const {
    for (const Lastings::Known& known : lastings_.all()) does(known.lasting);
  }
  void look_at_lastings(View& view) const;
  NodeId id_of(const Lasting& lasting);
  void save();
  void note();                                   // what may be lost in a crash
  virtual bool rests_here(NodeId id) const = 0;  // a hold of this requester
  // What the arbiter is to know of one. `held_by`: who has the same place now, by leases.
  virtual void pin_entry(std::optional<NodeId> held_by, const Lasting& lasting) = 0;
  virtual void unpin_entry(const Lasting& lasting, bool has_number) = 0;
  virtual void forget_entry(const Lasting& /*lasting*/) {}
  // An arbiter that we asked knows the name as something else.
  void give_in(const Kind& known);
  virtual bool has_inside() const = 0;  // of this member's clients
  virtual void refuse_waiting(const std::string& why) = 0;
  // Of the peer's requesters those that have entries here.
  virtual std::vector<NodeId> ids_of(NodeId peer, protocol::Life life) const = 0;
  // Whom the requesters have heard of, less kFirstOwner.
  virtual void owners_in_use(protocol::Groups& /*numbers*/) const {}

  ClaimView view_of(const Claim& claim, const Priority& priority) const;
  EntryView view_of(NodeId id, protocol::Life life) const;
  std::string mismatch(const Kind& known) const;

  std::string name_;
  Kind kind_;
  NodeId first_;
  Host& host_;

 private:
  // The hold is over here. Whether that is new, and so to be written down.
  bool end(const std::string& owner, Number token, const Attempt& attempt = {});
  void spread_end(const Lasting& lasting);
  void spread_end_soon(const std::string& owner, Number token, const Attempt& attempt = {});
  Settled inquire(const Settle& settle) const;
  Settled withdraw(const Settle& settle);
  Settled deny(const Settle& settle);
  Settled confirm(const Settle& settle);
  void bar(const Settle& settle);
  bool has_too_many() const;

  void conclude_trial(NodeId id, Time tag);
  NodeSet recorded_beside(NodeId id) const;

  std::map<Holder, std::vector<Key>> keys_;
  Trials trials_;
  Lastings lastings_;
  GroupNames owners_;  // of lasting holds
};

std::unique_ptr<Resource> make_resource(const std::string& name, const Kind& kind, NodeId first,
                                        Host& host);
// Groups as people see them.
std::vector<std::string> shown(std::vector<std::string> groups);
// Of a hold that was being written down.
inline constexpr const char* kLostQuorum = "its member lost the quorum that it had";
// To an arbiter, lasting holds have numbers from here on.
inline constexpr NodeId kFirstOwner = protocol::census::kFirstLasting;
// The most that a peer may number.
inline constexpr Slot kMostSlots = 1U << 16U;

}  // namespace coterie::member
