#include "quorum/threshold.h"

#include "base/assert.h"
#include "quorum/combinations.h"
#include "quorum/cost.h"
#include "quorum/probability.h"

namespace coterie::quorum {

Threshold::Threshold(std::size_t n, std::size_t threshold)
    : Family(n, n / threshold), threshold_(threshold) {
  COTERIE_ASSERT(threshold >= 1);
  COTERIE_ASSERT(threshold <= n);
}

Claims Threshold::claims() const {
  // A set could be added only if it has threshold-1 members and leaves fewer than k quorums outside.
  const bool dominated = n() + 1 < (k() + 1) * threshold_;
  return {.is_k_coterie = true, .nondominated = !dominated, .transitive = true};
}

std::optional<NodeSet> Threshold::find_quorum(const NodeSet& available, Costs costs) const {
  const Cheapest cheapest(available, costs, 0, end_id());
  if (cheapest.size() < threshold_) return std::nullopt;
  NodeSet quorum(n());
  cheapest.insert_into(quorum, threshold_);
  return quorum;
}

Packing Threshold::pack(const NodeSet& available, std::size_t h, Budget& /*budget*/) const {
  if (h > k() || available.size() < h * threshold_) return {};
  Packing packing{.found = Verdict::yes, .quorums = std::vector<NodeSet>(h, NodeSet(n()))};
  std::size_t taken = 0;
  for (const NodeId member : available) {
    if (taken == h * threshold_) break;
    packing.quorums[taken++ / threshold_].insert(member);
  }
  return packing;
}

NodeSet Threshold::home_quorum(NodeId member) const {
  NodeSet quorum(n());
  for (std::size_t i = 0; i < threshold_; ++i) {
    quorum.insert(static_cast<NodeId>((member + i) % n()));
  }
  return quorum;
}

NodeSet Threshold::clients_of(NodeId node) const {
  NodeSet clients(n());
  for (std::size_t i = 0; i < threshold_; ++i) {
    clients.insert(static_cast<NodeId>((node + n() - i) % n()));
  }
  return clients;
}

bool Threshold::for_each_quorum(const Visit& visit) const {
  NodeSet quorum(n());
  return for_each_choice(0, end_id(), threshold_, quorum, [&] { return visit(quorum); });
}

std::optional<double> Threshold::availability(std::size_t h, Up up, Budget& budget) const {
  if (h > k()) return 0;
  if (!all_equal(up) && !budget.spend(n() * h * threshold_)) return std::nullopt;
  return at_least(h * threshold_, up);
}

std::optional<Cost> Threshold::cheapest_blocker(Costs costs, Budget& /*budget*/) const {
  return Cheapest(NodeSet::all(n()), costs, 0, end_id()).cost(n() - threshold_ + 1);
}

}  // namespace coterie::quorum
