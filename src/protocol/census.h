// Census: counting for members that fail. At most k inside (a semaphore), of at most k groups (rooms), at least
// l (a floor), or between l and k (a band); over an ordinary coterie, with any k and l.
//
// After MUTIN(l) with the count carried by the votes (fused.h). An arbiter has a census, of those that are
// recorded as inside, and two votes, one to enter and one to leave: with one vote, who waits for a place would
// hold what those need who could make one. Who has the votes of a quorum has heard of everybody inside
// and is the only one who moves that way: it enters if few enough, or leaves if enough others, are inside by what
// its arbiters say together. Ours is what makes it live with failures (see leasing.h), and:
//   - repair, and a spare, as in shares.h; to be recorded at one arbiter more takes its vote to enter, because
//     somebody may be counting;
//   - tokens. The numbers of a quorum lie within the stride of the token, which exceeds them all;
//   - echoes. Where there is a floor, one may leave only if nobody goes on counting it. So it needs the vote of
//     every arbiter that has it recorded, and of every one that may still have told somebody so: where its lease has
//     lapsed, or where it was recorded when its hold was lost. Such an echo dies away in the end; see forget().
// Who is crashed counts as inside until its lease has run out.
//
// A floor asks nobody who enters; a band asks both ways, and is armed when an entrant counts l, with those who come in
// by the same votes: until then one may leave. l and k are an arbiter's terms, at first Setting's min and max.
// Assumes: sessions are FIFO and end for the requester first.
#pragma once

#include <functional>
#include <limits>
#include <optional>
#include <set>
#include <utility>
#include <variant>

#include "protocol/leasing.h"
#include "spec/rule.h"

namespace coterie::protocol::census {

enum class Way : std::uint8_t { in, out };

// One who is recorded as inside.
struct Guest {
  Group group = 0;
  // It has come from another member, and not yet said that it has been inside all the while: it takes a place, but
  // nobody may leave because of it.
  bool is_shown = false;

  friend bool operator==(const Guest&, const Guest&) = default;
  COTERIE_FIELDS(group, is_shown)
};
using Census = Map<std::pair<NodeId, Life>, Guest>;

// From this id on records are of holds that last: no requester has them.
inline constexpr NodeId kFirstLasting = NodeId{1} << 31U;

// In place of a group: it has left for good. This outweighs what others have recorded of the same.
inline constexpr Group kGone = std::numeric_limits<Group>::max();

// How many may and must be inside. Those with the greatest version are in force.
struct Terms {
  std::uint64_t version = 0;
  std::uint32_t min = 0;
  std::uint32_t max = 0;
  bool is_armed = false;  // the floor: so many have been inside

  friend bool operator==(const Terms&, const Terms&) = default;
  COTERIE_FIELDS(version, min, max, is_armed)
};

struct Request {  // requester → arbiter: your vote for me
  static constexpr std::string_view kName = "REQUEST";
  Time tag{};
  Priority priority;
  Way way = Way::in;
  COTERIE_FIELDS(tag, priority, way)
};
struct Grant {  // arbiter → requester: it is yours, and these are inside
  static constexpr std::string_view kName = "GRANT";
  Time tag{};
  Number number = 0;
  Census census;
  Terms terms;
  COTERIE_FIELDS(tag, number, census, terms)
};
struct Update {  // arbiter → requester: you have my vote; these are inside now
  static constexpr std::string_view kName = "UPDATE";
  Time tag{};
  Census census;
  Terms terms;
  COTERIE_FIELDS(tag, census, terms)
};
struct Preempt {  // arbiter → requester: a better request waits
  static constexpr std::string_view kName = "PREEMPT";
  Time tag{};
  COTERIE_FIELDS(tag)
};
struct Yield {  // requester → arbiter: have your vote back, for now
  static constexpr std::string_view kName = "YIELD";
  Time tag{};
  Number number = 0;
  COTERIE_FIELDS(tag, number)
};
struct Commit {  // requester → arbiter: with your vote I have moved, or I am recorded with you
  static constexpr std::string_view kName = "COMMIT";
  Time tag{};
  Number number = 0;
  Group group = 0;        // of one that is inside now
  bool arms = false;      // so many are inside now that the floor counts
  bool is_shown = false;  // see Guest
  COTERIE_FIELDS(tag, number, group, arms, is_shown)
};
struct Withdraw {  // requester → arbiter: I do not ask any more
  static constexpr std::string_view kName = "WITHDRAW";
  Time tag{};
  COTERIE_FIELDS(tag)
};
struct Record {  // requester → arbiter: I am inside; without a vote
  static constexpr std::string_view kName = "RECORD";
  Group group = 0;
  COTERIE_FIELDS(group)
};
struct Erase {  // requester → arbiter: I am out; without a vote
  static constexpr std::string_view kName = "ERASE";
  Number number = 0;
  COTERIE_FIELDS(number)
};
using Message =
    std::variant<Request, Grant, Update, Preempt, Yield, Commit, Withdraw, Record, Erase>;

// Those inside, as one who has the votes of a quorum counts them.
struct Count {
  std::size_t inside = 0;
  std::set<Group> groups;  // theirs; in a band their names
  std::size_t most = 0;    // of groups in rooms, of all elsewhere
  bool is_of_groups = false;

