#include <gtest/gtest.h>

#include "coterie/constructions.h"
#include "quorum/reference.h"
#include "quorum/self_dual.h"

namespace coterie::quorum {
namespace {

TEST(Wheel, AgreesWithEnumeration) {
  for (std::size_t n = 3; n <= 12; ++n) {
    SCOPED_TRACE(n);
    reference::expect_system_agrees(*wheel(n));
  }
}

TEST(Wheel, HasASpokeForEachOfTheRimAndTheRim) {
  const std::vector<NodeSet> quorums = reference::quorums(wheel(5)->write());
  EXPECT_EQ(quorums.size(), 5U);
  EXPECT_EQ(quorums.front(), NodeSet::of(5, {0, 1}));
  EXPECT_EQ(quorums.back(), NodeSet::of(5, {1, 2, 3, 4}));
}

TEST(Wheel, IsNondominated) {
  EXPECT_TRUE(reference::is_self_dual(wheel(8)->write()));
  EXPECT_EQ(wheel(8)->write().claims().nondominated, true);
}

TEST(Wheel, NeedsARimOfTwo) {
  for (const std::size_t n : {0U, 1U, 2U}) {
    ASSERT_FALSE(wheel(n));
    EXPECT_EQ(wheel(n).error().nearest, "wheel:n=3");
    EXPECT_EQ(wheel(n).error().parameter, "n");
  }
  EXPECT_EQ(wheel(kMaxMembers + 1).error().nearest, "wheel:n=1000000");
}

TEST(Wheel, IsDrawnAsTheHubAboveTheRim) {
  const std::vector<std::vector<NodeId>> rows = {{0}, {1, 2, 3}};
  EXPECT_EQ(wheel(4)->layout(), rows);
  EXPECT_EQ(wheel(4)->spec(), "wheel:n=4");
}

}  // namespace
}  // namespace coterie::quorum
