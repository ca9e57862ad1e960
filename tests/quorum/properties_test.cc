// Each property holds where it should, and fails with a right witness where it should not. The failing
// families are lists: constructions refuse them.
#include "coterie/properties.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/random.h"
#include "coterie/constructions.h"
#include "coterie/spec.h"
#include "quorum/reference.h"

namespace coterie::quorum {
namespace {

using reference::listed;
using reference::Mask;

// Knows nothing about disjoint quorums, so that properties must search themselves.
class Silent final : public reference::ListedFamily {
 public:
  using ListedFamily::ListedFamily;
  Packing pack(const NodeSet& /*available*/, std::size_t /*h*/, Budget& /*budget*/) const override {
    return {.found = Verdict::not_decided, .quorums = {}};
  }
};

template <class Property>
Finding decide(Property property, const Family& family) {
  Budget budget;
  return property(family, budget);
}

bool is_quorum(const Family& family, const NodeSet& set) {
  const auto all = reference::quorums(family);
  return std::find(all.begin(), all.end(), set) != all.end();
}

bool pairwise_disjoint(const std::vector<NodeSet>& sets) {
  for (std::size_t i = 0; i < sets.size(); ++i) {
    for (std::size_t j = i + 1; j < sets.size(); ++j) {
      if (sets[i].intersects(sets[j])) return false;
    }
  }
  return true;
}

NodeSet joined(const std::vector<NodeSet>& sets, std::size_t n) {
  NodeSet all(n);
  for (const NodeSet& set : sets) all |= set;
  return all;
}

TEST(Intersection, FailsWithTwoDisjointQuorums) {
  const auto family = listed(4, 1, {{0, 1}, {1, 2}, {2, 3}});
  const Finding finding = decide(intersection, *family);
  EXPECT_EQ(finding.holds, Verdict::no);
  EXPECT_EQ(finding.how, How::search);
  ASSERT_EQ(finding.witness.size(), 2U);
  EXPECT_TRUE(pairwise_disjoint(finding.witness));
  for (const NodeSet& quorum : finding.witness) EXPECT_TRUE(is_quorum(*family, quorum));
  EXPECT_EQ(finding.why, "These 2 quorums are pairwise disjoint.");
}

TEST(Intersection, FailsWithThreeDisjointQuorumsIfKIsTwo) {
  const auto family = listed(6, 2, {{0, 1}, {2, 3}, {0, 2}, {4, 5}});
  const Finding finding = decide(intersection, *family);
  EXPECT_EQ(finding.holds, Verdict::no);
  ASSERT_EQ(finding.witness.size(), 3U);
  EXPECT_TRUE(pairwise_disjoint(finding.witness));
  for (const NodeSet& quorum : finding.witness) EXPECT_TRUE(is_quorum(*family, quorum));
}

TEST(Intersection, HoldsForTheFanoPlane) {
  const auto family =
      listed(7, 1, {{0, 1, 2}, {0, 3, 4}, {0, 5, 6}, {1, 3, 5}, {1, 4, 6}, {2, 3, 6}, {2, 4, 5}});
  EXPECT_EQ(decide(intersection, *family).holds, Verdict::yes);
  EXPECT_EQ(decide(minimality, *family).holds, Verdict::yes);
  EXPECT_EQ(decide(nondomination, *family).holds, Verdict::yes);
}

TEST(NonIntersection, FailsWhereOneQuorumBlocksAllOthers) {
  // {1,2} meets both of the two that are disjoint.
  const auto family = listed(4, 2, {{0, 1}, {2, 3}, {1, 2}});
  const Finding finding = decide(non_intersection, *family);
  EXPECT_EQ(finding.holds, Verdict::no);
  ASSERT_EQ(finding.witness.size(), 1U);
  EXPECT_EQ(finding.witness[0], NodeSet::of(4, {1, 2}));
  EXPECT_EQ(finding.why, "This quorum leaves no room for another, though k = 2.");
}

// The torus condition as the paper cites it lets this shape pass: full rows 0 and 3 of 6 rows, with one
// row more each, leave no third quorum. One column stands for all.
TEST(NonIntersection, FailsForTheTorusOfSixRowsAndKThree) {
  const auto family = listed(6, 3, {{0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 5}, {5, 0}});
  const Finding finding = decide(non_intersection, *family);
  EXPECT_EQ(finding.holds, Verdict::no);
  ASSERT_EQ(finding.witness.size(), 2U);
  EXPECT_TRUE(pairwise_disjoint(finding.witness));
  EXPECT_FALSE(family->contains_quorum(joined(finding.witness, 6).complement()));
  EXPECT_EQ(decide(intersection, *family).holds, Verdict::yes);
}

// k-majority with k = 2 and n = 3: any two members; a second quorum never fits.
TEST(NonIntersection, FailsForTwoMajorityOfThree) {
  const auto family = listed(3, 2, {{0, 1}, {0, 2}, {1, 2}});
  const Finding finding = decide(non_intersection, *family);
  EXPECT_EQ(finding.holds, Verdict::no);
  EXPECT_EQ(finding.witness.size(), 1U);
}

TEST(Minimality, FailsWithTheLargerAndTheSmaller) {
  const auto family = listed(4, 1, {{0, 1, 2}, {0, 1}, {0, 3}});
  const Finding finding = decide(minimality, *family);
  EXPECT_EQ(finding.holds, Verdict::no);
  ASSERT_EQ(finding.witness.size(), 2U);
  EXPECT_EQ(finding.witness[0], NodeSet::of(4, {0, 1, 2}));
  EXPECT_EQ(finding.witness[1], NodeSet::of(4, {0, 1}));
}

TEST(CrossIntersection, FailsWithOneOfEachInOrder) {
  const auto write = listed(4, 1, {{0, 1}, {2, 3}});
  const auto read = listed(4, 1, {{0, 2}, {1, 2}, {1, 3}, {0}});
  Budget budget;
  const Finding finding = cross_intersection(*write, *read, budget);
  EXPECT_EQ(finding.holds, Verdict::no);
  ASSERT_EQ(finding.witness.size(), 2U);
  EXPECT_EQ(finding.witness[0], NodeSet::of(4, {2, 3}));
  EXPECT_EQ(finding.witness[1], NodeSet::of(4, {0}));
}

TEST(CrossIntersection, FailsInOrderAlsoIfTheSecondWasEnumerated) {
  // Of the 6435 majorities of 15 only the last avoids the members 0..6.
  const auto read = listed(15, 1, {{0, 1, 2, 3, 4, 5, 6}});
  Budget budget;
  const Finding finding = cross_intersection(majority(15)->write(), *read, budget);
  EXPECT_EQ(finding.holds, Verdict::no);
  ASSERT_EQ(finding.witness.size(), 2U);
  EXPECT_EQ(finding.witness[0], NodeSet::of(15, {7, 8, 9, 10, 11, 12, 13, 14}));
  EXPECT_EQ(finding.witness[1], NodeSet::of(15, {0, 1, 2, 3, 4, 5, 6}));
}

TEST(CrossIntersection, EnumeratesTheFamilyWithFewerQuorums) {
  // 10^30 writes, 30 reads.
  const auto system = grid_rw(30, 10);
  ASSERT_TRUE(system.has_value());
  for (const bool swapped : {false, true}) {
    Budget budget(1'000'000);
    const Finding finding = swapped ? cross_intersection(system->read(), system->write(), budget)
                                    : cross_intersection(system->write(), system->read(), budget);
    EXPECT_EQ(finding.holds, Verdict::yes);
    EXPECT_EQ(finding.how, How::search);
  }
}

TEST(Nondomination, ADominatedFamilyShowsASetThatCouldBeAdded) {
  // All three of three members: two would do.
  const auto family = listed(3, 1, {{0, 1, 2}});
  const Finding finding = decide(nondomination, *family);
  EXPECT_EQ(finding.holds, Verdict::no);
  ASSERT_EQ(finding.witness.size(), 1U);
  EXPECT_EQ(finding.witness[0].size(), 1U) << "the witness is minimal";
}

TEST(Nondomination, IsMeaninglessWithoutIntersection) {
  const auto family = listed(4, 1, {{0, 1}, {2, 3}});
  const Finding finding = decide(nondomination, *family);
  EXPECT_EQ(finding.holds, Verdict::not_decided);
  EXPECT_EQ(finding.how, How::none);
  EXPECT_NE(finding.why.find("this one has more"), std::string::npos);
}

TEST(Nondomination, EvenMajorityIsNondominatedOnlyWithHalves) {
  for (std::size_t n = 2; n <= 12; ++n) {
    EXPECT_EQ(decide(nondomination, majority(n, true)->write()).holds, Verdict::yes) << n;
    const Verdict expected = n % 2 == 1 ? Verdict::yes : Verdict::no;
    EXPECT_EQ(decide(nondomination, majority(n, false)->write()).holds, expected) << n;
  }
}

// A nondominated coterie without one of its quorums is dominated, and hardly any other set shows it.
TEST(Nondomination, ANondominatedCoterieMissesEachOfItsQuorums) {
  for (const char* spec : {"majority:n=5", "majority:n=6", "plane:order=2", "wheel:n=6", "tree:n=7",
                           "wall:widths=1/2/3", "weighted:votes=3/2/2/1/1"}) {
    SCOPED_TRACE(spec);
    const auto system = parse(spec);
    const auto all = reference::quorums(system->write());
    for (const NodeSet& missing : all) {
      std::vector<NodeSet> rest = all;
      std::erase(rest, missing);
      const reference::ListedFamily family(system->n(), 1, rest);
      const Finding finding = decide(nondomination, family);
      ASSERT_EQ(finding.holds, Verdict::no);
      EXPECT_FALSE(family.contains_quorum(finding.witness[0]));
      EXPECT_FALSE(family.contains_quorum(finding.witness[0].complement()));
    }
  }
}

// By the definition, over every set of members.
bool dominated_by_definition(const Family& family) {
  const reference::Table table(family);
  const Mask all = (Mask{1} << family.n()) - 1;
  for (Mask set = 0; set <= all; ++set) {
    if (!table.contains(set) && table.packing(all & ~set) < family.k()) return true;
  }
  return false;
}

// Over every choice of the listed sets.
bool gets_stuck_by_definition(const Family& family) {
  const std::vector<NodeSet> all = reference::quorums(family);
  for (std::uint32_t choice = 0; choice < std::uint32_t{1} << all.size(); ++choice) {
    std::vector<NodeSet> chosen;
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (((choice >> i) & 1U) != 0) chosen.push_back(all[i]);
    }
    if (chosen.size() >= family.k() || !pairwise_disjoint(chosen)) continue;
    if (!family.contains_quorum(joined(chosen, family.n()).complement())) return true;
  }
  return false;
}

// Random families of small sets, made minimal, with their own k: each property against its definition.
TEST(Properties, AgreeWithTheirDefinitionsOnRandomFamilies) {
  Random random(7);
  std::array<std::array<std::size_t, 2>, 3> seen{};  // property, holds: how often
  for (int round = 0; round < 400; ++round) {
    const std::size_t n = 3 + random.below(6);
    std::vector<NodeSet> sets;
    for (std::uint64_t i = 0, count = 1 + random.below(8); i < count; ++i) {
      NodeSet set(n);
      set.insert(static_cast<NodeId>(random.below(n)));
      for (NodeId member = 0; member < n; ++member) {
        if (random.chance(0.4)) set.insert(member);
      }
      const bool comparable = std::any_of(sets.begin(), sets.end(), [&](const NodeSet& other) {
        return other.is_subset_of(set) || set.is_subset_of(other);
      });
      if (!comparable) sets.push_back(set);
    }
    const std::size_t k = reference::Table(n, sets).k();
    const std::size_t claimed = k > 1 && random.chance(0.3) ? k - 1 : k;
    const reference::ListedFamily family(n, claimed, sets);
    SCOPED_TRACE("round " + std::to_string(round));

    EXPECT_EQ(decide(intersection, family).holds, claimed == k ? Verdict::yes : Verdict::no);
    const Finding searched = decide(intersection, Silent(n, claimed, sets));
    EXPECT_EQ(searched.holds, claimed == k ? Verdict::yes : Verdict::no);
    EXPECT_EQ(searched.witness.size(), claimed == k ? 0 : claimed + 1);
    EXPECT_TRUE(pairwise_disjoint(searched.witness));
    ++seen[0][claimed == k ? 1 : 0];
    EXPECT_EQ(decide(minimality, family).holds, Verdict::yes);

    const Finding room = decide(non_intersection, family);
    const bool stuck = gets_stuck_by_definition(family);
    EXPECT_EQ(room.holds, stuck ? Verdict::no : Verdict::yes);
    ++seen[1][stuck ? 0 : 1];
    if (room.holds == Verdict::no) {
      EXPECT_LT(room.witness.size(), claimed);
      EXPECT_TRUE(pairwise_disjoint(room.witness));
      EXPECT_FALSE(family.contains_quorum(joined(room.witness, n).complement()));
    }

    if (claimed != k) continue;
    const Finding best = decide(nondomination, family);
    const bool dominated = dominated_by_definition(family);
    EXPECT_EQ(best.holds, dominated ? Verdict::no : Verdict::yes);
    ++seen[2][dominated ? 0 : 1];
    if (best.holds != Verdict::no) continue;
    ASSERT_EQ(best.witness.size(), 1U);
    Budget budget;
    EXPECT_FALSE(family.contains_quorum(best.witness[0]));
    EXPECT_EQ(family.find_disjoint(best.witness[0].complement(), k, budget).found, Verdict::no);
  }
  for (const auto& property : seen) {
    EXPECT_GT(property[0], 10U) << "too few that fail to be a test";
    EXPECT_GT(property[1], 10U) << "too few that hold to be a test";
  }
}

TEST(Budgets, ASearchThatRunsOutIsNotDecidedUnlessATheoremHelps) {
  const auto with = [](Claims claims) {
    return listed(5, 2, {{0, 1}, {2, 3}, {0, 2}, {1, 3}, {0, 3}, {1, 2}}, claims);
  };
  for (const auto property : {intersection, non_intersection, minimality}) {
    Budget unproved(3);
    const Finding open = property(*with({}), unproved);
    EXPECT_EQ(open.holds, Verdict::not_decided);
    EXPECT_EQ(open.how, How::none);
    EXPECT_FALSE(open.why.empty());
    Budget proved(3);
    const Finding closed = property(*with({.is_k_coterie = true}), proved);
    EXPECT_EQ(closed.holds, Verdict::yes);
    EXPECT_EQ(closed.how, How::theorem);
  }
  for (const bool nondominated : {true, false}) {
    Budget budget(3);
    const Finding finding =
        nondomination(*with({.is_k_coterie = true, .nondominated = nondominated}), budget);
    EXPECT_EQ(finding.holds, nondominated ? Verdict::yes : Verdict::no);
    EXPECT_EQ(finding.how, How::theorem);
  }
}

// Claims are proofs on paper. Here a search confirms each on small shapes.
TEST(Claims, AreConfirmedBySearch) {
  const std::vector<std::string> specs = {
      "majority:n=1",
      "majority:n=5",
      "majority:n=6",
      "all:n=3",
      "wheel:n=5",
      "tree:n=7",
      "tree:n=15",
      "wall:widths=1/2/3",
      "wall:widths=2/2",
      "grid:rows=3,cols=3",
      "grid:rows=2,cols=4",
      "plane:order=2",
      "plane:order=3",
      "torus:rows=4,cols=2,k=2",
      "torus:rows=2,cols=2,k=2",
      "torus:rows=3,cols=2,k=3",
      "cohorts:k=2,sizes=2/3/3",
      "cohorts:k=3,sizes=3/5",
      "k-majority:n=9,k=2",
      "k-majority:n=7,k=3",
      "k-singleton:n=5,k=2",
      "weighted:votes=3/1/1",
      "weighted:votes=2/2/1/1",
      "grid-rw:rows=2,cols=3",
  };
  for (const std::string& spec : specs) {
    SCOPED_TRACE(spec);
    const auto system = parse(spec);
    ASSERT_TRUE(system.has_value()) << system.error().message;
    const Report report = check(*system);
    const Claims claims = system->write().claims();
    for (const Finding* finding :
         {&report.intersection, &report.non_intersection, &report.minimality}) {
      EXPECT_EQ(finding->how, How::search);
      if (!claims.is_k_coterie) continue;
      EXPECT_EQ(finding->holds, Verdict::yes);
    }
    if (claims.nondominated) {
      EXPECT_EQ(report.nondominated.how, How::search);
      EXPECT_EQ(report.nondominated.holds, *claims.nondominated ? Verdict::yes : Verdict::no);
    }
  }
}

TEST(Check, AppliesWhatFitsTheKindOfSystem) {
  const Report coterie = check(*majority(5));
  EXPECT_EQ(coterie.intersection.holds, Verdict::yes);
  EXPECT_EQ(coterie.write_read_intersection.holds, Verdict::not_decided);
  EXPECT_EQ(coterie.group_intersection.why, "The system has no groups.");

  const Report pair = check(*grid_rw(2, 3));
  EXPECT_EQ(pair.write_read_intersection.holds, Verdict::yes);
  EXPECT_EQ(pair.group_intersection.holds, Verdict::not_decided);

  const Report groups = check(*surficial(3, 2));
  EXPECT_EQ(groups.group_intersection.holds, Verdict::yes);
  EXPECT_EQ(groups.group_intersection.how, How::search);
  EXPECT_EQ(groups.intersection.holds, Verdict::yes);
  EXPECT_EQ(groups.non_intersection.holds, Verdict::not_decided);
  EXPECT_FALSE(groups.non_intersection.why.empty());
  EXPECT_EQ(groups.minimality.holds, Verdict::yes);
}

TEST(Check, IntersectionIsOfEveryFamilyWithItsOwnK) {
  const auto wrong_read_k =
      explicit_system(R"({"write": [[0,1,2,3]], "read": [[0,2],[1,3]], "read_k": 1})", "test");
  ASSERT_TRUE(wrong_read_k.has_value()) << wrong_read_k.error().message;
  EXPECT_EQ(check(*wrong_read_k).intersection.holds, Verdict::no);
  const auto wrong_group_k =
      explicit_system(R"({"groups": [[[0,1],[2,3]], [[0,2],[1,3]]], "k": 1})", "test");
  ASSERT_TRUE(wrong_group_k.has_value()) << wrong_group_k.error().message;
  EXPECT_EQ(check(*wrong_group_k).intersection.holds, Verdict::no);
}

TEST(Check, MinimalityIsOfEveryFamily) {
  const System system(Kind::write_read, "test",
                      {listed(3, 1, {{0, 1}}), listed(3, 1, {{0}, {0, 2}})});
  const Report report = check(system);
  EXPECT_EQ(report.minimality.holds, Verdict::no);
  EXPECT_EQ(report.minimality.witness.front(), NodeSet::of(3, {0, 2}));
}

TEST(Check, GroupsThatDoNotMeetAreShown) {
  const System system(Kind::groups, "test",
                      {listed(4, 1, {{0, 1}}), listed(4, 1, {{1, 2}}), listed(4, 1, {{2, 3}})});
  const Report report = check(system);
  EXPECT_EQ(report.group_intersection.holds, Verdict::no);
  EXPECT_EQ(report.group_intersection.witness.front(), NodeSet::of(4, {0, 1}));
  EXPECT_EQ(report.group_intersection.witness.back(), NodeSet::of(4, {2, 3}));
}

TEST(Check, StopsWhenItsCallerSaysSo) {
  const auto system = majority(31);
  const Report report = check(*system, std::uint64_t{1} << 60U, [] { return true; });
  EXPECT_EQ(report.intersection.how, How::theorem);
}

}  // namespace
}  // namespace coterie::quorum
