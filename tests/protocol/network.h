// A small network for tests: reliable FIFO channels, and the test says what happens next.
//
//   Network net("maekawa", over("majority:n=3"));
//   net.enter(0);
//   net.deliver(0, 1);   // the oldest message from 0 to 1
//   net.run();           // all that is on its way, oldest first
//   EXPECT_TRUE(net.is_inside(0));
#pragma once

#include <deque>
#include <functional>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/random.h"
#include "protocol/catalogue.h"

namespace coterie::protocol {

// A setting over a system's members, or over processes that need no system.
Setting over(std::string_view spec, std::uint32_t max = 1, std::uint32_t min = 0);
Setting among(std::size_t processes, std::uint32_t max = 1, std::uint32_t min = 0);
// Quorums of groups 0, 1, 2: {0,1}, {0,2}, {1,2}.
inline constexpr const char* kSurficial = "surficial:groups=3,degree=1";

class Network {
 public:
  enum class ToSelf {
    queued,
    immediate
  };  // a message to oneself: sent, or handled before all else

  // Throws std::invalid_argument with what is wrong with the protocol's text or with its setting.
  Network(std::string_view protocol, Setting setting, ToSelf to_self = ToSelf::queued);

  // Inputs. Each throws std::logic_error if it cannot happen now.
  void enter(NodeId process, Groups groups = {0}, NodeSet prefer = {});
  void exit(NodeId process);
  void alarm(NodeId process, const NodeSet& prefer = {});
  void deliver(NodeId from, NodeId to);
  void run();  // passes over the channels that are held
  void hold(NodeId from, NodeId to) { held_.insert({from, to}); }
  void let_go(NodeId from, NodeId to) { held_.erase({from, to}); }

  // Every process entering and leaving `requests` times in an order drawn from the seed, until all is
  // quiet. Answers "", or what went wrong: `is_right` said no, a state did not survive saving and
  // loading, or in the end somebody waits or is not at rest.
  struct Walk {
    std::uint64_t seed = 1;
    std::size_t requests = 3;
    std::vector<Groups> groups = {{0}};  // a request takes one of them
    std::function<bool(const Network&)> is_right = [](const Network&) { return true; };
    std::size_t max_steps = 100'000;
  };
  std::string walk(const Walk& walk);

  const Setting& setting() const { return setting_; }
  Process& process(NodeId process) { return *processes_[process]; }
  NodeSet inside() const;
  NodeSet waiting() const;  // to enter or to leave
  bool is_inside(NodeId process) const { return inside().contains(process); }
  bool is_waiting(NodeId process) const { return waiting().contains(process); }
  Group group(NodeId process) const { return members_[process].group; }  // REQUIRES: inside
  std::size_t groups_inside() const;
  bool is_alarm_set(NodeId process) const { return members_[process].alarm; }
  bool is_quiet() const { return flying_.empty(); }
  bool is_at_rest() const;

  // Messages sent since the start or since forget().
  std::size_t sent() const { return sent_.size(); }
  std::size_t sent(std::string_view name) const;
  std::size_t sent_to_others() const;
  // What happened, a line each: "p0 asks for a", "p0 -> p1 REQUEST(stamp 1.p0)" when it is delivered,
  // "p0 enters a", "p0 asks to leave", "p0 leaves", "p0 alarm".
  const std::vector<std::string>& transcript() const { return transcript_; }
  std::string text() const;
  void forget();

 private:
  struct Flying {
    NodeId from, to;
    Bytes message;
  };
  struct Sent {
    NodeId from, to;
    std::string text;
  };
  struct Member {
    bool inside = false;
    bool waiting = false;
    bool alarm = false;
    Group group = 0;
    std::size_t operations = 0;  // that a walk has still to ask of it
  };
  class Outputs;

  std::unique_ptr<Sink> begin(NodeId process, std::string line);
  void end(NodeId process);
  std::vector<std::function<void()>> possible(const Walk& walk, Random& random);
  std::string fault(const Walk& walk);

  Choice choice_;
  Setting setting_;
  ToSelf to_self_;
  std::vector<std::unique_ptr<Process>> processes_;
  std::vector<Member> members_;
  std::deque<Flying> flying_;  // in the order in which they were sent
  std::set<std::pair<NodeId, NodeId>> held_;
  std::vector<Sent> sent_;
  std::vector<std::string> transcript_;
};

// What a walk of a mutual exclusion must always find.
inline bool at_most_one(const Network& net) { return net.inside().size() <= 1; }

}  // namespace coterie::protocol
