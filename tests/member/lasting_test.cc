// Holds that outlive their client and their member, in a cluster whose network and clock the test moves.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "member/cluster.h"

namespace coterie::member {
namespace {

Wish wish_for(const std::string& name, Kind kind, const std::string& owner) {
  Wish wish;
  wish.name = name;
  wish.kind = kind;
  wish.owner = owner;
  if (kind.type == Type::room) wish.groups = {"blue"};
  if (kind.type == Type::band) wish.groups = {owner};
  return wish;
}

class Lasting : public ::testing::TestWithParam<Kind> {
 protected:
  // Somebody else, who would have to wait.
  RequestId ask_too(SessionId client) {
    Wish wish = wish_for("n", GetParam(), "");
    if (GetParam().type == Type::room) wish.groups = {"green"};
    if (GetParam().type == Type::band) wish.groups = {"other"};
    return cluster_.acquire(client, wish);
  }
  Number hold(SessionId client, const std::string& owner = "db-1") {
    const RequestId request = cluster_.acquire(client, wish_for("n", GetParam(), owner));
    EXPECT_TRUE(cluster_.lasts(client, request));
    return cluster_.lasts(client, request) ? cluster_.told<Lasts>(client, request)->token : 0;
  }
  RequestId end(SessionId client, Number token, const std::string& owner = "db-1") {
    return cluster_.bury(client, {0, "n", GetParam(), owner, token, false, {}});
  }
  bool has_left(SessionId client, RequestId request) {
    return cluster_.told<Left>(client, request) != nullptr;
  }

