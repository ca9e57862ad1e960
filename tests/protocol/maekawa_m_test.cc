// Maekawa_M, Toyomura et al. and Joung's plain algorithm: what is claimed of them, and the readings.
#include "protocol/maekawa_m.h"

#include <gtest/gtest.h>

#include <stdexcept>

#include "protocol/network.h"

namespace coterie::protocol {
namespace {

Setting with_locks(std::string_view spec, std::uint32_t locks) {
  Setting setting = over(spec);
  setting.locks = locks;
  return setting;
}

TEST(MaekawaM, CostsThreeMessagesPerMemberUncontended) {
  for (const auto& [protocol, spec] :
       {std::pair{"maekawa-m", kSurficial}, {"joung", kSurficial}, {"toyomura", "majority:n=3"}}) {
    Network net(protocol, over(spec));
    net.enter(2, {1});
    net.run();
    ASSERT_TRUE(net.is_inside(2));
    EXPECT_EQ(net.group(2), 1U);
    net.exit(2);
    net.run();
    EXPECT_EQ(net.sent(), 6U);
    EXPECT_TRUE(net.is_at_rest());
  }
}

TEST(MaekawaM, AGroupEntersTogether) {
  for (const auto& [protocol, spec] :
       {std::pair{"maekawa-m", kSurficial}, {"toyomura", "majority:n=3"}}) {
    for (const std::string variant : {"", "+prefix", "+no-newcomers", "+prefix+inquire-all"}) {
      Network net(protocol + variant, over(spec));
      for (NodeId process = 0; process < 3; ++process) net.enter(process, {2});
      net.run();
      EXPECT_EQ(net.inside().size(), 3U) << protocol << variant;
    }
  }
}

TEST(MaekawaM, LocksAreLimited) {
  for (const std::uint32_t locks : {1U, 2U}) {
    Network net("maekawa-m", with_locks(kSurficial, locks));
    for (NodeId process = 0; process < 3; ++process) net.enter(process, {2});
    net.run();
    EXPECT_EQ(net.inside().size(), locks);
  }
}

// Section 1 of the Surrogate paper: the surficial system lets "degree" of a group in with one lock each.
TEST(Joung, AsManyEnterAsTheDegree) {
  Network net("joung", over("surficial:groups=2,degree=2"));
  for (NodeId process = 0; process < 4; ++process) net.enter(process, {0});
  net.run();
  EXPECT_EQ(net.inside().size(), 2U);
}

TEST(MaekawaM, TakesAllLocksBackForABetterRequestOfAnotherGroup) {
  Network net("maekawa-m", over(kSurficial));
  net.hold(0, 0);
  net.hold(0, 2);
  net.hold(1, 1);
  net.hold(2, 1);
  net.enter(0, {1});  // 1.p0
  net.enter(1, {0});  // 1.p1 and 1.p2 lock 0, not yet 1
  net.enter(2, {0});
  net.run();
  net.let_go(0, 0);
  net.let_go(0, 2);
  net.run();
  EXPECT_TRUE(net.is_inside(0));
  EXPECT_EQ(net.sent("INQUIRE"), 2U);
  EXPECT_EQ(net.sent("RELINQUISH"), 2U);
  net.let_go(1, 1);
  net.let_go(2, 1);
  net.exit(0);
  net.run();
  EXPECT_TRUE(net.is_inside(1));
  EXPECT_TRUE(net.is_inside(2));
}

// p0 inside for b, p1 waits for a, then p2 comes for b: worse than p1, but p0 is better.
bool is_newcomer_inside(std::string_view protocol) {
  Network net(protocol, over(kSurficial));
  net.enter(0, {1});
  net.run();
  net.enter(1, {0});
  net.run();
  net.enter(2, {1});
  net.run();
  EXPECT_TRUE(net.is_waiting(1));
  return net.is_inside(2);
}

TEST(MaekawaM, TheStrongestReadingTakesNewcomersWhileABetterOneHolds) {
  EXPECT_TRUE(is_newcomer_inside("maekawa-m"));
  EXPECT_FALSE(is_newcomer_inside("maekawa-m+prefix"));
  EXPECT_FALSE(is_newcomer_inside("maekawa-m+no-newcomers"));
}

// The same, but the newcomer's stamp is better than that of the one who waits.
bool is_better_newcomer_inside(std::string_view protocol) {
  Network net(protocol, over(kSurficial));
  net.enter(1, {1});  // 1.p1
  net.run();
  net.enter(2, {0});  // 2.p2
  net.hold(0, 0);
  net.hold(0, 2);
  net.enter(0, {1});  // 2.p0
  net.run();
  net.let_go(0, 0);
  net.let_go(0, 2);
  net.run();
  EXPECT_TRUE(net.is_waiting(2));
  return net.is_inside(0);
}

TEST(MaekawaM, ThePrefixReadingTakesBetterNewcomersOnly) {
  EXPECT_TRUE(is_better_newcomer_inside("maekawa-m"));
  EXPECT_TRUE(is_better_newcomer_inside("maekawa-m+prefix"));
  EXPECT_FALSE(is_better_newcomer_inside("maekawa-m+no-newcomers"));
}

// p0 inside for b with p2's lock at node 0 behind it; p1, between them, waits for a.
std::size_t inquiries_while_the_better_stays(std::string_view protocol) {
  Network net(protocol, over(kSurficial));
  net.enter(0, {1});
  net.run();
  net.hold(2, 2);
  net.enter(1, {0});
  net.hold(1, 0);
  net.enter(2, {1});  // locks 0, not 2
  net.run();
  net.let_go(1, 0);
  net.run();
  const std::size_t before = net.sent("INQUIRE");
  net.exit(0);
  net.run();
  EXPECT_TRUE(net.is_inside(1));
  return before;
}

TEST(MaekawaM, InquiresOnceNoBetterLockIsLeft) {  // M1
  EXPECT_EQ(inquiries_while_the_better_stays("maekawa-m"), 0U);
  EXPECT_EQ(inquiries_while_the_better_stays("maekawa-m+prefix"), 0U);
  EXPECT_EQ(inquiries_while_the_better_stays("maekawa-m+prefix+inquire-all"), 1U);
}

TEST(MaekawaM, RefusesWhatItCannotUse) {
  EXPECT_THROW(Network("maekawa-m", over("majority:n=3")), std::invalid_argument);
  EXPECT_THROW(Network("toyomura", over(kSurficial)), std::invalid_argument);
  EXPECT_THROW(Network("toyomura", over("k-singleton:n=3,k=2")), std::invalid_argument);
  EXPECT_THROW(Network("joung", with_locks(kSurficial, 2)), std::invalid_argument);
  EXPECT_THROW(Network("maekawa-m+inquire-all", over(kSurficial)), std::invalid_argument);
  EXPECT_THROW(Network("maekawa-m+prefix+no-newcomers", over(kSurficial)), std::invalid_argument);
}

TEST(MaekawaM, WalksEndWithEverybodyServed) {
  const auto one_group = [](const Network& now) { return now.groups_inside() <= 1; };
  const std::vector<Groups> groups = {{0}, {1}, {2}};
  for (const char* protocol : {"maekawa-m", "maekawa-m+prefix", "maekawa-m+no-newcomers",
                               "maekawa-m+prefix+inquire-all", "joung"}) {
    for (const auto to_self : {Network::ToSelf::queued, Network::ToSelf::immediate}) {
      for (std::uint64_t seed = 1; seed <= 3; ++seed) {
        const std::uint32_t locks =
            std::string_view(protocol) == "joung" ? 0 : static_cast<std::uint32_t>(seed % 3);
        Network net(protocol, with_locks("surficial:groups=3,degree=2", locks), to_self);
        EXPECT_EQ(net.walk({.seed = seed, .groups = groups, .is_right = one_group}), "")
            << protocol << " seed " << seed;
      }
    }
  }
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    Network net("toyomura", over("grid:rows=2,cols=2"));
    EXPECT_EQ(net.walk({.seed = seed, .groups = groups, .is_right = one_group}), "") << seed;
  }
}

}  // namespace
}  // namespace coterie::protocol
