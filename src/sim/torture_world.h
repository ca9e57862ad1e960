// The world of one run: members on their machines, clients, the network between them, and what happens next.
//
//   torture_world.cc   the loop of events and the phases of a run
//   torture_seats.cc   members: their lives, their disks, what they are given
//   torture_people.cc  clients and their connections
//   torture_beliefs.cc what clients believe
//   torture_strike.cc  faults
#pragma once

#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "member/member.h"
#include "sim/queue.h"
#include "sim/torture_client.h"
#include "sim/torture_floor.h"
#include "sim/torture_hostile.h"
#include "sim/torture_network.h"
#include "sim/torture_numbers.h"
#include "sim/torture_run.h"
#include "sim/torture_story.h"
#include "sim/torture_witness.h"

namespace coterie::sim::torture {

enum class What : std::uint8_t {
  tick,         // of a member
  frame,        // for a member
  hint,         // to a member, of a peer
  call,         // of a client, for a member
  client_tick,  //
  news,         // for a client
  belief,       // of a client, may be over
  fault,
  fault_over,
  restart,
  flap,
  start_client,
  phase,
  hostile,  // a call of a client that wants to do harm
};
struct Happening {
  What what{};
  std::uint32_t who = 0;
  std::uint64_t number = 0;
};

// Who measures.
class Observer {
 public:
  virtual ~Observer() = default;
  virtual void fails(NodeId dead, const member::Member& member, member::Instant now) = 0;
  virtual void enters(std::size_t resource, Real now) = 0;
  virtual void loses(NodeId member) = 0;  // a hold of a client of that member

 protected:
  Observer() = default;
  Observer(const Observer&) = default;
  Observer& operator=(const Observer&) = default;
};

class World {
 public:
  World(Plan plan, Story story, Run& run, Observer* observer = nullptr);
  ~World();
  World(const World&) = delete;
  World& operator=(const World&) = delete;

  // Until the end, or `stop`. Throws a Violation.
  void go(const std::atomic<bool>* stop);
  std::vector<std::string> take_story() { return story_.take(); }
  Real now() const { return now_; }
  // Adds up what members have counted.
  void settle_accounts();

 private:
  class Seat;    // a member's machine
  class Person;  // a client's

  struct Broken {};
  using News = std::variant<Broken, api::Welcome, member::Event>;  // of a connection
  using Said = std::variant<api::Hello, api::Call>;
  struct Asked {  // where one counts
    std::size_t resource = 0;
    member::Kind kind;
    Real at = 0;
  };
  struct Connection {
    std::uint32_t client = 0;
    NodeId member = 0;
    std::uint64_t life = 0;         // of the member
    member::SessionId session = 0;  // since its hello was heard
    bool is_over = false;           // for the client
    bool is_refused = false;        // by the member: what comes over it is not heard
    Real late_until = 0;            // what is still to come over it does not come before
    std::deque<std::pair<Real, Said>> calls;
    std::deque<std::pair<Real, News>> news;
    // Of the session that began with it:
    std::uint64_t heard_by = 0;                // the last connection that it has
    std::map<member::RequestId, Asked> asked;  // of the member, and not answered
  };
  // A belief that the witness knows.
  struct Hold {
    std::uint32_t client = 0;
    std::size_t errand = 0;
    NodeId member = 0;
    Real since = 0;
    bool is_watched = false;
  };

  static constexpr std::uint64_t kFirstStart = ~std::uint64_t{0};
  static bool is_tick(const Happening& happening) {
    return happening.what == What::tick || happening.what == What::client_tick;
  }

  // torture_world.cc
  void schedule(Real at, What what, std::uint32_t who, std::uint64_t number = 0) {
    queue_.push(static_cast<double>(at), {what, who, number});
  }
  bool defer(const Happening& happening);  // if whom it concerns is paused
  void handle(const Happening& happening);
  void tell_views(std::size_t resource);
  void next_phase();
  void heal();
  void spare_who_can_tell();
  void check_progress();
  void check_finish();
  std::optional<std::size_t> crowded() const;
  void close();
  void next_check();
  Real bound() const;
  void blame_waiter();
  void check_leaks();
  bool is_leak(NodeId id, std::size_t resource) const;
  void mix(const Happening& happening);
  void judge(Promise promise, std::optional<std::size_t> resource, const std::string& what);
  Random fork() { return Random(random_.next()); }
  DriftingClock draw_clock();

