// The properties, decided by search over enumerated quorums. `Family::contains_quorum` stands in for
// the innermost enumeration: whether some quorum avoids a set is one question, not a loop.
//
// A search counts a step for each question, and more if the sets are large. When the budget ends it, a
// theorem about the construction may still answer; `how` says which it was.
#include "coterie/properties.h"

#include <algorithm>
#include <utility>

#include "base/assert.h"
#include "quorum/findings.h"

namespace coterie::quorum {
namespace {

Finding by_theorem_or_undecided(bool proved) {
  if (proved) return {.holds = Verdict::yes, .how = How::theorem, .witness = {}, .why = {}};
  return undecided("The search ran out of budget before it could tell.");
}

// For a question about a set, or for a copy of it.
std::uint64_t steps_for(const Family& family) { return 1 + family.question_steps() / 256; }

// Visits the quorums until `visit` answers false. Says whether all were visited within the budget.
template <class Visit>
bool for_each_within(const Family& family, Budget& budget, Visit visit) {
  return family.for_each_quorum(
      [&](const NodeSet& quorum) { return budget.spend(steps_for(family)) && visit(quorum); });
}

constexpr std::size_t kMaxPacking =
    1000;  // each quorum is a call deeper: larger sets are not decided

// Depth first over the sets of pairwise disjoint quorums, each set met once.
class DisjointSearch {
 public:
  DisjointSearch(const Family& family, Budget& budget) : family_(family), budget_(budget) {
    // More quorums than this could not be looked at in pairs anyway.
    listed_ = for_each_within(family, budget, [&](const NodeSet& quorum) {
      if (!budget.spend(quorum.words().size())) return false;  // a step per word bounds the memory
      quorums_.push_back(quorum);
      return true;
    });
  }

  // count pairwise disjoint quorums; not decided if out of budget.
  Verdict find(std::size_t count) {
    if (!listed_ || count > kMaxPacking) return Verdict::not_decided;
    const bool found = extend_to(count, 0, NodeSet::all(family_.n()));
    if (found) return Verdict::yes;
    return budget_.exhausted() ? Verdict::not_decided : Verdict::no;
  }

  // Fewer than `count` pairwise disjoint quorums with no room for one more.
  Verdict find_stuck(std::size_t count) {
    if (!listed_ || count > kMaxPacking) return Verdict::not_decided;
    const bool found = get_stuck(count, 0, NodeSet::all(family_.n()));
    if (found) return Verdict::yes;
    return budget_.exhausted() ? Verdict::not_decided : Verdict::no;
  }

  const std::vector<NodeSet>& packing() const { return packing_; }

 private:
  // REQUIRES: packing_ and `left` do not meet.
  bool extend_to(std::size_t count, std::size_t from, const NodeSet& left) {
    const std::size_t missing = count - packing_.size();
    if (missing == 0) return true;
    if (!budget_.spend(steps_for(family_))) return false;
    if (left.size() < missing * family_.min_size()) return false;
    if (!family_.contains_quorum(left)) return false;
    return with_each_inside(left, from, [&](std::size_t next, const NodeSet& rest) {
      return extend_to(count, next, rest);
    });
  }

  bool get_stuck(std::size_t count, std::size_t from, const NodeSet& left) {
    if (packing_.size() == count) return false;
    if (!budget_.spend(steps_for(family_))) return false;
    if (!family_.contains_quorum(left)) return true;
    if (packing_.size() + 1 == count) return false;
    return with_each_inside(left, from, [&](std::size_t next, const NodeSet& rest) {
      return get_stuck(count, next, rest);
    });
  }

  // Adds each quorum inside `left`, from the given one on, to the packing, and calls search(next
  // quorum, rest of left); leaves it there once a search answers true.
  template <class Search>
  bool with_each_inside(const NodeSet& left, std::size_t from, Search search) {
    for (std::size_t i = from; i < quorums_.size(); ++i) {
      if (!budget_.spend(steps_for(family_))) return false;
      if (!quorums_[i].is_subset_of(left)) continue;
      packing_.push_back(quorums_[i]);
      if (search(i + 1, left - quorums_[i])) return true;
      packing_.pop_back();
    }
    return false;
  }

