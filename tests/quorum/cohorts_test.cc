// Jiang and Huang's paper, a test per claim.
#include "quorum/cohorts.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <tuple>
#include <vector>

#include "base/random.h"
#include "coterie/constructions.h"
#include "coterie/properties.h"
#include "quorum/probability.h"
#include "quorum/reference.h"

namespace coterie::quorum {
namespace {

using Sizes = std::vector<std::size_t>;

struct Shape {
  std::size_t k;
  Sizes sizes;
};

std::vector<Shape> small_shapes() {
  return {{1, {1}},          {1, {1, 2}},          {1, {1, 2, 2}}, {1, {1, 3, 2}},
          {1, {1, 5, 2, 4}}, {1, {1, 2, 2, 2, 2}}, {2, {2}},       {2, {2, 3}},
          {2, {2, 4}},       {2, {2, 3, 3}},       {2, {2, 3, 5}}, {2, {2, 5, 3}},
          {2, {2, 3, 3, 3}}, {2, {2, 4, 6}},       {3, {3}},       {3, {3, 5}},
          {3, {3, 6}},       {3, {3, 5, 5}},       {4, {4}},       {4, {4, 7}},
          {4, {4, 8}},       {5, {5, 9}}};
}

TEST(Cohorts, AgreesWithEnumeration) {
  for (const auto& [k, sizes] : small_shapes()) {
    const Result<System> system = cohorts(k, sizes);
    ASSERT_TRUE(system.has_value());
    SCOPED_TRACE(system->spec());
    reference::expect_family_agrees(system->write());
  }
}

// Many cohorts are asked several at a time; here each is asked by itself.
bool contains_slowly(std::size_t k, const Sizes& sizes, const NodeSet& set) {
  auto last = static_cast<NodeId>(set.universe());
  for (std::size_t i = sizes.size(); i-- > 0;) {
    const auto first = static_cast<NodeId>(last - sizes[i]);
    const std::size_t inside = set.count_in(first, last);
    if (inside >= sizes[i] - (k - 1)) return true;
    if (inside == 0) return false;
    last = first;
  }
  return false;
}

TEST(Cohorts, LongRunsAreAskedRightly) {
  Random random(1);
  for (const auto& [k, first, then] :
       std::vector<std::tuple<std::size_t, std::size_t, std::size_t>>{
           {1, 2, 2}, {1, 2, 5}, {2, 3, 3}, {2, 4, 3}, {3, 5, 16}, {4, 7, 17}, {8, 15, 16}}) {
    Sizes sizes{k};
    for (std::size_t i = 0; i < 60; ++i) sizes.push_back(i < 31 ? first : then);
    const Result<System> system = cohorts(k, sizes);
    std::size_t contained = 0;
    for (int trial = 0; trial < 3000; ++trial) {
      // Close to the edge: nearly every cohort has somebody, and hardly one is primary.
      NodeSet set(system->n());
      NodeId from = 0;
      for (const std::size_t size : sizes) {
        std::size_t count = 1 + random.below(std::max<std::size_t>(size - k, 1));
        if (random.below(60) == 0) count = 0;
        if (random.below(60) == 0) count = size - (k - 1);
        for (std::size_t i = 0; i < count; ++i)
          set.insert(from + static_cast<NodeId>(random.below(size)));
        from += static_cast<NodeId>(size);
      }
      const bool expected = contains_slowly(k, sizes, set);
      contained += expected ? 1U : 0U;
      ASSERT_EQ(system->write().contains_quorum(set), expected) << system->spec();
    }
    EXPECT_GT(contained, 300U);
    EXPECT_LT(contained, 2900U);
  }
}

TEST(Cohorts, Section3ExampleHasTheNineQuorums) {
  const Result<System> system = cohorts(2, Sizes{2, 3});
  std::set<NodeSet> quorums;
  for (const NodeSet& quorum : reference::quorums(system->write())) quorums.insert(quorum);
  // u1..u5 are 0..4; the paper prints Q3 as Q2 again, where {u4,u5} belongs.
  const std::set<NodeSet> expected = {
      NodeSet::of(5, {2, 3}), NodeSet::of(5, {2, 4}), NodeSet::of(5, {3, 4}),
      NodeSet::of(5, {0, 2}), NodeSet::of(5, {0, 3}), NodeSet::of(5, {0, 4}),
      NodeSet::of(5, {1, 2}), NodeSet::of(5, {1, 3}), NodeSet::of(5, {1, 4})};
  EXPECT_EQ(quorums, expected);
}

TEST(Cohorts, Section4TheQuorumsAreAKCoterie) {
  for (const auto& [k, sizes] : small_shapes()) {
    const Result<System> system = cohorts(k, sizes);
    const Report report = check(*system, 200'000'000);
    EXPECT_EQ(report.intersection.holds, Verdict::yes) << system->spec();
    EXPECT_EQ(report.non_intersection.holds, Verdict::yes) << system->spec();
    EXPECT_EQ(report.minimality.holds, Verdict::yes) << system->spec();
  }
}

TEST(Cohorts, Section3SizesOutsideP1AndP2AreRefused) {
  EXPECT_EQ(cohorts(2, Sizes{3, 3}).error().nearest, "cohorts:k=2,sizes=2/3");
  EXPECT_EQ(cohorts(2, Sizes{2, 2}).error().nearest, "cohorts:k=2,sizes=2/3");
  EXPECT_EQ(cohorts(3, Sizes{3, 4, 9}).error().nearest, "cohorts:k=3,sizes=3/5/9");
  EXPECT_EQ(cohorts(1, Sizes{1, 1}).error().nearest, "cohorts:k=1,sizes=1/2");
  EXPECT_FALSE(cohorts(0, Sizes{0}).has_value());
  EXPECT_FALSE(cohorts(1, Sizes{}).has_value());
  EXPECT_FALSE(cohorts(1, Sizes{1, SIZE_MAX, SIZE_MAX}).has_value());
}

// P2 is tight: one member fewer in a later cohort breaks a property.
TEST(Cohorts, P2IsTight) {
  for (const std::size_t k : {2U, 3U, 4U}) {
    const std::size_t later = 2 * k - 2;
    std::vector<NodeSet> quorums;
    const std::size_t n = k + later;
    for (reference::Mask mask = 1; mask < (1U << n); ++mask) {
      const NodeSet set = reference::set_of(mask, n);
      const std::size_t in_first = set.count_in(0, static_cast<NodeId>(k));
      const std::size_t in_second = set.size() - in_first;
      if ((in_first == 0 && in_second == later - k + 1) || (in_first == 1 && in_second == 1))
        quorums.push_back(set);
    }
    const reference::ListedFamily family(n, k, quorums);
    Budget budget(100'000'000);
    const bool minimal = minimality(family, budget).holds == Verdict::yes;
    const bool progress = non_intersection(family, budget).holds == Verdict::yes;
    EXPECT_EQ(minimal, k != 2) << k;
    EXPECT_FALSE(minimal && progress) << k;
  }
}

TEST(Cohorts, Figure1GreedyDoesNotAttainTheAvailability) {
  const Sizes sizes{2, 3};
  const NodeSet up = NodeSet::of(5, {0, 1, 2, 3});
  const std::optional<NodeSet> first = get_quorum_as_printed(2, sizes, up);
  ASSERT_TRUE(first.has_value());
  EXPECT_EQ(*first, NodeSet::of(5, {2, 3}));
  EXPECT_FALSE(get_quorum_as_printed(2, sizes, up - *first).has_value());

  const Result<System> system = cohorts(2, sizes);
  Budget budget;
  const std::optional<NodeSet> sparing = system->write().find_sparing_quorum(up, budget);
  ASSERT_TRUE(sparing.has_value());
  EXPECT_TRUE(system->write().find_sparing_quorum(up - *sparing, budget).has_value());
}

TEST(Cohorts, TheSparingChoiceAttainsTheAvailability) {
  for (const auto& [k, sizes] : small_shapes()) {
    const Result<System> system = cohorts(k, sizes);
    if (system->n() > 11) continue;
    const reference::Table table(system->write());
    for (reference::Mask mask = 0; mask < (1U << system->n()); ++mask) {
      NodeSet left = reference::set_of(mask, system->n());
      std::size_t taken = 0;
      Budget budget;
      while (const auto quorum = system->write().find_sparing_quorum(left, budget)) {
        left -= *quorum;
        ++taken;
      }
      ASSERT_EQ(taken, table.packing(mask)) << system->spec() << " " << mask;
    }
  }
}

TEST(Cohorts, Figure1FormsAQuorumWheneverThereIsOne) {
  for (const auto& [k, sizes] : small_shapes()) {
    const Result<System> system = cohorts(k, sizes);
    if (system->n() > 11) continue;
    const reference::Table table(system->write());
    for (reference::Mask mask = 0; mask < (1U << system->n()); ++mask) {
      const auto quorum = get_quorum_as_printed(k, sizes, reference::set_of(mask, system->n()));
      ASSERT_EQ(quorum.has_value(), table.contains(mask)) << system->spec() << " " << mask;
      if (quorum) {
        ASSERT_TRUE(table.is_quorum(reference::mask_of(*quorum)));
      }
    }
  }
}

TEST(Cohorts, Section52RecursionEqualsClosedForm) {
  for (const std::size_t k : {1U, 2U, 3U, 4U}) {
    for (const std::size_t s : {2 * k, 2 * k + 3}) {
      for (const double f : {0.1, 0.25, 0.5, 0.9, 1.0}) {
        for (std::size_t l = 1; l <= 30; ++l) {
          Sizes sizes(l, s);
          sizes.front() = k;
          EXPECT_NEAR(expected_size_by_fraction(k, sizes, f), expected_size_closed_form(k, l, s, f),
                      1e-9);
        }
      }
    }
  }
}

TEST(Cohorts, Section52TheLimitsAre3557) {
  EXPECT_NEAR(expected_size_limit(2, 3, 0.5), 3, 1e-12);
  EXPECT_NEAR(expected_size_limit(2, 5, 0.5), 5, 1e-12);
  EXPECT_NEAR(expected_size_limit(2, 3, 0.25), 5, 1e-12);
  EXPECT_NEAR(expected_size_limit(2, 5, 0.25), 7, 1e-12);
  EXPECT_NEAR(between(2, 3, 3, 0.65), 0.71825, 1e-12);
}

TEST(Cohorts, Table1BoundsHoldWithAtLeastKCohortsOnly) {
  for (const std::size_t k : {2U, 3U, 4U}) {
    for (std::size_t l = 2; l <= 6; ++l) {
      Sizes sizes(l, 2 * k - 1);
      sizes.front() = k;
      EXPECT_EQ(cohorts(k, sizes)->write().min_size(), std::min(k, l)) << "k " << k << " l " << l;
    }
  }
}

}  // namespace
}  // namespace coterie::quorum
