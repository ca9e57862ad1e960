#include "sim/outages.h"

#include "sim/stream.h"

namespace coterie::sim {

Outages::Outages(const Faults& faults, const protocol::Setting& setting, std::uint64_t seed)
    : faults_(faults),
      setting_(setting),
      up_(setting.everyone()),
      any_((faults.down.universe() > 0 && !faults.down.empty()) || are_changing()),
      choices_(stream(seed, Purpose::preferences)) {
  if (faults.down.universe() > 0) up_ -= faults.down;
  for (std::size_t node = 0; node < setting.processes; ++node) {
    sources_.push_back(stream(seed, Purpose::outages, node));
  }
}

double Outages::next_change(NodeId node) {
  return (is_down(node) ? faults_.down_for : faults_.up_for)->draw(sources_[node]);
}

void Outages::change(NodeId node) { is_down(node) ? up_.insert(node) : up_.erase(node); }

NodeSet Outages::preferred(NodeId process) {
  if (setting_.systems.empty() || setting_.home(process).is_subset_of(up_)) return {};
  return preferred_again();
}

NodeSet Outages::preferred_again() {
  if (setting_.systems.empty() || up_.size() == setting_.processes) return {};
  constexpr quorum::Cost kShades = 16;
  const quorum::Cost one = kShades * setting_.processes;  // more than all shades together
  std::vector<quorum::Cost> costs(setting_.processes);
  for (quorum::Cost& cost : costs) cost = one + choices_.below(kShades);
  return setting_.system().write().find_quorum(up_, costs).value_or(up_);
}

}  // namespace coterie::sim
