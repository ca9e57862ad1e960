// Availability against the sum over all sets of members, to the last few digits.
#pragma once

#include <gtest/gtest.h>

#include <vector>

#include "base/random.h"
#include "quorum/reference.h"

namespace coterie::quorum::reference {

// Members alike, and members that all differ; likely and unlikely ones. REQUIRES: the family gives
// its availability by itself, and n <= kMaxTableMembers
inline void expect_precise_availability(const Family& family, std::uint64_t seed = 1) {
  constexpr double kTolerance = 1e-12;
  const Table table(family);
  Random random(seed);
  std::vector<std::vector<double>> probabilities;
  for (const double p : {1e-3, 0.5, 0.99}) probabilities.emplace_back(family.n(), p);
  probabilities.emplace_back(family.n());
  for (double& p : probabilities.back()) p = random.uniform();
  for (const auto& up : probabilities) {
    const std::vector<double> expected = table.availability(up);
    for (std::size_t h = 0; h < expected.size(); ++h) {
      Budget budget;
      const std::optional<double> own = family.availability(h, up, budget);
      ASSERT_TRUE(own.has_value()) << "h = " << h;
      EXPECT_NEAR(*own, expected[h], kTolerance) << "h = " << h << ", up[0] = " << up[0];
      EXPECT_NEAR(*own / expected[h], 1, 1e-9) << "h = " << h << ", up[0] = " << up[0];
    }
  }
}

}  // namespace coterie::quorum::reference
