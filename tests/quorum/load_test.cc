// Load, capacity and strategies: published figures, brute force on small systems, and time at scale.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "coterie/analysis.h"
#include "coterie/constructions.h"
#include "coterie/spec.h"

namespace coterie::quorum {
namespace {

constexpr double kExact = 2e-9;

Load load_of(const Family& family) {
  Budget budget;
  const auto load = optimal_load(family, budget);
  EXPECT_TRUE(load.has_value());
  return load.value_or(Load{});
}

Load load_of(const std::string& spec) {
  const auto system = parse(spec);
  EXPECT_TRUE(system.has_value()) << spec;
  return load_of(system->write());
}

Load mixed_load_of(const System& system, double reads) {
  Budget budget;
  const auto load = optimal_load(system.write(), system.read(), reads, budget);
  EXPECT_TRUE(load.has_value());
  return load.value_or(Load{});
}

// Adds what a strategy asks of each member; its weights must sum to one and be of quorums.
void add_load(const std::vector<std::pair<NodeSet, double>>& strategy, double share,
              const Family& family, std::vector<double>& load) {
  double total = 0;
  for (const auto& [quorum, weight] : strategy) {
    EXPECT_TRUE(family.contains_quorum(quorum));
    EXPECT_GT(weight, 0);
    total += weight;
    for (const NodeId member : quorum) load[member] += share * weight;
  }
  EXPECT_NEAR(total, 1, 1e-12);
}

TEST(Load, MajorityOfThreeHasCapacityOneAndAHalf) {
  EXPECT_NEAR(load_of("majority:n=3").capacity(), 1.5, kExact);
}

// The example of quoracle's paper (Whittaker et al. 2021): a 2 by 3 grid, a quarter of reads.
TEST(Load, ReadWriteGridOfTwoByThreeAtAQuarterOfReadsIs3Of8) {
  const auto system = grid_rw(2, 3);
  const Load load = mixed_load_of(*system, 0.25);
  EXPECT_NEAR(load.load, 0.375, kExact);
  std::vector<double> each(6, 0.0);
  add_load(load.write_strategy, 0.75, system->write(), each);
  add_load(load.read_strategy, 0.25, system->read(), each);
  EXPECT_NEAR(*std::max_element(each.begin(), each.end()), load.load, 1e-12);
}

TEST(Load, AMixOfOnlyWritesOrOnlyReadsIsTheLoadOfThatFamily) {
  const auto system = grid_rw(3, 4);
  const Load writes = mixed_load_of(*system, 0);
  EXPECT_NEAR(writes.load, load_of(system->write()).load, kExact);
  EXPECT_NEAR(writes.load, 1.0 / 4, kExact);
  EXPECT_TRUE(writes.read_strategy.empty());
  const Load reads = mixed_load_of(*system, 1);
  EXPECT_NEAR(reads.load, load_of(system->read()).load, kExact);
  EXPECT_NEAR(reads.load, 1.0 / 3, kExact);
  EXPECT_TRUE(reads.write_strategy.empty());
}

// Naor and Wool 1998: where all quorums have c members and all members are in equally many, c / n.
TEST(Load, FairSystemsHaveLoadCOverN) {
  EXPECT_NEAR(load_of("majority:n=9").load, 5.0 / 9, kExact);
  EXPECT_NEAR(load_of("plane:order=2").load, 3.0 / 7, kExact);
  EXPECT_NEAR(load_of("plane:order=3").load, 4.0 / 13, kExact);
  EXPECT_NEAR(load_of("grid:rows=4,cols=4").load, 7.0 / 16, kExact);
  EXPECT_NEAR(load_of("k-majority:n=9,k=2").load, 4.0 / 9, kExact);
  EXPECT_NEAR(load_of("all:n=4").load, 1, kExact);
}

// Naor and Wool 1998, Section 6: the tree of height h has load 2 / (h + 2).
TEST(Load, TreeOfHeightHHasLoadTwoOverHPlusTwo) {
  for (std::size_t height = 1; height <= 6; ++height) {
    const auto system = tree((std::size_t{2} << height) - 1);
    EXPECT_NEAR(load_of(system->write()).load, 2 / static_cast<double>(height + 2), kExact)
        << "height " << height;
  }
}

// The hub, with probability p, or the rim: p = p / (n - 1) + 1 - p. It tends to 1/2.
TEST(Load, WheelBalancesHubAndRim) {
  for (const std::size_t n : {3U, 4U, 5U, 20U, 100U}) {
    const double expected = static_cast<double>(n - 1) / static_cast<double>(2 * n - 3);
    EXPECT_NEAR(load_of(wheel(n)->write()).load, expected, kExact) << n;
  }
}

// d rows of w: row i is taken whole with probability q(i), and one of each row below. All members are
// equally busy if q(i) + (q(1) + ... + q(i-1)) / w is the same in each row; then the q sum to one at
// 1 / (w (1 - (1 - 1/w)^d)).
TEST(Load, WallOfEqualRowsBalancesItsRows) {
  for (const auto& [rows, width] : {std::pair{3, 4}, {20, 10}, {10, 20}, {13, 7}}) {
    const std::vector<std::size_t> widths(static_cast<std::size_t>(rows),
                                          static_cast<std::size_t>(width));
    const double w = width;
    EXPECT_NEAR(load_of(wall(widths)->write()).load, 1 / (w * (1 - std::pow(1 - 1 / w, rows))),
                kExact)
        << rows << " rows of " << width;
  }
}

TEST(Load, OfKSingletonIsOneOverK) {
  EXPECT_NEAR(load_of("k-singleton:n=5,k=2").load, 0.5, kExact);
}

class LoadOf : public testing::TestWithParam<const char*> {};

TEST_P(LoadOf, IsAttainedByItsStrategyAndProvedByItsBound) {
  const auto system = parse(GetParam());
  ASSERT_TRUE(system.has_value()) << system.error().message;
  for (std::size_t i = 0; i < system->family_count(); ++i) {
    const Family& family = system->family(i);
    const Load load = load_of(family);
    EXPECT_LE(load.bound, load.load);
    EXPECT_LE(load.load - load.bound, 1e-9);
    std::vector<double> each(family.n(), 0.0);
    add_load(load.write_strategy, 1, family, each);
    EXPECT_NEAR(*std::max_element(each.begin(), each.end()), load.load, 1e-12);
    // Naor and Wool, Proposition 4.1 and Corollary 4.2.
    const auto c = static_cast<double>(family.min_size());
    EXPECT_GE(load.load, c / static_cast<double>(family.n()) - 1e-9);
    if (family.k() > 1) continue;
    EXPECT_GE(load.load, 1 / c - 1e-9);
  }
}

INSTANTIATE_TEST_SUITE_P(Systems, LoadOf,
                         testing::Values("majority:n=1", "majority:n=2", "majority:n=8",
                                         "weighted:votes=3/1/1", "weighted:votes=5/4/3/2/1",
                                         "grid:rows=3,cols=5", "grid:n=11,cols=4",
                                         "torus:rows=4,cols=5,k=2", "torus:rows=7,cols=3,k=3",
                                         "cohorts:k=2,sizes=2/3/3", "cohorts:k=3,sizes=3/5/6",
                                         "tree:n=13", "wall:widths=1/2/3/4", "wall:widths=3/2/5",
                                         "surficial:groups=3,degree=2", "grid-rw:rows=3,cols=3",
                                         "k-singleton:n=1,k=1"));

// A hundred and more members, no enumeration: 10^20 quorums and up. The budget is the default one.
class LargeLoadOf : public testing::TestWithParam<const char*> {};

TEST_P(LargeLoadOf, IsFoundWithinTheDefaultBudget) {
  const Load load = load_of(GetParam());
  EXPECT_LE(load.load - load.bound, 1e-9);
}

INSTANTIATE_TEST_SUITE_P(
    Systems, LargeLoadOf,
    testing::Values("majority:n=200", "tree:n=127",
                    "wall:widths=10/10/10/10/10/10/10/10/10/10/10/10/10/10/10/10/10/10/10/10",
                    "cohorts:k=3,sizes=3/20/20/20/20/20/20/20/20/20/20", "grid:rows=14,cols=14",
                    "grid:n=200,cols=15", "surficial:groups=60,degree=1"));

TEST(Load, OutOfBudgetIsNothing) {
  Budget budget(10);
  EXPECT_FALSE(optimal_load(tree(31)->write(), budget).has_value());
}

TEST(Load, OfASymmetricSystemNeedsNoProgramme) {
  Budget budget(10);
  const auto load = optimal_load(majority(10'001)->write(), budget);
  ASSERT_TRUE(load.has_value());
  EXPECT_DOUBLE_EQ(load->load, 5001.0 / 10'001);
  EXPECT_DOUBLE_EQ(load->bound, load->load);
}

}  // namespace
}  // namespace coterie::quorum
