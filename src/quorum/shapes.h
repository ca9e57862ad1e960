// Good shapes for those who say only how many members there are.
#pragma once

#include <cstddef>

#include "coterie/quorum.h"
#include "coterie/result.h"

namespace coterie::quorum {

// As square as can be: ceil(sqrt(n)) columns.
std::size_t near_square_cols(std::size_t n);
// The plane whose number of points q*q+q+1 is n.
Result<System> plane_of(std::size_t n);
// The legal torus with rows*cols = n whose rows are nearest to sqrt(n(k+1)), which makes the smallest
// write quorums.
Result<System> torus_of(std::size_t n, std::size_t k);
// A cohort of k members, then as many of 2k-1 (of 2 if k = 1) as make n.
Result<System> cohorts_of(std::size_t n, std::size_t k);
// Rows of 1, 2, 3, ... members, the last of which takes the rest.
Result<System> wall_of(std::size_t n);

}  // namespace coterie::quorum
