// Names that become something else while they are in use, and names of which nothing is set any more.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "member/cluster.h"

namespace coterie::member {
namespace {

using ::testing::HasSubstr;

constexpr Kind kMutex{Type::mutex, 0, 1};
constexpr Kind kRoom{Type::room, 0, 1};
constexpr Kind kTwoRooms{Type::room, 0, 2};
constexpr Kind kTwo{Type::semaphore, 0, 2};

class Becoming : public ::testing::Test {
 protected:
  RequestId reform(SessionId client, const Kind& kind) {
    return cluster_.change(client, {0, "x", kind, kind, true, false});
  }
  RequestId forget(SessionId client) {
    return cluster_.change(client, {0, "x", {}, {}, false, true});
  }
  bool is_done(SessionId client, RequestId request) const {
    return cluster_.told<Left>(client, request) != nullptr;
  }
  const Refused* refused(SessionId client, RequestId request) const {
    return cluster_.told<Refused>(client, request);
  }

  Cluster cluster_{"majority:n=5"};
  SessionId boss_ = cluster_.join(0, "boss");
  SessionId one_ = cluster_.join(1, "one");
  SessionId two_ = cluster_.join(2, "two");
  SessionId three_ = cluster_.join(3, "three");
};

TEST_F(Becoming, ItIsTheOtherWhenAllHaveLeft) {
  const RequestId held = cluster_.mutex(one_, "x");
  const RequestId waits = cluster_.mutex(two_, "x");
  const RequestId set = reform(boss_, kTwo);
  EXPECT_FALSE(is_done(boss_, set));
  ASSERT_TRUE(cluster_.is_inside(one_, held));
  const Number former = cluster_.token(one_, held);
  ASSERT_NE(refused(two_, waits), nullptr);
  EXPECT_EQ(refused(two_, waits)->why, Refusal::mismatch);
  EXPECT_THAT(refused(two_, waits)->text, HasSubstr("becomes a semaphore of 2 when all have left"));
  for (const SessionId client : {two_, three_})
    EXPECT_NE(refused(client, cluster_.mutex(client, "x")), nullptr);
  // Where nothing of the old is left, one may wait for the new.
  const RequestId early = cluster_.semaphore(three_, "x", 2);
  EXPECT_FALSE(cluster_.is_inside(three_, early));
  const Picture picture = cluster_.show(boss_, "x");
  EXPECT_EQ(picture.kind, kTwo);
  EXPECT_EQ(picture.was, kMutex);

  cluster_.release(one_, held);
  EXPECT_TRUE(is_done(boss_, set));
  const RequestId first = cluster_.semaphore(two_, "x", 2);
  ASSERT_TRUE(cluster_.is_inside(two_, first));
  EXPECT_TRUE(cluster_.is_inside(three_, early) || refused(three_, early) != nullptr);
  EXPECT_GT(cluster_.token(two_, first), former);
  const RequestId old = cluster_.mutex(one_, "x");
  ASSERT_NE(refused(one_, old), nullptr);
  EXPECT_THAT(refused(one_, old)->text, HasSubstr("in use as a semaphore of 2"));
  EXPECT_EQ(cluster_.show(boss_, "x").was, std::nullopt);
}

TEST_F(Becoming, NothingOfTheOldIsForgottenByARestart) {
  ASSERT_TRUE(is_done(boss_, reform(boss_, kTwo)));
  for (NodeId id = 0; id < 5; ++id) {
    cluster_.kill(id);
    cluster_.start(id);
    cluster_.pass(Cluster::kLease * 3);
  }
  const SessionId late = cluster_.join(4);
  EXPECT_NE(refused(late, cluster_.mutex(late, "x")), nullptr);
  EXPECT_TRUE(cluster_.is_inside(late, cluster_.semaphore(late, "x", 2)));
}

// One who was away is told before it is asked.
TEST_F(Becoming, WhoWasAwayTurnsToo) {
  cluster_.kill(4);
  ASSERT_TRUE(is_done(boss_, reform(boss_, kTwo)));
  cluster_.start(4);
  cluster_.pass(Cluster::kLease * 3);
  const SessionId late = cluster_.join(4);
  EXPECT_NE(refused(late, cluster_.mutex(late, "x")), nullptr);
  EXPECT_TRUE(cluster_.is_inside(late, cluster_.semaphore(late, "x", 2)));
}

TEST_F(Becoming, WithoutAQuorumItWaits) {
  for (const NodeId id : {2U, 3U, 4U}) cluster_.kill(id);
  const RequestId set = reform(boss_, kTwo);
  EXPECT_FALSE(is_done(boss_, set));
  cluster_.start(2);
  cluster_.pass(Cluster::kLease * 3);
  EXPECT_TRUE(is_done(boss_, set));
}

// Whoever dies with it, those whom it told tell the others: not some for ever one, and some the other.
TEST_F(Becoming, WhatOneHasHeardAllHear) {
  const RequestId held = cluster_.mutex(one_, "x");
  for (const NodeId id : {1U, 2U, 3U}) cluster_.cut(0, id);
  cluster_.cut(4, 0);  // it does not hear that it was heard
  reform(boss_, kTwo);
  cluster_.heal();
  cluster_.kill(0);
  cluster_.pass(Cluster::kLease * 3);
  cluster_.release(one_, held);
  const bool is_two = cluster_.is_inside(two_, cluster_.semaphore(two_, "x", 2));
  const bool is_mutex = cluster_.is_inside(three_, cluster_.mutex(three_, "x"));
  EXPECT_NE(is_two, is_mutex);
}

// Its floor keeps nobody in what is over, nor those who have asked before to leave.
TEST_F(Becoming, NobodyHasToStayInABand) {
  const RequestId first = cluster_.band(one_, "x", "a", 2);
  const RequestId second = cluster_.band(two_, "x", "b", 2);
  cluster_.release(two_, second);
  ASSERT_FALSE(is_done(two_, second));  // two must stay
  const RequestId set = reform(boss_, kMutex);
  EXPECT_TRUE(is_done(two_, second));
  EXPECT_FALSE(is_done(boss_, set));
  cluster_.release(one_, first);
  EXPECT_TRUE(is_done(one_, first));
  EXPECT_TRUE(is_done(boss_, set));
  EXPECT_TRUE(cluster_.is_inside(three_, cluster_.mutex(three_, "x")));
}

TEST_F(Becoming, AHoldThatLastsIsInTheWayUntilItEnds) {
  Wish wish;
  wish.name = "x";
  wish.owner = "db-1";
  const RequestId lasting = cluster_.acquire(one_, wish);
  ASSERT_TRUE(cluster_.lasts(one_, lasting));
  const Number token = cluster_.told<Lasts>(one_, lasting)->token;
  const RequestId set = reform(boss_, kTwo);
  cluster_.pass(Cluster::kLease * 3);
  EXPECT_FALSE(is_done(boss_, set));
  cluster_.kill(4);  // it will not know that it is over
  const RequestId end = cluster_.bury(two_, {0, "x", kMutex, "db-1", token, false, {}});
  EXPECT_TRUE(is_done(two_, end));
  cluster_.pass(Cluster::kLease * 3);
  EXPECT_TRUE(is_done(boss_, set));
  EXPECT_TRUE(cluster_.is_inside(two_, cluster_.semaphore(two_, "x", 2)));
  cluster_.start(4);
  cluster_.pass(Cluster::kLease * 3);
  const SessionId late = cluster_.join(4);
  EXPECT_TRUE(cluster_.is_inside(late, cluster_.semaphore(late, "x", 2)));
  EXPECT_TRUE(cluster_.show(late, "x").holders.size() == 2);
}

TEST_F(Becoming, ARoomForOneGroupBecomesOneForTwoAndBack) {
  const RequestId red = cluster_.room(one_, "x", {"red"});
  const RequestId more = reform(boss_, kTwoRooms);
  cluster_.release(one_, red);
  ASSERT_TRUE(is_done(boss_, more));
  // As before: what was set holds for all who ask for a room.
  const RequestId first = cluster_.room(one_, "x", {"red"});
  const RequestId second = cluster_.room(two_, "x", {"blue"});
  EXPECT_TRUE(cluster_.is_inside(one_, first));
  EXPECT_TRUE(cluster_.is_inside(two_, second));
  const RequestId less = reform(boss_, kRoom);
  EXPECT_FALSE(is_done(boss_, less));
  cluster_.release(one_, first);
  cluster_.release(two_, second);
  ASSERT_TRUE(is_done(boss_, less));
  EXPECT_TRUE(cluster_.is_inside(one_, cluster_.room(one_, "x", {"red"})));
  EXPECT_FALSE(cluster_.is_inside(two_, cluster_.rooms(two_, "x", 2, "blue")));
}

TEST_F(Becoming, OfTwoChangesAllHaveTheSame) {
  const RequestId held = cluster_.mutex(one_, "x");
  const RequestId first = reform(boss_, kTwo);
  const RequestId second = reform(three_, kRoom);
  cluster_.release(one_, held);
  EXPECT_TRUE(is_done(boss_, first));
  EXPECT_TRUE(is_done(three_, second));
  for (NodeId id = 0; id < 5; ++id)
    EXPECT_EQ(cluster_.member(id).view("x", cluster_.now()).kind, kRoom);
}

// And then it is in use, by the same algorithm as before.
TEST_F(Becoming, ItCanStayWhatItIs) {
  const RequestId held = cluster_.mutex(one_, "x");
  const RequestId first = reform(boss_, kTwo);
  ASSERT_FALSE(is_done(boss_, first));
  EXPECT_TRUE(is_done(three_, reform(three_, kMutex)));
  EXPECT_TRUE(is_done(boss_, first));  // and something else was set after it
  EXPECT_TRUE(cluster_.is_inside(one_, held));
  EXPECT_FALSE(cluster_.is_inside(two_, cluster_.mutex(two_, "x")));
  cluster_.release(one_, held);
  EXPECT_TRUE(cluster_.is_inside(one_, held) || true);
}

TEST_F(Becoming, WhatWasSetIsForgotten) {
  ASSERT_TRUE(is_done(boss_, reform(boss_, kTwo)));
  EXPECT_NE(refused(one_, cluster_.mutex(one_, "x")), nullptr);
  ASSERT_TRUE(is_done(boss_, forget(boss_)));
  EXPECT_TRUE(cluster_.is_inside(one_, cluster_.mutex(one_, "x")));
}

TEST_F(Becoming, AnArmedFloorIsForgotten) {
  const RequestId first = cluster_.band(one_, "x", "a", 2);
  const RequestId second = cluster_.band(two_, "x", "b", 2);
  const RequestId set = forget(boss_);
  EXPECT_FALSE(is_done(boss_, set));
  cluster_.release(one_, first);
  cluster_.release(two_, second);
  EXPECT_TRUE(is_done(boss_, set));
  EXPECT_TRUE(cluster_.is_inside(one_, cluster_.mutex(one_, "x")));
}

// One who has not forgotten might bring it back.
TEST_F(Becoming, ToForgetNeedsAllMembers) {
  ASSERT_TRUE(is_done(boss_, reform(boss_, kTwo)));
  cluster_.kill(4);
  const RequestId set = forget(boss_);
  cluster_.pass(Cluster::kLease * 3);
  EXPECT_FALSE(is_done(boss_, set));
  cluster_.start(4);
  cluster_.pass(Cluster::kLease * 3);
  EXPECT_TRUE(is_done(boss_, set));
  // What is set now is later than that, also for one who has lost its disk.
  ASSERT_TRUE(is_done(boss_, reform(boss_, kRoom)));
  cluster_.kill(3);
  cluster_.start(3, Birth::amnesia);
  cluster_.pass(Cluster::kLease * 3);
  const SessionId late = cluster_.join(3);
  EXPECT_NE(refused(late, cluster_.mutex(late, "x")), nullptr);
  EXPECT_TRUE(cluster_.is_inside(late, cluster_.room(late, "x", {"red"})));
}

// It cannot say what was set last, and nobody takes it that nothing was.
TEST_F(Becoming, WhoHasLostItsDiskIsNoWitness) {
  cluster_.kill(3);
  cluster_.kill(4);
  ASSERT_TRUE(is_done(boss_, reform(boss_, kTwo)));
  ASSERT_TRUE(is_done(boss_, reform(boss_, kRoom)));  // a later version
  cluster_.kill(0);
  cluster_.kill(1);
  cluster_.kill(2);
  cluster_.start(0, Birth::amnesia);
  cluster_.start(3);
  cluster_.start(4);  // of three, two were away, and one has forgotten
  cluster_.pass(Cluster::kLease * 3);
  const SessionId late = cluster_.join(3);
  const RequestId set = reform(late, kTwo);
  cluster_.pass(Cluster::kLease * 3);
  EXPECT_FALSE(is_done(late, set));
  cluster_.start(2);
  cluster_.pass(Cluster::kLease * 3);
  EXPECT_TRUE(is_done(late, set));
  EXPECT_EQ(cluster_.show(late, "x").kind, kTwo);
}

TEST_F(Becoming, WhoIsInsideUnsetIsLeftAlone) {
  const RequestId held = cluster_.mutex(one_, "x");
  EXPECT_TRUE(is_done(boss_, forget(boss_)));  // there is nothing to forget
  EXPECT_TRUE(cluster_.is_inside(one_, held));
}

TEST_F(Becoming, AClientThatGivesUpLeavesNothing) {
  const RequestId held = cluster_.mutex(one_, "x");
  const RequestId set = reform(boss_, kTwo);
  cluster_.release(boss_, set);
  ASSERT_NE(refused(boss_, set), nullptr);
  EXPECT_EQ(refused(boss_, set)->why, Refusal::cancelled);
  cluster_.release(one_, held);  // what was begun goes on
  EXPECT_TRUE(cluster_.is_inside(two_, cluster_.semaphore(two_, "x", 2)));
}

// What only says that it is over keeps no name from being something else.
TEST_F(Becoming, AnEndThatNotAllKnowIsInNobodysWay) {
  Wish wish;
  wish.name = "x";
  wish.owner = "db-1";
  const RequestId lasting = cluster_.acquire(one_, wish);
  const Number token = cluster_.told<Lasts>(one_, lasting)->token;
  cluster_.kill(4);
  cluster_.bury(two_, {0, "x", kMutex, "db-1", token, false, {}});
  cluster_.pass(Cluster::kLease * 3);
  EXPECT_TRUE(cluster_.is_inside(two_, cluster_.room(two_, "x", {"red"})));
}

}  // namespace
}  // namespace coterie::member
