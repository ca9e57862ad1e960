// Counting members that are up independently: the arithmetic under every availability recursion.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace coterie::quorum {

// P(at least `count` of `trials` are up), each up with probability p. Accurate for millions of trials.
double at_least(std::size_t count, std::size_t trials, double p);
// The paper's PR(s, a, b): P(from a to b of s are up). 0 if a > b.
double between(std::size_t a, std::size_t b, std::size_t trials, double p);

// The same with a probability per member. Takes members * count steps unless all are equal.
double at_least(std::size_t count, std::span<const double> up);
// Entry i is P(exactly i are up). Takes members^2 steps.
std::vector<double> count_distribution(std::span<const double> up);
bool all_equal(std::span<const double> up);

}  // namespace coterie::quorum
