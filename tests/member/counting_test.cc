// Semaphores, rooms for several groups and bands, in a cluster whose network and clock the test moves.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "member/cluster.h"

namespace coterie::member {
namespace {

using ::testing::HasSubstr;

struct Caller {
  SessionId client = 0;
  RequestId request = 0;
};

std::size_t count_inside(const Cluster& cluster, const std::vector<Caller>& guests) {
  return static_cast<std::size_t>(std::count_if(
      guests.begin(), guests.end(),
      [&](const Caller& guest) { return cluster.is_inside(guest.client, guest.request); }));
}

TEST(Semaphore, LetsSoManyInAndTheNextWhenOneLeaves) {
  Cluster cluster("majority:n=5");
  std::vector<Caller> guests;
  for (NodeId at = 0; at < 5; ++at) {
    const SessionId client = cluster.join(at);
    guests.push_back({client, cluster.semaphore(client, "s", 3)});
  }
  EXPECT_EQ(count_inside(cluster, guests), 3U);
  EXPECT_TRUE(cluster.is_inside(guests[2].client, guests[2].request));
  cluster.release(guests[0].client, guests[0].request);
  EXPECT_TRUE(cluster.is_inside(guests[3].client, guests[3].request));
  EXPECT_FALSE(cluster.is_inside(guests[4].client, guests[4].request));
}

TEST(Semaphore, EveryEntryHasATokenOfItsOwn) {
  Cluster cluster("majority:n=3");
  std::set<Number> tokens;
  for (int i = 0; i < 4; ++i) {
    const SessionId client = cluster.join(static_cast<NodeId>(i % 3));
    const RequestId request = cluster.semaphore(client, "s", 4);
    ASSERT_TRUE(cluster.is_inside(client, request));
    EXPECT_GT(cluster.token(client, request), tokens.empty() ? 0 : *tokens.rbegin());
    tokens.insert(cluster.token(client, request));
  }
}

TEST(Semaphore, ClientsOfOneMemberComeInByOneRound) {
  Cluster cluster("majority:n=3");
  const SessionId holder = cluster.join(1);
  const RequestId held = cluster.semaphore(holder, "s", 1);
  std::vector<Caller> guests;
  cluster.hold_frames();
  for (int i = 0; i < 4; ++i) {
    const SessionId client = cluster.join(0);
    guests.push_back({client, cluster.semaphore(client, "t", 3)});
  }
  cluster.packet_frames();
  cluster.deliver();
  EXPECT_EQ(count_inside(cluster, guests), 3U);
  // The votes, what was done with them, and the next who asks.
  EXPECT_LE(cluster.packet_frames(), 6U);
  EXPECT_TRUE(cluster.is_inside(holder, held));
}

// It asks at once, though another of the same member asks already: then each has its own votes to come in by.
TEST(Semaphore, WhoBringsAnEarlierPlaceAsksForItself) {
  Cluster cluster("majority:n=3");
  std::vector<Caller> guests;
  Wish wish;
  wish.name = "s";
  wish.kind = {Type::semaphore, 0, 3};
  const SessionId other = cluster.join(0);
  cluster.release(other, cluster.semaphore(other, "other", 1));  // so that clocks have moved
  cluster.hold_frames();
  for (const std::uint64_t place : {0U, 0U, 1U}) {
    const SessionId client = cluster.join(0);
    wish.place = Time{place};
    guests.push_back({client, cluster.acquire(client, wish)});
  }
  cluster.deliver();
  EXPECT_EQ(count_inside(cluster, guests), 3U);
}

TEST(Semaphore, APlaceIsFreeAgainWhenItsMemberHasDied) {
  Cluster cluster("majority:n=5");
  const SessionId first = cluster.join(0);
  const SessionId second = cluster.join(1);
  const SessionId third = cluster.join(2);
  cluster.semaphore(first, "s", 2);
  cluster.semaphore(second, "s", 2);
  const RequestId waits = cluster.semaphore(third, "s", 2);
  cluster.kill(0);
  EXPECT_FALSE(cluster.is_inside(third, waits));
  cluster.pass(Cluster::kLease * 2);
  EXPECT_TRUE(cluster.is_inside(third, waits));
}

TEST(Semaphore, AHoldOutlivesAMember) {
  Cluster cluster("majority:n=5");
  const SessionId holder = cluster.join(0);
  const RequestId held = cluster.semaphore(holder, "s", 1);
  cluster.pass(Cluster::kLease);
  const SessionId other = cluster.join(1);
  const RequestId waits = cluster.semaphore(other, "s", 1);
  for (const NodeId member : {2U, 3U}) {
    cluster.kill(member);
    cluster.pass(Cluster::kLease * 2);
  }
  EXPECT_TRUE(cluster.is_inside(holder, held));
  EXPECT_FALSE(cluster.is_inside(other, waits));
}

TEST(Semaphore, AnotherLimitIsAnotherKind) {
  Cluster cluster("majority:n=3");
  const SessionId first = cluster.join(0);
  const SessionId second = cluster.join(1);
  cluster.semaphore(first, "s", 2);
  const RequestId other = cluster.semaphore(second, "s", 3);
  const auto* const refused = cluster.told<Refused>(second, other);
  ASSERT_NE(refused, nullptr);
  EXPECT_EQ(refused->why, Refusal::mismatch);
  EXPECT_THAT(refused->text, HasSubstr("a semaphore of 2; you asked for a semaphore of 3"));
}

TEST(Semaphore, WhoOnlyTriesIsToldThatItIsFull) {
  Cluster cluster("majority:n=3");
  const SessionId holder = cluster.join(0);
  cluster.semaphore(holder, "s", 1);
  const SessionId other = cluster.join(1);
  Wish wish;
  wish.name = "s";
  wish.kind = {Type::semaphore, 0, 1};
  wish.is_try = true;
  const RequestId tried = cluster.acquire(other, wish);
  const auto* const refused = cluster.told<Refused>(other, tried);
  ASSERT_NE(refused, nullptr);
  EXPECT_EQ(refused->why, Refusal::would_wait);
}

TEST(Semaphore, IsForgottenWhenNobodyUsesIt) {
  Cluster cluster("majority:n=3");
  const SessionId client = cluster.join(0);
  cluster.release(client, cluster.semaphore(client, "s", 2));
  for (NodeId member = 0; member < 3; ++member)
    EXPECT_EQ(cluster.member(member).resources(), 0U) << member;
}

TEST(Rooms, SoManyGroupsAndTheirMembersTogether) {
  Cluster cluster("majority:n=5");
  std::vector<Caller> guests;
  for (const std::string group : {"a", "b", "a", "b", "c"}) {
    const SessionId client = cluster.join(static_cast<NodeId>(guests.size()));
    guests.push_back({client, cluster.rooms(client, "r", 2, group)});
  }
  EXPECT_EQ(count_inside(cluster, guests), 4U);
  EXPECT_FALSE(cluster.is_inside(guests[4].client, guests[4].request));
  cluster.release(guests[0].client, guests[0].request);
  EXPECT_FALSE(cluster.is_inside(guests[4].client, guests[4].request));
  cluster.release(guests[2].client, guests[2].request);
  EXPECT_TRUE(cluster.is_inside(guests[4].client, guests[4].request));
  EXPECT_EQ(cluster.told<Granted>(guests[4].client, guests[4].request)->group, "c");
}

TEST(Rooms, ANewcomerJoinsItsGroupWithoutAMessageButNotForEver) {
  constexpr std::size_t kBatch = 2;
  Cluster cluster("majority:n=3", kBatch);
  const SessionId first = cluster.join(0);
  cluster.rooms(first, "r", 2, "a");
  cluster.packet_frames();
  for (std::size_t i = 0; i < kBatch; ++i) {
    const SessionId client = cluster.join(0);
    EXPECT_TRUE(cluster.is_inside(client, cluster.rooms(client, "r", 2, "a")));
  }
  EXPECT_EQ(cluster.packet_frames(), 0U);
  const SessionId late = cluster.join(0);
  EXPECT_TRUE(cluster.is_inside(late, cluster.rooms(late, "r", 2, "a")));
  EXPECT_GT(cluster.packet_frames(), 0U);
}

TEST(Change, OfALimitHoldsForAllWhateverTheyAskFor) {
  Cluster cluster("majority:n=5");
  std::vector<Caller> guests;
  for (NodeId at = 0; at < 5; ++at) {
    const SessionId client = cluster.join(at);
    guests.push_back({client, cluster.semaphore(client, "s", 2)});
  }
  ASSERT_EQ(count_inside(cluster, guests), 2U);
  const SessionId boss = cluster.join(3);
  const RequestId more = cluster.change(boss, "s", {Type::semaphore, 0, 4});
  EXPECT_NE(cluster.told<Left>(boss, more), nullptr);
  EXPECT_EQ(count_inside(cluster, guests), 4U);
  const RequestId less = cluster.change(boss, "s", {Type::semaphore, 0, 1});
  EXPECT_NE(cluster.told<Left>(boss, less), nullptr);
  const Picture meanwhile = cluster.show(boss, "s");
  ASSERT_TRUE(meanwhile.was);
  EXPECT_EQ(meanwhile.was->max, 4U);
  EXPECT_THAT(meanwhile.waiters.front().why,
              testing::HasSubstr("4 inside, more than the 1 that may be now; next when 4 of "));
  for (std::size_t guest = 0; guest < 3; ++guest) {
    cluster.release(guests[guest].client, guests[guest].request);
    EXPECT_FALSE(cluster.is_inside(guests[4].client, guests[4].request));
  }
  EXPECT_EQ(cluster.show(boss, "s").kind->max, 1U);
  cluster.release(guests[3].client, guests[3].request);
  EXPECT_TRUE(cluster.is_inside(guests[4].client, guests[4].request));
  EXPECT_FALSE(cluster.show(boss, "s").was);
}

TEST(Change, OutlivesEveryMemberAndWhoWasAwayHearsOfIt) {
  Cluster cluster("majority:n=3");
  cluster.kill(2);
  cluster.pass(Cluster::kLease * 2);
  const SessionId boss = cluster.join(0);
  const RequestId set = cluster.change(boss, "s", {Type::semaphore, 0, 2});
  ASSERT_NE(cluster.told<Left>(boss, set), nullptr);
  cluster.start(2);
  cluster.pass(Cluster::kLease * 3);
  for (NodeId member = 0; member < 3; ++member) {
    cluster.kill(member);
    cluster.start(member);
    cluster.pass(Cluster::kLease * 3);
  }
  std::vector<Caller> guests;
  for (NodeId at = 0; at < 3; ++at) {
    const SessionId client = cluster.join(at);
    guests.push_back({client, cluster.semaphore(client, "s", 1)});
  }
  EXPECT_EQ(count_inside(cluster, guests), 2U);
}

// One of them was never asked by who holds it, and knows nothing of it.
TEST(Change, CanBeMadeByEveryMember) {
  const Kind two{Type::semaphore, 0, 2};
  const Kind three{Type::semaphore, 0, 3};
  std::size_t refused = 0;
  for (NodeId at = 0; at < 3; ++at) {
    Cluster cluster("majority:n=3");
    const SessionId guest = cluster.join(0);
    Wish wish;
    wish.name = "s";
    wish.kind = two;
    wish.owner = "rack";
    ASSERT_TRUE(cluster.lasts(guest, cluster.acquire(guest, wish)));
    const SessionId boss = cluster.join(at);
    const RequestId wrong = cluster.change(boss, "s", three, three);
    const auto* const refusal = cluster.told<Refused>(boss, wrong);
    if (refusal != nullptr && refusal->why == Refusal::mismatch) ++refused;
    const RequestId set = cluster.change(boss, "s", three, two);
    EXPECT_NE(cluster.told<Left>(boss, set), nullptr) << at;
    EXPECT_EQ(cluster.show(boss, "s").kind->max, 3U);
  }
  EXPECT_EQ(refused, 1U);
}

// Two that nobody could tell of each other, since the first died with what it alone had written down.
TEST(Change, IsOneForAllAlsoAfterOneThatCameToNothing) {
  for (const NodeId dies : {0U, 2U}) {
    Cluster cluster("majority:n=3");
    cluster.pass(Cluster::kLease);
    cluster.hold_frames();
    cluster.change(cluster.join(dies), "s", {Type::semaphore, 0, 2});
    for (int hops = 0; hops < 2; ++hops) cluster.deliver_once();
    ASSERT_EQ(cluster.member(dies).view("s", cluster.now()).kind->max, 2U) << "it has the votes";
    cluster.frames().clear();
    cluster.kill(dies);
    const auto pass = [&] {
      for (int i = 0; i < 60; ++i) {
        cluster.pass(Duration::milliseconds(100));
        cluster.deliver();
      }
    };
    pass();
    const SessionId boss = cluster.join(1);
    const RequestId set = cluster.change(boss, "s", {Type::semaphore, 0, 3});
    pass();
    ASSERT_NE(cluster.told<Left>(boss, set), nullptr);
    cluster.start(dies);
    pass();
    const std::uint32_t max = cluster.member(1).view("s", cluster.now()).kind->max;
    for (NodeId member = 0; member < 3; ++member)
      EXPECT_EQ(cluster.member(member).view("s", cluster.now()).kind->max, max) << member;
  }
}

// Each has the votes to enter or those to leave, if not the same one is the first both ways.
TEST(Change, OfTwoAtATimeEachHasItsTurn) {
  Cluster cluster("majority:n=3");
  std::vector<Caller> guests;
  for (const NodeId at : {1U, 2U, 2U}) {  // so that the seats of the two are numbered otherwise
    const SessionId client = cluster.join(at);
    guests.push_back({client, cluster.band(client, "b", std::to_string(guests.size()), 0)});
  }
  cluster.release(guests[1].client, guests[1].request);
  cluster.pass(Cluster::kLease * 6);
  cluster.hold_frames();
  std::vector<Caller> bosses;
  const Kind was{Type::band, 0, kNoMax};
  for (const NodeId at : {1U, 2U}) {
    const SessionId client = cluster.join(at);
    bosses.push_back({client, cluster.change(client, "b", {Type::band, 1, at + 5}, was)});
  }
  for (int i = 0; i < 20; ++i) {
    cluster.deliver();
    cluster.pass(Duration::milliseconds(100));
  }
  for (const Caller& boss : bosses)
    EXPECT_NE(cluster.told<Left>(boss.client, boss.request), nullptr);
}

TEST(Change, OfWhatHasNoNumbersIsRefused) {
  Cluster cluster("majority:n=3");
  const SessionId boss = cluster.join(0);
  const RequestId set = cluster.change(boss, "m", {});
  ASSERT_NE(cluster.told<Refused>(boss, set), nullptr);
  EXPECT_EQ(cluster.told<Refused>(boss, set)->why, Refusal::invalid);
}

class Band : public ::testing::Test {
 protected:
  // web-0 to web-4, each at a member of its own.
  void enter(std::size_t count, std::uint32_t min, std::uint32_t max = kNoMax) {
    for (std::size_t i = 0; i < count; ++i) {
      const SessionId client = cluster_.join(static_cast<NodeId>(i % 5));
      guests_.push_back(
          {client, cluster_.band(client, "web", "web-" + std::to_string(i), min, max)});
    }
  }
  bool is_inside(std::size_t guest) const {
    return cluster_.is_inside(guests_[guest].client, guests_[guest].request);
  }
  bool has_left(std::size_t guest) const {
    return cluster_.told<Left>(guests_[guest].client, guests_[guest].request) != nullptr;
  }
  void leave(std::size_t guest, Duration wait = {}) {
    cluster_.release(guests_[guest].client, guests_[guest].request, {.wait = wait});
  }

