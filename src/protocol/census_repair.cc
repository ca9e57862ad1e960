// Census: arbiters that fail, or seem to.
#include "protocol/census.h"

namespace coterie::protocol::census {

void Requester::alarm(const NodeSet& /*prefer*/) {
  if (!is_inside()) return;
  lasts_ = true;
  arbiters_changed();
}

// Enough arbiters that we do not doubt, or others in their place; if these are too few, those that we doubt
// too: we may be wrong. Who is about to leave a band has asked for other votes, and lets it be.
void Requester::settle() {
  if (phase_ == Phase::leaving && asks_to_enter()) return;
  if (suffices(setting(), holds_ - arbiters_.suspects(), lasts_)) return;
  if (!repair_among(arbiters_.askable())) repair_among(arbiters_.reachable());
}

// Whether there will be enough, if all that we do not doubt answer.
bool Requester::repair_among(const NodeSet& candidates) {
  const auto is_enough = [this] {
    NodeSet expected = holds_;
    if (asks_to_enter()) {
      for (const auto& [arbiter, tag] : arbiters_.asked()) expected.insert(arbiter);
    }
    return suffices(setting(), expected - arbiters_.suspects(), lasts_);
  };
  for (std::size_t place = 0; place < setting().processes && !is_enough(); ++place) {
    const NodeId arbiter = arbiters_.in_order(place);
    if (!candidates.contains(arbiter) || holds_.contains(arbiter)) continue;
    if (!asks_to_enter()) {
      record(arbiter);
    } else if (!arbiters_.has_asked(arbiter)) {
      repair(arbiter);
    }
  }
  return is_enough();
}

bool Requester::is_sound() const {
  return !asks_to_enter() || has_quorum(holds_ - arbiters_.suspects());
}

void Requester::record(NodeId arbiter) {
  holds_.insert(arbiter);
  send(arbiter, Record{group_});
}

void Requester::suspect(NodeId arbiter) {
  arbiters_.suspect(arbiter);
  arbiters_changed();
}

void Requester::trust(NodeId arbiter) {
  arbiters_.trust(arbiter);
  arbiters_changed();
}

void Requester::up(NodeId arbiter) {
  arbiters_.up(arbiter);
  arbiters_changed();
}

void Requester::lapse(NodeId arbiter) {
  arbiters_.lapse(arbiter);
  votes_.erase(arbiter);
  if (holds_.contains(arbiter) && asks_to_leave()) echoes_.insert(arbiter);
  holds_.erase(arbiter);
  if (is_inside() && !stands_in_ && asks_to_enter() && !has_quorum(holds_)) return lose();
  arbiters_changed();
  view_is_gone();
}

// Those whom that arbiter alone had named count no more.
void Requester::view_is_gone() {
  if (is_waiting()) attempt();
}

void Requester::forget(NodeId arbiter) {
  echoes_.erase(arbiter);
  if (phase_ == Phase::leaving) attempt();
}

void Requester::declined(NodeId arbiter) {
  send(arbiter, Withdraw{arbiters_.tag_of(arbiter)});
  arbiters_.drop(arbiter);
  votes_.erase(arbiter);
}

void Requester::restart() {
  arbiters_.restart(self());
  clear();
}

void Requester::arbiters_changed() {
  if (is_inside() || phase_ == Phase::adopting) settle();
  if (phase_ == Phase::entering || phase_ == Phase::leaving) ask();
}

}  // namespace coterie::protocol::census
