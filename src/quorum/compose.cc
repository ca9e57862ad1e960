// Composition (Neilsen and Mizuno 1992): each member j of an outer system is replaced by an inner
// system, whose members stand together as block j. A set decides if the blocks in which it contains
// an inner quorum contain an outer one. Majority inside majority is Kumar's hierarchical quorum
// consensus.
//
// Every answer is the outer system's answer about the inner ones': the cost of a block is that of
// its cheapest quorum, a block is up with the probability that it has a quorum, and so on. That
// needs inner systems of which no two quorums are disjoint (k = 1), so that a block serves one at a
// time. A composition of coteries is a coterie, and is nondominated if all of them are (their
// Theorem).
//
// Up to 128 blocks of up to 128 members are asked without allocation; beyond, contains_quorum
// allocates as NodeSet does.
#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <string_view>
#include <unordered_set>

#include "base/assert.h"
#include "coterie/constructions.h"
#include "quorum/cost.h"
#include "quorum/exact.h"
#include "quorum/quorums_by_index.h"

namespace coterie::quorum {
namespace {

using FamilyPtr = std::shared_ptr<const Family>;

class Composition final : public Family {
 public:
  // REQUIRES: as many inner families as outer has members; every inner k() is 1
  Composition(FamilyPtr outer, std::vector<FamilyPtr> inner, std::size_t n)
      : Family(n, outer->k()), outer_(std::move(outer)), inner_(std::move(inner)) {
    for (const FamilyPtr& block : inner_) ends_.push_back(begin_of(ends_.size()) + block->end_id());
    COTERIE_ASSERT(inner_.size() == outer_->n());
    COTERIE_ASSERT(ends_.back() == n);
    min_size_ = find_min_size();
    max_size_ = find_max_size();
  }

  std::size_t min_size() const override { return min_size_; }
  std::size_t max_size() const override { return max_size_; }

  Claims claims() const override {
    Claims claims = outer_->claims();
    if (k() != 1 || claims.nondominated != true) claims.nondominated = std::nullopt;
    for (const FamilyPtr& block : inner_) {
      const Claims own = block->claims();
      claims.is_k_coterie = claims.is_k_coterie && own.is_k_coterie;
      if (own.nondominated != true) claims.nondominated = std::nullopt;
      claims.transitive = claims.transitive && own.transitive && block == inner_.front();
    }
    return claims;
  }

  bool contains_quorum(const NodeSet& set) const override {
    return outer_->contains_quorum(formed_blocks(set));
  }

  std::optional<NodeSet> find_quorum(const NodeSet& available, Costs costs) const override {
    NodeSet formed(inner_.size());
    std::vector<std::optional<NodeSet>> quorums(inner_.size());
    std::vector<Cost> least(inner_.size(), 0);
    for (NodeId block = 0; block < inner_.size(); ++block) {
      const Costs own = costs_of(block, costs);
      quorums[block] = inner_[block]->find_quorum(part(available, block), own);
      if (!quorums[block]) continue;
      formed.insert(block);
      least[block] = total_cost(*quorums[block], own);
    }
    const std::optional<NodeSet> blocks = outer_->find_quorum(formed, least);
    if (!blocks) return std::nullopt;
    NodeSet quorum(n());
    for (const NodeId block : *blocks) insert_part(quorum, block, *quorums[block]);
    return quorum;
  }

  // Quorums that share a block share a member of it, so disjoint ones are disjoint outside too.
  Packing pack(const NodeSet& available, std::size_t h, Budget& budget) const override {
    const Packing outer = outer_->find_disjoint(formed_blocks(available), h, budget);
    Packing packing{.found = outer.found, .quorums = {}};
    for (const NodeSet& blocks : outer.quorums) {
      NodeSet& quorum = packing.quorums.emplace_back(n());
      for (const NodeId block : blocks) {
        insert_part(quorum, block, *inner_[block]->find_quorum(part(available, block)));
      }
    }
    return packing;
  }

  bool for_each_quorum(const Visit& visit) const override {
    std::deque<QuorumsByIndex> quorums;
    std::vector<QuorumsByIndex*> of_block;
    for (NodeId block = 0; block < inner_.size(); ++block) {
      of_block.push_back(is_copy(block) ? of_block.back() : &quorums.emplace_back(*inner_[block]));
    }
    return outer_->for_each_quorum(
        [&](const NodeSet& blocks) { return visit_inside(blocks, of_block, visit); });
  }

  std::optional<double> availability(std::size_t h, Up up, Budget& budget) const override {
    const std::optional<std::vector<double>> formed = formed_probabilities(up, budget);
    if (!formed) return std::nullopt;
    return exact_availability(*outer_, h, *formed, budget);
  }

