#include "check/plan.h"

#include <algorithm>
#include <array>
#include <set>

#include "base/text.h"
#include "protocol/instance.h"

namespace coterie::check {
namespace {

using protocol::Groups;

constexpr std::size_t kMaxProcesses = 64;
constexpr std::size_t kMaxGroups = 26;
constexpr std::size_t kMaxQuorums = 64;
constexpr std::string_view kOwnGroups = "each";

Error wrong(std::string parameter, std::string message) {
  Error error;
  error.message = std::move(message);
  error.parameter = std::move(parameter);
  return error;
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

// Every request for a group of its own: those of each process.
Result<std::vector<std::vector<Groups>>> own_demands(const Plan& plan, std::size_t processes) {
  if (plan.requests * processes > kMaxGroups) {
    return wrong("groups", "there may be " + std::to_string(kMaxGroups) + " groups, and each of " +
                               std::to_string(processes) + " processes needs one for each of " +
                               std::to_string(plan.requests) + " requests");
  }
  std::vector<std::vector<Groups>> demands(processes);
  for (std::size_t group = 0; group < plan.requests * processes; ++group)
    demands[group % processes].push_back({static_cast<protocol::Group>(group)});
  return demands;
}

// The demands that each process may make.
Result<std::vector<std::vector<Groups>>> possible_demands(const Plan& plan, const Config& config) {
  const std::size_t processes = config.setting.processes;
  if (plan.groups.empty()) return std::vector(processes, std::vector<Groups>{{0}});
  if (auto error = protocol::refuse_unless_taken(config.choice, "groups")) return *error;
  if (plan.groups == kOwnGroups) return own_demands(plan, processes);
  if (const auto count = number_in<std::size_t>(plan.groups)) {
    const bool together = protocol::takes_several_groups(config.choice);
    const std::size_t most = together ? 4 : kMaxGroups;
    if (*count < 1 || *count > most)
      return wrong("groups", "there may be 1 to " + std::to_string(most) + " groups");
    return std::vector(processes, free_demands(*count, together));
  }
  const auto fixed =
      protocol::parse_demands(plan.groups, config.choice, processes, config.requesters.size());
  if (!fixed) return fixed.error();
  std::vector<std::vector<Groups>> demands;
  for (const Groups& groups : *fixed) demands.push_back({groups});
  return demands;
}

// Reads plan.quorums into the config.
std::optional<Error> choose_quorums(const Plan& plan, Config& config) {
  if (plan.quorums.empty()) return {};
  if (!config.choice.entry->needs_system)
    return wrong("quorums", "it means nothing to " + config.choice.text() + ", which has none");
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
    const auto quorum = protocol::parse_members(part, '+', processes, "quorums");
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

// What is wrong with the faults that the plan asks for, if anything.
std::optional<Error> refuse_faults(const Plan& plan, const Config& config) {
  const protocol::Choice& choice = config.choice;
  const protocol::Faults& survives = choice.entry->survives;
  struct Kind {
    const char* name;
    std::uint32_t asked;
    bool is_survived;
  };
  const std::array kinds{Kind{"crashes", plan.faults.crashes, survives.crashes},
                         Kind{"restarts", plan.faults.restarts, survives.restarts},
                         Kind{"lapses", plan.faults.lapses, survives.lapses},
                         Kind{"suspicions", plan.faults.suspicions, survives.suspicions},
                         Kind{"cancels", plan.faults.cancels, survives.cancels}};
  std::string survived;
  for (const Kind& kind : kinds) {
    if (kind.is_survived) survived += (survived.empty() ? "" : ", ") + std::string(kind.name);
  }
  for (const Kind& kind : kinds) {
    if (kind.asked == 0 || kind.is_survived) continue;
    return wrong(kind.name, choice.text() + " is not made for them; the faults that it survives: " +
                                (survived.empty() ? "none" : survived));
  }
  if (plan.faults.restarts > plan.faults.crashes) {
    return wrong("restarts", std::to_string(plan.faults.restarts) + " restarts of at most " +
                                 std::to_string(plan.faults.crashes) +
                                 " who crash: there cannot be more than --crashes allows");
  }
  if (plan.late_faults && !plan.faults.any())
    return wrong("strike", "it says when faults strike, and none is asked for");
  // The search tells a process what it may forget where the rule asks for somebody to stay, and only there.
  if (plan.faults.any() && choice.problem() == spec::Problem::floor && config.rule.min() == 0)
    return wrong("min", "a floor of 0 asks nobody to stay: with faults it must be at least 1");
  if (plan.faults.any() && plan.reduce)
    return wrong("reduce", "a search with faults cannot be reduced");
  if (!plan.fifo && plan.reduce)
    return wrong("reduce", "a search in which messages overtake each other cannot be reduced");
  return {};
}

protocol::Claims claims_of(const protocol::Choice& choice) {
  const auto claims = choice.entry->claims;
  return claims == nullptr ? protocol::Claims{} : claims(choice.version);
}

// Two that may ask for one group may be inside together: two processes, or two lives of one.
bool may_share(const Config& config) {
  if (config.faults.restarts > 0 && !config.demands_in_turn) return true;
  std::set<protocol::Group> taken;
  for (const NodeId process : config.requesters) {
    std::set<protocol::Group> asked;
    for (const Groups& groups : config.demands[process]) asked.insert(groups.begin(), groups.end());
    const std::size_t apart = taken.size() + asked.size();
    taken.merge(asked);
    if (taken.size() < apart) return true;
  }
  return false;
}

// Reads what is to be judged of the past into the config.
std::optional<Error> remember_for(const Plan& plan, Config& config) {
  const auto properties = properties_of(plan, config.choice);
  if (!properties) return properties.error();
  const auto asks = [&](Property property) {
    return std::find(properties->begin(), properties->end(), property) != properties->end();
  };
  if (plan.reduce && (asks(Property::tokens) || asks(Property::survives)))
    return wrong("reduce", "tokens and survives are judged in a full search only");
  if (asks(Property::tokens)) {
    config.tokens = claims_of(config.choice).tokens;
    if (config.tokens == protocol::Tokens::none)
      return wrong("property", std::string(config.choice.entry->name) + " has no fencing tokens");
    if (config.tokens == protocol::Tokens::grow && may_share(config))
      config.tokens = protocol::Tokens::grow_between_groups;
  }
  config.losses = asks(Property::survives);
  if (config.losses && config.faults_strike != When::late)
    return wrong("property",
                 "who is hit before it has a spare may lose its hold: survives is judged with "
                 "--strike late");
  return {};
}

}  // namespace

Result<Config> make_config(const Plan& plan, std::vector<quorum::System> systems) {
  const protocol::InstanceText text{plan.protocol, plan.processes, plan.min,
                                    plan.max,      plan.locks,     plan.inside};
  auto instance = protocol::make_instance(text, std::move(systems), kMaxProcesses);
  if (!instance) return instance.error();
  Config config;
  config.choice = std::move(instance->choice);
  config.setting = std::move(instance->setting);
  config.rule = instance->rule;

  const std::size_t processes = config.setting.processes;
  const std::size_t requesters = plan.requesters.value_or(processes);
  if (requesters < 1 || requesters > processes) {
    return wrong("requesters", "there may be 1 to " + std::to_string(processes) + " requesters");
  }
  for (NodeId process = 0; process < requesters; ++process) config.requesters.push_back(process);
  if (plan.reduce && plan.properties.find(name_of(Property::finish)) != std::string::npos) {
    return wrong("reduce", "whether all can still finish is judged in a full search only");
  }
  if (plan.requests < 1) return wrong("requests", "each requester needs at least one request");
  config.requests = plan.requests;
  auto demands = possible_demands(plan, config);
  if (!demands) return demands.error();
  config.demands = *std::move(demands);
  config.demands_in_turn = plan.groups == kOwnGroups;
  for (const auto& choices : config.demands) {
    for (const Groups& groups : choices) {
      if (auto error = protocol::refuse_groups(config.setting, groups)) return *error;
    }
  }
  if (auto error = choose_quorums(plan, config)) return *error;
  if (auto error = protocol::refusal(config.choice, config.setting)) return *error;
  config.immediate_to_self = plan.immediate_to_self;
  config.fifo = plan.fifo;
  config.alarms = plan.late_alarms ? When::late : When::any;
  if (auto error = refuse_faults(plan, config)) return *error;
  config.faults = plan.faults;
  config.faults_strike = plan.late_faults ? When::late : When::any;
  if (auto error = remember_for(plan, config)) return *error;
  return config;
}

std::vector<Property> claimed(const protocol::Choice& choice) {
  const protocol::Claims claims = claims_of(choice);
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
  static constexpr std::array kAll{Property::safety, Property::tokens, Property::survives,
                                   Property::served, Property::leaks,  Property::slot,
                                   Property::entry,  Property::finish};
  std::vector<Property> properties;
  for (const std::string_view part : split(text, ',')) {
    const auto* const found = std::find_if(
        kAll.begin(), kAll.end(), [&](Property property) { return name_of(property) == part; });
    if (found == kAll.end()) {
      return wrong("property", "there is no property \"" + std::string(part) +
                                   "\"; there are: safety, tokens, survives, served, leaks, slot, "
                                   "entry, finish");
    }
    properties.push_back(*found);
  }
  return properties;
}

}  // namespace coterie::check
