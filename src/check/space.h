// The states of a system, taken apart. A state is one number per process (its local state) and one per
// channel (the messages in it). A local state is met in many states of the whole, and what it does on an
// input is always the same: so each step of the algorithm's code is taken once and remembered, and
// exploring is arithmetic on numbers.
//
// A state's fingerprint is the sum of its components' 64-bit hashes, so a step changes it in a few
// additions. Hashes are of contents, not of numbers: they do not depend on who found what first.
#pragma once

#include <algorithm>
#include <atomic>
#include <boost/container/small_vector.hpp>
#include <boost/unordered/unordered_flat_map.hpp>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "check/config.h"
#include "check/faults.h"
#include "check/history.h"
#include "check/stable.h"

namespace coterie::check {

using Id = std::uint32_t;
using Fingerprint = std::uint64_t;

// An input that a process may take: something of its own (the index-th of what its local state allows), or
// the message at the head of a channel.
struct Event {
  NodeId process = 0;
  bool is_delivery = false;
  NodeId from = 0;          // of a delivery; of a new link: the other end
  std::uint32_t index = 0;  // of an input of its own; of a delivery: how many messages it overtakes
  bool is_link = false;     // a new link: `from` takes its input too, and the channels are empty
  bool is_due = false;      // what follows from a fault in the end: before it nothing is quiet
  bool is_chance = false;   // a fault: it may happen or not, no end waits for it
};

// What a process may do by itself.
struct Input {
  enum class Kind : std::uint8_t {
    enter,
    exit,
    alarm,
    // Of faults, after all others in the list of a local state.
    cancel,
    suspect,
    trust,
    part,  // a lapse by chance
    lapse,
    expire,
    expire_former,
    up,
    crash,
    restart,
    ghost_lapse,
    forget,
  };
  Kind kind = Kind::enter;
  protocol::Demand demand = {};   // prefer: also of an alarm
  NodeId peer = 0;                // of a fault
  std::uint32_t incarnation = 0;  // of the peer: up
};

class Space {
 public:
  explicit Space(const Config& config);

  const Config& config() const { return config_; }
  std::size_t width() const { return processes_ + channels_.size(); }
  std::size_t processes() const { return processes_; }

  struct Local {
    Bytes bytes;
    Fingerprint hash = 0;
    NodeId process = 0;
    spec::Place place = spec::Place::outside;
    protocol::Group group = 0;
    protocol::Groups wanted;
    std::uint32_t left = 0;  // operations
    bool alarm = false;
    bool at_rest = true;
    Trouble trouble;
    History history;
    std::string broken;  // the assertion that failed; it does nothing any more
    std::vector<Input> inputs;
  };
  struct Message {
    Bytes bytes;
    Fingerprint hash = 0;
    std::uint32_t channel = 0;
  };
  struct Channel {
    std::vector<Id> messages;
    std::vector<Id> without;  // the channel when the i-th message is taken out
    Fingerprint hash = 0;
  };
  struct Sent {
    Id message;
    std::uint32_t place;  // of its channel, in a state
  };
  struct Step {
    Id next = 0;
    boost::container::small_vector<Sent, 4> sent;
  };
  // A step of the whole, before it is taken: what it would make of which places.
  struct Change {
    std::uint32_t place;
    Id becomes;
  };
  struct Move {
    Fingerprint fingerprint;  // of the state that it leads to
    std::uint32_t first;      // of its changes, among the changes of many moves
    std::uint32_t last;
  };

  // What exploring reads of components at every step, apart from the rest so that it stays near.
  struct LocalBrief {
    Fingerprint hash;
    Peers unheard;         // what they send it is lost
    std::uint16_t inputs;  // of its own: alarms last
    std::uint16_t inputs_without_alarm;
    spec::Place place;
    bool alarm;
    bool at_rest;
    bool is_broken;
  };
  struct ChannelBrief {
    Fingerprint hash;
    Id head;
    Id rest;
  };
  const LocalBrief& brief(Id local) const { return local_briefs_[local]; }

  const Local& local(Id id) const { return locals_[id]; }
  const Channel& channel(Id id) const { return contents_[id]; }
  const Message& message(Id id) const { return messages_[id]; }
  std::size_t local_count() const { return locals_.size(); }
  std::size_t message_count() const { return messages_.size(); }
  std::size_t channel_count() const { return contents_.size(); }
  std::size_t step_count() const { return steps_.size(); }
  std::size_t component_bytes() const { return bytes_; }

