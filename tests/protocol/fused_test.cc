// The floor whose votes carry the count.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "protocol/floors.h"

namespace coterie::protocol {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST(Fused, FourMessagesPerMemberOfTheQuorumAndTwoHops) {
  constexpr std::size_t q = 3;
  Network net("mutin-fused", floor("plane:order=2", 3));
  net.exit(0);
  net.run();
  EXPECT_FALSE(net.is_inside(0));
  EXPECT_THAT(names_delivered(net), ElementsAre("REQUEST", "GRANT", "RELEASED"));
  net.enter(0);
  net.run();
  EXPECT_EQ(net.sent(), 4 * q);
}

TEST(Fused, NeverBelowTheFloor) {
  for (std::uint32_t l = 0; l < 3; ++l) {
    EXPECT_EQ(first_fault("mutin-fused", floor("majority:n=3", l)), "");
  }
  for (std::uint32_t l = 0; l < 7; ++l) {
    EXPECT_EQ(first_fault("mutin-fused", floor("plane:order=2", l), 2), "");
  }
}

TEST(Fused, WhoHoldsAVoteIsToldWhoEnters) {
  Network net("mutin-fused", band("majority:n=3", 2, 3, {0, 1}));
  net.exit(0);
  net.run();
  EXPECT_TRUE(net.is_inside(0));
  net.enter(2);
  net.run();
  EXPECT_FALSE(net.is_inside(0));
  EXPECT_GE(net.sent("UPDATE"), 1U);
}

TEST(Fused, GivesAVoteBackUnlessItHasAll) {
  Network net("mutin-fused", floor("majority:n=3", 1));
  net.hold(1, 2);
  net.exit(1);  // asks 1 and 2, and gets the vote of 1
  net.run();
  net.exit(0);  // asks 0 and 1, and is the better
  net.run();
  EXPECT_EQ(net.sent("PREEMPT"), 1U);
  EXPECT_EQ(net.sent("YIELD"), 1U);
  EXPECT_FALSE(net.is_inside(0));
  net.let_go(1, 2);
  net.run();
  EXPECT_FALSE(net.is_inside(1));
  EXPECT_TRUE(net.is_at_rest());
}

TEST(Fused, NeedsItsUpdatesAndItsYields) {
  EXPECT_THAT(first_fault("mutin-fused@no-update", floor("majority:n=3", 2)), HasSubstr("waits"));
  EXPECT_THAT(first_fault("mutin-fused@never-yields", floor("majority:n=3", 1)),
              HasSubstr("waits"));
}

TEST(Fused, RefusesWhatCannotBe) {
  EXPECT_THROW(Network("mutin-fused", floor("majority:n=3", 3)), std::invalid_argument);
  EXPECT_THROW(Network("mutin-fused", band("majority:n=3", 2, 3, {0})), std::invalid_argument);
}

}  // namespace
}  // namespace coterie::protocol
