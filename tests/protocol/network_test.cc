// The network for tests is itself tested, with Maekawa's algorithm on it.
#include "protocol/network.h"

#include <gtest/gtest.h>

#include <stdexcept>

namespace coterie::protocol {
namespace {

TEST(Network, DeliversInTheOrderOfSendingPerChannel) {
  Network net("maekawa", over("majority:n=3"));
  net.enter(0);
  EXPECT_TRUE(net.is_waiting(0));
  EXPECT_EQ(net.sent("REQUEST"), 2U);
  net.hold(0, 1);
  net.run();
  EXPECT_FALSE(net.is_inside(0));
  EXPECT_FALSE(net.is_quiet());
  net.let_go(0, 1);
  net.run();
  EXPECT_TRUE(net.is_inside(0));
  EXPECT_TRUE(net.is_quiet());
  EXPECT_EQ(net.text(),
            "p0 asks for a\n"
            "p0 -> p0 REQUEST(stamp 1.p0)\n"
            "p0 -> p0 LOCKED(stamp 1.p0)\n"
            "p0 -> p1 REQUEST(stamp 1.p0)\n"
            "p1 -> p0 LOCKED(stamp 1.p0)\n"
            "p0 enters a\n");
}

TEST(Network, HandlesAMessageToOneselfBeforeAllElse) {
  Network net("maekawa", over("majority:n=3"), Network::ToSelf::immediate);
  net.enter(0);
  EXPECT_EQ(net.sent("LOCKED"), 1U);
  EXPECT_EQ(net.sent_to_others(), 1U);
}

TEST(Network, RefusesWhatCannotHappen) {
  Network net("maekawa", over("majority:n=3"));
  EXPECT_THROW(net.exit(0), std::logic_error);
  EXPECT_THROW(net.alarm(0), std::logic_error);
  EXPECT_THROW(net.deliver(0, 1), std::logic_error);
  net.enter(0);
  EXPECT_THROW(net.enter(0), std::logic_error);
  EXPECT_THROW(Network("maekawa+nothing", over("majority:n=3")), std::invalid_argument);
}

TEST(Network, WalksRepeatAndFindFaults) {
  Network one("maekawa", over("majority:n=3"));
  Network two("maekawa", over("majority:n=3"));
  EXPECT_EQ(one.walk({.seed = 7}), "");
  EXPECT_EQ(two.walk({.seed = 7}), "");
  EXPECT_EQ(one.text(), two.text());

  const auto nobody_ever = [](const Network& net) { return net.inside().empty(); };
  Network three("maekawa", over("majority:n=3"));
  EXPECT_TRUE(three.walk({.is_right = nobody_ever}).starts_with("what should always be so is not"));
  Network four("maekawa", over("majority:n=3"));
  EXPECT_TRUE(four.walk({.max_steps = 3}).starts_with("it does not come to an end"));
}

}  // namespace
}  // namespace coterie::protocol
