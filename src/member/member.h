// A live member: what it decides, without input, output, clock or chance of its own. A driver gives it frames,
// the time, and the calls of clients; what it wants done goes to an Outlet.
//
//   link.h      one peer: sessions, leases, heartbeats
//   resource.h  one name: an arbiter for all members, and bundles of this member's clients that ask
//   member.h    all of them together
//
// It is safe whatever is lost, late or doubled on the way, whoever crashes or pauses, as long as
//   - clocks keep the promise of `drift`, and never go back in one life of a member;
//   - every life of a member has a greater number than those before it;
//   - a member that starts says truly how: with what it had saved, without, or in a cluster that never ran.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <queue>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "coterie/quorum.h"
#include "member/api.h"
#include "member/becoming.h"
#include "member/ending.h"
#include "member/events.h"
#include "member/link.h"
#include "member/resource.h"
#include "member/settling.h"
#include "member/tally.h"
#include "member/view.h"
#include "member/wire.h"

namespace coterie::member {

// What all members agree on, but for `self`.
struct Config {
  NodeId self = 0;
  std::vector<std::string> names;  // of the members
  quorum::System system;           // an ordinary coterie over them
  Drift drift{};
  Duration lease = Duration::seconds(2);                 // that members give each other
  Duration heartbeat = Duration::milliseconds(250);      // at most a quarter of it
  Duration suspect_after = Duration::milliseconds(750);  // without an answer to a heartbeat
  Duration session = Duration::seconds(3);  // of a client: it must keep alive more often
  Duration keep = Duration::seconds(2);     // an entry that nobody uses, for the next
  // What a member without its disk is told in one frame. The record of one name may be more.
  std::size_t keepsakes_page = std::size_t{1} << 20U;
  // Lasting holds of one name, with those that ended in the last seconds: each of their writes is of all of them.
  std::size_t most_lasting = 1'024;
  Parts parts = Parts::right();
  std::size_t batch = 16;  // clients of one member that take turns in a row
  // That this member's clients hold or wait for at once, all together: what happens to a peer concerns each of them.
  std::size_t names_in_all = 262'144;
};
// Of one client. Whatever happens to all of its names at once, such as its end, is one step of the member: with so many
// the others do not notice it.
struct ClientLimits {
  static constexpr std::size_t kNames = 16'384;   // held or waited for at once
  static constexpr std::size_t kErrands = 1'024;  // of these: ends of lasting holds, and changes
  static constexpr std::size_t kLooks = 64;  // questions about a name that are not answered yet
};
// What is wrong with it, in words; empty if nothing is.
std::string fault_of(const Config& config);

enum class Birth : std::uint8_t {
  cluster,  // no member of this cluster has ever run: nothing can have been granted
  quiet_cluster,  // the same, but another cluster may have run with the same members: its leases are to end first
  restart,  // with what was saved last
  amnesia,  // with nothing: it grants nothing until others have told it what it may have given
};
struct Start {
  Birth birth = Birth::restart;
  Incarnation incarnation = 1;  // greater than any before; on disk before the member is made
  Number ceiling = 0;           // as saved; 0 unless `restart`
  std::vector<std::pair<std::string, Bytes>> keepsakes = {};  // the same, by name
  Durable saved = {};         // what else was; nothing unless `restart`
  std::uint64_t durable = 0;  // the last write that the disk has
};

// Another member knows a later life of this one, or more than its disk has: an old copy of the disk was put back, or it was
// lost, or another process has the same name. What it promised since is not known here: it must begin another life, with
// a greater number and without its disk.
struct Outdated {
  NodeId by = 0;               // who said so
  Seen seen;                   // what it knows
  bool is_later_life = false;  // else: of an earlier life, more than its disk has
};

class Member : private Ear, private Host {
 public:
  // REQUIRES: fault_of(config) is empty; the outlet outlives the member.
  Member(Config config, const Start& start, Instant now, Outlet& out);
  ~Member() override;
  Member(const Member&) = delete;
  Member& operator=(const Member&) = delete;

  // REQUIRES of every input: `now` is not before that of the last.
  void receive(NodeId from, const Frame& frame, Instant now);
  // Whether frames can reach the peer, as the driver sees it: hints, only good to be quick.
  void connected(NodeId peer, Instant now);
  void disconnected(NodeId peer, Instant now);
  // Something is due. Called late, it costs time, not safety.
  void tick(Instant now);
  Instant next_tick() const;

