// Tree quorums (Agrawal and El Abbadi 1991): members form a binary tree. A quorum of a subtree is
// its root and a quorum of one child's subtree, or quorums of both children's: a path from the root
// to a leaf, that goes both ways around each member that is missing.
//
// That is the majority of three (root, left, right) inside itself, so the system is self-dual:
// whatever set of members is up, either it or the rest contains a quorum. Nobody dominates it, and
// what hits every quorum is what contains one.
//
// The paper's trees are complete. We take any odd number of members in heap order (the children of
// i are 2i+1 and 2i+2), which is enough for every inner member to have two children. The height is
// logarithmic, so recursion over the tree is shallow.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <limits>
#include <numeric>

#include "base/assert.h"
#include "coterie/constructions.h"
#include "quorum/cost.h"
#include "quorum/limits.h"

namespace coterie::quorum {
namespace {

constexpr NodeId kRoot = 0;
constexpr Cost kNoQuorum = std::numeric_limits<Cost>::max();

NodeId left_of(NodeId node) { return 2 * node + 1; }
NodeId right_of(NodeId node) { return 2 * node + 2; }

// The even bits of a word, moved together into its lower half.
std::uint64_t even_bits(std::uint64_t word) {
  word &= 0x5555555555555555;
  word = (word | word >> 1U) & 0x3333333333333333;
  word = (word | word >> 2U) & 0x0f0f0f0f0f0f0f0f;
  word = (word | word >> 4U) & 0x00ff00ff00ff00ff;
  word = (word | word >> 8U) & 0x0000ffff0000ffff;
  return (word | word >> 16U) & 0x00000000ffffffff;
}

Cost sum_of(Cost a, Cost b) { return a == kNoQuorum || b == kNoQuorum ? kNoQuorum : a + b; }

// The size of a smallest quorum that is up. Entry 0: P(there is none); entry s: P(it has s
// members).
using Sizes = std::vector<double>;

// Entry s: P(there is none, or it has s members or more). REQUIRES: length > sizes.size()
Sizes none_or_larger(const Sizes& sizes, std::size_t length) {
  Sizes tail(length, sizes[0]);
  for (std::size_t s = sizes.size() - 1; s > 0; --s) {
    tail[s] = sizes[s] + tail[s + 1];
  }
  return tail;
}

// Of the smaller one of two.
Sizes of_one(const Sizes& a, const Sizes& b) {
  const std::size_t length = std::max(a.size(), b.size());
  const Sizes a_tail = none_or_larger(a, length + 1);
  const Sizes b_tail = none_or_larger(b, length + 1);
  Sizes sizes(length, 0.0);
  sizes[0] = a[0] * b[0];
  for (std::size_t s = 1; s < a.size(); ++s) sizes[s] += a[s] * b_tail[s];
  for (std::size_t s = 1; s < b.size(); ++s) sizes[s] += b[s] * a_tail[s + 1];
  return sizes;
}

// Of both together.
Sizes of_both(const Sizes& a, const Sizes& b) {
  Sizes sizes(a.size() + b.size() - 1, 0.0);
  sizes[0] = a[0] + (1 - a[0]) * b[0];
  for (std::size_t s = 1; s < a.size(); ++s) {
    for (std::size_t t = 1; t < b.size(); ++t) sizes[s + t] += a[s] * b[t];
  }
  return sizes;
}

// All quorums of a tree, one after another: each node says which of its three forms of quorum it is
// at.
class TreeOdometer {
 public:
  explicit TreeOdometer(std::size_t n) : quorum_(n), inner_(n / 2), at_(n / 2) { start(kRoot); }

  const NodeSet& quorum() const { return quorum_; }
  bool advance() { return advance(kRoot); }

 private:
  enum class Form : std::uint8_t { root_and_left, root_and_right, left_and_right };

  void start(NodeId node) {
    quorum_.insert(node);
    if (node >= inner_) return;
    at_[node] = Form::root_and_left;
    start(left_of(node));
  }

