#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "base/random.h"
#include "coterie/constructions.h"
#include "quorum/precise.h"
#include "quorum/reference.h"
#include "quorum/self_dual.h"

namespace coterie::quorum {
namespace {

// By the definition: every row with every column, without those that contain another one.
std::set<NodeSet> minimal_crosses(std::size_t n, std::size_t cols) {
  std::set<NodeSet> crosses;
  for (std::size_t row = 0; row * cols < n; ++row) {
    for (std::size_t col = 0; col < cols; ++col) {
      NodeSet cross(n);
      for (NodeId member = 0; member < n; ++member) {
        if (member / cols == row || member % cols == col) cross.insert(member);
      }
      crosses.insert(cross);
    }
  }
  std::set<NodeSet> minimal;
  for (const NodeSet& cross : crosses) {
    const bool contains_another =
        std::any_of(crosses.begin(), crosses.end(),
                    [&](const NodeSet& c) { return c != cross && c.is_subset_of(cross); });
    if (!contains_another) minimal.insert(cross);
  }
  return minimal;
}

TEST(Grid, HasTheMinimalRowsWithColumnsAsQuorums) {
  for (std::size_t n = 1; n <= 30; ++n) {
    for (std::size_t cols = 1; cols <= n; ++cols) {
      SCOPED_TRACE(testing::Message() << "n " << n << ", cols " << cols);
      const std::vector<NodeSet> listed = reference::quorums(grid(n, cols)->write());
      const std::set<NodeSet> expected = minimal_crosses(n, cols);
      ASSERT_EQ(listed.size(), expected.size());
      ASSERT_EQ(std::set<NodeSet>(listed.begin(), listed.end()), expected);
    }
  }
}

TEST(Grid, AnyTwoQuorumsMeetAlsoWithAShortLastRow) {
  for (std::size_t n = 1; n <= 20; ++n) {
    for (std::size_t cols = 1; cols <= n; ++cols) {
      const std::vector<NodeSet> quorums = reference::quorums(grid(n, cols)->write());
      for (const NodeSet& a : quorums) {
        for (const NodeSet& b : quorums) ASSERT_TRUE(a.intersects(b)) << n << " " << cols;
      }
    }
  }
}

TEST(Grid, AgreesWithEnumeration) {
  for (std::size_t n = 1; n <= 12; ++n) {
    for (std::size_t cols = 1; cols <= n; ++cols) {
      reference::expect_system_agrees(*grid(n, cols));
      if (HasFailure()) return;
    }
  }
  for (const std::size_t cols : {2U, 3U, 4U, 5U, 7U, 8U, 9U, 15U}) {
    for (const std::size_t n : {15U, 16U, 17U, 18U})
      reference::expect_system_agrees(*grid(n, cols));
  }
}

TEST(Grid, AvailabilityIsPrecise) {
  for (const std::size_t cols : {1U, 2U, 3U, 4U, 5U, 6U, 8U, 11U, 15U, 16U}) {
    SCOPED_TRACE(cols);
    reference::expect_precise_availability(grid(16, cols)->write());
  }
}

TEST(Grid, MembersThatHardlyDifferAreAsAvailableAsAlikeOnes) {
  for (const std::size_t cols : {3U, 10U, 25U}) {
    const Result<System> system = grid(98, cols);
    std::vector<double> up(98, 0.9);
    Budget budget(200'000'000);
    const auto alike = system->write().availability(1, up, budget);
    up[0] += 1e-15;
    const auto different = system->write().availability(1, up, budget);
    ASSERT_TRUE(alike && different);
    EXPECT_NEAR(*alike, *different, 1e-12) << cols;
  }
}

TEST(Grid, GivesUpOnManyDifferentMembersRatherThanTakeForEver) {
  const Result<System> system = grid(900, 30);
  std::vector<double> up(900, 0.9);
  Budget budget;
  EXPECT_TRUE(system->write().availability(1, up, budget));
  up[0] = 0.8;
  EXPECT_FALSE(system->write().availability(1, up, budget));
}

TEST(Grid, IsNondominatedJustWhereItClaims) {
  for (std::size_t n = 1; n <= 12; ++n) {
    for (std::size_t cols = 1; cols <= n; ++cols) {
      const Result<System> system = grid(n, cols);
      EXPECT_EQ(system->write().claims().nondominated, reference::is_self_dual(system->write()))
          << system->spec();
    }
  }
}

// One answer at a time, by the definition.
bool has_row_and_column(const NodeSet& set, std::size_t cols) {
  const std::size_t n = set.universe();
  bool row_full = false;
  std::vector<bool> col_full(cols, true);
  for (std::size_t first = 0; first < n; first += cols) {
    bool full = true;
    for (std::size_t member = first; member < std::min(n, first + cols); ++member) {
      if (set.contains(static_cast<NodeId>(member))) continue;
      full = false;
      col_full[member - first] = false;
    }
    row_full = row_full || full;
  }
  return row_full && std::find(col_full.begin(), col_full.end(), true) != col_full.end();
}

TEST(Grid, ContainsAQuorumAtScale) {
  Random random(7);
  for (const std::size_t cols :
       {2U, 7U, 32U, 33U, 63U, 64U, 65U, 100U, 128U, 130U, 4999U, 5000U, 9999U}) {
    for (const std::size_t n : {9'999U, 10'000U}) {
      const Result<System> system = grid(n, cols);
      std::size_t yes = 0;
      for (int round = 0; round < 40; ++round) {
        // A quorum with some noise around it, and every second time one member of it lost.
        NodeSet set = system->write().home_quorum(static_cast<NodeId>(random.below(n)));
        std::vector<NodeId> members(set.begin(), set.end());
        for (int i = 0; i < 2000; ++i) set.insert(static_cast<NodeId>(random.below(n)));
        if (round % 2 == 0) set.erase(members[random.below(members.size())]);
        ASSERT_EQ(system->write().contains_quorum(set), has_row_and_column(set, cols))
            << n << " " << cols;
        if (system->write().contains_quorum(set)) ++yes;
      }
      EXPECT_GE(yes, 20U);
      EXPECT_LT(yes, 40U);
    }
  }
}

TEST(Grid, SizesOfMaekawa) {
  const Result<System> system = grid(25, 5);
  EXPECT_EQ(system->write().min_size(), 9U);
  EXPECT_EQ(system->write().max_size(), 9U);
  EXPECT_TRUE(system->write().claims().transitive);
  EXPECT_FALSE(grid(24, 5)->write().claims().transitive);
  EXPECT_EQ(system->write().clients_of(7), system->write().home_quorum(7));
}

TEST(Grid, SpecAndLayout) {
  EXPECT_EQ(grid(6, 3)->spec(), "grid:rows=2,cols=3");
  EXPECT_EQ(grid(5, 3)->spec(), "grid:n=5,cols=3");
  const std::vector<std::vector<NodeId>> rows = {{0, 1, 2}, {3, 4}};
  EXPECT_EQ(grid(5, 3)->layout(), rows);
}

TEST(Grid, RefusesWhatIsNoGrid) {
  EXPECT_EQ(grid(0, 3).error().parameter, "n");
  EXPECT_EQ(grid(0, 3).error().nearest, "grid:rows=1,cols=1");
  EXPECT_EQ(grid(7, 0).error().parameter, "cols");
  EXPECT_EQ(grid(7, 0).error().nearest, "grid:rows=7,cols=1");
  EXPECT_EQ(grid(7, 8).error().parameter, "cols");
  EXPECT_EQ(grid(7, 8).error().nearest, "grid:rows=1,cols=7");
  EXPECT_EQ(grid(kMaxMembers + 1, 1000).error().nearest, "grid:rows=1000,cols=1000");
  EXPECT_TRUE(grid(1, 1));
  EXPECT_TRUE(grid(kMaxMembers, 999));
}

}  // namespace
}  // namespace coterie::quorum
