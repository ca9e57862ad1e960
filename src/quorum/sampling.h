// Estimates by drawing who is up (Monte Carlo), where nothing exact fits the budget. The same seed
// gives the same estimate.
#pragma once

#include <cstddef>
#include <vector>

#include "coterie/analysis.h"
#include "coterie/quorum.h"

namespace coterie::quorum {

// The probability that h pairwise disjoint quorums are up, for h = 1..most, from the same draws.
// A draw in which the family leaves the number undecided counts as a no for the lower end of the
// interval and as a yes for the upper one. REQUIRES: effort.samples > 0
std::vector<Estimate> sampled_availability(const Family& family, std::size_t most, Up up,
                                           const Effort& effort);

// The mean size of the quorum that find_quorum finds, over the draws in which there is one. If no
// draw has one, the interval is all sizes that quorums have.
Estimate sampled_size(const Family& family, Up up, const Effort& effort);

}  // namespace coterie::quorum
