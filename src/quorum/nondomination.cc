// Is a k-coterie nondominated? It is dominated exactly if some set H could be added to it: H contains
// no quorum, and there are no k disjoint quorums outside H (Neilsen and Mizuno 1994; for k = 1,
// Garcia-Molina and Barbara 1985).
//
// The search splits the members into those in H, those outside, and those still open. Both
// conditions are monotone, so each prunes as soon as the members decided so far break it, and a split
// succeeds as soon as giving all open members to one side breaks neither. If the open members given to
// H would complete a quorum, one of them must stay out: the search branches over the quorum with the
// fewest of them; and for k = 1 likewise for the other side, over whichever is the narrower.
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "coterie/properties.h"
#include "quorum/findings.h"

namespace coterie::quorum {
namespace {

class DominationSearch {
 public:
  DominationSearch(const Family& family, Budget& budget)
      : family_(family), budget_(budget), costs_(family.n(), 1) {}

  // A set that could be added; nothing if there is none or the budget ran out.
  std::optional<NodeSet> run() {
    const std::size_t n = family_.n();
    if (split(NodeSet(n), NodeSet(n))) return std::move(found_);
    return std::nullopt;
  }
  bool decided() const { return !out_of_budget_; }

 private:
  enum class Side : std::uint8_t { inside, outside };

  bool split(const NodeSet& inside, const NodeSet& outside) {
    if (!budget_.spend(kStepsPerSplit + family_.question_steps() / kMembersPerStep))
      out_of_budget_ = true;
    if (out_of_budget_) return false;
    if (family_.contains_quorum(inside)) return false;
    if (packs_k(outside) || out_of_budget_) return false;
    const NodeSet not_outside = outside.complement();
    if (!family_.contains_quorum(not_outside)) return found(not_outside);
    const NodeSet not_inside = inside.complement();
    const bool packs = packs_k(not_inside);
    if (out_of_budget_) return false;
    if (!packs) return found(inside);
    return branch(inside, outside, not_inside, not_outside);
  }

  bool branch(const NodeSet& inside, const NodeSet& outside, const NodeSet& not_inside,
              const NodeSet& not_outside) {
    const NodeSet open = not_inside - outside;
    const NodeSet leavers = fewest_open(not_outside, open);
    if (family_.k() == 1) {
      const NodeSet joiners = fewest_open(not_inside, open);
      if (joiners.size() < leavers.size()) return place_one(joiners, Side::inside, inside, outside);
    }
    return place_one(leavers, Side::outside, inside, outside);
  }

  // One of these must be on this side. The first that is: those before it are on the other.
  bool place_one(const NodeSet& members, Side side, NodeSet inside, NodeSet outside) {
    NodeSet& here = side == Side::inside ? inside : outside;
    NodeSet& there = side == Side::inside ? outside : inside;
    for (const NodeId member : members) {
      here.insert(member);
      if (split(inside, outside)) return true;
      here.erase(member);
      there.insert(member);
    }
    return false;
  }

  // As small as it can be made within the budget, for those who read it.
  bool found(NodeSet set) {
    const NodeSet members = set;
    for (const NodeId member : members) {
      if (!budget_.spend(1 + family_.question_steps() / kMembersPerStep)) break;
      set.erase(member);
      if (packs_k(set.complement()) || out_of_budget_) set.insert(member);
    }
    found_ = std::move(set);
    return true;
  }

  bool packs_k(const NodeSet& set) {
    if (family_.k() == 1) return family_.contains_quorum(set);
    const Verdict packs = family_.find_disjoint(set, family_.k(), budget_).found;
    if (packs == Verdict::not_decided) out_of_budget_ = true;
    return packs == Verdict::yes;
  }

  // The open members of the quorum in `available` that has the fewest of them.
  NodeSet fewest_open(const NodeSet& available, const NodeSet& open) {
    for (NodeId member = 0; member < family_.n(); ++member) {
      costs_[member] = open.contains(member) ? 1 : 0;
    }
    return *family_.find_quorum(available, costs_) & open;
  }

  static constexpr std::uint64_t kStepsPerSplit = 8;
  static constexpr std::uint64_t kMembersPerStep = 2;

  const Family& family_;
  Budget& budget_;
  std::vector<Cost> costs_;
  NodeSet found_;
  bool out_of_budget_ = false;
};

}  // namespace

Finding nondomination(const Family& family, Budget& budget) {
  Budget for_intersection = budget;
  const Finding meets = intersection(family, for_intersection);
  if (meets.holds != Verdict::yes) {
    return undecided("Only a family with at most k disjoint quorums can be dominated or not, and " +
                     std::string(meets.holds == Verdict::no ? "this one has more."
                                                            : "whether this is one is not known."));
  }
  DominationSearch search(family, budget);
  if (std::optional<NodeSet> set = search.run()) {
    return fails({std::move(*set)},
                 family.k() == 1
                     ? "This set could be a quorum too: it contains none and meets all."
                     : "This set could be a quorum too: it contains none, and outside it there are "
                       "not k disjoint ones.");
  }
  if (search.decided()) return holds();
  const std::optional<bool> proved = family.claims().nondominated;
  if (!proved) return undecided("The search ran out of budget before it could tell.");
  Finding finding;
  finding.holds = *proved ? Verdict::yes : Verdict::no;
  finding.how = How::theorem;
  if (!*proved) finding.why = "Another family dominates it, by a theorem about the construction.";
  return finding;
}

}  // namespace coterie::quorum
