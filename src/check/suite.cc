#include "check/suite.h"

#include <stdexcept>

#include "check/models.h"
#include "check/plan_options.h"
#include "check/suite_cases.h"
#include "coterie/spec.h"

namespace coterie::check {
const std::vector<Case>& suite() {
  static const std::vector<Case> cases = [] {
    std::vector<Case> all;
    for (const auto part :
         {locks_cases, yardsticks_cases, surrogate_cases, groups_cases, group_k_cases, floors_cases,
          bands_cases, shares_cases, census_cases, census_fault_cases, calls_cases}) {
      const std::vector<Case> more = part();
      all.insert(all.end(), more.begin(), more.end());
    }
    return all;
  }();
  return cases;
}

Outcome run(const Case& check, const Options& options) {
  const auto must = [&](auto result) {
    if (!result) throw std::logic_error(std::string(check.name) + ": " + result.error().message);
    return *std::move(result);
  };
  if (is_model(check.plan)) return must(run_model(check.plan, options)).summary();
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
