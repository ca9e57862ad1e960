#include "cli/classic_formula.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

namespace coterie::cli {
namespace {

using protocol::Choice;
using protocol::Setting;

// Rounds of messages between a process and its quorum.
struct Rounds {
  std::string_view name;
  unsigned count;
};
constexpr std::array kRounds = {
    Rounds{"maekawa", 3},     Rounds{"k-mutex", 3},     Rounds{"surrogate", 3},
    Rounds{"maekawa-m", 3},   Rounds{"toyomura", 3},    Rounds{"joung", 3},
    Rounds{"shares", 3},      Rounds{"surrogate-k", 3}, Rounds{"mutin", 8},
    Rounds{"mutin-fused", 4},
};

// Of an algorithm that is made of others, theirs together; 0: not by rounds.
unsigned rounds_of(const Choice& choice) {
  const auto part = [&](std::size_t index, std::string_view usual) {
    const auto& parts = choice.version.parts;
    const auto inner = protocol::parse_choice(index < parts.size() ? parts[index] : usual);
    return inner ? rounds_of(*inner) : 0;
  };
  if (choice.entry->name == "complement") return part(0, "mutin");
  if (choice.entry->name == "gcs") {
    const unsigned lmin = part(0, "mutin");
    const unsigned kmex = part(1, "complement[mutin]");
    return lmin > 0 && kmex > 0 ? lmin + kmex : 0;
  }
  const auto* const found = std::find_if(kRounds.begin(), kRounds.end(), [&](const Rounds& each) {
    return each.name == choice.entry->name;
  });
  return found == kRounds.end() ? 0 : found->count;
}

Formula by_rounds(unsigned rounds, const NodeSet& quorum, NodeId process) {
  const bool is_own = quorum.contains(process);
  const std::size_t others = quorum.size() - (is_own ? 1 : 0);
  return {.text = fmt::format("{}q", rounds),
          .messages = static_cast<double>(rounds * quorum.size()),
          .remote_text = fmt::format("{}{}", rounds, is_own ? "(q-1)" : "q"),
          .remote = static_cast<double>(rounds * others)};
}

// Of a quorum, and of what is walked through node by node, those who are not oneself.
Formula by_walk(const NodeSet& quorum, const NodeSet& walk, NodeId process) {
  const auto q = static_cast<double>(quorum.size());
  const auto s = static_cast<double>(walk.size());
  Formula formula{.text = "2q+2s+1", .messages = 2 * q + 2 * s + 1};
  if (!quorum.contains(process) || !walk.contains(process)) return formula;
  formula.remote_text = "2(q-1)+2(s-1)+1";
  formula.remote = formula.messages - 4;
  return formula;
}

// It registers at its quorum and at the read quorum that adds fewest to it.
std::optional<Formula> of_group_k(const Setting& setting, NodeId process) {
  const quorum::System& system = setting.system();
  if (system.kind() != quorum::Kind::write_read) return {};
  const NodeSet quorum = setting.home(process);
  std::vector<quorum::Cost> costs(setting.processes, 1);
  for (const NodeId member : quorum) costs[member] = 0;
  const auto read = system.read().find_quorum(setting.everyone(), costs);
  if (!read) return {};
  return by_walk(quorum, quorum | *read, process);
}

Formula of_maekawa_s(const NodeSet& quorum, NodeId process) {
  const auto q = static_cast<double>(quorum.size());
  Formula formula{.text = "2q+1", .messages = 2 * q + 1};
  if (!quorum.contains(process)) return formula;
  formula.remote_text = "2(q-1)+1";
  formula.remote = 2 * (q - 1) + 1;
  return formula;
}

}  // namespace

std::optional<Formula> formula_of(const Choice& choice, const Setting& setting, NodeId process) {
  const std::string_view name = choice.entry->name;
  const auto n = static_cast<double>(setting.processes);
  if (!choice.version.mutant.empty()) return {};
  if (const unsigned rounds = rounds_of(choice); rounds > 0) {
    // Of a band's two systems each part would have its own q.
    if (setting.systems.size() != 1) return {};
    return by_rounds(rounds, setting.home(process, 0), process);
  }
  if (name == "maekawa-s") return of_maekawa_s(setting.home(process, 0), process);
  if (name == "group-k" && choice.version.variants.empty()) return of_group_k(setting, process);
  if (name == "ricart-agrawala") return Formula{"2(n-1)", 2 * (n - 1), "2(n-1)", 2 * (n - 1)};
  if (name == "central") return Formula{"3", 3, process == 0 ? "0" : "3", process == 0 ? 0.0 : 3.0};
  return {};
}

}  // namespace coterie::cli