  // A client: `label` is how it is shown to people. Its first keep-alive has the number `beat`.
  void open(SessionId session, std::string label, std::uint64_t beat, Instant now);
  void keep_alive(SessionId session, std::uint64_t beat, Instant now);
  // A client in the same process: it needs no keep-alive, and believes by good_until() below.
  void open_resident(SessionId session, std::string label, Instant now);
  void close(SessionId session, Instant now);  // leaves all that it holds
  // Answered by Granted or Refused, in the end.
  void acquire(SessionId session, const Wish& wish, Instant now);
  // Leaves, answered by Left, in a band when it may; or by Refused, if that is not in time, and then it stays inside.
  // Or gives up waiting, answered by Refused. Who abandons it may want no answer.
  void release(SessionId session, RequestId request, Instant now, const Leave& how = {});
  // Does not want to leave any more, answered by Refused; it may have left already.
  void stay(SessionId session, RequestId request, Instant now);
  // Says that it believes to be inside by what it was granted for its ticket: until then nobody may leave a band because of
  // it. Saying so twice, or while it waits to leave, changes nothing.
  void confirm(SessionId session, RequestId request, Instant now);
  // Ends a lasting hold, answered by Left when it is sure; or by Refused.
  void bury(SessionId session, const Burial& burial, Instant now);
  // Answered by Left when it is so, or by Refused.
  void change(SessionId session, const Change& change, Instant now);
  // Instead of a release of a mutex for which nobody waits: the resident may come back and leave again, so many
  // times, without a word, each time with the next of as many tokens; the last of them is returned, or 0 if it
  // cannot be. To the cluster it is inside all the while, until it is recalled (Outlet) or released.
  Number lend(SessionId session, RequestId request, Number users, Instant now);
  // Answered by Shown.
  void show(SessionId session, RequestId request, const std::string& name, Instant now);
  // Serves nobody new. Tells its clients; when the last has closed its session, or can believe no longer,
  // it says farewell to the other members. Then it is stopped, and to be thrown away.
  void stop(Instant now);
  bool is_stopped() const { return is_stopped_; }

  // The last life of a peer that is known, if any is.
  Seen known(NodeId peer) const { return link(peer).known(); }
  // Of one that lost its disk, and of whose others so many have that no quorum can tell it what it was: it goes on with
  // what it was told. False if leases may still last that it gave. This is not safe, and only its operator may say so.
  bool accept_loss(Instant now);

  // Nothing more comes of it, and nothing that is given to it has an effect: it is to be thrown away.
  const std::optional<Outdated>& outdated() const { return outdated_; }

  // What this member alone knows.
  View view(const std::string& name, Instant now) const;
  // Until when the hold is good, on this member's clock: for clients inside the same process. Nothing is good
  // that is not there.
  Instant good_until(SessionId session, RequestId request) const;
  const Tally& tally() const { return tally_; }
  std::size_t resources() const { return places_.size(); }  // that are remembered
  bool is_silent() const override { return is_silent_; }    // it grants nothing yet
  bool is_sure() const {
    return is_sure_;
  }  // it has its disk, or was told what it may have granted
  Incarnation incarnation() const override { return incarnation_; }
  bool has_session(SessionId session) const { return sessions_.contains(session); }
  // For a client that comes back to its session, and may have missed events.
  struct Standing {
    std::vector<Granted> inside;
    std::vector<RequestId> waiting;
  };
  Standing standing(SessionId session) const;
  std::size_t sessions() const { return sessions_.size(); }
  // Of the resources that are remembered: the first after this one, in order.
  std::vector<std::string> names(const std::string& after, std::size_t most) const;
  bool doubts(NodeId peer) const { return peer != config_.self && link(peer).is_doubted(); }
  // It has said farewell, and nothing since.
  bool has_left(NodeId peer) const { return peer != config_.self && link(peer).has_left(); }
  // What was said to a peer that answers and is not known to have arrived, where that is most: then its driver should
  // let clients wait who want more. In packets.
  std::size_t backlog() const;
  // How long the peer's lease to us still lasts.
  Duration leased_for(NodeId peer, Instant now) const;
  bool reaches(NodeId peer) const { return peer == config_.self || link(peer).is_up(); }