  // By which of its wishes one more may come in.
  std::optional<Group> room_for(const Groups& wishes) const;
  bool is_named(Group name) const { return name != 0 && groups.contains(name); }
  void add(Group group);
};

// One who comes in by its votes, and others who come along by the same.
struct Party {
  Count count;       // with them
  NodeSet arbiters;  // with whom they are recorded
  Number token = 0;  // of the last of them
  std::size_t size = 1;
};

// What is counted.
spec::Problem problem_of(const Version& version);
bool has_floor(const Setting& setting);    // one asks to leave
bool has_ceiling(const Setting& setting);  // one asks to enter
// With whom those who start inside are recorded.
NodeSet first_quorum(const Setting& setting);

class Requester : public Part<Message> {
 public:
  explicit Requester(const Context<Message>& context, NodeId first = 0);

  void enter(const Demand& demand) {
    enter(demand, asks_to_enter() ? clock().next(self()) : Stamp{});
  }
  void enter(const Demand& demand, const Stamp& stamp);  // of when it first wanted to
  // Inside by another's records: records of its own, before all who wait, with the same token. The arbiters leave that
  // other's out of what they tell it, so that there is room for it if it is inside there, or if there is room for anybody;
  // whatever its client says, there are never too many. Where there is a floor, those who leave do not count it until it is
  // confirmed: its client may have left long ago.
  virtual void adopt(Group group, const Stamp& stamp, Number token);
  void confirm();  // its client believes to be inside, and has done so all the while
  bool is_shown() const { return is_shown_; }  // and not confirmed: nobody relies on it
  void exit();                                 // REQUIRES: it is not merely shown
  void cancel();                               // the wait to enter
  void stay();                                 // instead of waiting to leave
  void abandon();                              // out at once, as by a crash: nobody is asked
  virtual void alarm(const NodeSet& prefer);   // the hold lasts
  void suspect(NodeId arbiter);
  void trust(NodeId arbiter);
  virtual void up(NodeId arbiter);
  virtual void lapse(NodeId arbiter);
  void forget(NodeId arbiter);
  void restart();
  void meet(const NodeSet& reachable, const NodeSet& suspects) {
    arbiters_.meet(reachable, suspects);
  }
  // It may have been inside before, elsewhere: anybody may have told others so.
  void doubt_past() { echoes_ = setting().everyone(); }
  // Asks for votes, before all who wait, and keeps them without moving, so that nobody else moves that way: until
  // cancel(). is_counting() tells that it has them.
  void gather(Way way, const Stamp& stamp);
  // In the place of one who is inside and recorded without us, with this token: to leave for it.
  void stand_in(Group group, Number token);

  // Others for whom it asks too may come in with it: it calls them before it gives the votes back.
  using Company = std::function<void(Party& party)>;
  void bring(Company company) { company_ = std::move(company); }
  // If there is room for it beside the others of the party.
  void come_along(const Demand& demand, Party& party);

  void on(NodeId from, const Grant& message);
  void on(NodeId from, const Update& message);
  virtual void on(NodeId from, const Preempt& message);

  bool at_rest() const { return phase_ == Phase::outside || phase_ == Phase::inside; }
  bool is_inside() const { return phase_ == Phase::inside || phase_ == Phase::leaving; }
  bool is_waiting() const { return !at_rest(); }
  // Nothing of it is left anywhere.
  bool is_forgotten() const { return phase_ == Phase::outside && echoes_.empty(); }
  virtual bool is_stale(NodeId from, Time tag) const { return arbiters_.is_stale(from, tag); }
  NodeSet voters() const;
  const NodeSet& holds() const { return holds_; }
  // Whether the hold lasts if all arbiters fail that are doubted now. Without a maximum it needs nobody.
  bool is_sound() const;
  const NodeSet& echoes() const { return echoes_; }
  // It waits, and not for votes.
  bool is_counting() const;
  // There is room, but its name is inside: to wait for that is no reason to keep the votes from others.
  bool is_namesake() const;
  // To leave: whose votes are missing that must not be.
  NodeSet awaited() const;
  bool has_asked() const { return !arbiters_.asked().empty(); }
  // The arbiter will not serve us for now: it is as if it had not been asked.
  void declined(NodeId arbiter);
  Stamp stamp() const { return stamp_; }
  Group group() const { return group_; }
  Number token() const { return token_; }
  // Who is inside, as far as its votes tell.
  virtual Census seen() const;
  virtual Terms terms() const;  // the same
  // All that any vote says of anybody.
  template <class Does>
  void each_record(const Does& does) const {
    for (const auto& [arbiter, vote] : votes_) {
      for (const auto& [who, guest] : vote.census) does(who.first, guest.group);
    }
  }
  virtual Priority priority() const;

