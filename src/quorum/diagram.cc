// Reduced ordered binary decision diagrams (Bryant 1986), in the order of the members' numbers.
//
// They are our own because a budget must be able to end any operation, at any point. BuDDy's cannot be
// ended: one disjunction that fills its node table collects garbage for a minute before it fails. Its
// table also belongs to the whole process, which a library must not claim. Few operations are needed
// here, and nothing is freed before all is: the budget bounds the memory too.
#include "quorum/diagram.h"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "base/assert.h"

namespace coterie::quorum {
namespace {

// All nodes of some diagrams, shared where they are equal. A diagram is the index of its root; children
// are always made before their parents. After a failure every operation answers kFalse at once.
class Diagrams {
 public:
  using Node = std::uint32_t;
  static constexpr Node kFalse = 0;
  static constexpr Node kTrue = 1;

  Diagrams(std::size_t variables, Budget& budget)
      : leaf_variable_(static_cast<NodeId>(variables)), budget_(budget) {
    for (const Node leaf : {kFalse, kTrue}) nodes_.push_back({leaf_variable_, leaf, leaf});
    grow();
  }

  bool failed() const { return failed_; }

  // a or b
  Node either(Node a, Node b) {
    if (a == b || b == kFalse || a == kTrue) return a;
    if (a == kFalse || b == kTrue) return b;
    if (a > b) std::swap(a, b);
    return split({kEither, a, b}, [this](Node x, Node y) { return either(x, y); });
  }

  // a and not b
  Node without(Node a, Node b) {
    if (a == kFalse || b == kTrue || a == b) return kFalse;
    if (b == kFalse) return a;
    return split({kWithout, a, b}, [this](Node x, Node y) { return without(x, y); });
  }

  // All of `members`, given in order, are up; and f holds even if they were down.
  Node all_up_beside(const std::vector<NodeId>& members, Node f) {
    ++beside_;  // a new name for the operation: what is remembered of earlier members is of no use
    return beside(members, 0, f);
  }

  // One pass from the leaves to the root.
  double probability(Node root, Up up) const {
    std::vector<double> p(std::max<std::size_t>(root + std::size_t{1}, 2), 0.0);
    p[kTrue] = 1;
    for (Node node = 2; node <= root; ++node) {
      const auto& [variable, low, high] = nodes_[node];
      p[node] = (1 - up[variable]) * p[low] + up[variable] * p[high];
    }
    return p[root];
  }

 private:
  struct Branch {
    NodeId variable;
    Node low;   // if the member is down
    Node high;  // if it is up
    friend bool operator==(const Branch&, const Branch&) = default;
  };
  // A question that was answered before: an operation and its operands.
  struct Question {
    std::uint32_t operation;
    Node a;
    Node b;
    friend bool operator==(const Question&, const Question&) = default;
  };
  struct Memory {
    Question question{};
    Node answer = kFalse;
  };
  static constexpr std::uint32_t kEither = 1;
  static constexpr std::uint32_t kWithout = 2;
  static constexpr std::size_t kFirstSlots = 1U << 12U;
  static constexpr std::size_t kMaxNodes = 4'000'000;  // about 200 MB
  static constexpr std::uint64_t kStepsPerQuestion = 8;

  static std::size_t hash(std::uint64_t x, std::uint64_t y, std::uint64_t z) {
    std::uint64_t mixed = (x * 0x9e3779b97f4a7c15ULL + y) * 0xbf58476d1ce4e5b9ULL + z;
    mixed = (mixed ^ (mixed >> 29U)) * 0x94d049bb133111ebULL;
    return static_cast<std::size_t>(mixed ^ (mixed >> 32U));
  }

  Node low(Node node, NodeId variable) const {
    return nodes_[node].variable == variable ? nodes_[node].low : node;
  }
  Node high(Node node, NodeId variable) const {
    return nodes_[node].variable == variable ? nodes_[node].high : node;
  }

  // Applies `operate` to both halves of a and b, those with their first variable down and up.
  template <class Operate>
  Node split(const Question& question, Operate operate) {
    return remembered(question, [&] {
      const auto& [operation, a, b] = question;
      const NodeId variable = std::min(nodes_[a].variable, nodes_[b].variable);
      const Node down = operate(low(a, variable), low(b, variable));
      return make({variable, down, operate(high(a, variable), high(b, variable))});
    });
  }

  Node beside(const std::vector<NodeId>& members, std::size_t next, Node f) {
    if (next == members.size() || f == kFalse) return f;
    return remembered({kWithout + beside_, f, static_cast<Node>(next)}, [&] {
      const NodeId member = members[next];
      const NodeId variable = std::min(nodes_[f].variable, member);
      if (variable == member) {
        return make({member, kFalse, beside(members, next + 1, low(f, member))});
      }
      const Node down = beside(members, next, low(f, variable));
      return make({variable, down, beside(members, next, high(f, variable))});
    });
  }

