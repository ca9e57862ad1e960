// Faults: how they begin, and how they end.
#include "sim/torture_give.h"
#include "sim/torture_person.h"

namespace coterie::sim::torture {

void World::strike(std::size_t number) {
  const Fault& fault = plan_.faults[number];
  if (phase_ != Phase::storm) return;
  if (fault.kind >= FaultKind::client_pause) {
    strike_client(number, fault);
  } else if (fault.kind <= FaultKind::stop || fault.kind == FaultKind::pause) {
    strike_member(number, fault);
  } else {
    strike_network(number, fault);
  }
}

void World::strike_member(std::size_t number, const Fault& fault) {
  const NodeId id = fault.victim;
  Seat& seat = *seats_[id];
  if (!seat.is_up() || seat.is_paused || seat.fuse || seat.is_stopping) return;
  if (fault.kind == FaultKind::pause) {
    const bool is_long = fault.lasts > plan_.lease();
    run_.faults.count(is_long ? FaultKind::long_pause : FaultKind::pause);
    story_.tell(now_, "{} pauses for {:.3f} s", name_of(id), seconds(fault.lasts));
    watch_survivors(id);
    seat.is_paused = true;
    trouble(fault);
    calm_from_ = now_ + fault.lasts;
    return schedule(now_ + fault.lasts, What::fault_over, id, number);
  }
  seat.last_fault = number;
  if (fault.kind == FaultKind::crash_in_step) {
    seat.fuse = random_.below(8);
    return disturb(now_ + fault.lasts);
  }
  run_.faults.count(fault.kind);
  if (observer_ != nullptr) observer_->fails(id, *seat.member, seat.clock->at(now_));
  watch_survivors(id);
  if (fault.kind == FaultKind::stop) {
    story_.tell(now_, "{} is asked to stop", name_of(id));
    seat.is_stopping = true;
    give(id, [](member::Member& member, member::Instant now) { member.stop(now); });
  } else {
    crash(id, fault.kind == FaultKind::machine_crash);
  }
}

void World::crash(NodeId id, bool is_machine) {
  story_.tell(now_, "{} crashes{}", name_of(id), is_machine ? ", and nobody is told" : "");
  end_life(id, is_machine);
}

void World::come_back(std::size_t number) {
  const Fault& fault = plan_.faults[number];
  const NodeId id = fault.victim;
  Seat& seat = *seats_[id];
  if (seat.is_up() || phase_ != Phase::storm) return;
  restart(id, fault.disk);
}

void World::restart(NodeId id, Disk disk) {
  Seat& seat = *seats_[id];
  disk = allowed(id, disk);
  run_.faults.count(disk == Disk::whole   ? FaultKind::restart
                    : disk == Disk::stale ? FaultKind::restart_stale
                                          : FaultKind::restart_empty);
  if (now_ - seat.ends[0] < plan_.lease() / 2) run_.faults.count(FaultKind::restart_quick);
  if (now_ - seat.ends[1] < plan_.lease()) run_.faults.count(FaultKind::restart_twice);
  disturb(now_);
  start(id, disk, member::Birth::restart);
}

void World::strike_client(std::size_t number, const Fault& fault) {
  const std::uint32_t id = fault.victim;
  Person& person = *people_[id];
  if (!person.is_up() || person.is_paused) return;
  FaultKind kind = fault.kind;
  if (kind == FaultKind::client_pause && fault.lasts > plan_.lease())
    kind = FaultKind::client_long_pause;
  run_.faults.count(kind);
  disturb(now_ + fault.lasts);
  story_.tell(now_, "{}: {} for {:.3f} s", person.client->label(), torture::text_of(kind),
              seconds(fault.lasts));
  if (fault.kind == FaultKind::client_pause) {
    person.is_paused = true;
  } else if (fault.kind == FaultKind::client_vanish) {
    network_.cut_client(id);
  } else if (fault.kind == FaultKind::client_crash) {
    person.client->crash();
    person.end_life();
    person.deferred.clear();
    person.tick_at = kNever;
    ++person.tick_number;
    return schedule(now_ + fault.lasts, What::start_client, id);
  } else {
    person.client->move(person.clock->at(now_));
    return schedule_client_tick(id);
  }
  schedule(now_ + fault.lasts, What::fault_over, id, number);
}

void World::strike_network(std::size_t number, const Fault& fault) {
  run_.faults.count(fault.kind);
  trouble(fault);
  fault.kind == FaultKind::isolation ? watch_survivors(fault.victim) : disturb(now_);
  calm_from_ = std::max(calm_from_, now_ + fault.lasts);
  story_.tell(now_, "{} for {:.3f} s", torture::text_of(fault.kind), seconds(fault.lasts));
  switch (fault.kind) {
    case FaultKind::loss:
    case FaultKind::doubling:
    case FaultKind::reordering:
    case FaultKind::slowness:
      network_.weather_begins(fault);
      break;
    case FaultKind::clients_cut:
      for (std::uint32_t id = 0; id < plan_.habits.clients; ++id) {
        if (is_on_side(fault, id)) network_.cut_client(id);
      }
      break;
    case FaultKind::false_alarm: {
      const auto peer = static_cast<NodeId>((fault.victim + 1) % plan_.members());
      hint_pair(fault.victim, peer, false, 0);
      hint_pair(fault.victim, peer, true, fault.lasts);
      return;
    }
    default:
      cut(number, true);
  }
  if (fault.kind == FaultKind::flapping)
    schedule(now_ + 1 + fault.lasts / 8, What::flap, 0, number);
  schedule(now_ + fault.lasts, What::fault_over, fault.victim, number);
}

bool World::is_on_side(const Fault& fault, std::uint32_t id) const {
  return (fault.side >> (id % plan_.members()) & 1U) != 0;
}

bool World::parts(const Fault& fault, NodeId from, NodeId to) const {
  if (fault.kind == FaultKind::isolation) return (from == fault.victim) != (to == fault.victim);
  if (fault.kind == FaultKind::rift) {
    const auto members = static_cast<NodeId>(plan_.members());
    const NodeId other =
        (fault.victim + 1 + static_cast<NodeId>(fault.side % (members - 1))) % members;
    return (from == fault.victim && to == other) || (from == other && to == fault.victim);
  }
  const bool is_across = is_on_side(fault, from) != is_on_side(fault, to);
  return is_across && (fault.kind != FaultKind::one_way || is_on_side(fault, from));
}

void World::cut(std::size_t number, bool is_begin) {
  if (is_cutting_[number] == is_begin) return;
  is_cutting_[number] = is_begin;
  const Fault& fault = plan_.faults[number];
  const bool is_noticed = random_.chance(0.5);
  for (NodeId from = 0; from < seats_.size(); ++from) {
    for (NodeId to = 0; to < seats_.size(); ++to) {
      if (from == to || !parts(fault, from, to)) continue;
      is_begin ? network_.cut(from, to) : network_.mend(from, to);
      // What was broken is connected again; whether a silent connection breaks depends.
      const Real after = static_cast<Real>(random_.uniform() * static_cast<double>(plan_.lease()));
      if (is_noticed || !is_begin) hint_pair(from, to, !is_begin, after);
    }
  }
}

void World::flap(std::size_t number) {
  const Fault& fault = plan_.faults[number];
  if (phase_ != Phase::storm || now_ >= fault.at + fault.lasts) return;
  cut(number, !is_cutting_[number]);
  const double span = static_cast<double>(fault.lasts) / 4;
  schedule(now_ + 1 + static_cast<Real>(random_.uniform() * span), What::flap, 0, number);
}

void World::strike_over(std::size_t number) {
  if (phase_ != Phase::storm) return;
  const Fault& fault = plan_.faults[number];
  story_.tell(now_, "{} is over", torture::text_of(fault.kind));
  disturb(now_);
  switch (fault.kind) {
    case FaultKind::pause:
      return wake_member(fault.victim);
    case FaultKind::client_pause:
      return wake_client(fault.victim);
    case FaultKind::client_vanish:
      return network_.mend_client(fault.victim);
    case FaultKind::clients_cut:
      for (std::uint32_t id = 0; id < plan_.habits.clients; ++id) {
        if (is_on_side(fault, id)) network_.mend_client(id);
      }
      return;
    case FaultKind::loss:
    case FaultKind::doubling:
    case FaultKind::reordering:
    case FaultKind::slowness:
      return network_.weather_ends(fault);
    default:
      return cut(number, false);
  }
}

// It finds all that came meanwhile, and does not know how late it is until it looks at its clock.
void World::wake_member(NodeId id) {
  Seat& seat = *seats_[id];
  if (!std::exchange(seat.is_paused, false)) return;
  std::vector<Happening> deferred = std::exchange(seat.deferred, {});
  if (random_.chance(0.5)) std::stable_partition(deferred.begin(), deferred.end(), is_tick);
  for (const Happening& happening : deferred) handle(happening);
}

void World::wake_client(std::uint32_t id) {
  Person& person = *people_[id];
  if (!std::exchange(person.is_paused, false)) return;
  std::vector<Happening> deferred = std::exchange(person.deferred, {});
  if (random_.chance(0.5)) std::stable_partition(deferred.begin(), deferred.end(), is_tick);
  for (const Happening& happening : deferred) handle(happening);
}

// What is to be said to all may not reach them until it is over; nor what came late have been heard.
void World::trouble(const Fault& fault) {
  Real until = now_ + fault.lasts;
  const bool is_weather = fault.kind == FaultKind::slowness || fault.kind == FaultKind::reordering;
  constexpr double kCopies = 2;
  if (is_weather)
    until += static_cast<Real>(kCopies * fault.strength * static_cast<double>(plan_.lease()));
  if (is_weather || fault.kind == FaultKind::pause) floor_.slow(until);
  floor_.trouble(now_, until);
}

void World::disturb(Real until) {
  calm_from_ = std::max(calm_from_, until);
  for (auto& [id, hold] : holds_) hold.is_watched = false;
}

// One failure takes no hold from the clients of the others, if
//   - all was well for so long that every member has every lease, and grants;
//   - the others contain a quorum;
//   - the network is so quick that a repair ends before the dead member's lease does;
//   - the hold is so old that it has its spare: a hold that is younger may need the vote of a member that waits
//     for the dead one;
//   - nothing else happens, also not the return of the dead member, while the hold is watched.
void World::watch_survivors(NodeId dead) {
  const Real lease = plan_.lease();
  const Real session = plan_.config.session.ns;
  NodeSet others = NodeSet::all(plan_.members());
  others.erase(dead);
  const bool is_calm = plan_.is_prompt && now_ >= calm_from_ + 4 * lease + 2 * session &&
                       plan_.config.system.write().contains_quorum(others);
  disturb(now_);
  if (!is_calm) return;
  const Real old_enough = lease / 3 + plan_.config.heartbeat.ns + 12 * plan_.longest_delay;
  for (auto& [id, hold] : holds_) {
    if (!people_[hold.client]->is_up()) continue;  // it lasts, and needs no member
    const Client& client = *people_[hold.client]->client;
    const Errand& errand = client.errands()[hold.errand];
    if (hold.member == dead || now_ - hold.since < old_enough || !client.is_current(errand))
      continue;
    hold.is_watched = true;
    ++run_.watched;
  }
}

}  // namespace coterie::sim::torture
