#include "cli/check_task.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "check/plan_options.h"
#include "cli/input.h"
#include "cli/table.h"
#include "cli/verified_system.h"

namespace coterie::cli {

using check::Property;
using nlohmann::ordered_json;

Task read_task(const check::Plan& plan) {
  std::vector<quorum::System> systems;
  systems.reserve(plan.systems.size());
  for (const std::string& spec : plan.systems) systems.push_back(read_verified_system(spec));
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
  names.reserve(properties.size());
  for (const Property property : properties) names.push_back(name_of(property));
  return names;
}

void print_line(const std::string& key, const std::string& text) {
  fmt::print("{}", wrapped(fmt::format("{:<12} {}", key, text), 13));
}

void print_task(const Task& task) {
  const check::Config& config = task.config;
  std::vector<std::string> systems;
  systems.reserve(config.setting.systems.size());
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
  if (const check::Budget& faults = config.faults; faults.any()) {
    print_line("faults",
               fmt::format("at most {} crashes, {} restarts, {} lapses, {} suspicions, {} cancels",
                           faults.crashes, faults.restarts, faults.lapses, faults.suspicions,
                           faults.cancels));
  }
  print_line("properties", fmt::format("{}", fmt::join(names_of(task.properties), ", ")));
}

ordered_json to_json(const Task& task) {
  ordered_json json{{"protocol", task.config.choice.text()},
                    {"rule", task.config.rule.text()},
                    {"properties", names_of(task.properties)},
                    {"command", "coterie check " + task.plan}};
  return json;
}

}  // namespace coterie::cli
