// Surrogate over a k-coterie: its price, and the one thing that it needs beyond Surrogate.
#include <gtest/gtest.h>

#include "protocol/network.h"

namespace coterie::protocol {
namespace {

TEST(SurrogateK, UncontendedCostsThreeMessagesPerMember) {
  for (const auto& [system, quorum] :
       {std::pair{"k-singleton:n=4,k=2", 1U}, std::pair{"torus:rows=4,cols=3,k=2", 4U},
        std::pair{"k-majority:n=5,k=2", 2U}}) {
    Network net("surrogate-k", over(system, 2));
    net.enter(1);
    net.run();
    EXPECT_TRUE(net.is_inside(1)) << system;
    net.exit(1);
    net.run();
    EXPECT_EQ(net.sent(), 3 * quorum) << system;
    EXPECT_TRUE(net.is_at_rest()) << system;
  }
}

// p0 and p1 wait at disjoint quorums, p4 at a member of each; when p2 leaves, both lead and both invite p4.
void invite_twice(Network& net) {
  const auto pass = [&](NodeId process) {
    net.enter(process);
    net.run();
    net.exit(process);
    net.run();
  };
  pass(4);  // so that its next request is the worst
  net.enter(2, {1});
  net.run();
  for (const NodeId process : {0U, 1U, 4U}) net.enter(process);
  net.run();
  net.exit(2);
  net.run();
  for (const NodeId process : {0U, 1U, 4U}) EXPECT_TRUE(net.is_inside(process));
  EXPECT_EQ(net.sent("INVITE"), 2U);
  for (const NodeId process : {0U, 1U, 4U}) net.exit(process);
  net.run();
}

Setting two_leaders() {
  Setting setting = over("k-majority:n=5,k=2", 2);
  const NodeSet both = NodeSet::of(5, {0, 1});
  setting.homes = {NodeSet::of(5, {0, 2}), NodeSet::of(5, {1, 3}), both, both, both};
  return setting;
}

TEST(SurrogateK, AnInvitationThatComesTooLateIsGivenBack) {
  Network net("surrogate-k", two_leaders());
  invite_twice(net);
  EXPECT_TRUE(net.is_at_rest());
}

TEST(SurrogateK, OtherwiseTheForumNeverEnds) {
  Network net("surrogate-k@stale-invite", two_leaders());
  invite_twice(net);
  EXPECT_FALSE(net.is_at_rest());
}

TEST(SurrogateK, WalksEndWell) {
  for (const char* system :
       {"k-singleton:n=5,k=2", "torus:rows=2,cols=2,k=2", "torus:rows=4,cols=1,k=2",
        "cohorts:k=2,sizes=2/3", "k-majority:n=5,k=2"}) {
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
      Network net("surrogate-k", over(system, 2));
      const auto at_most_two_groups = [](const Network& now) { return now.groups_inside() <= 2; };
      EXPECT_EQ(net.walk({.seed = seed, .groups = {{0}, {1}, {2}}, .is_right = at_most_two_groups}),
                "")
          << system << ", seed " << seed;
    }
  }
}

}  // namespace
}  // namespace coterie::protocol
