#include "quorum/disjoint.h"

#include <algorithm>
#include <limits>
#include <span>
#include <utility>

#include "base/assert.h"
#include "quorum/cost.h"
#include "quorum/probability.h"

namespace coterie::quorum {
namespace {

class DisjointQuorums final : public Family {
 public:
  DisjointQuorums(std::size_t n, const std::vector<std::vector<MemberRange>>& quorums)
      : Family(n, quorums.size()) {
    begin_.push_back(0);
    for (const auto& ranges : quorums) {
      for (const MemberRange& range : ranges) {
        by_member_.push_back({range.first, range.last, begin_.size() - 1});
        ranges_.push_back(range);
      }
      begin_.push_back(ranges_.size());
    }
    std::sort(by_member_.begin(), by_member_.end(),
              [](const Owned& a, const Owned& b) { return a.first < b.first; });
    for (const MemberRange& range : ranges_of(0)) size_ += range.last - range.first;
  }

  std::size_t min_size() const override { return size_; }
  std::size_t max_size() const override { return size_; }

  // A member of a larger quorum could be added as a quorum by itself: without it one block is gone.
  // Quorums of one member leave nothing to add: a set with no such member takes none of them away.
  // Members can be exchanged freely if none are outside.
  Claims claims() const override { return {true, size_ == 1, size_ * k() == n()}; }

  bool contains_quorum(const NodeSet& set) const override {
    for (std::size_t index = 0; index < k(); ++index) {
      if (inside(index, set)) return true;
    }
    return false;
  }

  std::optional<NodeSet> find_quorum(const NodeSet& available, Costs costs) const override {
    std::optional<std::size_t> best;
    Cost best_cost = std::numeric_limits<Cost>::max();
    for (std::size_t index = 0; index < k(); ++index) {
      if (!inside(index, available)) continue;
      const Cost cost = total(index, costs);
      if (cost < best_cost) {
        best = index;
        best_cost = cost;
      }
    }
    if (!best) return std::nullopt;
    return quorum(*best);
  }

  Packing pack(const NodeSet& available, std::size_t h, Budget& /*budget*/) const override {
    Packing packing;
    for (std::size_t index = 0; index < k() && packing.quorums.size() < h; ++index) {
      if (inside(index, available)) packing.quorums.push_back(quorum(index));
    }
    if (packing.quorums.size() < h) return {};
    packing.found = Verdict::yes;
    return packing;
  }

  NodeSet home_quorum(NodeId member) const override { return quorum(home(member)); }

  NodeSet clients_of(NodeId node) const override {
    NodeSet clients(n());
    const std::optional<std::size_t> index = owner(node);
    if (!index) return clients;
    for (NodeId member = 0; member < n(); ++member) {
      if (home(member) == *index) clients.insert(member);
    }
    return clients;
  }

  bool for_each_quorum(const Visit& visit) const override {
    for (std::size_t index = 0; index < k(); ++index) {
      if (!visit(quorum(index))) return false;
    }
    return true;
  }

  std::optional<double> availability(std::size_t h, Up up, Budget& budget) const override {
    if (!budget.spend(n() + k() * h)) return std::nullopt;
    std::vector<double> block_up(k(), 1.0);
    for (std::size_t index = 0; index < k(); ++index) {
      for_members(index, [&](NodeId member) { block_up[index] *= up[member]; });
    }
    return at_least(h, block_up);
  }

  std::optional<Cost> cheapest_blocker(Costs costs, Budget& /*budget*/) const override {
    Cost sum = 0;
    for (std::size_t index = 0; index < k(); ++index) {
      Cost least = std::numeric_limits<Cost>::max();
      for_members(index, [&](NodeId member) { least = std::min(least, cost_of(costs, member)); });
      sum += least;
    }
    return sum;
  }

 private:
  struct Owned {
    NodeId first;
    NodeId last;
    std::size_t quorum;
  };

  std::span<const MemberRange> ranges_of(std::size_t index) const {
    return std::span(ranges_).subspan(begin_[index], begin_[index + 1] - begin_[index]);
  }

  template <class Act>
  void for_members(std::size_t index, Act act) const {
    for (const MemberRange& range : ranges_of(index)) {
      for (NodeId member = range.first; member < range.last; ++member) act(member);
    }
  }

  bool inside(std::size_t index, const NodeSet& set) const {
    return std::ranges::all_of(ranges_of(index), [&](const MemberRange& range) {
      return set.all_in(range.first, range.last);
    });
  }

  Cost total(std::size_t index, Costs costs) const {
    Cost sum = 0;
    for_members(index, [&](NodeId member) { sum += cost_of(costs, member); });
    return sum;
  }

  NodeSet quorum(std::size_t index) const {
    NodeSet members(n());
    for (const MemberRange& range : ranges_of(index)) members.insert_range(range.first, range.last);
    return members;
  }

  std::optional<std::size_t> owner(NodeId member) const {
    auto after = std::upper_bound(by_member_.begin(), by_member_.end(), member,
                                  [](NodeId id, const Owned& owned) { return id < owned.first; });
    if (after == by_member_.begin() || member >= std::prev(after)->last) return std::nullopt;
    return std::prev(after)->quorum;
  }

  // A member uses its own quorum; those that have none take turns.
  std::size_t home(NodeId member) const { return owner(member).value_or(member % k()); }

  std::vector<MemberRange> ranges_;  // quorum by quorum
  std::vector<std::size_t> begin_;   // quorum i has ranges_[begin_[i]] up to begin_[i + 1]
  std::vector<Owned> by_member_;     // the same, in order of members
  std::size_t size_ = 0;
};

}  // namespace

std::shared_ptr<const Family> disjoint_quorums(
    std::size_t n, const std::vector<std::vector<MemberRange>>& quorums) {
  COTERIE_ASSERT(!quorums.empty());
  return std::make_shared<DisjointQuorums>(n, quorums);
}

}  // namespace coterie::quorum
