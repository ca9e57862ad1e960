// Maekawa 1985 with Sanders' correction: its cost, and what the correction is about.
#include <gtest/gtest.h>

#include <algorithm>

#include "protocol/network.h"

namespace coterie::protocol {
namespace {

// Every arbiter serves everybody.
Setting everybody_asks(std::size_t n) { return over("all:n=" + std::to_string(n)); }

TEST(Maekawa, TakesThreeMessagesPerMemberOfTheQuorumIfNobodyElseAsks) {
  for (const char* spec : {"majority:n=3", "grid:rows=3,cols=3", "plane:order=2", "tree:n=7"}) {
    Network net("maekawa", over(spec));
    for (NodeId process = 0; process < net.setting().processes; ++process) {
      const std::size_t quorum = net.setting().home(process).size();
      net.forget();
      net.enter(process);
      net.run();
      EXPECT_TRUE(net.is_inside(process));
      EXPECT_EQ(net.sent(), 2 * quorum);
      net.exit(process);
      net.run();
      EXPECT_EQ(net.sent(), 3 * quorum);
      EXPECT_EQ(net.sent("REQUEST"), quorum);
      EXPECT_EQ(net.sent("LOCKED"), quorum);
      EXPECT_EQ(net.sent("RELEASED"), quorum);
      EXPECT_TRUE(net.is_at_rest());
    }
  }
}

TEST(Maekawa, UsesTheQuorumsThatTheSettingNames) {
  Setting setting = over("majority:n=3");
  setting.homes = {NodeSet::of(3, {1, 2}), NodeSet::of(3, {1, 2}), NodeSet::of(3, {0, 2})};
  Network net("maekawa", setting);
  net.enter(0);
  net.hold(0, 1);
  net.hold(0, 2);
  net.run();
  EXPECT_FALSE(net.is_inside(0));
  EXPECT_EQ(net.sent(), 2U);
  net.let_go(0, 1);
  net.let_go(0, 2);
  net.run();
  EXPECT_TRUE(net.is_inside(0));
}

// A whole exchange: a worse request holds a vote, a better one asks for it back.
TEST(Maekawa, AVoteIsGivenBackToABetterRequest) {
  Setting setting = over("majority:n=3");
  setting.homes = {NodeSet::of(3, {0, 2}), NodeSet::of(3, {0, 2}), NodeSet::of(3, {0, 1})};
  Network net("maekawa", setting);
  net.enter(1);
  net.enter(0);
  net.deliver(1, 2);  // 2 votes for 1
  net.deliver(0, 0);  // 0 votes for itself
  net.run();
  EXPECT_EQ(net.text(),
            "p1 asks for a\n"
            "p0 asks for a\n"
            "p1 -> p2 REQUEST(stamp 1.p1)\n"
            "p0 -> p0 REQUEST(stamp 1.p0)\n"
            "p1 -> p0 REQUEST(stamp 1.p1)\n"
            "p0 -> p2 REQUEST(stamp 1.p0)\n"
            "p2 -> p1 LOCKED(stamp 1.p1)\n"
            "p0 -> p0 LOCKED(stamp 1.p0)\n"
            "p0 -> p1 FAILED(stamp 1.p1)\n"
            "p2 -> p1 INQUIRE(stamp 1.p1)\n"
            "p1 -> p2 RELINQUISH(stamp 1.p1)\n"
            "p2 -> p0 LOCKED(stamp 1.p0)\n"
            "p0 enters a\n");
  net.forget();
  net.exit(0);
  net.run();
  EXPECT_EQ(net.text(),
            "p0 asks to leave\n"
            "p0 leaves\n"
            "p0 -> p0 RELEASED(stamp 1.p0)\n"
            "p0 -> p2 RELEASED(stamp 1.p0)\n"
            "p0 -> p1 LOCKED(stamp 1.p1)\n"
            "p2 -> p1 LOCKED(stamp 1.p1)\n"
            "p1 enters a\n");
}

// S1. The INQUIRE of 2 comes before the FAILED of 0.
TEST(Maekawa, AnInquiryIsAnsweredWhenAFailureComes) {
  for (const bool is_right : {true, false}) {
    Setting setting = over("majority:n=3");
    setting.homes = {NodeSet::of(3, {0, 2}), NodeSet::of(3, {0, 2}), NodeSet::of(3, {0, 1})};
    Network net(is_right ? "maekawa" : "maekawa@S1", setting);
    net.enter(1);
    net.enter(0);
    net.deliver(1, 2);
    net.deliver(0, 0);
    net.hold(0, 1);
    net.run();
    EXPECT_EQ(net.sent("INQUIRE"), 1U);
    EXPECT_EQ(net.sent("RELINQUISH"), 0U) << "it may get all votes yet";
    net.let_go(0, 1);
    net.run();
    EXPECT_EQ(net.sent("RELINQUISH"), is_right ? 1U : 0U);
    EXPECT_EQ(net.is_inside(0), is_right);
  }
}

// S2. One vote is held by 2, 1 waits, then 0 comes and is better than both.
TEST(Maekawa, AWaitingRequestIsToldWhenABetterOneDisplacesIt) {
  for (const bool is_right : {true, false}) {
    Network net(is_right ? "maekawa" : "maekawa@S2", everybody_asks(3));
    for (const NodeId process : {2U, 1U, 0U}) net.enter(process);
    for (const NodeId process : {2U, 1U, 0U}) net.deliver(process, 0);
    net.deliver(0, 2);  // LOCKED
    net.deliver(0, 2);  // INQUIRE, for 1
    net.forget();
    EXPECT_EQ(net.sent("FAILED"), 0U);
    net.run();
    const std::string told = "p0 -> p1 FAILED(stamp 1.p1)";
    const bool is_told = std::ranges::find(net.transcript(), told) != net.transcript().end();
    EXPECT_EQ(is_told, is_right);
  }
}

TEST(Maekawa, AnInquiryThatCrossesTheReleaseIsDropped) {
  Network net("maekawa", everybody_asks(2));
  net.enter(1);
  net.deliver(1, 1);
  net.deliver(1, 1);
  net.deliver(1, 0);
  net.enter(0);  // 2.p0: worse
  net.deliver(0, 0);
  net.deliver(0, 1);
  net.deliver(0, 1);  // LOCKED
  EXPECT_TRUE(net.is_inside(1));
  net.exit(1);
  net.run();
  EXPECT_TRUE(net.is_inside(0));
}

TEST(Maekawa, KeepsItsPromiseOnRandomWalks) {
  for (const char* spec :
       {"majority:n=3", "k-majority:n=4,k=1", "grid:rows=2,cols=2", "wheel:n=5"}) {
    for (const auto to_self : {Network::ToSelf::queued, Network::ToSelf::immediate}) {
      for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        Network net("maekawa", over(spec), to_self);
        ASSERT_EQ(net.walk({.seed = seed, .is_right = at_most_one}), "") << spec;
      }
    }
  }
}

TEST(Maekawa, WithoutSandersCorrectionSomeWalkStops) {
  for (const char* mutant : {"maekawa@S1", "maekawa@S2"}) {
    bool is_caught = false;
    for (std::uint64_t seed = 1; seed <= 2000 && !is_caught; ++seed) {
      Network net(mutant, everybody_asks(4));
      is_caught = net.walk({.seed = seed, .is_right = at_most_one}).starts_with("somebody waits");
    }
    EXPECT_TRUE(is_caught) << mutant;
  }
}

}  // namespace
}  // namespace coterie::protocol