  // torture_seats.cc
  void start(NodeId id, Disk disk, member::Birth birth);
  void end_life(NodeId id, bool is_machine);
  template <class Input>
  void give(NodeId id, const Input& input);
  void schedule_tick(NodeId id);
  void tick(NodeId id, std::uint64_t number);
  void post(NodeId from, NodeId to, const member::Frame& frame);
  void arrive(NodeId to, std::uint64_t parcel);
  void hint_all(NodeId id, bool is_connected);
  void hint(NodeId id, NodeId peer, bool is_connected);
  void hint_pair(NodeId a, NodeId b, bool is_connected, Real after);
  Disk allowed(NodeId id, Disk disk) const;
  void tell_frame(NodeId from, NodeId to, const member::Frame& frame, bool is_lost);
  const std::string& name_of(NodeId id) const { return plan_.config.names[id]; }

  // torture_people.cc
  void start_client(std::uint32_t id);
  void schedule_client_tick(std::uint32_t id);
  void client_tick(std::uint32_t id, std::uint64_t number);
  void connect(std::uint32_t client, NodeId member);
  void leave_behind(std::uint64_t number);
  void send_call(std::uint64_t number, Said said);
  void send_news(std::uint64_t number, News news);
  static News without_tickets(News news);
  void greet(std::uint64_t number, const api::Hello& hello);
  void hears(member::SessionId session, const api::Call& call);
  std::size_t find_resource(const std::string& name) const;
  void asks(member::SessionId session, const member::Wish& wish);
  void buries(member::SessionId session, const member::Burial& burial);
  member::Kind kind_of(const Errand& errand, Real then) const;  // with the numbers that hold
  void says(member::SessionId session, const member::Event& event);
  void grants(member::SessionId session, const member::Granted& granted);
  void deliver_call(std::uint64_t number);
  void deliver_news(std::uint64_t number);
  void apply(NodeId id, member::SessionId session, const api::Call& call);
  void break_connections(NodeId id);
  void belief_begins(std::uint32_t client, std::size_t index);
  Entry entry_of(std::uint32_t client, std::size_t index);
  NodeId new_hold(std::uint32_t client, std::size_t index);
  void believe_again(std::uint32_t client, std::size_t index);
  void judge(std::size_t resource, const Witness::Judgement& judgement);
  void belief_lasts(std::uint32_t client, std::size_t index);
  void belief_moves(std::uint32_t client, std::size_t index);
  void belief_parts(std::uint32_t client, std::size_t index, bool does);
  void hold_vanished(std::uint32_t client, std::size_t index);
  void belief_ends(std::uint32_t client, std::size_t index, Ending why);
  void belief_may_end(HoldId id);
  std::string text_of(const Errand& errand) const;
  void do_harm(std::uint32_t who);

  // torture_strike.cc
  void strike(std::size_t number);
  void strike_member(std::size_t number, const Fault& fault);
  void strike_client(std::size_t number, const Fault& fault);
  void strike_network(std::size_t number, const Fault& fault);
  bool is_on_side(const Fault& fault, std::uint32_t id) const;
  bool parts(const Fault& fault, NodeId from, NodeId to) const;
  void cut(std::size_t number, bool is_begin);
  void strike_over(std::size_t number);
  void flap(std::size_t number);
  void crash(NodeId id, bool is_machine);
  void come_back(std::size_t number);
  void restart(NodeId id, Disk disk);
  void wake_member(NodeId id);
  void wake_client(std::uint32_t id);
  void disturb(Real until);
  void trouble(const Fault& fault);
  void watch_survivors(NodeId dead);

  Plan plan_;
  Story story_;
  Run& run_;
  Observer* observer_;
  Random random_;
  Network network_;
  Numbers numbers_;
  Witness witness_;
  Floor floor_;
  Queue<Happening> queue_;
  Real now_ = 0;
  std::vector<std::unique_ptr<Seat>> seats_;
  std::vector<std::unique_ptr<Person>> people_;
  std::vector<Hostile> hostile_;
  std::vector<Connection> connections_;  // a session's number is the place of its first and one
  std::uint64_t last_secret_ = 0;
  std::vector<std::pair<NodeId, Bytes>> parcels_;  // frames on their way, with their senders
  std::vector<std::uint64_t> free_parcels_;
  std::vector<Real> arrivals_;
  Writer writer_;
  std::map<HoldId, Hold> holds_;
  HoldId last_hold_ = 0;
  Real calm_from_ = 0;
  enum class Phase : std::uint8_t { storm, healed, finishing, closed, over } phase_ = Phase::storm;
  Real healed_at_ = 0;
  Real finishing_at_ = 0;
  std::vector<bool> is_cutting_;  // of each fault: it parts some, at the moment
};

}  // namespace coterie::sim::torture
