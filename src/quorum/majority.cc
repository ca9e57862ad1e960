// Majority (Thomas 1979; Garcia-Molina and Barbara 1985): more than half of the members.
//
// With even n, half of the members decide too if member 0, the chair, is among them (Kamei and
// Kakugawa, Example 1: C1 has halves that meet, C2 the sets of n/2+1 that contain none of C1). Their
// example leaves open which halves; all that contain one fixed member make the largest such C1.
// It is the voting where the chair has two votes: n+1 votes in all, an odd number, so of any set and
// its complement exactly one has more than half. Nobody dominates it, while n/2+1 of n is dominated.
#include <fmt/format.h>

#include <algorithm>

#include "base/assert.h"
#include "coterie/constructions.h"
#include "quorum/combinations.h"
#include "quorum/cost.h"
#include "quorum/limits.h"
#include "quorum/probability.h"
#include "quorum/threshold.h"

namespace coterie::quorum {
namespace {

constexpr NodeId kChair = 0;

class MajorityWithChair final : public Family {
 public:
  // REQUIRES: n even, n >= 2
  explicit MajorityWithChair(std::size_t n) : Family(n, 1), half_(n / 2) {}

  std::size_t min_size() const override { return half_; }
  // With n = 2 the chair decides alone: there are not n/2+1 others.
  std::size_t max_size() const override { return n() == 2 ? half_ : half_ + 1; }
  Claims claims() const override { return {.is_k_coterie = true, .nondominated = true}; }

  bool contains_quorum(const NodeSet& set) const override {
    return set.size() + (set.contains(kChair) ? 1 : 0) > half_;
  }

  std::optional<NodeSet> find_quorum(const NodeSet& available, Costs costs) const override {
    const Cheapest others(available, costs, kChair + 1, end_id());
    const bool with_chair = available.contains(kChair) && others.size() >= half_ - 1;
    const bool without = others.size() >= half_ + 1;
    if (!with_chair && !without) return std::nullopt;
    NodeSet quorum(n());
    if (with_chair &&
        !(without && others.cost(half_ + 1) < cost_of(costs, kChair) + others.cost(half_ - 1))) {
      quorum.insert(kChair);
      others.insert_into(quorum, half_ - 1);
    } else {
      others.insert_into(quorum, half_ + 1);
    }
    return quorum;
  }

  Packing pack(const NodeSet& available, std::size_t h, Budget& /*budget*/) const override {
    return find_at_most_one(*this, available, h);
  }

  // Half of the members, going round from this one; if the chair is not among them, the next one too.
  NodeSet home_quorum(NodeId member) const override {
    NodeSet quorum(n());
    for (NodeId i = 0; i < half_; ++i) quorum.insert((member + i) % end_id());
    if (quorum.contains(kChair)) return quorum;
    const NodeId next = (member + static_cast<NodeId>(half_)) % end_id();
    if (next == kChair) quorum.erase(end_id() - 1);  // the chair makes up for it
    quorum.insert(next);
    return quorum;
  }

  bool for_each_quorum(const Visit& visit) const override {
    NodeSet quorum(n());
    quorum.insert(kChair);
    if (!for_each_choice(kChair + 1, end_id(), half_ - 1, quorum, [&] { return visit(quorum); })) {
      return false;
    }
    quorum.erase(kChair);
    return for_each_choice(kChair + 1, end_id(), half_ + 1, quorum, [&] { return visit(quorum); });
  }

  std::optional<double> availability(std::size_t h, Up up, Budget& budget) const override {
    if (h != 1) return h == 0 ? 1 : 0;
    const std::optional<std::vector<double>> sizes = size_distribution(up, budget);
    if (!sizes) return std::nullopt;
    return (*sizes)[half_] + (sizes->size() > half_ + 1 ? (*sizes)[half_ + 1] : 0);
  }

  std::optional<std::vector<double>> size_distribution(Up up, Budget& budget) const override {
    const Up others = up.subspan(1);
    if (!all_equal(others) && !budget.spend(2 * n() * half_)) return std::nullopt;
    std::vector<double> sizes(max_size() + 1, 0.0);
    sizes[half_] = up[kChair] * at_least(half_ - 1, others);
    if (max_size() > half_) sizes[half_ + 1] = (1 - up[kChair]) * at_least(half_ + 1, others);
    return sizes;
  }

  // Nondominated: the sets that hit every quorum are those that contain one.
  std::optional<Cost> cheapest_blocker(Costs costs, Budget& /*budget*/) const override {
    return total_cost(*find_quorum(NodeSet::all(n()), costs), costs);
  }

  Cost greatest_cost(Costs costs) const override {
    const Cheapest others(NodeSet::all(n()), costs, kChair + 1, end_id());
    const Cost with_chair = cost_of(costs, kChair) + others.greatest_cost(half_ - 1);
    return n() == 2 ? with_chair : std::max(with_chair, others.greatest_cost(half_ + 1));
  }

 private:
  std::size_t half_;
};

}  // namespace

Result<System> majority(std::size_t n, bool halves) {
  if (auto error = check_members(n)) return std::move(*error);
  std::string spec = fmt::format("majority:n={}", n);
  if (n % 2 == 1) {  // there are no halves: the two forms are one
    return System(Kind::coterie, std::move(spec), {std::make_shared<Threshold>(n, n / 2 + 1)});
  }
  if (halves)
    return System(Kind::coterie, std::move(spec), {std::make_shared<MajorityWithChair>(n)});
  return System(Kind::coterie, spec + ",halves=no", {std::make_shared<Threshold>(n, n / 2 + 1)});
}

}  // namespace coterie::quorum
