// The experiments that run the algorithms in the simulator: one file each, named for it.
#pragma once

#include "sim/experiment.h"

namespace coterie::sim {

// Atreya, Mittal and Peri: group mutual exclusion.
Report run_surrogate_fig7(const Effort& effort, const Progressed& progressed,
                          const std::atomic<bool>& stop);
Report run_surrogate_dynamic(const Effort& effort, const Progressed& progressed,
                             const std::atomic<bool>& stop);
Report run_surrogate_ablation(const Effort& effort, const Progressed& progressed,
                              const std::atomic<bool>& stop);
Report run_surrogate_table1(const Effort& effort, const Progressed& progressed,
                            const std::atomic<bool>& stop);
// Jiang: group k-exclusion.
Report run_group_k(const Effort& effort, const Progressed& progressed,
                   const std::atomic<bool>& stop);
// Jiang and Huang: k-mutual exclusion.
Report run_cohorts_messages(const Effort& effort, const Progressed& progressed,
                            const std::atomic<bool>& stop);
// Kamei and Kakugawa: floors and bands.
Report run_mutin(const Effort& effort, const Progressed& progressed, const std::atomic<bool>& stop);
// Ours: what to take.
Report run_choose(const Effort& effort, const Progressed& progressed,
                  const std::atomic<bool>& stop);

}  // namespace coterie::sim
