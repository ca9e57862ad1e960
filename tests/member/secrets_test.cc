// Clients that lie: tickets that they guess, that were theirs, or that they use twice; numbers and names that they make up.
// Honest ones must not notice.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "member/cluster.h"
#include "member/sound.h"

namespace coterie::member {
namespace {

using ::testing::HasSubstr;

struct Liar {
  SessionId client = 0;
  RequestId request = 0;
};

struct LiarCase {
  std::string name;
  Kind kind;
  std::vector<std::string> groups;
  std::vector<std::string> rival;
  bool is_alone = false;
};

class Tickets : public ::testing::TestWithParam<LiarCase> {
 protected:
  Wish wish(const std::vector<std::string>& groups) const {
    Wish wish;
    wish.name = "x";
    wish.kind = GetParam().kind;
    wish.groups = groups;
    return wish;
  }
  Wish first() const {
    Wish first = wish(GetParam().groups);
    first.is_alone = GetParam().is_alone;
    return first;
  }
  Liar enter(NodeId at, const Wish& wish) {
    const SessionId client = cluster_.join(at);
    return {client, cluster_.acquire(client, wish)};
  }
  bool is_inside(const Liar& who) const { return cluster_.is_inside(who.client, who.request); }
  // All that a client could know or guess, but for what it was not told.
  Wish shown(const Liar& victim) const {
    const auto& granted = *cluster_.told<Granted>(victim.client, victim.request);
    Wish forged = first();
    forged.ticket = {granted.origin, granted.group, granted.token, granted.secret};
    forged.wait = Duration::seconds(2);
    return forged;
  }

