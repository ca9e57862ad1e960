// Lives of a member: their numbers, what others know of them, and a disk that has less than that.
#include <gtest/gtest.h>

#include "member/cluster.h"
#include "member/incarnation.h"

namespace coterie::member {
namespace {

Wish lasting(const std::string& name, const std::string& owner) {
  Wish wish;
  wish.name = name;
  wish.owner = owner;
  return wish;
}

// Takes the place of the driver: a life that is outdated is followed by another, without the disk.
void begin_again(Cluster& cluster, NodeId member) {
  ASSERT_TRUE(cluster.member(member).outdated());
  const Incarnation known = cluster.member(member).outdated()->seen.incarnation;
  const Incarnation above = std::max(known, cluster.member(member).incarnation());
  cluster.kill(member);
  cluster.start_as(next_incarnation(above, 1), member, Birth::amnesia);
}

TEST(Incarnation, CountsStartsAndIsNeverEqual) {
  const Incarnation first = next_incarnation(0, 17);
  EXPECT_EQ(starts_of(first), 1U);
  EXPECT_EQ(starts_of(next_incarnation(first, 0)), 2U);
  EXPECT_GT(next_incarnation(first, 0), first);
  EXPECT_NE(next_incarnation(first, 1), next_incarnation(first, 2));
  EXPECT_FALSE(is_leap(first, next_incarnation(first, 0)));
  EXPECT_FALSE(is_leap(next_incarnation(first, 0), first));
  EXPECT_TRUE(is_leap(first, kLastIncarnation));
}

// A disk is lost, and with it the number: peers know a greater one.
TEST(Lives, AreToldOfALaterOneAndBeginAgainAboveIt) {
  Cluster cluster("majority:n=3");
  cluster.kill(0);
  cluster.start_as(next_incarnation(next_incarnation(0, 5), 5), 0, Birth::restart);
  cluster.pass(Cluster::kLease * 2);
  cluster.kill(0);
  cluster.start_as(next_incarnation(0, 9), 0, Birth::amnesia);
  ASSERT_TRUE(cluster.member(0).outdated());
  EXPECT_TRUE(cluster.member(0).outdated()->is_later_life);
  EXPECT_EQ(starts_of(cluster.member(0).outdated()->seen.incarnation), 2U);
  begin_again(cluster, 0);
  cluster.pass(Cluster::kLease * 2);
  EXPECT_FALSE(cluster.member(0).outdated());
  EXPECT_TRUE(cluster.member(0).is_sure());
  EXPECT_FALSE(cluster.member(0).is_silent());
  const SessionId client = cluster.join(0);
  EXPECT_TRUE(cluster.is_inside(client, cluster.mutex(client, "m")));
}

// Also by peers that have restarted since: they have written it down.
TEST(Lives, AreRememberedOverARestartOfAll) {
  Cluster cluster("majority:n=3");
  cluster.kill(0);
  const Incarnation last = next_incarnation(next_incarnation(0, 5), 5);
  cluster.start_as(last, 0, Birth::restart);
  cluster.pass(Cluster::kLease * 2);
  for (NodeId member = 0; member < 3; ++member) cluster.kill(member);
  const Incarnation again = next_incarnation(0, 1);
  cluster.start_as(again + 1, 1, Birth::restart);
  cluster.start_as(again + 2, 2, Birth::restart);
  cluster.start_as(again, 0, Birth::amnesia);
  ASSERT_TRUE(cluster.member(0).outdated());
  EXPECT_EQ(cluster.member(0).outdated()->seen.incarnation, last);
}

// Nothing that is given to it has an effect.
TEST(Lives, DoNothingMoreWhenTheyAreOutdated) {
  Cluster cluster("majority:n=3");
  const SessionId client = cluster.join(0);
  Frame frame;
  frame.from = cluster.member(1).incarnation();
  frame.to = cluster.member(0).incarnation() + 1;
  cluster.member(0).receive(1, frame, cluster.now());
  ASSERT_TRUE(cluster.member(0).outdated());
  EXPECT_EQ(cluster.member(0).next_tick(), Instant::never());
  const RequestId request = cluster.mutex(client, "m");
  cluster.pass(Cluster::kLease);
  EXPECT_FALSE(cluster.is_inside(client, request));
  EXPECT_FALSE(cluster.member(1).outdated());
}

// Somebody lies, or a bit has flipped: the member itself is heard as before.
TEST(Lives, AreNotBelievedToLeap) {
  Cluster cluster("majority:n=3");
  Frame lie;
  lie.from = kLastIncarnation;
  lie.to = cluster.member(1).incarnation();
  lie.asking.session = 1;
  lie.asking.beat = 1;
  cluster.member(1).receive(0, lie, cluster.now());
  cluster.member(2).receive(0, lie, cluster.now());
  EXPECT_EQ(cluster.member(1).tally().of(Happened::impossible), 1U);
  cluster.pass(Cluster::kLease * 2);
  EXPECT_FALSE(cluster.member(0).outdated());
  EXPECT_TRUE(cluster.member(1).reaches(0));
  cluster.kill(2);
  const SessionId client = cluster.join(1);
  EXPECT_TRUE(cluster.is_inside(client, cluster.mutex(client, "m")));
}

class OldCopy : public ::testing::Test {
 protected:
  // 0 and 1 have written down that "first" holds "m"; then 1 gets an older copy of its disk.
  void SetUp() override {
    cluster.pass(Cluster::kStep);
    const Cluster::Disk old = cluster.disk(1);
    cluster.kill(2);
    const SessionId client = cluster.join(0);
    ASSERT_TRUE(cluster.lasts(client, cluster.acquire(client, lasting("m", "first"))));
    cluster.pass(Cluster::kStep);  // heartbeats say how far each disk has come
    cluster.kill(1);
    cluster.put_back(1, old);
  }
  // At 2, which has never heard of it, with the vote of 1.
  bool has_second_owner() {
    cluster.cut(0, 2);
    cluster.cut(2, 0);
    const SessionId client = cluster.join(2);
    const RequestId request = cluster.acquire(client, lasting("m", "second"));
    cluster.pass(Cluster::kLease * 3);
    return cluster.lasts(client, request);
  }

