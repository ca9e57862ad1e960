// Tree quorums (Agrawal and El Abbadi 1991): members form a binary tree. A quorum of a subtree is its
// root and a quorum of one child's subtree, or quorums of both children's: a path from the root to a
// leaf, that goes both ways around each member that is missing.
//
// That is the majority of three (root, left, right) inside itself, so the system is self-dual:
// whatever set of members is up, either it or the rest contains a quorum. Nobody dominates it, and
// what hits every quorum is what contains one.
//
// The paper's trees are complete. We take any odd number of members in heap order (the children of i
// are 2i+1 and 2i+2), which is enough for every inner member to have two children. The height is
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

// All quorums of a tree, one after another: each node says which of its three kinds of quorum it is at.
class TreeOdometer {
 public:
  explicit TreeOdometer(std::size_t n) : quorum_(n), inner_(n / 2), at_(n / 2) { start(kRoot); }

  const NodeSet& quorum() const { return quorum_; }
  bool advance() { return advance(kRoot); }

 private:
  enum class Kind : std::uint8_t { root_and_left, root_and_right, left_and_right };

  void start(NodeId node) {
    quorum_.insert(node);
    if (node >= inner_) return;
    at_[node] = Kind::root_and_left;
    start(left_of(node));
  }

  // The next quorum of the subtree; false, and none of it is chosen, if there was no other.
  bool advance(NodeId node) {
    if (node >= inner_) {
      quorum_.erase(node);
      return false;
    }
    switch (at_[node]) {
      case Kind::root_and_left:
        if (advance(left_of(node))) return true;
        at_[node] = Kind::root_and_right;
        start(right_of(node));
        return true;
      case Kind::root_and_right:
        if (advance(right_of(node))) return true;
        at_[node] = Kind::left_and_right;
        quorum_.erase(node);
        start(left_of(node));
        start(right_of(node));
        return true;
      case Kind::left_and_right:
        if (advance(right_of(node))) return true;
        if (!advance(left_of(node))) return false;
        start(right_of(node));
        return true;
    }
    return false;
  }

  NodeSet quorum_;
  std::size_t inner_;
  std::vector<Kind> at_;
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

  Packing find_disjoint(const NodeSet& available, std::size_t h, Budget& /*budget*/) const override {
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
    std::optional<std::vector<double>> sizes = sizes_below(kRoot, up, budget);
    if (sizes) sizes->front() = 0;
    return sizes;
  }

  // Self-dual: the sets that hit every quorum are those that contain one.
  std::optional<Cost> cheapest_blocker(Costs costs, Budget& /*budget*/) const override {
    return total_cost(*find_quorum(NodeSet::all(n()), costs), costs);
  }

 private:
  // Which of the nodes 64*block.. of a level have a quorum in their subtree, as bits. A level's words
  // come from two words each of the level below, so nothing needs to be stored.
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

  // Entry s > 0: P(a smallest quorum of the subtree has s members); entry 0: P(there is none).
  std::optional<std::vector<double>> sizes_below(NodeId node, Up up, Budget& budget) const {
    if (node >= inner_) return std::vector<double>{1 - up[node], up[node]};
    const auto left = sizes_below(left_of(node), up, budget);
    if (!left) return std::nullopt;
    const auto right = sizes_below(right_of(node), up, budget);
    if (!right || !budget.spend(left->size() * right->size())) return std::nullopt;
    std::vector<double> sizes(left->size() + right->size() - 1, 0.0);
    // The root is up: one more than the smaller.
    double left_larger = left->front();  // P(left has none, or one larger than s)
    for (std::size_t s = left->size(); s-- > 1;) left_larger += (*left)[s];
    double right_larger = right->front();
    for (std::size_t s = right->size(); s-- > 1;) right_larger += (*right)[s];
    for (std::size_t s = 1; s < std::max(left->size(), right->size()); ++s) {
      const double in_left = s < left->size() ? (*left)[s] : 0;
      const double in_right = s < right->size() ? (*right)[s] : 0;
      left_larger = std::max(left_larger - in_left, left->front());
      sizes[s + 1] += up[node] * (in_left * right_larger + in_right * left_larger);
      right_larger = std::max(right_larger - in_right, right->front());
    }
    sizes[0] = up[node] * left->front() * right->front();
    // The root is down: both.
    const double down = 1 - up[node];
    for (std::size_t l = 1; l < left->size(); ++l) {
      for (std::size_t r = 1; r < right->size(); ++r) {
        sizes[l + r] += down * (*left)[l] * (*right)[r];
      }
    }
    const double left_formed = 1 - left->front();
    sizes[0] += down * (left->front() + left_formed * right->front());
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
  if (Error error = check_members(n); !error.message.empty()) {
    error.nearest = fmt::format("tree:n={}", n == 0 ? 1 : kMaxMembers - 1);
    return error;
  }
  if (n % 2 == 0) {
    return Error{.message = fmt::format("n must be odd, not {}: every inner member of the tree has "
                                        "two children",
                                        n),
                 .parameter = "n",
                 .position = {},
                 .nearest = fmt::format("tree:n={}", n < kMaxMembers ? n + 1 : n - 1)};
  }
  return System(Kind::coterie, fmt::format("tree:n={}", n), {std::make_shared<Tree>(n)})
      .with_layout(levels(n));
}

}  // namespace coterie::quorum