  Cluster cluster_{"majority:n=5"};
};

const LiarCase kInAMutex{"mutex", {Type::mutex}, {}, {}};
const LiarCase kInASemaphore{"semaphore", {Type::semaphore, 0, 2}, {}, {}};
const LiarCase kInABand{"band", {Type::band, 0, 2}, {"p"}, {"q"}};
INSTANTIATE_TEST_SUITE_P(Kinds, Tickets,
                         ::testing::Values(kInAMutex, LiarCase{"room", {Type::room}, {"a"}, {"b"}},
                                           LiarCase{"alone", {Type::room}, {}, {"b"}, true},
                                           LiarCase{"rooms", {Type::room, 0, 2}, {"a"}, {"b"}},
                                           kInASemaphore, kInABand),
                         [](const auto& one) { return one.param.name; });
// Where others may not join those that are inside.
class PlacesOfOne : public Tickets {};
INSTANTIATE_TEST_SUITE_P(Kinds, PlacesOfOne, ::testing::Values(kInAMutex, kInASemaphore, kInABand),
                         [](const auto& one) { return one.param.name; });

TEST_P(Tickets, AreNotGuessed) {
  const Liar victim = enter(0, first());
  ASSERT_TRUE(is_inside(victim));
  const Liar second = enter(0, wish(GetParam().rival));
  const Liar rival =
      enter(1, GetParam().kind.type == Type::band ? wish({"r"}) : wish({GetParam().rival}));
  cluster_.pass(Cluster::kStep);
  const bool was_inside = is_inside(rival);
  std::vector<Liar> liars;
  for (NodeId at = 0; at < 5; ++at) {
    for (int guess = 0; guess < 4; ++guess) {
      Wish forged = shown(victim);
      forged.ticket->secret.low ^= std::uint64_t{1} << static_cast<unsigned>(guess * 20);
      if (guess == 3) forged.ticket->secret = {};
      liars.push_back(enter(at, forged));
    }
  }
  for (int round = 0; round < 4; ++round) {
    cluster_.pass(Duration::milliseconds(400));
    for (const Liar& liar : liars) EXPECT_FALSE(is_inside(liar));
    EXPECT_EQ(is_inside(rival), was_inside);
  }
  for (const Liar& liar : liars) cluster_.release(liar.client, liar.request);
  cluster_.pass(Cluster::kLease);
  EXPECT_TRUE(is_inside(victim));
  EXPECT_EQ(is_inside(rival), was_inside);
  cluster_.kill(0);
  const Liar moved = enter(2, shown(victim));
  EXPECT_TRUE(is_inside(moved)) << "the right one is good still";
  static_cast<void>(second);
}

// Whoever shows one for which there is no room any more waits like others.
TEST_P(PlacesOfOne, AreNothingAfterTheirClientHasLeft) {
  const Liar former = enter(0, first());
  cluster_.pass(Cluster::kStep);
  const Wish ticket = shown(former);
  cluster_.release(former.client, former.request);
  std::vector<Liar> inside;
  for (std::uint32_t i = 0; i < GetParam().kind.max; ++i) {
    inside.push_back(enter(i, GetParam().kind.type == Type::band ? wish({"r" + std::to_string(i)})
                                                                 : wish(GetParam().rival)));
    EXPECT_TRUE(is_inside(inside.back()));
  }
  for (const bool is_dead : {false, true}) {
    if (is_dead) cluster_.kill(0);
    for (NodeId at = 1; at < 5; ++at) {
      const Liar liar = enter(at, ticket);
      cluster_.pass(Cluster::kStep);
      EXPECT_FALSE(is_inside(liar));
      cluster_.release(liar.client, liar.request);
    }
  }
}

TEST_P(Tickets, MoveNoNumber) {
  const Liar victim = enter(0, first());
  cluster_.pass(Cluster::kStep);
  Wish higher = shown(victim);
  higher.ticket->token += 1'000'000;
  const Liar liar = enter(1, higher);
  cluster_.pass(Cluster::kStep);
  EXPECT_FALSE(is_inside(liar));
}

// One client of a member after another, by one hold: what arbiters know of it must be of the one that is inside.
TEST(TicketsOfAMutex, AreNotOfThoseThatWereInsideBefore) {
  for (const bool is_long : {false, true}) {
    for (const bool is_dead : {false, true}) {
      Cluster cluster("majority:n=5");
      const SessionId first = cluster.join(0);
      const SessionId next = cluster.join(0);
      const RequestId held = cluster.mutex(first, "x");
      const Granted granted = *cluster.told<Granted>(first, held);
      const RequestId waits = cluster.mutex(next, "x");
      if (is_long) cluster.pass(Cluster::kStep);
      cluster.release(first, held);
      ASSERT_TRUE(cluster.is_inside(next, waits));
      cluster.pass(Cluster::kStep);
      if (is_dead) cluster.kill(0);
      Wish wish;
      wish.name = "x";
      wish.wait = Duration::seconds(1);
      wish.ticket = {granted.origin, "", granted.token, granted.secret};
      const SessionId liar = cluster.join(2);
      const RequestId lies = cluster.acquire(liar, wish);
      cluster.pass(Duration::milliseconds(900));
      EXPECT_FALSE(cluster.is_inside(liar, lies)) << is_long << is_dead;
      if (is_dead) continue;
      cluster.release(liar, lies);
      const SessionId rival = cluster.join(1);
      const RequestId asks = cluster.mutex(rival, "x");
      cluster.pass(Cluster::kStep);
      EXPECT_FALSE(cluster.is_inside(rival, asks));
      EXPECT_TRUE(cluster.is_inside(next, waits));
    }
  }
}

// It leaves at the member that it came to, and then at the one where it was: what that one passes on must not be what the
// arbiters were told to forget.
TEST(TicketsOfAMutex, LetNobodyInTwiceWhenTheirClientLeavesTwice) {
  Cluster cluster("majority:n=5");
  const SessionId liar = cluster.join(0);
  const SessionId next = cluster.join(0);
  const SessionId rival = cluster.join(1);
  const RequestId held = cluster.mutex(liar, "x");
  const Granted granted = *cluster.told<Granted>(liar, held);
  const RequestId waits = cluster.mutex(next, "x");
  const RequestId asks = cluster.mutex(rival, "x");
  cluster.pass(Cluster::kStep);
  Wish wish;
  wish.name = "x";
  wish.wait = Duration::seconds(1);
  wish.ticket = {granted.origin, "", granted.token, granted.secret};
  const SessionId again = cluster.join(2);
  const RequestId moved = cluster.acquire(again, wish);
  ASSERT_TRUE(cluster.is_inside(again, moved));
  cluster.release(again, moved);
  cluster.release(liar, held);
  cluster.pass(Cluster::kStep);
  EXPECT_NE(cluster.is_inside(next, waits), cluster.is_inside(rival, asks));
}

TEST(TicketsOfASemaphore, LetNoFiftyInWhereThereAreTwo) {
  Cluster cluster("majority:n=3");
  const SessionId honest = cluster.join(0);
  const RequestId inside = cluster.semaphore(honest, "x", 2);
  const Granted granted = *cluster.told<Granted>(honest, inside);
  int entered = 0;
  for (std::uint64_t i = 0; i < 50; ++i) {
    Wish wish;
    wish.name = "x";
    wish.kind = {Type::semaphore, 0, 2};
    wish.wait = Duration::seconds(1);
    wish.ticket = {granted.origin, "", granted.token, {i, i * i}};
    const SessionId client = cluster.join(static_cast<NodeId>(i % 3));
    const RequestId request = cluster.acquire(client, wish);
    cluster.pass(Duration::milliseconds(50));
    if (cluster.is_inside(client, request)) ++entered;
  }
  EXPECT_EQ(entered, 0);
}

// The members die, one after another, and all their clients move: whoever was inside is so still, and nobody else.
TEST(TicketsOfASemaphore, AreGoodForAllClientsOfADeadMember) {
  Cluster cluster("majority:n=5");
  std::vector<Granted> granted;
  for (int i = 0; i < 3; ++i) {
    const SessionId client = cluster.join(0);
    const RequestId request = cluster.semaphore(client, "x", 3);
    granted.push_back(*cluster.told<Granted>(client, request));
  }
  const SessionId rival = cluster.join(1);
  const RequestId waits = cluster.semaphore(rival, "x", 3);
  cluster.kill(0);
  for (const Granted& one : granted) {
    Wish wish;
    wish.name = "x";
    wish.kind = {Type::semaphore, 0, 3};
    wish.wait = Duration::seconds(1);
    wish.ticket = {one.origin, "", one.token, one.secret};
    const SessionId client = cluster.join(2);
    const RequestId moved = cluster.acquire(client, wish);
    cluster.pass(Duration::milliseconds(100));
    EXPECT_TRUE(cluster.is_inside(client, moved));
  }
  cluster.pass(Cluster::kLease * 3);
  EXPECT_FALSE(cluster.is_inside(rival, waits));
}

TEST(TicketsOfARoom, MustBeText) {
  Cluster cluster("majority:n=3");
  const SessionId liar = cluster.join(0);
  Wish wish;
  wish.name = "x";
  wish.kind = {Type::room};
  wish.is_alone = true;
  wish.wait = Duration::seconds(1);
  for (const std::string group : {"\x01\xff\xfe", "\x01", "\x01\x02"}) {
    wish.ticket = {{0, 1, 0, Time{1}}, group, 1, {1, 2}};
    const RequestId request = cluster.acquire(liar, wish);
    const auto* const refused = cluster.told<Refused>(liar, request);
    ASSERT_NE(refused, nullptr);
    EXPECT_THAT(refused->text, HasSubstr("another group"));
  }
}

// The end of a hold that nobody has, with any number: no other name's tokens follow.
TEST(NumbersOfEnds, AreNotBelieved) {
  for (const Kind kind :
       {Kind{Type::mutex}, Kind{Type::room}, Kind{Type::semaphore, 0, 2}, Kind{Type::band, 0, 2}}) {
    for (const bool is_forced : {false, true}) {
      Cluster cluster("majority:n=3");
      const SessionId liar = cluster.join(0);
      const auto end = [&](Number token) {
        Burial burial;
        burial.name = "own";
        burial.kind = kind;
        burial.owner = "liar";
        burial.token = token;
        burial.is_forced = is_forced;
        const RequestId request = cluster.bury(liar, burial);
        cluster.pass(Cluster::kStep);
        return request;
      };
      const RequestId refused = end(~Number{0});
      ASSERT_NE(cluster.told<Refused>(liar, refused), nullptr);
      EXPECT_THAT(cluster.told<Refused>(liar, refused)->text, HasSubstr("the token"));
      end(Number{1} << 61U);
      end(Number{1} << 61U);
      end((Number{1} << 62U) - 1);
      cluster.pass(Duration::seconds(20));
      const SessionId honest = cluster.join(1);
      const RequestId held = cluster.mutex(honest, "m");
      ASSERT_TRUE(cluster.is_inside(honest, held));
      EXPECT_LT(cluster.token(honest, held), Number{1} << 40U);
    }
  }
}

// A peer's number that cannot be: the frame is dropped, and nothing of it is believed.
TEST(NumbersOfFrames, AreChecked) {
  Frame frame;
  EXPECT_TRUE(is_sound(frame));
  const auto with = [&](const auto& spoil) {
    Frame spoilt = frame;
    spoil(spoilt);
    return is_sound(spoilt);
  };
  const Number much = kMostNumber + 1;
  const auto time = static_cast<Time>(much);
  EXPECT_FALSE(with([&](Frame& it) { it.clock = time; }));
  EXPECT_FALSE(with([&](Frame& it) { it.ceiling = much; }));
  EXPECT_FALSE(with([&](Frame& it) { it.asking.session = much; }));
  EXPECT_FALSE(with([&](Frame& it) { it.asking.beat = much; }));
  EXPECT_FALSE(with([&](Frame& it) { it.answering.first = much; }));
  EXPECT_FALSE(with([&](Frame& it) { it.answering.received = much; }));
  EXPECT_FALSE(with([&](Frame& it) { it.questions.push_back({1, "\xff"}); }));
  const auto asks = [&](const Ask& body) {
    return with([&](Frame& it) { it.asking.packets.push_back({"x", {}, 0, body}); });
  };
  const auto answers = [&](const Answer& body) {
    return with([&](Frame& it) { it.answering.packets.push_back({"x", {}, 0, body}); });
  };
  EXPECT_TRUE(asks(Request{}));
  EXPECT_FALSE(asks(Request{time, {}, {}, false, {}}));
  EXPECT_FALSE(asks(Request{{}, {protocol::Rank::waiting, {time, 0}}, {}, false, {}}));
  EXPECT_FALSE(asks(Request{{}, {}, {"\xff"}, false, {}}));
  EXPECT_FALSE(asks(Yield{time, 0}));
  EXPECT_FALSE(asks(Release{{}, much}));
  EXPECT_FALSE(asks(Poll{time, {}, {}, false, {}}));
  EXPECT_FALSE(asks(Commit{{}, much, {}, false, false, {}}));
  EXPECT_FALSE(asks(Commit{{}, 0, {}, false, false, "\xff"}));
  EXPECT_FALSE(asks(Withdraw{time}));
  EXPECT_FALSE(asks(Record{"\xff"}));
  EXPECT_FALSE(asks(Erase{much}));
  EXPECT_FALSE(asks(Pin{"o", much, {}, false}));
  EXPECT_FALSE(asks(Unpin{"o", much, false}));
  EXPECT_FALSE(asks(Pin{"o", 1, {}, false, {}, much}));
  EXPECT_FALSE(asks(Settle{Settle::How::deny, "o", much, {}}));
  EXPECT_FALSE(asks(Settle{Settle::How::deny, "\xff", 1, {}}));
  EXPECT_FALSE(asks(Agree{{much, 0, 1, false}}));
  EXPECT_FALSE(asks(Agree{{1, 2, 1, false}}));
  EXPECT_FALSE(asks(Disown{{0, 1, kMostSlots, {}}, 0, {}}));
  EXPECT_FALSE(asks(Keys{{{{}, much}}}));
  EXPECT_FALSE(asks(Vouch{{}, {{}, much}, {}}));
  EXPECT_FALSE(answers(Lock{{}, {}, much, false}));
  EXPECT_FALSE(answers(Lock{{}, "\xff", 0, false}));
  EXPECT_FALSE(answers(Grant{{}, much, {}, {}}));
  EXPECT_FALSE(answers(Grant{{}, 0, {{NodeId{1} << 31U, {}, {}, {}, 0, false, false}}, {}}));
  EXPECT_FALSE(answers(Update{{}, {{0, {}, "\xff", {}, 0, false, false}}, {}}));
  EXPECT_FALSE(answers(Pinned{"o", much, false}));
  EXPECT_FALSE(answers(Unpinned{"o", much, false, false}));
  EXPECT_FALSE(answers(Settled{{}, Settled::Verdict::agreed, much, {}}));
  EXPECT_FALSE(answers(Settled{{}, Settled::Verdict::agreed, 1, "\xff"}));
  EXPECT_FALSE(answers(Agreed{much}));
  EXPECT_FALSE(answers(Mismatch{time, {}}));

  Cluster cluster("majority:n=3");
  Frame lie;
  lie.from = 1;
  lie.clock = time;
  lie.ceiling = much;
  cluster.member(0).receive(1, lie, cluster.now());
  EXPECT_EQ(cluster.member(0).tally().of(Happened::impossible), 1U);
  const SessionId client = cluster.join(0);
  const RequestId held = cluster.mutex(client, "x");
  ASSERT_TRUE(cluster.is_inside(client, held));
  EXPECT_LT(cluster.token(client, held), Number{1} << 40U);
}

}  // namespace
}  // namespace coterie::member