  // The next quorum of the subtree; false, and none of it is chosen, if there was no other.
  bool advance(NodeId node) {
    if (node >= inner_) {
      quorum_.erase(node);
      return false;
    }
    switch (at_[node]) {
      case Form::root_and_left:
        if (advance(left_of(node))) return true;
        at_[node] = Form::root_and_right;
        start(right_of(node));
        return true;
      case Form::root_and_right:
        if (advance(right_of(node))) return true;
        at_[node] = Form::left_and_right;
        quorum_.erase(node);
        start(left_of(node));
        start(right_of(node));
        return true;
      case Form::left_and_right:
        if (advance(right_of(node))) return true;
        if (!advance(left_of(node))) return false;
        start(right_of(node));
        return true;
    }
    return false;
  }

  NodeSet quorum_;
  std::size_t inner_;
  std::vector<Form> at_;
};

class Tree final : public Family {
 public:
  // REQUIRES: n odd
  explicit Tree(std::size_t n) : Family(n, 1), inner_(static_cast<NodeId>(n / 2)) {}

  // A path to a shallowest leaf; all leaves.
  std::size_t min_size() const override { return std::bit_width(n() + 1) - 1U; }
  std::size_t max_size() const override { return (n() + 1) / 2; }
  Claims claims() const override {
    return {.is_k_coterie = true, .nondominated = true, .transitive = n() <= 3};
  }

  bool contains_quorum(const NodeSet& set) const override { return (formed(set, 0, 0) & 1U) != 0; }

  std::optional<NodeSet> find_quorum(const NodeSet& available, Costs costs) const override {
    std::vector<Cost> least(n());  // of a quorum of the subtree
    for (NodeId node = end_id(); node-- > 0;) {
      const Cost own = available.contains(node) ? cost_of(costs, node) : kNoQuorum;
      if (node >= inner_) {
        least[node] = own;
        continue;
      }
      const Cost left = least[left_of(node)];
      const Cost right = least[right_of(node)];
      least[node] = std::min(sum_of(own, std::min(left, right)), sum_of(left, right));
    }
    if (least[kRoot] == kNoQuorum) return std::nullopt;
    NodeSet quorum(n());
    choose(kRoot, available, least, costs, quorum);
    return quorum;
  }

  Packing pack(const NodeSet& available, std::size_t h, Budget& /*budget*/) const override {
    return find_at_most_one(*this, available, h);
  }

  bool for_each_quorum(const Visit& visit) const override {
    TreeOdometer odometer(n());
    do {
      if (!visit(odometer.quorum())) return false;
    } while (odometer.advance());
    return true;
  }

  std::optional<double> availability(std::size_t h, Up up, Budget& /*budget*/) const override {
    if (h != 1) return h == 0 ? 1 : 0;
    return formed_probability(kRoot, up);
  }

  std::optional<std::vector<double>> size_distribution(Up up, Budget& budget) const override {
    std::optional<Sizes> sizes = sizes_below(kRoot, up, budget);
    if (sizes) sizes->front() = 0;
    return sizes;
  }

  // Self-dual: the sets that hit every quorum are those that contain one.
  std::optional<Cost> cheapest_blocker(Costs costs, Budget& /*budget*/) const override {
    return total_cost(*find_quorum(NodeSet::all(n()), costs), costs);
  }

  Cost greatest_cost(Costs costs) const override {
    std::vector<Cost> greatest(n());  // of a quorum of the subtree
    for (NodeId node = end_id(); node-- > 0;) {
      greatest[node] = cost_of(costs, node);
      if (node >= inner_) continue;
      const Cost left = greatest[left_of(node)];
      const Cost right = greatest[right_of(node)];
      greatest[node] = std::max(greatest[node] + std::max(left, right), left + right);
    }
    return greatest[kRoot];
  }

