#include "check/replay.h"

#include <unordered_set>

#include "check/player.h"

namespace coterie::check {
namespace {

// Whether an end is reachable in which all are served; true also if that takes too long to say.
bool can_finish(Space& space, Player& player) {
  constexpr std::size_t kMostStates = 1U << 20U;
  std::vector<std::vector<Id>> open{player.state()};
  std::unordered_set<Fingerprint> seen{space.fingerprint(player.state())};
  std::vector<spec::Person> people;
  while (!open.empty() && seen.size() < kMostStates) {
    const std::vector<Id> state = std::move(open.back());
    open.pop_back();
    std::vector<Event> events;
    space.for_each_event(state, [&](const Event& event) {
      if (!event.is_chance) events.push_back(event);
    });
    space.look(state, people);
    if (events.empty() && !space.config().rule.unserved(people)) return true;
    for (const Event& event : events) {
      std::vector<Id> next = state;
      const Fingerprint after = player.view().apply(event, next, space.fingerprint(state));
      if (seen.insert(after).second) open.push_back(std::move(next));
    }
  }
  return !open.empty();
}

}  // namespace

std::optional<Fault> first_fault(Space& space, const std::vector<Event>& trace,
                                 std::span<const Property> properties) {
  Player player(space, properties);
  for (std::size_t step = 0; step <= trace.size(); ++step) {
    if (step > 0) player.take(trace[step - 1]);
    if (const auto fault = player.fault()) return Fault{fault->property, fault->reason, step};
  }
  if (player.asks(Property::finish) && !can_finish(space, player)) {
    return Fault{Property::finish,
                 "from here no request that waits can be served any more, whatever happens",
                 trace.size()};
  }
  return {};
}

}  // namespace coterie::check
