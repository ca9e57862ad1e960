// Clients of one member that come in by the votes of the first of them, where those inside are counted.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "member/cluster.h"

namespace coterie::member {
namespace {

struct Rider {
  SessionId client = 0;
  RequestId request = 0;
};

class Riding : public ::testing::Test {
 protected:
  static Wish wish(Type type, std::uint32_t min, std::uint32_t max,
                   std::vector<std::string> groups = {}) {
    Wish wish;
    wish.name = "name";
    wish.kind = {type, min, max};
    wish.groups = std::move(groups);
    return wish;
  }
  Rider ask(NodeId at, const Wish& wish) {
    const SessionId client = cluster_.join(at);
    return {client, cluster_.acquire(client, wish)};
  }
  Rider ask(NodeId at, const std::string& as, std::uint32_t min, std::uint32_t max = kNoMax) {
    return ask(at, wish(Type::band, min, max, {as}));
  }
  bool is_inside(const Rider& rider) const {
    return cluster_.is_inside(rider.client, rider.request);
  }
  bool has_left(const Rider& rider) const {
    return cluster_.told<Left>(rider.client, rider.request) != nullptr;
  }
  std::size_t count_inside(const std::vector<Rider>& riders) const {
    return static_cast<std::size_t>(std::count_if(
        riders.begin(), riders.end(), [&](const Rider& rider) { return is_inside(rider); }));
  }
  void leave(const Rider& rider) { cluster_.release(rider.client, rider.request); }

  // Everything that is under way arrives, and what that causes is under way then.
  void hop() {
    const auto frames = std::exchange(cluster_.frames(), {});
    for (const auto& [way, frame] : frames) {
      for (const Packet<Ask>& packet : frame.asking.packets)
        polls_ += std::holds_alternative<Poll>(packet.body) ? 1U : 0U;
      cluster_.member(way.second).receive(way.first, frame, cluster_.now());
    }
  }
  // To the arbiters, and back.
  void round() {
    hop();
    hop();
  }

  Cluster cluster_{"majority:n=5"};
  std::size_t polls_ = 0;  // to other members
};

class RidingAt : public Riding, public ::testing::WithParamInterface<NodeId> {
 protected:
  static constexpr std::size_t kAll = 8;

