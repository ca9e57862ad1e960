// (l,k)-GCS, by the lemmas of its paper.
#include <gtest/gtest.h>

#include "protocol/floors.h"
#include "sanitized.h"

namespace coterie::protocol {
namespace {

constexpr std::string_view kFused = "gcs[mutin-fused;complement[mutin-fused]]";

void leave_and_enter(Network& net, NodeId process) {
  net.exit(process);
  net.run();
  net.enter(process);
  net.run();
}

TEST(Gcs, Lemma8_BetweenTheFloorAndTheCeiling) {
  constexpr std::uint64_t kWalks = kIsSanitized ? 2 : 5;
  for (std::uint32_t l = 0; l < 3; ++l) {
    for (std::uint32_t k = l + 1; k <= 3; ++k) {
      Setting setting = band("majority:n=3", l, k, {});
      for (NodeId process = 0; process < l; ++process) setting.inside.insert(process);
      EXPECT_EQ(first_fault("gcs", setting, kWalks), "") << l << ' ' << k;
      EXPECT_EQ(first_fault(kFused, setting, kWalks), "") << l << ' ' << k;
    }
  }
}

TEST(Gcs, Lemma8_NeedsItsOrderOfSteps) {
  const Setting setting = band("majority:n=3", 1, 2, {0});
  EXPECT_NE(first_fault("gcs@kmex-first", setting), "");
  EXPECT_NE(first_fault("gcs@lmin-first", setting), "");
}

TEST(Gcs, Lemma9_LeavingAtTheFloorAwaitsAnEntry) {
  Network net("gcs", band("majority:n=3", 1, 2, {0}));
  net.exit(0);
  net.run();
  EXPECT_TRUE(net.is_inside(0));
  net.enter(1);
  net.run();
  EXPECT_FALSE(net.is_inside(0));
  EXPECT_TRUE(net.is_inside(1));
  EXPECT_TRUE(net.is_at_rest());
}

TEST(Gcs, Theorem4_SixteenMessagesPerMemberOfTheQuorum) {
  constexpr std::size_t q = 3;
  Network net("gcs", band("plane:order=2", 2, 5, {0, 1, 2, 3}));
  leave_and_enter(net, 0);
  EXPECT_TRUE(net.is_inside(0));
  EXPECT_EQ(net.sent(), 16 * q);
}

TEST(Gcs, FusedTakesEightMessagesPerMemberOfTheQuorum) {
  constexpr std::size_t q = 3;
  Network net(kFused, band("plane:order=2", 2, 5, {0, 1, 2, 3}));
  leave_and_enter(net, 0);
  EXPECT_TRUE(net.is_inside(0));
  EXPECT_EQ(net.sent(), 8 * q);
}

TEST(Gcs, NamesTheMessagesOfItsParts) {
  Network net("gcs", band("majority:n=3", 0, 1, {}));
  net.enter(0);
  EXPECT_EQ(net.sent("kmex:mx:REQUEST"), 2U);
}

TEST(Gcs, ItsPartsMayBeAnyAndStartWithAnyInside) {
  EXPECT_EQ(first_fault("gcs[mutin-fused;maekawa]", band("majority:n=3", 0, 1, {1})), "");
  EXPECT_EQ(
      first_fault("gcs[complement[maekawa];complement[mutin]]", band("majority:n=3", 2, 3, {1, 2})),
      "");
}

TEST(Gcs, KmexMayHaveItsOwnQuorums) {
  Setting setting = band("majority:n=4", 1, 3, {0, 1});
  setting.systems.push_back(over("grid:rows=2,cols=2").system());
  EXPECT_EQ(first_fault("gcs", setting, 3), "");
}

TEST(Gcs, RefusesWhatCannotBe) {
  EXPECT_THROW(Network("gcs", band("majority:n=3", 2, 2, {0, 1})), std::invalid_argument);
  EXPECT_THROW(Network("gcs", band("majority:n=3", 1, 4, {0})), std::invalid_argument);
  EXPECT_THROW(Network("gcs", band("majority:n=3", 1, 2, {})), std::invalid_argument);
  EXPECT_THROW(Network("gcs", band("majority:n=3", 1, 2, {0, 1, 2})), std::invalid_argument);
  EXPECT_THROW(Network("gcs[maekawa;mutin]", band("majority:n=3", 0, 1, {})),
               std::invalid_argument);
}

}  // namespace
}  // namespace coterie::protocol
