// k-mutual exclusion over k-coteries: the four choices of k_mutex.h, and what a request costs.
#include "protocol/k_mutex.h"

#include <gtest/gtest.h>

#include <stdexcept>

#include "protocol/network.h"

namespace coterie::protocol {
namespace {

constexpr const char* kCohorts = "cohorts:k=2,sizes=2/3";  // Coh(2,2): u1..u5 are 0..4

NodeSet of(std::initializer_list<NodeId> members) { return NodeSet::of(5, members); }

Network cohorts(std::string_view protocol = "k-mutex") { return {protocol, over(kCohorts, 2)}; }

TEST(KMutex, CostsThreeMessagesPerMemberUncontended) {
  Network net = cohorts();
  net.enter(0, {0}, of({2, 3}));
  net.run();
  ASSERT_TRUE(net.is_inside(0));
  net.exit(0);
  net.run();
  EXPECT_EQ(net.sent("REQUEST"), 2U);
  EXPECT_EQ(net.sent("GRANT"), 2U);
  EXPECT_EQ(net.sent("RELEASE"), 2U);
  EXPECT_EQ(net.sent(), 6U);
  EXPECT_TRUE(net.is_at_rest());
}

TEST(KMutex, AsksAroundWhatIsBusy) {  // K1
  Network net = cohorts();
  net.enter(0, {0}, of({2, 3}));
  net.run();
  net.enter(1, {0}, of({2, 3}));
  net.run();
  EXPECT_FALSE(net.is_inside(1));
  net.forget();
  ASSERT_TRUE(net.is_alarm_set(1));
  net.alarm(1);
  EXPECT_EQ(net.sent("REQUEST"), 2U);  // the two busy ones are neither asked again nor relied upon
  net.run();
  EXPECT_TRUE(net.is_inside(1));
  EXPECT_TRUE(net.is_inside(0));
  EXPECT_EQ(net.sent("RELEASE"), 2U);  // to those whose votes it did without
}

TEST(KMutex, SetsNoAlarmOnceEverybodyIsAsked) {
  Network net = cohorts();
  net.enter(0, {0}, of({2, 3}));
  net.run();
  net.enter(1, {0}, of({0, 4}));
  net.run();
  net.enter(2, {0}, of({2, 3}));
  net.run();
  std::size_t alarms = 0;
  for (; net.is_alarm_set(2); ++alarms) {
    ASSERT_LT(alarms, 5U);
    net.alarm(2);
    net.run();
  }
  EXPECT_GT(alarms, 0U);
  EXPECT_TRUE(net.is_waiting(2));
  net.exit(1);
  net.run();
  EXPECT_TRUE(net.is_inside(2));
}

TEST(KMutex, TakesAVoteBackForABetterRequest) {  // K2
  Network net = cohorts();
  net.hold(1, 3);
  net.enter(1, {0}, of({2, 3}));  // 1.p1
  net.run();                      // holds the vote of 2 only
  net.enter(0, {0}, of({2, 3}));  // 1.p0
  net.run();
  EXPECT_TRUE(net.is_inside(0));
  EXPECT_TRUE(net.is_waiting(1));
  EXPECT_EQ(net.sent("PREEMPT"), 1U);
  EXPECT_EQ(net.sent("YIELD"), 1U);
  net.let_go(1, 3);
  net.exit(0);
  net.run();
  EXPECT_TRUE(net.is_inside(1));
}

TEST(KMutex, GivesNoVoteBackInside) {
  Network net = cohorts();
  net.hold(0, 2);
  net.hold(0, 3);
  net.enter(0, {0}, of({2, 3}));  // 1.p0
  net.enter(1, {0}, of({2, 3}));  // 1.p1
  net.run();
  net.let_go(0, 2);
  net.let_go(0, 3);
  net.run();
  EXPECT_TRUE(net.is_inside(1));
  EXPECT_EQ(net.sent("PREEMPT"), 2U);
  EXPECT_EQ(net.sent("YIELD"), 0U);
  net.exit(1);
  net.run();
  EXPECT_TRUE(net.is_inside(0));
}

TEST(KMutex, KeepsOneQuorumAndReleasesWhoeverElseItAsked) {  // K3
  Network net = cohorts();
  net.hold(0, 2);
  net.hold(0, 3);
  net.enter(0, {0}, of({2, 3}));
  net.alarm(0, of({1, 4}));
  net.run();
  ASSERT_TRUE(net.is_inside(0));
  EXPECT_EQ(net.sent("RELEASE"), 2U);
  net.let_go(0, 2);
  net.let_go(0, 3);
  net.run();  // two GRANTs that nobody waits for
  net.enter(1, {0}, of({2, 3}));
  net.run();
  EXPECT_TRUE(net.is_inside(1));
}

TEST(KMutex, DropsAGrantOfAnEarlierRequest) {  // K4
  const auto runs = [](std::string_view protocol) {
    Network net = cohorts(protocol);
    net.hold(2, 0);
    net.enter(0, {0}, of({2, 3}));
    net.alarm(0, of({1, 4}));
    net.run();
    net.exit(0);
    net.run();  // the GRANT of 2 is still on its way
    net.enter(1, {0}, of({2, 4}));
    net.run();
    net.enter(4, {0}, of({0, 3}));
    net.run();
    net.enter(0, {0}, of({1, 2}));
    net.let_go(2, 0);
    net.run();
    return net.inside().size();
  };
  EXPECT_EQ(runs("k-mutex"), 2U);
  EXPECT_EQ(runs("k-mutex@untagged"), 3U);
}

TEST(KMutex, RefusesAnotherKThanTheSystems) {
  EXPECT_THROW(Network("k-mutex", over(kCohorts, 1)), std::invalid_argument);
  EXPECT_THROW(Network("k-mutex", over(kCohorts, 3)), std::invalid_argument);
  EXPECT_THROW(Network("k-mutex", over("surficial:groups=3,degree=1")), std::invalid_argument);
}

TEST(KMutex, WalksEndWithEverybodyServed) {
  for (const char* spec : {kCohorts, "k-majority:n=5,k=2", "k-singleton:n=3,k=2"}) {
    for (const auto to_self : {Network::ToSelf::queued, Network::ToSelf::immediate}) {
      for (std::uint64_t seed = 1; seed <= 5; ++seed) {
        Network net("k-mutex", over(spec, 2), to_self);
        const auto at_most_two = [](const Network& now) { return now.inside().size() <= 2; };
        EXPECT_EQ(net.walk({.seed = seed, .is_right = at_most_two}), "")
            << spec << " seed " << seed;
      }
    }
  }
}

}  // namespace
}  // namespace coterie::protocol
