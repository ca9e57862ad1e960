// Systems inside systems (Neilsen and Mizuno 1992; Kumar 1991 for majorities of majorities).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "coterie/constructions.h"
#include "coterie/spec.h"
#include "quorum/reference.h"
#include "quorum/self_dual.h"

namespace coterie::quorum {
namespace {

using ::testing::HasSubstr;

System composed(std::string_view spec) {
  Result<System> system = parse(spec);
  if (!system) ADD_FAILURE() << explain(system.error(), spec);
  return std::move(*system);
}

std::string refusal(const System& outer, const std::vector<System>& inner) {
  const Result<System> system = compose(outer, inner);
  return system ? "no error" : system.error().message;
}

class Composed : public testing::TestWithParam<const char*> {};

TEST_P(Composed, AgreesWithEnumeration) {
  reference::expect_system_agrees(composed(GetParam()), {.exhaustive_up_to = 10});
}

INSTANTIATE_TEST_SUITE_P(
    Compose, Composed,
    testing::Values("majority:n=3@majority:n=3", "majority:n=3@wheel:n=4", "majority:n=1@tree:n=5",
                    "tree:n=3@majority:n=3",
                    "tree:n=5@[all:n=1;all:n=2;majority:n=3;all:n=1;wheel:n=3]",
                    "wheel:n=4@[majority:n=3;all:n=2;wall:widths=1/3;all:n=1]",
                    "majority:n=4@majority:n=2", "k-majority:n=5,k=2@all:n=2",
                    "k-singleton:n=4,k=3@majority:n=3", "grid-rw:rows=2,cols=2@majority:n=3",
                    "surficial:groups=3,degree=1@majority:n=3", "majority:n=2@majority:n=3@all:n=2",
                    "weighted:votes=3/1/1@wheel:n=3",
                    "wall:widths=2/2@[wheel:n=4;all:n=3;tree:n=3;all:n=1]"));

TEST(Compose, MajorityInsideMajorityIsHierarchicalQuorumConsensus) {
  const System system = composed("majority:n=3@majority:n=3");
  EXPECT_EQ(system.n(), 9U);
  EXPECT_EQ(system.write().min_size(), 4U);  // 2 of 3 in 2 of 3, where a majority of 9 needs 5
  EXPECT_EQ(system.write().max_size(), 4U);
  EXPECT_EQ(reference::quorums(system.write()).size(), 27U);
  EXPECT_TRUE(system.write().claims().transitive);
}

TEST(Compose, IsNondominatedIfAllAre) {
  for (const char* spec : {"majority:n=3@majority:n=3", "tree:n=3@wheel:n=4",
                           "wheel:n=4@[majority:n=3;all:n=1;tree:n=5;majority:n=4]"}) {
    const System system = composed(spec);
    EXPECT_EQ(system.write().claims().nondominated, true) << spec;
    EXPECT_TRUE(reference::is_self_dual(system.write())) << spec;
  }
  for (const char* spec : {"majority:n=3@all:n=2", "all:n=2@majority:n=3"}) {
    const System system = composed(spec);
    EXPECT_EQ(system.write().claims().nondominated, std::nullopt) << spec;
    EXPECT_FALSE(reference::is_self_dual(system.write())) << spec;
  }
}

TEST(Compose, IsAssociative) {
  const std::vector<NodeSet> nested =
      reference::quorums(composed("wheel:n=3@tree:n=3@all:n=1").write());
  EXPECT_EQ(nested, reference::quorums(composed("wheel:n=3@tree:n=3").write()));
  const std::vector<System> inner = {*majority(3)};
  EXPECT_THAT(refusal(composed("majority:n=3@wheel:n=3"), inner), HasSubstr("inside out"));
}

TEST(Compose, AListOfTheSameSystemIsOneForAll) {
  const System system = composed("majority:n=3@[wheel:n=3;wheel:n=3;wheel:n=3]");
  EXPECT_EQ(system.spec(), "majority:n=3@wheel:n=3");
  EXPECT_EQ(composed("majority:n=3@[all:n=1;all:n=2;all:n=1]").spec(),
            "majority:n=3@[all:n=1;all:n=2;all:n=1]");
}

TEST(Compose, ACoterieInsideAPairStandsForBoth) {
  const System system = composed("grid-rw:rows=2,cols=2@majority:n=3");
  EXPECT_EQ(system.kind(), Kind::write_read);
  for (const NodeSet& write : reference::quorums(system.write())) {
    for (const NodeSet& read : reference::quorums(system.read())) {
      ASSERT_TRUE(write.intersects(read));
    }
  }
}

TEST(Compose, APairInsideAPairGoesWriteWithWriteAndReadWithRead) {
  const auto pair = [](const char* json) { return *explicit_system(json, "pair.json"); };
  const std::vector<System> inner = {
      pair(R"({"write": [["a","b","c"]], "read": [["a","b"],["b","c"],["a","c"]]})")};
  const Result<System> system = compose(*grid_rw(1, 2), inner);
  ASSERT_TRUE(system);
  EXPECT_EQ(system->write().min_size(), 3U);
  EXPECT_EQ(system->read().min_size(), 4U);
  reference::expect_system_agrees(*system);
  EXPECT_EQ(system->label(4), "1.b");
}

TEST(Compose, SaysWhatCannotStandInside) {
  const System outer = *majority(3);
  EXPECT_THAT(refusal(outer, {*k_majority(5, 2)}), HasSubstr("disjoint"));
  EXPECT_THAT(refusal(outer, {*grid_rw(1, 1)}), HasSubstr("cannot stand inside"));
  EXPECT_THAT(refusal(outer, {*surficial(2, 1)}), HasSubstr("cannot stand inside"));
  EXPECT_THAT(refusal(*surficial(3, 1), {*surficial(2, 1)}), HasSubstr("cannot stand inside"));
  EXPECT_THAT(refusal(outer, {}), HasSubstr("one inner system for all, or 3, not 0"));
  EXPECT_THAT(refusal(outer, {*all(1), *all(1)}), HasSubstr("or 3, not 2"));
  EXPECT_THAT(refusal(*majority(1001), {*majority(1000)}), HasSubstr("1000000 members in all"));
}

TEST(Compose, ManyBlocksAreVisitedLazily) {
  const System system = composed("majority:n=99999@majority:n=3");
  std::size_t seen = 0;
  EXPECT_FALSE(system.write().for_each_quorum([&](const NodeSet& quorum) {
    EXPECT_EQ(quorum.size(), 100'000U);
    return ++seen < 20;
  }));
  EXPECT_EQ(seen, 20U);
}

TEST(Compose, LayoutsStandOneBelowAnother) {
  const std::vector<std::vector<NodeId>> rows = {{0}, {1, 2}, {3}, {4, 5}, {6}, {7, 8}};
  EXPECT_EQ(composed("all:n=3@wheel:n=3").layout(), rows);
  EXPECT_EQ(composed("all:n=3@wheel:n=3").label(7), "7");
}

TEST(Compose, SizesFollowIfInnerQuorumsAreAlike) {
  const System alike = composed("wheel:n=4@majority:n=3");
  const std::vector<double> up(12, 0.8);
  Budget budget;
  EXPECT_TRUE(alike.write().size_distribution(up, budget));
  EXPECT_FALSE(composed("wheel:n=4@wheel:n=4").write().size_distribution(up, budget));
}

// The largest blocks cannot all be in one quorum: a tree of 63 has four billion quorums, and none has
// all of its inner nodes.
TEST(Compose, TheLargestQuorumOfBlocksThatDifferIsExact) {
  const auto blocks = [](std::size_t large, std::size_t small) {
    std::vector<System> inner(large, *all(9));
    inner.insert(inner.end(), small, *all(1));
    return inner;
  };
  const auto largest = [](const Result<System>& outer, const std::vector<System>& inner) {
    return compose(*outer, inner)->write().max_size();
  };
  EXPECT_EQ(largest(tree(63), blocks(31, 32)), 160U);
  EXPECT_EQ(largest(majority(25), blocks(12, 13)), 12U * 9 + 1);
  EXPECT_EQ(largest(majority(26), blocks(1, 25)), 9U + 12);
  EXPECT_EQ(largest(majority(26), blocks(2, 24)), 9U + 9 + 11);
  EXPECT_EQ(largest(grid(160'000, 400), blocks(400, 159'600)), 400U * 9 + 399);
  EXPECT_EQ(largest(cohorts(1, std::vector<std::size_t>{1, 9, 9, 9, 9, 9, 9}), blocks(10, 45)),
            9U * 9 + 5);
  EXPECT_EQ(largest(wall(std::vector<std::size_t>{1, 9, 9, 9, 9, 9, 9}), blocks(10, 45)),
            9U * 9 + 5);
  EXPECT_EQ(largest(weighted(std::vector<std::size_t>{9, 1, 1, 1, 1, 1, 1, 1, 1, 1}), blocks(1, 9)),
            10U);
}

TEST(Compose, MembersHaveDifferentNamesEvenIfTheseHaveDots) {
  const System outer = *explicit_system(R"({"quorums": [["x", "x.y"]]})", "outer");
  const std::vector<System> inner = {*explicit_system(R"({"quorums": [["y.z", "z"]]})", "inner")};
  const System system = *compose(outer, inner);
  EXPECT_EQ(system.label(0), "x:y.z");
  EXPECT_EQ(system.label(3), "x.y:z");
}

TEST(Compose, FilesOfOneNameMayDiffer) {
  const auto first = explicit_system(R"({"quorums": [["a"]]})", "x");
  const auto second = explicit_system(R"({"quorums": [["a", "b"]]})", "x");
  const std::vector<System> inner{*first, *second};
  const auto composed = compose(*all(2), inner);
  ASSERT_TRUE(composed.has_value());
  EXPECT_EQ(composed->n(), 3U);
}

}  // namespace
}  // namespace coterie::quorum
