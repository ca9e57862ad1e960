#include "protocol/process.h"

#include "base/assert.h"

namespace coterie::protocol {

namespace {

[[noreturn]] void refuse_fault() {
  assertion_failed("the algorithm is made for this fault", __FILE__, __LINE__);
}

}  // namespace

void Sink::lost() { refuse_fault(); }
void Sink::fenced(std::uint64_t /*token*/) {}
void Process::cancel(Sink& /*sink*/) { refuse_fault(); }
void Process::suspect(NodeId /*peer*/, Sink& /*sink*/) { refuse_fault(); }
void Process::trust(NodeId /*peer*/, Sink& /*sink*/) { refuse_fault(); }
void Process::lapse(NodeId /*peer*/, Sink& /*sink*/) { refuse_fault(); }
void Process::expire(NodeId /*peer*/, Life /*life*/, Sink& /*sink*/) { refuse_fault(); }
void Process::up(NodeId /*peer*/, std::uint32_t /*incarnation*/, Sink& /*sink*/) { refuse_fault(); }
void Process::forget(NodeId /*peer*/, Sink& /*sink*/) { refuse_fault(); }
void Process::restart(std::uint32_t /*incarnation*/, Reader& /*durable*/, Sink& /*sink*/) {
  refuse_fault();
}
void Process::save_durable(Writer& /*to*/) const {}

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