  // Only if all inner quorums have one size: then the size depends on the number of blocks alone.
  std::optional<std::vector<double>> size_distribution(Up up, Budget& budget) const override {
    const std::size_t size = inner_.front()->min_size();
    for (const FamilyPtr& block : inner_) {
      if (block->min_size() != size || block->max_size() != size) return std::nullopt;
    }
    const std::optional<std::vector<double>> formed = formed_probabilities(up, budget);
    if (!formed) return std::nullopt;
    const auto blocks = outer_->size_distribution(*formed, budget);
    if (!blocks) return std::nullopt;
    std::vector<double> sizes((blocks->size() - 1) * size + 1, 0.0);
    for (std::size_t count = 0; count < blocks->size(); ++count) {
      sizes[count * size] = (*blocks)[count];
    }
    return sizes;
  }

  std::optional<Cost> cheapest_blocker(Costs costs, Budget& budget) const override {
    std::vector<Cost> of_block;
    for (NodeId block = 0; block < inner_.size(); ++block) {
      if (costs.empty() && is_copy(block)) {
        of_block.push_back(of_block.back());
        continue;
      }
      const auto cost = inner_[block]->cheapest_blocker(costs_of(block, costs), budget);
      if (!cost) return std::nullopt;
      of_block.push_back(*cost);
    }
    return outer_->cheapest_blocker(of_block, budget);
  }

  Cost greatest_cost(Costs costs) const override {
    std::vector<Cost> of_block;
    for (NodeId block = 0; block < inner_.size(); ++block) {
      of_block.push_back(inner_[block]->greatest_cost(costs_of(block, costs)));
    }
    return outer_->greatest_cost(of_block);
  }

 private:
  // Is it the same system as in the block before?
  bool is_copy(NodeId block) const { return block > 0 && inner_[block] == inner_[block - 1]; }

  NodeId begin_of(std::size_t block) const { return block == 0 ? 0 : ends_[block - 1]; }

  NodeSet part(const NodeSet& set, NodeId block) const {
    return set.slice(begin_of(block), ends_[block]);
  }

  void insert_part(NodeSet& set, NodeId block, const NodeSet& members) const {
    for (const NodeId member : members) set.insert(begin_of(block) + member);
  }

  Costs costs_of(NodeId block, Costs costs) const {
    return costs.empty() ? costs : costs.subspan(begin_of(block), inner_[block]->n());
  }

  NodeSet formed_blocks(const NodeSet& set) const {
    NodeSet formed(inner_.size());
    for (NodeId block = 0; block < inner_.size(); ++block) {
      if (inner_[block]->contains_quorum(part(set, block))) formed.insert(block);
    }
    return formed;
  }

  std::optional<std::vector<double>> formed_probabilities(Up up, Budget& budget) const {
    std::vector<double> formed;
    Up last;
    for (NodeId block = 0; block < inner_.size(); ++block) {
      const Up own = up.subspan(begin_of(block), inner_[block]->n());
      if (is_copy(block) && std::equal(own.begin(), own.end(), last.begin())) {
        formed.push_back(formed.back());
        continue;
      }
      last = own;
      const std::optional<double> probability = exact_availability(*inner_[block], 1, own, budget);
      if (!probability) return std::nullopt;
      formed.push_back(*probability);
    }
    return formed;
  }

  // All quorums that take one inner quorum in each of `blocks`. The largest block is enumerated in
  // place; the others move on only after it, so that few of their quorums are ever kept.
  bool visit_inside(const NodeSet& blocks, const std::vector<QuorumsByIndex*>& of_block,
                    const Visit& visit) const {
    const NodeId largest = *std::max_element(blocks.begin(), blocks.end(), [&](NodeId a, NodeId b) {
      return inner_[a]->n() < inner_[b]->n();
    });
    std::vector<NodeId> others;
    std::copy_if(blocks.begin(), blocks.end(), std::back_inserter(others),
                 [&](NodeId block) { return block != largest; });
    std::vector<std::size_t> at(others.size(), 0);
    while (true) {
      NodeSet around(n());
      for (std::size_t i = 0; i < others.size(); ++i) {
        insert_part(around, others[i], *of_block[others[i]]->at(at[i]));
      }
      const bool go_on = inner_[largest]->for_each_quorum([&](const NodeSet& inside) {
        NodeSet quorum = around;
        insert_part(quorum, largest, inside);
        return visit(quorum);
      });
      if (!go_on) return false;
      std::size_t moving = others.size();
      while (moving > 0 && of_block[others[moving - 1]]->at(at[moving - 1] + 1) == nullptr) {
        at[--moving] = 0;
      }
      if (moving == 0) return true;
      ++at[moving - 1];
    }
  }

  std::size_t find_min_size() const {
    std::vector<Cost> smallest;
    for (const FamilyPtr& block : inner_) smallest.push_back(block->min_size());
    return total_cost(*outer_->find_quorum(NodeSet::all(inner_.size()), smallest), smallest);
  }

  std::size_t find_max_size() const {
    std::vector<Cost> largest;
    for (const FamilyPtr& block : inner_) largest.push_back(block->max_size());
    const bool alike =
        std::adjacent_find(largest.begin(), largest.end(), std::not_equal_to<>()) == largest.end();
    return alike ? largest.front() * outer_->max_size() : outer_->greatest_cost(largest);
  }

