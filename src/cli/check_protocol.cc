#include "cli/check_protocol.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <sstream>

#include "check/explore.h"
#include "check/plan_options.h"
#include "check/replay.h"
#include "check/story.h"
#include "cli/check_diagram.h"
#include "cli/check_trace.h"
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

// What is checked.
struct Task {
  check::Config config;
  std::vector<Property> properties;
  std::string plan;  // as one would write it
};

Task read_task(const check::Plan& plan) {
  std::vector<quorum::System> systems;
  for (const std::string& spec : plan.systems) systems.push_back(read_system(spec));
  Result<check::Config> config = check::make_config(plan, std::move(systems));
  if (!config) {
    const Error& error = config.error();
    const bool has_option = !error.parameter.empty() && error.parameter != "protocol";
    throw Failure(has_option ? fmt::format("--{}: {}", error.parameter, error.message)
                             : error.message);
  }
  auto properties = check::properties_of(plan, config->choice);
  if (!properties) throw Failure(fmt::format("--property: {}", properties.error().message));
  return {*std::move(config), *std::move(properties), check::text_of(plan)};
}

std::vector<std::string_view> names_of(const std::vector<Property>& properties) {
  std::vector<std::string_view> names;
  for (const Property property : properties) names.push_back(name_of(property));
  return names;
}

void print_line(const std::string& key, const std::string& text) {
  fmt::print("{}", wrapped(fmt::format("{:<12} {}", key, text), 13));
}

void print_task(const Task& task) {
  const check::Config& config = task.config;
  std::vector<std::string> systems;
  for (const quorum::System& system : config.setting.systems) systems.push_back(system.spec());
  print_line("protocol", config.choice.text());
  print_line("paper", std::string(config.choice.entry->title));
  if (!systems.empty()) print_line("system", fmt::format("{}", fmt::join(systems, ", ")));
  const std::size_t processes = config.setting.processes;
  const std::size_t asking = config.requesters.size();
  print_line("processes",
             fmt::format("{}{}, {} each", processes,
                         asking == processes ? "" : fmt::format(", of which {} ask", asking),
                         config.requests == 1 ? std::string("1 request")
                                              : fmt::format("{} requests", config.requests)));
  print_line("rule", config.rule.text());
  print_line("properties", fmt::format("{}", fmt::join(names_of(task.properties), ", ")));
}

// What holds of the part that was looked at.
std::string true_so_far(const Task& task, const Outcome& outcome) {
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
  const std::string verdict(name_of(outcome.verdict));
  switch (outcome.verdict) {
    case Verdict::holds:
      return verdict + ": every state was looked at";
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

ordered_json to_json(const Task& task) {
  ordered_json json{{"protocol", task.config.choice.text()},
                    {"rule", task.config.rule.text()},
                    {"properties", names_of(task.properties)},
                    {"command", "coterie check " + task.plan}};
  return json;
}

// The lines of what each process holds in the end.
std::vector<std::string> final_state(check::Space& space, const std::vector<check::Event>& trace) {
  std::istringstream text(describe_state(space, trace));
  std::vector<std::string> lines;
  for (std::string line; std::getline(text, line);) lines.push_back(line);
  return lines;
}

void print_state(check::Space& space, const std::vector<check::Event>& trace) {
  fmt::print("\n");
  for (const std::string& line : final_state(space, trace)) fmt::print("{}", wrapped(line, 3));
}

// The trace goes where the options say.
void write_trace(const ProtocolOptions& options, const Task& task, check::Space& space,
                 const std::vector<check::Scene>& scenes, const std::string& reason) {
  if (!options.trace.empty()) write_file(options.trace, text_of_file(task.plan, scenes));
  if (!options.plot.empty()) {
    const std::vector<std::string> heading{task.plan,
                                           fmt::format("after step {}: {}", scenes.size(), reason)};
    write_file(options.plot, draw_diagram(space, scenes, heading));
  }
}

void print_how_to_go_on(const ProtocolOptions& options, const Task& task) {
  fmt::print("\n");
  const auto offer = [&](const std::string& what, const std::string& command) {
    fmt::print("{:<8} {}\n", what, text_of_command("coterie check " + command, 9));
  };
  if (!options.plot.empty()) fmt::print("picture  {}\n", options.plot);
  if (options.trace.empty()) {
    offer("keep", task.plan + " --trace FILE");
  } else {
    offer("replay", fmt::format("--replay {}", options.trace));
  }
  if (options.plot.empty()) offer("draw", task.plan + " --plot FILE.svg");
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

void check_files(const ProtocolOptions& options) {
  if (!options.trace.empty()) check_output_path(options.trace, "--trace");
  if (!options.plot.empty()) check_output_path(options.plot, "--plot", ".svg");
}

int exit_code_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::holds:
      return 0;
    case Verdict::violated:
      return kExitFound;
    case Verdict::unfinished:
      return kExitUnfinished;
  }
  return kExitFound;
}

}  // namespace