  Cluster cluster_{"majority:n=5"};
  std::vector<Caller> guests_;
};

TEST_F(Band, OneLeavesOnlyIfEnoughStay) {
  enter(4, 3);
  leave(0);
  EXPECT_TRUE(has_left(0));
  leave(1);
  EXPECT_FALSE(has_left(1));
  const SessionId back = cluster_.join(0);
  cluster_.band(back, "web", "web-0", 3);
  EXPECT_TRUE(has_left(1));
}

TEST_F(Band, UntilSoManyHaveBeenInsideOneMayLeave) {
  enter(2, 3);
  leave(0);
  EXPECT_TRUE(has_left(0));
}

TEST_F(Band, HasAMaximumToo) {
  enter(4, 1, 3);
  EXPECT_TRUE(is_inside(2));
  EXPECT_FALSE(is_inside(3));
  leave(0);
  EXPECT_TRUE(has_left(0));
  EXPECT_TRUE(is_inside(3));
}

TEST_F(Band, WhoIsNotLetOutInTimeStays) {
  enter(3, 3);
  leave(0, Cluster::kLease);
  EXPECT_FALSE(has_left(0));
  cluster_.pass(Cluster::kLease * 2);
  const auto* const refused = cluster_.told<Refused>(guests_[0].client, guests_[0].request);
  ASSERT_NE(refused, nullptr);
  EXPECT_EQ(refused->why, Refusal::must_stay);
  // And counts: another may leave only when a fourth has come.
  leave(1);
  EXPECT_FALSE(has_left(1));
  const SessionId fourth = cluster_.join(3);
  cluster_.band(fourth, "web", "web-3", 3);
  EXPECT_TRUE(has_left(1));
}

// What lets it out are other votes than those that repair its hold (torture, seed 47).
TEST(BandOfThree, WhoWaitsToLeaveKeepsItsHoldWhenAnotherMemberFails) {
  for (const NodeId victim : {NodeId{1}, NodeId{2}}) {
    for (const bool is_noticed : {true, false}) {
      Cluster cluster("majority:n=3");
      const SessionId first = cluster.join(0);
      const RequestId one = cluster.band(first, "web", "web-0", 2, 4);
      const SessionId second = cluster.join(victim == 1 ? 2 : 1);
      ASSERT_TRUE(cluster.is_inside(second, cluster.band(second, "web", "web-1", 2, 4)));
      cluster.release(first, one);
      cluster.kill(victim, is_noticed);
      cluster.pass(Cluster::kLease * 6);
      EXPECT_EQ(cluster.told<Lost>(first, one), nullptr) << "without member " << victim;
      EXPECT_EQ(cluster.told<Left>(first, one), nullptr);
      // It still waits, and leaves when another has come.
      const SessionId third = cluster.join(0);
      cluster.band(third, "web", "web-2", 2, 4);
      cluster.pass(Cluster::kLease * 6);
      EXPECT_NE(cluster.told<Left>(first, one), nullptr) << "without member " << victim;
    }
  }
}

TEST_F(Band, WhoOnlyTriesToLeaveIsToldAtOnceThatItMustStay) {
  enter(4, 3);
  const auto try_to_leave = [&](std::size_t guest) {
    cluster_.release(guests_[guest].client, guests_[guest].request, {.is_try = true});
  };
  try_to_leave(0);
  EXPECT_TRUE(has_left(0));
  try_to_leave(1);
  const auto* const refused = cluster_.told<Refused>(guests_[1].client, guests_[1].request);
  ASSERT_NE(refused, nullptr);
  EXPECT_EQ(refused->why, Refusal::must_stay);
  EXPECT_EQ(refused->text, "3 must stay inside");
  EXPECT_FALSE(has_left(1));
}

TEST_F(Band, WhoIsAbandonedIsOutWhoeverMinds) {
  enter(3, 3);
  cluster_.release(guests_[0].client, guests_[0].request, {.is_abandonment = true});
  EXPECT_TRUE(has_left(0));
  EXPECT_EQ(cluster_.show(guests_[1].client, "web").holders.size(), 2U);
  leave(1);
  EXPECT_FALSE(has_left(1));
}

TEST_F(Band, WhoDiesCountsUntilItsLeaseHasRunOut) {
  enter(4, 3);
  cluster_.pass(Cluster::kLease * 3);
  cluster_.kill(0);
  leave(1);
  cluster_.pass(Cluster::kLease * 4);
  // Counted or not, three must be inside: web-1 stays if web-0 is known to be gone.
  leave(2);
  cluster_.pass(Cluster::kLease * 4);
  EXPECT_FALSE(has_left(1) && has_left(2));
}

TEST_F(Band, ALowerMinimumLetsOneOut) {
  enter(3, 3);
  leave(0);
  ASSERT_FALSE(has_left(0));
  const SessionId boss = cluster_.join(4);
  const RequestId set = cluster_.change(boss, "web", {Type::band, 2, kNoMax});
  EXPECT_NE(cluster_.told<Left>(boss, set), nullptr);
  EXPECT_TRUE(has_left(0));
  leave(1);
  EXPECT_FALSE(has_left(1));
}

TEST_F(Band, TwoCannotGoByOneName) {
  enter(1, 1);
  const SessionId twin = cluster_.join(3);
  const RequestId request = cluster_.band(twin, "web", "web-0", 1);
  EXPECT_FALSE(cluster_.is_inside(twin, request));
  EXPECT_THAT(cluster_.show(twin, "web").waiters.front().why, HasSubstr("web-0 is inside already"));
  // Nobody else waits for that, at its member or elsewhere.
  for (const NodeId member : {2U, 3U}) {
    const SessionId other = cluster_.join(member);
    const RequestId passes = cluster_.band(other, "web", "web-" + std::to_string(5 + member), 1);
    EXPECT_TRUE(cluster_.is_inside(other, passes));
  }
  cluster_.close(guests_[0].client);
  cluster_.pass(Cluster::kLease);
  EXPECT_TRUE(cluster_.is_inside(twin, request));
}

TEST_F(Band, ToldWhyItWaitsEitherWay) {
  enter(4, 3, 3);
  leave(0);
  const Picture picture = cluster_.show(guests_[1].client, "web");
  ASSERT_EQ(picture.holders.size(), 3U);
  EXPECT_EQ(picture.holders[0].group, "web-0");
  EXPECT_TRUE(picture.holders[0].is_leaving);
  EXPECT_EQ(picture.holders[0].why,
            "3 inside, of whom at least 3 must stay; next when one more enters");
  ASSERT_EQ(picture.waiters.size(), 1U);
  EXPECT_EQ(picture.waiters[0].why, "3 of 3 inside; next when one of web-0, web-1, web-2 leaves");
}

}  // namespace
}  // namespace coterie::member
