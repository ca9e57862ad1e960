#include "cli/check_suite.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>

#include "check/suite.h"
#include "cli/input.h"
#include "cli/numbers.h"
#include "cli/table.h"
#include "cli/terminal.h"

namespace coterie::cli {
namespace {

using check::Case;
using check::Outcome;
using check::Verdict;
using nlohmann::ordered_json;

struct Run {
  const Case* check = nullptr;
  Outcome outcome = {};
  double seconds = 0;
  std::string difference = {};
};

// Whoever names a check exactly gets it, however long it takes.
std::vector<const Case*> chosen(const SuiteOptions& options) {
  const std::vector<Case>& all = check::suite();
  for (const std::string& name : options.names) {
    const bool is_known = std::any_of(
        all.begin(), all.end(), [&](const Case& each) { return each.name.starts_with(name); });
    if (is_known) continue;
    std::vector<std::string_view> names(all.size());
    std::transform(all.begin(), all.end(), names.begin(),
                   [](const Case& each) { return each.name; });
    throw Failure(fmt::format("--suite: no check is called '{}'; there are: {}", name,
                              fmt::join(names, ", ")));
  }
  std::vector<const Case*> cases;
  for (const Case& each : all) {
    const auto any_name = [&](auto&& fits) {
      return std::any_of(options.names.begin(), options.names.end(), fits);
    };
    const bool is_exact = any_name([&](const std::string& name) { return each.name == name; });
    const bool is_meant = options.names.empty() || any_name([&](const std::string& name) {
                            return each.name.starts_with(name);
                          });
    const bool is_short = each.effort == check::Effort::quick || options.soak;
    if (is_exact || (is_meant && is_short)) cases.push_back(&each);
  }
  if (cases.empty()) throw Failure("--suite: all of these take long: add --soak");
  return cases;
}

std::string text_of(Verdict verdict, std::optional<check::Property> property) {
  return property ? fmt::format("{} ({})", name_of(verdict), name_of(*property))
                  : std::string(name_of(verdict));
}

std::optional<check::Property> property_of(const Outcome& outcome) {
  if (outcome.verdict != Verdict::violated) return {};
  return outcome.property;
}

void print_runs(const std::vector<Run>& runs, std::size_t chosen, std::size_t failed) {
  Table table({"<check", "<expected", "<got", "states", "depth", "seconds"});
  for (const Run& run : runs) {
    const std::string got = text_of(run.outcome.verdict, property_of(run.outcome));
    const std::string expected = text_of(run.check->expected(), run.check->violates);
    table.add({std::string(run.check->name), expected, got == expected ? "the same" : got,
               fmt::format("{}", run.outcome.states), fmt::format("{}", run.outcome.depth),
               fmt::format("{:.2f}", run.seconds)});
  }
  fmt::print("{}\n", table.str());
  for (const Run& run : runs) {
    if (run.difference.empty()) continue;
    fmt::print("{}", wrapped(fmt::format("{}: {}", run.check->name, run.difference), 2));
    fmt::print("{}", wrapped(fmt::format("  coterie check {}", std::string(run.check->plan)), 4));
  }
  fmt::print("{} of {} as expected{}\n", runs.size() - failed, chosen,
             runs.size() < chosen ? "; interrupted: the rest was not done" : "");
}

ordered_json json_of(const Run& run) {
  const auto property = [](std::optional<check::Property> of) {
    return of ? ordered_json(name_of(*of)) : ordered_json(nullptr);
  };
  return {{"name", run.check->name},
          {"command", "coterie check " + std::string(run.check->plan)},
          {"mutant", run.check->is_mutant()},
          {"expected", name_of(run.check->expected())},
          {"expected_property", property(run.check->violates)},
          {"verdict", name_of(run.outcome.verdict)},
          {"property", property(property_of(run.outcome))},
          {"reason", run.outcome.reason},
          {"states", run.outcome.states},
          {"transitions", run.outcome.transitions},
          {"depth", run.outcome.depth},
          {"acyclic", run.outcome.is_acyclic},
          {"steps", run.outcome.trace.size()},
          {"seconds", run.seconds},
          {"difference", run.difference}};
}

}  // namespace

int run_suite(const SuiteOptions& options) {
  const std::vector<const Case*> cases = chosen(options);
  std::vector<Run> runs;
  std::size_t failed = 0;
  {
    StatusLine line;
    for (const Case* each : cases) {
      if (interrupted()) break;
      const double before = line.seconds();
      const auto watch = [&](const check::Progress& progress) {
        if (line.is_wanted()) {
          line.show(fmt::format("{}/{} {}: {} states, depth {}", runs.size() + 1, cases.size(),
                                each->name, progress.states, progress.depth));
        }
        return !interrupted();
      };
      Run run{.check = each};
      run.outcome = check::run(*each, {.properties = {},
                                       .threads = options.threads,
                                       .memory_limit = options.memory << 20U,
                                       .progress = watch});
      if (interrupted()) break;  // cut short: what it says is not worth much
      run.seconds = line.seconds() - before;
      run.difference = difference(*each, run.outcome);
      if (!run.difference.empty()) ++failed;
      runs.push_back(std::move(run));
    }
  }
  if (options.json) {
    ordered_json json{{"checks", ordered_json::array()}, {"failed", failed}};
    for (const Run& run : runs) json["checks"].push_back(json_of(run));
    print_json(json);
  } else {
    print_runs(runs, cases.size(), failed);
  }
  return failed == 0 && runs.size() == cases.size() ? 0 : kExitFound;
}

}  // namespace coterie::cli
