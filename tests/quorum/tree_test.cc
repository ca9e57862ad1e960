// Agrawal and El Abbadi 1991, and our trees of any odd size.
#include <gtest/gtest.h>

#include <bit>

#include "base/random.h"
#include "coterie/constructions.h"
#include "quorum/reference.h"
#include "quorum/self_dual.h"
#include "sanitized.h"

namespace coterie::quorum {
namespace {

using reference::expect_system_agrees;
using reference::is_self_dual;
using reference::quorums;

TEST(Tree, AgreesWithEnumeration) {
  for (std::size_t n = 1; n <= 15; n += 2) {
    SCOPED_TRACE(n);
    expect_system_agrees(*tree(n));
  }
}

TEST(Tree, SevenMembersHaveTheFifteenQuorumsOfThePaper) {
  const Result<System> system = tree(7);
  const std::vector<NodeSet> all = quorums(system->write());
  EXPECT_EQ(all.size(), 15U);  // m = 2m'+m'^2 with m' = 3 of each child's subtree
  EXPECT_TRUE(system->write().contains_quorum(NodeSet::of(7, {0, 1, 3})));     // a path
  EXPECT_TRUE(system->write().contains_quorum(NodeSet::of(7, {1, 3, 2, 5})));  // without the root
  EXPECT_TRUE(system->write().contains_quorum(NodeSet::of(7, {3, 4, 5, 6})));  // the leaves
  EXPECT_FALSE(system->write().contains_quorum(NodeSet::of(7, {0, 1, 2})));
}

TEST(Tree, CompleteTreesNeedAsFewAsTheirHeightAndAsManyAsTheirLeaves) {
  for (std::size_t height = 1; height <= 19; ++height) {
    const Result<System> system = tree((std::size_t{1} << height) - 1);
    EXPECT_EQ(system->write().min_size(), height);
    EXPECT_EQ(system->write().max_size(), std::size_t{1} << (height - 1));
  }
}

TEST(Tree, IsSelfDualSoNobodyDominatesIt) {
  for (std::size_t n = 1; n <= 15; n += 2) {
    const Result<System> system = tree(n);
    EXPECT_TRUE(is_self_dual(system->write())) << n;
    EXPECT_EQ(system->write().claims().nondominated, true);
  }
}

// The words of contains_quorum against a plain recursion, over sizes with partial words and levels.
bool contains_by_recursion(const NodeSet& set, std::size_t node) {
  const auto id = static_cast<NodeId>(node);
  if (2 * node + 1 >= set.universe()) return set.contains(id);
  const bool left = contains_by_recursion(set, 2 * node + 1);
  const bool right = contains_by_recursion(set, 2 * node + 2);
  return set.contains(id) ? left || right : left && right;
}

TEST(Tree, ManyMembersAreAskedWordByWord) {
  Random random(1);
  for (std::size_t n = 1; n < 1100; n += (kIsSanitized ? 22 : 2)) {
    const Result<System> system = tree(n);
    std::size_t formed = 0;
    constexpr std::size_t kRounds = 60;
    for (std::size_t round = 0; round < kRounds; ++round) {
      NodeSet set(n);
      for (NodeId member = 0; member < n; ++member) {
        if (random.chance(0.5)) set.insert(member);
      }
      const bool expected = contains_by_recursion(set, 0);
      formed += expected ? 1 : 0;
      ASSERT_EQ(system->write().contains_quorum(set), expected) << n;
      ASSERT_EQ(system->write().find_quorum(set).has_value(), expected) << n;
    }
    EXPECT_GT(formed, 0U) << n;
    EXPECT_LT(formed, kRounds) << n;
  }
}

TEST(Tree, EnumerationOfAHugeTreeIsLazyAndShallow) {
  const Result<System> system = tree(kMaxMembers - 1);
  std::size_t seen = 0;
  EXPECT_FALSE(system->write().for_each_quorum([&](const NodeSet& quorum) {
    EXPECT_TRUE(system->write().contains_quorum(quorum));
    return ++seen < 5;
  }));
  EXPECT_EQ(seen, 5U);
}

TEST(Tree, SizesOfAHugeTreeAreLeftToOthers) {
  const Result<System> system = tree(99'999);
  const std::vector<double> up(99'999, 0.9);
  Budget budget(1'000'000);
  EXPECT_EQ(system->write().size_distribution(up, budget), std::nullopt);
  EXPECT_GT(*system->write().availability(1, up, budget), 0.99);
}

TEST(Tree, RefusesEvenNumbersAndNamesTheNearestOdd) {
  for (const auto& [n, nearest] : {std::pair<std::size_t, const char*>{0, "tree:n=1"},
                                   {2, "tree:n=3"},
                                   {14, "tree:n=15"},
                                   {kMaxMembers, "tree:n=999999"},
                                   {kMaxMembers + 1, "tree:n=999999"}}) {
    const Result<System> system = tree(n);
    ASSERT_FALSE(system) << n;
    EXPECT_EQ(system.error().parameter, "n");
    EXPECT_EQ(system.error().nearest, nearest);
  }
  EXPECT_NE(tree(4).error().message.find("odd"), std::string::npos);
}

TEST(Tree, LevelsAreItsLayout) {
  const Result<System> system = tree(9);
  const std::vector<std::vector<NodeId>> levels = {{0}, {1, 2}, {3, 4, 5, 6}, {7, 8}};
  EXPECT_EQ(system->layout(), levels);
  EXPECT_EQ(system->spec(), "tree:n=9");
}

}  // namespace
}  // namespace coterie::quorum
