// The families that count: majority, all, k-majority, k-singleton and weighted voting.
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "coterie/constructions.h"
#include "coterie/properties.h"
#include "quorum/reference.h"

namespace coterie::quorum {
namespace {

const Family& family_of(const Result<System>& system) { return system.value().write(); }

TEST(Majority, AgreesWithEnumeration) {
  for (std::size_t n = 1; n <= 11; ++n) {
    SCOPED_TRACE(n);
    reference::expect_family_agrees(family_of(majority(n)));
    reference::expect_family_agrees(family_of(majority(n, false)));
  }
}

TEST(Majority, Example1OfKameiAndKakugawaForEvenN) {
  for (std::size_t n = 2; n <= 10; n += 2) {
    const Result<System> system = majority(n);
    std::size_t halves = 0;
    family_of(system).for_each_quorum([&](const NodeSet& quorum) {
      EXPECT_EQ(quorum.size(), quorum.contains(0) ? n / 2 : n / 2 + 1);
      if (quorum.contains(0)) ++halves;
      return true;
    });
    EXPECT_GT(halves, 0U);
    Budget budget;
    EXPECT_EQ(intersection(system->write(), budget).holds, Verdict::yes) << n;
    EXPECT_EQ(nondomination(system->write(), budget).holds, Verdict::yes) << n;
  }
}

TEST(Majority, WithoutHalvesIsDominatedForEvenN) {
  Budget budget;
  EXPECT_EQ(nondomination(family_of(majority(4, false)), budget).holds, Verdict::no);
  EXPECT_EQ(family_of(majority(4, false)).min_size(), 3U);
}

TEST(Majority, HomeQuorumsAreQuorums) {
  for (std::size_t n = 1; n <= 9; ++n) {
    const Result<System> system = majority(n);
    const reference::Table table(system->write());
    for (NodeId member = 0; member < n; ++member) {
      const NodeSet home = system->write().home_quorum(member);
      EXPECT_TRUE(table.is_quorum(reference::mask_of(home))) << n << " " << member;
    }
  }
}

TEST(All, AgreesWithEnumeration) {
  for (std::size_t n = 1; n <= 6; ++n) reference::expect_family_agrees(family_of(all(n)));
}

TEST(KMajority, AgreesWithEnumeration) {
  for (std::size_t n = 1; n <= 12; ++n) {
    for (std::size_t k = 1; k <= n; ++k) {
      const Result<System> system = k_majority(n, k);
      if (!system) continue;
      SCOPED_TRACE(system->spec());
      reference::expect_family_agrees(system->write());
      EXPECT_EQ(system->k(), k);
    }
  }
}

// protocols.md lists these: the condition that the papers leave out.
TEST(KMajority, RefusesShapesThatAreNotKCoteries) {
  const std::vector<std::pair<std::size_t, std::vector<std::size_t>>> illegal = {
      {2, {3}}, {3, {4, 5, 8}}, {4, {5, 6, 7, 10, 11, 15}}};
  for (const auto& [k, sizes] : illegal) {
    for (std::size_t n = k; n <= 16; ++n) {
      const bool refused = std::find(sizes.begin(), sizes.end(), n) != sizes.end();
      const Result<System> system = k_majority(n, k);
      EXPECT_EQ(!system.has_value(), refused) << "n " << n << " k " << k;
      if (!system) {
        EXPECT_FALSE(system.error().nearest.empty());
      }
    }
  }
}

TEST(KSingleton, AgreesWithEnumeration) {
  for (std::size_t n = 1; n <= 6; ++n) {
    for (std::size_t k = 1; k <= n; ++k)
      reference::expect_family_agrees(family_of(k_singleton(n, k)));
  }
}

TEST(Weighted, AgreesWithEnumeration) {
  const std::vector<std::vector<std::size_t>> shapes = {{1},
                                                        {3, 1, 1},
                                                        {2, 1, 1, 1},
                                                        {1, 1, 1, 1, 1},
                                                        {5, 4, 3, 2, 1},
                                                        {3, 3, 2, 2, 0, 1},
                                                        {7, 1, 1, 1},
                                                        {4, 3, 3, 2, 2, 1},
                                                        {2, 2, 2, 1, 1},
                                                        {9, 8, 7, 6, 5, 4, 3, 2, 1}};
  for (const auto& votes : shapes) {
    std::size_t total = 0;
    for (const std::size_t vote : votes) total += vote;
    for (std::size_t threshold = total / 2 + 1; threshold <= total; ++threshold) {
      const Result<System> system = weighted(votes, threshold);
      SCOPED_TRACE(system->spec());
      reference::expect_family_agrees(system->write());
      Budget budget;
      EXPECT_EQ(nondomination(system->write(), budget).holds == Verdict::yes,
                system->write().claims().nondominated);
    }
  }
}

TEST(Weighted, RefusesWhatDoesNotIntersect) {
  const std::vector<std::size_t> votes{1, 1, 1, 1};
  EXPECT_FALSE(weighted(votes, 2).has_value());
  EXPECT_EQ(weighted(votes, 2).error().parameter, "threshold");
  EXPECT_FALSE(weighted(votes, 5).has_value());
  EXPECT_EQ(weighted(votes, 5).error().nearest, "weighted:votes=1x4,threshold=4");
  EXPECT_TRUE(weighted(votes, 3).has_value());
  EXPECT_FALSE(weighted(std::vector<std::size_t>{}, 0).has_value());
  EXPECT_FALSE(weighted(std::vector<std::size_t>{0, 0}, 0).has_value());
  EXPECT_FALSE(weighted(std::vector<std::size_t>{SIZE_MAX, SIZE_MAX}, 0).has_value());
}

TEST(Counting, RefusesSizesOutOfRange) {
  for (const auto& refused :
       {majority(0), majority(kMaxMembers + 1), all(0), k_majority(0, 1), k_majority(5, 0),
        k_majority(5, 6), k_singleton(3, 4), k_singleton(0, 0)}) {
    ASSERT_FALSE(refused.has_value());
    EXPECT_FALSE(refused.error().message.empty());
    EXPECT_FALSE(refused.error().parameter.empty());
  }
}

}  // namespace
}  // namespace coterie::quorum
