#include "check/plan.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace coterie::check {
namespace {

using protocol::Groups;
using protocol::Problem;

constexpr std::size_t kMaxProcesses = 64;
constexpr std::size_t kMaxGroups = 26;
constexpr std::size_t kMaxQuorums = 64;

Error wrong(std::string parameter, std::string message) {
  Error error;
  error.message = std::move(message);
  error.parameter = std::move(parameter);
  return error;
}

std::vector<std::string_view> split(std::string_view text, char mark) {
  std::vector<std::string_view> parts;
  while (true) {
    const std::size_t at = text.find(mark);
    parts.push_back(text.substr(0, at));
    if (at == std::string_view::npos) return parts;
    text.remove_prefix(at + 1);
  }
}

std::optional<std::size_t> number_in(std::string_view text) {
  std::size_t value = 0;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (failure != std::errc{} || end != text.data() + text.size()) return {};
  return value;
}

Result<NodeSet> parse_members(std::string_view text, char mark, std::size_t processes,
                              const std::string& parameter) {
  NodeSet set(processes);
  for (const std::string_view part : split(text, mark)) {
    const auto member = number_in(part);
    if (!member || *member >= processes) {
      return wrong(parameter, "\"" + std::string(part) + "\" is no process; they are 0 to " +
                                  std::to_string(processes - 1));
    }
    set.insert(static_cast<NodeId>(*member));
  }
  return set;
}

Result<Groups> parse_groups(std::string_view text) {
  Groups groups;
  for (const std::string_view part : split(text, '+')) {
    if (part.size() != 1 || part[0] < 'a' || part[0] > 'z') {
      return wrong("groups",
                   "\"" + std::string(part) +
                       "\" is no group: a group is a letter a to z; several are written a+b");
    }
    groups.insert(static_cast<protocol::Group>(part[0] - 'a'));
  }
  return groups;
}

// Every demand that one of so many groups allows: each group, or each set of groups.
std::vector<Groups> free_demands(std::size_t count, bool together) {
  std::vector<Groups> demands;
  if (!together) {
    for (protocol::Group group = 0; group < count; ++group) demands.push_back({group});
    return demands;
  }
  for (std::uint32_t mask = 1; mask < (1U << count); ++mask) {
    Groups groups;
    for (protocol::Group group = 0; group < count; ++group) {
      if (((mask >> group) & 1U) != 0) groups.insert(group);
    }
    demands.push_back(groups);
  }
  return demands;
}

Result<std::vector<std::vector<Groups>>> parse_demands(const Plan& plan,
                                                       const protocol::Choice& choice,
                                                       std::size_t processes) {
  if (plan.groups.empty()) return std::vector(processes, std::vector<Groups>{{0}});
  const bool together = choice.entry->takes_groups_together && choice.version.has("multi");
  if (const auto count = number_in(plan.groups)) {
    const std::size_t most = together ? 4 : kMaxGroups;
    if (*count < 1 || *count > most)
      return wrong("groups", "there may be 1 to " + std::to_string(most) + " groups");
    return std::vector(processes, free_demands(*count, together));
  }
  std::vector<std::vector<Groups>> demands;
  for (const std::string_view part : split(plan.groups, ',')) {
    auto groups = parse_groups(part);
    if (!groups) return groups.error();
    if (groups->size() > 1 && !together) {
      return wrong("groups",
                   choice.text() + " takes one group per request, not " + std::string(part));
    }
    demands.push_back({*groups});
  }
  if (demands.size() != processes && demands.size() != plan.requesters.value_or(processes)) {
    return wrong("groups", std::to_string(demands.size()) + " groups for " +
                               std::to_string(processes) +
                               " processes: give one for each, or a number");
  }
  demands.resize(processes, {{0}});
  return demands;
}

bool counts_inside(Problem problem) {
  return problem == Problem::floor || problem == Problem::band;
}

spec::Rule rule_of(Problem problem, const protocol::Setting& setting) {
  switch (problem) {
    case Problem::mutex:
      return spec::Rule::at_most(1);
    case Problem::semaphore:
      return spec::Rule::at_most(setting.max);
    case Problem::room:
      return spec::Rule::one_group();
    case Problem::rooms:
      return spec::Rule::at_most_groups(setting.max);
    case Problem::floor:
      return spec::Rule::at_least(setting.min);
    case Problem::band:
      return spec::Rule::between(setting.min, setting.max);
  }
  return spec::Rule::at_most(1);
}

Result<std::size_t> count_processes(const Plan& plan, const std::vector<quorum::System>& systems,
                                    bool needs_system) {
  if (systems.empty()) {
    if (needs_system) return wrong("system", "it needs a quorum system, such as majority:n=3");
    return plan.processes.value_or(3);
  }
  const std::size_t n = systems.front().n();
  for (const quorum::System& system : systems) {
    if (system.n() != n) return wrong("system", "the systems must have equally many members");
  }
  if (plan.processes && *plan.processes != n) {
    return wrong("processes", std::to_string(*plan.processes) + " processes, but " +
                                  systems.front().spec() + " has " + std::to_string(n) +
                                  " members: they must be the same");
  }
  return n;
}

// Reads plan.quorums into the config.
std::optional<Error> choose_quorums(const Plan& plan, Config& config) {
  if (plan.quorums.empty()) return {};
  if (config.setting.systems.empty()) return wrong("quorums", "there is no quorum system");
  const quorum::Family& family = config.setting.system().write();
  if (plan.quorums == "any") {
    if (!config.choice.entry->chooses_quorums) {
      return wrong("quorums", std::string(config.choice.entry->name) +
                                  " does not choose its quorums per request");
    }
    const bool all = family.for_each_quorum([&](const NodeSet& quorum) {
      config.quorums.push_back(quorum);
      return config.quorums.size() <= kMaxQuorums;
    });
    if (!all || config.quorums.size() > kMaxQuorums) {
      return wrong("quorums", "the system has more than " + std::to_string(kMaxQuorums) +
                                  " quorums: too many to try each");
    }
    return {};
  }
  const std::size_t processes = config.setting.processes;
  for (const std::string_view part : split(plan.quorums, ',')) {
    const auto quorum = parse_members(part, '+', processes, "quorums");
    if (!quorum) return quorum.error();
    if (!family.contains_quorum(*quorum)) {
      return wrong("quorums", "\"" + std::string(part) + "\" contains no quorum of " +
                                  config.setting.system().spec());
    }
    config.setting.homes.push_back(*quorum);
  }
  if (config.setting.homes.size() != processes) {
    return wrong("quorums", "give one quorum for each of the " + std::to_string(processes) +
                                " processes, or any");
  }
  return {};
}

}  // namespace

