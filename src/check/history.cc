#include "check/history.h"

#include "check/space.h"
#include "check/story.h"

namespace coterie::check {

// Judged while the entry lasts. Where the rule is kept that is the same as at the entry: nobody of another
// group enters meanwhile.
spec::Fault Space::token_too_low(std::span<const Id> state) const {
  if (config_.tokens == protocol::Tokens::grow_always) return {};  // judged at the step
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

// Of the others, and of its own before.
spec::Fault Space::token_too_low_for(std::span<const Id> before, const Local& entered) const {
  for (NodeId process = 0; process < processes_; ++process) {
    for (const auto& [group, token] : locals_[before[process]].history.tokens) {
      if (token < entered.history.token) continue;
      return name_of(entered.process) + " enters with token " +
             std::to_string(entered.history.token) + ", and " + name_of(process) + " with " +
             std::to_string(token) + " before";
    }
  }
  return {};
}

spec::Fault Space::too_few_left(std::span<const Id> before, NodeId process) const {
  std::size_t others = 0;
  for (NodeId other = 0; other < processes_; ++other) {
    const Local& local = locals_[before[other]];
    const bool is_inside = local.place == spec::Place::inside ||
                           local.place == spec::Place::leaving || local.trouble.ghost.has_value();
    if (other != process && (is_inside || may_be_counted(other, process, before))) ++others;
  }
  const spec::Fault fault = config_.rule.broken_by_leaving(others);
  if (!fault) return {};
  return name_of(process) + " leaves: " + *fault;
}

// Whom a fault took away may be taken to be inside until all its leases have run out, and whoever waits for that
// has heard so. A life that has crashed may be, whatever the next one does.
bool Space::may_be_counted(NodeId process, NodeId counter, std::span<const Id> state) const {
  const auto of = [&](NodeId whose) -> const Trouble& { return locals_[state[whose]].trouble; };
  const auto is_under_way = [&](NodeId from, NodeId to) {
    return channel_between(from, to) != kNoChannel && !is_empty(state, channel_between(from, to));
  };
  if (!locals_[state[process]].history.is_missing && of(process).incarnation == 0) return false;
  for (NodeId arbiter = 0; arbiter < processes_; ++arbiter) {
    if (arbiter != counter && of(counter).lapsed.contains(arbiter)) continue;
    const bool is_cut = of(arbiter).is_down || of(arbiter).lapsed.contains(counter);
    if (is_cut)
      return true;  // it can say no more, and what it said counts as long as its lease runs
    const bool is_linked =
        arbiter == process || (!of(process).is_down && !of(process).lapsed.contains(arbiter) &&
                               !of(arbiter).lapsed.contains(process));
    const bool runs = of(arbiter).owed.contains(process) ||
                      (!is_linked && !of(arbiter).expired.contains(process));
    if (runs || is_under_way(process, arbiter) || is_under_way(arbiter, counter)) return true;
  }
  return false;
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
