#include "sim/run.h"

#include "sim/world.h"

namespace coterie::sim {

Run simulate(const Scenario& scenario, std::uint64_t seed, const std::atomic<bool>* stop) {
  return World(scenario, seed).run(stop);
}

}  // namespace coterie::sim