Result<Config> make_config(const Plan& plan, std::vector<quorum::System> systems) {
  Config config;
  auto choice = protocol::parse_choice(plan.protocol);
  if (!choice) return choice.error();
  config.choice = *std::move(choice);
  const protocol::Entry& entry = *config.choice.entry;
  const Problem problem = config.choice.problem();

  const auto processes = count_processes(plan, systems, entry.needs_system);
  if (!processes) return processes.error();
  if (*processes < 1 || *processes > kMaxProcesses) {
    return wrong("processes", "there may be 1 to " + std::to_string(kMaxProcesses) + " processes");
  }
  protocol::Setting& setting = config.setting;
  setting.processes = *processes;
  setting.version = config.choice.version;
  setting.systems = std::move(systems);
  setting.locks = plan.locks;
  const bool has_k = problem == Problem::semaphore || problem == Problem::rooms;
  const auto system_k =
      static_cast<std::uint32_t>(setting.systems.empty() ? 1 : setting.system().k());
  setting.min = plan.min.value_or(0);
  setting.max = plan.max.value_or(problem == Problem::band ? static_cast<std::uint32_t>(*processes)
                                  : has_k                  ? system_k
                                                           : 1);
  if (counts_inside(problem)) {
    setting.inside = NodeSet(*processes);
    if (plan.inside.empty()) {
      const std::size_t first =
          problem == Problem::band ? std::min<std::size_t>(setting.max, *processes) : *processes;
      setting.inside.insert_range(0, static_cast<NodeId>(first));
    } else if (plan.inside != "none") {
      const auto inside = parse_members(plan.inside, ',', *processes, "inside");
      if (!inside) return inside.error();
      setting.inside = *inside;
    }
  } else if (!plan.inside.empty()) {
    return wrong("inside", "only floors and bands start with somebody inside");
  }

  const std::size_t requesters = plan.requesters.value_or(*processes);
  if (requesters < 1 || requesters > *processes) {
    return wrong("requesters", "there may be 1 to " + std::to_string(*processes) + " requesters");
  }
  for (NodeId process = 0; process < requesters; ++process) config.requesters.push_back(process);
  if (plan.reduce && plan.properties.find(name_of(Property::finish)) != std::string::npos) {
    return wrong("reduce", "whether all can still finish is judged in a full search only");
  }
  if (plan.requests < 1) return wrong("requests", "each requester needs at least one request");
  config.requests = plan.requests;
  auto demands = parse_demands(plan, config.choice, *processes);
  if (!demands) return demands.error();
  config.demands = *std::move(demands);
  if (!setting.systems.empty() && setting.system().kind() == quorum::Kind::groups) {
    const std::size_t families = setting.system().family_count();
    for (const auto& choices : config.demands) {
      for (const Groups& groups : choices) {
        if (*(groups.end() - 1) < families) continue;
        return wrong("groups", setting.system().spec() + " has quorums for " +
                                   std::to_string(families) + " groups: a to " +
                                   Groups::name_of(static_cast<protocol::Group>(families - 1)));
      }
    }
  }
  if (auto error = choose_quorums(plan, config)) return *error;

  if (entry.refuse != nullptr) {
    if (std::string reason = entry.refuse(setting); !reason.empty())
      return wrong("protocol", std::move(reason));
  }
  config.rule = rule_of(problem, setting);
  config.immediate_to_self = plan.immediate_to_self;
  config.fifo = plan.fifo;
  config.alarms = plan.late_alarms ? Alarms::late : Alarms::any;
  return config;
}

