#include "cli/check_replay.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "check/plan_options.h"
#include "check/replay.h"
#include "cli/check_task.h"
#include "cli/check_trace.h"
#include "cli/input.h"
#include "cli/numbers.h"

namespace coterie::cli {
namespace {

using nlohmann::ordered_json;

// Of the file, unless the command line says another.
check::Plan plan_of(const TraceFile& file, const check::Plan& given, const std::string& path) {
  if (!given.protocol.empty()) return given;
  if (file.plan.empty()) {
    throw Failure(
        fmt::format("'{}' does not say what it is a trace of: give PROTOCOL and its options, or a "
                    "first line '# coterie check PROTOCOL ...'",
                    path));
  }
  Result<check::Plan> plan = check::parse_plan(file.plan);
  if (!plan) throw Failure(fmt::format("'{}': {}", path, plan.error().message));
  return *std::move(plan);
}

}  // namespace

int replay_trace(const ProtocolOptions& options, const std::string& path) {
  check_files(options.files);
  const TraceFile file = read_trace(path);
  const Task task = read_task(plan_of(file, options.plan, path));
  check::Space space(task.config);
  const auto trace = find_trace(space, file.tokens);
  if (!trace) throw Failure(fmt::format("'{}': {}", path, trace.error().message));
  const std::vector<check::Scene> scenes = narrate(space, *trace);
  const auto fault = first_fault(space, *trace, task.properties);
  const std::string verdict =
      fault ? fmt::format("breaks {} after step {}: {}", name_of(fault->property), fault->step,
                          fault->reason)
            : "breaks nothing";
  save(options.files, task, space, scenes, fault ? fault->reason : "nothing is broken");
  if (options.json) {
    ordered_json json{
        {"verdict", fault ? "violated" : "replayed"},
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
    if (!options.files.plot.empty()) print_line("picture", options.files.plot);
  }
  return fault ? kExitFound : 0;
}

}  // namespace coterie::cli
