#include "sim/rivals.h"

#include <memory>
#include <utility>
#include <vector>

#include "base/assert.h"
#include "coterie/constructions.h"
#include "quorum/listed.h"
#include "sim/trial.h"

namespace coterie::sim {
namespace {

quorum::System surficial_for(std::size_t n, std::size_t groups) {
  return quorum::surficial(groups, surficial_shape(n, groups).degree).value();
}

// The same quorums with each member replaced by the real process that stands for it.
std::shared_ptr<const quorum::Family> image(const quorum::Family& family, std::size_t n) {
  quorum::QuorumLists quorums;
  family.for_each_quorum([&](const NodeSet& quorum) {
    NodeSet real(n);
    for (const NodeId member : quorum) real.insert(static_cast<NodeId>(member % n));
    quorums.add(std::vector<NodeId>(real.begin(), real.end()));
    return true;
  });
  return std::make_shared<quorum::Listed>(n, family.k(), std::move(quorums));
}

}  // namespace

SurficialShape surficial_shape(std::size_t n, std::size_t groups) {
  COTERIE_ASSERT(groups > 1);
  const std::size_t pairs = groups * (groups - 1) / 2;
  std::size_t degree = 1;
  while (degree * degree * pairs < n) ++degree;
  return {degree, degree * degree * pairs};
}

Scenario on_real_processes(std::string_view protocol, std::size_t n, std::uint32_t groups) {
  const quorum::System surficial = surficial_for(n, groups);
  Scenario scenario;
  if (surficial.n() == n) {
    scenario = scenario_of(protocol, surficial);
  } else {
    std::vector<std::shared_ptr<const quorum::Family>> families;
    for (std::size_t group = 0; group < groups; ++group) {
      families.push_back(image(surficial.family(group), n));
    }
    scenario = scenario_of(
        protocol, quorum::System(quorum::Kind::groups, surficial.spec(), std::move(families)));
  }
  scenario.workload.groups = groups;
  return scenario;
}

Scenario on_virtual_processes(std::string_view protocol, std::size_t n, std::uint32_t groups) {
  const quorum::System surficial = surficial_for(n, groups);
  Scenario scenario = scenario_of(protocol, surficial);
  scenario.workload.groups = groups;
  scenario.workload.requesters = n;
  scenario.network.host_of.resize(surficial.n());
  for (NodeId member = 0; member < surficial.n(); ++member) {
    scenario.network.host_of[member] = static_cast<NodeId>(member % n);
  }
  return scenario;
}

}  // namespace coterie::sim
