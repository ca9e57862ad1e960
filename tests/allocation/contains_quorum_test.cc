// "Does this set contain a quorum" allocates nothing, at any size. In a program of its own, because it
// counts every allocation there is.
#include <gtest/gtest.h>

#include <string>

#include "allocation/counted.h"
#include "coterie/spec.h"

namespace coterie::quorum {
namespace {

class ContainsQuorumAllocates : public testing::TestWithParam<std::string> {};

TEST_P(ContainsQuorumAllocates, Nothing) {
  const Result<System> system = parse(GetParam());
  ASSERT_TRUE(system.has_value()) << system.error().message;
  for (std::size_t i = 0; i < system->family_count(); ++i) {
    const Family& family = system->family(i);
    const NodeSet everyone = NodeSet::all(family.n());
    const NodeSet nobody(family.n());
    NodeSet some = everyone;
    for (NodeId member = 0; member < family.n(); member += 7) some.erase(member);

    const std::size_t before = allocations();
    const bool with_all = family.contains_quorum(everyone);
    const bool with_none = family.contains_quorum(nobody);
    const bool with_some = family.contains_quorum(some);
    EXPECT_EQ(allocations() - before, 0U);
    EXPECT_TRUE(with_all);
    EXPECT_FALSE(with_none);
    static_cast<void>(with_some);
  }
}

INSTANTIATE_TEST_SUITE_P(
    Specs, ContainsQuorumAllocates,
    testing::Values("majority:n=10000", "majority:n=9999", "weighted:votes=3/1x1000",
                    "grid:rows=100,cols=100", "grid:rows=2,cols=5000", "grid:rows=5000,cols=2",
                    "grid:n=9990,cols=100", "grid-rw:rows=100,cols=100", "plane:order=31",
                    "torus:rows=174,cols=58,k=2", "cohorts:k=2,sizes=2/3x3332",
                    "k-majority:n=10000,k=3", "k-singleton:n=10000,k=3",
                    "surficial:groups=5,degree=30", "tree:n=9999", "wall:n=10000", "wheel:n=10000",
                    "all:n=10000", "majority:n=3@majority:n=3", "tree:n=3@grid:rows=3,cols=3"));

TEST(CountingAllocations, SeesAnAllocation) {
  const std::size_t before = allocations();
  const NodeSet large(10'000);
  EXPECT_GT(allocations() - before, 0U);
}

}  // namespace
}  // namespace coterie::quorum