 private:
  // Which of the nodes 64*block.. of a level have a quorum in their subtree, as bits. A level's
  // words come from two words each of the level below, so nothing needs to be stored.
  std::uint64_t formed(const NodeSet& set, std::size_t level, std::size_t block) const {
    const std::size_t width = std::size_t{1} << level;
    const std::size_t first = width - 1 + block * NodeSet::kWordBits;
    if (first >= n()) return 0;
    const std::size_t count = std::min({NodeSet::kWordBits, width, n() - first});
    const std::uint64_t up = set.bits(static_cast<NodeId>(first), count);
    if (first >= inner_) return up;
    const std::uint64_t low = formed(set, level + 1, 2 * block);
    const std::uint64_t high =
        width < NodeSet::kWordBits ? 0 : formed(set, level + 1, 2 * block + 1);
    const std::uint64_t left = even_bits(low) | even_bits(high) << 32U;
    const std::uint64_t right = even_bits(low >> 1U) | even_bits(high >> 1U) << 32U;
    const std::size_t inner = inner_ - first;  // how many of these nodes have children
    const std::uint64_t leaves = inner >= NodeSet::kWordBits ? 0 : ~std::uint64_t{0} << inner;
    return (up & (left | right | leaves)) | (left & right);
  }

  // Inserts the quorum that gave the node its least cost.
  void choose(NodeId node, const NodeSet& available, const std::vector<Cost>& least, Costs costs,
              NodeSet& quorum) const {
    if (node >= inner_) {
      quorum.insert(node);
      return;
    }
    const NodeId left = left_of(node);
    const NodeId right = right_of(node);
    const NodeId cheaper = least[right] < least[left] ? right : left;
    if (available.contains(node) && cost_of(costs, node) + least[cheaper] == least[node]) {
      quorum.insert(node);
      choose(cheaper, available, least, costs, quorum);
    } else {
      choose(left, available, least, costs, quorum);
      choose(right, available, least, costs, quorum);
    }
  }

  double formed_probability(NodeId node, Up up) const {
    if (node >= inner_) return up[node];
    const double left = formed_probability(left_of(node), up);
    const double right = formed_probability(right_of(node), up);
    return up[node] * (left + (1 - left) * right) + (1 - up[node]) * left * right;
  }

  std::optional<Sizes> sizes_below(NodeId node, Up up, Budget& budget) const {
    if (node >= inner_) return Sizes{1 - up[node], up[node]};
    const std::optional<Sizes> left = sizes_below(left_of(node), up, budget);
    if (!left) return std::nullopt;
    const std::optional<Sizes> right = sizes_below(right_of(node), up, budget);
    if (!right || !budget.spend(left->size() * right->size())) return std::nullopt;
    const Sizes one = of_one(*left, *right);  // if the root is up, it and a quorum of one will do
    const Sizes both = of_both(*left, *right);
    Sizes sizes(both.size(), 0.0);
    for (std::size_t s = 0; s < one.size(); ++s) sizes[s == 0 ? 0 : s + 1] += up[node] * one[s];
    for (std::size_t s = 0; s < both.size(); ++s) sizes[s] += (1 - up[node]) * both[s];
    return sizes;
  }

  NodeId inner_;  // nodes 0..inner_-1 have two children, the others none
};

std::vector<std::vector<NodeId>> levels(std::size_t n) {
  std::vector<std::vector<NodeId>> rows;
  for (std::size_t first = 0; first < n; first = 2 * first + 1) {
    std::vector<NodeId>& row = rows.emplace_back(std::min(first + 1, n - first));
    std::iota(row.begin(), row.end(), static_cast<NodeId>(first));
  }
  return rows;
}

}  // namespace

Result<System> tree(std::size_t n) {
  if (auto error = check_members(n)) {
    error->nearest = fmt::format("tree:n={}", n == 0 ? 1 : kMaxMembers - 1);
    return std::move(*error);
  }
  if (n % 2 == 0) {
    return Error{.message = fmt::format("n must be odd, not {}: every inner member of the tree has "
                                        "two children",
                                        n),
                 .parameter = "n",
                 .nearest = fmt::format("tree:n={}", n < kMaxMembers ? n + 1 : n - 1)};
  }
  return System(Kind::coterie, fmt::format("tree:n={}", n), {std::make_shared<Tree>(n)})
      .with_layout(levels(n));
}

}  // namespace coterie::quorum
