// An owner has one hold of a name, knows so while one that has it answers, and ends it without naming it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "member/cluster.h"

namespace coterie::member {
namespace {

constexpr NodeId kMembers = 5;

class Ending : public ::testing::TestWithParam<Kind> {
 protected:
  static Wish wish_of(const std::string& owner) {
    Wish wish;
    wish.name = "n";
    wish.kind = GetParam();
    wish.owner = owner;
    if (wish.kind.type == Type::room) wish.groups = {"blue"};
    if (wish.kind.type == Type::band) wish.groups = {owner};
    return wish;
  }
  Number hold(NodeId at) {
    const SessionId client = cluster_.join(at);
    RequestId request = cluster_.acquire(client, wish_of("db-1"));
    // A member that has not heard of the owner's last end is told of it, and its client asks again.
    if (refusal(client, request) == Refusal::look_first)
      request = cluster_.acquire(client, wish_of("db-1"));
    EXPECT_TRUE(cluster_.lasts(client, request));
    return cluster_.lasts(client, request) ? cluster_.told<Lasts>(client, request)->token : 0;
  }
  RequestId end_whatever(SessionId client, const std::string& owner = "db-1") {
    Burial burial;
    burial.name = "n";
    burial.owner = owner;
    return cluster_.bury(client, burial);
  }
  bool has_left(SessionId client, RequestId request) {
    return cluster_.told<Left>(client, request) != nullptr;
  }
  std::optional<Refusal> refusal(SessionId client, RequestId request) {
    const auto* const refused = cluster_.told<Refused>(client, request);
    return refused != nullptr ? std::optional(refused->why) : std::nullopt;
  }
  static bool has(const std::vector<NodeId>& members, NodeId member) {
    return std::find(members.begin(), members.end(), member) != members.end();
  }
  // Who has written it down, and not its end.
  std::vector<NodeId> holders() {
    std::vector<NodeId> holders;
    for (NodeId member = 0; member < kMembers; ++member) {
      if (!cluster_.is_alive(member)) continue;
      for (const LastingView& one : cluster_.member(member).view("n", cluster_.now()).lastings) {
        if (!one.lasting.is_over()) holders.push_back(member);
      }
    }
    return holders;
  }

