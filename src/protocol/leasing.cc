#include "protocol/leasing.h"

#include <vector>

namespace coterie::protocol {

Number stride_of(const Setting& setting) { return setting.version.has("tight") ? 1 : kStride; }

Arbiters::Arbiters(const Setting& setting, NodeId first)
    : setting_(setting), first_(first), reachable_(setting.everyone()), suspects_(setting.none()) {}

void Arbiters::lapse(NodeId arbiter) {
  reachable_.erase(arbiter);
  suspects_.erase(arbiter);
  asked_.erase(arbiter);
}

void Arbiters::restart(NodeId self) {
  reachable_.clear();
  reachable_.insert(self);
}

void Arbiters::meet(const NodeSet& reachable, const NodeSet& suspects) {
  reachable_ = reachable;
  suspects_ = suspects;
}

NodeId Arbiters::in_order(std::size_t place) const {
  return static_cast<NodeId>((first_ + place) % setting_.processes);
}

bool Arbiters::is_stale(NodeId from, Time tag) const {
  const auto asked = asked_.find(from);
  return asked == asked_.end() || asked->second != tag;
}

std::optional<NodeSet> Arbiters::nearest_quorum() const {
  const std::size_t n = setting_.processes;
  std::vector<quorum::Cost> costs(n);
  for (std::size_t place = 0; place < n; ++place) {
    const NodeId arbiter = in_order(place);
    costs[arbiter] = asked_.contains(arbiter) ? 0 : n + place;
  }
  return setting_.system().write().find_quorum(askable(), costs);
}

bool suffices(const Setting& setting, const NodeSet& arbiters, bool with_spare) {
  const quorum::Family& family = setting.system().write();
  if (!with_spare || !family.contains_quorum(arbiters)) return family.contains_quorum(arbiters);
  return std::all_of(arbiters.begin(), arbiters.end(), [&](NodeId lost) {
    NodeSet rest = arbiters;
    rest.erase(lost);
    return family.contains_quorum(rest);
  });
}

}  // namespace coterie::protocol
