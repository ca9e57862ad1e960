// MUTIN(l), by the sections and lemmas of its paper.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "protocol/floors.h"

namespace coterie::protocol {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

// All quorums through member 0.
Setting around_a_hub() {
  Setting setting = floor("wheel:n=4", 3);
  setting.homes.assign(3, NodeSet::of(4, {0, 1}));
  setting.homes.push_back(NodeSet::of(4, {0, 3}));
  return setting;
}

TEST(Mutin, Section4_AMemberKnowsOfThoseWhoseQuorumItIsIn) {
  Network net("mutin", around_a_hub());
  net.exit(3);
  net.run();
  EXPECT_THAT(net.text(), HasSubstr("p0 -> p3 RESPONSE(inside {0,1,2,3})"));
  EXPECT_THAT(net.text(), HasSubstr("p3 -> p3 RESPONSE(inside {3})"));
}

TEST(Mutin, Section4_EnteringNeverWaits) {
  Network net("mutin", band("majority:n=3", 1, 3, {0}));
  net.enter(1);
  EXPECT_TRUE(net.is_inside(1));
  EXPECT_EQ(net.sent(), 2U);
}

TEST(Mutin, Section4_LeavingWaitsForOneMoreThanTheFloor) {
  Network net("mutin", band("majority:n=3", 2, 3, {0, 1}));
  net.exit(0);
  net.run();
  EXPECT_TRUE(net.is_inside(0));
  net.enter(2);
  net.run();
  EXPECT_FALSE(net.is_inside(0));
  EXPECT_TRUE(net.is_at_rest());
}

TEST(Mutin, Lemma1_NeverBelowTheFloor) {
  for (std::uint32_t l = 0; l < 3; ++l) {
    EXPECT_EQ(first_fault("mutin", floor("majority:n=3", l)), "");
  }
  for (std::uint32_t l = 0; l < 7; l += 3) {
    EXPECT_EQ(first_fault("mutin", floor("plane:order=2", l), 2), "");
  }
}

// 1 enters, then 2 leaves, which member 1 allows, and enters. Both Releases reach member 0 when 3 has
// counted, and it needs both.
bool third_leaves_after_two_late_releases(std::string_view protocol) {
  Network net(protocol, around_a_hub(), Network::ToSelf::immediate);
  net.exit(1);
  net.run();
  net.hold(1, 0);
  net.enter(1);
  net.exit(2);
  net.run();
  net.hold(2, 0);
  net.enter(2);
  net.exit(3);
  net.run();
  EXPECT_TRUE(net.is_inside(3));
  net.let_go(1, 0);
  net.let_go(2, 0);
  net.run();
  return !net.is_inside(3);
}

TEST(Mutin, Lemma2_FailsIfOnlyTheFirstReleaseIsTold) {
  EXPECT_FALSE(third_leaves_after_two_late_releases("mutin@response2-once"));
  EXPECT_TRUE(third_leaves_after_two_late_releases("mutin"));
}

// 0 leaves, and its Acquire to itself is slow; then 2 leaves. Their quorums meet in 0.
std::size_t inside_after_a_slow_acquire(std::string_view protocol) {
  Network net(protocol, floor("majority:n=3", 2));
  net.hold(0, 0);
  net.exit(0);
  net.deliver(0, 0);  // QUERY
  net.deliver(0, 0);  // RESPONSE
  net.run();
  net.exit(2);
  net.run();
  return net.inside().size();
}

TEST(Mutin, Lemma1_NeedsTheAcksWhenTheMutualExclusionHasChannelsOfItsOwn) {
  EXPECT_EQ(inside_after_a_slow_acquire("mutin[suzuki-kasami]@no-ack"), 1U);
  EXPECT_GE(inside_after_a_slow_acquire("mutin[suzuki-kasami]"), 2U);
}

TEST(Mutin, Lemma3_EightMessagesPerMemberOfTheQuorum) {
  constexpr std::size_t q = 3;
  Network net("mutin", floor("plane:order=2", 3));
  net.exit(0);
  net.run();
  net.enter(0);
  net.run();
  EXPECT_EQ(net.sent("mx:REQUEST") + net.sent("mx:LOCKED") + net.sent("mx:RELEASED"), 3 * q);
  for (const char* name : {"QUERY", "RESPONSE", "ACQUIRE", "ACK", "RELEASE"}) {
    EXPECT_EQ(net.sent(name), q) << name;
  }
  EXPECT_EQ(net.sent(), 8 * q);
}

TEST(Mutin, Lemma4_SevenHopsOfWhichTheLastIsNotWaitedFor) {
  Network net("mutin", floor("majority:n=3", 1));
  net.exit(0);
  net.run();
  EXPECT_THAT(names_delivered(net), ElementsAre("mx:REQUEST", "mx:LOCKED", "QUERY", "RESPONSE",
                                                "ACQUIRE", "ACK", "mx:RELEASED"));
}

TEST(Mutin, ItsMutualExclusionMayBeAny) {
  EXPECT_EQ(first_fault("mutin[complement[mutin]]", floor("majority:n=3", 1), 5), "");
}

TEST(Mutin, InnerMessagesAreDescribed) {
  Network net("mutin", floor("majority:n=3", 1));
  net.exit(0);
  EXPECT_EQ(net.sent("mx:REQUEST"), 2U) << net.text();
}

TEST(Mutin, RefusesWhatCannotBe) {
  EXPECT_THROW(Network("mutin", floor("majority:n=3", 3)), std::invalid_argument);
  EXPECT_THROW(Network("mutin", band("majority:n=3", 2, 3, {0})), std::invalid_argument);
  EXPECT_THROW(Network("mutin", floor("k-majority:n=5,k=2", 1)), std::invalid_argument);
  EXPECT_THROW(Network("mutin[mutin]", floor("majority:n=3", 1)), std::invalid_argument);
}

}  // namespace
}  // namespace coterie::protocol
