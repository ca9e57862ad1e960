#include <gtest/gtest.h>

#include <limits>

#include "coterie/constructions.h"
#include "quorum/precise.h"
#include "quorum/reference.h"

namespace coterie::quorum {
namespace {

TEST(GridRw, AWriteIsOneOfEachRowAndAReadIsARow) {
  const Result<System> system = grid_rw(2, 3);
  const std::vector<NodeSet> writes = reference::quorums(system->write());
  const std::vector<NodeSet> reads = reference::quorums(system->read());
  ASSERT_EQ(writes.size(), 9U);
  EXPECT_EQ(writes.front(), NodeSet::of(6, {0, 3}));
  EXPECT_EQ(writes.back(), NodeSet::of(6, {2, 5}));
  EXPECT_EQ(reads, (std::vector{NodeSet::of(6, {0, 1, 2}), NodeSet::of(6, {3, 4, 5})}));
}

TEST(GridRw, EachWriteMeetsEachRead) {
  const Result<System> system = grid_rw(3, 4);
  for (const NodeSet& write : reference::quorums(system->write())) {
    for (const NodeSet& read : reference::quorums(system->read())) {
      EXPECT_TRUE(write.intersects(read));
    }
  }
}

TEST(GridRw, AgreesWithEnumeration) {
  for (std::size_t rows = 1; rows <= 12; ++rows) {
    for (std::size_t cols = 1; rows * cols <= 12; ++cols) {
      reference::expect_system_agrees(*grid_rw(rows, cols));
      if (HasFailure()) return;
    }
  }
  reference::expect_system_agrees(*grid_rw(4, 4));
  reference::expect_system_agrees(*grid_rw(3, 5));
}

TEST(GridRw, AvailabilityIsPrecise) {
  for (const auto& [rows, cols] : {std::pair{4U, 4U}, {2U, 7U}, {7U, 2U}, {1U, 9U}, {9U, 1U}}) {
    SCOPED_TRACE(rows);
    reference::expect_precise_availability(grid_rw(rows, cols)->write());
    reference::expect_precise_availability(grid_rw(rows, cols)->read());
  }
}

TEST(GridRw, SpecLayoutAndDegree) {
  const Result<System> system = grid_rw(2, 3);
  EXPECT_EQ(system->kind(), Kind::write_read);
  EXPECT_EQ(system->spec(), "grid-rw:rows=2,cols=3");
  EXPECT_EQ(system->write().k(), 3U);
  EXPECT_EQ(system->read().k(), 2U);
  const std::vector<std::vector<NodeId>> rows = {{0, 1, 2}, {3, 4, 5}};
  EXPECT_EQ(system->layout(), rows);
}

TEST(GridRw, RefusesWhatHasNoMembersOrTooMany) {
  EXPECT_EQ(grid_rw(0, 3).error().parameter, "rows");
  EXPECT_EQ(grid_rw(0, 3).error().nearest, "grid-rw:rows=1,cols=3");
  EXPECT_EQ(grid_rw(3, 0).error().parameter, "cols");
  EXPECT_EQ(grid_rw(3, 0).error().nearest, "grid-rw:rows=3,cols=1");
  EXPECT_EQ(grid_rw(1000, 1001).error().nearest, "grid-rw:rows=1000,cols=1000");
  constexpr std::size_t kHuge = std::numeric_limits<std::size_t>::max();
  EXPECT_EQ(grid_rw(kHuge, kHuge).error().nearest, "grid-rw:rows=1,cols=1000000");
  EXPECT_EQ(grid_rw(2, kHuge).error().nearest, "grid-rw:rows=2,cols=500000");
}

}  // namespace
}  // namespace coterie::quorum
