// Costs of members as constructions use them: no costs given means one each.
#pragma once

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "coterie/quorum.h"

namespace coterie::quorum {

inline Cost cost_of(Costs costs, NodeId member) { return costs.empty() ? 1 : costs[member]; }

inline Cost total_cost(const NodeSet& members, Costs costs) {
  Cost sum = 0;
  for (const NodeId member : members) sum += cost_of(costs, member);
  return sum;
}

// The packing of an ordinary coterie: any two of its quorums meet.
inline Packing find_at_most_one(const Family& family, const NodeSet& available, std::size_t h) {
  if (h == 0) return {.found = Verdict::yes, .quorums = {}};
  if (h > 1) return {};
  std::optional<NodeSet> quorum = family.find_quorum(available);
  if (!quorum) return {};
  return {.found = Verdict::yes, .quorums = {std::move(*quorum)}};
}

// The cheapest of some members, to be taken a few at a time.
class Cheapest {
 public:
  // The members of first..last-1 that are available, cheapest first; equals in order of number.
  Cheapest(const NodeSet& available, Costs costs, NodeId first, NodeId last) : costs_(costs) {
    for (NodeId member = first; member < last; ++member) {
      if (available.contains(member)) members_.push_back(member);
    }
    if (costs.empty()) return;
    std::stable_sort(members_.begin(), members_.end(),
                     [&](NodeId a, NodeId b) { return cost_of(costs_, a) < cost_of(costs_, b); });
  }

  std::size_t size() const { return members_.size(); }
  // REQUIRES of all below: count <= size()
  Cost cost(std::size_t count) const {
    Cost sum = 0;
    for (std::size_t i = 0; i < count; ++i) sum += cost_of(costs_, members_[i]);
    return sum;
  }
  // Of the costliest ones.
  Cost greatest_cost(std::size_t count) const { return cost(size()) - cost(size() - count); }
  void insert_into(NodeSet& set, std::size_t count) const {
    for (std::size_t i = 0; i < count; ++i) set.insert(members_[i]);
  }

 private:
  Costs costs_;
  std::vector<NodeId> members_;
};

}  // namespace coterie::quorum
