// Surrogate, a test per claim: Atreya, Mittal, Peri, IEEE TPDS 18(10), 2007; sections as there.
#include "protocol/surrogate.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "protocol/network.h"
#include "sanitized.h"

namespace coterie::protocol {
namespace {

constexpr Group kA = 0;
constexpr Group kB = 1;
constexpr Group kC = 2;

bool is_one_group(const Network& net) { return net.groups_inside() <= 1; }

// Everybody asks everybody: simple to follow.
Setting all(std::size_t n) { return over("all:n=" + std::to_string(n)); }

TEST(Surrogate, Section6AnUncontendedRequestCosts3q) {
  for (const std::string version : {"surrogate", "surrogate+entry+multi", "surrogate+no-failed"}) {
    for (const std::string spec : {"majority:n=3", "majority:n=5", "grid:rows=3,cols=3"}) {
      Network net(version, over(spec));
      const std::size_t q = net.setting().home(0).size();
      net.enter(0);
      net.run();
      EXPECT_TRUE(net.is_inside(0));
      EXPECT_EQ(net.sent(), 2 * q) << version << " over " << spec;
      net.exit(0);
      net.run();
      EXPECT_EQ(net.sent(), 3 * q) << version << " over " << spec;
      EXPECT_TRUE(net.is_at_rest());
    }
  }
}

TEST(Surrogate, Section4_1ALeaderInvitesThoseOfItsGroup) {
  Network net("surrogate", all(3));
  net.enter(0, {kB});
  net.run();
  net.enter(1, {kA});
  net.enter(2, {kA});
  net.run();
  EXPECT_EQ(net.inside(), NodeSet::of(3, {0}));
  net.exit(0);
  net.run();
  EXPECT_EQ(net.inside(), NodeSet::of(3, {1, 2}));
  EXPECT_EQ(net.sent("INVITE"), 1);
  EXPECT_EQ(net.sent("CANCEL"), 3);
}

// The lock is free when all have gone, whoever goes first.
TEST(Surrogate, Section4_2AFollowerReleasesTheQuorumOfItsLeader) {
  for (const NodeId first : {1U, 2U}) {
    Network net("surrogate", all(4));
    net.enter(0, {kB});
    net.run();
    for (const NodeId process : {1U, 2U}) net.enter(process, {kA});
    net.run();
    net.exit(0);
    net.run();
    net.enter(3, {kC});
    net.run();
    net.exit(first);
    net.run();
    EXPECT_FALSE(net.is_inside(3));
    net.exit(first == 1 ? 2 : 1);
    net.run();
    EXPECT_TRUE(net.is_inside(3));
    EXPECT_EQ(net.sent("LEAVE"), 0);
    net.exit(3);
    net.run();
    EXPECT_TRUE(net.is_at_rest());
  }
}

// E6: the leader has gone, its follower is inside, nobody waits.
TEST(Surrogate, Section4_2ANewcomerWaitsForTheFollowersOfALeaderThatHasGone) {
  Network net("surrogate", all(3));
  for (const NodeId process : {0U, 1U}) net.enter(process, {kA});
  net.run();
  ASSERT_EQ(net.inside(), NodeSet::of(3, {0}));  // the node had granted before it knew of the other
  net.exit(0);
  net.run();
  net.enter(0, {kA});
  net.run();
  net.enter(2, {kA});
  net.run();
  net.exit(1);
  net.run();
  ASSERT_EQ(net.inside(), NodeSet::of(3, {0, 2}));
  net.exit(0);
  net.run();
  net.forget();
  net.enter(1, {kB});
  net.run();
  EXPECT_FALSE(net.is_inside(1));
  EXPECT_EQ(net.sent("FAILED") + net.sent("INQUIRE"), 0);
  net.exit(2);
  net.run();
  EXPECT_TRUE(net.is_inside(1));
}

TEST(Surrogate, Section4_2AStaleInviteIsAnsweredToTheWholeQuorum) {
  std::size_t declined = 0;
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    Network net("surrogate+direct", over("majority:n=3"));
    ASSERT_EQ(
        net.walk({.seed = seed, .requests = 4, .groups = {{kA}, {kB}}, .is_right = is_one_group}),
        "");
    const std::size_t q = net.setting().home(0).size();
    // Every request is released q times; what goes beyond answers stale INVITEs.
    const std::size_t beyond = net.sent("RELEASED") - 3 * 4 * q;
    EXPECT_EQ(beyond % q, 0);
    declined += beyond / q;
  }
  EXPECT_GT(declined, 0);
}

TEST(Surrogate, Section4_1InTheFirstStageFollowersLeaveAtTheirLeader) {
  Network net("surrogate+leave", all(3));
  net.enter(0, {kB});
  net.run();
  for (const NodeId process : {1U, 2U}) net.enter(process, {kA});
  net.run();
  net.exit(0);
  net.run();
  net.forget();
  net.exit(1);  // the leader stays on as a surrogate
  net.run();
  EXPECT_EQ(net.sent(), 0);
  net.enter(0, {kC});
  net.enter(1, {kC});  // and may ask again meanwhile
  net.run();
  EXPECT_FALSE(net.is_inside(0));
  net.exit(2);
  net.run();
  EXPECT_EQ(net.sent("LEAVE"), 1);
  EXPECT_EQ(net.sent("RELEASED"), 3);
  EXPECT_EQ(net.inside(), NodeSet::of(3, {0, 1}));
}

TEST(Surrogate, Section4_3NoStaleInviteInManyWalks) {  // a stale one fails an assertion
  for (const std::string version :
       {"surrogate", "surrogate+entry", "surrogate+multi", "surrogate+entry+multi",
        "surrogate+no-failed", "surrogate+entry+no-failed", "surrogate+leave"}) {
    for (const auto to_self : {Network::ToSelf::queued, Network::ToSelf::immediate}) {
      for (std::uint64_t seed = 1; seed <= (kIsSanitized ? 2 : 8); ++seed) {
        Network net(version, over("grid:rows=2,cols=2"), to_self);
        EXPECT_EQ(net.walk({.seed = seed,
                            .requests = 4,
                            .groups = {{kA}, {kB}, {kA, kB}, {kB, kC}},
                            .is_right = is_one_group}),
                  "")
            << version;
      }
    }
  }
}

// Theorem 11 allows a request 8q + 1 messages (REQUEST, LOCKED, FAILED, CANCEL, RELEASED; INQUIRE, RELINQUISH
// and a lost LOCKED that it caused; INVITE); few come near.
TEST(Surrogate, Section6ContendedRequestsCostLessThan5qOnAverageAndLessWithoutFailed) {
  constexpr std::uint64_t kWalks = kIsSanitized ? 3 : 10;
  const auto average = [](std::string_view version) {
    std::size_t sent = 0;
    for (std::uint64_t seed = 1; seed <= kWalks; ++seed) {
      Network net(version, over("grid:rows=3,cols=3"));
      EXPECT_EQ(net.walk({.seed = seed,
                          .requests = 3,
                          .groups = {{kA}, {kB}, {kC}},
                          .is_right = is_one_group}),
                "");
      sent += net.sent();
    }
    constexpr std::size_t kRequests = kWalks * 9 * 3;
    return static_cast<double>(sent) / kRequests;
  };
  constexpr double kQ = 5;
  EXPECT_LT(average("surrogate"), 5 * kQ);
  EXPECT_LT(average("surrogate+no-failed"), average("surrogate"));
}

TEST(Surrogate, Section8WithoutConcurrentEntryANewcomerWaits) {
  Network net("surrogate", all(2));
  net.enter(0, {kA});
  net.run();
  net.enter(1, {kA});
  net.run();
  EXPECT_FALSE(net.is_inside(1));
}

TEST(Surrogate, Section8_1ANewcomerOfTheGroupEntersAtOnce) {
  Network net("surrogate+entry", all(3));
  net.enter(0, {kA});
  net.run();
  net.enter(1, {kA});
  net.run();
  EXPECT_TRUE(net.is_inside(1));
  EXPECT_EQ(net.sent("FORWARD"), 3);  // of which one leads to an INVITE
  EXPECT_EQ(net.sent("INVITE"), 1);
  net.exit(0);  // the leader goes, its forum stays open
  net.run();
  net.enter(2, {kA});
  net.run();
  EXPECT_EQ(net.inside(), NodeSet::of(3, {1, 2}));
  net.enter(0, {kA});  // it may follow itself
  net.run();
  EXPECT_EQ(net.inside(), NodeSet::of(3, {0, 1, 2}));
  for (const NodeId process : {0U, 1U, 2U}) net.exit(process);
  net.run();
  EXPECT_TRUE(net.is_at_rest());
}

TEST(Surrogate, Section8_1AConflictClosesTheForum) {
  Network net("surrogate+entry", all(4));
  net.enter(0, {kA});
  net.run();
  net.enter(1, {kA});
  net.run();
  net.enter(2, {kB});
  net.run();
  EXPECT_EQ(net.sent("STEPDOWN"), 4);
  net.enter(3, {kA});
  net.run();
  EXPECT_EQ(net.inside(), NodeSet::of(4, {0, 1}));
  net.exit(1);
  net.exit(0);
  net.run();
  EXPECT_EQ(net.inside(), NodeSet::of(4, {2}));
  net.exit(2);
  net.run();
  EXPECT_EQ(net.inside(), NodeSet::of(4, {3}));
}

TEST(Surrogate, Section8_2ALeaderTakesTheGroupThatMostAccept) {
  Network net("surrogate+multi", all(4));
  net.enter(0, {kC});
  net.run();
  net.enter(1, {kA, kB});
  net.run();
  net.enter(2, {kB});
  net.run();
  net.enter(3, {kB, kC});
  net.run();
  net.exit(0);
  net.run();
  EXPECT_EQ(net.inside(), NodeSet::of(4, {1, 2, 3}));
  EXPECT_EQ(net.group(1), kB);
}

TEST(Surrogate, Section8_2WithoutItTheFirstGroupCounts) {
  Network net("surrogate", all(2));
  net.enter(0, {kB, kC});
  net.run();
  EXPECT_EQ(net.group(0), kB);
}

// Two friends that come and go, one always inside: how often does one enter before the stranger does?
std::size_t overtaken(Network& net, NodeId one, NodeId other, Group group, NodeId stranger) {
  constexpr std::size_t kEnough = 50;
  std::size_t times = 0;
  while (times < kEnough && !net.is_inside(stranger)) {
    for (const NodeId visitor : {one, other}) {
      if (net.is_inside(visitor)) net.exit(visitor);
      net.run();
      if (!net.is_waiting(visitor)) net.enter(visitor, {group});
      net.run();
      if (net.is_inside(visitor)) ++times;
    }
  }
  return times;
}

// M1: the forum's group is a; who accepts b or c meets the leader's groups, yet conflicts.
TEST(Surrogate, Section8_2AForwardedRequestOfOtherGroupsClosesTheForum) {
  const auto run = [](std::string_view version) {
    Network net(version, all(3));
    net.enter(0, {kA, kB});
    net.run();
    EXPECT_EQ(net.group(0), kA);
    net.enter(2, {kA});
    net.run();
    net.enter(1, {kB, kC});
    net.run();
    return overtaken(net, 0, 2, kA, 1);
  };
  EXPECT_EQ(run("surrogate+entry+multi"), 0);
  EXPECT_EQ(run("surrogate+entry+multi@M1"), 50);
}

// C5: when 0 locks node 0, two that conflict wait there: 2, which is fulfilled, and 3, which is not.
TEST(Surrogate, Section8_1LockedNamesEveryConflict) {
  const auto run = [](std::string_view version) {
    Setting setting = over("weighted:votes=1/1/1/0");
    setting.homes = {NodeSet::of(4, {0, 1}), NodeSet::of(4, {1, 2}), NodeSet::of(4, {0, 1}),
                     NodeSet::of(4, {0, 2})};
    Network net(version, setting);
    net.enter(0, {kA});
    for (const NodeId process : {1U, 2U}) net.enter(process, {kB});
    net.enter(3, {kC});
    const auto deliver = [&](std::initializer_list<std::pair<NodeId, NodeId>> channels) {
      for (const auto& [from, to] : channels) net.deliver(from, to);
    };
    deliver({{1, 1}, {1, 2}, {1, 1}, {2, 1}});  // 1 leads a forum of b,
    deliver({{2, 1}, {1, 2}, {1, 1}, {1, 2}});  // and invites 2
    EXPECT_EQ(net.inside(), NodeSet::of(4, {1, 2}));
    deliver(
        {{3, 0}, {0, 3}, {3, 2}, {2, 3}, {0, 0}, {2, 0}});  // 3 locks node 0 before 0 and 2 come,
    deliver({{0, 3}, {3, 0}});                              // and relinquishes it to 0
    net.hold(2, 0);                                         // where the CANCEL of 2 is late
    for (const NodeId process : {1U, 2U}) net.exit(process);
    net.run();
    EXPECT_EQ(net.inside(), NodeSet::of(4, {0}));
    net.enter(1, {kA});
    net.run();
    net.let_go(2, 0);
    net.run();
    return overtaken(net, 0, 1, kA, 3);
  };
  EXPECT_EQ(run("surrogate+entry"), 0);
  EXPECT_EQ(run("surrogate+entry@C5"), 50);
}

// Readers are one group, and each writer is one of its own: n + 1 groups.
TEST(Surrogate, Section1ReadersAndWriters) {
  constexpr Group kRead = 0;
  const auto write = [](NodeId process) { return Groups{process + 1}; };
  Network net("surrogate+entry", over("majority:n=5"));
  for (const NodeId reader : {0U, 1U, 2U}) net.enter(reader, {kRead});
  net.run();
  EXPECT_EQ(net.inside(), NodeSet::of(5, {0, 1, 2}));
  for (const NodeId writer : {3U, 4U}) net.enter(writer, write(writer));
  net.run();
  EXPECT_EQ(net.inside().size(), 3);
  for (const NodeId reader : {0U, 1U, 2U}) net.exit(reader);
  net.run();
  EXPECT_EQ(net.inside().size(), 1);
  net.exit(net.is_inside(3) ? 3 : 4);
  net.run();
  EXPECT_EQ(net.inside().size(), 1);
  net.exit(net.is_inside(3) ? 3 : 4);
  net.run();
  EXPECT_TRUE(net.is_at_rest());
}

TEST(Surrogate, RefusesStagesTogetherOrWithExtensions) {
  for (const std::string version :
       {"surrogate+leave+direct", "surrogate+leave+entry", "surrogate+direct+multi"}) {
    EXPECT_THROW(Network(version, all(2)), std::invalid_argument) << version;
  }
}

}  // namespace
}  // namespace coterie::protocol
