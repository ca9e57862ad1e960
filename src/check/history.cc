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

// Who was taken away counts as long as the one who leaves may rightly take it to be inside.
spec::Fault Space::too_few_left(std::span<const Id> before, const Event& step,
                                NodeId process) const {
  std::size_t others = 0;
  for (NodeId other = 0; other < processes_; ++other) {
    const Local& local = locals_[before[other]];
    const bool is_inside = local.place == spec::Place::inside ||
                           local.place == spec::Place::leaving || local.trouble.ghost.has_value();
    const bool is_taken = local.history.is_missing || local.history.has_fallen;
    if (other == process) continue;
    if (is_inside || (is_taken && may_be_counted(other, process, before, step))) ++others;
  }
  const spec::Fault fault = config_.rule.broken_by_leaving(others);
  if (!fault) return {};
  return name_of(process) + " leaves: " + *fault;
}

// Some arbiter whose lease the leaver has may have the absent one recorded, or has not been able to say otherwise. The
// message that lets the leaver go is heard.
bool Space::may_be_counted(NodeId absent, NodeId leaver, std::span<const Id> state,
                           const Event& step) const {
  const auto of = [&](NodeId whose) -> const Trouble& { return locals_[state[whose]].trouble; };
  for (NodeId arbiter = 0; arbiter < processes_; ++arbiter) {
    if (of(leaver).lapsed.contains(arbiter)) continue;
    const bool can_tell = !of(arbiter).is_down && !of(arbiter).lapsed.contains(leaver);
    const bool is_heard = step.is_delivery && step.process == leaver && step.from == arbiter;
    if (!can_tell || may_be_recorded(absent, arbiter, state) ||
        under_way(arbiter, leaver, state) > (is_heard ? 1U : 0U))
      return true;
  }
  return false;
}

// One of its leases runs there: of a former life, or of a link that is down; or what it said last is under way.
bool Space::may_be_recorded(NodeId process, NodeId arbiter, std::span<const Id> state) const {
  const auto of = [&](NodeId whose) -> const Trouble& { return locals_[state[whose]].trouble; };
  if (of(arbiter).owed.contains(process)) return true;
  const bool is_linked = !of(process).is_down && !of(process).lapsed.contains(arbiter) &&
                         !of(arbiter).lapsed.contains(process);
  return is_linked ? under_way(process, arbiter, state) > 0
                   : !of(arbiter).expired.contains(process);
}

std::size_t Space::under_way(NodeId from, NodeId to, std::span<const Id> state) const {
  const std::uint32_t channel = channel_between(from, to);
  return channel == kNoChannel ? 0 : contents_[state[processes_ + channel]].messages.size();
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
