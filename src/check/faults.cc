// The steps that faults bring: what may happen to whom, and what it does.
#include "check/faults.h"

#include <numeric>

#include "check/catcher.h"
#include "check/space.h"

namespace coterie::check {

using Kind = Input::Kind;
using protocol::Life;
using spec::Place;

namespace {

// A crash, and the end of a lease, come late if faults do. What is believed or decided of others does not.
bool is_late(Kind kind) {
  return kind != Kind::cancel && kind != Kind::suspect && kind != Kind::trust && kind != Kind::up;
}

}  // namespace

// Every fault that the process itself does not rule out; is_possible() asks the others.
void Space::list_faults(Local& local) const {
  if (!local.broken.empty()) return;
  const Trouble& trouble = local.trouble;
  const auto add = [&](Kind kind, NodeId peer = 0, std::uint32_t incarnation = 0) {
    local.inputs.push_back({kind, {}, peer, incarnation});
  };
  for (NodeId peer = 0; peer < processes_; ++peer) {
    if (trouble.ghost && !trouble.ghost->lapsed.contains(peer)) add(Kind::ghost_lapse, peer);
  }
  if (trouble.is_down) return add(Kind::restart);
  if (!trouble.ghost) add(Kind::crash);
  if (local.place == Place::entering) add(Kind::cancel);
  for (NodeId peer = 0; peer < processes_; ++peer) {
    if (trouble.fading.contains(peer)) add(Kind::forget, peer);
  }
  for (NodeId peer = 0; peer < processes_; ++peer) {
    if (trouble.owed.contains(peer)) add(Kind::expire_former, peer);
    if (peer == local.process) continue;
    if (trouble.suspects.contains(peer)) add(Kind::trust, peer);
    if (!trouble.lapsed.contains(peer)) {
      if (!trouble.suspects.contains(peer)) add(Kind::suspect, peer);
      add(Kind::part, peer);
      add(Kind::lapse, peer);
      continue;
    }
    if (!trouble.expired.contains(peer)) add(Kind::expire, peer);
    for (std::uint32_t life = 0; life <= config_.faults.restarts; ++life) add(Kind::up, peer, life);
  }
}

bool Space::is_possible(const Input& fault, NodeId process, std::span<const Id> state) const {
  const auto of = [&](NodeId whose) -> const Trouble& { return locals_[state[whose]].trouble; };
  const auto spent = [&](auto count) {
    std::uint32_t sum = 0;
    for (NodeId whose = 0; whose < processes_; ++whose) sum += std::invoke(count, of(whose));
    return sum;
  };
  const Budget& budget = config_.faults;
  const Trouble& peer = of(fault.peer);
  // The other end of the link is down, in one way or the other.
  const bool is_cut = peer.is_down || peer.lapsed.contains(process);
  switch (fault.kind) {
    case Kind::cancel:
      return spent(&Trouble::cancels) < budget.cancels;
    case Kind::suspect:
      return spent(&Trouble::suspicions) < budget.suspicions;
    case Kind::part:
      return !is_cut && spent(&Trouble::lapses) < budget.lapses;
    case Kind::lapse:
      return is_cut;
    case Kind::expire:
      // A former life that ended in a crash relies on it as long as its ghost does.
      return peer.is_down || peer.strangers.contains(process) ? peer.is_forgotten_by_ghost(process)
                                                              : peer.lapsed.contains(process);
    case Kind::expire_former:
      return peer.is_forgotten_by_ghost(process);
    case Kind::up:
      return process < fault.peer && fault.incarnation == peer.incarnation &&
             can_link(process, fault.peer, state) && can_link(fault.peer, process, state);
    case Kind::forget:
      return has_faded(process, fault.peer, state);
    case Kind::crash: {
      // One former life at a time.
      const bool is_owed =
          spent([&](const Trouble& whose) { return whose.owed.contains(process) ? 1U : 0U; }) > 0;
      return !is_owed && spent(&Trouble::crashes) < budget.crashes;
    }
    case Kind::restart:
      return spent(&Trouble::incarnation) < budget.restarts;
    default:  // trust, ghost_lapse: in the end
      return true;
  }
}

// A new link to the same life means that the lease of the old link has run out; to a new life, it does not.
bool Space::can_link(NodeId process, NodeId peer, std::span<const Id> state) const {
  const Trouble& mine = locals_[state[process]].trouble;
  const Trouble& other = locals_[state[peer]].trouble;
  const bool is_new_life = other.strangers.contains(process) && !mine.strangers.contains(peer);
  return !mine.is_down && mine.lapsed.contains(peer) &&
         (mine.expired.contains(peer) || is_new_life);
}

// Two leases after the lapse, by the clock: within one the peer, if it lives, has dropped us and has said so to all
// whom it had told of us; within another they have heard it, or the peer's lease to them has run out, because
// what was said before a lease was renewed arrives before it. Here: nothing is under way on any of its links.
bool Space::has_faded(NodeId process, NodeId peer, std::span<const Id> state) const {
  const auto of = [&](NodeId whose) -> const Trouble& { return locals_[state[whose]].trouble; };
  const auto is_empty_between = [&](NodeId from, NodeId to) {
    return channel_between(from, to) == kNoChannel || is_empty(state, channel_between(from, to));
  };
  const bool is_linked = process == peer || !of(process).lapsed.contains(peer);
  const bool is_dropped = of(peer).is_down || of(peer).expired.contains(process) ||
                          of(peer).strangers.contains(process) ||
                          (is_linked && is_empty_between(process, peer));
  if (!is_dropped) return false;
  for (NodeId other = 0; other < processes_; ++other) {
    if (of(other).is_down || (other != peer && of(other).lapsed.contains(peer))) continue;
    const bool is_cut = of(peer).is_down || (other != peer && of(peer).lapsed.contains(other));
    if (is_cut || !is_empty_between(peer, other)) return false;
  }
  return true;
}

bool Space::is_settled(std::span<const Id> state) const {
  for (NodeId process = 0; process < processes_; ++process) {
    if (local_briefs_[state[process]].alarm) return false;
  }
  return is_calm(state);
}

std::vector<Event> Space::faults(std::span<const Id> state, bool is_chance) const {
  std::vector<Event> events;
  const bool all_strike = config_.faults_strike == When::any || is_settled(state);
  for (NodeId process = 0; process < processes_; ++process) {
    const Local& local = locals_[state[process]];
    const std::uint32_t others = local_briefs_[state[process]].inputs;
    for (std::uint32_t index = others; index < local.inputs.size(); ++index) {
      const Input& fault = local.inputs[index];
      const bool is_by_chance = fault.kind == Kind::cancel || fault.kind == Kind::suspect ||
                                fault.kind == Kind::part || fault.kind == Kind::crash ||
                                fault.kind == Kind::restart;
      if (is_by_chance != is_chance || !is_possible(fault, process, state)) continue;
      if (!all_strike && is_late(fault.kind)) continue;
      events.push_back({.process = process,
                        .from = fault.peer,
                        .index = index,
                        .is_link = fault.kind == Kind::up,
                        .is_due = !is_chance,
                        .is_chance = is_chance});
    }
  }
  return events;
}

std::uint32_t Space::index_of_up(Id local, NodeId peer, std::uint32_t incarnation) const {
  const std::vector<Input>& inputs = locals_[local].inputs;
  const auto place = std::find_if(inputs.begin(), inputs.end(), [&](const Input& input) {
    return input.kind == Kind::up && input.peer == peer && input.incarnation == incarnation;
  });
  COTERIE_ASSERT(place != inputs.end());
  return static_cast<std::uint32_t>(place - inputs.begin());
}

void Space::crash(const protocol::Process& machine, const Local& before, Local& after) {
  Writer durable;
  machine.save_durable(durable);
  after.bytes = durable.take();
  if (before.place == Place::inside || before.place == Place::leaving)
    after.trouble.ghost = {before.bytes, before.place, before.group, before.trouble.lapsed};
  after.place = Place::outside;
  after.group = 0;
  after.wanted = {};
  after.alarm = false;
  after.history.token = 0;
  after.at_rest = true;
  after.trouble.is_down = true;
  after.trouble.suspects = {};
  after.trouble.owed = {};
  after.trouble.fading = {};
  if (after.trouble.ghost) after.history.is_missing = true;
}

void Space::feed_ghost(NodeId peer, protocol::Process& machine, Local& after) const {
  Ghost& ghost = *after.trouble.ghost;
  Reader state(ghost.state);
  machine.load(state);
  Local believes;
  believes.place = ghost.place;
  Catcher silent(believes);  // the dead send nothing
  machine.lapse(peer, silent);
  ghost.lapsed.insert(peer);
  if (believes.place == Place::outside || ghost.lapsed == Peers::first(processes_)) {
    after.trouble.ghost.reset();
    return;
  }
  Writer writer;
  machine.save(writer);
  ghost.state = writer.take();
}

void Space::feed_fault(const Input& fault, protocol::Process& machine, Local& after,
                       Catcher& catcher) {
  Trouble& trouble = after.trouble;
  switch (fault.kind) {
    case Kind::cancel:
      ++trouble.cancels;
      after.place = Place::leaving;
      after.wanted = {};
      return machine.cancel(catcher);
    case Kind::suspect:
      ++trouble.suspicions;
      trouble.suspects.insert(fault.peer);
      return machine.suspect(fault.peer, catcher);
    case Kind::trust:
      trouble.suspects.erase(fault.peer);
      return machine.trust(fault.peer, catcher);
    case Kind::part:
    case Kind::lapse:
      if (fault.kind == Kind::part) ++trouble.lapses;
      trouble.lapsed.insert(fault.peer);
      if (is_told_forget()) trouble.fading.insert(fault.peer);
      return machine.lapse(fault.peer, catcher);
    case Kind::expire:
      trouble.expired.insert(fault.peer);
      return machine.expire(fault.peer, Life::present, catcher);
    case Kind::expire_former:
      trouble.owed.erase(fault.peer);
      return machine.expire(fault.peer, Life::former, catcher);
    case Kind::up:
      if (!trouble.expired.contains(fault.peer)) trouble.owed.insert(fault.peer);
      trouble.lapsed.erase(fault.peer);
      trouble.expired.erase(fault.peer);
      trouble.strangers.erase(fault.peer);
      return machine.up(fault.peer, fault.incarnation, catcher);
    case Kind::forget:
      trouble.fading.erase(fault.peer);
      return machine.forget(fault.peer, catcher);
    case Kind::restart: {
      trouble.is_down = false;
      ++trouble.incarnation;
      trouble.lapsed = Peers::first(processes_);
      trouble.lapsed.erase(after.process);
      trouble.expired = {};
      trouble.strangers = trouble.lapsed;
      trouble.owed.insert(after.process);
      Reader fresh(locals_[initial_[after.process]].bytes);
      machine.load(fresh);
      Reader durable(after.bytes);
      return machine.restart(trouble.incarnation, durable, catcher);
    }
    default:
      COTERIE_ASSERT(fault.kind == Kind::restart);
  }
}

}  // namespace coterie::check
