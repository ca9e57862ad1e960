// Members that lose their disks while a lasting hold is written down, or ended: an answer counts only while its lease does, and
// what is known by hearsay is in doubt.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "member/cluster.h"
#include "member/lasting.h"

namespace coterie::member {
namespace {

using LosingWay = std::pair<NodeId, NodeId>;

Wish lasting_wish(const std::string& name, const std::string& owner) {
  Wish wish;
  wish.name = name;
  wish.owner = owner;
  return wish;
}

// Of so many members, those that have a hold of the name written down; or that it is over.
std::vector<NodeId> holders_of(Cluster& cluster, NodeId members, const std::string& name,
                               bool is_over) {
  std::vector<NodeId> holders;
  for (NodeId member = 0; member < members; ++member) {
    if (!cluster.is_alive(member)) continue;
    for (const LastingView& one : cluster.member(member).view(name, cluster.now()).lastings) {
      if (one.lasting.is_over() == is_over) holders.push_back(member);
    }
  }
  return holders;
}

// A name for which all members ask 0 first, then 1, and so on.
std::string name_of_first(NodeId members) {
  for (int i = 0;; ++i) {
    const std::string name = "n" + std::to_string(i);
    Cluster cluster("majority:n=" + std::to_string(members));
    cluster.acquire(cluster.join(0), lasting_wish(name, "db-1"));
    const std::vector<NodeId> having = holders_of(cluster, members, name, false);
    if (having.front() == 0 && having.back() == members / 2) return name;
  }
}

class Doubt : public ::testing::Test {
 protected:
  // What is under way arrives, but for packets on the ways that lose them; heartbeats arrive.
  void deliver() {
    while (!cluster_.frames().empty()) {
      auto [way, frame] = std::move(cluster_.frames().front());
      cluster_.frames().pop_front();
      if (!cluster_.is_alive(way.second)) continue;
      if (loses_asks_.contains(way)) frame.asking.packets.clear();
      cluster_.member(way.second).receive(way.first, frame, cluster_.now());
    }
  }
  void pass(Duration duration) {
    for (Duration gone{}; gone < duration; gone = gone + kStep) {
      cluster_.pass(kStep);
      deliver();
    }
  }
  void lose_disk(NodeId member) {
    cluster_.kill(member);
    cluster_.start(member, Birth::amnesia);
  }

