#include <gtest/gtest.h>

#include <limits>

#include "coterie/constructions.h"
#include "quorum/precise.h"
#include "quorum/reference.h"

namespace coterie::quorum {
namespace {

std::size_t common(const NodeSet& a, const NodeSet& b) { return (a & b).size(); }

TEST(Surficial, SizesAndDegree) {
  for (std::size_t groups = 2; groups <= 6; ++groups) {
    for (std::size_t degree = 1; degree <= 5; ++degree) {
      const Result<System> system = surficial(groups, degree);
      EXPECT_EQ(system->kind(), Kind::groups);
      EXPECT_EQ(system->family_count(), groups);
      EXPECT_EQ(system->n(), degree * degree * groups * (groups - 1) / 2);
      for (std::size_t i = 0; i < groups; ++i) {
        const Family& family = system->family(i);
        EXPECT_EQ(family.k(), degree);
        EXPECT_EQ(reference::quorums(family).size(), degree);
        EXPECT_EQ(family.min_size(), degree * (groups - 1));
        EXPECT_EQ(family.max_size(), degree * (groups - 1));
      }
    }
  }
}

TEST(Surficial, QuorumsOfDifferentGroupsMeetInOneMemberAndThoseOfOneGroupInNone) {
  for (std::size_t groups = 2; groups <= 5; ++groups) {
    for (std::size_t degree = 1; degree <= 4; ++degree) {
      const Result<System> system = surficial(groups, degree);
      std::vector<std::vector<NodeSet>> quorums;
      for (std::size_t i = 0; i < groups; ++i) {
        quorums.push_back(reference::quorums(system->family(i)));
      }
      for (std::size_t i = 0; i < groups; ++i) {
        for (std::size_t j = 0; j < groups; ++j) {
          for (std::size_t r = 0; r < degree; ++r) {
            for (std::size_t s = 0; s < degree; ++s) {
              const std::size_t expected = i != j ? 1 : r == s ? degree * (groups - 1) : 0;
              ASSERT_EQ(common(quorums[i][r], quorums[j][s]), expected) << system->spec();
            }
          }
        }
      }
    }
  }
}

TEST(Surficial, AgreesWithEnumeration) {
  for (const auto& [groups, degree] :
       {std::pair{2U, 1U}, {2U, 2U}, {2U, 3U}, {3U, 1U}, {3U, 2U}, {4U, 1U}, {5U, 1U}, {6U, 1U}}) {
    reference::expect_system_agrees(*surficial(groups, degree));
  }
  reference::expect_system_agrees(*surficial(3, 3));  // 27 members: against the list alone
}

TEST(Surficial, AvailabilityIsPrecise) {
  reference::expect_precise_availability(surficial(2, 4)->family(1));
  reference::expect_precise_availability(surficial(3, 2)->family(1));
}

TEST(Surficial, WorkIsSpreadOverTheQuorumsOfAGroup) {
  const Result<System> system = surficial(3, 4);
  for (std::size_t i = 0; i < 3; ++i) {
    for (NodeId node = 0; node < system->n(); ++node) {
      const std::size_t clients = system->family(i).clients_of(node).size();
      EXPECT_TRUE(clients == 0 || clients == system->n() / 4) << clients;
    }
  }
}

TEST(Surficial, SpecAndLayout) {
  EXPECT_EQ(surficial(3, 2)->spec(), "surficial:groups=3,degree=2");
  EXPECT_EQ(surficial(3, 2)->layout().size(), 6U);
  EXPECT_EQ(surficial(3, 2)->layout()[1], (std::vector<NodeId>{2, 3}));
}

TEST(Surficial, RefusesTooFewAndTooMany) {
  EXPECT_EQ(surficial(0, 2).error().nearest, "surficial:groups=2,degree=2");
  EXPECT_EQ(surficial(1, 2).error().parameter, "groups");
  EXPECT_EQ(surficial(3, 0).error().parameter, "degree");
  EXPECT_EQ(surficial(3, 0).error().nearest, "surficial:groups=3,degree=1");
  EXPECT_EQ(surficial(2, 1001).error().nearest, "surficial:groups=2,degree=1000");
  EXPECT_EQ(surficial(1415, 1).error().parameter, "groups");
  EXPECT_EQ(surficial(1415, 1).error().nearest, "surficial:groups=1414,degree=1");
  constexpr std::size_t kHuge = std::numeric_limits<std::size_t>::max();
  for (const auto& [groups, degree] :
       {std::pair{kHuge, kHuge}, {kHuge, std::size_t{1}}, {std::size_t{2}, kHuge}, {kHuge, 0UL}}) {
    EXPECT_FALSE(surficial(groups, degree));
  }
  EXPECT_TRUE(surficial(2, 300));
}

}  // namespace
}  // namespace coterie::quorum
