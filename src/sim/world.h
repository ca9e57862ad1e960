// A world of processes, their users and the messages between them, from the first event to the last.
//
// A user rests, asks, is served, stays away, and comes back. Of a lock one asks to enter, and comes back by
// leaving; of a floor or a band, whose processes are inside when nobody does anything, one asks to leave, and
// comes back by entering.
//
// Hops: what a user does has depth 0, a message one more than what it was sent in answer to; messages within
// one machine are not counted. An alarm has the depth of what set it.
#pragma once

#include <atomic>
#include <deque>
#include <memory>
#include <vector>

#include "protocol/process.h"
#include "sim/census.h"
#include "sim/letters.h"
#include "sim/meter.h"
#include "sim/outages.h"
#include "sim/queue.h"
#include "sim/requests.h"
#include "sim/run.h"
#include "sim/scenario.h"
#include "sim/wire.h"

namespace coterie::sim {

class World : private protocol::Sink {
 public:
  // REQUIRES: the scenario outlives the world.
  World(const Scenario& scenario, std::uint64_t seed);

  Run run(const std::atomic<bool>* stop);

 private:
  enum class Kind : std::uint8_t { delivery, user, arrival, alarm, outage };
  struct Event {
    Kind kind;
    std::uint32_t subject;  // a process, or a letter
  };
  enum class Stage : std::uint8_t { resting, asking, away, returning };
  struct Waiting {  // a request of an open workload that has come
    double since;
    Requests::Next what;
  };
  struct User {
    Stage stage = Stage::resting;
    std::uint64_t to_ask = 0;
    std::uint64_t served = 0;
    bool is_due = false;      // an event for it is on its way
    bool is_measured = true;  // false: it was outside at the start, and only comes in
    double returning_since = 0;
    Requests::Next next;  // to come
    Requests::Next current;
    std::unique_ptr<std::deque<Waiting>> backlog;  // open workloads only
  };
  struct Alarm {
    double at = -1;  // negative: none is set
    std::uint32_t depth = 0;
  };

  bool is_over() const;
  // A steady state is measured, and everybody goes on asking until it is: scenario.h.
  bool is_warm_up_run() const { return scenario_.workload.warm_up > 0; }
  std::uint64_t most_requests() const;  // of each requester
  void end_if_all_measured();
  std::optional<std::string> unmeasured() const;
  void handle(const Event& event);
  void deliver(LetterId id);
  void ring(NodeId process);
  void change_outage(NodeId node);
  bool is_deaf(const Letter& letter) const {
    return outages_.is_down(letter.to) && (letter.for_arbiter || scenario_.faults.requesters_fail);
  }
  bool must_wait(NodeId node) const {
    return scenario_.faults.requesters_fail && outages_.is_down(node);
  }

  // Users.
  void start(NodeId process);
  void act_at(double time, NodeId process);
  void rest(NodeId process);
  void expect_arrival(NodeId process);
  void arrive(NodeId process);
  void act(NodeId process);  // asks, or comes back
  void ask(NodeId process);
  void come_back(NodeId process);
  void was_served(NodeId process);
  void has_come_back(NodeId process);
  void ask_to_enter(NodeId process, protocol::Groups groups);
  void ask_to_leave(NodeId process);

  // Sink: what the process that acts now says.
  void send(NodeId to, std::string_view message, const protocol::Label& label) override;
  void entered(protocol::Group chosen) override;
  void exited() override;
  void set_alarm() override;

  void begin_step(NodeId process, std::uint32_t depth) {
    current_ = process;
    depth_ = depth;
  }
  void judge();
  void note(std::uint64_t what);  // for the digest
  void note(const Event& event);
  std::vector<TypeCount> by_type() const;

  const Scenario& scenario_;
  protocol::Setting setting_;
  const bool starts_inside_;  // floors and bands
  const bool both_wait_;      // bands: to come back is to wait, too
  const bool heeds_groups_;   // rooms; others serve a request whatever its group
  std::vector<std::unique_ptr<protocol::Process>> processes_;
  Requests requests_;
  Wire wire_;
  Outages outages_;
  Random alarm_source_;
  Census census_;
  Meter meter_;

  Queue<Event> queue_;
  std::deque<Event> at_once_;  // before all that is in the queue
  Letters letters_;
  std::vector<User> users_;
  std::vector<Alarm> alarms_;
  std::vector<std::vector<Event>> held_;  // what waits for each node's return
  std::size_t held_count_ = 0;
  std::size_t outages_to_come_ = 0;
  std::uint64_t alarms_in_vain_ = 0;
  std::size_t requesters_;
  std::size_t acting_ = 0;         // requesters that are not down for ever
  std::size_t warm_ = 0;           // requesters that have had their warm-up
  std::optional<Meter> measured_;  // as it was when measuring ended
  double measured_until_ = 0;

  double now_ = 0;
  NodeId current_ = 0;  // who acts
  std::uint32_t depth_ = 0;
  double room_since_ = -1;   // there is room and somebody waits to enter; negative: not so
  double spare_since_ = -1;  // the same for those who wait to leave
  protocol::Group last_group_ = 0;
  double last_return_ = 0;
  std::vector<std::string> type_names_;
  std::uint64_t digest_ = 0;
  std::uint64_t events_ = 0;
  std::optional<std::string> fault_;
};

}  // namespace coterie::sim
