#include "check/history.h"

#include "check/space.h"

namespace coterie::check {
namespace {

std::string name_of(NodeId process) { return "p" + std::to_string(process); }

}  // namespace

// Judged while the entry lasts. Where the rule is kept that is the same as at the entry: nobody of another
// group enters meanwhile.
spec::Fault Space::token_too_low(std::span<const Id> state) const {
  for (NodeId process = 0; process < processes_; ++process) {
    const Local& local = locals_[state[process]];
    if (local.history.token == 0) continue;
    const std::string entered =
        name_of(process) + " entered with token " + std::to_string(local.history.token);
    if (local.history.has_repeated && config_.tokens == protocol::Tokens::grow)
      return entered + ", which does not exceed its own before";
    for (NodeId other = 0; other < processes_; ++other) {
      for (const auto& [group, token] : locals_[state[other]].history.tokens) {
        if (group != local.group && token >= local.history.token)
          return entered + ", and " + name_of(other) + " with " + std::to_string(token) + " before";
      }
    }
  }
  return {};
}

spec::Fault Space::hold_lost(std::span<const Id> state) const {
  std::uint32_t crashes = 0;
  for (NodeId process = 0; process < processes_; ++process) {
    const Trouble& trouble = locals_[state[process]].trouble;
    crashes += trouble.crashes();
    if (trouble.lapses > 0) return {};
  }
  if (crashes > 1) return {};
  for (NodeId process = 0; process < processes_; ++process) {
    if (locals_[state[process]].history.has_lost)
      return name_of(process) + " has lost its hold, and no more than one process has crashed";
  }
  return {};
}

}  // namespace coterie::check
