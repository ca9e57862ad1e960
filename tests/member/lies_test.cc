// Numbers that no honest member comes to, in frames of a peer: nobody takes them over. Else one frame would bring a member so far that the
// others do not read its own frames any more (sound.h), or keep it silent for longer than anybody waits.
#include <gtest/gtest.h>

#include "base/pack.h"
#include "member/cluster.h"
#include "member/incarnation.h"
#include "member/sound.h"

namespace coterie::member {
namespace {

Frame frame_to(Cluster& cluster, NodeId member, NodeId from) {
  Frame frame;
  frame.from = cluster.member(from).incarnation();
  frame.to = cluster.member(member).incarnation();
  return frame;
}

// The first two are a quorum of three.
void expect_served_by_two(Cluster& cluster) {
  cluster.kill(2);
  cluster.pass(Cluster::kLease * 3);
  for (NodeId member = 0; member < 2; ++member) {
    const SessionId client = cluster.join(member);
    const RequestId mutex = cluster.mutex(client, "m");
    const RequestId place = cluster.semaphore(client, "s", 2);
    cluster.pass(Cluster::kStep);
    EXPECT_TRUE(cluster.is_inside(client, mutex)) << member;
    EXPECT_TRUE(cluster.is_inside(client, place)) << member;
    cluster.release(client, mutex);
    cluster.pass(Cluster::kStep);
  }
}

TEST(Lies, AboutClocksAreNotFollowed) {
  for (const std::uint64_t number : {kMostBelieved, kMostNumber - 1, kMostNumber}) {
    Cluster cluster("majority:n=3");
    Frame lie = frame_to(cluster, 0, 2);
    lie.clock = static_cast<Time>(number);
    cluster.member(0).receive(2, lie, cluster.now());
    expect_served_by_two(cluster);
  }
}

TEST(Lies, InTagsOfRequestsAreNotFollowed) {
  for (const bool is_counted : {false, true}) {
    Cluster cluster("majority:n=3");
    Frame lie = frame_to(cluster, 0, 2);
    lie.asking.session = 100;
    lie.asking.beat = 100;
    lie.asking.first = 1;
    const protocol::Stamp stamp{static_cast<Time>(kMostNumber), 2};
    Packet<Ask> packet{"lie", is_counted ? Kind{Type::semaphore, 0, 2} : Kind{}, 0, {}};
    if (is_counted) {
      packet.body = Poll{stamp.time, {protocol::Rank::waiting, stamp}, {}, false, {}};
    } else {
      packet.body = Request{stamp.time, {protocol::Rank::waiting, stamp}, {""}, false, {}};
    }
    lie.asking.packets.push_back(packet);
    cluster.member(0).receive(2, lie, cluster.now());
    expect_served_by_two(cluster);
  }
}

TEST(Lies, AboutALaterLifeAreNotBelievedIfItIsFarAway) {
  Cluster cluster("majority:n=3");
  for (const Incarnation life : {kLastIncarnation, kLastIncarnation + 1, ~Incarnation{0}}) {
    Frame lie = frame_to(cluster, 0, 2);
    lie.to = life;
    cluster.member(0).receive(2, lie, cluster.now());
    EXPECT_FALSE(cluster.member(0).outdated());
    lie = frame_to(cluster, 0, 2);
    lie.seen.incarnation = life;
    cluster.member(0).receive(2, lie, cluster.now());
    EXPECT_FALSE(cluster.member(0).outdated());
  }
  expect_served_by_two(cluster);
}

// A member that has lost its disk believes what others tell of ceilings and of leases; but not everything.
TEST(Lies, AreNotLearnedByAMemberThatLostItsDisk) {
  for (const bool is_ceiling : {true, false}) {
    Cluster cluster("majority:n=3");
    const Incarnation last = cluster.member(0).incarnation();
    cluster.kill(0);
    cluster.cut(1, 0);
    cluster.cut(2, 0);
    cluster.start_as(next_incarnation(last, 1), 0, Birth::amnesia);
    cluster.pass(Cluster::kLease * 2);
    ASSERT_FALSE(cluster.member(0).is_sure());
    for (const NodeId from : {NodeId{1}, NodeId{2}}) {
      Frame lie = frame_to(cluster, 0, from);
      lie.ceiling = is_ceiling ? kMostNumber : 1;
      lie.lent_ns = is_ceiling ? 0 : kMostNumber;
      lie.keepsakes = packed(std::vector<std::pair<std::string, Keepsake>>());
      cluster.member(0).receive(from, lie, cluster.now());
    }
    EXPECT_FALSE(cluster.member(0).is_sure());
    cluster.heal();
    cluster.pass(Cluster::kLease * 3);
    EXPECT_TRUE(cluster.member(0).is_sure());
    EXPECT_FALSE(cluster.member(0).is_silent());
    expect_served_by_two(cluster);
  }
}

}  // namespace
}  // namespace coterie::member
