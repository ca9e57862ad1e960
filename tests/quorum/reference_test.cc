// A reference that cannot fail is none: families that are wrong in one answer must be found out.
#include "quorum/reference.h"

#include <gtest/gtest-spi.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace coterie::quorum::reference {
namespace {

enum class Fault {
  none,
  contains_too_much,
  finds_any,
  finds_more,
  packs_overlapping,
  packs_too_few,
  repeats,
  does_not_stop,
  availability_off,
  sizes_off,
  blocker_off,
  greatest_off,
  k_too_small,
  foreign_clients,
};

// Two of {0,1}, {2,3} and {0,2,4}, answered rightly but for one fault.
class Faulty final : public Family {
 public:
  explicit Faulty(Fault fault) : Family(5, fault == Fault::k_too_small ? 1 : 2), fault_(fault) {}

  std::size_t min_size() const override { return 2; }
  std::size_t max_size() const override { return 3; }
  Claims claims() const override { return {}; }

  bool contains_quorum(const NodeSet& set) const override {
    if (is(Fault::contains_too_much) && set.contains(0) && set.size() == 3) return true;
    return right_.contains_quorum(set);
  }

  std::optional<NodeSet> find_quorum(const NodeSet& available, Costs costs = {}) const override {
    auto quorum = right_.find_quorum(available, is(Fault::finds_any) ? Costs{} : costs);
    if (is(Fault::finds_more) && quorum && available.contains(4)) quorum->insert(4);
    return quorum;
  }

  Packing pack(const NodeSet& available, std::size_t h, Budget& budget) const override {
    if (is(Fault::packs_too_few) && h == 2) return {.found = Verdict::no, .quorums = {}};
    Packing packing = right_.find_disjoint(available, h, budget);
    if (is(Fault::packs_overlapping) && packing.quorums.size() == 2) {
      packing.quorums[0] = packing.quorums[1];
    }
    return packing;
  }

  bool for_each_quorum(const Visit& visit) const override {
    if (is(Fault::does_not_stop)) {
      right_.for_each_quorum([&](const NodeSet& quorum) { return visit(quorum), true; });
      return true;
    }
    if (is(Fault::repeats) && !visit(quorums()[0])) return false;
    return right_.for_each_quorum(visit);
  }

  std::optional<double> availability(std::size_t h, Up up, Budget& /*budget*/) const override {
    const auto right = Table(5, quorums()).availability(up);
    if (h >= right.size()) return 0;
    return right[h] + (is(Fault::availability_off) && h == 2 ? 1e-8 : 0);
  }

  std::optional<std::vector<double>> size_distribution(Up up, Budget& /*budget*/) const override {
    auto right = Table(5, quorums()).size_distribution(up);
    if (is(Fault::sizes_off)) std::swap(right[2], right[3]);
    return right;
  }

  std::optional<Cost> cheapest_blocker(Costs costs, Budget& budget) const override {
    const auto right = right_.cheapest_blocker(costs, budget);
    return is(Fault::blocker_off) && right ? *right + 1 : right;
  }

  Cost greatest_cost(Costs costs) const override {
    return right_.greatest_cost(is(Fault::greatest_off) ? Costs{} : costs);
  }

  NodeSet clients_of(NodeId node) const override {
    NodeSet clients = Family::clients_of(node);
    if (is(Fault::foreign_clients)) clients.insert(4);
    return clients;
  }

 private:
  static std::vector<NodeSet> quorums() {
    return {NodeSet::of(5, {0, 1}), NodeSet::of(5, {2, 3}), NodeSet::of(5, {0, 2, 4})};
  }
  bool is(Fault fault) const { return fault_ == fault; }

  Fault fault_;
  ListedFamily right_{5, 2, quorums()};
};

int failures_of(const std::function<void()>& body) {
  testing::TestPartResultArray results;
  {
    const testing::ScopedFakeTestPartResultReporter reporter(
        testing::ScopedFakeTestPartResultReporter::INTERCEPT_ONLY_CURRENT_THREAD, &results);
    body();
  }
  int failures = 0;
  for (int i = 0; i < results.size(); ++i)
    failures += results.GetTestPartResult(i).failed() ? 1 : 0;
  return failures;
}

TEST(Reference, FindsNothingWrongWithARightFamily) { expect_family_agrees(Faulty(Fault::none)); }

TEST(Reference, FindsEachFault) {
  std::vector<int> missed;
  for (int fault = 1; fault <= static_cast<int>(Fault::foreign_clients); ++fault) {
    const Faulty family(static_cast<Fault>(fault));
    if (failures_of([&] { expect_family_agrees(family); }) == 0) missed.push_back(fault);
  }
  EXPECT_EQ(missed, std::vector<int>{});
}

TEST(Reference, TableCountsDisjointQuorumsAsAPlainSearchDoes) {
  const ListedFamily family(
      8, 3,
      {NodeSet::of(8, {0, 1}), NodeSet::of(8, {1, 2, 3}), NodeSet::of(8, {2, 4}),
       NodeSet::of(8, {3, 5, 6}), NodeSet::of(8, {6, 7}), NodeSet::of(8, {0, 4, 7})});
  const Table table(family);
  for (Mask set = 0; set < 256; ++set) {
    std::size_t most = 0;
    Budget budget;
    while (family.find_disjoint(set_of(set, 8), most + 1, budget).found == Verdict::yes) ++most;
    EXPECT_EQ(table.packing(set), most) << set;
  }
}

}  // namespace
}  // namespace coterie::quorum::reference
