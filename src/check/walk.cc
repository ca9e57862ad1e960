#include "check/walk.h"

#include <algorithm>
#include <deque>
#include <memory>

#include "base/assert.h"
#include "base/assertion_watch.h"
#include "base/dump.h"
#include "base/random.h"

namespace coterie::check {
namespace {

using spec::Place;

constexpr std::size_t kEventsKept = 40;

class Walker : private protocol::Sink {
 public:
  Walker(const Config& config, const WalkOptions& options, std::uint64_t number)
      : config_(config),
        options_(options),
        random_(options.seed * 0x9e3779b97f4a7c15ULL + number),
        n_(config.setting.processes),
        victim_(config.requesters[number % config.requesters.size()]),
        channels_(n_ * n_),
        actors_(n_) {
    for (NodeId process = 0; process < n_; ++process) {
      Actor& actor = actors_[process];
      actor.process = config.choice.make()(config.setting, process);
      const NodeSet& inside = config.setting.inside;
      if (inside.universe() != 0 && inside.contains(process)) actor.place = Place::inside;
    }
    for (const NodeId process : config.requesters) actors_[process].asks = true;
  }

  // False if a property is broken.
  bool run(WalkOutcome& outcome) {
    for (step_ = 0; step_ < options_.steps; ++step_) {
      bool moved = true;
      std::optional<std::pair<Property, std::string>> fault;
      try {
        const AssertionWatch watch;
        moved = deliver_or_act();
      } catch (const AssertionFailure& failure) {
        fault = std::pair{Property::asserts, "p" + std::to_string(current_) +
                                                 " finds its assertion broken: " + failure.what};
      }
      ++outcome.steps;
      if (!fault) fault = judge(!moved);
      if (fault) {
        outcome.is_violated = true;
        outcome.property = fault->first;
        outcome.reason = fault->second;
        outcome.step = step_;
        outcome.last_events.assign(told_.begin(), told_.end());
        break;
      }
      if (!moved) break;
    }
    outcome.entries += entries_;
    outcome.messages += messages_;
    for (const Actor& actor : actors_) longest_ = std::max(longest_, actor.overtaken);
    outcome.longest_overtaking = std::max(outcome.longest_overtaking, longest_);
    return !outcome.is_violated;
  }

 private:
  struct Message {
    Bytes bytes;
    std::uint64_t sent;  // the step
  };
  struct Actor {
    std::unique_ptr<protocol::Process> process;
    Place place = Place::outside;
    protocol::Group group = 0;
    protocol::Groups wanted;
    bool alarm = false;
    bool asks = false;
    std::uint64_t overtaken = 0;  // since it began to wait
  };

  bool touches_victim(NodeId from, NodeId to) const { return from == victim_ || to == victim_; }

  // Takes one step; false if there is none to take.
  bool deliver_or_act() {
    std::vector<std::size_t> ready;  // channels
    std::vector<std::size_t> slow;
    std::size_t oldest = channels_.size();
    for (std::size_t at = 0; at < channels_.size(); ++at) {
      if (channels_[at].empty()) continue;
      if (oldest == channels_.size() || channels_[at].front().sent < channels_[oldest].front().sent)
        oldest = at;
      const auto from = static_cast<NodeId>(at / n_);
      const auto to = static_cast<NodeId>(at % n_);
      (touches_victim(from, to) ? slow : ready).push_back(at);
    }
    if (oldest < channels_.size() && step_ - channels_[oldest].front().sent >= options_.patience)
      return deliver(oldest);
    std::vector<NodeId> doers;
    for (NodeId process = 0; process < n_; ++process) {
      const Actor& actor = actors_[process];
      const bool can_ask =
          actor.asks && (actor.place == Place::outside || actor.place == Place::inside);
      if (can_ask || actor.alarm) doers.push_back(process);
    }
    // Others first; the victim's messages only when there is nothing else, or now and then.
    const bool favours_victim = random_.chance(0.02);
    const std::size_t choices = ready.size() + doers.size() + (favours_victim ? slow.size() : 0);
    if (choices == 0) return !slow.empty() && deliver(slow[random_.below(slow.size())]);
    const std::size_t chosen = random_.below(choices);
    if (chosen < ready.size()) return deliver(ready[chosen]);
    if (chosen < ready.size() + doers.size()) return act(doers[chosen - ready.size()]);
    return deliver(slow[chosen - ready.size() - doers.size()]);
  }

  bool deliver(std::size_t at) {
    const auto from = static_cast<NodeId>(at / n_);
    current_ = static_cast<NodeId>(at % n_);
    const Bytes bytes = std::move(channels_[at].front().bytes);
    channels_[at].pop_front();
    tell("p" + std::to_string(current_) + " receives " +
         actors_[from].process->describe_message(bytes) + " from p" + std::to_string(from));
    COTERIE_ASSERT(actors_[current_].process->on(from, bytes, *this));
    return true;
  }

