// Gives a member an input, and does what must be done after any.
#pragma once

#include "sim/torture_seat.h"

namespace coterie::sim::torture {

// REQUIRES: it is up, and not paused.
template <class Input>
void World::give(NodeId id, const Input& input) {
  Seat& seat = *seats_[id];
  input(*seat.member, seat.clock->at(now_));
  if (seat.fuse) {
    run_.faults.count(FaultKind::crash_in_step);
    disturb(now_);
    crash(id, false);
  } else if (seat.member->is_stopped()) {
    story_.tell(now_, "{} has stopped", name_of(id));
    end_life(id, false);
  } else {
    schedule_tick(id);
  }
}

}  // namespace coterie::sim::torture
