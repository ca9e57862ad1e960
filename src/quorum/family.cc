// What every family can do once it can find a cheapest quorum.
#include <algorithm>
#include <string>
#include <utility>

#include "base/assert.h"
#include "coterie/quorum.h"
#include "quorum/cost.h"

namespace coterie::quorum {

Packing Family::find_disjoint(const NodeSet& available, std::size_t h, Budget& budget) const {
  const std::uint64_t words = available.words().size();
  if (!budget.spend(h * words)) return {.found = Verdict::not_decided, .quorums = {}};
  return pack(available, h, budget);
}

std::optional<NodeSet> Family::find_sparing_quorum(const NodeSet& available, Budget& budget) const {
  for (std::size_t h = k(); h > 1; --h) {
    Packing packing = find_disjoint(available, h, budget);
    if (packing.found == Verdict::yes) {
      const auto smallest =
          std::min_element(packing.quorums.begin(), packing.quorums.end(),
                           [](const NodeSet& a, const NodeSet& b) { return a.size() < b.size(); });
      return std::move(*smallest);
    }
  }
  return find_quorum(available);
}

NodeSet Family::home_quorum(NodeId member) const {
  // Nearest first, going round from the member itself.
  std::vector<Cost> distance(n());
  for (NodeId other = 0; other < n(); ++other) {
    distance[other] = 1 + (other + n() - member) % n();
  }
  std::optional<NodeSet> quorum = find_quorum(NodeSet::all(n()), distance);
  COTERIE_ASSERT(quorum.has_value());
  return std::move(*quorum);
}

NodeSet Family::clients_of(NodeId node) const {
  NodeSet clients(n());
  for (NodeId member = 0; member < n(); ++member) {
    if (home_quorum(member).contains(node)) clients.insert(member);
  }
  return clients;
}

std::optional<double> Family::availability(std::size_t /*h*/, Up /*up*/, Budget& /*budget*/) const {
  return std::nullopt;
}

std::optional<std::vector<double>> Family::size_distribution(Up up, Budget& budget) const {
  if (min_size() != max_size()) return std::nullopt;
  const std::optional<double> formed = availability(1, up, budget);
  if (!formed) return std::nullopt;
  std::vector<double> distribution(min_size() + 1, 0.0);
  distribution[min_size()] = *formed;
  return distribution;
}

namespace {

// Branch and bound over hitting sets: some member of any quorum that is left must go.
class BlockerSearch {
 public:
  BlockerSearch(const Family& family, Costs costs, Budget& budget)
      : family_(family), costs_(costs), budget_(budget), left_(NodeSet::all(family.n())) {}

  std::optional<Cost> run() {
    best_ = total_cost(left_, costs_);  // all members together hit every quorum
    extend(0);
    if (budget_.exhausted()) return std::nullopt;
    return best_;
  }

 private:
  static constexpr std::uint64_t kWorkPerStep = 16;

  void extend(Cost spent) {
    if (spent >= best_ || !budget_.spend(1 + family_.question_steps() / kWorkPerStep)) return;
    const std::optional<NodeSet> quorum = family_.find_quorum(left_);
    if (!quorum) {
      best_ = spent;
      return;
    }
    // Members tried earlier in this loop are kept from then on: each hitting set is met once.
    NodeSet kept(family_.n());
    for (const NodeId member : *quorum) {
      if (kept_.contains(member)) continue;
      left_.erase(member);
      extend(spent + cost_of(costs_, member));
      left_.insert(member);
      kept.insert(member);
      kept_.insert(member);
    }
    kept_ -= kept;
  }

  const Family& family_;
  Costs costs_;
  Budget& budget_;
  NodeSet left_;
  NodeSet kept_{family_.n()};
  Cost best_ = 0;
};

}  // namespace

std::optional<Cost> Family::cheapest_blocker(Costs costs, Budget& budget) const {
  return BlockerSearch(*this, costs, budget).run();
}

Cost Family::greatest_cost(Costs costs) const {
  if (costs.empty()) return max_size();
  if (min_size() == max_size()) {
    // Of quorums of one size, the costliest has the least sum of what its members lack of the most.
    const Cost most = *std::max_element(costs.begin(), costs.end());
    std::vector<Cost> lacking;
    for (const Cost cost : costs) lacking.push_back(most - cost);
    return most * min_size() - total_cost(*find_quorum(NodeSet::all(n()), lacking), lacking);
  }
  Cost greatest = 0;
  for_each_quorum([&](const NodeSet& quorum) {
    greatest = std::max(greatest, total_cost(quorum, costs));
    return true;
  });
  return greatest;
}

System::System(Kind kind, std::string spec, std::vector<std::shared_ptr<const Family>> families)
    : kind_(kind), spec_(std::move(spec)), families_(std::move(families)) {
  COTERIE_ASSERT(!families_.empty());
  for (const auto& family : families_) COTERIE_ASSERT(family->n() == n());
  layout_.emplace_back();
  for (NodeId member = 0; member < n(); ++member) {
    layout_.back().push_back(member);
    labels_.push_back(std::to_string(member));
  }
}

System System::with_layout(std::vector<std::vector<NodeId>> layout) && {
  layout_ = std::move(layout);
  return std::move(*this);
}

System System::with_labels(std::vector<std::string> labels) && {
  COTERIE_ASSERT(labels.size() == n());
  labels_ = std::move(labels);
  return std::move(*this);
}

}  // namespace coterie::quorum