  template <class Answer>
  Node remembered(const Question& question, Answer answer) {
    const std::size_t key = hash(question.operation, question.a, question.b);
    if (const Memory& memory = memory_[key & (memory_.size() - 1)]; memory.question == question) {
      return memory.answer;
    }
    if (!failed_ && !budget_.spend(kStepsPerQuestion)) failed_ = true;
    if (failed_) return kFalse;
    const Node result = answer();
    if (!failed_) memory_[key & (memory_.size() - 1)] = {question, result};
    return result;
  }

  // The node with this branch, made if it is new.
  Node make(const Branch& branch) {
    if (failed_ || branch.low == branch.high) return branch.low;
    std::size_t slot = slot_of(branch);
    if (slots_[slot] != kFalse) return slots_[slot];
    if (nodes_.size() == kMaxNodes) {
      failed_ = true;
      return kFalse;
    }
    nodes_.push_back(branch);
    if (2 * nodes_.size() > slots_.size()) {
      grow();
      return static_cast<Node>(nodes_.size() - 1);
    }
    return slots_[slot] = static_cast<Node>(nodes_.size() - 1);
  }

  // Where the branch is, or would go.
  std::size_t slot_of(const Branch& branch) const {
    std::size_t slot = hash(branch.variable, branch.low, branch.high) & (slots_.size() - 1);
    while (slots_[slot] != kFalse && nodes_[slots_[slot]] != branch) {
      slot = (slot + 1) & (slots_.size() - 1);
    }
    return slot;
  }

  void grow() {
    slots_.assign(std::max(kFirstSlots, 2 * slots_.size()), kFalse);
    memory_.assign(slots_.size(), {});
    for (Node node = 2; node < nodes_.size(); ++node) slots_[slot_of(nodes_[node])] = node;
  }

  NodeId leaf_variable_;  // after all others
  Budget& budget_;
  bool failed_ = false;
  std::uint32_t beside_ = 0;
  std::vector<Branch> nodes_;
  std::vector<Node> slots_;     // a hash table of the nodes; kFalse where there is none
  std::vector<Memory> memory_;  // forgets: one answer per place
};

// Some quorum is up, and `others` holds even without its members. Halves of the list are joined, not one
// quorum after the other: neighbours in an enumeration are alike, and their diagrams small.
Diagrams::Node some_beside(std::span<const NodeSet> quorums, Diagrams::Node others,
                           Diagrams& diagrams) {
  if (quorums.size() == 1) {
    return diagrams.all_up_beside({quorums[0].begin(), quorums[0].end()}, others);
  }
  const std::size_t half = quorums.size() / 2;
  const Diagrams::Node left = some_beside(quorums.first(half), others, diagrams);
  return diagrams.either(left, some_beside(quorums.subspan(half), others, diagrams));
}

}  // namespace

std::vector<double> diagram_availability(std::span<const NodeSet> quorums, std::size_t most, Up up,
                                         Budget& budget) {
  COTERIE_ASSERT(!quorums.empty());
  Diagrams diagrams(up.size(), budget);
  std::vector<double> availability;
  Diagrams::Node packed = Diagrams::kTrue;
  while (availability.size() < most) {
    packed = some_beside(quorums, packed, diagrams);
    if (diagrams.failed()) break;
    availability.push_back(diagrams.probability(packed, up));
  }
  return availability;
}

std::optional<std::vector<double>> diagram_sizes(std::span<const NodeSet> quorums, Up up,
                                                 Budget& budget) {
  COTERIE_ASSERT(!quorums.empty());
  std::vector<NodeSet> sorted(quorums.begin(), quorums.end());
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const NodeSet& a, const NodeSet& b) { return a.size() < b.size(); });
  Diagrams diagrams(up.size(), budget);
  std::vector<double> distribution(sorted.back().size() + 1, 0.0);
  Diagrams::Node smaller = Diagrams::kFalse;
  for (std::span<const NodeSet> rest = sorted; !rest.empty();) {
    const std::size_t size = rest.front().size();
    const auto end = std::find_if(rest.begin(), rest.end(),
                                  [&](const NodeSet& quorum) { return quorum.size() != size; });
    const auto count = static_cast<std::size_t>(end - rest.begin());
    const Diagrams::Node of_size = some_beside(rest.first(count), Diagrams::kTrue, diagrams);
    // Not a difference of probabilities, which would lose the small ones.
    const Diagrams::Node smallest = diagrams.without(of_size, smaller);
    smaller = diagrams.either(smaller, of_size);
    if (diagrams.failed()) return std::nullopt;
    distribution[size] = diagrams.probability(smallest, up);
    rest = rest.subspan(count);
  }
  return distribution;
}

}  // namespace coterie::quorum
