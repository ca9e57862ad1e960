// The constructions, one file each in src/quorum. Each refuses an illegal shape with the reason and
// the nearest legal one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "coterie/quorum.h"
#include "coterie/result.h"

namespace coterie::quorum {

inline constexpr std::size_t kMaxMembers = 1'000'000;

// More than half. With even n a half decides too if it has member 0 (ties broken as in Kamei and
// Kakugawa, Example 1), unless `halves` is false: then n/2+1 are needed.
Result<System> majority(std::size_t n, bool halves = true);
// Votes reach the threshold; 0: more than half of all votes.
Result<System> weighted(std::span<const std::size_t> votes, std::size_t threshold = 0);
// One full row and one full column (Maekawa 1985). The last row may be short: n <= rows * cols.
Result<System> grid(std::size_t n, std::size_t cols);
// A read is a row, a write is one member of each row.
Result<System> grid_rw(std::size_t rows, std::size_t cols);
// The lines of a projective plane over a field: order a prime or a prime power.
Result<System> plane(std::size_t order);
// Jiang's k-write-read coterie: a write is a full row and one of each of the floor(rows/(k+1)) rows
// after it; a read is one of each row.
Result<System> torus(std::size_t rows, std::size_t cols, std::size_t k);
// Jiang and Huang's Cohorts.
Result<System> cohorts(std::size_t k, std::span<const std::size_t> sizes);
// Any ceil((n+1)/(k+1)) members.
Result<System> k_majority(std::size_t n, std::size_t k);
// Each of the first k members alone.
Result<System> k_singleton(std::size_t n, std::size_t k);
// Joung's surficial system for m groups.
Result<System> surficial(std::size_t groups, std::size_t degree);
// A path from the root to a leaf, or around what is missing (Agrawal and El Abbadi 1991).
Result<System> tree(std::size_t n);
// A full row and one of each row below (Peleg and Wool 1997).
Result<System> wall(std::span<const std::size_t> widths);
// The hub and one of the rim, or the whole rim.
Result<System> wheel(std::size_t n);
// Everybody.
Result<System> all(std::size_t n);
// Of a file with quorums or probabilities.
inline constexpr std::size_t kMaxTextBytes = 32U << 20U;
// What a JSON text lists; see docs/quorums.md. `origin` names it in errors and in the spec.
Result<System> explicit_system(std::string_view json, const std::string& origin);
// Each member of `outer` is replaced by a system of its own: one inner system for all, or one each.
Result<System> compose(const System& outer, std::span<const System> inner);

}  // namespace coterie::quorum
