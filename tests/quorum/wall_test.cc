// Peleg and Wool 1997, "Crumbling walls".
#include <gtest/gtest.h>

#include <numeric>

#include "base/random.h"
#include "coterie/constructions.h"
#include "quorum/reference.h"
#include "quorum/self_dual.h"

namespace coterie::quorum {
namespace {

using Widths = std::vector<std::size_t>;

// All walls with up to `members` members, legal or not, that have no empty row.
void for_each_wall(std::size_t members, Widths& widths, const std::function<void()>& visit) {
  if (!widths.empty()) visit();
  for (std::size_t width = 1; width <= members; ++width) {
    widths.push_back(width);
    for_each_wall(members - width, widths, visit);
    widths.pop_back();
  }
}

TEST(Wall, AgreesWithEnumerationForEveryLegalShapeOfUpToNineMembers) {
  Widths widths;
  std::size_t legal = 0;
  for_each_wall(9, widths, [&] {
    const Result<System> system = wall(widths);
    if (!system) return;
    ++legal;
    SCOPED_TRACE(system->spec());
    reference::expect_system_agrees(*system);
  });
  EXPECT_EQ(legal, 88U);
}

TEST(Wall, ExactlyTheShapesWithASingleMemberBelowTheTopAreRefused) {
  Widths widths;
  for_each_wall(9, widths, [&] {
    const bool single_below = std::find(widths.begin() + 1, widths.end(), 1U) != widths.end();
    const Result<System> system = wall(widths);
    ASSERT_EQ(system.has_value(), !single_below);
    if (system) return;
    EXPECT_EQ(system.error().parameter, "widths");
    EXPECT_NE(system.error().nearest, "");
  });
}

TEST(Wall, IsNondominatedExactlyIfItsFirstRowHasOneMember) {
  Widths widths;
  for_each_wall(9, widths, [&] {
    const Result<System> system = wall(widths);
    if (!system) return;
    EXPECT_EQ(reference::is_self_dual(system->write()), widths.front() == 1) << system->spec();
    EXPECT_EQ(system->write().claims().nondominated, widths.front() == 1);
  });
}

TEST(Wall, ARowOfOneBelowTheTopMakesTheRowsAboveUseless) {
  const Result<System> system = wall(Widths{2, 1, 3, 1, 2, 2});
  ASSERT_FALSE(system);
  EXPECT_EQ(system.error().nearest, "wall:widths=1/2/2");
  EXPECT_NE(system.error().message.find("row 4"), std::string::npos);
}

TEST(Wall, RefusesNoRowsEmptyRowsAndTooManyMembers) {
  EXPECT_FALSE(wall(Widths{}));
  EXPECT_EQ(wall(Widths{1, 0, 2}).error().nearest, "wall:widths=1/2");
  EXPECT_EQ(wall(Widths{0}).error().nearest, "");
  EXPECT_FALSE(wall(Widths{1, kMaxMembers}));
  EXPECT_FALSE(wall(Widths{~std::size_t{0}, ~std::size_t{0}}));
  EXPECT_TRUE(wall(Widths{1}));
}

TEST(Wall, TheTriangleOfTheirFigureHasQuorumsOfAsManyAsItHasRows) {
  Widths widths(20);
  std::iota(widths.begin(), widths.end(), 1U);
  const Result<System> system = wall(widths);
  EXPECT_EQ(system->n(), 210U);
  EXPECT_EQ(system->write().min_size(), 20U);
  EXPECT_EQ(system->write().max_size(), 20U);
}

TEST(Wall, RowsOfAllWidthsAreAskedWordByWord) {
  const Result<System> system = wall(Widths{63, 64, 65, 130, 3});
  Random random(5);
  std::size_t formed = 0;
  for (int round = 0; round < 1000; ++round) {
    NodeSet set(system->n());
    for (NodeId member = 0; member < system->n(); ++member) {
      if (random.chance(round % 2 == 0 ? 0.99 : 0.3)) set.insert(member);
    }
    if (round % 4 == 1) set -= NodeSet::of(system->n(), {322, 323});
    const bool contains = system->write().contains_quorum(set);
    formed += contains ? 1 : 0;
    ASSERT_EQ(contains, system->write().find_quorum(set).has_value());
  }
  EXPECT_GT(formed, 250U);
  EXPECT_LT(formed, 750U);
}

TEST(Wall, LargeWallsAreVisitedLazily) {
  const Result<System> system = wall(Widths(100'000, 3));
  std::size_t seen = 0;
  EXPECT_FALSE(system->write().for_each_quorum([&](const NodeSet&) { return ++seen < 5; }));
  EXPECT_EQ(seen, 5U);
  EXPECT_EQ(system->spec(), "wall:widths=3x100000");
}

TEST(Wall, TinyProbabilitiesKeepTheirDigits) {
  const Result<System> system = wall(Widths{1, 2});
  const std::vector<double> up(3, 1e-9);
  Budget budget;
  const double expected = 3e-18 - 2e-27;  // two of three
  EXPECT_NEAR(*system->write().availability(1, up, budget) / expected, 1, 1e-12);
}

TEST(Wall, RowsAreItsLayout) {
  const std::vector<std::vector<NodeId>> rows = {{0}, {1, 2}, {3, 4, 5}};
  EXPECT_EQ(wall(Widths{1, 2, 3})->layout(), rows);
}

}  // namespace
}  // namespace coterie::quorum
