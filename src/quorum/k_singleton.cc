// The k-singleton coterie (Kakugawa, Fujita, Yamashita and Ae 1993): each of k members alone. It is
// Cohorts with one cohort; the members from k on arbitrate nothing.
#include <fmt/format.h>

#include "coterie/constructions.h"
#include "quorum/cost.h"
#include "quorum/limits.h"
#include "quorum/probability.h"

namespace coterie::quorum {
namespace {

class KSingleton final : public Family {
 public:
  KSingleton(std::size_t n, std::size_t k) : Family(n, k), end_(static_cast<NodeId>(k)) {}

  std::size_t min_size() const override { return 1; }
  std::size_t max_size() const override { return 1; }
  // A set that could be added would hit one of the k singletons, and so contain it.
  Claims claims() const override {
    return {.is_k_coterie = true, .nondominated = true, .transitive = end_ == n()};
  }

  bool contains_quorum(const NodeSet& set) const override { return set.any_in(0, end_); }

  std::optional<NodeSet> find_quorum(const NodeSet& available, Costs costs) const override {
    const Cheapest cheapest(available, costs, 0, end_);
    if (cheapest.size() == 0) return std::nullopt;
    NodeSet quorum(n());
    cheapest.insert_into(quorum, 1);
    return quorum;
  }

  Packing pack(const NodeSet& available, std::size_t h, Budget& /*budget*/) const override {
    if (h > k()) return {};
    Packing packing;
    for (NodeId member = 0; member < end_ && packing.quorums.size() < h; ++member) {
      if (available.contains(member)) packing.quorums.push_back(NodeSet::of(n(), {member}));
    }
    packing.found = packing.quorums.size() == h ? Verdict::yes : Verdict::no;
    return packing;
  }

  NodeSet home_quorum(NodeId member) const override { return NodeSet::of(n(), {member % end_}); }

  bool for_each_quorum(const Visit& visit) const override {
    for (NodeId member = 0; member < end_; ++member) {
      if (!visit(NodeSet::of(n(), {member}))) return false;
    }
    return true;
  }

  std::optional<double> availability(std::size_t h, Up up, Budget& budget) const override {
    if (!all_equal(up) && !budget.spend(k() * h)) return std::nullopt;
    return at_least(h, up.first(k()));
  }

  std::optional<Cost> cheapest_blocker(Costs costs, Budget& /*budget*/) const override {
    Cost sum = 0;
    for (NodeId member = 0; member < end_; ++member) sum += cost_of(costs, member);
    return sum;
  }

 private:
  NodeId end_;
};

}  // namespace

Result<System> k_singleton(std::size_t n, std::size_t k) {
  if (auto error = check_members(n)) return std::move(*error);
  if (auto error = outside("k", k, 1, n)) return std::move(*error);
  return System(Kind::coterie, fmt::format("k-singleton:n={},k={}", n, k),
                {std::make_shared<KSingleton>(n, k)});
}

}  // namespace coterie::quorum
