// The algorithms that everybody knows: the message counts that their papers claim, and walks.
#include <gtest/gtest.h>

#include "protocol/network.h"

namespace coterie::protocol {
namespace {

// Enters and leaves alone; the number of messages that it took.
std::size_t cost(Network& net, NodeId process) {
  net.forget();
  net.enter(process);
  net.run();
  EXPECT_TRUE(net.is_inside(process));
  net.exit(process);
  net.run();
  EXPECT_TRUE(net.is_at_rest());
  return net.sent_to_others();
}

TEST(RicartAgrawala, TakesTwoMessagesPerOther) {
  for (const std::size_t n : {1U, 2U, 3U, 7U}) {
    Network net("ricart-agrawala", among(n));
    EXPECT_EQ(cost(net, 0), 2 * (n - 1));
  }
}

TEST(RicartAgrawala, DefersItsReplyToALaterRequest) {
  Network net("ricart-agrawala", among(2));
  net.enter(1);
  net.enter(0);
  net.run();
  EXPECT_EQ(net.text(),
            "p1 asks for a\n"
            "p0 asks for a\n"
            "p1 -> p0 REQUEST(stamp 1.p1)\n"
            "p0 -> p1 REQUEST(stamp 1.p0)\n"
            "p1 -> p0 REPLY(stamp 1.p0)\n"
            "p0 enters a\n");
  net.exit(0);
  net.run();
  EXPECT_TRUE(net.is_inside(1));
}

TEST(RicartAgrawala, WithoutATieBreakBothEnter) {
  Network net("ricart-agrawala@no-tie-break", among(2));
  net.enter(1);
  net.enter(0);
  net.run();
  EXPECT_EQ(net.inside().size(), 2U);
}

TEST(RicartAgrawala, WithoutTheClockALaterRequestComesFirstAndBothEnter) {
  for (const bool is_right : {true, false}) {
    Network net(is_right ? "ricart-agrawala" : "ricart-agrawala@no-clock", among(3));
    cost(net, 1);
    net.hold(2, 1);
    net.enter(1);  // 2.p1
    net.run();     // 0 has replied
    net.enter(0);
    net.run();
    EXPECT_EQ(net.is_inside(0), !is_right);
    net.let_go(2, 1);
    net.run();
    EXPECT_TRUE(net.is_inside(1));
  }
}

TEST(SuzukiKasami, TakesNMessagesOrNone) {
  for (const std::size_t n : {2U, 3U, 7U}) {
    Network net("suzuki-kasami", among(n));
    EXPECT_EQ(cost(net, 0), 0U) << "process 0 has the token at first";
    EXPECT_EQ(cost(net, 1), n);
    EXPECT_EQ(cost(net, 1), 0U);
    EXPECT_EQ(cost(net, 0), n);
  }
}

TEST(SuzukiKasami, ARequestThatWasServedIsNotServedAgain) {
  for (const bool is_right : {true, false}) {
    Network net(is_right ? "suzuki-kasami" : "suzuki-kasami@serves-again", among(3));
    net.hold(1, 2);
    for (const NodeId process : {1U, 0U, 2U}) {
      net.enter(process);
      net.run();
      net.exit(process);
    }
    net.let_go(1, 2);
    net.forget();
    net.run();  // the first request of 1 comes to 2, which has the token
    EXPECT_EQ(net.sent("PRIVILEGE"), is_right ? 0U : 1U);
  }
}

TEST(Raymond, TakesTwoMessagesPerEdgeToTheToken) {
  Network net("raymond", among(7));
  EXPECT_EQ(cost(net, 0), 0U);
  EXPECT_EQ(cost(net, 6), 4U);  // 6, 2, 0
  EXPECT_EQ(cost(net, 3), 8U);  // 3, 1, 0, 2, 6
  EXPECT_EQ(cost(net, 3), 0U);
  EXPECT_EQ(cost(net, 4), 4U);  // 4, 1, 3
}

TEST(Raymond, AsksBackForTheOthersInItsQueue) {
  for (const bool is_right : {true, false}) {
    Network net(is_right ? "raymond" : "raymond@asks-once", among(3));
    net.enter(0);
    net.enter(1);
    net.enter(2);
    net.run();
    net.exit(0);
    net.run();
    EXPECT_TRUE(net.is_inside(1));
    net.exit(1);
    net.run();
    EXPECT_EQ(net.is_inside(2), is_right);
  }
}

TEST(Central, TakesThreeMessages) {
  Network net("central", among(5));
  EXPECT_EQ(cost(net, 3), 3U);
  EXPECT_EQ(cost(net, 0), 0U) << "the coordinator speaks to itself";
  EXPECT_EQ(net.sent(), 3U);
}

TEST(Central, ServesInTheOrderOfArrival) {
  Network net("central", among(4));
  for (const NodeId process : {2U, 3U, 1U}) net.enter(process);
  for (const NodeId process : {2U, 3U, 1U}) {
    net.run();
    EXPECT_TRUE(net.is_inside(process));
    net.exit(process);
  }
}

class Yardsticks : public testing::TestWithParam<const char*> {};

TEST_P(Yardsticks, KeepTheirPromiseOnRandomWalks) {
  for (const std::size_t n : {1U, 2U, 3U, 5U}) {
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
      for (const auto to_self : {Network::ToSelf::queued, Network::ToSelf::immediate}) {
        Network net(GetParam(), among(n), to_self);
        ASSERT_EQ(net.walk({.seed = seed, .is_right = at_most_one}), "");
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, Yardsticks,
                         testing::Values("ricart-agrawala", "suzuki-kasami", "raymond", "central"));

}  // namespace
}  // namespace coterie::protocol