  static constexpr Duration kStep = Duration::milliseconds(50);
  std::string name_ = name_of_first(5);
  Cluster cluster_{"majority:n=5"};
  std::set<LosingWay> loses_asks_;
};

// 0 asks 1 and 2 to write the hold down. 1 does, loses its disk, and asks the others before 2 has written it down.
TEST_F(Doubt, AnArbiterThatLostItsDiskAsksOthersAfterItsSilence) {
  const SessionId client = cluster_.join(0);
  cluster_.hold_frames();
  const RequestId request = cluster_.acquire(client, lasting_wish(name_, "db-1"));
  for (int hop = 0; hop < 2; ++hop) cluster_.deliver_once();
  loses_asks_ = {{0, 2}, {0, 3}, {0, 4}};
  deliver();
  ASSERT_EQ(holders_of(cluster_, 5, name_, false), (std::vector<NodeId>{0, 1}));
  lose_disk(1);
  cluster_.cut(0, 1);  // else 0 would tell it
  pass(Cluster::kLease / 2);
  loses_asks_.erase({0, 2});
  pass(Cluster::kLease * 3 / 8);
  const bool lasts = cluster_.lasts(client, request);
  pass(Cluster::kLease * 3);
  const SessionId other = cluster_.join(4);
  cluster_.kill(0);
  cluster_.kill(2);
  const RequestId second = cluster_.mutex(other, name_);
  pass(Cluster::kLease * 4);
  EXPECT_FALSE(lasts && cluster_.is_inside(other, second)) << "two inside";
}

// 1 has written the hold down and lost its disk; then its lease lapses at 0, which still is inside by the votes of 2 and 3.
TEST_F(Doubt, AnAnswerDoesNotOutliveItsLease) {
  const SessionId client = cluster_.join(0);
  cluster_.hold_frames();
  const RequestId request = cluster_.acquire(client, lasting_wish(name_, "db-1"));
  for (int hop = 0; hop < 2; ++hop) cluster_.deliver_once();
  loses_asks_ = {{0, 2}};
  // Until it has asked 3, as a spare, for its vote.
  const auto has_share_at = [&](NodeId member) {
    const auto entries = cluster_.member(member).view(name_, cluster_.now()).entries;
    return std::any_of(entries.begin(), entries.end(),
                       [](const EntryView& entry) { return entry.has_share; });
  };
  for (int i = 0; i < 40 && !has_share_at(3); ++i) {
    cluster_.pass(kStep);
    while (!cluster_.frames().empty() && !has_share_at(3)) {
      auto [way, frame] = std::move(cluster_.frames().front());
      cluster_.frames().pop_front();
      if (loses_asks_.contains(way)) frame.asking.packets.clear();
      cluster_.member(way.second).receive(way.first, frame, cluster_.now());
    }
  }
  ASSERT_TRUE(has_share_at(3));
  loses_asks_.insert({0, 3});
  deliver();
  ASSERT_EQ(holders_of(cluster_, 5, name_, false), (std::vector<NodeId>{0, 1}));
  lose_disk(1);
  cluster_.cut(0, 1);  // else 0 would tell it
  loses_asks_.insert({0, 4});
  pass(Cluster::kLease *
       2);  // its silence is over, and others have told it what they know: nothing
  ASSERT_TRUE(cluster_.member(1).is_sure());
  ASSERT_EQ(holders_of(cluster_, 5, name_, false), (std::vector<NodeId>{0}));
  loses_asks_.erase({0, 2});
  pass(Cluster::kLease / 4);
  ASSERT_EQ(holders_of(cluster_, 5, name_, false), (std::vector<NodeId>{0, 2}));
  EXPECT_FALSE(cluster_.lasts(client, request)) << "two of five have it";
  loses_asks_.clear();
  cluster_.heal();
  pass(Cluster::kLease * 2);
  EXPECT_TRUE(cluster_.lasts(client, request));
  EXPECT_GE(holders_of(cluster_, 5, name_, false).size(), 3U);
}

// The same for the end of a hold.
TEST_F(Doubt, AnEndIsAtAQuorumBeforeItIsAnswered) {
  const SessionId client = cluster_.join(0);
  const RequestId request = cluster_.acquire(client, lasting_wish(name_, "db-1"));
  ASSERT_TRUE(cluster_.lasts(client, request));
  const Number token = cluster_.told<Lasts>(client, request)->token;
  cluster_.hold_frames();
  deliver();
  loses_asks_ = {{0, 2}, {0, 3}, {0, 4}, {1, 2}, {1, 3}, {1, 4}, {2, 1}, {2, 3}, {2, 4}};
  const RequestId ends = cluster_.bury(client, {0, name_, {}, "db-1", token, false, {}});
  deliver();
  ASSERT_EQ(holders_of(cluster_, 5, name_, true), (std::vector<NodeId>{0, 1}));
  lose_disk(1);
  cluster_.cut(0, 1);  // else 0 would tell it
  pass(Cluster::kLease * 2);
  ASSERT_TRUE(cluster_.member(1).is_sure());
  ASSERT_EQ(holders_of(cluster_, 5, name_, true), (std::vector<NodeId>{0}));
  loses_asks_.erase({0, 2});
  pass(Cluster::kLease / 4);
  EXPECT_TRUE(cluster_.told<Left>(client, ends) == nullptr ||
              holders_of(cluster_, 5, name_, true).size() >= 3);
  loses_asks_.clear();
  cluster_.heal();
  pass(Cluster::kLease * 2);
  EXPECT_NE(cluster_.told<Left>(client, ends), nullptr);
  EXPECT_THAT(holders_of(cluster_, 5, name_, false), ::testing::IsEmpty()) << "who lost it is told";
}

// One member alone has written a hold down when its client dies. Others come and go. Then a second member loses its disk, and
// hears of the hold.
TEST(DoubtfulHold, IsShownAndInTheWayAndEndsButIsNotTakenAsGiven) {
  const std::string name = name_of_first(3);
  Cluster cluster("majority:n=3");
  const SessionId client = cluster.join(0);
  cluster.hold_frames();
  cluster.acquire(client, lasting_wish(name, "db-1"));
  for (int hop = 0; hop < 2; ++hop) cluster.deliver_once();
  cluster.close(client);
  ASSERT_EQ(holders_of(cluster, 3, name, false), (std::vector<NodeId>{0}));
  // What it asked the others is lost with its life.
  cluster.frames().clear();
  cluster.kill(0);
  cluster.release_frames();
  cluster.pass(Cluster::kLease * 3);
  const SessionId other = cluster.join(1);
  const RequestId second = cluster.mutex(other, name);
  cluster.pass(Cluster::kLease);
  ASSERT_TRUE(cluster.is_inside(other, second));
  const Number later = cluster.token(other, second);
  cluster.release(other, second);
  cluster.pass(Cluster::kLease * 2);
  cluster.start(0);
  cluster.pass(Cluster::kLease * 3);
  cluster.kill(2);
  cluster.start(2, Birth::amnesia);
  cluster.pass(Cluster::kLease * 3);
  ASSERT_EQ(holders_of(cluster, 3, name, false), (std::vector<NodeId>{0, 2}));
  const Picture picture = cluster.show(other, name);
  ASSERT_EQ(picture.holders.size(), 1U);
  EXPECT_EQ(picture.holders[0].client, "db-1");
  EXPECT_LT(picture.holders[0].token, later);
  EXPECT_EQ(picture.holders[0].certainty, Picture::Certainty::doubtful);
  const RequestId third = cluster.mutex(other, name);
  cluster.pass(Cluster::kLease);
  EXPECT_FALSE(cluster.is_inside(other, third)) << "it is in the way";
  const SessionId owner = cluster.join(1);
  const RequestId ends =
      cluster.bury(owner, {0, name, {}, "db-1", picture.holders[0].token, true, {}});
  cluster.pass(Cluster::kLease);
  EXPECT_NE(cluster.told<Left>(owner, ends), nullptr);
  EXPECT_TRUE(cluster.is_inside(other, third));
}

// More than goes into a frame is told in pages: here each is of one name.
TEST(LostDisks, AreLearnedInPages) {
  Cluster cluster("majority:n=3");
  const SessionId client = cluster.join(0);
  for (int i = 0; i < 20; ++i) {
    Wish wish;
    wish.name = "n" + std::to_string(i);
    wish.owner = "o";
    wish.attempt = {1, static_cast<std::uint64_t>(i + 1)};
    ASSERT_TRUE(cluster.lasts(client, cluster.acquire(client, wish))) << i;
  }
  cluster.kill(1);
  cluster.start(1, Birth::amnesia);
  cluster.pass(Cluster::kLease * 20);
  ASSERT_TRUE(cluster.member(1).is_sure());
  for (int i = 0; i < 20; ++i)
    EXPECT_EQ(cluster.member(1).view("n" + std::to_string(i), cluster.now()).lastings.size(), 1U);
}

// Three of five members have a hold. One of them loses its disk, and learns of the hold again from a quorum of others, in whatever
// order these are heard.
class LostDiskOfFive : public ::testing::TestWithParam<bool> {
 protected:
  LostDiskOfFive() {
    cut_between({3, 4}, {0, 1, 2});
    cluster_.pass(Cluster::kLease * 2);
    const SessionId client = cluster_.join(0);
    const RequestId held = cluster_.acquire(client, wish());
    cluster_.pass(Cluster::kLease * 2);
    EXPECT_TRUE(cluster_.lasts(client, held));
    burial_.name = "n";
    burial_.owner = "o";
    burial_.token = cluster_.lasts(client, held) ? cluster_.told<Lasts>(client, held)->token : 0;
    cluster_.heal();
    cluster_.pass(Cluster::kLease * 2);
  }
  static Wish wish() {
    Wish wish;
    wish.name = "n";
    wish.owner = "o";
    wish.attempt = {1, 2};
    return wish;
  }
  void cut_between(const std::vector<NodeId>& some, const std::vector<NodeId>& others) {
    for (const NodeId one : some) {
      for (const NodeId other : others) {
        cluster_.cut(one, other);
        cluster_.cut(other, one);
      }
    }
  }
  // Member 2 is gone; member 0 has the hold, and the others do not. Those that are heard first are too few.
  void lose_disk_and_learn() {
    cluster_.kill(1);
    cluster_.kill(2);
    cut_between({1}, GetParam() ? std::vector<NodeId>{0} : std::vector<NodeId>{3, 4});
    cluster_.start(1, Birth::amnesia);
    cluster_.pass(Cluster::kLease * 6);
    ASSERT_FALSE(cluster_.member(1).is_sure());
    cluster_.heal();
    cluster_.pass(Cluster::kLease * 6);
    ASSERT_TRUE(cluster_.member(1).is_sure());
    EXPECT_THAT(holders_of(cluster_, 5, "n", false), ::testing::Contains(1));
  }

