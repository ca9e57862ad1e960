// Cyclic difference sets: residues modulo n among whose differences each number 1..n-1 is there
// exactly once. Their n shifts are the lines of a projective plane.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "coterie/node_set.h"

namespace coterie::quorum {

struct PrimePower {
  std::size_t prime;
  std::size_t exponent;
};
// Nothing if the number is not the power of one prime.
std::optional<PrimePower> as_prime_power(std::size_t number);

// q+1 residues modulo q²+q+1, increasing, 0 first. REQUIRES: q is a prime power, q^3 < 2^32
std::vector<NodeId> singer_difference_set(std::size_t q);

}  // namespace coterie::quorum
