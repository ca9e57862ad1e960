// Jiang's group k-exclusion: what sections 3 to 5 of the paper claim, where it can be tested on one run.
#include <gtest/gtest.h>

#include "protocol/network.h"
#include "sanitized.h"

namespace coterie::protocol {
namespace {

const Groups kOnlyA{0};
const Groups kOnlyB{1};
const Groups kOnlyC{2};

struct Shape {
  const char* system;
  std::size_t quorum;      // |Q|
  std::size_t registrars;  // |Q∪P|
};
constexpr Shape kShapes[] = {{"k-singleton:n=4,k=2", 1, 2},
                             {"torus:rows=2,cols=2,k=2", 2, 3},
                             {"torus:rows=4,cols=1,k=2", 2, 4},
                             {"torus:rows=4,cols=3,k=2", 4, 6}};

// Enters and leaves alone; the number of messages that it took.
std::size_t cost(Network& net) {
  net.forget();
  net.enter(1);
  net.run();
  EXPECT_TRUE(net.is_inside(1));
  net.exit(1);
  net.run();
  EXPECT_TRUE(net.is_at_rest());
  return net.sent();
}

TEST(GroupK, Section5UncontendedCount) {
  for (const Shape& shape : kShapes) {
    Network net("group-k", over(shape.system, 2));
    EXPECT_EQ(cost(net), 2 * shape.quorum + 2 * shape.registrars + 1) << shape.system;
    EXPECT_EQ(net.sent("COMPETE"), shape.registrars);
  }
}

TEST(GroupK, AskingAllRegistrarsAtOnceCostsOneMessageMoreForEachButOne) {
  for (const Shape& shape : kShapes) {
    Network net("group-k+parallel", over(shape.system, 2));
    EXPECT_EQ(cost(net), 2 * shape.quorum + 3 * shape.registrars) << shape.system;
  }
}

// REQUEST, RELEASE: |Q| each; FOLLOW from each of Q that is a registrar; R-GRANT, R-RELEASE.
TEST(GroupK, Section5AFollowerCostsLittle) {
  Network net("group-k", over("torus:rows=4,cols=1,k=2", 2));
  net.enter(0, kOnlyA);
  net.run();
  net.forget();
  net.enter(2, kOnlyA);
  net.run();
  EXPECT_TRUE(net.is_inside(2));
  net.exit(2);
  net.run();
  EXPECT_EQ(net.sent("REQUEST"), 2U);
  EXPECT_EQ(net.sent("FOLLOW"), 2U);
  EXPECT_EQ(net.sent("R-GRANT"), 1U);
  EXPECT_EQ(net.sent("R-RELEASE"), 1U);
  EXPECT_EQ(net.sent("RELEASE"), 2U);
  EXPECT_EQ(net.sent(), 8U);
}

TEST(GroupK, Section3ALeaderThatHasLeftHoldsItsQuorumForItsFollowers) {
  Network net("group-k", over("k-singleton:n=3,k=1", 1));
  net.enter(0, kOnlyA);
  net.run();
  net.enter(1, kOnlyA);
  net.run();
  net.exit(0);
  net.enter(2, kOnlyB);
  net.run();
  EXPECT_TRUE(net.is_inside(1));
  EXPECT_TRUE(net.is_waiting(2));
  net.exit(1);
  net.run();
  EXPECT_TRUE(net.is_inside(2));
  net.exit(2);
  net.run();
  EXPECT_TRUE(net.is_at_rest());
}

// C11: the forum goes on without its leader, until a better request of another group waits.
TEST(GroupK, ALingeringLeaderLetsInWhoCameBeforeItsRivals) {
  Network net("group-k", over("k-singleton:n=5,k=1", 1));
  net.enter(0, kOnlyA);
  net.run();
  net.enter(1, kOnlyA);
  net.run();
  net.exit(0);
  net.run();
  net.enter(2, kOnlyA);
  net.run();
  EXPECT_TRUE(net.is_inside(2));
  net.enter(3, kOnlyB);
  net.run();
  net.enter(0, kOnlyA);  // knows of p3's request, so its own is worse
  net.run();
  EXPECT_TRUE(net.is_waiting(0));
  net.exit(1);
  net.exit(2);
  net.run();
  EXPECT_TRUE(net.is_inside(3));
  net.exit(3);
  net.run();
  EXPECT_TRUE(net.is_inside(0));
}

// A leader that lingers may ask for another group, and lead that as well.
TEST(GroupK, OneProcessMayLeadTwoForums) {
  Network net("group-k", over("k-singleton:n=3,k=2", 2));
  net.enter(0, kOnlyA);
  net.run();
  net.enter(1, kOnlyA);
  net.run();
  net.exit(0);
  net.enter(0, kOnlyB);
  net.run();
  net.alarm(0);
  net.run();
  EXPECT_TRUE(net.is_inside(0));
  EXPECT_EQ(net.groups_inside(), 2U);
  net.enter(2, kOnlyB);
  net.run();
  EXPECT_TRUE(net.is_inside(2));
  for (const NodeId process : {0U, 1U, 2U}) net.exit(process);
  net.run();
  EXPECT_TRUE(net.is_at_rest());
}

// Section 3, "pending period": goes on asking, but only those who are of any use.
TEST(GroupK, TheAlarmStopsWhenNobodyIsLeftToAsk) {
  Network net("group-k", over("k-singleton:n=4,k=2", 2));
  net.enter(0, kOnlyA, NodeSet::of(4, {0}));
  net.enter(1, kOnlyB, NodeSet::of(4, {1}));
  net.run();
  EXPECT_EQ(net.groups_inside(), 2U);
  net.enter(2, kOnlyC, NodeSet::of(4, {0}));
  EXPECT_TRUE(net.is_alarm_set(2));
  net.forget();
  net.alarm(2);
  net.run();
  EXPECT_EQ(net.sent("REQUEST"), 1U);
  EXPECT_FALSE(net.is_alarm_set(2));
}

// C9: p0 competes, p2 leads; p1 is told to both, and follows p0, who follows p2. With p1 gone p0 is out for
// p2 though it is inside, so p2 gives the quorum away.
std::size_t groups_after_a_chain_of_references(const char* protocol) {
  Network net(protocol, over("k-majority:n=4,k=2", 2));
  net.hold(0, 1);  // COMPETE of p0, after its REQUEST
  net.enter(0, kOnlyA, NodeSet::of(4, {0, 1}));
  net.deliver(0, 1);
  net.run();
  net.hold(2, 0);  // R-GRANT
  net.hold(1, 2);  // FOLLOW to p2, after what p2 waits for
  net.enter(2, kOnlyA, NodeSet::of(4, {2, 3}));
  net.run();
  net.deliver(1, 2);
  net.run();
  EXPECT_TRUE(net.is_inside(2));
  net.enter(1, kOnlyA, NodeSet::of(4, {0, 1}));
  net.run();
  net.let_go(2, 0);
  net.run();
  EXPECT_TRUE(net.is_inside(0));
  if (net.is_inside(1)) net.exit(1);
  net.let_go(1, 2);
  net.let_go(0, 1);
  net.run();
  if (net.is_inside(1)) net.exit(1);
  net.exit(2);
  net.run();
  net.enter(1, kOnlyB);
  net.enter(2, kOnlyC);
  net.run();
  for (const NodeId process : {1U, 2U}) {
    while (net.is_alarm_set(process)) net.alarm(process);
  }
  net.run();
  return net.groups_inside();
}

TEST(GroupK, OnlyLeadersLetOthersIn) {
  EXPECT_EQ(groups_after_a_chain_of_references("group-k"), 2U);
  EXPECT_EQ(groups_after_a_chain_of_references("group-k@C9"), 3U);
}

bool at_most_two_groups(const Network& net) { return net.groups_inside() <= 2; }

TEST(GroupK, WalksEndWell) {
  for (const char* protocol : {"group-k", "group-k+parallel"}) {
    for (const char* system :
         {"k-singleton:n=5,k=2", "torus:rows=2,cols=2,k=2", "torus:rows=4,cols=1,k=2",
          "cohorts:k=2,sizes=2/3", "k-majority:n=5,k=2"}) {
      for (std::uint64_t seed = 1; seed <= (kIsSanitized ? 4 : 20); ++seed) {
        const auto to_self = seed % 2 == 0 ? Network::ToSelf::queued : Network::ToSelf::immediate;
        Network net(protocol, over(system, 2), to_self);
        EXPECT_EQ(
            net.walk(
                {.seed = seed, .groups = {kOnlyA, kOnlyB, kOnlyC}, .is_right = at_most_two_groups}),
            "")
            << protocol << " over " << system << ", seed " << seed;
      }
    }
  }
}

TEST(GroupK, WorksOverAnOrdinaryCoterie) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    Network net("group-k", over("majority:n=3", 1));
    EXPECT_EQ(net.walk({.seed = seed,
                        .groups = {kOnlyA, kOnlyB},
                        .is_right = [](const Network& now) { return now.groups_inside() <= 1; }}),
              "")
        << "seed " << seed;
  }
}

TEST(GroupK, RefusesWhatItCannotUse) {
  EXPECT_THROW(Network("group-k", over("surficial:groups=3,degree=1")), std::invalid_argument);
  EXPECT_THROW(Network("group-k", over("torus:rows=2,cols=2,k=2", 1)), std::invalid_argument);
}

}  // namespace
}  // namespace coterie::protocol