std::vector<Property> claimed(const protocol::Choice& choice) {
  const protocol::Entry& entry = *choice.entry;
  const protocol::Claims claims =
      entry.claims == nullptr ? protocol::Claims{} : entry.claims(choice.version);
  std::vector<Property> properties{Property::safety, Property::served, Property::leaks};
  if (claims.free_slot) properties.push_back(Property::slot);
  if (claims.concurrent_entry) properties.push_back(Property::entry);
  properties.push_back(Property::finish);
  return properties;
}

Result<std::vector<Property>> properties_of(const Plan& plan, const protocol::Choice& choice) {
  if (!plan.properties.empty()) return parse_properties(plan.properties);
  std::vector<Property> properties = claimed(choice);
  if (plan.reduce) std::erase(properties, Property::finish);
  return properties;
}

Result<std::vector<Property>> parse_properties(std::string_view text) {
  static constexpr std::array kAll{Property::safety, Property::served, Property::leaks,
                                   Property::slot,   Property::entry,  Property::finish};
  std::vector<Property> properties;
  for (const std::string_view part : split(text, ',')) {
    const auto* const found = std::find_if(
        kAll.begin(), kAll.end(), [&](Property property) { return name_of(property) == part; });
    if (found == kAll.end()) {
      return wrong("property", "there is no property \"" + std::string(part) +
                                   "\"; there are: safety, served, leaks, slot, entry, finish");
    }
    properties.push_back(*found);
  }
  return properties;
}

}  // namespace coterie::check
