#include "sim/plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>

#include "protocol/instance.h"
#include "quorum/sized.h"
#include "sim/sites.h"

namespace coterie::sim {
namespace {

constexpr std::size_t kMaxProcesses = 100'000;
constexpr std::uint32_t kMaxGroups = 1'000'000;
constexpr std::size_t kMaxSweep = 1'000;

Error wrong(std::string_view parameter, std::string message) {
  Error error{std::move(message)};
  error.parameter = parameter;
  return error;
}

std::optional<double> real_in(std::string_view text) {
  double value = 0;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (failure != std::errc{} || end != text.data() + text.size()) return {};
  return value;
}

// What stands before the slash, and the systems: its own after it, or those of the plan.
struct Named {
  std::string protocol;
  std::vector<std::string> systems;
};
Named named(const Plan& plan) {
  const std::size_t slash = plan.protocol.find('/');
  if (slash == std::string::npos) return {plan.protocol, plan.systems};
  return {plan.protocol.substr(0, slash), {plan.protocol.substr(slash + 1)}};
}

Result<std::vector<quorum::System>> read_systems(const Plan& plan,
                                                 const std::vector<std::string>& specs,
                                                 const quorum::ReadFile& read_file) {
  std::vector<quorum::System> systems;
  const auto groups = number_in<std::uint32_t>(plan.groups);
  for (const std::string& spec : specs) {
    const bool has_n = quorum::has_hole(spec, 'N');
    const bool has_m = quorum::has_hole(spec, 'M');
    if (has_n && !plan.processes)
      return wrong("processes", fmt::format("{} has =N: say how many processes", spec));
    if (has_m && !groups)
      return wrong("groups", fmt::format("{} has =M: say how many groups, as a number", spec));
    const std::string text =
        quorum::filled(spec, std::array{quorum::Hole{'N', plan.processes.value_or(0)},
                                        quorum::Hole{'M', groups.value_or(0)}});
    auto system = has_n ? quorum::parse_filled(text, read_file) : quorum::parse(text, read_file);
    if (!system) return wrong("system", quorum::explain(system.error(), text));
    systems.push_back(*std::move(system));
  }
  return systems;
}

Result<protocol::Instance> read_instance(const Plan& plan, const quorum::ReadFile& read_file) {
  const Named name = named(plan);
  auto systems = read_systems(plan, name.systems, read_file);
  if (!systems) return systems.error();
  const bool is_sized = !name.systems.empty() && quorum::has_hole(name.systems.front(), 'N');
  return protocol::make_instance(
      {.protocol = name.protocol,
       .processes = is_sized ? std::nullopt : plan.processes,  // the nearest size that there is
       .min = plan.min,
       .max = plan.max,
       .locks = plan.locks,
       .inside = plan.inside},
      *std::move(systems), kMaxProcesses);
}

Result<Distribution> read_distribution(std::string_view parameter, const std::string& text,
                                       const quorum::ReadFile& read_file) {
  constexpr std::string_view kFile = "file:";
  const auto refused = [&](const Error& error) { return wrong(parameter, error.message); };
  if (!text.starts_with(kFile)) {
    auto distribution = parse_distribution(text);
    if (!distribution) return refused(distribution.error());
    return distribution;
  }
  const std::string path = text.substr(kFile.size());
  const auto content = read_file(path);
  if (!content) return refused(content.error());
  auto values = parse_values(*content);
  if (!values) return wrong(parameter, fmt::format("'{}': {}", path, values.error().message));
  return Distribution::of_values(*std::move(values), text);
}

// Reads a distribution into `to`; what is wrong, if anything.
template <class To>
std::optional<Error> take(To& to, std::string_view parameter, const std::string& text,
                          const quorum::ReadFile& read_file) {
  auto distribution = read_distribution(parameter, text, read_file);
  if (!distribution) return distribution.error();
  to = *std::move(distribution);
  return {};
}

std::optional<Error> refuse_drawn_groups(const Plan& plan, const protocol::Instance& instance,
                                         std::uint32_t groups) {
  if (groups < 1 || groups > kMaxGroups)
    return wrong("groups", fmt::format("there may be 1 to {} groups", kMaxGroups));
  if (plan.zipf > 0 && groups == 1)
    return wrong("zipf", "it says how unevenly groups are drawn, and --groups gives one only");
  const std::uint32_t each = plan.groups_per_request;
  if (each < 1 || each > groups) {
    return wrong("groups-per-request",
                 fmt::format("a request names 1 to {} of the {} groups", groups, groups));
  }
  if (each > 1 && !protocol::takes_several_groups(instance.choice)) {
    return wrong("groups-per-request",
                 fmt::format("{} takes one group per request", instance.choice.text()));
  }
  const bool is_by_group =
      !instance.setting.systems.empty() && instance.setting.system().kind() == quorum::Kind::groups;
  if (plan.turnover > 0 && is_by_group) {
    return wrong("turnover", fmt::format("{} has quorums for the groups of the beginning only",
                                         instance.setting.system().spec()));
  }
  return protocol::refuse_groups(instance.setting, {groups - 1});
}

// A lock that knows no groups serves a request whatever its group, and can so be compared with one that shares. The
// requests of floors and bands have no group at all.
bool is_asked_for_groups(const protocol::Choice& choice) {
  const spec::Problem problem = choice.problem();
  return problem != spec::Problem::floor && problem != spec::Problem::band;
}

std::optional<Error> take_groups(Workload& to, const Plan& plan,
                                 const protocol::Instance& instance) {
  if (!find_option("groups")->get(plan).empty() && !is_asked_for_groups(instance.choice)) {
    if (auto error = protocol::refuse_unless_taken(instance.choice, "groups")) return error;
  }
  to.groups_per_request = plan.groups_per_request;
  to.zipf = plan.zipf;
  to.turnover = plan.turnover;
  if (const auto groups = number_in<std::uint32_t>(plan.groups)) {
    to.groups = *groups;
    return refuse_drawn_groups(plan, instance, *groups);
  }
  for (const std::string_view drawn : {"groups-per-request", "zipf", "turnover"}) {
    if (!find_option(drawn)->get(plan).empty())
      return wrong(drawn, "--groups must be a number: groups are drawn");
  }
  const std::size_t processes = instance.setting.processes;
  auto demands = protocol::parse_demands(plan.groups, instance.choice, processes,
                                         plan.requesters.value_or(processes));
  if (!demands) return demands.error();
  for (const protocol::Groups& groups : *demands) {
    if (auto error = protocol::refuse_groups(instance.setting, groups)) return error;
    to.groups = std::max(to.groups, *(groups.end() - 1) + 1);
  }
  to.demands = *std::move(demands);
  return {};
}

std::optional<Error> take_workload(Workload& to, const Plan& plan,
                                   const protocol::Instance& instance,
                                   const quorum::ReadFile& read_file) {
  const std::size_t processes = instance.setting.processes;
  const std::size_t requesters = plan.requesters.value_or(processes);
  if (requesters < 1 || requesters > processes)
    return wrong("requesters", fmt::format("there may be 1 to {} requesters", processes));
  if (plan.requests < 1) return wrong("requests", "each requester needs at least one request");
  to.arrivals = plan.arrivals;
  to.requests = plan.requests;
  to.warm_up = plan.warm_up;
  to.requesters = requesters;
  if (auto error = take(to.apart, "ncs", plan.apart, read_file)) return error;
  if (auto error = take(to.inside, "cs", plan.inside_for, read_file)) return error;
  return take_groups(to, plan, instance);
}

std::optional<Error> take_network(Network& to, const Plan& plan, std::size_t processes,
                                  const quorum::ReadFile& read_file) {
  to.fifo = plan.fifo;
  if (auto error = take(to.delay, "delay", plan.delay, read_file)) return error;
  if (plan.sites.empty()) return {};
  const auto text = read_file(plan.sites);
  if (!text) return wrong("sites", text.error().message);
  auto sites = parse_sites(*text, processes);
  if (!sites) return wrong("sites", fmt::format("'{}': {}", plan.sites, sites.error().message));
  to.sites = *std::move(sites);
  return {};
}

// Members and ranges of them: "3,7,10-12".
Result<NodeSet> parse_down(std::string_view text, std::size_t processes) {
  NodeSet down(processes);
  for (const std::string_view part : split(text, ',')) {
    const std::vector<std::string_view> ends = split(part, '-');
    const auto first = number_in<std::size_t>(ends.front());
    const auto last = number_in<std::size_t>(ends.back());
    if (ends.size() > 2 || !first || !last || *first > *last || *last >= processes) {
      return wrong("down", fmt::format("'{}' is no node, nor a range such as 2-5; they are 0 to {}",
                                       part, processes - 1));
    }
    down.insert_range(static_cast<NodeId>(*first), static_cast<NodeId>(*last + 1));
  }
  return down;
}

std::optional<Error> take_faults(Faults& to, const Plan& plan, std::size_t processes,
                                 const quorum::ReadFile& read_file) {
  to.down = NodeSet(processes);
  to.requesters_fail = plan.requesters_fail;
  if (!plan.down.empty()) {
    auto down = parse_down(plan.down, processes);
    if (!down) return down.error();
    to.down = *std::move(down);
  }
  if (plan.fail_after.empty() != plan.back_after.empty()) {
    return plan.fail_after.empty() ? wrong("back-after", "it needs --fail-after")
                                   : wrong("fail-after", "it needs --back-after");
  }
  if (plan.fail_after.empty()) return {};
  if (auto error = take(to.up_for, "fail-after", plan.fail_after, read_file)) return error;
  return take(to.down_for, "back-after", plan.back_after, read_file);
}

}  // namespace

Result<Scenario> make_scenario(const Plan& plan, const quorum::ReadFile& read_file) {
  auto instance = read_instance(plan, read_file);
  if (!instance) return instance.error();
  const std::size_t processes = instance->setting.processes;
  Scenario scenario;
  if (auto error = take_workload(scenario.workload, plan, *instance, read_file)) return *error;
  if (auto error = take_network(scenario.network, plan, processes, read_file)) return *error;
  if (auto error = take_faults(scenario.faults, plan, processes, read_file)) return *error;
  if (auto error = take(scenario.alarm, "alarm", plan.alarm, read_file)) return *error;
  if (auto error = protocol::refusal(instance->choice, instance->setting)) return *error;
  scenario.choice = std::move(instance->choice);
  scenario.setting = std::move(instance->setting);
  scenario.rule = instance->rule;
  return scenario;
}

void keep_what_each_takes(std::span<Plan> compared) {
  std::vector<protocol::Choice> choices;
  for (const Plan& plan : compared) {
    auto choice = protocol::parse_choice(named(plan).protocol);
    if (!choice) return;  // make_scenario() says so
    choices.push_back(*std::move(choice));
  }
  const Plan usual;
  const auto keep = [&](auto Plan::*field, const auto& is_taken) {
    if (std::none_of(choices.begin(), choices.end(), is_taken)) return;
    for (std::size_t i = 0; i < compared.size(); ++i) {
      if (!is_taken(choices[i])) compared[i].*field = usual.*field;
    }
  };
  keep(&Plan::groups, is_asked_for_groups);
  keep(&Plan::min, [](const protocol::Choice& choice) { return protocol::takes(choice).min; });
  keep(&Plan::max, [](const protocol::Choice& choice) { return protocol::takes(choice).max; });
  keep(&Plan::locks, [](const protocol::Choice& choice) { return protocol::takes(choice).locks; });
}

Result<Sweep> parse_sweep(std::string_view text) {
  const std::size_t equals = text.find('=');
  const std::string_view name = text.substr(0, equals);
  Sweep sweep{.option = find_option(name), .values = {}, .text = std::string(text)};
  if (equals == std::string_view::npos || sweep.option == nullptr || sweep.option->value.empty()) {
    std::vector<std::string_view> names;
    for (const PlanOption& option : plan_options()) {
      if (!option.value.empty()) names.push_back(option.name);
    }
    return wrong("sweep", fmt::format("must be NAME=VALUE,VALUE,..., with one of these names: {}; "
                                      "not '{}'",
                                      fmt::join(names, ", "), text));
  }
  const std::string_view values = text.substr(equals + 1);
  const char mark = values.find(';') == std::string_view::npos ? ',' : ';';
  for (const std::string_view value : split(values, mark)) {
    const std::vector<std::string_view> parts = split(value, ':');
    const auto from = real_in(parts.front());
    if (parts.size() != 3 || !from) {
      sweep.values.emplace_back(value);
      continue;
    }
    const auto to = real_in(parts[1]);
    const auto step = real_in(parts[2]);
    const double count = to && step && *step > 0 ? (*to - *from) / *step + 1 + 1e-9 : 0;
    if (count < 1 || count > static_cast<double>(kMaxSweep)) {
      return wrong("sweep", fmt::format("'{}' must be a range FROM:TO:STEP that goes up in at most "
                                        "{} steps",
                                        value, kMaxSweep));
    }
    for (std::size_t i = 0; i < static_cast<std::size_t>(count); ++i)
      sweep.values.push_back(fmt::format("{:.10g}", *from + static_cast<double>(i) * *step));
  }
  for (const std::string& value : sweep.values) {
    if (value.empty()) return wrong("sweep", fmt::format("a value is missing in '{}'", text));
  }
  return sweep;
}

}  // namespace coterie::sim
