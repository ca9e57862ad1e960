#include "quorum/reference.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "base/assert.h"
#include "base/random.h"
#include "quorum/cost.h"

namespace coterie::quorum::reference {

std::vector<double> random_up(std::size_t n, std::uint64_t seed) {
  Random random(seed);
  std::vector<double> up(n);
  for (double& p : up) p = random.uniform();
  return up;
}

std::vector<NodeSet> quorums(const Family& family) {
  std::vector<NodeSet> list;
  family.for_each_quorum([&](const NodeSet& quorum) {
    list.push_back(quorum);
    return true;
  });
  return list;
}

Mask mask_of(const NodeSet& set) {
  COTERIE_ASSERT(set.universe() <= kMaxTableMembers);
  return set.universe() == 0 ? 0 : static_cast<Mask>(set.words().front());
}

NodeSet set_of(Mask mask, std::size_t n) {
  NodeSet set(n);
  for (NodeId member = 0; member < n; ++member) {
    if (((mask >> member) & 1U) != 0) set.insert(member);
  }
  return set;
}

namespace {

std::size_t size_of(Mask set) { return static_cast<std::size_t>(std::popcount(set)); }
std::size_t lowest_of(Mask set) { return static_cast<std::size_t>(std::countr_zero(set)); }

// Calls visit(set without one of its members) for each member.
template <class Visit>
void for_each_without_one(Mask set, Visit visit) {
  for (Mask rest = set; rest != 0; rest &= rest - 1) visit(set & ~(rest & (~rest + 1)));
}

// Entry `set` is the probability that exactly these are up.
std::vector<double> weights(std::size_t n, Up up) {
  std::vector<double> weight(std::size_t{1} << n);
  weight[0] = 1;
  for (std::size_t member = 0; member < n; ++member) {
    const std::size_t half = std::size_t{1} << member;
    for (std::size_t set = 0; set < half; ++set) {
      weight[set + half] = weight[set] * up[member];
      weight[set] *= 1 - up[member];
    }
  }
  return weight;
}

}  // namespace

Table::Table(std::size_t n, const std::vector<NodeSet>& quorums)
    : n_(n),
      is_quorum_(std::size_t{1} << n, false),
      by_lowest_(n),
      min_size_(n),
      smallest_(std::size_t{1} << n, kNone),
      packing_(std::size_t{1} << n, 0) {
  COTERIE_ASSERT(n <= kMaxTableMembers);
  for (const NodeSet& quorum : quorums) {
    const Mask mask = mask_of(quorum);
    COTERIE_ASSERT(mask != 0);
    is_quorum_[mask] = true;
    by_lowest_[lowest_of(mask)].push_back(mask);
    min_size_ = std::min(min_size_, size_of(mask));
    max_size_ = std::max(max_size_, size_of(mask));
  }
  for (Mask set = 1; set < packing_.size(); ++set) {
    std::uint8_t smallest = is_quorum_[set] ? static_cast<std::uint8_t>(size_of(set)) : kNone;
    std::uint8_t least = kNone;
    std::uint8_t most = 0;
    for_each_without_one(set, [&](Mask smaller) {
      smallest = std::min(smallest, smallest_[smaller]);
      least = std::min(least, packing_[smaller]);
      most = std::max(most, packing_[smaller]);
    });
    smallest_[set] = smallest;
    // One member more makes room for at most one quorum more; and if it does, whichever member was
    // the last to come, then the set is exactly the union of its disjoint quorums.
    const bool one_more = least == most && extends(set, most);
    packing_[set] = static_cast<std::uint8_t>(most + (one_more ? 1 : 0));
  }
}

// Is the set the disjoint union of packed + 1 quorums? REQUIRES: without any one member it packs
// `packed`.
bool Table::extends(Mask set, std::size_t packed) const {
  if (packed == 0) return is_quorum_[set];
  if (size_of(set) < (packed + 1) * min_size_) return false;
  if (size_of(set) > (packed + 1) * max_size_) return false;
  const auto& candidates = by_lowest_[lowest_of(set)];
  return std::any_of(candidates.begin(), candidates.end(), [&](Mask quorum) {
    return (quorum & ~set) == 0 && packing_[set & ~quorum] == packed;
  });
}

std::vector<Cost> Table::cheapest(Costs costs) const {
  std::vector<Cost> cheapest(packing_.size(), kNoCost);
  for (Mask set = 1; set < cheapest.size(); ++set) {
    if (is_quorum_[set]) {
      Cost sum = 0;
      for (Mask rest = set; rest != 0; rest &= rest - 1) {
        sum += cost_of(costs, static_cast<NodeId>(lowest_of(rest)));
      }
      cheapest[set] = sum;
    }
    for_each_without_one(
        set, [&](Mask smaller) { cheapest[set] = std::min(cheapest[set], cheapest[smaller]); });
  }
  return cheapest;
}

Cost Table::cheapest_blocker(Costs costs) const {
  Cost best = kNoCost;
  const Mask all = static_cast<Mask>(packing_.size() - 1);
  for (Mask blocker = 0; blocker <= all; ++blocker) {
    if (contains(all & ~blocker)) continue;
    Cost sum = 0;
    for (Mask rest = blocker; rest != 0; rest &= rest - 1) {
      sum += cost_of(costs, static_cast<NodeId>(lowest_of(rest)));
    }
    best = std::min(best, sum);
  }
  return best;
}

std::vector<double> Table::availability(Up up) const {
  const std::vector<double> weight = weights(n_, up);
  std::vector<double> exactly(k() + 1, 0.0);
  for (std::size_t set = 0; set < weight.size(); ++set) exactly[packing_[set]] += weight[set];
  for (std::size_t h = k(); h > 0; --h) exactly[h - 1] += exactly[h];
  exactly[0] = 1;
  return exactly;
}

std::vector<double> Table::size_distribution(Up up) const {
  const std::vector<double> weight = weights(n_, up);
  std::vector<double> distribution(max_size_ + 1, 0.0);
  for (std::size_t set = 0; set < weight.size(); ++set) {
    if (smallest_[set] != kNone) distribution[smallest_[set]] += weight[set];
  }
  return distribution;
}

ListedFamily::ListedFamily(std::size_t n, std::size_t k, std::vector<NodeSet> quorums,
                           Claims claims)
    : Family(n, k), quorums_(std::move(quorums)), claims_(claims) {}

std::size_t ListedFamily::min_size() const {
  std::size_t least = n();
  for (const NodeSet& quorum : quorums_) least = std::min(least, quorum.size());
  return least;
}

std::size_t ListedFamily::max_size() const {
  std::size_t most = 0;
  for (const NodeSet& quorum : quorums_) most = std::max(most, quorum.size());
  return most;
}

bool ListedFamily::contains_quorum(const NodeSet& set) const {
  return std::any_of(quorums_.begin(), quorums_.end(),
                     [&](const NodeSet& quorum) { return quorum.is_subset_of(set); });
}

std::optional<NodeSet> ListedFamily::find_quorum(const NodeSet& available, Costs costs) const {
  const NodeSet* best = nullptr;
  Cost best_cost = 0;
  for (const NodeSet& quorum : quorums_) {
    if (!quorum.is_subset_of(available)) continue;
    Cost cost = 0;
    for (const NodeId member : quorum) cost += cost_of(costs, member);
    if (best != nullptr && cost >= best_cost) continue;
    best = &quorum;
    best_cost = cost;
  }
  return best == nullptr ? std::nullopt : std::optional<NodeSet>(*best);
}

Packing ListedFamily::pack(const NodeSet& available, std::size_t h, Budget& budget) const {
  if (h == 0) return {.found = Verdict::yes, .quorums = {}};
  for (const NodeSet& quorum : quorums_) {
    if (!budget.spend()) return {.found = Verdict::not_decided, .quorums = {}};
    if (!quorum.is_subset_of(available)) continue;
    Packing rest = find_disjoint(available - quorum, h - 1, budget);
    if (rest.found == Verdict::no) continue;
    if (rest.found == Verdict::yes) rest.quorums.push_back(quorum);
    return rest;
  }
  return {.found = Verdict::no, .quorums = {}};
}

bool ListedFamily::for_each_quorum(const Visit& visit) const {
  return std::all_of(quorums_.begin(), quorums_.end(), visit);
}

std::shared_ptr<const Family> listed(std::size_t n, std::size_t k, Listed quorums, Claims claims) {
  std::vector<NodeSet> sets;
  for (const auto& members : quorums) sets.push_back(NodeSet::of(n, members));
  return std::make_shared<ListedFamily>(n, k, std::move(sets), claims);
}

}  // namespace coterie::quorum::reference
