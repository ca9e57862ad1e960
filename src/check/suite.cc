#include "check/suite.h"

#include <stdexcept>

#include "check/plan_options.h"
#include "coterie/spec.h"

namespace coterie::check {
namespace {

using enum Property;
using enum Effort;

constexpr Case holds(std::string_view name, std::string_view plan, Counts counts,
                     Effort effort = quick) {
  return {name, plan, {}, counts, effort};
}

constexpr Case breaks(std::string_view name, Property property, std::string_view plan,
                      Counts counts, Effort effort = quick) {
  return {name, plan, property, counts, effort};
}

}  // namespace

const std::vector<Case>& suite() {
  // clang-format off
  static const std::vector<Case> cases = {
      // Maekawa 1985, with Sanders' correction
      holds("maekawa-3", "maekawa --system majority:n=3 --requests 2", {}),
      holds("maekawa-4", "maekawa --system k-majority:n=4,k=1 --requesters 3", {}),
      breaks("maekawa@S1", served, "maekawa@S1 --system majority:n=3 --requests 2", {}),
      breaks("maekawa@S2", served, "maekawa@S2 --system majority:n=3 --requests 2", {}),
  };
  // clang-format on
  return cases;
}

Outcome run(const Case& check, const Options& options) {
  const auto must = [&](auto result) {
    if (!result) throw std::logic_error(std::string(check.name) + ": " + result.error().message);
    return *std::move(result);
  };
  const Plan plan = must(parse_plan(check.plan));
  std::vector<quorum::System> systems;
  for (const std::string& spec : plan.systems) systems.push_back(must(quorum::parse(spec)));
  const Config config = must(make_config(plan, std::move(systems)));
  Options as_planned = options;
  as_planned.properties = must(properties_of(plan, config.choice));
  as_planned.reduce = plan.reduce;
  Space space(config);
  return explore(space, as_planned);
}

std::string difference(const Case& check, const Outcome& outcome) {
  if (outcome.verdict != check.expected()) {
    return std::string(name_of(outcome.verdict)) + ", not " +
           std::string(name_of(check.expected())) +
           (outcome.reason.empty() ? "" : ": " + outcome.reason);
  }
  if (check.violates && outcome.property != *check.violates) {
    return "violates " + std::string(name_of(outcome.property)) + ", not " +
           std::string(name_of(*check.violates)) + ": " + outcome.reason;
  }
  std::string text;
  const auto compare = [&](const char* what, std::uint64_t found, std::uint64_t pinned) {
    if (pinned == 0 || found == pinned) return;
    text += (text.empty() ? "" : ", ") + std::to_string(found) + " " + what + ", not " +
            std::to_string(pinned);
  };
  compare("states", outcome.states, check.counts.states);
  compare("transitions", outcome.transitions, check.counts.transitions);
  compare("levels", outcome.depth, check.counts.depth);
  return text;
}

}  // namespace coterie::check
