#include "cli/check_walk.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "check/plan_options.h"
#include "check/runs.h"
#include "cli/check_task.h"
#include "cli/input.h"
#include "cli/numbers.h"
#include "cli/table.h"
#include "cli/terminal.h"

namespace coterie::cli {
namespace {

using nlohmann::ordered_json;

void print_outcome(const check::WalkOutcome& outcome, bool has_faults, double seconds) {
  fmt::print("\n");
  print_line("verdict", outcome.is_violated ? fmt::format("violated: {}, in walk {} at step {}: {}",
                                                          name_of(outcome.property), outcome.walk,
                                                          outcome.step, outcome.reason)
                                            : "walked: nothing was violated, which proves nothing");
  fmt::print("\n");
  print_line("walked",
             fmt::format("{} walks, {} steps, {:.2f} s", outcome.walks, outcome.steps, seconds));
  if (has_faults) {
    print_line("seen", fmt::format("{} entries, {} faults", outcome.entries, outcome.faults));
  } else {
    print_line("seen", fmt::format("{} entries, {} messages", outcome.entries, outcome.messages));
    print_line("overtaken",
               fmt::format("at most {} times while one waited", outcome.longest_overtaking));
  }
  if (outcome.last_events.empty()) return;
  fmt::print("\nthe last steps\n");
  for (const std::string& event : outcome.last_events) fmt::print("{}", wrapped("  " + event, 4));
}

// Refuses what a walk without faults would not heed: its processes ask for ever, and its scheduler is an adversary with a
// fairness of its own.
void refuse_unheeded(const check::Plan& plan) {
  for (const check::PlanOption& option : check::plan_options()) {
    constexpr std::array<std::string_view, 4> kUnheeded{"requests", "self", "alarms", "unordered"};
    const bool is_heeded =
        std::find(kUnheeded.begin(), kUnheeded.end(), option.name) == kUnheeded.end();
    if (is_heeded || option.get(plan).empty()) continue;
    throw Failure(fmt::format(
        "--{}: it means nothing to --walks without faults, where all ask for ever, each message to "
        "oneself is a step, and a message is kept back for at most --patience steps",
        option.name));
  }
}

// Leaves the properties that a walk judges. One that was asked for must be among them.
void leave_judged(Task& task, const check::Plan& plan) {
  for (const check::Property property : task.properties) {
    if (plan.properties.empty() || check::is_judged_in_walks(property)) continue;
    throw Failure(
        fmt::format("--property: {} is not judged by --walks without faults, which judge safety, "
                    "served, slot and entry",
                    name_of(property)));
  }
  std::erase_if(task.properties,
                [](check::Property property) { return !check::is_judged_in_walks(property); });
}

}  // namespace

int walk_protocol(const check::Plan& plan, const WalkOptions& options, bool json) {
  Task task = read_task(plan);
  const bool has_faults = task.config.faults.any();
  if (!has_faults) {
    refuse_unheeded(plan);
    leave_judged(task, plan);
  }
  task.plan = fmt::format("{} --walks {} --steps {} --patience {} --seed {}", task.plan,
                          options.walks, options.steps, options.patience, options.seed);
  if (!json) {
    print_task(task);
    print_line("walks", fmt::format("{} of {} steps, patience {}, seed {}", options.walks,
                                    options.steps, options.patience, options.seed));
  }
  check::WalkOutcome outcome;
  double seconds = 0;
  interrupted();  // from here on Ctrl-C ends the walk, not the program
  {
    StatusLine line;
    const check::WalkOptions how{
        .seed = options.seed,
        .walks = options.walks,
        .steps = options.steps,
        .patience = options.patience,
        .properties = task.properties,
        .progress = [&](std::uint64_t walks) {
          if (line.is_wanted()) {
            line.show(fmt::format("{}/{} walks, {:.0f} s", walks, options.walks, line.seconds()));
          }
          return !interrupted();
        }};
    outcome = has_faults ? check::run_at_random(task.config, how) : check::walk(task.config, how);
    seconds = line.seconds();
  }
  if (json) {
    ordered_json object{
        {"verdict", outcome.is_violated ? "violated" : "walked"},
        {"property",
         outcome.is_violated ? ordered_json(name_of(outcome.property)) : ordered_json(nullptr)},
        {"reason", outcome.reason},
        {"walk", outcome.is_violated ? ordered_json(outcome.walk) : ordered_json(nullptr)},
        {"step", outcome.is_violated ? ordered_json(outcome.step) : ordered_json(nullptr)},
        {"walks", outcome.walks},
        {"steps", outcome.steps},
        {"entries", outcome.entries},
        {"messages", outcome.messages},
        {"longest_overtaking", outcome.longest_overtaking},
        {"seconds", seconds},
        {"seed", options.seed}};
    object.update(to_json(task));
    object["last_events"] = outcome.last_events;
    print_json(object);
  } else {
    print_outcome(outcome, has_faults, seconds);
  }
  return outcome.is_violated ? kExitFound : 0;
}

}  // namespace coterie::cli
