#include <gtest/gtest.h>

#include <algorithm>

#include "base/random.h"
#include "coterie/constructions.h"
#include "quorum/difference_set.h"
#include "quorum/reference.h"
#include "quorum/self_dual.h"
#include "sanitized.h"

namespace coterie::quorum {
namespace {

// Every pair of lines meets once, and every pair of members is on one line.
void expect_plane(std::size_t order) {
  SCOPED_TRACE(order);
  const Result<System> system = plane(order);
  const std::size_t n = order * order + order + 1;
  ASSERT_EQ(system->n(), n);
  const std::vector<NodeSet> lines = reference::quorums(system->write());
  ASSERT_EQ(lines.size(), n);
  std::vector<std::size_t> lines_through_pair(n * n, 0);
  for (const NodeSet& line : lines) {
    ASSERT_EQ(line.size(), order + 1);
    for (const NodeId a : line) {
      for (const NodeId b : line) ++lines_through_pair[a * n + b];
    }
  }
  for (std::size_t a = 0; a < n; ++a) {
    for (std::size_t b = 0; b < n; ++b) {
      ASSERT_EQ(lines_through_pair[a * n + b], a == b ? order + 1 : 1);
      ASSERT_EQ((lines[a] & lines[b]).size(), a == b ? order + 1 : 1);
    }
  }
}

TEST(Plane, AnyTwoLinesMeetInOneMemberAndAnyTwoMembersAreOnOneLine) {
  for (const std::size_t order : {2U, 3U, 4U, 5U, 7U, 8U, 9U, 11U, 13U, 16U}) expect_plane(order);
  if (kIsSanitized) return;
  for (const std::size_t order : {25U, 27U, 32U}) expect_plane(order);
}

TEST(Plane, LargeOrdersHaveDifferenceSets) {
  for (const std::size_t order : {49U, 64U, 81U, 101U, 125U, 128U}) {
    const std::vector<NodeId> residues = singer_difference_set(order);
    const std::size_t n = order * order + order + 1;
    EXPECT_EQ(residues.front(), 0U);
    std::vector<std::size_t> times(n, 0);
    for (const NodeId a : residues) {
      for (const NodeId b : residues) ++times[(a + n - b) % n];
    }
    EXPECT_EQ(times[0], order + 1);
    EXPECT_EQ(std::count(times.begin() + 1, times.end(), 1U), static_cast<std::ptrdiff_t>(n - 1));
  }
}

TEST(Plane, AgreesWithEnumeration) {
  reference::expect_system_agrees(*plane(2));
  reference::expect_system_agrees(*plane(3));
  reference::expect_system_agrees(*plane(4), {.random_sets = 1000});
  reference::expect_system_agrees(*plane(8), {.random_sets = 200});
}

TEST(Plane, OnlyTheFanoPlaneIsNondominated) {
  EXPECT_TRUE(reference::is_self_dual(plane(2)->write()));
  EXPECT_EQ(plane(2)->write().claims().nondominated, true);
  EXPECT_FALSE(reference::is_self_dual(plane(3)->write()));
  EXPECT_EQ(plane(3)->write().claims().nondominated, false);
}

// The set of the proof in plane.cc: it hits every line and contains none.
TEST(Plane, LargerOrdersAreDominated) {
  for (const std::size_t order : {3U, 4U, 5U, 7U, 8U, 9U, 16U}) {
    const Result<System> system = plane(order);
    const Family& family = system->write();
    const std::vector<NodeSet> lines = reference::quorums(family);
    const NodeId point = 0;
    NodeSet blocker = lines[0];
    blocker.erase(point);
    std::optional<NodeSet> through_first_two;
    std::vector<NodeId> chosen;
    for (std::size_t j = 1; j < lines.size(); ++j) {
      if (!lines[j].contains(point)) continue;
      // The third point is off the line through the first two; the rest are any.
      for (const NodeId member : lines[j]) {
        if (member == point || (through_first_two && through_first_two->contains(member))) continue;
        chosen.push_back(member);
        break;
      }
      if (chosen.size() == 2) {
        through_first_two = *std::find_if(lines.begin(), lines.end(), [&](const NodeSet& line) {
          return line.contains(chosen[0]) && line.contains(chosen[1]);
        });
      }
    }
    ASSERT_EQ(chosen.size(), order);
    for (const NodeId member : chosen) blocker.insert(member);
    EXPECT_FALSE(family.contains_quorum(blocker)) << order;
    EXPECT_FALSE(family.contains_quorum(blocker.complement())) << order;
  }
}

TEST(Plane, BlockersHaveTheSizeOfALine) {
  for (const std::size_t order : {2U, 5U, 101U}) {
    Budget budget;
    EXPECT_EQ(plane(order)->write().cheapest_blocker({}, budget), order + 1);
  }
}

TEST(Plane, FindsLinesAtScale) {
  Random random(11);
  const Result<System> system = plane(101);
  const std::vector<NodeSet> lines = reference::quorums(system->write());
  for (int round = 0; round < 60; ++round) {
    NodeSet set = lines[random.below(lines.size())];
    const std::vector<NodeId> members(set.begin(), set.end());
    for (int i = 0; i < 1000 * (round % 6); ++i) {
      set.insert(static_cast<NodeId>(random.below(system->n())));
    }
    if (round % 2 == 0) set.erase(members[random.below(members.size())]);
    const bool expected = std::any_of(lines.begin(), lines.end(),
                                      [&](const NodeSet& line) { return line.is_subset_of(set); });
    EXPECT_EQ(system->write().contains_quorum(set), expected);
    const std::optional<NodeSet> found = system->write().find_quorum(set);
    ASSERT_EQ(found.has_value(), expected);
    EXPECT_TRUE(!found || found->is_subset_of(set));
  }
}

TEST(Plane, RefusesOrdersWithoutAField) {
  EXPECT_EQ(plane(6).error().nearest, "plane:order=7");
  EXPECT_EQ(plane(6).error().parameter, "order");
  EXPECT_EQ(plane(12).error().nearest, "plane:order=13");
  EXPECT_EQ(plane(10).error().nearest, "plane:order=11");
  EXPECT_EQ(plane(15).error().nearest, "plane:order=16");
  EXPECT_EQ(plane(20).error().nearest, "plane:order=19");
  EXPECT_EQ(plane(0).error().nearest, "plane:order=2");
  EXPECT_EQ(plane(1).error().nearest, "plane:order=2");
  EXPECT_EQ(plane(1000).error().nearest, "plane:order=997");
  EXPECT_EQ(plane(~std::size_t{0}).error().nearest, "plane:order=997");
  EXPECT_EQ(plane(9)->spec(), "plane:order=9");
}

}  // namespace
}  // namespace coterie::quorum