  Cluster cluster_{"majority:n=5"};
};

TEST_P(Lasting, OutlivesItsClientAndItsMember) {
  const SessionId client = cluster_.join(0);
  const Number token = hold(client);
  EXPECT_GT(token, 0U);
  cluster_.close(client);
  cluster_.kill(0);
  cluster_.pass(Cluster::kLease * 3);
  const SessionId other = cluster_.join(1);
  const RequestId waits = ask_too(other);
  cluster_.pass(Cluster::kLease * 3);
  EXPECT_FALSE(cluster_.is_inside(other, waits));
  const SessionId owner = cluster_.join(2);
  const RequestId ended = end(owner, token);
  cluster_.pass(Duration::seconds(10));  // in a band, that of the dead member is waited for
  EXPECT_TRUE(has_left(owner, ended));
  EXPECT_TRUE(cluster_.is_inside(other, waits));
  EXPECT_GT(cluster_.token(other, waits), token);
}

TEST_P(Lasting, OutlivesTheRestartOfEveryMemberInTurnAndOfAllAtOnce) {
  const std::uint64_t given_at = cluster_.time_of_day();
  const Number token = hold(cluster_.join(0));
  for (NodeId member = 0; member < 5; ++member) {
    cluster_.kill(member);
    cluster_.pass(Cluster::kLease * 2);
    cluster_.start(member);
    cluster_.pass(Cluster::kLease * 3);
  }
  const SessionId other = cluster_.join(1);
  const RequestId waits = ask_too(other);
  EXPECT_FALSE(cluster_.is_inside(other, waits));
  for (NodeId member = 0; member < 5; ++member) cluster_.kill(member);
  for (NodeId member = 0; member < 5; ++member) cluster_.start(member);
  cluster_.pass(Cluster::kLease * 4);
  const SessionId third = cluster_.join(3);
  const RequestId late = ask_too(third);
  EXPECT_FALSE(cluster_.is_inside(third, late));
  const Picture picture = cluster_.show(third, "n");
  ASSERT_EQ(picture.holders.size(), 1U);
  EXPECT_EQ(picture.holders[0].client, "db-1");
  EXPECT_EQ(picture.holders[0].token, token);
  EXPECT_EQ(picture.holders[0].certainty, Picture::Certainty::sure);
  EXPECT_EQ(picture.holders[0].given_at, given_at);
  const SessionId owner = cluster_.join(4);
  const RequestId ended = end(owner, token);
  EXPECT_TRUE(has_left(owner, ended));
  EXPECT_TRUE(cluster_.is_inside(third, late));
}

TEST_P(Lasting, WhoLostItsDiskLearnsOfItBeforeItGrants) {
  hold(cluster_.join(0));
  for (NodeId member = 0; member < 5; ++member) {
    cluster_.kill(member);
    cluster_.start(member, Birth::amnesia);
    cluster_.pass(Cluster::kLease * 4);
  }
  const SessionId other = cluster_.join(1);
  const RequestId waits = ask_too(other);
  cluster_.pass(Cluster::kLease);
  EXPECT_FALSE(cluster_.is_inside(other, waits));
}

// A member that is asked by its own client writes while the others do: they have heard of it before.
TEST_P(Lasting, IsWrittenDownByAllAtTheSameTime) {
  std::vector<std::size_t> sent;  // when the client's member writes
  cluster_.hold_frames();
  cluster_.on_keep([&](NodeId member) {
    const auto& frames = cluster_.frames();
    if (member == 0) {
      sent.push_back(static_cast<std::size_t>(
          std::count_if(frames.begin(), frames.end(), [](const auto& sent_frame) {
            return sent_frame.first.first == 0 && !sent_frame.second.asking.packets.empty();
          })));
    }
    return true;
  });
  const SessionId client = cluster_.join(0);
  const RequestId request = cluster_.acquire(client, wish_for("n", GetParam(), "db-1"));
  for (int i = 0; i < 10; ++i) cluster_.deliver_once();
  ASSERT_TRUE(cluster_.lasts(client, request));
  ASSERT_FALSE(sent.empty());
  EXPECT_GE(sent.front(), 2U);
  sent.clear();
  cluster_.deliver();
  const RequestId ended = end(client, cluster_.told<Lasts>(client, request)->token);
  for (int i = 0; i < 10 && sent.empty(); ++i) cluster_.deliver_once();
  ASSERT_FALSE(sent.empty());
  EXPECT_GE(sent.front(), GetParam().type == Type::band ? 2U : 4U);
  cluster_.deliver();
  EXPECT_TRUE(has_left(client, ended));
}

// Others must not take it for one that knows, or they forget what it has not heard of.
TEST_P(Lasting, WhoDiesBeforeItHasWrittenDownTheEndIsTold) {
  const SessionId client = cluster_.join(0);
  const Number token = hold(client);
  // One that has it, so that it would bring it back.
  NodeId owner_of_it = 0;
  while (cluster_.member(owner_of_it).view("n", cluster_.now()).lastings.empty()) ++owner_of_it;
  const SessionId last = cluster_.join(owner_of_it);
  cluster_.pass(Cluster::kLease * 3);
  bool is_dying = false;
  cluster_.on_keep([&](NodeId member) {
    is_dying = is_dying || member == owner_of_it;
    return member != owner_of_it;
  });
  cluster_.hold_frames();
  cluster_.bury(last, {0, "n", GetParam(), "db-1", token, true, {}});
  ASSERT_TRUE(is_dying);
  cluster_.kill(owner_of_it);
  cluster_.on_keep({});
  cluster_.release_frames();
  cluster_.pass(Cluster::kLease * 8);
  cluster_.start(owner_of_it);
  cluster_.pass(Cluster::kLease * 8);
  EXPECT_TRUE(cluster_.show(cluster_.join((owner_of_it + 1) % 5), "n").holders.empty());
  for (NodeId member = 0; member < 5; ++member)
    EXPECT_EQ(cluster_.member(member).resources(), 0U) << member;
}

TEST_P(Lasting, WhoWasAwayDoesNotBringItBack) {
  const Number token = hold(cluster_.join(0));
  cluster_.pass(Duration::seconds(10));
  const SessionId looks = cluster_.join(4);
  // Whoever has written it down: two of five are away when it ends, and come back.
  for (const NodeId member : {0U, 1U}) cluster_.kill(member);
  cluster_.pass(Duration::seconds(10));
  const SessionId owner = cluster_.join(2);
  const RequestId ended = end(owner, token);
  cluster_.pass(Duration::seconds(10));
  ASSERT_TRUE(has_left(owner, ended));
  for (const NodeId member : {0U, 1U}) cluster_.start(member);
  cluster_.pass(Cluster::kLease * 6);
  EXPECT_TRUE(cluster_.show(looks, "n").holders.empty());
  for (NodeId member = 0; member < 5; ++member)
    EXPECT_EQ(cluster_.member(member).resources(), 0U) << member;
}

INSTANTIATE_TEST_SUITE_P(Kinds, Lasting,
                         ::testing::Values(Kind{Type::mutex}, Kind{Type::room},
                                           Kind{Type::semaphore, 0, 1}, Kind{Type::band, 0, 1}),
                         [](const auto& kind) {
                           return std::to_string(static_cast<int>(kind.param.type)) + "of" +
                                  std::to_string(kind.param.max);
                         });

TEST(LastingMutex, IsNotSharedWithTheNextOfTheSameMember) {
  Cluster cluster("majority:n=3");
  const SessionId owner = cluster.join(0);
  const SessionId next = cluster.join(0);
  ASSERT_TRUE(cluster.lasts(owner, cluster.acquire(owner, wish_for("m", {}, "db-1"))));
  const RequestId waits = cluster.mutex(next, "m");
  EXPECT_FALSE(cluster.is_inside(next, waits));
  EXPECT_THAT(cluster.show(next, "m").waiters.front().why, ::testing::HasSubstr("db-1 holds it"));
}

// A crash at each of the writes of a start: what was on the disk before is there after it.
TEST(LastingSemaphore, IsNotForgottenByOneThatCrashesWhileItStarts) {
  Cluster cluster("majority:n=3");
  const Kind kind{Type::semaphore, 0, 2};
  const SessionId client = cluster.join(0);
  const RequestId first = cluster.acquire(client, wish_for("s", kind, "db-1"));
  ASSERT_TRUE(cluster.lasts(client, first));
  ASSERT_TRUE(cluster.lasts(client, cluster.acquire(client, wish_for("s", kind, "db-2"))));
  cluster.bury(client,
               {0, "s", kind, "db-1", cluster.told<Lasts>(client, first)->token, false, {}});
  const auto knows_it = [&](NodeId member) {
    const auto lastings = cluster.member(member).view("s", cluster.now()).lastings;
    return std::any_of(lastings.begin(), lastings.end(), [](const LastingView& seen) {
      return seen.lasting.owner == "db-2" && !seen.lasting.is_over();
    });
  };
  NodeId one = 0;
  while (!knows_it(one)) ++one;
  for (int writes = 0; writes < 6; ++writes) {
    int left = writes;
    cluster.on_keep([&](NodeId member) { return member != one || left-- > 0; });
    cluster.kill(one);
    cluster.start(one);
    cluster.kill(one);
    cluster.on_keep({});
    cluster.start(one);
    EXPECT_TRUE(knows_it(one)) << "after a crash behind write " << writes;
  }
}

TEST(LastingRooms, TakeARoomEachUntilTheyEnd) {
  Cluster cluster("majority:n=3");
  const Kind kind{Type::room, 0, 2};
  const SessionId client = cluster.join(0);
  Number token = 0;
  for (const std::string group : {"blue", "red"}) {
    Wish wish = wish_for("r", kind, "owner of " + group);
    wish.groups = {group};
    const RequestId request = cluster.acquire(client, wish);
    ASSERT_TRUE(cluster.lasts(client, request));
    EXPECT_EQ(cluster.told<Lasts>(client, request)->group, group);
    token = cluster.told<Lasts>(client, request)->token;
  }
  const RequestId green = cluster.rooms(client, "r", 2, "green");
  EXPECT_FALSE(cluster.is_inside(client, green));
  const SessionId other = cluster.join(1);
  EXPECT_TRUE(cluster.is_inside(other, cluster.rooms(other, "r", 2, "blue")));
  const SessionId third = cluster.join(2);
  cluster.bury(third, {0, "r", kind, "owner of red", token, false, {}});
  EXPECT_TRUE(cluster.is_inside(client, green));
}

// By its own record: others that share the room come and go.
TEST(LastingRooms, AreNotSharedWithOthersOfTheSameMember) {
  Cluster cluster("majority:n=3");
  const Kind kind{Type::room, 0, 2};
  cluster.hold_frames();
  const SessionId friendly = cluster.join(0);
  const RequestId enters = cluster.rooms(friendly, "r", 2, "blue");
  const SessionId client = cluster.join(0);
  const RequestId request = cluster.acquire(client, wish_for("r", kind, "db-1"));
  cluster.deliver();
  EXPECT_TRUE(cluster.lasts(client, request));
  EXPECT_TRUE(cluster.is_inside(friendly, enters));
  cluster.release(friendly, enters);
  cluster.deliver();
  EXPECT_NE(cluster.told<Left>(friendly, enters), nullptr);
}

// While its group is inside all have one token; but the end of one hold is not that of the next.
TEST(LastingRoom, IsAnotherOneTheSecondTime) {
  Cluster cluster("majority:n=3");
  const Kind kind{Type::room};
  const SessionId guest = cluster.join(1);
  ASSERT_TRUE(cluster.is_inside(guest, cluster.room(guest, "r", {"blue"})));
  const SessionId client = cluster.join(0);
  std::vector<Number> tokens;
  for (int i = 0; i < 2; ++i) {
    const RequestId request = cluster.acquire(client, wish_for("r", kind, "db-1"));
    ASSERT_TRUE(cluster.lasts(client, request)) << i;
    tokens.push_back(cluster.told<Lasts>(client, request)->token);
    if (i == 0) cluster.bury(client, {0, "r", kind, "db-1", tokens[0], false, {}});
  }
  EXPECT_LT(tokens[0], tokens[1]);
  cluster.bury(client, {0, "r", kind, "db-1", tokens[0], false, {}});
  EXPECT_EQ(cluster.show(guest, "r").holders.size(), 2U);
}

class LastingOnTheWay : public ::testing::TestWithParam<Kind> {
 protected:
  // Until it is inside, and what it rests on is asked to write it down.
  void begin() {
    cluster_.pass(Cluster::kLease * 2);
    cluster_.hold_frames();
    request_ = cluster_.acquire(client_, wish_for("n", GetParam(), "db-1"));
    for (int hops = 0; hops < 2; ++hops) cluster_.deliver_once();
    ASSERT_TRUE(cluster_.told<Lasts>(client_, request_) == nullptr);
  }