 private:
  struct Session {
    std::string label;
    std::uint64_t beat = 0;  // the last, and when it came
    Instant received;
    std::unordered_map<RequestId, std::unique_ptr<Claim>> claims;
    std::unordered_map<std::string, RequestId> names;  // of its claims
    std::vector<RequestId> untold;                     // that wait: of their places
    std::size_t errands = 0;                           // of its claims
    std::size_t looks = 0;                             // of the surveys
  };
  struct Place {
    std::unique_ptr<Resource> resource;
    Instant wake = Instant::never();  // the earliest in wakes_
    bool is_touched = false;
    std::optional<Becoming> next = {};
  };
  using NamedKeepsakes = std::vector<std::pair<std::string, Keepsake>>;
  // Who asked about a name, and who has answered so far.
  struct Survey {
    SessionId session = 0;
    RequestId request = 0;
    std::string name;
    std::vector<View> views;
    NodeSet open;  // who has not
    Instant until;
  };
  template <class What>
  using Due = std::priority_queue<std::pair<Instant, What>, std::vector<std::pair<Instant, What>>,
                                  std::greater<>>;

  // Numbers are saved so far ahead that saving is rare.
  static constexpr Number kAhead = Number{1} << 20U;
  // A token exceeds the number of each arbiter that it rests on by less than this; what is saved does not know it.
  static constexpr Number kUnknown = protocol::kStride;

  // Every input is between the two.
  void begin(Instant now);
  void finish();
  void flush();
  void deliver_to_itself();
  void settle_places();
  bool is_stale(const std::pair<Instant, std::string>& wake) const;
  void tick_places();
  void tick_sessions();
  void tick_silence();
  void tick_surveys();
  void stop_if_empty();

  const Link& link(NodeId peer) const { return *links_[peer]; }
  Place* find(const std::string& name);
  Place& touch(const std::string& name, Kind kind);
  std::unique_ptr<Resource> new_resource(const std::string& name, const Kind& kind);
  void each_resource(const std::function<void(Resource&)>& does);