  Cluster cluster_{"majority:n=5"};
};
INSTANTIATE_TEST_SUITE_P(Kinds, Ending,
                         ::testing::Values(Kind{Type::mutex}, Kind{Type::room},
                                           Kind{Type::room, 0, 3}, Kind{Type::semaphore, 0, 3}),
                         [](const auto& kind) {
                           return std::to_string(static_cast<int>(kind.param.type)) + "of" +
                                  std::to_string(kind.param.max);
                         });

// What one member was asked comes to another when the owner has ended its hold, and has the next.
TEST_P(Ending, OfALateQuestionDoesNotConcernTheNextHold) {
  hold(0);
  const std::vector<NodeId> having = holders();
  const NodeId asked = having.front();
  NodeId late = 0;
  while (has(having, late)) ++late;
  std::vector<Frame> kept;
  const auto deliver = [&] {
    while (!cluster_.frames().empty()) {
      const auto [way, frame] = cluster_.frames().front();
      cluster_.frames().pop_front();
      if (way == std::pair{asked, late}) {
        kept.push_back(frame);
      } else if (cluster_.is_alive(way.second)) {
        cluster_.member(way.second).receive(way.first, frame, cluster_.now());
      }
    }
  };
  const SessionId client = cluster_.join(asked);
  cluster_.hold_frames();
  const RequestId ends = end_whatever(client);
  deliver();
  ASSERT_TRUE(has_left(client, ends));
  // Of the five the last two that had it are gone: the others take their place.
  cluster_.kill(having[1]);
  cluster_.kill(having[2]);
  NodeId other = late + 1;
  while (has(having, other)) ++other;
  const SessionId owner = cluster_.join(other);
  const RequestId again = cluster_.acquire(owner, wish_of("db-1"));
  deliver();
  ASSERT_TRUE(cluster_.lasts(owner, again));
  ASSERT_THAT(holders(), ::testing::Contains(late));
  ASSERT_FALSE(kept.empty());
  for (const Frame& frame : std::exchange(kept, {}))
    cluster_.member(late).receive(asked, frame, cluster_.now());
  cluster_.release_frames();
  EXPECT_EQ(holders().size(), 3U);
}

TEST_P(Ending, TakesTwoHopsAtAMemberThatHasItElsewhereItMustBeNamed) {
  for (NodeId at = 0; at < kMembers; ++at) {
    hold(0);
    const std::vector<NodeId> having = holders();
    ASSERT_EQ(having.size(), 3U);
    const bool knows_it = at == 0 || has(having, at);
    const SessionId client = cluster_.join(at);
    cluster_.hold_frames();
    const RequestId request = end_whatever(client);
    for (int hop = 0; hop < 2; ++hop) cluster_.deliver_once();
    EXPECT_EQ(has_left(client, request), knows_it) << at;
    cluster_.release_frames();
    if (!knows_it) {
      EXPECT_EQ(refusal(client, request), Refusal::look_first) << at;
      EXPECT_EQ(holders(), having) << at;
      end_whatever(cluster_.join(having.front()));
    }
    EXPECT_THAT(holders(), ::testing::IsEmpty()) << at;
  }
  cluster_.pass(Cluster::kLease * 6);
  for (NodeId member = 0; member < kMembers; ++member)
    EXPECT_EQ(cluster_.member(member).resources(), 0U) << member;
}

TEST_P(Ending, TakesTwoHopsAtTheMemberThatGaveIt) {
  bool is_elsewhere = false;
  for (NodeId giver = 0; giver < kMembers; ++giver) {
    hold(giver);
    is_elsewhere = is_elsewhere || !has(holders(), giver);
    const SessionId client = cluster_.join(giver);
    cluster_.hold_frames();
    const RequestId request = end_whatever(client);
    for (int hop = 0; hop < 2; ++hop) cluster_.deliver_once();
    EXPECT_TRUE(has_left(client, request)) << giver;
    cluster_.release_frames();
    EXPECT_THAT(holders(), ::testing::IsEmpty()) << giver;
  }
  EXPECT_TRUE(is_elsewhere) << "each had what it gave";
}

// It has ended elsewhere, and its owner has the next.
TEST_P(Ending, WhatAMemberGaveIsNotTakenForWhatAnotherGave) {
  hold(0);
  NodeId giver = 0;
  while (has(holders(), giver)) ++giver;
  end_whatever(cluster_.join(0));
  hold(giver);
  ASSERT_FALSE(has(holders(), giver));
  const NodeId other = holders().front();
  end_whatever(cluster_.join(other));
  ASSERT_THAT(holders(), ::testing::IsEmpty());
  const SessionId client = cluster_.join(giver);
  EXPECT_EQ(refusal(client, end_whatever(client)), Refusal::unknown);
  hold(other);
  ASSERT_FALSE(has(holders(), giver));
  EXPECT_EQ(refusal(client, end_whatever(client)), Refusal::look_first);
  EXPECT_EQ(holders().size(), 3U);
}

TEST_P(Ending, OfNothingIsRefused) {
  const SessionId client = cluster_.join(0);
  EXPECT_EQ(refusal(client, end_whatever(client)), Refusal::unknown);
  hold(0);
  EXPECT_EQ(refusal(client, end_whatever(client, "db-2")), Refusal::unknown);
  EXPECT_EQ(holders().size(), 3U);
}

// Two of three that have it are away: those that had none of it write its end down in their place.
TEST_P(Ending, IsWrittenDownByThoseThatHadNoneOfIt) {
  hold(0);
  const std::vector<NodeId> had = holders();
  ASSERT_EQ(had.size(), 3U);
  for (std::size_t i = 0; i < 2; ++i) cluster_.kill(had[i]);
  cluster_.pass(Cluster::kLease * 3);
  const SessionId client = cluster_.join(had[2]);
  const RequestId request = end_whatever(client);
  cluster_.pass(Cluster::kLease);
  EXPECT_TRUE(has_left(client, request));
  cluster_.kill(had[2]);
  cluster_.pass(Cluster::kLease * 3);
  for (std::size_t i = 0; i < 2; ++i) cluster_.start(had[i]);
  cluster_.pass(Cluster::kLease * 3);
  EXPECT_THAT(holders(), ::testing::IsEmpty());
}

// A request that an owner's client left behind at a member that was cut off is not granted after the owner's hold, given and
// ended elsewhere meanwhile, is over: nobody would know of the new one.
TEST_P(Ending, RefusesWhatItsOwnerHasLeftBehind) {
  const Number token = hold(1);
  const std::vector<NodeId> had = holders();
  NodeId away = 0;
  while (has(had, away)) ++away;  // it does not know of the hold, and so it lets its owner ask
  for (NodeId other = 0; other < kMembers; ++other) {
    cluster_.cut(away, other);
    cluster_.cut(other, away);
  }
  const SessionId left_behind = cluster_.join(away);
  const RequestId request = cluster_.acquire(left_behind, wish_of("db-1"));
  const SessionId client = cluster_.join(had.front());
  Burial burial;
  burial.name = "n";
  burial.kind = GetParam();
  burial.owner = "db-1";
  burial.token = token;
  const RequestId end = cluster_.bury(client, burial);
  cluster_.pass(Cluster::kLease);
  ASSERT_TRUE(has_left(client, end));
  ASSERT_FALSE(refusal(left_behind, request));
  cluster_.heal();
  cluster_.pass(Cluster::kLease * 3);
  EXPECT_EQ(refusal(left_behind, request), Refusal::look_first);
  EXPECT_THAT(holders(), ::testing::IsEmpty());
}

// One that does not know what it had says nothing until it does: else the others would be enough for "it has none".
TEST_P(Ending, WaitsForOneThatHasLostItsDisk) {
  hold(0);
  const std::vector<NodeId> had = holders();
  const NodeId lost = had[2];
  for (std::size_t i = 0; i < 2; ++i) cluster_.kill(had[i]);
  cluster_.kill(lost);
  cluster_.start(lost, Birth::amnesia);
  cluster_.pass(Cluster::kLease * 3);
  const SessionId client = cluster_.join(lost);
  const RequestId request = end_whatever(client);
  cluster_.pass(Cluster::kLease * 2);
  EXPECT_EQ(refusal(client, request), std::nullopt);
  EXPECT_FALSE(has_left(client, request));
  for (std::size_t i = 0; i < 2; ++i) cluster_.start(had[i]);
  cluster_.pass(Cluster::kLease * 3);
  EXPECT_EQ(refusal(client, request), Refusal::look_first);
  EXPECT_EQ(holders().size(), 3U);
}

// It had none of it, and is not there any more when it is to hear what the others had.
TEST_P(Ending, DoesNotNeedOneThatWentAwayAfterItHadAnswered) {
  hold(0);
  const std::vector<NodeId> had = holders();
  NodeId without = 0;
  while (has(had, without)) ++without;
  const NodeId at = had[0];
  const SessionId client = cluster_.join(at);
  for (const NodeId one : had) cluster_.cut(one, at);
  cluster_.hold_frames();
  const RequestId request = end_whatever(client);
  for (int hop = 0; hop < 2; ++hop) cluster_.deliver_once();  // those without have answered
  cluster_.heal();
  cluster_.kill(without);
  cluster_.release_frames();
  cluster_.pass(Cluster::kLease * 4);
  EXPECT_TRUE(has_left(client, request));
  EXPECT_THAT(holders(), ::testing::IsEmpty());
}

// Asked again of who was away when it was asked first.
TEST_P(Ending, GoesOnWhenAQuorumIsThereAgain) {
  hold(0);
  const SessionId client = cluster_.join(0);
  for (const NodeId member : {2U, 3U, 4U}) cluster_.kill(member);
  cluster_.pass(Cluster::kLease * 3);
  const RequestId request = end_whatever(client);
  cluster_.pass(Cluster::kLease * 2);
  EXPECT_FALSE(has_left(client, request));
  cluster_.start(3);
  cluster_.pass(Cluster::kLease * 3);
  EXPECT_TRUE(has_left(client, request));
}

TEST_P(Ending, ItsClientMayGiveUp) {
  hold(0);
  const SessionId client = cluster_.join(1);
  cluster_.hold_frames();
  const RequestId request = end_whatever(client);
  cluster_.release(client, request);
  EXPECT_EQ(refusal(client, request), Refusal::cancelled);
  cluster_.release_frames();
  EXPECT_FALSE(has_left(client, request));
  EXPECT_THAT(holders(), ::testing::IsEmpty());  // it was on its way
}

TEST_P(Ending, AnOwnerHasOne) {
  const Number token = hold(0);
  for (NodeId at = 0; at < kMembers; ++at) {
    const SessionId client = cluster_.join(at);
    Wish wish = wish_of("db-1");
    wish.is_try = true;
    const RequestId request = cluster_.acquire(client, wish);
    EXPECT_FALSE(cluster_.lasts(client, request)) << at;
    const bool is_mutex = GetParam().type == Type::mutex;
    const auto why = refusal(client, request);
    ASSERT_TRUE(why) << at;
    EXPECT_TRUE(*why == Refusal::look_first || (is_mutex && *why == Refusal::would_wait)) << at;
  }
  cluster_.pass(Cluster::kLease * 6);
  const Picture picture = cluster_.show(cluster_.join(1), "n");
  ASSERT_EQ(picture.holders.size(), 1U);
  EXPECT_EQ(picture.holders[0].token, token);
}

// Two at once, each by another member: nobody has both.
TEST_P(Ending, AnOwnerThatAsksTwiceAtOnceHasAtMostOne) {
  std::vector<std::pair<SessionId, RequestId>> asked;
  cluster_.hold_frames();
  for (const NodeId at : {0U, 3U}) {
    const SessionId client = cluster_.join(at);
    asked.emplace_back(client, cluster_.acquire(client, wish_of("db-1")));
  }
  cluster_.release_frames();
  std::size_t given = 0;
  for (const auto& [client, request] : asked) given += cluster_.lasts(client, request) ? 1U : 0U;
  EXPECT_LE(given, 1U);
  EXPECT_LE(cluster_.show(cluster_.join(1), "n").holders.size(), 1U);
}

// With two of three down, that have written it down: the third has been told that it was given.
TEST_P(Ending, IsSureWhileOneThatHasItAnswers) {
  const Number token = hold(0);
  const std::vector<NodeId> had = holders();
  for (int restarts = 0; restarts < 2; ++restarts) {
    for (std::size_t i = 0; i < 2; ++i) cluster_.kill(had[i]);
    cluster_.pass(Cluster::kLease * 3);
    const SessionId looks = cluster_.join(had[2]);
    const Picture picture = cluster_.show(looks, "n");
    ASSERT_EQ(picture.holders.size(), 1U);
    EXPECT_EQ(picture.holders[0].token, token);
    EXPECT_EQ(picture.holders[0].certainty, Picture::Certainty::sure) << restarts;
    for (std::size_t i = 0; i < 2; ++i) cluster_.start(had[i]);
    cluster_.kill(had[2]);
    cluster_.start(had[2]);  // and it has not forgotten that
    cluster_.pass(Cluster::kLease * 3);
  }
}

// A machine's crash may take that it was given, but those that know it tell it again.
TEST_P(Ending, IsToldAgainThatItWasGiven) {
  bool is_lost = false;
  cluster_.on_keep([&](NodeId /*member*/) { return !is_lost; });
  const SessionId client = cluster_.join(0);
  cluster_.pass(Cluster::kLease);
  cluster_.hold_frames();
  const RequestId request = cluster_.acquire(client, wish_of("db-1"));
  while (!cluster_.lasts(client, request)) cluster_.deliver_once();
  is_lost = true;  // what follows is only a note
  cluster_.release_frames();
  const std::vector<NodeId> had = holders();
  ASSERT_EQ(had.size(), 3U);
  cluster_.kill(had[2]);
  is_lost = false;
  cluster_.start(had[2]);
  cluster_.pass(Cluster::kLease * 3);
  for (std::size_t i = 0; i < 2; ++i) cluster_.kill(had[i]);
  cluster_.pass(Cluster::kLease * 3);
  const Picture picture = cluster_.show(cluster_.join(had[2]), "n");
  ASSERT_EQ(picture.holders.size(), 1U);
  EXPECT_EQ(picture.holders[0].certainty, Picture::Certainty::sure);
}

// What was never given is not taken for it: nobody was told.
TEST_P(Ending, IsDoubtfulIfNobodyWasToldThatItWasGiven) {
  cluster_.pass(Cluster::kLease * 2);
  cluster_.hold_frames();
  const SessionId client = cluster_.join(0);
  cluster_.acquire(client, wish_of("db-1"));
  for (int hops = 0; hops < 2; ++hops) cluster_.deliver_once();
  cluster_.kill(0);
  cluster_.release_frames();
  const std::vector<NodeId> had = holders();
  ASSERT_GE(had.size(), 1U);
  const NodeId looker = had.front();
  cluster_.pass(Cluster::kLease * 3);
  const Picture picture = cluster_.show(cluster_.join(looker), "n");
  ASSERT_EQ(picture.holders.size(), 1U);
  EXPECT_NE(picture.holders[0].certainty, Picture::Certainty::sure);
}

TEST(EndingBand, MustNameIt) {
  Cluster cluster("majority:n=3");
  const SessionId client = cluster.join(0);
  Wish wish;
  wish.name = "web";
  wish.kind = {Type::band, 0, kNoMax};
  wish.owner = "web-1";
  wish.groups = {"web-1"};
  ASSERT_TRUE(cluster.lasts(client, cluster.acquire(client, wish)));
  Burial burial;
  burial.name = "web";
  burial.owner = "web-1";
  for (NodeId at = 0; at < 3; ++at) {
    const SessionId other = cluster.join(at);
    const auto* const refused = cluster.told<Refused>(other, cluster.bury(other, burial));
    ASSERT_NE(refused, nullptr);
    EXPECT_EQ(refused->why, Refusal::look_first);
  }
  EXPECT_EQ(cluster.show(client, "web").holders.size(), 1U);
}

}  // namespace
}  // namespace coterie::member