  // Channels in their order: the position of the one from `from` to `to` in a state.
  struct Ends {
    NodeId from;
    NodeId to;
  };
  const Ends& ends(std::size_t channel) const { return channels_[channel]; }
  std::span<const std::uint32_t> incoming(NodeId process) const { return incoming_[process]; }

  // The place in a state of the channel. REQUIRES: there is one
  std::size_t place_of(NodeId from, NodeId to) const {
    return processes_ + position_[from * processes_ + to];
  }

  std::string describe(Id message) const;
  std::string describe_local(Id local);

  std::vector<Id> initial() const { return initial_; }
  Fingerprint fingerprint(std::span<const Id> state) const;
  void look(std::span<const Id> state, std::vector<spec::Person>& people) const;
  // history.cc: what must hold of the past.
  spec::Fault token_too_low(std::span<const Id> state) const;
  spec::Fault hold_lost(std::span<const Id> state) const;
  // What is wrong with a step by which the process has left, or has entered.
  spec::Fault too_few_left(std::span<const Id> before, const Event& step, NodeId process) const;
  spec::Fault token_too_low_for(std::span<const Id> before, const Local& entered) const;
  // No state known so far allows more events.
  std::size_t most_events() const;

  // The door of one thread: remembers what it has asked before, so that it seldom waits for another.
  class View {
   public:
    explicit View(Space& space) : space_(&space) {}
    const Step& on_input(Id local, std::uint32_t index) { return step(local, kOwn | index); }
    const Step& on_message(Id local, Id message) { return step(local, message); }
    Id push(Id channel, Id message) {
      const std::uint64_t key = std::uint64_t{channel} << 32U | message;
      const auto found = pushes_.find(key);
      if (found != pushes_.end()) return found->second;
      return pushes_.emplace(key, space_->push(channel, message)).first->second;
    }
    // move.cc: what the event would make of the state. Its changes are added to `changes`.
    Move move(const Event& event, std::span<const Id> state, Fingerprint fingerprint,
              std::vector<Change>& changes);
    // Applies the event to the state in place, and answers the fingerprint of what comes out.
    Fingerprint apply(const Event& event, std::span<Id> state, Fingerprint fingerprint);

   private:
    class Making;
    const Step& step(Id local, std::uint32_t input) {
      const std::uint64_t key = std::uint64_t{local} << 32U | input;
      const auto found = steps_.find(key);
      if (found != steps_.end()) return *found->second;
      return *steps_.emplace(key, &space_->step(local, input)).first->second;
    }
    Space* space_;
    boost::unordered_flat_map<std::uint64_t, const Step*> steps_;
    boost::unordered_flat_map<std::uint64_t, Id> pushes_;
  };

  // No message is under way.
  bool is_calm(std::span<const Id> state) const {
    return std::all_of(state.begin() + static_cast<std::ptrdiff_t>(processes_), state.end(),
                       [](Id content) { return content == kEmpty; });
  }
  // Calls `visit(event)` for each event that the state allows, process by process.
  template <class Visit>
  void for_each_event(std::span<const Id> state, const Visit& visit) const {
    const bool alarms = config_.alarms == When::any || is_calm(state);
    for (NodeId process = 0; process < processes_; ++process)
      for_each_event_of(process, state, alarms, visit);
    if (!has_faults_) return;
    for (const bool is_chance : {false, true}) {  // these last
      for (const Event& event : faults(state, is_chance)) visit(event);
    }
  }
  template <class Visit>
  void for_each_event_of(NodeId process, std::span<const Id> state, bool alarms,
                         const Visit& visit) const {
    const LocalBrief& local = local_briefs_[state[process]];
    const std::uint32_t own = alarms ? local.inputs : local.inputs_without_alarm;
    for (std::uint32_t index = 0; index < own; ++index) visit(Event{process, false, 0, index});
    for (const std::uint32_t channel : incoming_[process]) {
      const Id content = state[processes_ + channel];
      if (content == kEmpty) continue;
      const std::size_t choices = config_.fifo ? 1 : contents_[content].messages.size();
      for (std::uint32_t index = 0; index < choices; ++index) {
        visit(Event{process, true, channels_[channel].from, index});
      }
    }
  }
  std::uint32_t channel_between(NodeId from, NodeId to) const {
    return position_[from * processes_ + to];
  }
  bool is_empty(std::span<const Id> state, std::uint32_t channel) const {
    return state[processes_ + channel] == kEmpty;
  }

