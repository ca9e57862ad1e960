// Maekawa_S: what is claimed of it, and the two additions of maekawa_s.h.
#include "protocol/maekawa_s.h"

#include <gtest/gtest.h>

#include <stdexcept>

#include "protocol/network.h"

namespace coterie::protocol {
namespace {

TEST(MaekawaS, AsksTheMembersOneAfterAnotherAtTwoMessagesEachAndOneMore) {
  Network net("maekawa-s", over(kSurficial));
  net.enter(1, {2});
  net.run();
  net.exit(1);
  net.run();
  EXPECT_EQ(net.text(),
            "p1 asks for c\n"
            "p1 -> p1 REQUEST(stamp 1.p1, group 2)\n"
            "p1 -> p2 REQUEST(stamp 1.p1, group 2)\n"
            "p2 -> p1 LOCKED(stamp 1.p1)\n"
            "p1 enters c\n"
            "p1 asks to leave\n"
            "p1 leaves\n"
            "p1 -> p1 RELEASED(stamp 1.p1)\n"
            "p1 -> p2 RELEASED(stamp 1.p1)\n");
  EXPECT_EQ(net.sent(), 5U);
  EXPECT_TRUE(net.is_at_rest());
}

TEST(MaekawaS, ANodeLocksForTheReferencesGroupWhileOthersWait) {
  Network net("maekawa-s", over(kSurficial));
  net.enter(0, {0});  // the reference
  net.run();
  net.enter(1, {1});
  net.run();
  net.enter(2, {0});
  net.run();
  EXPECT_TRUE(net.is_inside(2));
  EXPECT_TRUE(net.is_waiting(1));
  net.exit(0);
  net.run();
  net.enter(0, {0});
  net.run();
  EXPECT_TRUE(net.is_waiting(0));  // the reference has left and another group waits
  net.exit(2);
  net.run();
  EXPECT_TRUE(net.is_inside(1));
}

TEST(MaekawaS, WithoutItsReferenceANodeStillLocksForTheGroup) {  // R1
  const auto enters = [](std::string_view protocol) {
    Network net(protocol, over(kSurficial));
    net.enter(0, {0});
    net.enter(1, {0});
    net.run();
    net.exit(0);
    net.run();
    net.enter(2, {0});
    net.run();
    return net.is_inside(2);
  };
  EXPECT_TRUE(enters("maekawa-s"));
  EXPECT_FALSE(enters("maekawa-s@R1"));
}

TEST(MaekawaS, ARequestMayOvertakeTheReleaseOfTheOneBefore) {  // R2
  const auto ends_well = [](std::string_view protocol) {
    Network net(protocol, over(kSurficial));
    net.enter(2, {0});
    net.run();
    net.hold(2, 1);
    net.exit(2);
    net.run();          // its RELEASED is on its way to 1
    net.enter(2, {0});  // by way of 0
    net.run();
    net.let_go(2, 1);
    net.run();
    net.enter(1, {2});  // {1,2}
    net.run();
    return net.groups_inside() == 1;
  };
  EXPECT_TRUE(ends_well("maekawa-s"));
  EXPECT_FALSE(ends_well("maekawa-s@R2"));
}

TEST(MaekawaS, AGroupEntersTogether) {
  Network net("maekawa-s", over("surficial:groups=2,degree=2"));
  for (NodeId process = 0; process < 4; ++process) net.enter(process, {1});
  net.run();
  EXPECT_EQ(net.inside().size(), 4U);
}

TEST(MaekawaS, RefusesKCoteries) {
  EXPECT_THROW(Network("maekawa-s", over("k-singleton:n=3,k=2")), std::invalid_argument);
}

TEST(MaekawaS, WalksEndWithEverybodyServed) {
  const auto one_group = [](const Network& now) { return now.groups_inside() <= 1; };
  for (const char* spec : {"surficial:groups=3,degree=2", "grid:rows=2,cols=3"}) {
    for (const auto to_self : {Network::ToSelf::queued, Network::ToSelf::immediate}) {
      for (std::uint64_t seed = 1; seed <= 5; ++seed) {
        Network net("maekawa-s", over(spec), to_self);
        EXPECT_EQ(net.walk({.seed = seed, .groups = {{0}, {1}, {2}}, .is_right = one_group}), "")
            << spec << " seed " << seed;
      }
    }
  }
}

}  // namespace
}  // namespace coterie::protocol