  bool act(NodeId process) {
    Actor& actor = actors_[process];
    current_ = process;
    const NodeSet prefer = config_.quorums.empty()
                               ? NodeSet()
                               : config_.quorums[random_.below(config_.quorums.size())];
    if (actor.alarm && (actor.place == Place::entering || actor.place == Place::leaving)) {
      actor.alarm = false;
      tell("p" + std::to_string(process) + "'s alarm goes off");
      actor.process->alarm(prefer, *this);
    } else if (actor.place == Place::outside) {
      const auto& demands = config_.demands[process];
      const protocol::Demand demand{demands[random_.below(demands.size())], prefer};
      actor.place = Place::entering;
      actor.wanted = demand.groups;
      actor.overtaken = 0;
      tell("p" + std::to_string(process) + " asks to enter for " + dumped(demand.groups));
      actor.process->enter(demand, *this);
    } else {
      actor.place = Place::leaving;
      actor.overtaken = 0;
      tell("p" + std::to_string(process) + " asks to leave");
      actor.process->exit(*this);
    }
    return true;
  }

  void tell(std::string what) {
    if (told_.size() == kEventsKept) told_.pop_front();
    told_.push_back(std::move(what));
  }

  void send(NodeId to, std::string_view message, const protocol::Label& /*label*/) override {
    ++messages_;
    channels_[current_ * n_ + to].push_back({Bytes(message), step_});
  }
  void entered(protocol::Group group) override {
    Actor& actor = actors_[current_];
    COTERIE_ASSERT(actor.place == Place::entering);
    COTERIE_ASSERT(actor.wanted.accepts(group));
    actor.place = Place::inside;
    actor.group = group;
    served(Place::entering);
    ++entries_;
  }
  void exited() override {
    COTERIE_ASSERT(actors_[current_].place == Place::leaving);
    actors_[current_].place = Place::outside;
    served(Place::leaving);
  }
  // Everybody who waits for the same was overtaken once more.
  void served(Place waiting) {
    Actor& actor = actors_[current_];
    actor.alarm = false;
    longest_ = std::max(longest_, actor.overtaken);
    actor.overtaken = 0;
    for (Actor& other : actors_) {
      if (other.place == waiting) ++other.overtaken;
    }
  }
  void set_alarm() override { actors_[current_].alarm = true; }

  bool asks(Property property) const {
    return std::find(options_.properties.begin(), options_.properties.end(), property) !=
           options_.properties.end();
  }
  std::optional<std::pair<Property, std::string>> judge(bool is_end) {
    people_.clear();
    bool is_quiet = std::all_of(channels_.begin(), channels_.end(),
                                [](const auto& channel) { return channel.empty(); });
    for (const Actor& actor : actors_) {
      people_.push_back({actor.place, actor.group, {actor.wanted.data(), actor.wanted.size()}});
      is_quiet = is_quiet && !actor.alarm;
    }
    const spec::Rule& rule = config_.rule;
    if (asks(Property::safety)) {
      if (auto fault = rule.broken(people_)) return std::pair{Property::safety, *fault};
    }
    if (is_end && asks(Property::served)) {
      if (auto fault = rule.unserved(people_)) return std::pair{Property::served, *fault};
    }
    if (is_quiet && asks(Property::slot)) {
      if (auto fault = rule.slot_unreachable(people_)) return std::pair{Property::slot, *fault};
    }
    if (is_quiet && asks(Property::entry)) {
      if (auto fault = rule.friends_kept_out(people_)) return std::pair{Property::entry, *fault};
    }
    return {};
  }

  const Config& config_;
  const WalkOptions& options_;
  Random random_;
  std::size_t n_;
  NodeId victim_;
  std::vector<std::deque<Message>> channels_;
  std::vector<Actor> actors_;
  NodeId current_ = 0;
  std::uint64_t step_ = 0;
  std::uint64_t entries_ = 0;
  std::uint64_t messages_ = 0;
  std::uint64_t longest_ = 0;
  std::deque<std::string> told_;
  std::vector<spec::Person> people_;
};

}  // namespace

WalkOutcome walk(const Config& config, const WalkOptions& options) {
  WalkOutcome outcome;
  for (std::uint64_t number = 0; number < options.walks; ++number) {
    Walker walker(config, options, number);
    outcome.walk = number;
    const bool is_well = walker.run(outcome);
    ++outcome.walks;
    if (!is_well || !options.progress(outcome.walks)) break;
  }
  return outcome;
}

}  // namespace coterie::check