  Cluster cluster{"majority:n=3"};
};

TEST_F(OldCopy, IsNoticedByWhatOthersHaveSeen) {
  cluster.start(1);
  ASSERT_TRUE(cluster.member(1).outdated());
  EXPECT_FALSE(cluster.member(1).outdated()->is_later_life);
  EXPECT_EQ(cluster.member(1).outdated()->by, 0U);
  begin_again(cluster, 1);
  cluster.start(2);
  cluster.pass(Cluster::kLease * 2);
  EXPECT_TRUE(cluster.member(1).is_sure());
  EXPECT_FALSE(has_second_owner());
}

TEST_F(OldCopy, IsNoticedAfterARestartOfAll) {
  cluster.pass(Duration::seconds(11));  // it is written down now and then
  cluster.kill(0);
  cluster.start(0);
  cluster.start(1);
  EXPECT_TRUE(cluster.member(1).outdated());
}

// A restart with all that it had is no trouble to anybody.
TEST(Restart, WithTheLastWriteIsNotOutdated) {
  Cluster cluster("majority:n=3");
  for (int round = 0; round < 3; ++round) {
    for (NodeId member = 0; member < 3; ++member) {
      const SessionId client = cluster.join(member);
      const RequestId request = cluster.acquire(client, lasting("m" + std::to_string(round), "o"));
      cluster.pass(Cluster::kStep);
      cluster.close(client);
      static_cast<void>(request);
      cluster.kill(member);
      cluster.start(member);
      cluster.pass(Cluster::kLease * 2);
      for (NodeId each = 0; each < 3; ++each) EXPECT_FALSE(cluster.member(each).outdated());
    }
  }
}

// Leases were longer before the restart: who holds by one believes for as long.
TEST(ShorterLease, IsWaitedForByTheLongerOne) {
  Cluster cluster("majority:n=3");
  const Duration longer = Cluster::kLease;
  cluster.pass(Cluster::kStep);
  cluster.kill(1);
  cluster.set_lease(longer / 2);
  cluster.start(1);
  cluster.pass(longer * 3 / 4);
  EXPECT_TRUE(cluster.member(1).is_silent()) << "a former life may have lent for longer";
  cluster.pass(longer / 2);
  EXPECT_FALSE(cluster.member(1).is_silent());
  // Then nothing of before is left, and the next start need not wait so long.
  cluster.kill(1);
  cluster.start(1);
  cluster.pass(longer * 3 / 4);
  EXPECT_FALSE(cluster.member(1).is_silent());
}

// The disk that knew of longer leases is lost; those that tell the rest tell this too.
TEST(ShorterLease, IsToldToOneThatLostItsDisk) {
  Cluster cluster("majority:n=3");
  const Duration longer = Cluster::kLease;
  cluster.pass(Cluster::kStep);
  cluster.kill(1);
  cluster.set_lease(longer / 2);
  cluster.start(1, Birth::amnesia);
  cluster.pass(longer * 3 / 4);
  EXPECT_TRUE(cluster.member(1).is_silent());
  cluster.pass(longer / 2);
  EXPECT_TRUE(cluster.member(1).is_sure());
  EXPECT_FALSE(cluster.member(1).is_silent());
}

// Two of three disks are lost, and one member knows what is left.
TEST(AcceptedLoss, GoesOnWithWhatOthersKnow) {
  Cluster cluster("majority:n=3");
  const SessionId client = cluster.join(0);
  ASSERT_TRUE(cluster.lasts(client, cluster.acquire(client, lasting("m", "first"))));
  cluster.pass(Cluster::kStep);
  for (const NodeId lost : {1U, 2U}) {
    cluster.kill(lost);
    cluster.start(lost, Birth::amnesia);
    EXPECT_FALSE(cluster.member(lost).accept_loss(cluster.now())) << "it may have lent something";
  }
  cluster.pass(Cluster::kLease * 4);
  for (const NodeId lost : {1U, 2U}) {
    EXPECT_FALSE(cluster.member(lost).is_sure());
    EXPECT_TRUE(cluster.member(lost).accept_loss(cluster.now()));
    EXPECT_TRUE(cluster.member(lost).is_sure());
  }
  cluster.pass(Cluster::kLease);
  const SessionId second = cluster.join(2);
  EXPECT_FALSE(cluster.is_inside(second, cluster.mutex(second, "m")));
  EXPECT_TRUE(cluster.is_inside(second, cluster.mutex(second, "n")));
}

}  // namespace
}  // namespace coterie::member
