// What becomes of a hold for an owner whose client was not told of it: settling.h, and the barrier of lasting.h.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "member/cluster.h"

namespace coterie::member {
namespace {

constexpr Attempt kAttempt{~std::uint64_t{0}, 2};  // any bits will do
constexpr Attempt kNext{3, 4};

class SettlingTest : public ::testing::TestWithParam<Kind> {
 protected:
  static Wish wish_of(const Attempt& attempt, const std::string& owner = "db-1") {
    Wish wish;
    wish.name = "n";
    wish.kind = GetParam();
    wish.owner = owner;
    wish.attempt = attempt;
    if (wish.kind.type == Type::room) wish.groups = {"blue"};
    if (wish.kind.type == Type::band) wish.groups = {owner};
    return wish;
  }
  static Burial burial_of(Burial::How how, Number token, const Attempt& attempt = {}) {
    Burial burial;
    burial.name = "n";
    burial.kind = GetParam();
    burial.owner = "db-1";
    burial.token = token;
    burial.how = how;
    burial.attempt = attempt;
    return burial;
  }
  Number hold(SessionId client, const Attempt& attempt = kAttempt) {
    const RequestId request = cluster_.acquire(client, wish_of(attempt));
    EXPECT_TRUE(cluster_.lasts(client, request));
    return cluster_.lasts(client, request) ? cluster_.told<Lasts>(client, request)->token : 0;
  }
  std::optional<Refusal> refusal(SessionId client, RequestId request) {
    const auto* const refused = cluster_.told<Refused>(client, request);
    return refused != nullptr ? std::optional(refused->why) : std::nullopt;
  }
  bool has_left(SessionId client, RequestId request) {
    return cluster_.told<Left>(client, request) != nullptr;
  }
  std::vector<NodeId> holders() {
    std::vector<NodeId> holders;
    for (NodeId member = 0; member < kMembers; ++member) {
      if (!cluster_.is_alive(member)) continue;
      for (const LastingView& one : cluster_.member(member).view("n", cluster_.now()).lastings) {
        if (one.lasting.is_live()) holders.push_back(member);
      }
    }
    return holders;
  }
  // The hold is asked for at member 0, which dies when only `written` has written it down.
  void write_half(NodeId written) {
    const SessionId client = cluster_.join(0);
    cluster_.pass(Cluster::kLease * 2);
    cluster_.hold_frames();
    cluster_.acquire(client, wish_of(kAttempt));
    for (int hop = 0; hop < 2; ++hop) cluster_.deliver_once();
    std::erase_if(cluster_.frames(), [&](const auto& sent) {
      return sent.first.first == 0 && sent.first.second != written;
    });
    cluster_.deliver_once();
    std::erase_if(cluster_.frames(), [](const auto& sent) { return sent.first.first == 0; });
    cluster_.kill(0);
    cluster_.release_frames();
  }