int check_protocol(const ProtocolOptions& options) {
  check_files(options);
  const Task task = read_task(options.plan);
  if (!options.json) print_task(task);
  check::Space space(task.config);
  Outcome outcome;
  double seconds = 0;
  {
    Watch watch;
    outcome = explore(space, {.properties = task.properties,
                              .threads = options.threads,
                              .memory_limit = options.memory << 20U,
                              .progress = std::ref(watch)});
    seconds = watch.seconds();
  }
  const std::vector<check::Scene> scenes = narrate(space, outcome.trace);
  const bool is_violated = outcome.verdict == Verdict::violated;
  if (is_violated) write_trace(options, task, space, scenes, outcome.reason);
  if (options.json) {
    const auto every_run_ends = acyclic(task, outcome);
    ordered_json json{
        {"verdict", name_of(outcome.verdict)},
        {"property", is_violated ? ordered_json(name_of(outcome.property)) : ordered_json(nullptr)},
        {"reason", outcome.reason},
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

int replay_trace(const ProtocolOptions& options) {
  check_files(options);
  const TraceFile file = read_trace(options.replay);
  check::Plan plan = options.plan;
  if (plan.protocol.empty()) {
    if (file.plan.empty()) {
      throw Failure(fmt::format(
          "'{}' does not say what it is a trace of: give PROTOCOL and its options, or a first line "
          "'# coterie check PROTOCOL ...'",
          options.replay));
    }
    const Result<check::Plan> parsed = check::parse_plan(file.plan);
    if (!parsed) throw Failure(fmt::format("'{}': {}", options.replay, parsed.error().message));
    plan = *parsed;
  }
  const Task task = read_task(plan);
  check::Space space(task.config);
  const auto trace = find_trace(space, file.tokens);
  if (!trace) throw Failure(fmt::format("'{}': {}", options.replay, trace.error().message));
  const std::vector<check::Scene> scenes = narrate(space, *trace);
  const auto fault = first_fault(space, *trace, task.properties);
  const std::string verdict =
      fault ? fmt::format("breaks {} after step {}: {}", name_of(fault->property), fault->step,
                          fault->reason)
            : "breaks nothing";
  write_trace(options, task, space, scenes, fault ? fault->reason : "nothing is broken");
  if (options.json) {
    ordered_json json{
        {"verdict", name_of(fault ? Verdict::violated : Verdict::unfinished)},
        {"property", fault ? ordered_json(name_of(fault->property)) : ordered_json(nullptr)},
        {"reason", fault ? fault->reason : ""},
        {"step", fault ? ordered_json(fault->step) : ordered_json(nullptr)}};
    json.update(to_json(task));
    json["trace"] = to_json(scenes, has_groups(task.config));
    json["final_state"] = final_state(space, *trace);
    print_json(json);
  } else {
    print_task(task);
    fmt::print("\n{}", text_of_trace(scenes, has_groups(task.config)));
    if (options.state) print_state(space, *trace);
    fmt::print("\n");
    print_line("verdict",
               fmt::format("{}: the trace {}", fault ? "violated" : "replayed", verdict));
    if (!options.plot.empty()) print_line("picture", options.plot);
  }
  return fault ? kExitFound : 0;
}

}  // namespace coterie::cli
