// What entering costs, in messages between members and in hops: a hop is everything that is under way
// at one moment.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "member/cluster.h"

namespace coterie::member {
namespace {

// All frames that are under way arrive; what they cause is under way then. How many packets there were.
std::size_t hop(Cluster& cluster) {
  std::size_t packets = 0;
  const auto frames = std::exchange(cluster.frames(), {});
  for (const auto& [way, frame] : frames) {
    packets += frame.asking.packets.size() + frame.answering.packets.size();
    cluster.member(way.second).receive(way.first, frame, cluster.now());
  }
  return packets;
}

struct Cost {
  int hops = 0;
  std::size_t packets = 0;
};

Cost until_inside(Cluster& cluster, SessionId client, RequestId request) {
  constexpr int kMostHops = 10;
  Cost cost;
  for (; !cluster.is_inside(client, request) && cost.hops < kMostHops; ++cost.hops)
    cost.packets += hop(cluster);
  return cost;
}

std::size_t until_quiet(Cluster& cluster) {
  std::size_t packets = 0;
  while (!cluster.frames().empty()) packets += hop(cluster);
  return packets;
}

// Of q arbiters, those that are other members.
std::size_t others_asked(const Cost& entering) { return entering.packets / 2; }

class Costs : public ::testing::TestWithParam<NodeId> {};

TEST_P(Costs, EnteringIsTwoHopsAndThreeMessagesPerArbiter) {
  Cluster cluster("majority:n=5");
  const SessionId client = cluster.join(GetParam());
  cluster.hold_frames();
  const RequestId request = cluster.mutex(client, "name");
  const Cost entering = until_inside(cluster, client, request);
  EXPECT_EQ(entering.hops, 2);
  EXPECT_THAT(others_asked(entering), ::testing::AnyOf(2U, 3U));  // or itself, without a message
  EXPECT_EQ(entering.packets, 2 * others_asked(entering));
  EXPECT_EQ(until_quiet(cluster), 0U);
  // Nobody else wants it, so it stays with the member until the session that holds it is closed and what is
  // kept is wanted by another.
  cluster.release(client, request);
  EXPECT_EQ(until_quiet(cluster), 0U);
}

TEST_P(Costs, EnteringAgainIsFree) {
  Cluster cluster("majority:n=5");
  const SessionId client = cluster.join(GetParam());
  cluster.release(client, cluster.mutex(client, "name"));
  cluster.hold_frames();
  for (int i = 0; i < 100; ++i) {
    const RequestId again = cluster.mutex(client, "name");
    ASSERT_TRUE(cluster.is_inside(client, again));
    cluster.release(client, again);
  }
  EXPECT_EQ(until_quiet(cluster), 0U);
}

TEST_P(Costs, HandingOverIsTwoHops) {
  Cluster cluster("majority:n=5");
  const SessionId first = cluster.join(GetParam());
  const SessionId second = cluster.join((GetParam() + 1) % 5);
  const RequestId held = cluster.mutex(first, "name");
  const RequestId next = cluster.mutex(second, "name");
  ASSERT_TRUE(cluster.is_inside(first, held));
  ASSERT_FALSE(cluster.is_inside(second, next));
  cluster.hold_frames();
  cluster.release(first, held);
  const Cost cost = until_inside(cluster, second, next);
  // One if the arbiters that it still needs are the two members themselves.
  EXPECT_LE(cost.hops, 2);
  EXPECT_LE(cost.packets, 2U * 3U);
}

INSTANTIATE_TEST_SUITE_P(Members, Costs, ::testing::Range<NodeId>(0, 5));

TEST(Leaving, WhatIsWantedIsOneMessagePerArbiter) {
  Cluster cluster("majority:n=5");
  const SessionId first = cluster.join(0);
  const SessionId second = cluster.join(1);
  cluster.hold_frames();
  const RequestId held = cluster.mutex(first, "name");
  const Cost entering = until_inside(cluster, first, held);
  cluster.mutex(second, "name");
  until_quiet(cluster);
  cluster.release(first, held);
  std::size_t releases = 0;  // with REQUEST and LOCK that makes three
  for (const auto& [way, frame] : cluster.frames()) releases += frame.asking.packets.size();
  EXPECT_EQ(releases, others_asked(entering));
}

}  // namespace
}  // namespace coterie::member