  // Calls `visit(local state, the message taken if one was, step)` for each step taken so far, without alarms if these
  // go off late.
  // REQUIRES: no search at the same time
  template <class Visit>
  void for_each_step(const Visit& visit) const {
    for (const auto& [key, id] : step_ids_) {
      const auto input = static_cast<std::uint32_t>(key);
      const Local& local = locals_[static_cast<Id>(key >> 32U)];
      const bool is_alarm =
          (input & kOwn) != 0 && local.inputs[input & ~kOwn].kind == Input::Kind::alarm;
      if (is_alarm && config_.alarms == When::late) continue;
      visit(static_cast<Id>(key >> 32U),
            (input & kOwn) == 0 ? std::optional<Id>(input) : std::nullopt, steps_[id]);
    }
  }
  // Of a new link, where it is among the inputs of one end. REQUIRES: it is
  std::uint32_t index_of_up(Id local, NodeId peer, std::uint32_t incarnation) const;
  // Some process has set an alarm.
  bool has_alarms() const { return has_alarms_; }

 private:
  static constexpr Id kEmpty = 0;
  static constexpr std::uint32_t kNoChannel = ~std::uint32_t{0};
  static constexpr std::uint32_t kOwn = 1U << 31U;
  class Catcher;

  const Step& step(Id local, std::uint32_t input);
  Id push(Id channel, Id message);
  Id add_local(Local local);
  void forget(History& history) const;
  Id add_message(std::uint32_t channel, Bytes bytes);
  Id add_channel(std::uint32_t position, std::vector<Id> messages);
  void list_inputs(Local& local) const;
  Local take(const Local& before, std::uint32_t input, Step& step);
  void feed(const Local& before, std::uint32_t input, Local& after, Step& step);
  void feed_own(const Input& own, protocol::Process& machine, Local& after, Catcher& catcher);

  // faults.cc
  void list_faults(Local& local) const;
  std::vector<Event> faults(std::span<const Id> state, bool is_chance) const;
  bool is_settled(std::span<const Id> state) const;
  bool is_possible(const Input& fault, NodeId process, std::span<const Id> state) const;
  bool can_link(NodeId process, NodeId peer, std::span<const Id> state) const;
  bool has_faded(NodeId process, NodeId peer, std::span<const Id> state) const;
  // history.cc
  bool may_be_counted(NodeId absent, NodeId leaver, std::span<const Id> state,
                      const Event& step) const;
  bool may_be_recorded(NodeId process, NodeId arbiter, std::span<const Id> state) const;
  std::size_t under_way(NodeId from, NodeId to, std::span<const Id> state) const;
  bool is_told_forget() const {
    return config_.choice.entry->is_told_forget && config_.judges_leaves();
  }
  static void crash(const protocol::Process& machine, const Local& before, Local& after);
  void feed_fault(const Input& fault, protocol::Process& machine, Local& after, Catcher& catcher);
  void feed_ghost(NodeId peer, protocol::Process& machine, Local& after) const;

  Config config_;
  std::size_t processes_;
  std::vector<Ends> channels_;
  std::vector<std::vector<std::uint32_t>> incoming_;
  std::vector<std::uint32_t> position_;  // of the channel from * processes + to
  std::vector<std::unique_ptr<protocol::Process>> machines_;
  std::vector<Id> initial_;

  std::mutex mutex_;
  Stable<Local> locals_;
  Stable<Message> messages_;
  Stable<Channel> contents_;
  Stable<Step> steps_;
  Stable<LocalBrief> local_briefs_;
  Stable<ChannelBrief> channel_briefs_;
  boost::unordered_flat_map<std::string, Id> local_ids_;
  boost::unordered_flat_map<std::string, Id> message_ids_;
  boost::unordered_flat_map<std::string, Id> channel_ids_;
  boost::unordered_flat_map<std::uint64_t, Id> step_ids_;
  boost::unordered_flat_map<std::uint64_t, Id> push_ids_;
  std::size_t bytes_ = 0;
  std::size_t longest_ = 1;
  bool has_alarms_ = false;
  bool has_faults_ = false;
};

}  // namespace coterie::check
