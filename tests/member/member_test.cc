// What a member promises, in a cluster whose network and clock the test moves.
#include "member/member.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "member/cluster.h"

namespace coterie::member {
namespace {

using ::testing::HasSubstr;

TEST(Mutex, IsGrantedInTwoHopsAndThreeMessagesPerArbiter) {
  Cluster cluster("majority:n=3");
  const SessionId client = cluster.join(0);
  cluster.packet_frames();
  const RequestId request = cluster.mutex(client, "m");
  EXPECT_TRUE(cluster.is_inside(client, request));
  // Of two arbiters one may be the member itself; asked and answered.
  const std::size_t entering = cluster.packet_frames();
  EXPECT_THAT(entering, ::testing::AnyOf(2U, 4U));
}

TEST(Mutex, IsKeptForTheNextOfTheSameMemberWithoutAMessage) {
  Cluster cluster("majority:n=3");
  const SessionId client = cluster.join(0);
  const RequestId first = cluster.mutex(client, "m");
  cluster.release(client, first);
  cluster.packet_frames();
  const RequestId second = cluster.mutex(client, "m");
  EXPECT_TRUE(cluster.is_inside(client, second));
  EXPECT_EQ(cluster.packet_frames(), 0U);
  EXPECT_GT(cluster.token(client, second), 0U);
}

TEST(Mutex, PassesToTheNextInLine) {
  Cluster cluster("majority:n=5");
  const SessionId first = cluster.join(0);
  const SessionId second = cluster.join(1);
  const SessionId third = cluster.join(2);
  const RequestId a = cluster.mutex(first, "m");
  const RequestId b = cluster.mutex(second, "m");
  const RequestId c = cluster.mutex(third, "m");
  ASSERT_TRUE(cluster.is_inside(first, a));
  const Number token = cluster.token(first, a);
  EXPECT_FALSE(cluster.is_inside(second, b));
  cluster.release(first, a);
  ASSERT_TRUE(cluster.is_inside(second, b));
  EXPECT_FALSE(cluster.is_inside(third, c));
  EXPECT_GT(cluster.token(second, b), token);
  cluster.release(second, b);
  EXPECT_TRUE(cluster.is_inside(third, c));
}

TEST(Mutex, TokensGrowAmongClientsOfOneMember) {
  Cluster cluster("majority:n=3");
  const SessionId one = cluster.join(0);
  const SessionId two = cluster.join(0);
  const RequestId a = cluster.mutex(one, "m");
  const Number first = cluster.token(one, a);
  const RequestId b = cluster.mutex(two, "m");
  EXPECT_FALSE(cluster.is_inside(two, b));
  cluster.release(one, a);
  ASSERT_TRUE(cluster.is_inside(two, b));
  const Number second = cluster.token(two, b);
  EXPECT_GT(second, first);
  cluster.release(two, b);
  const RequestId c = cluster.mutex(one, "m");
  EXPECT_GT(cluster.token(one, c), second);
}

TEST(Mutex, WhoAbandonsItMayWantNoAnswer) {
  Cluster cluster("majority:n=3");
  const SessionId one = cluster.join(0);
  const SessionId two = cluster.join(1);
  const RequestId a = cluster.mutex(one, "m");
  const RequestId b = cluster.mutex(two, "m");
  cluster.release(one, a, {.is_abandonment = true, .is_quiet = true});
  EXPECT_TRUE(cluster.is_inside(two, b));
  cluster.release(one, a, {.is_abandonment = true, .is_quiet = true});
  EXPECT_TRUE(cluster.told<Granted>(one, a));  // the last that it was told
}

TEST(Mutex, TokensGrowThoughTheNameWasForgotten) {
  Cluster cluster("majority:n=3");
  Number last = 0;
  for (NodeId at = 0; at < 3; ++at) {
    const SessionId client = cluster.join(at);
    const RequestId request = cluster.mutex(client, "m");
    ASSERT_TRUE(cluster.is_inside(client, request));
    EXPECT_GT(cluster.token(client, request), last);
    last = cluster.token(client, request);
    cluster.close(client);
    cluster.pass(Cluster::kLease * 2);
    for (NodeId member = 0; member < 3; ++member) EXPECT_EQ(cluster.member(member).resources(), 0U);
  }
}

// Members take turns: while others are known to wait, a member serves a batch of its own, and no more.
TEST(Mutex, NoMemberIsPassedOverMoreThanABatch) {
  constexpr std::size_t kBatch = 4;
  Cluster cluster("majority:n=3", kBatch);
  std::vector<std::pair<SessionId, RequestId>> crowd;
  for (int i = 0; i < 3; ++i) {
    const SessionId client = cluster.join(0);
    crowd.emplace_back(client, cluster.mutex(client, "m"));
  }
  const SessionId lonely = cluster.join(1);
  const RequestId wish = cluster.mutex(lonely, "m");
  std::size_t passed = 0;
  while (!cluster.is_inside(lonely, wish)) {
    ASSERT_LT(passed, 2 * kBatch);
    for (auto& [client, request] : crowd) {
      if (!cluster.is_inside(client, request)) continue;
      cluster.release(client, request);
      request = cluster.mutex(client, "m");  // at once again
      ++passed;
      break;
    }
  }
  EXPECT_EQ(passed, kBatch);
}

TEST(Room, IsSharedByAGroup) {
  Cluster cluster("majority:n=3");
  const SessionId a = cluster.join(0);
  const SessionId b = cluster.join(1);
  const SessionId c = cluster.join(2);
  const RequestId blue = cluster.room(a, "r", {"blue"});
  const RequestId also_blue = cluster.room(b, "r", {"blue"});
  const RequestId green = cluster.room(c, "r", {"green"});
  EXPECT_TRUE(cluster.is_inside(a, blue));
  EXPECT_TRUE(cluster.is_inside(b, also_blue));
  EXPECT_FALSE(cluster.is_inside(c, green));
  // Green waits: nobody joins blue any more, not even at a member that is inside.
  const SessionId late = cluster.join(0);
  const RequestId late_blue = cluster.room(late, "r", {"blue"});
  EXPECT_FALSE(cluster.is_inside(late, late_blue));
  cluster.release(a, blue);
  cluster.release(b, also_blue);
  EXPECT_TRUE(cluster.is_inside(c, green));
  EXPECT_EQ(cluster.told<Granted>(c, green)->group, "green");
  EXPECT_GT(cluster.token(c, green), 0U);
  cluster.release(c, green);
  EXPECT_TRUE(cluster.is_inside(late, late_blue));
}

TEST(Room, IsJoinedAtTheSameMemberWithoutAMessage) {
  Cluster cluster("majority:n=3");
  const SessionId a = cluster.join(0);
  const SessionId b = cluster.join(0);
  cluster.room(a, "r", {"blue"});
  cluster.packet_frames();
  const RequestId request = cluster.room(b, "r", {"blue", "red"});
  EXPECT_TRUE(cluster.is_inside(b, request));
  EXPECT_EQ(cluster.told<Granted>(b, request)->group, "blue");
  EXPECT_EQ(cluster.packet_frames(), 0U);
}

TEST(Room, TakesAnyOfSeveralGroups) {
  Cluster cluster("majority:n=3");
  const SessionId a = cluster.join(0);
  const SessionId b = cluster.join(1);
  cluster.room(a, "r", {"red"});
  const RequestId either = cluster.room(b, "r", {"blue", "red"});
  ASSERT_TRUE(cluster.is_inside(b, either));
  EXPECT_EQ(cluster.told<Granted>(b, either)->group, "red");
}

TEST(Room, HasReadersAndWriters) {
  Cluster cluster("majority:n=3");
  const SessionId reader = cluster.join(0);
  const SessionId writer = cluster.join(1);
  const SessionId other = cluster.join(1);
  Wish alone;
  alone.name = "r";
  alone.kind = {Type::room};
  alone.is_alone = true;
  const RequestId read = cluster.room(reader, "r", {"readers"});
  const RequestId write = cluster.acquire(writer, alone);
  const RequestId another = cluster.acquire(other, alone);
  EXPECT_FALSE(cluster.is_inside(writer, write));
  cluster.release(reader, read);
  EXPECT_TRUE(cluster.is_inside(writer, write));
  EXPECT_FALSE(cluster.is_inside(other, another));
  const std::string group = cluster.told<Granted>(writer, write)->group;
  EXPECT_EQ(cluster.show(other, "r").waiters[0].why, "next: a writer is inside (client)");
  // Who is alone stays alone: its group cannot be named.
  const RequestId intruder = cluster.room(reader, "r", {group});
  EXPECT_EQ(cluster.told<Refused>(reader, intruder)->why, Refusal::invalid);
  cluster.release(writer, write);
  EXPECT_TRUE(cluster.is_inside(other, another));
}

TEST(Name, MeansOneThingAtATime) {
  Cluster cluster("majority:n=3");
  const SessionId a = cluster.join(0);
  const SessionId b = cluster.join(1);
  const RequestId mutex = cluster.mutex(a, "x");
  for (const SessionId client : {a, b}) {
    if (client == a) continue;
    const RequestId room = cluster.room(client, "x", {"blue"});
    ASSERT_NE(cluster.told<Refused>(client, room), nullptr);
    EXPECT_EQ(cluster.told<Refused>(client, room)->why, Refusal::mismatch);
    EXPECT_THAT(cluster.told<Refused>(client, room)->text,
                HasSubstr("\"x\" is in use as a mutex; you asked for a room"));
  }
  cluster.release(a, mutex);
  cluster.pass(Cluster::kLease * 2);
  EXPECT_TRUE(cluster.is_inside(b, cluster.room(b, "x", {"blue"})));
}

TEST(Wish, IsRefusedIfItCannotBe) {
  Cluster cluster("majority:n=3");
  const SessionId client = cluster.join(0);
  const RequestId first = cluster.mutex(client, "m");
  EXPECT_TRUE(cluster.is_inside(client, first));
  const auto refusal = [&](Wish wish) {
    const RequestId request = cluster.acquire(client, std::move(wish));
    const Refused* const refused = cluster.told<Refused>(client, request);
    return refused != nullptr ? refused->text : "not refused";
  };
  Wish wish;
  wish.name = "m";
  EXPECT_EQ(refusal(wish), "you hold \"m\" already");
  wish.name = "";
  EXPECT_EQ(refusal(wish), "the name must not be empty");
  wish.name = "a\nb";
  EXPECT_EQ(refusal(wish), "the name must not contain control characters");
  wish.name = std::string(300, 'x');
  EXPECT_EQ(refusal(wish), "the name has 300 bytes; at most 255 are allowed");
  wish.name = "n";
  wish.groups = {"blue"};
  EXPECT_EQ(refusal(wish), "a mutex has no groups; ask for a room");
  wish.kind = {Type::room};
  wish.groups = {};
  EXPECT_EQ(refusal(wish), "a room needs a group");
  wish.groups = {""};
  EXPECT_EQ(refusal(wish), "a group must not be empty");
}

TEST(Wish, TriedIsRefusedIfItMustWait) {
  Cluster cluster("majority:n=3");
  Wish attempt;
  attempt.name = "m";
  attempt.is_try = true;
  const SessionId a = cluster.join(0);
  const SessionId b = cluster.join(1);
  const RequestId got = cluster.acquire(a, attempt);
  EXPECT_TRUE(cluster.is_inside(a, got));
  const RequestId not_got = cluster.acquire(b, attempt);
  ASSERT_NE(cluster.told<Refused>(b, not_got), nullptr);
  EXPECT_EQ(cluster.told<Refused>(b, not_got)->why, Refusal::would_wait);
  // Nothing of it is left.
  cluster.close(a);
  cluster.close(b);
  cluster.pass(Cluster::kLease * 2);
  for (NodeId member = 0; member < 3; ++member) EXPECT_EQ(cluster.member(member).resources(), 0U);
}

TEST(Wish, WaitsNoLongerThanAsked) {
  Cluster cluster("majority:n=3");
  Wish patient;
  patient.name = "m";
  patient.wait = Duration::seconds(1);
  const SessionId a = cluster.join(0);
  const SessionId b = cluster.join(1);
  cluster.mutex(a, "m");
  const RequestId request = cluster.acquire(b, patient);
  cluster.pass(Duration::milliseconds(900));
  EXPECT_EQ(cluster.told<Refused>(b, request), nullptr);
  cluster.pass(Duration::milliseconds(200));
  ASSERT_NE(cluster.told<Refused>(b, request), nullptr);
  EXPECT_EQ(cluster.told<Refused>(b, request)->why, Refusal::timed_out);
}

TEST(Wish, CanBeCancelled) {
  Cluster cluster("majority:n=3");
  const SessionId a = cluster.join(0);
  const SessionId b = cluster.join(1);
  const SessionId c = cluster.join(2);
  const RequestId held = cluster.mutex(a, "m");
  const RequestId given_up = cluster.mutex(b, "m");
  const RequestId next = cluster.mutex(c, "m");
  cluster.release(b, given_up);
  EXPECT_EQ(cluster.told<Refused>(b, given_up)->why, Refusal::cancelled);
  cluster.release(a, held);
  EXPECT_TRUE(cluster.is_inside(c, next));
}

TEST(Session, ThatIsSilentLosesItsHolds) {
  Cluster cluster("majority:n=3");
  const SessionId a = cluster.join(0);
  const SessionId b = cluster.join(1);
  cluster.mutex(a, "m");
  const RequestId waits = cluster.mutex(b, "m");
  cluster.silence(a);
  cluster.pass(Duration::milliseconds(2'900));
  EXPECT_FALSE(cluster.is_inside(b, waits));
  cluster.pass(Duration::milliseconds(200));
  EXPECT_TRUE(cluster.is_inside(b, waits));
  EXPECT_TRUE(std::holds_alternative<Ended>(cluster.events(a).back()));
}

TEST(Session, ThatIsClosedLeavesAtOnce) {
  Cluster cluster("majority:n=3");
  const SessionId a = cluster.join(0);
  const SessionId b = cluster.join(1);
  cluster.mutex(a, "m");
  const RequestId waits = cluster.mutex(b, "m");
  cluster.close(a);
  EXPECT_TRUE(cluster.is_inside(b, waits));
}

TEST(Crash, OfAnyOtherMemberCostsNoHold) {
  for (NodeId dead = 1; dead < 5; ++dead) {
    Cluster cluster("majority:n=5");
    const SessionId holder = cluster.join(0);
    const RequestId held = cluster.mutex(holder, "m");
    cluster.pass(Cluster::kLease);  // it has its spare
    cluster.kill(dead);
    cluster.pass(Cluster::kLease * 4);
    EXPECT_TRUE(cluster.is_inside(holder, held)) << dead;
    // And others can still use other names.
    for (NodeId other = 0; other < 5; ++other) {
      if (other == dead) continue;
      const SessionId client = cluster.join(other);
      EXPECT_TRUE(cluster.is_inside(client, cluster.mutex(client, "n" + std::to_string(other))));
    }
  }
}

TEST(Crash, OfTheHolderIsOverWithItsLease) {
  Cluster cluster("majority:n=5");
  const SessionId holder = cluster.join(0);
  const SessionId waiter = cluster.join(1);
  const RequestId held = cluster.mutex(holder, "m");
  const Number token = cluster.token(holder, held);
  const RequestId waits = cluster.mutex(waiter, "m");
  cluster.kill(0);
  cluster.pass(Cluster::kLease / 2);
  EXPECT_FALSE(cluster.is_inside(waiter, waits));
  cluster.pass(Cluster::kLease);
  ASSERT_TRUE(cluster.is_inside(waiter, waits));
  EXPECT_GT(cluster.token(waiter, waits), token);
}

TEST(Crash, OfAllMembersIsFollowedBySilence) {
  Cluster cluster("majority:n=3");
  const SessionId holder = cluster.join(0);
  const RequestId held = cluster.mutex(holder, "m");
  const Number token = cluster.token(holder, held);
  for (NodeId member = 0; member < 3; ++member) cluster.kill(member);
  for (NodeId member = 0; member < 3; ++member) cluster.start(member);
  const SessionId client = cluster.join(1);
  cluster.pass(Cluster::kStep * 2);
  const RequestId request = cluster.mutex(client, "m");
  EXPECT_FALSE(cluster.is_inside(client, request));
  EXPECT_TRUE(cluster.member(1).is_silent());
  cluster.pass(Cluster::kLease);
  ASSERT_TRUE(cluster.is_inside(client, request));
  EXPECT_GT(cluster.token(client, request), token);
}

TEST(Amnesia, IsSilentUntilAQuorumOfOthersHasTold) {
  Cluster cluster("majority:n=3");
  const SessionId holder = cluster.join(0);
  const RequestId held = cluster.mutex(holder, "m");
  const Number token = cluster.token(holder, held);
  cluster.close(holder);
  cluster.kill(1);
  cluster.kill(2);
  cluster.start(1, Birth::amnesia);
  cluster.pass(Cluster::kLease * 2);
  EXPECT_TRUE(cluster.member(1).is_silent());
  cluster.start(2);
  cluster.pass(Cluster::kLease * 2);
  EXPECT_FALSE(cluster.member(1).is_silent());
  cluster.kill(0);
  const SessionId client = cluster.join(1);
  const RequestId request = cluster.mutex(client, "m");
  ASSERT_TRUE(cluster.is_inside(client, request));
  EXPECT_GT(cluster.token(client, request), token);
}

// What was sent before the disk was lost does not tell what was granted until then.
TEST(Amnesia, IsNotToldByFramesForAFormerLife) {
  Cluster cluster("majority:n=3");
  cluster.kill(0);
  cluster.hold_frames();
  cluster.start(0, Birth::amnesia);
  cluster.frames().clear();
  const Incarnation incarnation = cluster.member(0).incarnation();
  Frame told;
  told.from = 100;
  told.ceiling = 1'000;
  const auto tell = [&](Incarnation to) {
    told.to = to;
    for (NodeId peer = 1; peer < 3; ++peer) cluster.member(0).receive(peer, told, cluster.now());
  };
  tell(0);
  tell(incarnation - 1);
  tell(incarnation);  // without what must not be forgotten of names
  EXPECT_EQ(cluster.member(0).tally().of(Happened::ceiling_learned), 0U);
  told.keepsakes = packed(std::vector<std::pair<std::string, Keepsake>>());
  tell(incarnation - 1);
  EXPECT_EQ(cluster.member(0).tally().of(Happened::ceiling_learned), 0U);
  tell(incarnation);  // before its silence is over
  EXPECT_EQ(cluster.member(0).tally().of(Happened::ceiling_learned), 0U);
  cluster.pass(Cluster::kLease * 2);
  tell(incarnation);
  EXPECT_EQ(cluster.member(0).tally().of(Happened::ceiling_learned), 1U);
}

TEST(Partition, TakesTheHoldOfTheMinorityBeforeTheMajorityGoesOn) {
  Cluster cluster("majority:n=3");
  const SessionId cut_off = cluster.join(0);
  const RequestId held = cluster.mutex(cut_off, "m");
  const SessionId waiter = cluster.join(1);
  const RequestId waits = cluster.mutex(waiter, "m");
  for (NodeId peer = 1; peer < 3; ++peer) {
    cluster.cut(0, peer);
    cluster.cut(peer, 0);
  }
  while (cluster.is_inside(cut_off, held)) {
    EXPECT_FALSE(cluster.is_inside(waiter, waits));
    cluster.pass(Duration::milliseconds(50));
  }
  EXPECT_NE(cluster.told<Lost>(cut_off, held), nullptr);
  cluster.pass(Cluster::kStep);
  EXPECT_TRUE(cluster.is_inside(waiter, waits));
  cluster.heal();
  cluster.pass(Cluster::kLease * 2);
  cluster.close(waiter);
  EXPECT_TRUE(cluster.is_inside(cut_off, cluster.mutex(cut_off, "m")));
}

// One lease per pair of members covers everything between them.
TEST(Lease, CostsTheSameForManyHoldsAsForOne) {
  Cluster cluster("majority:n=3");
  const SessionId client = cluster.join(0);
  cluster.mutex(client, "m");
  cluster.pass(Cluster::kLease);  // it has its spare
  cluster.all_frames();
  cluster.pass(Cluster::kLease);
  const std::size_t for_one = cluster.all_frames();
  std::vector<RequestId> held;
  for (int i = 0; i < 1'000; ++i) held.push_back(cluster.mutex(client, "m" + std::to_string(i)));
  cluster.pass(Cluster::kLease);
  cluster.all_frames();
  cluster.pass(Cluster::kLease);
  EXPECT_EQ(cluster.all_frames(), for_one);
  for (const RequestId request : held) EXPECT_TRUE(cluster.is_inside(client, request));
}

TEST(Stop, WaitsForClientsAndThenNobodyWaits) {
  Cluster cluster("majority:n=3");
  const SessionId holder = cluster.join(0);
  const SessionId waiter = cluster.join(1);
  cluster.mutex(holder, "m");
  const RequestId waits = cluster.mutex(waiter, "m");
  cluster.member(0).stop(cluster.now());
  cluster.deliver();
  EXPECT_TRUE(std::holds_alternative<Stopping>(cluster.events(holder).back()));
  EXPECT_FALSE(cluster.member(0).is_stopped());
  EXPECT_FALSE(cluster.is_inside(waiter, waits));
  cluster.close(holder);
  EXPECT_TRUE(cluster.member(0).is_stopped());
  EXPECT_TRUE(cluster.is_inside(waiter, waits));
}

}  // namespace
}  // namespace coterie::member