  Session* find_session(SessionId id);
  std::optional<Refused> refusal_of(const Session& session, const Wish& wish,
                                    bool is_beside = false);
  std::string fault_of_amount(const Session& session, bool has_ticket) const;
  static std::optional<Refused> refusal_of_errand(const Session& session, RequestId request);
  Claim& new_errand(SessionId session, RequestId request, const std::string& name,
                    const Kind& kind);
  void erase(Session& session, const Claim& claim);
  bool has_other_numbers(const Change& change);
  std::optional<Refused> mismatch_of(const Wish& wish);
  std::optional<Refused> refusal_of_owner(const Wish& wish);
  // adoption.cc
  std::string fault_of_ticket(const Wish& wish) const;
  void show_ticket(Claim& claim);
  void ask_to_vouch(Slot slot, Claim& claim);
  void on_vouch(NodeId from, const Packet<Ask>& packet, const Vouch& vouch);
  void on_vouched(const Packet<Answer>& packet, const Vouched& vouched);
  void adopt_vouched();
  void tick_showings();
  Claim& new_claim(SessionId session, const Wish& wish);
  std::string name_of_its_own();
  void drop(Session& session, RequestId request);
  void give_up_writing(Claim& claim);
  void drop_all(Session& session);
  void forget(Claim& claim);
  void recall(const std::string& name);
  Good good(const Session& session, Instant until) const;
  Instant shortest_lease() const;
  void learn(NodeId peer, const Frame& frame);
  void become_sure();
  std::optional<Outdated> outdated_by(NodeId peer, const Frame& frame) const;
  bool is_done() const { return is_stopped_ || outdated_; }
  void save(int copies = 2);
  void remember_peers();
  // The last name that it is about; none: it cannot be.
  std::optional<std::string> learn_keepsakes(const Bytes& bytes);
  void add_keepsakes(NodeId peer, Frame& frame) const;
  Claim& new_claim(SessionId session, RequestId request, const std::string& name, const Kind& kind);
  // becoming.h
  std::uint64_t version_of(const std::string& name) const;
  bool is_set(const std::string& name, std::uint64_t version) const;
  void on_agree(NodeId from, const Packet<Ask>& packet, const Terms& terms);
  void on_agreed(NodeId from, const std::string& name, const Agreed& agreed);
  void hear(const std::string& name, const Kind& kind, const Terms& terms);
  static bool has_nothing_of(const Place& place, const Terms& forgotten);
  void become(const std::string& name, Place& place, const Kind& kind, const Terms& terms);
  static std::string text_of_change(const std::string& name, const Place& place);
  NodeSet stop_becoming(const std::string& name, Place& place);
  bool waits(NodeId from, Place& place, const Packet<Ask>& packet);
  void drop_waiting(NodeId peer);
  bool turn_places();
  void turn(const std::string& name, Place& place);
  void replace(const std::string& name, Place& place, const Kind& kind, const Terms& terms);
  bool go_back(const std::string& name, Place& place, const Keepsake& keepsake);
  bool give_way(const std::string& name, Place& place, const Kind& kind);
  void forget(const std::string& name, std::uint64_t version);
  void tell_of(const std::string& name, NodeId peer);
  void tell_all(const std::string& name);
  void tell_of_all(NodeId peer);
  void reform(Claim& claim, bool forgets);
  void go_on_with_reforms();
  void end_reforms();
  void drop_reform(const Claim& claim);
  // ending.h
  void end_one(Claim& claim, bool is_forced);
  void end_known(Claim& claim, bool is_forced);
  void end_whatever(Claim& claim, bool ends);  // or only says whether there is something
  void ask_to_end(const Ending& ending, NodeId member, Number token, bool is_question);
  void on_end_question(NodeId from, const Packet<Ask>& packet, const Unpin& question);
  void go_on_with_endings(NodeId from, const Packet<Answer>& packet, const Unpinned& unpinned);
  bool is_over(const Ending& ending) const;
  void ask_those_without(Ending& ending);
  void ask_those_without();
  void ask_again_to_end(NodeId peer);  // what it was asked before may be lost
  void drop_ending(const Claim& claim);
  void refuse_asking(const std::string& name, const std::string& owner,
                     const Attempt& attempt = {});
  void refuse_asking_again(const std::string& name, const Keepsake& keepsake);
  // settling.h
  void withdraw(Claim& claim, Refusal why, const std::string& text) override;
  void settle(Claim& claim, Settle settle, Refusal why, const std::string& text);
  void ask_to_settle(const Settling& settling, NodeId member);
  void ask_again_to_settle(NodeId peer);
  void on_settle(NodeId from, const Packet<Ask>& packet, const Settle& settle);
  void on_settled(NodeId from, const Packet<Answer>& packet, const Settled& settled);
  void end_if_known(Settling& settling);
  void put_to_the_vote(Settling& settling);  // REQUIRES: a quorum has answered its inquiry
  void decide_settlings();
  bool is_decided(const Settling& settling) const;
  void conclude(Settling& settling);
  void doubt_settled(NodeId peer);
  bool is_settling(const Claim& claim) const;
  void drop_settling(const Claim& claim);
  void doubt_answers(NodeId peer);  // its lease is over: it may lose, with its disk, what it said
  void drop_errand(Claim& claim);
  void add_forgotten(NamedKeepsakes& all) const;
  void restore(const std::string& name, const Keepsake& keepsake, bool is_hearsay);
  bool asks_others() const { return !is_sure_ && now_ >= silent_until_; }
  void answer_questions(NodeId from, const Frame& frame);
  void conclude(const Survey& survey);
  void end_survey(std::map<std::uint64_t, Survey>::iterator survey);

  // Of a link
  void on_ask(NodeId from, const Packet<Ask>& packet) override;
  void on_answer(NodeId from, const Packet<Answer>& packet) override;
  void on_up(NodeId peer) override;
  void on_suspect(NodeId peer) override;
  void on_trust(NodeId peer) override;
  void on_lapse(NodeId peer) override;
  void on_reborn(NodeId peer) override;
  void on_expire(NodeId peer, protocol::Life life) override;

