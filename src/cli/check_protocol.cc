#include "cli/check_protocol.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>

#include "check/explore.h"
#include "check/story.h"
#include "cli/check_task.h"
#include "cli/input.h"
#include "cli/numbers.h"
#include "cli/table.h"
#include "cli/terminal.h"

namespace coterie::cli {
namespace {

using check::Outcome;
using check::Property;
using check::Verdict;
using nlohmann::ordered_json;

constexpr double kMiB = 1024.0 * 1024.0;

// What holds of the part that was looked at.
std::string true_so_far(const Task& task, const Outcome& outcome) {
  if (outcome.is_reduced) return "nothing is proved: a reduced search proves when it is finished";
  std::vector<Property> told = task.properties;
  std::erase(told, Property::finish);
  const bool has_finish = told.size() != task.properties.size();
  std::string text;
  if (!told.empty()) {
    text = fmt::format("no run of fewer than {} steps breaks {}", outcome.depth,
                       fmt::join(names_of(told), ", "));
  }
  if (has_finish) text += std::string(text.empty() ? "" : "; ") + "finish is not decided";
  return text;
}

std::string text_of(const Task& task, const Outcome& outcome) {
  std::string verdict(name_of(outcome.verdict));
  switch (outcome.verdict) {
    case Verdict::holds:
      return verdict +
             (outcome.is_reduced
                  ? ": reduced: of steps that commute one order was looked at; every state "
                    "of a process and every state without a message under way was"
                  : ": every state was looked at");
    case Verdict::violated:
      return fmt::format("{}: {}, after {} steps: {}", verdict, name_of(outcome.property),
                         outcome.trace.size(), outcome.reason);
    case Verdict::unfinished:
      return fmt::format("{}: {}; so far {}", verdict, outcome.reason, true_so_far(task, outcome));
  }
  return verdict;
}

double bytes_per_state(const Outcome& outcome) {
  return static_cast<double>(outcome.bytes) /
         static_cast<double>(std::max<std::uint64_t>(outcome.states, 1));
}

bool asks_finish(const Task& task) {
  return std::find(task.properties.begin(), task.properties.end(), Property::finish) !=
         task.properties.end();
}

// Whether every run ends is known if all was seen and the states that follow each were kept.
std::optional<bool> acyclic(const Task& task, const Outcome& outcome) {
  if (outcome.verdict != Verdict::holds || !asks_finish(task)) return {};
  return outcome.is_acyclic;
}

void print_outcome(const Task& task, const Outcome& outcome, double seconds) {
  fmt::print("\n");
  print_line("verdict", text_of(task, outcome));
  fmt::print("\n");
  print_line("states", fmt::format("{}, {} transitions, depth {}", outcome.states,
                                   outcome.transitions, outcome.depth));
  print_line("speed", fmt::format("{:.2f} s, {:.0f} states/s, {:.0f} bytes/state", seconds,
                                  static_cast<double>(outcome.states) / std::max(seconds, 1e-9),
                                  bytes_per_state(outcome)));
  print_line("collision", fmt::format("{:.1e}, the probability that a state was hidden by one of "
                                      "the same fingerprint",
                                      outcome.collision_probability()));
  if (const auto every_run_ends = acyclic(task, outcome)) {
    print_line("every run",
               *every_run_ends ? "ends" : "need not end: some states can be reached again");
  }
}

void print_how_to_go_on(const ProtocolOptions& options, const Task& task) {
  fmt::print("\n");
  const auto offer = [&](const std::string& what, const std::string& command) {
    fmt::print("{:<8} {}\n", what, text_of_command("coterie check " + command, 9));
  };
  if (!options.files.plot.empty()) fmt::print("picture  {}\n", options.files.plot);
  if (options.files.trace.empty()) {
    offer("keep", task.plan + " --trace FILE");
  } else {
    offer("replay", fmt::format("--replay {}", options.files.trace));
  }
  if (options.files.plot.empty()) offer("draw", task.plan + " --plot FILE.svg");
}

// States, rate, depth and memory on one line, while the search runs.
class Watch {
 public:
  bool operator()(const check::Progress& progress) {
    const double elapsed = line_.seconds();
    if (line_.is_wanted() && elapsed - shown_ > 0.2) {
      shown_ = elapsed;
      line_.show(fmt::format("{} states, {:.0f}/s, depth {}, {} waiting, {:.0f} MiB",
                             progress.states, static_cast<double>(progress.states) / elapsed,
                             progress.depth, progress.waiting,
                             static_cast<double>(progress.bytes) / kMiB));
    }
    return !interrupted();
  }
  double seconds() const { return line_.seconds(); }

 private:
  double shown_ = 0;
  StatusLine line_;
};

}  // namespace

int exit_code_of(check::Verdict verdict) {
  switch (verdict) {
    case check::Verdict::holds:
      return 0;
    case check::Verdict::violated:
      return kExitFound;
    case check::Verdict::unfinished:
      return kExitUnfinished;
  }
  return kExitFound;
}

int check_protocol(const ProtocolOptions& options) {
  check_files(options.files);
  const Task task = read_task(options.plan);
  if (!options.json) print_task(task);
  check::Space space(task.config);
  Outcome outcome;
  double seconds = 0;
  interrupted();  // from here on Ctrl-C ends the search, not the program
  {
    Watch watch;
    outcome = explore(space, {.properties = task.properties,
                              .threads = options.threads,
                              .reduce = options.plan.reduce,
                              .memory_limit = options.memory << 20U,
                              .progress = std::ref(watch)});
    seconds = watch.seconds();
  }
  const std::vector<check::Scene> scenes = narrate(space, outcome.trace);
  const bool is_violated = outcome.verdict == Verdict::violated;
  if (is_violated) save(options.files, task, space, scenes, outcome.reason);
  if (options.json) {
    const auto every_run_ends = acyclic(task, outcome);
    ordered_json json{
        {"verdict", name_of(outcome.verdict)},
        {"property", is_violated ? ordered_json(name_of(outcome.property)) : ordered_json(nullptr)},
        {"reason", outcome.reason},
        {"reduced", outcome.is_reduced},
        {"states", outcome.states},
        {"transitions", outcome.transitions},
        {"depth", outcome.depth},
        {"seconds", seconds},
        {"bytes_per_state", bytes_per_state(outcome)},
        {"collision_probability", outcome.collision_probability()},
        {"acyclic", every_run_ends ? ordered_json(*every_run_ends) : ordered_json(nullptr)}};
    json.update(to_json(task));
    json["trace"] = to_json(scenes, has_groups(task.config));
    json["final_state"] =
        is_violated ? ordered_json(final_state(space, outcome.trace)) : ordered_json::array();
    print_json(json);
    return exit_code_of(outcome.verdict);
  }
  print_outcome(task, outcome, seconds);
  if (is_violated) {
    fmt::print("\n{}", text_of_trace(scenes, has_groups(task.config)));
    if (options.state) print_state(space, outcome.trace);
    print_how_to_go_on(options, task);
  }
  return exit_code_of(outcome.verdict);
}

}  // namespace coterie::cli
