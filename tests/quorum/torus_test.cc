#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <set>

#include "base/random.h"
#include "coterie/constructions.h"
#include "quorum/precise.h"
#include "quorum/reference.h"

namespace coterie::quorum {
namespace {

using Sets = std::set<NodeSet>;

// By the definition, whether the shape is legal or not.
Sets write_quorums(std::size_t rows, std::size_t cols, std::size_t k) {
  const std::size_t n = rows * cols;
  Sets quorums;
  for (std::size_t row = 0; row < rows; ++row) {
    NodeSet full(n);
    for (std::size_t col = 0; col < cols; ++col) full.insert(static_cast<NodeId>(row * cols + col));
    Sets chosen{full};
    for (std::size_t i = 1; i <= rows / (k + 1); ++i) {
      Sets longer;
      for (const NodeSet& set : chosen) {
        for (std::size_t col = 0; col < cols; ++col) {
          NodeSet with = set;
          with.insert(static_cast<NodeId>((row + i) % rows * cols + col));
          longer.insert(with);
        }
      }
      chosen = std::move(longer);
    }
    quorums.merge(chosen);
  }
  return quorums;
}

Sets listed(const Family& family) {
  const std::vector<NodeSet> quorums = reference::quorums(family);
  Sets sets(quorums.begin(), quorums.end());
  EXPECT_EQ(sets.size(), quorums.size());
  return sets;
}

// Whether every h < k disjoint quorums leave room for one more. Checks maximal packings.
bool leaves_room(const std::vector<NodeSet>& quorums, std::size_t from, const NodeSet& taken,
                 std::size_t count, std::size_t k) {
  if (count == k) return true;
  if (std::none_of(quorums.begin(), quorums.end(),
                   [&](const NodeSet& quorum) { return !quorum.intersects(taken); })) {
    return false;
  }
  for (std::size_t i = from; i < quorums.size(); ++i) {
    if (quorums[i].intersects(taken)) continue;
    if (!leaves_room(quorums, i + 1, taken | quorums[i], count + 1, k)) return false;
  }
  return true;
}

TEST(Torus, Section2TheExampleOnEightNodesIsTheTorusOfFourRows) {
  // W and R as printed; node i of the paper is our i - 1.
  const Sets write = {NodeSet::of(8, {0, 1, 2}), NodeSet::of(8, {0, 1, 3}),
                      NodeSet::of(8, {4, 5, 6}), NodeSet::of(8, {4, 5, 7}),
                      NodeSet::of(8, {0, 6, 7}), NodeSet::of(8, {1, 6, 7}),
                      NodeSet::of(8, {2, 3, 4}), NodeSet::of(8, {2, 3, 5})};
  const Sets read = {
      NodeSet::of(8, {0, 2, 4, 6}), NodeSet::of(8, {0, 2, 4, 7}), NodeSet::of(8, {0, 2, 5, 6}),
      NodeSet::of(8, {0, 2, 5, 7}), NodeSet::of(8, {0, 3, 4, 6}), NodeSet::of(8, {0, 3, 4, 7}),
      NodeSet::of(8, {0, 3, 5, 6}), NodeSet::of(8, {0, 3, 5, 7}), NodeSet::of(8, {1, 2, 4, 6}),
      NodeSet::of(8, {1, 2, 4, 7}), NodeSet::of(8, {1, 2, 5, 6}), NodeSet::of(8, {1, 2, 5, 7}),
      NodeSet::of(8, {1, 3, 4, 6}), NodeSet::of(8, {1, 3, 4, 7}), NodeSet::of(8, {1, 3, 5, 6}),
      NodeSet::of(8, {1, 3, 5, 7})};
  const Result<System> system = torus(4, 2, 2);
  EXPECT_EQ(listed(system->write()), write);
  EXPECT_EQ(listed(system->read()), read);
}

TEST(Torus, Section2QuorumSizes) {
  // "approximately 2 sqrt(n/(k+1))" for c = sqrt(n/(k+1)), r = sqrt(n(k+1)); a read has r members.
  const Result<System> system = torus(15, 5, 2);
  EXPECT_EQ(system->write().min_size(), 10U);
  EXPECT_EQ(system->write().max_size(), 10U);
  EXPECT_EQ(system->read().min_size(), 15U);
  EXPECT_EQ(system->k(), 2U);
  EXPECT_EQ(system->read().k(), 5U);
}

TEST(Torus, Section2EachWriteMeetsEachRead) {
  const Result<System> system = torus(5, 2, 2);
  for (const NodeSet& write : listed(system->write())) {
    for (const NodeSet& read : listed(system->read())) EXPECT_TRUE(write.intersects(read));
  }
}

TEST(Torus, IsLegalJustWhereNonIntersectionHolds) {
  std::size_t legal = 0;
  for (std::size_t k = 1; k <= 5; ++k) {
    for (std::size_t rows = 1; rows <= 12; ++rows) {
      for (std::size_t cols = 1; cols <= (rows <= 8 ? 3U : 2U); ++cols) {
        const Sets sets = write_quorums(rows, cols, k);
        const std::vector<NodeSet> quorums(sets.begin(), sets.end());
        const bool progress = leaves_room(quorums, 0, NodeSet(rows * cols), 0, k);
        const Result<System> system = torus(rows, cols, k);
        ASSERT_EQ(system.has_value(), progress) << rows << "x" << cols << ", k = " << k;
        if (!system) continue;
        ++legal;
        ASSERT_EQ(listed(system->write()), sets) << system->spec();
      }
    }
  }
  // In 1 to 12 rows there are 12 legal numbers of rows for k = 1, 10, 3, 1 and 1 for the others.
  EXPECT_EQ(legal, (8 * 3 + 4 * 2) + (6 * 3 + 4 * 2) + (2 * 3 + 2) + 3 + 3U);
}

TEST(Torus, ThePapersConditionAdmitsAShapeThatBlocks) {
  // floor(6/4) < floor(6/3), and yet the rows 0 and 3 with their tails leave no third quorum.
  EXPECT_LT(6 / (3 + 1), 6 / 3);
  const NodeSet taken = NodeSet::of(12, {0, 1, 2, 6, 7, 8});
  for (const NodeSet& quorum : write_quorums(6, 2, 3)) EXPECT_TRUE(quorum.intersects(taken));
  ASSERT_FALSE(torus(6, 2, 3));
}

struct TorusShape {
  std::size_t rows;
  std::size_t cols;
  std::size_t k;
};

TEST(Torus, AgreesWithEnumeration) {
  for (std::size_t k = 1; k <= 6; ++k) {
    for (std::size_t rows = 1; rows <= 12; ++rows) {
      for (std::size_t cols = 1; rows * cols <= 12; ++cols) {
        const Result<System> system = torus(rows, cols, k);
        if (system) reference::expect_system_agrees(*system);
        if (HasFailure()) return;
      }
    }
  }
  for (const auto& [rows, cols, k] : std::vector<TorusShape>{{7, 2, 3},
                                                             {11, 1, 3},
                                                             {15, 1, 3},
                                                             {5, 3, 2},
                                                             {6, 3, 2},
                                                             {9, 2, 2},
                                                             {8, 2, 2},
                                                             {4, 4, 1},
                                                             {5, 3, 5},
                                                             {18, 1, 2},
                                                             {19, 1, 3}}) {
    reference::expect_system_agrees(*torus(rows, cols, k), {.random_sets = 1000});
  }
}

TEST(Torus, AvailabilityIsPrecise) {
  for (const auto& [rows, cols, k] : std::vector<TorusShape>{{4, 4, 1},
                                                             {4, 4, 2},
                                                             {6, 3, 2},
                                                             {7, 2, 3},
                                                             {8, 2, 2},
                                                             {9, 2, 2},
                                                             {15, 1, 3},
                                                             {4, 3, 4},
                                                             {2, 6, 1}}) {
    SCOPED_TRACE(rows);
    reference::expect_precise_availability(torus(rows, cols, k)->write());
  }
}

TEST(Torus, OneColumnMakesLinesOfRows) {
  // All of one size, so minimal; the two starts of 2x1 with k = 1 are one quorum.
  const Sets lines = {NodeSet::of(4, {0, 1}), NodeSet::of(4, {1, 2}), NodeSet::of(4, {2, 3}),
                      NodeSet::of(4, {0, 3})};
  EXPECT_EQ(listed(torus(4, 1, 2)->write()), lines);
  EXPECT_EQ(listed(torus(2, 1, 1)->write()), Sets{NodeSet::all(2)});
  EXPECT_EQ(listed(torus(1, 1, 1)->write()), Sets{NodeSet::all(1)});
  EXPECT_EQ(listed(torus(2, 2, 2)->write()),
            (Sets{NodeSet::of(4, {0, 1}), NodeSet::of(4, {2, 3})}));
  EXPECT_EQ(listed(torus(2, 2, 1)->write()).size(), 4U);
}

TEST(Torus, LargeOnesAnswerFromTheirStructure) {
  const Result<System> system = torus(173, 58, 2);
  const Family& write = system->write();
  const std::vector<double> up(system->n(), 0.97);
  for (std::size_t h = 1; h <= 2; ++h) {
    Budget budget;
    const auto own = write.availability(h, up, budget);
    ASSERT_TRUE(own);
    EXPECT_GT(*own, 0.9);
    EXPECT_LT(*own, 1);
  }
  Budget budget;
  EXPECT_EQ(write.cheapest_blocker({}, budget), 173U);  // 58 + 173 - 58 is as much
  EXPECT_TRUE(torus(173, 58, 1)->write().availability(1, up, budget));
}

TEST(Torus, ContainsAQuorumAtScale) {
  Random random(9);
  for (const auto& [rows, cols, k] : {std::tuple{173U, 58U, 2U},
                                      {100U, 100U, 1U},
                                      {199U, 50U, 3U},
                                      {5000U, 2U, 2U},
                                      {9999U, 1U, 1U}}) {
    const Result<System> system = torus(rows, cols, k);
    const std::size_t n = system->n();
    std::size_t yes = 0;
    for (int round = 0; round < 60; ++round) {
      NodeSet set = system->write().home_quorum(static_cast<NodeId>(random.below(n)));
      std::vector<NodeId> members(set.begin(), set.end());
      for (std::size_t i = 0; i < n / 8; ++i) set.insert(static_cast<NodeId>(random.below(n)));
      if (round % 2 == 0) set.erase(members[random.below(members.size())]);
      // find_quorum looks at each row by itself.
      const bool expected = system->write().find_quorum(set).has_value();
      ASSERT_EQ(system->write().contains_quorum(set), expected) << system->spec();
      if (expected) ++yes;
    }
    EXPECT_GE(yes, 30U);
  }
}

TEST(Torus, RefusesWithTheReasonAndTheNearestLegalRows) {
  const Error error = torus(6, 4, 3).error();
  EXPECT_EQ(error.parameter, "rows");
  EXPECT_NE(error.message.find("k = 3 needs rows ≡ 3 (mod 4)"), std::string::npos) << error.message;
  EXPECT_EQ(error.nearest, "torus:rows=7,cols=4,k=3");
  EXPECT_EQ(torus(5, 4, 3).error().nearest, "torus:rows=7,cols=4,k=3");  // 3 is as near
  EXPECT_EQ(torus(4, 4, 3).error().nearest, "torus:rows=3,cols=4,k=3");
  EXPECT_EQ(torus(3, 2, 2).error().nearest, "torus:rows=4,cols=2,k=2");
  EXPECT_EQ(torus(9, 2, 5).error().nearest, "torus:rows=5,cols=2,k=5");
  EXPECT_EQ(torus(2, 2, 5).error().nearest, "torus:rows=5,cols=2,k=5");
  EXPECT_EQ(torus(4, 2, 0).error().parameter, "k");
  EXPECT_EQ(torus(4, 2, 0).error().nearest, "torus:rows=4,cols=2,k=1");
  EXPECT_EQ(torus(0, 2, 3).error().nearest, "torus:rows=3,cols=2,k=3");
  EXPECT_EQ(torus(7, 0, 3).error().nearest, "torus:rows=7,cols=1,k=3");
  constexpr std::size_t kHuge = std::numeric_limits<std::size_t>::max();
  EXPECT_FALSE(torus(kHuge, 2, 2));
  EXPECT_FALSE(torus(4, kHuge, 2));
  EXPECT_EQ(torus(4, 2, kHuge).error().parameter, "k");
  EXPECT_EQ(torus(500'000, 2, 3).error().nearest, "torus:rows=499999,cols=2,k=3");
}

TEST(Torus, SpecAndLayout) {
  const Result<System> system = torus(4, 2, 2);
  EXPECT_EQ(system->spec(), "torus:rows=4,cols=2,k=2");
  EXPECT_EQ(system->kind(), Kind::write_read);
  EXPECT_EQ(system->layout().size(), 4U);
  EXPECT_EQ(system->layout()[3], (std::vector<NodeId>{6, 7}));
}

}  // namespace
}  // namespace coterie::quorum