  const Family& family_;
  Budget& budget_;
  bool listed_ = false;
  std::vector<NodeSet> quorums_;
  std::vector<NodeSet> packing_;
};

Finding disjoint_found(std::vector<NodeSet> quorums) {
  const std::string count = std::to_string(quorums.size());
  return fails(std::move(quorums), "These " + count + " quorums are pairwise disjoint.");
}

// Two quorums at once would take a list; for k = 1 the family answers for the second.
Finding pairwise_intersection(const Family& family, Budget& budget) {
  Finding finding = holds();
  const bool all = for_each_within(family, budget, [&](const NodeSet& quorum) {
    const NodeSet rest = quorum.complement();
    if (!family.contains_quorum(rest)) return true;
    finding = disjoint_found({quorum, *family.find_quorum(rest)});
    return false;
  });
  if (all || finding.holds == Verdict::no) return finding;
  return by_theorem_or_undecided(family.claims().is_k_coterie);
}

// Looks at `limit` quorums of `listed` at most: does `other` have one that avoids any of them?
Finding avoids_none(const Family& listed, const Family& other, std::uint64_t limit,
                    Budget& budget) {
  Finding finding = holds();
  const bool all = for_each_within(listed, budget, [&](const NodeSet& quorum) {
    if (limit-- == 0) return false;
    const NodeSet rest = quorum.complement();
    if (!other.contains_quorum(rest)) return true;
    finding = fails({quorum, *other.find_quorum(rest)}, "These two quorums do not meet.");
    return false;
  });
  if (all || finding.holds == Verdict::no) return finding;
  return by_theorem_or_undecided(false);
}

// A property of each family, with its own k.
Finding of_every_family(Finding (*property)(const Family&, Budget&), const System& system,
                        Budget& budget) {
  Finding result = holds();
  for (std::size_t i = 0; i < system.family_count(); ++i) {
    Finding finding = property(system.family(i), budget);
    if (finding.holds != Verdict::yes) return finding;
    if (finding.how == How::theorem) result.how = How::theorem;
  }
  return result;
}

// Two families of one system: what a construction proved of itself covers how its families meet.
Finding intersection_within(const System& system, std::size_t i, std::size_t j, Budget& budget) {
  Finding finding = cross_intersection(system.family(i), system.family(j), budget);
  if (finding.holds != Verdict::not_decided) return finding;
  return by_theorem_or_undecided(system.family(i).claims().is_k_coterie &&
                                 system.family(j).claims().is_k_coterie);
}

Finding every_group_intersection(const System& system, Budget& budget) {
  Finding result = holds();
  for (std::size_t i = 0; i < system.family_count(); ++i) {
    for (std::size_t j = i + 1; j < system.family_count(); ++j) {
      Finding finding = intersection_within(system, i, j, budget);
      if (finding.holds != Verdict::yes) return finding;
      if (finding.how == How::theorem) result.how = How::theorem;
    }
  }
  return result;
}

}  // namespace

Finding intersection(const Family& family, Budget& budget) {
  if (family.k() == 1) return pairwise_intersection(family, budget);
  const std::size_t too_many = family.k() + 1;
  // The family's own search can only convict: that there are none would be its word alone.
  Budget own_budget = budget;
  Packing own = family.find_disjoint(NodeSet::all(family.n()), too_many, own_budget);
  if (own.found == Verdict::yes) return disjoint_found(std::move(own.quorums));
  DisjointSearch search(family, budget);
  switch (search.find(too_many)) {
    case Verdict::yes:
      return disjoint_found(search.packing());
    case Verdict::no:
      return holds();
    case Verdict::not_decided:
      break;
  }
  return by_theorem_or_undecided(family.claims().is_k_coterie);
}

Finding non_intersection(const Family& family, Budget& budget) {
  if (family.k() == 1) return holds();  // a family has a quorum
  DisjointSearch search(family, budget);
  switch (search.find_stuck(family.k())) {
    case Verdict::yes: {
      const std::size_t count = search.packing().size();
      const std::string left = count == 1 ? "This quorum leaves" : "These quorums leave";
      return fails(search.packing(),
                   left + " no room for another, though k = " + std::to_string(family.k()) + ".");
    }
    case Verdict::no:
      return holds();
    case Verdict::not_decided:
      break;
  }
  return by_theorem_or_undecided(family.claims().is_k_coterie);
}

Finding minimality(const Family& family, Budget& budget) {
  Finding finding = holds();
  const bool all = for_each_within(family, budget, [&](const NodeSet& quorum) {
    NodeSet smaller = quorum;
    for (const NodeId member : quorum) {
      if (!budget.spend(steps_for(family))) return false;
      smaller.erase(member);
      if (family.contains_quorum(smaller)) {
        finding = fails({quorum, *family.find_quorum(smaller)}, "The first contains the second.");
        return false;
      }
      smaller.insert(member);
    }
    return true;
  });
  if (all || finding.holds == Verdict::no) return finding;
  return by_theorem_or_undecided(family.claims().is_k_coterie);
}

Finding cross_intersection(const Family& first, const Family& second, Budget& budget) {
  // One of them may have far fewer quorums; which, shows when its enumeration ends first.
  constexpr std::uint64_t kFirstLimit = 1024;
  for (std::uint64_t limit = kFirstLimit; !budget.exhausted(); limit *= 2) {
    Finding finding = avoids_none(first, second, limit, budget);
    if (finding.holds != Verdict::not_decided) return finding;
    finding = avoids_none(second, first, limit, budget);
    if (finding.holds == Verdict::no) std::swap(finding.witness[0], finding.witness[1]);
    if (finding.holds != Verdict::not_decided) return finding;
  }
  return by_theorem_or_undecided(false);
}

Report check(const System& system, std::uint64_t steps, const std::function<bool()>& stop) {
  const auto with_budget = [&](auto property) {
    Budget budget(steps, stop);
    return property(budget);
  };
  Report report;
  report.minimality =
      with_budget([&](Budget& b) { return of_every_family(minimality, system, b); });
  report.intersection =
      with_budget([&](Budget& b) { return of_every_family(intersection, system, b); });
  if (system.kind() == Kind::groups) {
    const char* why = "Quorums of one group need not meet; those of different groups must.";
    report.non_intersection = report.nondominated = undecided(why);
    report.group_intersection =
        with_budget([&](Budget& b) { return every_group_intersection(system, b); });
  } else {
    const Family& write = system.write();
    report.non_intersection = with_budget([&](Budget& b) { return non_intersection(write, b); });
    report.nondominated = with_budget([&](Budget& b) { return nondomination(write, b); });
    report.group_intersection = undecided("The system has no groups.");
  }
  report.write_read_intersection =
      system.kind() == Kind::write_read
          ? with_budget([&](Budget& b) { return intersection_within(system, 0, 1, b); })
          : undecided("The system does not tell reads from writes.");
  return report;
}

}  // namespace coterie::quorum