  Cluster cluster_{"majority:n=5"};
  SessionId client_ = cluster_.join(0);
  RequestId request_ = 0;
};
INSTANTIATE_TEST_SUITE_P(Kinds, LastingOnTheWay,
                         ::testing::Values(Kind{Type::mutex}, Kind{Type::room},
                                           Kind{Type::semaphore, 0, 1}, Kind{Type::band, 0, 1}),
                         [](const auto& kind) {
                           return "Type" + std::to_string(static_cast<int>(kind.param.type));
                         });

TEST_P(LastingOnTheWay, IsCancelledByItsClient) {
  begin();
  cluster_.release(client_, request_);
  // Not before a quorum has agreed that nothing comes of it.
  EXPECT_EQ(cluster_.told<Refused>(client_, request_), nullptr);
  cluster_.deliver();
  const auto* const refused = cluster_.told<Refused>(client_, request_);
  ASSERT_NE(refused, nullptr);
  EXPECT_EQ(refused->why, Refusal::cancelled);
  EXPECT_FALSE(cluster_.lasts(client_, request_));
  for (NodeId member = 0; member < 5; ++member) {
    for (const LastingView& one : cluster_.member(member).view("n", cluster_.now()).lastings)
      EXPECT_TRUE(one.lasting.is_over()) << member;
  }
}

// Its owner may ask elsewhere, find it, and rely on it.
TEST_P(LastingOnTheWay, IsNotOverBecauseItsClientIsGone) {
  begin();
  cluster_.close(client_);
  cluster_.deliver();
  std::size_t known = 0;
  for (NodeId member = 0; member < 5; ++member) {
    for (const LastingView& one : cluster_.member(member).view("n", cluster_.now()).lastings)
      known += one.lasting.is_over() ? 0U : 1U;
  }
  EXPECT_GE(known, 3U);
}

// One of those that it rests on dies: another writes it down.
TEST_P(LastingOnTheWay, OutlivesAnArbiter) {
  begin();
  NodeId asked = 0;
  for (const auto& [way, frame] : cluster_.frames()) {
    if (way.first == 0 && !frame.asking.packets.empty()) asked = way.second;
  }
  ASSERT_NE(asked, 0U);
  cluster_.kill(asked);
  for (int i = 0; i < 40; ++i) {
    cluster_.pass(Duration::milliseconds(100));
    cluster_.deliver();
  }
  EXPECT_TRUE(cluster_.lasts(client_, request_));
}

// It is not known by which member's client it was to end, but by which one it is to leave.
TEST(LastingBand, IsShownAlsoIfItMayNotLeaveYetAndOthersDoNotAnswer) {
  Cluster cluster("majority:n=5");
  const Kind kind{Type::band, 1, kNoMax};
  const SessionId client = cluster.join(1);
  const RequestId request = cluster.acquire(client, wish_for("web", kind, "web-0"));
  const Number token = cluster.told<Lasts>(client, request)->token;
  cluster.pass(Cluster::kLease * 3);
  cluster.kill(0);
  cluster.pass(Cluster::kLease * 3);
  cluster.bury(client, {0, "web", kind, "web-0", token, false, {}});
  const SessionId looks = cluster.join(2);
  RequestId shown = 99;
  cluster.member(2).show(looks, shown, "web", cluster.now());
  cluster.pass(Cluster::kLease * 2);
  const auto* const answer = cluster.told<Shown>(looks, shown);
  ASSERT_NE(answer, nullptr);
  ASSERT_EQ(answer->picture.holders.size(), 1U);
  EXPECT_THAT(answer->picture.holders[0].why, ::testing::HasSubstr("at least 1 must stay"));
}

// Somebody has asked one member for the band as something else, by mistake, and that member has not heard yet what it is.
TEST(LastingBand, IsNotLetOutByAMemberThatTakesItForSomethingElse) {
  Cluster cluster("majority:n=5");
  const Kind kind{Type::band, 1, kNoMax};
  const SessionId client = cluster.join(0);
  const RequestId request = cluster.acquire(client, wish_for("web", kind, "web-0"));
  ASSERT_TRUE(cluster.lasts(client, request));
  const Number token = cluster.told<Lasts>(client, request)->token;
  NodeId ignorant = 0;
  while (ignorant < 5 && cluster.member(ignorant).resources() > 0) ++ignorant;
  ASSERT_LT(ignorant, 5U);
  const SessionId mistaken = cluster.join(ignorant);
  const SessionId owner = cluster.join(ignorant);
  cluster.hold_frames();
  cluster.semaphore(mistaken, "web", 3);
  const RequestId ends = cluster.bury(owner, {0, "web", kind, "web-0", token, false, {}});
  cluster.release_frames();
  cluster.pass(Cluster::kLease * 4);
  EXPECT_EQ(cluster.told<Left>(owner, ends), nullptr);
  const SessionId looks = cluster.join(1);
  EXPECT_EQ(cluster.show(looks, "web").holders.size(), 1U) << "at least one must stay";
}

TEST(LastingBand, LeavesOnlyIfEnoughStayUnlessForced) {
  Cluster cluster("majority:n=5");
  const Kind kind{Type::band, 2, kNoMax};
  std::vector<Number> tokens;
  for (const std::string owner : {"web-0", "web-1"}) {
    const SessionId client = cluster.join(0);
    const RequestId request = cluster.acquire(client, wish_for("web", kind, owner));
    ASSERT_TRUE(cluster.lasts(client, request));
    tokens.push_back(cluster.told<Lasts>(client, request)->token);
  }
  const SessionId leaver = cluster.join(1);
  const Duration wait = Cluster::kLease;
  const RequestId refused = cluster.bury(leaver, {0, "web", kind, "web-0", tokens[0], false, wait});
  cluster.pass(Cluster::kLease * 2);
  ASSERT_NE(cluster.told<Refused>(leaver, refused), nullptr);
  EXPECT_EQ(cluster.told<Refused>(leaver, refused)->why, Refusal::must_stay);
  const RequestId forced = cluster.bury(leaver, {0, "web", kind, "web-0", tokens[0], true, {}});
  EXPECT_NE(cluster.told<Left>(leaver, forced), nullptr);
}

// Nobody has such a hold: nothing is written down, whatever the client names.
TEST(LastingEnds, OfHoldsThatNobodyHasAreRefusedAndNotRemembered) {
  Cluster cluster("majority:n=3");
  for (const Kind& kind :
       {Kind{Type::mutex}, Kind{Type::semaphore, 0, 2}, Kind{Type::band, 0, 3}}) {
    for (const bool is_forced : {false, true}) {
      const SessionId client = cluster.join(1);
      const RequestId ends =
          cluster.bury(client, {0, "made-up", kind, "nobody", 77, is_forced, {}});
      ASSERT_NE(cluster.told<Refused>(client, ends), nullptr) << is_forced;
      EXPECT_EQ(cluster.told<Refused>(client, ends)->why, Refusal::unknown);
      for (NodeId member = 0; member < 3; ++member)
        EXPECT_EQ(cluster.member(member).resources(), 0U) << member;
    }
  }
}

TEST(LastingEnds, OfOneOwnerAreSoonForgottenButForTheLast) {
  Cluster cluster("majority:n=3");
  const Kind kind{Type::mutex};
  const SessionId client = cluster.join(0);
  for (int i = 0; i < 5; ++i) {
    const RequestId request = cluster.acquire(client, wish_for("x", kind, "o"));
    ASSERT_TRUE(cluster.lasts(client, request));
    const Number token = cluster.told<Lasts>(client, request)->token;
    const RequestId ends = cluster.bury(client, {0, "x", kind, "o", token, false, {}});
    ASSERT_NE(cluster.told<Left>(client, ends), nullptr);
  }
  cluster.pass(Cluster::kLease * 3);
  for (NodeId member = 0; member < 3; ++member)
    EXPECT_EQ(cluster.member(member).view("x", cluster.now()).lastings.size(), 1U) << member;
  cluster.pass(Cluster::kLease * 20);
  for (NodeId member = 0; member < 3; ++member)
    EXPECT_EQ(cluster.member(member).resources(), 0U) << member;
}

TEST(LastingHolds, OfOneNameAreSoManyAtMost) {
  Cluster cluster("majority:n=3");
  cluster.set_most_lasting(8);
  const Kind kind{Type::semaphore, 0, 1'000};
  const SessionId client = cluster.join(0);
  std::size_t held = 0;
  std::string text;
  for (std::size_t i = 0; i < 20 && text.empty(); ++i) {
    const RequestId request = cluster.acquire(client, wish_for("x", kind, "o" + std::to_string(i)));
    if (const auto* const refused = cluster.told<Refused>(client, request)) text = refused->text;
    if (cluster.lasts(client, request)) ++held;
  }
  EXPECT_THAT(text, ::testing::HasSubstr("as many lasting holds as a name may"));
  EXPECT_THAT(text, ::testing::HasSubstr(": 8"));
  EXPECT_GE(held, 8U);
  EXPECT_LE(held, 12U);
}

// Votes on attempts that nobody has made are remembered too: only so many.
TEST(LastingHolds, OfOneNameAreVotedOnSoOftenAtMost) {
  Cluster cluster("majority:n=3");
  cluster.set_most_lasting(8);
  const SessionId client = cluster.join(0);
  std::string text;
  for (std::uint64_t i = 1; i < 40; ++i) {
    Burial burial;
    burial.name = "x";
    burial.owner = "o";
    burial.how = Burial::How::withdraw;
    burial.attempt = {9, i};
    const RequestId request = cluster.bury(client, burial);
    if (const auto* const refused = cluster.told<Refused>(client, request)) text = refused->text;
  }
  EXPECT_THAT(text, ::testing::HasSubstr("as many lasting holds as a name may"));
  for (NodeId member = 0; member < 3; ++member)
    EXPECT_LE(cluster.member(member).view("x", cluster.now()).lastings.size(), 16U) << member;
}

}  // namespace
}  // namespace coterie::member