  static constexpr NodeId kMembers = 3;
  Cluster cluster_{"majority:n=3"};
};
INSTANTIATE_TEST_SUITE_P(Kinds, SettlingTest,
                         ::testing::Values(Kind{Type::mutex}, Kind{Type::room},
                                           Kind{Type::room, 0, 3}, Kind{Type::semaphore, 0, 1},
                                           Kind{Type::band, 0, 1}),
                         [](const auto& kind) {
                           return "Type" + std::to_string(static_cast<int>(kind.param.type)) +
                                  "Of" + std::to_string(kind.param.max);
                         });

// The member that asked for it is gone for good, and so is what it had written: its client goes on with those that are left.
TEST_P(SettlingTest, AHalfWrittenHoldIsWithdrawnByItsClientWithoutItsMember) {
  for (const NodeId written : {1U, 2U}) {
    write_half(written);
    if (!holders().empty()) break;
    cluster_.start(0);
    cluster_.pass(Cluster::kLease * 6);
  }
  ASSERT_EQ(holders().size(), 1U);
  const SessionId client = cluster_.join(1);
  const RequestId request = cluster_.bury(client, burial_of(Burial::How::withdraw, 0, kAttempt));
  cluster_.pass(Cluster::kLease * 3);
  EXPECT_TRUE(has_left(client, request));
  EXPECT_THAT(holders(), ::testing::IsEmpty());
  EXPECT_NE(hold(client, kNext), 0U);
}

TEST_P(SettlingTest, AHalfWrittenHoldIsNotDeniedWhileAMemberThatMayHaveItIsAway) {
  for (const NodeId written : {1U, 2U}) {
    write_half(written);
    if (!holders().empty()) break;
    cluster_.start(0);
    cluster_.pass(Cluster::kLease * 6);
  }
  ASSERT_EQ(holders().size(), 1U);
  const Number token =
      cluster_.member(holders().front()).view("n", cluster_.now()).lastings.front().lasting.token;
  const SessionId client = cluster_.join(1);
  const RequestId request = cluster_.bury(client, burial_of(Burial::How::deny, token));
  cluster_.pass(Cluster::kLease * 3);
  EXPECT_EQ(refusal(client, request), Refusal::look_first);
  EXPECT_EQ(holders().size(), 1U);
}

// Its client was not told: the answer was lost with its member.
TEST_P(SettlingTest, WhatWasGivenIsFoundByItsClient) {
  const Number token = hold(cluster_.join(0));
  for (const bool is_one_down : {false, true}) {
    if (is_one_down) cluster_.kill(holders().front());
    const SessionId client = cluster_.join(cluster_.is_alive(1) ? 1 : 2);
    const RequestId request = cluster_.bury(client, burial_of(Burial::How::withdraw, 0, kAttempt));
    cluster_.pass(Cluster::kLease * 3);
    ASSERT_TRUE(cluster_.lasts(client, request)) << is_one_down;
    EXPECT_EQ(cluster_.told<Lasts>(client, request)->token, token);
  }
}

TEST_P(SettlingTest, WhatWasConfirmedIsNotWithdrawnButFound) {
  const Number token = hold(cluster_.join(0));
  const SessionId other = cluster_.join(2);
  ASSERT_TRUE(cluster_.lasts(other, cluster_.bury(other, burial_of(Burial::How::confirm, token))));
  const SessionId client = cluster_.join(1);
  const RequestId request = cluster_.bury(client, burial_of(Burial::How::withdraw, 0, kAttempt));
  ASSERT_TRUE(cluster_.lasts(client, request));
  EXPECT_EQ(cluster_.told<Lasts>(client, request)->token, token);
  EXPECT_EQ(holders().size(), 2U);
}

// A member that knows it as given says so before anybody votes on a denial.
TEST_P(SettlingTest, WhatWasGivenIsConfirmedAndNotDenied) {
  const Number token = hold(cluster_.join(0));
  for (NodeId at = 0; at < kMembers; ++at) {
    const SessionId client = cluster_.join(at);
    const RequestId confirms = cluster_.bury(client, burial_of(Burial::How::confirm, token));
    ASSERT_TRUE(cluster_.lasts(client, confirms)) << at;
    EXPECT_EQ(cluster_.told<Lasts>(client, confirms)->token, token);
    const RequestId denies = cluster_.bury(client, burial_of(Burial::How::deny, token));
    ASSERT_TRUE(cluster_.lasts(client, denies)) << at;
    EXPECT_EQ(cluster_.told<Lasts>(client, denies)->token, token);
  }
  EXPECT_EQ(holders().size(), 2U);
}

// One of the two members that have it is down, and the third has never heard of it.
TEST_P(SettlingTest, WhatWasGivenIsFoundWithAMemberDown) {
  for (const auto how : {Burial::How::deny, Burial::How::confirm}) {
    for (std::size_t i = 0; i < 2; ++i) {
      Cluster cluster("majority:n=3");
      const SessionId first = cluster.join(0);
      const RequestId request = cluster.acquire(first, wish_of(kAttempt));
      ASSERT_TRUE(cluster.lasts(first, request));
      cluster.pass(Cluster::kLease);
      const Number token = cluster.told<Lasts>(first, request)->token;
      std::vector<NodeId> with;
      for (NodeId id = 0; id < kMembers; ++id) {
        if (!cluster.member(id).view("n", cluster.now()).lastings.empty()) with.push_back(id);
      }
      ASSERT_EQ(with.size(), 2U);
      cluster.kill(with[i]);
      const NodeId without = 3 - with[0] - with[1];
      const SessionId client = cluster.join(without);
      const RequestId settles = cluster.bury(client, burial_of(how, token));
      cluster.pass(Cluster::kLease * 3);
      ASSERT_TRUE(cluster.lasts(client, settles)) << with[i];
      EXPECT_EQ(cluster.told<Lasts>(client, settles)->token, token);
    }
  }
}

TEST_P(SettlingTest, WhatWasWithdrawnIsNeitherConfirmedNorGranted) {
  const SessionId client = cluster_.join(0);
  const RequestId request = cluster_.bury(client, burial_of(Burial::How::withdraw, 0, kAttempt));
  ASSERT_TRUE(has_left(client, request));
  // The call comes late, to each of the members.
  for (NodeId at = 0; at < kMembers; ++at) {
    const SessionId late = cluster_.join(at);
    EXPECT_EQ(refusal(late, cluster_.acquire(late, wish_of(kAttempt))), Refusal::look_first) << at;
  }
  EXPECT_THAT(holders(), ::testing::IsEmpty());
  // An attempt of the owner's next call is not concerned; and all is forgotten in the end.
  const Number token = hold(client, kNext);
  ASSERT_TRUE(has_left(client, cluster_.bury(client, burial_of(Burial::How::end, token))));
  cluster_.pass(Cluster::kLease * 12);
  for (NodeId member = 0; member < kMembers; ++member)
    EXPECT_EQ(cluster_.member(member).resources(), 0U) << member;
}

TEST_P(SettlingTest, WhatNamesNothingIsRefused) {
  const SessionId client = cluster_.join(0);
  for (const auto how : {Burial::How::withdraw, Burial::How::deny, Burial::How::confirm})
    EXPECT_EQ(refusal(client, cluster_.bury(client, burial_of(how, 0))), Refusal::invalid);
}

// What an agreement to withdraw was written down outlives the member that wrote it.
TEST_P(SettlingTest, AnAgreementOutlivesARestart) {
  const SessionId client = cluster_.join(0);
  cluster_.cut(0, 2);  // so that it is not decided with this one
  cluster_.bury(client, burial_of(Burial::How::withdraw, 0, kAttempt));
  cluster_.kill(1);
  cluster_.start(1);
  cluster_.heal();
  cluster_.pass(Cluster::kLease * 2);
  const SessionId late = cluster_.join(1);
  EXPECT_EQ(refusal(late, cluster_.acquire(late, wish_of(kAttempt))), Refusal::look_first);
}

// The bytes of a call are on their way while another process of the owner holds and releases. Two of the three members
// know of the end, and the third has not heard of it.
TEST_P(SettlingTest, ACallThatComesAfterTheOwnersNextEndIsNotGranted) {
  for (NodeId at = 0; at < kMembers; ++at) {
    const SessionId owner = cluster_.join((at + 1) % kMembers);
    cluster_.cut(at, (at + 1) % kMembers);
    cluster_.cut(at, (at + 2) % kMembers);
    cluster_.pass(Cluster::kLease * 3);
    const Number token = hold(owner, {7, at + 1U});
    Burial end = burial_of(Burial::How::end, token);
    end.is_forced = true;  // in a band it would wait for the member that is away
    ASSERT_TRUE(has_left(owner, cluster_.bury(owner, end))) << at;
    const SessionId late = cluster_.join(at);
    const RequestId request = cluster_.acquire(late, wish_of({8, at + 1U}), true);
    cluster_.heal();
    cluster_.pass(Cluster::kLease * 2);
    EXPECT_FALSE(cluster_.lasts(late, request)) << at;
    EXPECT_EQ(refusal(late, request), Refusal::look_first) << at;
    EXPECT_THAT(holders(), ::testing::IsEmpty()) << at;
    cluster_.pass(Cluster::kLease * 12);
  }
}

// A request of a client that is gone waits at a member, and is about to be written down when another process of the same owner
// has held and released: nobody would know of it.
TEST_P(SettlingTest, WhatWasAskedForBeforeTheOwnersLastEndIsNotWrittenDown) {
  if (GetParam().max == 1) GTEST_SKIP() << "the request cannot come inside beside the hold";
  const Number token = hold(cluster_.join(0));
  const std::vector<NodeId> had = holders();
  NodeId away = 0;
  while (std::find(had.begin(), had.end(), away) != had.end()) ++away;
  const SessionId gone = cluster_.join(away);
  std::vector<std::pair<std::pair<NodeId, NodeId>, Frame>> kept;
  cluster_.hold_frames();
  const RequestId request = cluster_.acquire(gone, wish_of(kNext));
  for (int hop = 0; hop < 2; ++hop) cluster_.deliver_once();
  const auto deliver_but = [&](NodeId member) {
    while (!cluster_.frames().empty()) {
      auto [way, frame] = cluster_.frames().front();
      cluster_.frames().pop_front();
      if (way.first == member || way.second == member) {
        kept.emplace_back(way, std::move(frame));
      } else {
        cluster_.member(way.second).receive(way.first, frame, cluster_.now());
      }
    }
  };
  const SessionId owner = cluster_.join(had.front());
  const RequestId end = cluster_.bury(owner, burial_of(Burial::How::end, token));
  deliver_but(away);
  ASSERT_TRUE(has_left(owner, end));
  ASSERT_FALSE(cluster_.lasts(gone, request));
  for (const auto& [way, frame] : std::exchange(kept, {})) {
    if (way.first == away) cluster_.member(way.second).receive(way.first, frame, cluster_.now());
  }
  cluster_.release_frames();
  cluster_.pass(Cluster::kLease);
  EXPECT_FALSE(cluster_.lasts(gone, request));
  EXPECT_THAT(holders(), ::testing::IsEmpty());
}

}  // namespace
}  // namespace coterie::member
