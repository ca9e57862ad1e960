#include "quorum/listed.h"

#include <algorithm>
#include <numeric>
#include <tuple>

#include "base/assert.h"
#include "quorum/cost.h"

namespace coterie::quorum {
namespace {

bool is_inside(std::span<const NodeId> quorum, const NodeSet& set) {
  return std::all_of(quorum.begin(), quorum.end(),
                     [&](NodeId member) { return set.contains(member); });
}

NodeSet set_of(std::span<const NodeId> quorum, std::size_t universe) {
  NodeSet set(universe);
  for (const NodeId member : quorum) set.insert(member);
  return set;
}

// Depth first over the quorums inside `available`, smallest first, each one taken after those
// before it. A branch ends when too few members, or too few quorums, are left for those still
// wanted.
class PackingSearch {
 public:
  PackingSearch(const QuorumLists& quorums, const NodeSet& available, Budget& budget)
      : quorums_(quorums), budget_(budget), free_(available), free_count_(available.size()) {
    for (std::size_t index = 0; index < quorums.size(); ++index) {
      if (is_inside(quorums[index], available)) candidates_.push_back(index);
    }
    std::stable_sort(candidates_.begin(), candidates_.end(), [&](std::size_t a, std::size_t b) {
      return quorums[a].size() < quorums[b].size();
    });
  }

  // Goes on where the last call stopped: what could not lead to fewer cannot lead to more.
  Verdict find(std::size_t h) {
    while (chosen_.size() < h) {
      if (!budget_.spend()) return Verdict::not_decided;
      const std::size_t wanted = h - chosen_.size();
      if (candidates_.size() - next_ < wanted || free_count_ / candidate(next_).size() < wanted) {
        if (chosen_.empty()) return Verdict::no;
        next_ = give_back() + 1;
      } else {
        if (is_inside(candidate(next_), free_)) take(next_);
        ++next_;
      }
    }
    return Verdict::yes;
  }

  std::vector<NodeSet> packing() const {
    std::vector<NodeSet> sets;
    for (const std::size_t place : chosen_) {
      sets.push_back(set_of(candidate(place), free_.universe()));
    }
    return sets;
  }

 private:
  std::span<const NodeId> candidate(std::size_t place) const {
    return quorums_[candidates_[place]];
  }

  void take(std::size_t place) {
    for (const NodeId member : candidate(place)) free_.erase(member);
    free_count_ -= candidate(place).size();
    chosen_.push_back(place);
  }

  std::size_t give_back() {
    const std::size_t place = chosen_.back();
    for (const NodeId member : candidate(place)) free_.insert(member);
    free_count_ += candidate(place).size();
    chosen_.pop_back();
    return place;
  }

  const QuorumLists& quorums_;
  Budget& budget_;
  NodeSet free_;
  std::size_t free_count_;
  std::vector<std::size_t> candidates_;
  std::size_t next_ = 0;             // the candidate to try
  std::vector<std::size_t> chosen_;  // places in candidates_
};

}  // namespace

void QuorumLists::add(std::span<const NodeId> quorum) {
  members_.insert(members_.end(), quorum.begin(), quorum.end());
  begins_.push_back(members_.size());
}

std::optional<std::size_t> largest_packing(const QuorumLists& quorums, std::size_t n,
                                           Budget& budget) {
  PackingSearch search(quorums, NodeSet::all(n), budget);
  std::size_t h = 0;
  Verdict found = Verdict::yes;
  while (found == Verdict::yes) found = search.find(++h);
  if (found == Verdict::not_decided) return std::nullopt;
  return h - 1;
}

Listed::Listed(std::size_t n, std::size_t k, QuorumLists quorums)
    : Family(n, k), quorums_(std::move(quorums)), min_size_(n) {
  COTERIE_ASSERT(quorums_.size() > 0);
  for (std::size_t index = 0; index < quorums_.size(); ++index) {
    min_size_ = std::min(min_size_, quorums_[index].size());
    max_size_ = std::max(max_size_, quorums_[index].size());
  }
}

bool Listed::contains_quorum(const NodeSet& set) const {
  for (std::size_t index = 0; index < quorums_.size(); ++index) {
    if (is_inside(quorums_[index], set)) return true;
  }
  return false;
}

std::optional<NodeSet> Listed::find_quorum(const NodeSet& available, Costs costs) const {
  std::optional<std::tuple<Cost, std::size_t, std::size_t>> best;  // cost, size, index
  for (std::size_t index = 0; index < quorums_.size(); ++index) {
    const std::span<const NodeId> quorum = quorums_[index];
    if (!is_inside(quorum, available)) continue;
    const Cost cost =
        std::accumulate(quorum.begin(), quorum.end(), Cost{0},
                        [&](Cost sum, NodeId member) { return sum + cost_of(costs, member); });
    const std::tuple found(cost, quorum.size(), index);
    if (!best || found < *best) best = found;
  }
  if (!best) return std::nullopt;
  return set_of(quorums_[std::get<2>(*best)], n());
}

Packing Listed::pack(const NodeSet& available, std::size_t h, Budget& budget) const {
  PackingSearch search(quorums_, available, budget);
  const Verdict found = search.find(h);
  if (found != Verdict::yes) return {.found = found, .quorums = {}};
  return {.found = found, .quorums = search.packing()};
}

bool Listed::for_each_quorum(const Visit& visit) const {
  NodeSet quorum(n());
  for (std::size_t index = 0; index < quorums_.size(); ++index) {
    for (const NodeId member : quorums_[index]) quorum.insert(member);
    if (!visit(quorum)) return false;
    for (const NodeId member : quorums_[index]) quorum.erase(member);
  }
  return true;
}

}  // namespace coterie::quorum
