// MUTIN(l), by the sections and lemmas of its paper.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "protocol/floors.h"

namespace coterie::protocol {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

// Two quorums through member 0: what it takes for Lemma 2 to fail.
Setting lopsided() {
  Setting setting = floor("majority:n=3", 2);
  setting.homes = {NodeSet::of(3, {0, 1}), NodeSet::of(3, {0, 1}), NodeSet::of(3, {0, 2})};
  return setting;
}

TEST(Mutin, Section4_AMemberKnowsOfThoseWhoseQuorumItIsIn) {
  Network net("mutin", lopsided());
  net.exit(2);
  net.run();
  EXPECT_THAT(net.text(), HasSubstr("p0 -> p2 RESPONSE(inside {0,1,2})"));
  EXPECT_THAT(net.text(), HasSubstr("p2 -> p2 RESPONSE(inside {2})"));
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
  for (std::uint32_t l = 0; l < 3; ++l)
    EXPECT_EQ(first_fault("mutin", floor("majority:n=3", l)), "");
  for (std::uint32_t l = 0; l < 7; ++l)
    EXPECT_EQ(first_fault("mutin", floor("plane:q=2", l), 10), "");
}

TEST(Mutin, Lemma2_FailsIfOnlyTheFirstReleaseIsTold) {
  EXPECT_THAT(first_fault("mutin@response2-once", lopsided(), 1000), HasSubstr("somebody waits"));
  EXPECT_EQ(first_fault("mutin", lopsided(), 1000), "");
}

TEST(Mutin, Lemma3_EightMessagesPerMemberOfTheQuorum) {
  constexpr std::size_t q = 3;
  Network net("mutin", floor("plane:q=2", 3));
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
  EXPECT_EQ(first_fault("mutin[complement[mutin]]", floor("majority:n=3", 1)), "");
}

TEST(Mutin, RenamesTheTimesInsideInnerMessages) {
  Network net("mutin", floor("majority:n=3", 1));
  const auto later = [](Time time) {
    return static_cast<Time>(static_cast<std::uint32_t>(time) + 4);
  };
  struct Last final : Sink {
    void send(NodeId, Bytes message) override { bytes = std::move(message); }
    void entered(Group) override {}
    void exited() override {}
    void set_alarm() override {}
    Bytes bytes;
  } last;
  net.process(0).exit(last);
  EXPECT_EQ(net.process(0).describe_message(last.bytes), "mx:REQUEST(stamp 1.p0)");
  const Bytes renamed = net.process(0).rename_times(last.bytes, later);
  EXPECT_EQ(net.process(0).describe_message(renamed), "mx:REQUEST(stamp 5.p0)");
}

TEST(Mutin, RefusesWhatCannotBe) {
  EXPECT_THROW(Network("mutin", floor("majority:n=3", 3)), std::invalid_argument);
  EXPECT_THROW(Network("mutin", band("majority:n=3", 2, 3, {0})), std::invalid_argument);
  EXPECT_THROW(Network("mutin", floor("k-majority:n=5,k=2", 1)), std::invalid_argument);
  EXPECT_THROW(Network("mutin[mutin]", floor("majority:n=3", 1)), std::invalid_argument);
}

}  // namespace
}  // namespace coterie::protocol
