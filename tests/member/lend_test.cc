// What a member lends to a client in its own process.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "member/cluster.h"

namespace coterie::member {
namespace {

constexpr Number kUsers = 10;

TEST(Lend, ReservesATokenForEachUser) {
  Cluster cluster("majority:n=3");
  const SessionId resident = cluster.move_in(0);
  const RequestId request = cluster.mutex(resident, "m");
  cluster.packet_frames();
  EXPECT_EQ(cluster.lend(resident, request, kUsers), cluster.token(resident, request) + kUsers);
  EXPECT_EQ(cluster.packet_frames(), 0U) << "no message";
}

TEST(Lend, LastsWithoutAWordFromTheResident) {
  Cluster cluster("majority:n=3");
  const SessionId resident = cluster.move_in(0);
  const RequestId request = cluster.mutex(resident, "m");
  cluster.lend(resident, request, kUsers);
  cluster.pass(Cluster::kLease * 5);
  EXPECT_EQ(cluster.told<Lost>(resident, request), nullptr);
  EXPECT_GT(cluster.member(0).good_until(resident, request), cluster.now());
}

TEST(Lend, WhatIsIdleGoesToWhoAsksWithAGreaterToken) {
  for (const NodeId at : {0U, 1U}) {
    Cluster cluster("majority:n=3");
    const SessionId resident = cluster.move_in(0);
    const SessionId other = cluster.join(at);
    const RequestId request = cluster.mutex(resident, "m");
    const Number last = cluster.lend(resident, request, kUsers);
    const RequestId asked = cluster.mutex(other, "m");
    ASSERT_TRUE(cluster.is_inside(other, asked)) << "at member " << at;
    EXPECT_GT(cluster.token(other, asked), last);
    EXPECT_EQ(cluster.told<Left>(resident, request), nullptr) << "it knows";
  }
}

TEST(Lend, WhatIsUsedGoesToWhoAsksWhenItIsReleased) {
  for (const NodeId at : {0U, 1U}) {
    Cluster cluster("majority:n=3");
    const SessionId resident = cluster.move_in(0);
    const SessionId other = cluster.join(at);
    const RequestId request = cluster.mutex(resident, "m");
    const Number last = cluster.lend(resident, request, kUsers);
    cluster.use(request, last - 1);
    const RequestId asked = cluster.mutex(other, "m");
    EXPECT_FALSE(cluster.is_inside(other, asked)) << "at member " << at;
    EXPECT_EQ(cluster.lend(resident, request, kUsers), 0U) << "somebody waits";
    cluster.release(resident, request);
    ASSERT_TRUE(cluster.is_inside(other, asked));
    EXPECT_GT(cluster.token(other, asked), last);
  }
}

TEST(Lend, IsNoHoldAlreadyUnlessItIsUsed) {
  Cluster cluster("majority:n=3");
  const SessionId resident = cluster.move_in(0);
  const RequestId first = cluster.mutex(resident, "m");
  const Number last = cluster.lend(resident, first, kUsers);
  cluster.use(first, last);
  const RequestId refused = cluster.mutex(resident, "m");
  ASSERT_NE(cluster.told<Refused>(resident, refused), nullptr);
  EXPECT_EQ(cluster.told<Refused>(resident, refused)->why, Refusal::held_already);
  cluster.lend(resident, first, kUsers);
  const RequestId again = cluster.mutex(resident, "m");
  EXPECT_TRUE(cluster.is_inside(resident, again));
  EXPECT_GT(cluster.token(resident, again), last + kUsers);
}

TEST(Lend, IsShownAsItIs) {
  Cluster cluster("majority:n=3");
  const SessionId resident = cluster.move_in(0);
  const SessionId looker = cluster.join(1);
  const RequestId request = cluster.mutex(resident, "m");
  const Number last = cluster.lend(resident, request, kUsers);
  cluster.use(request, last);
  const Picture used = cluster.show(looker, "m");
  ASSERT_EQ(used.holders.size(), 1U);
  EXPECT_EQ(used.holders[0].token, last);
  cluster.lend(resident, request, kUsers);
  EXPECT_TRUE(cluster.show(looker, "m").holders.empty());
}

TEST(Lend, IsLostWithTheQuorum) {
  Cluster cluster("majority:n=3");
  const SessionId resident = cluster.move_in(0);
  const RequestId request = cluster.mutex(resident, "m");
  cluster.lend(resident, request, kUsers);
  cluster.kill(1);
  cluster.kill(2);
  cluster.pass(Cluster::kLease * 2);
  EXPECT_NE(cluster.told<Lost>(resident, request), nullptr);
}

TEST(Lend, IsOnlyForMutexes) {
  Cluster cluster("majority:n=3");
  const SessionId resident = cluster.move_in(0);
  const RequestId request = cluster.room(resident, "r", {"blue"});
  EXPECT_EQ(cluster.lend(resident, request, kUsers), 0U);
}

}  // namespace
}  // namespace coterie::member
