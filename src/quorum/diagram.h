// Exact probabilities of a listed family, by binary decision diagrams over "this member is up".
//
// A diagram holds a monotone function of who is up; its probability is one pass from the leaves,
// with a probability per member. Memory and time follow the size of the diagram, not the number of
// sets of members: hundreds of members if their order suits the structure.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "coterie/budget.h"
#include "coterie/quorum.h"

namespace coterie::quorum {

// P(h pairwise disjoint quorums are up), for h = 1, 2, ... up to `most`; ends early if a diagram
// outgrows the budget. REQUIRES: quorums are not empty sets and have a universe of up.size()
std::vector<double> diagram_availability(std::span<const NodeSet> quorums, std::size_t most, Up up,
                                         Budget& budget);

// Entry s is P(a smallest quorum that is up has s members).
std::optional<std::vector<double>> diagram_sizes(std::span<const NodeSet> quorums, Up up,
                                                 Budget& budget);

}  // namespace coterie::quorum