  COTERIE_FIELDS(phase_, stamp_, wishes_, group_, arbiters_, votes_, holds_, echoes_, token_,
                 lasts_, stands_in_, is_shown_, gathers_)

 protected:
  enum class Phase : std::uint8_t { outside, entering, inside, leaving, adopting };
  struct Vote {
    Number number = 0;
    Census census;
    Terms terms;
    COTERIE_FIELDS(number, census, terms)
  };

  bool asks_to_enter() const { return has_ceiling(setting()); }
  bool asks_to_leave() const { return has_floor(setting()); }
  virtual NodeSet fresh_voters(Number token) const;
  bool has_quorum(const NodeSet& arbiters) const;
  // Whose votes it takes to leave, whoever else's.
  virtual NodeSet must_agree() const { return holds_ | echoes_; }
  bool has_namesake() const;
  Count count() const;  // of all others
  virtual bool has_room() const;
  virtual std::optional<Group> room_beside(const Party& party) const;
  virtual std::size_t count_others() const;  // for a floor
  bool can_leave() const;

  void ask();
  void ask_afresh(NodeId arbiter, Way way);
  void attempt();
  void come_in();
  void take_over();
  void be_inside();
  virtual void raise_below(Number token);
  void yield(NodeId arbiter, Number number);
  void record(NodeId arbiter);
  virtual void settle();
  virtual void repair(NodeId arbiter) { ask_afresh(arbiter, Way::in); }
  bool repair_among(const NodeSet& candidates);
  virtual void withdraw();
  virtual void lose();
  void vanish();
  void leave();
  void clear();
  virtual void view_is_gone();
  void arbiters_changed();

  Phase phase_ = Phase::outside;
  Stamp stamp_;      // of the request: kept when it asks again
  Groups wishes_;    // that it accepts
  Group group_ = 0;  // inside
  Arbiters arbiters_;
  Map<NodeId, Vote> votes_;
  NodeSet holds_;   // where it is recorded, by a lease that runs
  NodeSet echoes_;  // where it was, and somebody may go on counting it; only where there is a floor
  Number token_ = 0;
  bool lasts_ = false;      // so it wants a spare
  bool stands_in_ = false;  // for one who is recorded without us
  bool is_shown_ = false;   // where there is a floor: adopted, and not confirmed
  std::optional<Way> gathers_;

 private:
  Company company_;
};

class Arbiter : public Lender<Message> {
 public:
  struct Entry {
    Time tag{};
    Priority priority;
    Way way = Way::in;
    bool has_vote = false;
    bool is_preempted = false;  // since it has the vote
    COTERIE_FIELDS(tag, priority, way, has_vote, is_preempted)
  };
  using Entries = Map<Key, Entry>;

  explicit Arbiter(const Context<Message>& context, Number number = 0);

  void on(NodeId from, const Request& message);
  void on(NodeId from, const Yield& message);
  void on(NodeId from, const Commit& message);
  void on(NodeId from, const Withdraw& message);
  void on(NodeId from, const Record& message);
  void on(NodeId from, const Erase& message);
  virtual void expire(NodeId requester, Life life);
  virtual void up(NodeId requester);
  // A record that needs no lease, until it says that its owner has left, and then until that is forgotten.
  void pin(NodeId who, Group group);
  void unpin(NodeId who);
  void forget(NodeId who) { census_.erase({who, Life::former}); }
  // Its client is recorded as another's now.
  void take_out(const Key& key) { remove(key); }
  void restart(Reader& durable) override;
  void save_durable(Writer& to) const;
  bool at_rest() const;
  const Entries& entries() const { return entries_; }
  const Census& census() const { return census_; }
  const Terms& terms() const { return terms_; }
  void agree_on(const Terms& terms);

  COTERIE_FIELDS(entries_, census_, terms_, number_, owed_)

 protected:
  void pump() override;
  // Which of its two votes that takes.
  virtual Way vote_for(Way way) const { return way; }
  virtual bool should_preempt(const Entry& holder, const Entry& rival) const;
  virtual void tell(const Key& about, bool is_gone);
  Entry* find(NodeId requester, Time tag);
  void add(NodeId requester, const Guest& guest);
  void remove(const Key& key);
  void lend(Way way);

  Entries entries_;
  Census census_;
  Terms terms_;
};

}  // namespace coterie::protocol::census
