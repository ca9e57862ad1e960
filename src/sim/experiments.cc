#include <array>

#include "sim/cohorts_experiment.h"
#include "sim/experiment.h"

namespace coterie::sim {

std::span<const Experiment> experiments() {
  static constexpr std::array kExperiments = {
      Experiment{"cohorts", "Cohorts: quorums for k at once", run_cohorts, 1},
  };
  return kExperiments;
}

}  // namespace coterie::sim
