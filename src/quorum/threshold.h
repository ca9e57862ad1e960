// Any `threshold` of the n members: what majority, k-majority and all have in common.
#pragma once

#include "coterie/quorum.h"

namespace coterie::quorum {

class Threshold final : public Family {
 public:
  // REQUIRES: 1 <= threshold <= n
  Threshold(std::size_t n, std::size_t threshold);

  std::size_t min_size() const override { return threshold_; }
  std::size_t max_size() const override { return threshold_; }
  Claims claims() const override;
  bool contains_quorum(const NodeSet& set) const override { return set.size() >= threshold_; }
  std::optional<NodeSet> find_quorum(const NodeSet& available, Costs costs) const override;
  Packing pack(const NodeSet& available, std::size_t h, Budget& budget) const override;
  NodeSet home_quorum(NodeId member) const override;
  NodeSet clients_of(NodeId node) const override;
  bool for_each_quorum(const Visit& visit) const override;
  std::optional<double> availability(std::size_t h, Up up, Budget& budget) const override;
  std::optional<Cost> cheapest_blocker(Costs costs, Budget& budget) const override;

 private:
  std::size_t threshold_;
};

}  // namespace coterie::quorum