  Cluster cluster_{"majority:n=5"};
  SessionId another_ = cluster_.join(3);
  Burial burial_;
};
INSTANTIATE_TEST_SUITE_P(InBothOrders, LostDiskOfFive, ::testing::Bool(), [](const auto& order) {
  return order.param ? "WithoutFirst" : "WithFirst";
});

// Two members have only vouched for the hold (torture, seed 23511): a member that hears them first must not take the hold for one that
// it does not have, and tell others that nobody knows it.
TEST_P(LostDiskOfFive, LearnsOfAHoldThatOthersVouchedFor) {
  Burial confirm = burial_;
  confirm.how = Burial::How::confirm;
  const RequestId confirmed = cluster_.bury(another_, confirm);
  cluster_.pass(Cluster::kLease);
  ASSERT_TRUE(cluster_.lasts(another_, confirmed));
  lose_disk_and_learn();
  cluster_.kill(0);
  const RequestId ended = cluster_.bury(another_, burial_);
  cluster_.pass(Cluster::kLease * 3);
  EXPECT_NE(cluster_.told<Left>(another_, ended), nullptr);
}

// Two members, without the hold, have turned the name into something else (torture, seed 67861).
TEST_P(LostDiskOfFive, LearnsOfAHoldByWhatTheNameWas) {
  constexpr Kind kSemaphore{Type::semaphore, 0, 2};
  const RequestId set = cluster_.change(another_, {0, "n", kSemaphore, kSemaphore, true, false});
  cluster_.pass(Cluster::kLease);
  ASSERT_EQ(cluster_.told<Left>(another_, set), nullptr) << "the hold is in the way";
  lose_disk_and_learn();
  // Those that have turned and this one are a quorum: nobody enters while the hold lasts.
  const RequestId other = cluster_.semaphore(another_, "n", 2);
  cluster_.pass(Cluster::kLease * 2);
  EXPECT_FALSE(cluster_.is_inside(another_, other));
}

// A member that lost its disk, and hears that one has denied what another has or vouches for, may have voted either way.
TEST(Lastings, AreVotedOnNoMoreWhereOthersContradictEachOther) {
  const Attempt attempt{1, 2};
  const Lasting written{.owner = "o", .token = 5, .group = {}, .attempt = attempt};
  Lasting vouched = written;
  vouched.stage = Lasting::Stage::absent;
  vouched.is_vouched = true;
  Lasting both = written;
  both.is_denied = true;
  const Lasting denied{.owner = "o",
                       .token = 0,
                       .group = {},
                       .stage = Lasting::Stage::absent,
                       .attempt = attempt,
                       .is_denied = true};
  for (const Lasting& one : {written, vouched}) {
    for (const bool is_first : {true, false}) {
      Lastings known(3);
      known.add(is_first ? one : denied, {});
      const Lasting& other = is_first ? denied : one;
      ASSERT_TRUE(known.contradicts(other));
      known.add(other, {});
      known.tear(other);
      EXPECT_TRUE(known.is_torn("o", 5, {}));
      EXPECT_TRUE(known.is_torn("o", 0, attempt));
      EXPECT_FALSE(known.is_torn("other", 0, attempt));
    }
  }
  // What is written there and denied is a vote against it, and no more.
  Lastings known(3);
  known.add(denied, {});
  EXPECT_FALSE(known.contradicts(both));
  EXPECT_FALSE(known.is_torn("o", 5, attempt));
}

}  // namespace
}  // namespace coterie::member
