// Exact probabilities of any family, by the first method that fits the budget: the family's own
// recursion, a decision diagram of its enumerated quorums, or a table over all sets of members.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "coterie/analysis.h"
#include "coterie/budget.h"
#include "coterie/quorum.h"

namespace coterie::quorum {

// The probability that h pairwise disjoint quorums are up; nothing if no method fits the budget.
std::optional<double> exact_availability(const Family& family, std::size_t h, Up up,
                                         Budget& budget);

template <class Value>
struct Exactly {
  Value value;
  Method method;
};

// The same for h = 1..k, with the method of each, and a budget for each method that is tried.
std::vector<std::optional<Exactly<double>>> exact_availabilities(const Family& family, Up up,
                                                                 const Effort& effort);

// Entry s is P(a smallest quorum that is up has s members).
std::optional<Exactly<std::vector<double>>> exact_size_distribution(const Family& family, Up up,
                                                                    const Effort& effort);

}  // namespace coterie::quorum
