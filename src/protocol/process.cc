#include "protocol/process.h"

#include "base/assert.h"

namespace coterie::protocol {

NodeSet Setting::home(NodeId process, Group group) const {
  if (system().kind() != quorum::Kind::groups) return home(process);
  COTERIE_ASSERT(group < system().family_count());
  return system().family(group).home_quorum(process);
}

NodeSet Setting::choose(NodeId process, const NodeSet& prefer) const {
  if (prefer.universe() == 0) return home(process);
  std::vector<quorum::Cost> costs(processes, 1);
  for (const NodeId member : prefer) costs[member] = 0;
  const auto quorum = system().write().find_quorum(everyone(), costs);
  COTERIE_ASSERT(quorum.has_value());
  return *quorum;
}

}  // namespace coterie::protocol