  FamilyPtr outer_;
  std::vector<FamilyPtr> inner_;
  std::vector<NodeId> ends_;  // one past the last member of each block
  std::size_t min_size_ = 0;
  std::size_t max_size_ = 0;
};

Error refused(std::string message) { return {.message = std::move(message)}; }

// What keeps the systems from standing inside the outer one, if anything.
std::optional<Error> check(const System& outer, std::span<const System> inner) {
  if (outer.spec().find('@') != std::string::npos) {
    return refused(
        "the outer system is a composition itself: compose from the inside out, for "
        "(A@B)@C is the same system as A@(B@C)");
  }
  if (inner.size() != 1 && inner.size() != outer.n()) {
    return refused(fmt::format("{} takes one inner system for all, or {}, not {}", outer.spec(),
                               outer.n(), inner.size()));
  }
  std::size_t n = 0;
  for (const System& system : inner) {
    const bool fits = system.kind() == Kind::coterie ||
                      (system.kind() == Kind::write_read && outer.kind() == Kind::write_read);
    if (!fits) {
      return refused(
          fmt::format("{} cannot stand inside {}: inner systems are of one family, or "
                      "write-read pairs inside a write-read pair",
                      system.spec(), outer.spec()));
    }
    for (std::size_t family = 0; family < system.family_count(); ++family) {
      if (system.family(family).k() == 1) continue;
      return refused(
          fmt::format("{} has disjoint quorums: inside one member of another system any "
                      "two must meet, or it would have to count as several",
                      system.spec()));
    }
    n += inner.size() == 1 ? outer.n() * system.n() : system.n();
    if (n > kMaxMembers) {
      return refused(fmt::format("there may be {} members in all", kMaxMembers));
    }
  }
  return std::nullopt;
}

// The same system, certainly: a file may have changed between two readings.
bool are_alike(std::span<const System> systems) {
  return std::all_of(systems.begin(), systems.end(), [&](const System& system) {
    const System& first = systems.front();
    if (system.share(0) == first.share(0)) return true;
    return system.spec() == first.spec() && system.spec().find("file:") == std::string::npos;
  });
}

std::string composed_spec(const System& outer, std::span<const System> inner) {
  if (inner.size() == 1) return outer.spec() + "@" + inner.front().spec();
  std::string text;
  for (const System& system : inner) text += (text.empty() ? "" : ";") + system.spec();
  return outer.spec() + "@[" + text + "]";
}

bool is_named(const System& system) {
  for (NodeId member = 0; member < system.n(); ++member) {
    if (system.label(member) != std::to_string(member)) return true;
  }
  return false;
}

bool are_unique(const std::vector<std::string>& labels) {
  std::unordered_set<std::string_view> seen;
  return std::all_of(labels.begin(), labels.end(),
                     [&](const std::string& label) { return seen.insert(label).second; });
}

// Member b of block a is "a.b", if any system has names. Names may have dots in them, so that two members
// could come to be called the same; then another mark stands between. Nothing: they go by their numbers.
std::optional<std::vector<std::string>> labels_of(const System& outer,
                                                  const std::vector<const System*>& blocks) {
  const auto has_names = [](const System* block) { return is_named(*block); };
  if (!is_named(outer) && std::none_of(blocks.begin(), blocks.end(), has_names)) {
    return std::nullopt;
  }
  for (const char mark : {'.', ':', '/', '|'}) {
    std::vector<std::string> labels;
    for (NodeId j = 0; j < blocks.size(); ++j) {
      for (NodeId i = 0; i < blocks[j]->n(); ++i) {
        labels.push_back(outer.label(j) + mark + blocks[j]->label(i));
      }
    }
    if (are_unique(labels)) return labels;
  }
  return std::nullopt;
}

}  // namespace

Result<System> compose(const System& outer, std::span<const System> inner) {
  if (auto error = check(outer, inner)) return std::move(*error);
  if (are_alike(inner)) inner = inner.first(1);
  std::vector<const System*> blocks;
  for (std::size_t j = 0; j < outer.n(); ++j) blocks.push_back(&inner[inner.size() == 1 ? 0 : j]);
  std::vector<std::vector<NodeId>> layout;
  std::size_t n = 0;
  for (const System* block : blocks) {
    for (std::vector<NodeId> row : block->layout()) {
      for (NodeId& member : row) member += static_cast<NodeId>(n);
      layout.push_back(std::move(row));
    }
    n += block->n();
  }
  std::vector<FamilyPtr> families;
  for (std::size_t index = 0; index < outer.family_count(); ++index) {
    std::vector<FamilyPtr> of_blocks;
    for (const System* block : blocks) {
      of_blocks.push_back(block->share(std::min(index, block->family_count() - 1)));
    }
    families.push_back(std::make_shared<Composition>(outer.share(index), std::move(of_blocks), n));
  }
  System system(outer.kind(), composed_spec(outer, inner), std::move(families));
  system = std::move(system).with_layout(std::move(layout));
  std::optional<std::vector<std::string>> labels = labels_of(outer, blocks);
  return labels ? std::move(system).with_labels(std::move(*labels)) : system;
}

}  // namespace coterie::quorum
