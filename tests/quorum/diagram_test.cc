// Decision diagrams against sums over all sets of members, and their ends: budgets, many variables.
#include "quorum/diagram.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <string>
#include <vector>

#include "coterie/spec.h"
#include "quorum/probability.h"
#include "quorum/reference.h"

namespace coterie::quorum {
namespace {

class DiagramOf : public testing::TestWithParam<const char*> {};

TEST_P(DiagramOf, AgreesWithAllUpSets) {
  const auto system = parse(GetParam());
  ASSERT_TRUE(system.has_value()) << system.error().message;
  for (std::size_t i = 0; i < system->family_count(); ++i) {
    const Family& family = system->family(i);
    const auto quorums = reference::quorums(family);
    const reference::Table table(family);
    const auto up = reference::random_up(family.n(), i);
    Budget budget;
    const auto found = diagram_availability(quorums, family.k() + 1, up, budget);
    const auto expected = table.availability(up);
    ASSERT_EQ(found.size(), family.k() + 1);
    for (std::size_t h = 1; h <= family.k(); ++h) EXPECT_NEAR(found[h - 1], expected[h], 1e-12);
    EXPECT_EQ(found.back(), 0) << "more than k disjoint quorums";

    const auto sizes = diagram_sizes(quorums, up, budget);
    ASSERT_TRUE(sizes.has_value());
    const auto expected_sizes = table.size_distribution(up);
    ASSERT_EQ(sizes->size(), expected_sizes.size());
    for (std::size_t s = 0; s < sizes->size(); ++s)
      EXPECT_NEAR((*sizes)[s], expected_sizes[s], 1e-12);
  }
}

INSTANTIATE_TEST_SUITE_P(Small, DiagramOf,
                         testing::Values("majority:n=1", "majority:n=9", "all:n=4", "plane:order=3",
                                         "tree:n=15", "wall:widths=1/3/4", "grid:rows=4,cols=4",
                                         "torus:rows=4,cols=3,k=2", "torus:rows=3,cols=3,k=3",
                                         "cohorts:k=2,sizes=2/3/4", "k-majority:n=11,k=3",
                                         "k-singleton:n=6,k=3", "surficial:groups=3,degree=2",
                                         "wheel:n=12"));

// 400 members in rows of two, both of a row needed: (1 - (1 - p^2)^200).
TEST(Diagram, HoldsHundredsOfMembers) {
  constexpr std::size_t kRows = 200;
  std::vector<NodeSet> rows;
  for (NodeId row = 0; row < kRows; ++row) {
    rows.push_back(NodeSet::of(2 * kRows, {2 * row, 2 * row + 1}));
  }
  const std::vector<double> up(2 * kRows, 0.1);
  Budget budget;
  const auto found = diagram_availability(rows, 3, up, budget);
  ASSERT_EQ(found.size(), 3U);
  for (std::size_t h = 1; h <= 3; ++h) EXPECT_NEAR(found[h - 1], at_least(h, kRows, 0.01), 1e-12);
}

// Pairs that lie far apart in the order of the members: the diagram doubles with each.
std::vector<NodeSet> far_pairs(NodeId count) {
  const std::size_t n = std::size_t{2} * count;
  std::vector<NodeSet> pairs;
  for (NodeId i = 0; i < count; ++i) pairs.push_back(NodeSet::of(n, {i, i + count}));
  return pairs;
}

TEST(Diagram, OutgrowingTheBudgetIsNoAnswer) {
  const auto pairs = far_pairs(30);
  const std::vector<double> up(60, 0.5);
  Budget small(50'000);
  EXPECT_TRUE(diagram_availability(pairs, 1, up, small).empty());
  EXPECT_TRUE(small.exhausted());
  Budget smaller(50'000);
  EXPECT_FALSE(diagram_sizes(pairs, up, smaller).has_value());
}

}  // namespace
}  // namespace coterie::quorum
