#include "check/runs.h"

#include <memory>

#include "base/assert.h"
#include "base/random.h"
#include "check/player.h"
#include "check/story.h"

namespace coterie::check {
namespace {

constexpr std::size_t kScenesKept = 40;
// What the space remembers of steps taken makes the next ones cheap; over this it begins anew.
constexpr std::size_t kMostBytes = std::size_t{256} << 20U;

class Run {
 public:
  Run(Space& space, const WalkOptions& options, std::uint64_t number)
      : space_(space),
        options_(options),
        random_(options.seed * 0x9e3779b97f4a7c15ULL + number),
        player_(space, options.properties),
        due_(weight()),
        other_(weight()) {
    for (NodeId process = 0; process < space.processes(); ++process) pace_.push_back(weight());
  }

  void go(WalkOutcome& outcome) {
    while (true) {
      if (const auto fault = player_.fault()) return tell(outcome, fault->property, fault->reason);
      if (player_.is_at_end()) return;
      if (trace_.size() == options_.steps) {
        if (!player_.asks(Property::finish)) return;
        return tell(outcome, Property::finish,
                    "it goes on after " + std::to_string(options_.steps) + " steps");
      }
      take(draw(), outcome);
    }
  }

 private:
  // Weights are of each event, and a fault by chance has 1.
  std::uint64_t weight() { return std::uint64_t{1} << (2 * random_.below(4)); }
  std::uint64_t weight_of(const Event& event) const {
    if (event.is_chance) return 1;
    return (event.is_due ? due_ : other_) * pace_[event.process];
  }

  Event draw() {
    std::uint64_t sum = 0;
    for (const Event& event : player_.events()) sum += weight_of(event);
    std::uint64_t left = random_.below(sum);
    for (const Event& event : player_.events()) {
      if (left < weight_of(event)) return event;
      left -= weight_of(event);
    }
    constexpr bool is_drawn = false;
    COTERIE_ASSERT(is_drawn);
  }

  void take(const Event& event, WalkOutcome& outcome) {
    const auto place = [&] { return space_.brief(player_.state()[event.process]).place; };
    const bool was_inside = place() == spec::Place::inside;
    player_.take(event);
    trace_.push_back(event);
    ++outcome.steps;
    if (event.is_chance) ++outcome.faults;
    if (!was_inside && place() == spec::Place::inside) ++outcome.entries;
  }

  void tell(WalkOutcome& outcome, Property property, const std::string& reason) {
    outcome.is_violated = true;
    outcome.property = property;
    outcome.reason = reason;
    outcome.step = trace_.size();
    const std::vector<Scene> scenes = narrate(space_, trace_);
    const std::size_t first = scenes.size() > kScenesKept ? scenes.size() - kScenesKept : 0;
    for (std::size_t at = first; at < scenes.size(); ++at)
      outcome.last_events.push_back(scenes[at].what);
  }

  Space& space_;
  const WalkOptions& options_;
  Random random_;
  Player player_;
  std::uint64_t due_;    // weight of what follows from faults
  std::uint64_t other_;  // of everything else
  std::vector<std::uint64_t> pace_;
  std::vector<Event> trace_;
};

}  // namespace

WalkOutcome run_at_random(const Config& config, const WalkOptions& options) {
  WalkOutcome outcome;
  auto space = std::make_unique<Space>(config);
  for (std::uint64_t number = 0; number < options.walks; ++number) {
    if (space->component_bytes() > kMostBytes) space = std::make_unique<Space>(config);
    outcome.walk = number;
    Run(*space, options, number).go(outcome);
    ++outcome.walks;
    if (outcome.is_violated || !options.progress(outcome.walks)) break;
  }
  return outcome;
}

}  // namespace coterie::check