  // For a resource
  const protocol::Setting& setting() const override { return setting_; }
  const Parts& parts() const override { return config_.parts; }
  NodeId self() const override { return config_.self; }
  protocol::Clock& clock() override { return clock_; }
  void count(Happened what) override { tally_.count(what); }
  Instant now() const override { return now_; }
  Milliseconds time_of_day() const override { return out_.time_of_day(); }
  NodeSet reachable() const override;
  NodeSet suspects() const override;
  Number floor() const override { return floor_; }
  Duration spare_after() const override { return config_.lease / 3; }
  Duration keep() const override { return config_.keep; }
  Duration key_after() const override {
    return std::min(config_.lease / 64, Duration::milliseconds(25));
  }
  std::size_t most_lasting() const override { return config_.most_lasting; }
  std::string text_of_full(const std::string& name) const override;
  Duration lent() const override { return lent_; }
  Duration soon() const override { return config_.heartbeat / 2; }
  std::size_t batch() const override { return config_.batch; }
  void ask(NodeId arbiter, Packet<Ask> packet) override;
  void answer(NodeId requester, Packet<Answer> packet) override;
  void use(Number number) override;
  std::uint64_t next_version(const std::string& name, std::uint64_t last) const override;
  void keep(const std::string& name, const Keepsake& keepsake) override;
  void note(const std::string& name, const Keepsake& keepsake) override;
  void lasts(Claim& claim) override;
  void granted(Claim& claim, const std::string& group) override;
  void lost(Claim& claim) override;
  void refused(Claim& claim, Refusal why, const std::string& text) override;
  void left(Claim& claim) override;
  void taken_back(Claim& claim) override;
  void stays(Claim& claim, const std::string& text) override;
  bool recall(Claim& claim) override;
  std::string label(const Claim& claim) const override;
  Instant good_until(const Claim& claim) const override;
  Duration session() const override { return config_.session; }
  std::optional<protocol::Life> life_of(const Origin& origin) const override;
  Milliseconds lent_for(NodeId peer, protocol::Life life) const override;

  Config config_;
  protocol::Setting setting_;
  Timing timing_;
  Incarnation incarnation_;
  Outlet& out_;
  Tally tally_;
  Instant now_;
  protocol::Clock clock_;
  std::vector<std::unique_ptr<Link>> links_;  // by peer; none to itself
  std::unordered_map<std::string, Place> places_;
  std::vector<std::string> touched_;
  std::unordered_map<std::string, std::uint64_t> forgotten_;  // as of which version
  std::set<std::string> becoming_;                            // whose places have a `next`
  std::vector<Reform> reforms_;
  std::unordered_map<Slot, Claim*> showings_;  // of tickets that nobody has vouched for
  std::vector<Slot> vouched_;                  // of these: somebody has
  Slot last_showing_ = 0;
  Instant show_again_ = Instant::never();
  std::vector<Ending> endings_;
  std::vector<Settling> settlings_;
  Slot last_ending_ = 0;
  Given given_;
  std::vector<std::pair<NodeId, Packet<Ask>>> unanswered_;  // who asks what we knew
  Due<std::string> wakes_;
  std::unordered_map<SessionId, Session> sessions_;
  std::size_t claims_ = 0;  // of all of them
  Due<SessionId> session_ends_;
  std::deque<Packet<Ask>> own_asks_;
  std::deque<Packet<Answer>> own_answers_;
  std::vector<std::vector<Question>> questions_;  // by peer, to be sent
  std::vector<std::vector<Report>> reports_;
  std::map<std::uint64_t, Survey> surveys_;  // in the order in which they end
  std::uint64_t last_survey_ = 0;
  std::uint64_t last_alone_ = 0;
  bool is_stopping_ = false;
  bool is_stopped_ = false;

  // Numbers. What an idle resource had, and what a former life may have had, is in the floor.
  Number floor_ = 0;
  Number ceiling_ = 0;  // saved
  Number highest_ = 0;  // of the ceilings of others
  // After a restart: until when leases of the former life may run, and whether its numbers are known.
  bool is_silent_ = false;
  Instant born_;
  Instant silent_until_;
  Duration lent_;  // no lease that this or a former life gave lasts longer
  bool is_sure_ = true;
  NodeSet told_;                            // who has told us theirs
  NodeSet unsure_;                          // who asks us what we have not forgotten
  std::vector<std::string> asked_after_;    // by each peer
  std::vector<std::string> learned_until_;  // of each peer: the last name of which it has told us
  // Lives: what the disk had of ours, and what it has of the others'.
  Birth birth_;
  Seen former_;
  std::vector<Seen> remembered_;
  Instant remembered_at_;
  std::optional<Outdated> outdated_;
};

}  // namespace coterie::member
