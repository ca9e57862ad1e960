// What those who look are shown: who holds a name, who waits for it, and why.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "member/cluster.h"

namespace coterie::member {
namespace {

using ::testing::HasSubstr;

TEST(Picture, SaysWhoHoldsWhoWaitsAndWhy) {
  Cluster cluster("majority:n=3");
  const SessionId a = cluster.join(0, "web-1");
  const SessionId b = cluster.join(1, "web-2");
  const SessionId c = cluster.join(2, "web-3");
  const RequestId held = cluster.room(a, "r", {"blue"});
  cluster.room(b, "r", {"green"});
  cluster.room(c, "r", {"red"});
  const Picture picture = cluster.show(c, "r");
  ASSERT_EQ(picture.holders.size(), 1U);
  EXPECT_EQ(picture.holders[0].client, "web-1");
  EXPECT_EQ(picture.holders[0].group, "blue");
  EXPECT_EQ(picture.holders[0].token, cluster.token(a, held));
  EXPECT_GT(picture.holders[0].good_for, 0U);
  ASSERT_EQ(picture.waiters.size(), 2U);
  EXPECT_EQ(picture.waiters[0].client, "web-2");
  EXPECT_EQ(picture.waiters[0].why, "next: group blue is inside (web-1)");
  EXPECT_EQ(picture.waiters[1].client, "web-3");
  EXPECT_EQ(picture.waiters[1].why, "1 before it in line; group blue is inside (web-1)");
}

TEST(Picture, SaysWhenNoQuorumIsReachable) {
  Cluster cluster("majority:n=3");
  cluster.kill(1);
  cluster.kill(2);
  cluster.pass(Cluster::kLease * 2);
  const SessionId client = cluster.join(0, "web-1");
  cluster.mutex(client, "m");
  const Picture picture = cluster.show(client, "m");
  ASSERT_EQ(picture.waiters.size(), 1U);
  EXPECT_EQ(picture.waiters[0].why, "a reaches only 1 of 3 members: no quorum");
  EXPECT_EQ(picture.dark, (std::vector<NodeId>{1, 2}));
}

TEST(Picture, SaysThatADeadMemberMayStillHold) {
  Cluster cluster("majority:n=3");
  const SessionId holder = cluster.join(0);
  const SessionId waiter = cluster.join(1, "web-2");
  cluster.mutex(holder, "m");
  cluster.mutex(waiter, "m");
  cluster.kill(0);
  const Picture picture = cluster.show(waiter, "m");
  ASSERT_EQ(picture.waiters.size(), 1U);
  EXPECT_THAT(picture.waiters[0].why,
              HasSubstr("next: clients of a, which does not answer, may hold it for"));
}

TEST(View, ThatOfNoKindWasNone) {
  View view;
  EXPECT_TRUE(is_possible(view, 3));
  view.was = Kind{};
  EXPECT_FALSE(is_possible(view, 3));
  view.kind = Kind{Type::semaphore, 0, 2};
  EXPECT_TRUE(is_possible(view, 3));
}

}  // namespace
}  // namespace coterie::member