  Wish wish_of(Type type, std::size_t who) const {
    Wish each = wish(type, type == Type::band ? 3 : 0, kAll);
    if (type != Type::semaphore) each.groups = {std::to_string(who)};
    return each;
  }
  // All that may be inside, of whom one asks.
  void come_in_by_one_round(Type type) {
    constexpr std::size_t kQuorum = 3;
    cluster_.hold_frames();
    std::vector<Rider> riders;
    for (std::size_t i = 0; i < kAll; ++i) riders.push_back(ask(GetParam(), wish_of(type, i)));
    round();
    EXPECT_EQ(count_inside(riders), kAll);
    cluster_.deliver();
    EXPECT_LE(polls_, kQuorum);
    std::set<Number> tokens;
    for (const Rider& rider : riders) tokens.insert(cluster_.token(rider.client, rider.request));
    EXPECT_EQ(tokens.size(), kAll);
    leave(riders.front());
    cluster_.deliver();
    const Rider last = ask((GetParam() + 1) % 5, wish_of(type, kAll));
    cluster_.deliver();
    ASSERT_TRUE(is_inside(last));
    EXPECT_GT(cluster_.token(last.client, last.request), *tokens.rbegin());
  }
};

TEST_P(RidingAt, IntoASemaphoreTakesOneRound) { come_in_by_one_round(Type::semaphore); }
TEST_P(RidingAt, IntoRoomsTakesOneRound) { come_in_by_one_round(Type::room); }
TEST_P(RidingAt, IntoABandTakesOneRound) { come_in_by_one_round(Type::band); }

INSTANTIATE_TEST_SUITE_P(Members, RidingAt, ::testing::Range<NodeId>(0, 5));

TEST_F(Riding, NoMoreThanTheMaximumComeIn) {
  const std::vector<Rider> others{ask(1, "a", 1, 5), ask(2, "b", 1, 5)};
  ASSERT_EQ(count_inside(others), 2U);
  cluster_.hold_frames();
  std::vector<Rider> riders;
  for (const char* const as : {"c", "d", "e", "f", "g"}) riders.push_back(ask(0, as, 1, 5));
  cluster_.deliver();
  EXPECT_EQ(count_inside(riders), 3U);
  EXPECT_TRUE(is_inside(riders[2])) << "in their order";
  leave(others[0]);
  cluster_.deliver();
  EXPECT_EQ(count_inside(riders), 4U);
  leave(riders[1]);
  cluster_.deliver();
  ASSERT_TRUE(has_left(riders[1])) << "it can ask to leave as any other";
  EXPECT_TRUE(is_inside(riders[4]));
}

TEST_F(Riding, TheMaximumIsThatOfTheLastChange) {
  const SessionId boss = cluster_.join(3);
  cluster_.release(boss, cluster_.band(boss, "name", "boss", 0, 5));
  const RequestId set = cluster_.change(boss, "name", {Type::band, 0, 2}, {Type::band, 0, 5});
  ASSERT_NE(cluster_.told<Left>(boss, set), nullptr);
  cluster_.hold_frames();
  std::vector<Rider> riders;
  for (const char* const as : {"a", "b", "c"}) riders.push_back(ask(0, as, 0, 5));
  cluster_.deliver();
  EXPECT_EQ(count_inside(riders), 2U);
}

TEST_F(Riding, OneWhoseNameIsInsideDoesNotComeAlong) {
  const Rider first = ask(1, "twin", 1);
  cluster_.hold_frames();
  const std::vector<Rider> riders{ask(0, "a", 1), ask(0, "twin", 1), ask(0, "b", 1)};
  cluster_.deliver();
  EXPECT_TRUE(is_inside(riders[0]));
  EXPECT_FALSE(is_inside(riders[1]));
  EXPECT_TRUE(is_inside(riders[2])) << "nobody waits for that";
  leave(first);
  for (int i = 0; i < 10; ++i) {
    cluster_.pass(Cluster::kLease / 4);
    cluster_.deliver();
  }
  EXPECT_TRUE(is_inside(riders[1])) << "it has not been forgotten";
}

TEST_F(Riding, OfTwoWithOneNameOneComesIn) {
  cluster_.hold_frames();
  const std::vector<Rider> riders{ask(0, "a", 1), ask(0, "a", 1), ask(0, "b", 1), ask(0, "b", 1)};
  round();
  EXPECT_TRUE(is_inside(riders[0]));
  EXPECT_FALSE(is_inside(riders[1]));
  EXPECT_TRUE(is_inside(riders[2]));
  EXPECT_FALSE(is_inside(riders[3]));
  cluster_.deliver();
  EXPECT_EQ(count_inside(riders), 2U);
}

// The first has stepped aside, and the next ask without it; it comes along when its name is free.
TEST_F(Riding, OneThatHasSteppedAsideComesAlongWithALaterOne) {
  const Rider first = ask(1, "twin", 0);
  const Rider twin = ask(0, "twin", 0);
  ASSERT_FALSE(is_inside(twin));
  cluster_.close(first.client);
  cluster_.hold_frames();
  const Rider later = ask(0, "a", 0);
  round();
  EXPECT_TRUE(is_inside(later));
  EXPECT_TRUE(is_inside(twin));
}

TEST_F(Riding, ThoseWhoComeAlongArmTheFloor) {
  cluster_.hold_frames();
  const std::vector<Rider> riders{ask(0, "a", 3), ask(0, "b", 3), ask(0, "c", 3)};
  cluster_.deliver();
  ASSERT_EQ(count_inside(riders), 3U);
  for (const Rider& rider : riders) leave(rider);
  cluster_.deliver();
  for (const Rider& rider : riders) EXPECT_FALSE(has_left(rider));
  ask(1, "d", 3);
  cluster_.deliver();
  EXPECT_TRUE(has_left(riders[0]));
  EXPECT_FALSE(has_left(riders[1]));
}

TEST_F(Riding, WhoWaitsBesideThemDoesNotArmTheFloor) {
  cluster_.hold_frames();
  const std::vector<Rider> riders{ask(0, "a", 3, 3), ask(0, "b", 3, 3), ask(0, "a", 3, 3)};
  cluster_.deliver();
  ASSERT_EQ(count_inside(riders), 2U);
  leave(riders[1]);
  cluster_.deliver();
  EXPECT_TRUE(has_left(riders[1]));
}

TEST_F(Riding, WhoGivesUpMeanwhileIsNotBroughtIn) {
  cluster_.hold_frames();
  const std::vector<Rider> riders{ask(0, "a", 1, 3), ask(0, "b", 1, 3), ask(0, "c", 1, 3),
                                  ask(0, "d", 1, 3)};
  hop();
  leave(riders[1]);
  cluster_.deliver();
  EXPECT_FALSE(is_inside(riders[1]));
  EXPECT_EQ(count_inside(riders), 3U) << "and another has its place";
  EXPECT_EQ(cluster_.show(riders[0].client, "name").holders.size(), 3U);
}

TEST_F(Riding, WhenTheFirstGivesUpTheNextAsks) {
  cluster_.hold_frames();
  const std::vector<Rider> riders{ask(0, "a", 1), ask(0, "b", 1), ask(0, "c", 1)};
  hop();
  leave(riders[0]);
  cluster_.deliver();
  EXPECT_FALSE(is_inside(riders[0]));
  EXPECT_EQ(count_inside(riders), 2U);
}

TEST_F(Riding, WhoOnlyTriesDoesNotWaitBehindTheFirst) {
  for (const Type type : {Type::band, Type::room}) {
    cluster_.hold_frames();
    Wish tries = wish(type, 0, 2, {"a"});
    tries.name = type == Type::band ? "band" : "rooms";
    const Rider first = ask(0, tries);
    tries.groups = {"b"};
    tries.is_try = true;
    const Rider other = ask(0, tries);
    const auto* const refused = cluster_.told<Refused>(other.client, other.request);
    ASSERT_NE(refused, nullptr);
    EXPECT_EQ(refused->why, Refusal::would_wait);
    cluster_.deliver();
    EXPECT_TRUE(is_inside(first));
  }
}

// What one rides by is gone with its member; what the other rests on is on disks.
TEST_F(Riding, AHoldThatLastsMayBeginSo) {
  cluster_.hold_frames();
  Wish lasting = wish(Type::band, 1, 3, {"rack"});
  lasting.owner = "rack";
  const Rider first = ask(0, "a", 1, 3);
  const Rider rack = ask(0, lasting);
  cluster_.deliver();
  EXPECT_TRUE(is_inside(first));
  EXPECT_TRUE(cluster_.lasts(rack.client, rack.request));
  const Rider twin = ask(0, "rack", 1, 3);
  cluster_.deliver();
  EXPECT_FALSE(is_inside(twin));
}

class RidingToRooms : public Riding {
 protected:
  Rider want(NodeId at, std::vector<std::string> groups) {
    return ask(at, wish(Type::room, 0, 2, std::move(groups)));
  }
  std::string group(const Rider& rider) const {
    return cluster_.told<Granted>(rider.client, rider.request)->group;
  }
};

TEST_F(RidingToRooms, SoManyGroupsComeInAndWhoAcceptsOneOfThem) {
  cluster_.hold_frames();
  const std::vector<Rider> riders{want(0, {"a"}), want(0, {"b"}), want(0, {"c"}), want(0, {"a"}),
                                  want(0, {"b", "c"})};
  round();
  EXPECT_TRUE(is_inside(riders[0]));
  EXPECT_TRUE(is_inside(riders[1]));
  EXPECT_FALSE(is_inside(riders[2]));
  EXPECT_TRUE(is_inside(riders[3]));
  ASSERT_TRUE(is_inside(riders[4]));
  EXPECT_EQ(group(riders[4]), "b");
  leave(riders[0]);
  leave(riders[3]);
  cluster_.deliver();
  EXPECT_TRUE(is_inside(riders[2]));
}

TEST_F(RidingToRooms, AGroupThatIsInsideElsewhereTakesNoSecondRoom) {
  const Rider other = want(1, {"b"});
  ASSERT_TRUE(is_inside(other));
  cluster_.hold_frames();
  const std::vector<Rider> riders{want(0, {"a"}), want(0, {"b"}), want(0, {"c"})};
  cluster_.deliver();
  EXPECT_TRUE(is_inside(riders[0]));
  EXPECT_TRUE(is_inside(riders[1]));
  EXPECT_FALSE(is_inside(riders[2]));
  leave(other);
  cluster_.deliver();
  EXPECT_FALSE(is_inside(riders[2]));
  leave(riders[1]);
  cluster_.deliver();
  EXPECT_TRUE(is_inside(riders[2]));
}

}  // namespace
}  // namespace coterie::member
