#include "protocol/instance.h"

#include <algorithm>
#include <array>

#include "base/text.h"

namespace coterie::protocol {
namespace {

Error wrong(std::string parameter, std::string message) {
  Error error;
  error.message = std::move(message);
  error.parameter = std::move(parameter);
  return error;
}

Result<std::size_t> count_processes(const InstanceText& text,
                                    const std::vector<quorum::System>& systems, bool needs_system) {
  if (systems.empty()) {
    if (needs_system) return wrong("system", "it needs a quorum system, such as majority:n=3");
    return text.processes.value_or(3);
  }
  const std::size_t n = systems.front().n();
  for (const quorum::System& system : systems) {
    if (system.n() != n) return wrong("system", "the systems must have equally many members");
  }
  if (text.processes && *text.processes != n) {
    return wrong("processes", std::to_string(*text.processes) + " processes, but " +
                                  systems.front().spec() + " has " + std::to_string(n) +
                                  " members: they must be the same");
  }
  return n;
}

// k where the user says nothing.
std::uint32_t usual_max(Problem problem, const Setting& setting) {
  switch (problem) {
    case Problem::band:
      return static_cast<std::uint32_t>(setting.processes);
    case Problem::semaphore:
    case Problem::rooms:
      return setting.systems.empty() ? 1 : static_cast<std::uint32_t>(setting.system().k());
    case Problem::mutex:
    case Problem::room:
    case Problem::floor:
      return 1;
  }
  return 1;
}

struct TakenOption {
  std::string_view name;
  bool Takes::*is_taken;
};
constexpr std::array kTakenOptions = {
    TakenOption{"groups", &Takes::groups}, TakenOption{"min", &Takes::min},
    TakenOption{"max", &Takes::max}, TakenOption{"locks", &Takes::locks}};

// The algorithms that take the option; a variant of an algorithm where only the variant does.
std::string takers_of(std::string_view option) {
  const auto* const place =
      std::find_if(kTakenOptions.begin(), kTakenOptions.end(),
                   [&](const TakenOption& each) { return each.name == option; });
  const auto does_take = [&](const std::string& text) {
    const Result<Choice> choice = parse_choice(text);
    return choice && takes(*choice).*place->is_taken;
  };
  std::string takers;
  const auto add = [&](const std::string& text) {
    if (!does_take(text)) return false;
    takers += (takers.empty() ? "" : ", ") + text;
    return true;
  };
  for (const Entry& entry : catalogue()) {
    const std::string name(entry.name);
    if (add(name)) continue;
    for (const Variant& variant : entry.variants) add(name + "+" + std::string(variant.name));
  }
  return takers;
}

std::optional<Error> refuse_untaken(const InstanceText& text, const Choice& choice) {
  std::optional<Error> error;
  if (text.min) error = refuse_unless_taken(choice, "min");
  if (!error && text.max) error = refuse_unless_taken(choice, "max");
  if (!error && text.locks != 0) error = refuse_unless_taken(choice, "locks");
  return error;
}

Result<NodeSet> parse_inside(std::string_view text, Problem problem, const Setting& setting) {
  if (problem != Problem::floor && problem != Problem::band) {
    if (text.empty()) return NodeSet();
    return wrong("inside", "only floors and bands start with somebody inside");
  }
  if (text == "none") return setting.none();
  if (!text.empty()) return parse_members(text, ',', setting.processes, "inside");
  NodeSet inside = setting.none();
  const std::size_t first = problem == Problem::band
                                ? std::min<std::size_t>(setting.max, setting.processes)
                                : setting.processes;
  inside.insert_range(0, static_cast<NodeId>(first));
  return inside;
}

Result<Groups> parse_groups(std::string_view text) {
  Groups groups;
  for (const std::string_view part : split(text, '+')) {
    if (part.size() != 1 || part[0] < 'a' || part[0] > 'z') {
      return wrong("groups",
                   "\"" + std::string(part) +
                       "\" is no group: a group is a letter a to z; several are written a+b");
    }
    groups.insert(static_cast<Group>(part[0] - 'a'));
  }
  return groups;
}

}  // namespace

Result<Instance> make_instance(const InstanceText& text, std::vector<quorum::System> systems,
                               std::size_t max_processes) {
  auto choice = parse_choice(text.protocol);
  if (!choice) return choice.error();
  const Problem problem = choice->problem();
  if (auto error = refuse_untaken(text, *choice)) return *std::move(error);
  const auto processes = count_processes(text, systems, choice->entry->needs_system);
  if (!processes) return processes.error();
  if (*processes < 1 || *processes > max_processes) {
    return wrong("processes", "there may be 1 to " + std::to_string(max_processes) + " processes");
  }
  Setting setting;
  setting.processes = *processes;
  setting.version = choice->version;
  setting.systems = std::move(systems);
  setting.locks = text.locks;
  setting.min = text.min.value_or(0);
  setting.max = text.max.value_or(usual_max(problem, setting));
  auto inside = parse_inside(text.inside, problem, setting);
  if (!inside) return inside.error();
  setting.inside = *std::move(inside);
  const auto rule = spec::Rule::of(problem, setting.min, setting.max);
  return Instance{*std::move(choice), std::move(setting), rule};
}

Takes takes(const Choice& choice) {
  const Problem problem = choice.problem();
  const bool is_band = problem == Problem::band;
  return {.groups = problem == Problem::room || problem == Problem::rooms,
          .min = is_band || problem == Problem::floor,
          .max = is_band || problem == Problem::semaphore || problem == Problem::rooms,
          .locks = choice.entry->limits_locks};
}

std::optional<Error> refuse_unless_taken(const Choice& choice, std::string_view option) {
  const Takes taken = takes(choice);
  std::string allowed;
  for (const auto& [name, is_taken] : kTakenOptions) {
    if (!(taken.*is_taken)) continue;
    if (name == option) return {};
    allowed += (allowed.empty() ? "--" : ", --") + std::string(name);
  }
  return wrong(std::string(option),
               "it means nothing to " + choice.text() +
                   "; of --groups, --min, --max and --locks this protocol takes " +
                   (allowed.empty() ? "none" : "only " + allowed) + "; --" + std::string(option) +
                   " is for " + takers_of(option));
}

std::optional<Error> refusal(const Choice& choice, const Setting& setting) {
  if (choice.entry->refuse == nullptr) return {};
  std::string reason = choice.entry->refuse(setting);
  if (reason.empty()) return {};
  return wrong("protocol", std::move(reason));
}

Result<NodeSet> parse_members(std::string_view text, char mark, std::size_t processes,
                              const std::string& parameter) {
  NodeSet set(processes);
  for (const std::string_view part : split(text, mark)) {
    const auto member = number_in<std::size_t>(part);
    if (!member || *member >= processes) {
      return wrong(parameter, "\"" + std::string(part) + "\" is no process; they are 0 to " +
                                  std::to_string(processes - 1));
    }
    set.insert(static_cast<NodeId>(*member));
  }
  return set;
}

Result<std::vector<Groups>> parse_demands(std::string_view text, const Choice& choice,
                                          std::size_t processes, std::size_t requesters) {
  std::vector<Groups> demands;
  for (const std::string_view part : split(text, ',')) {
    auto groups = parse_groups(part);
    if (!groups) return groups.error();
    if (groups->size() > 1 && !takes_several_groups(choice)) {
      return wrong("groups",
                   choice.text() + " takes one group per request, not " + std::string(part));
    }
    demands.push_back(*std::move(groups));
  }
  if (demands.size() != processes && demands.size() != requesters) {
    return wrong("groups", std::to_string(demands.size()) + " groups for " +
                               std::to_string(processes) +
                               " processes: give one for each, or a number");
  }
  demands.resize(processes, {0});
  return demands;
}

bool takes_several_groups(const Choice& choice) {
  const std::vector<Variant>& variants = choice.entry->variants;
  const bool is_optional =
      std::any_of(variants.begin(), variants.end(),
                  [](const Variant& variant) { return variant.name == "multi"; });
  return choice.entry->takes_groups_together && (!is_optional || choice.version.has("multi"));
}

std::optional<Error> refuse_groups(const Setting& setting, const Groups& groups) {
  if (setting.systems.empty() || setting.system().kind() != quorum::Kind::groups) return {};
  const std::size_t families = setting.system().family_count();
  if (*(groups.end() - 1) < families) return {};
  return wrong("groups", setting.system().spec() + " has quorums for " + std::to_string(families) +
                             " groups: a to " + Groups::name_of(static_cast<Group>(families - 1)));
}

}  // namespace coterie::protocol
