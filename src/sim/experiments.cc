#include <array>

#include "sim/cohorts_experiment.h"
#include "sim/experiment.h"
#include "sim/simulated_experiments.h"

namespace coterie::sim {

std::span<const Experiment> experiments() {
  static constexpr std::array kExperiments = {
      Experiment{"surrogate-fig7", "Surrogate against Maekawa_M: figure 7", run_surrogate_fig7, 30},
      Experiment{"surrogate-table1", "Four algorithms for rooms as n grows: table 1",
                 run_surrogate_table1, 4},
      Experiment{"surrogate-ablation", "Surrogate's three stages", run_surrogate_ablation, 6},
      Experiment{"surrogate-dynamic", "Groups that come and go", run_surrogate_dynamic, 4},
      Experiment{"group-k", "Group k-exclusion: messages and hops", run_group_k, 4},
      Experiment{"cohorts", "Cohorts: quorums for k at once", run_cohorts, 1},
      Experiment{"cohorts-messages", "k-mutual exclusion: messages as n grows and members fail",
                 run_cohorts_messages, 15},
      Experiment{"mutin", "Floors and bands: messages and time units", run_mutin, 3},
      Experiment{"choose", "Which algorithm, which quorum system", run_choose, 10},
  };
  return kExperiments;
}

}  // namespace coterie::sim
