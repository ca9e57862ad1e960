// Jiang and Huang's Section 5, computed again: Table 1, the data of Figure 2, the expected quorum size,
// and a verdict on each claim of their comparison with k-majority.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "coterie/quorum.h"
#include "sim/experiment.h"

namespace coterie::sim {

inline constexpr std::size_t kCohortsSites = 53;
inline constexpr std::size_t kCohortsMaxK = 4;

// The structure that the paper chooses for 53 sites: cohorts of 2k-1 (of 2 if k = 1) after the first.
quorum::System cohorts_of_53(std::size_t k);
quorum::System k_majority_of_53(std::size_t k);

struct Table1Row {
  std::size_t k = 0;
  std::string structure;
  std::size_t cohorts_min = 0;
  std::size_t cohorts_max = 0;
  std::size_t k_majority = 0;
};
std::vector<Table1Row> table_1();

// One panel of Figure 2: (k,h)-availability against the up-probability of a site.
struct Figure2Panel {
  std::size_t k = 0;
  std::size_t h = 0;
  std::vector<double> up;
  std::vector<double> cohorts;
  std::vector<double> k_majority;
  // Where the two curves cross, and which is better to the left of the first crossing.
  std::vector<double> crossings;
  bool cohorts_first = false;
};
// `points` values of p, from 0 to 1.
std::vector<Figure2Panel> figure_2(std::size_t points);

struct ExpectedSizeRow {
  std::size_t k = 0;
  std::size_t s = 0;
  double f = 0;
  std::size_t l = 0;
  double recursion = 0;
  double closed_form = 0;
  double limit = 0;
};
// For the four cases of Section 5.2 (k = 2; s = 3, 5) with the given fractions, l = 1..levels.
// REQUIRES: fractions in (0,1]
std::vector<ExpectedSizeRow> expected_sizes(std::span<const double> fractions, std::size_t levels);

// How often h quorums can be taken one after another when h disjoint ones are up with probability
// `exact`: by Get_Quorum as printed, and by the choice that spares the others.
struct ChoiceRow {
  std::size_t k = 0;
  std::size_t h = 0;
  double up = 0;
  double exact = 0;
  double as_printed = 0;
  double sparing = 0;
};
std::vector<ChoiceRow> compare_choices(double up, std::uint64_t samples, std::uint64_t seed);

std::vector<Finding> judge_claims(const std::vector<Figure2Panel>& panels);

Report run_cohorts(const Effort& effort, const Progressed& progressed,
                   const std::atomic<bool>& stop);

}  // namespace coterie::sim
