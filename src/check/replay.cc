#include "check/replay.h"

#include <algorithm>
#include <unordered_set>

#include "check/judge.h"

namespace coterie::check {
namespace {

class Player {
 public:
  Player(Space& space, std::span<const Property> properties)
      : space_(space),
        properties_(properties),
        view_(space),
        state_(space.initial()),
        fingerprint_(space.fingerprint(state_)) {}

  void take(const Event& event) { fingerprint_ = view_.apply(event, state_, fingerprint_); }

  bool asks(Property property) const {
    return std::find(properties_.begin(), properties_.end(), property) != properties_.end();
  }

  // Of several, the one that a search would tell.
  std::optional<Fault> fault(std::size_t step) {
    bool is_end = true;
    bool is_quiet = true;
    space_.for_each_event(state_, [&](const Event& event) {
      is_end = is_end && event.is_chance;
      is_quiet = is_quiet && !event.is_delivery && !event.is_due;
    });
    for (NodeId process = 0; process < space_.processes(); ++process) {
      is_quiet = is_quiet && !space_.local(state_[process]).alarm;
    }
    std::optional<Fault> first;
    const auto note = [&](Property property, const std::string& reason) {
      if (!first || property < first->property) first = Fault{property, reason, step};
    };
    judge(
        space_, state_, is_quiet, is_end, people_,
        [this](Property property) { return asks(property); }, note);
    return first;
  }

  // Whether an end is reachable in which all are served; true also if that takes too long to say.
  bool can_finish() {
    constexpr std::size_t kMostStates = 1U << 20U;
    std::vector<std::vector<Id>> open{state_};
    std::unordered_set<Fingerprint> seen{fingerprint_};
    while (!open.empty() && seen.size() < kMostStates) {
      const std::vector<Id> state = std::move(open.back());
      open.pop_back();
      std::vector<Event> events;
      space_.for_each_event(state, [&](const Event& event) {
        if (!event.is_chance) events.push_back(event);
      });
      space_.look(state, people_);
      if (events.empty() && !space_.config().rule.unserved(people_)) return true;
      for (const Event& event : events) {
        std::vector<Id> next = state;
        const Fingerprint after = view_.apply(event, next, space_.fingerprint(state));
        if (seen.insert(after).second) open.push_back(std::move(next));
      }
    }
    return !open.empty();
  }

 private:
  Space& space_;
  std::span<const Property> properties_;
  Space::View view_;
  std::vector<Id> state_;
  Fingerprint fingerprint_;
  std::vector<spec::Person> people_;
};

}  // namespace

std::optional<Fault> first_fault(Space& space, const std::vector<Event>& trace,
                                 std::span<const Property> properties) {
  Player player(space, properties);
  for (std::size_t step = 0; step <= trace.size(); ++step) {
    if (step > 0) player.take(trace[step - 1]);
    if (auto fault = player.fault(step)) return fault;
  }
  if (player.asks(Property::finish) && !player.can_finish()) {
    return Fault{Property::finish,
                 "from here no request that waits can be served any more, whatever happens",
                 trace.size()};
  }
  return {};
}

}  // namespace coterie::check
