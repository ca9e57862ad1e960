// Cohorts: Jiang and Huang, "Fault-Tolerant Distributed k-Mutual Exclusion with Constant Expected
// Message Cost".
//
// Members stand in cohorts C1..Cl. A quorum has a primary cohort Ci, of which it takes all but k-1
// members, and takes one member of each cohort after Ci. Legal sizes: |C1| = k; every other cohort has
// at least 2k-1 members, and at least 2 (their (P1), (P2); (P2) is tight).
//
// Their Get_Quorum takes the last cohort as primary whenever it can, which yields a smallest quorum of
// equal cohorts but can starve the next one: under Coh(2,2) with u1..u4 up it takes {u3,u4}, although
// {u1,u3} and {u2,u4} are disjoint. find_disjoint follows their availability recursion instead, which
// is exact, and find_sparing_quorum (every family has it) takes a quorum out of such a packing.
// Corrected in the text: Q3 is {u4,u5}; "(3,4)-availability" is (4,3); Coh(2,(n-2)/3) is Coh(2,(n+1)/3).
#include "quorum/cohorts.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <ranges>

#include "coterie/constructions.h"
#include "quorum/combinations.h"
#include "quorum/cost.h"
#include "quorum/limits.h"
#include "quorum/list_text.h"
#include "quorum/probability.h"

namespace coterie::quorum {
namespace {

struct Cohort {
  NodeId first;
  NodeId last;     // one past its last member
  NodeId primary;  // how many of its members make it primary: all but k-1
};

// Neighbouring cohorts of one size, which can be asked several at a time.
struct Run {
  NodeId first;
  NodeId last;
  NodeId size;  // of each cohort
  NodeId primary;
  std::uint64_t starts;  // a bit at the start of each cohort, for as many as fit in a word
};

constexpr NodeId kMaxField = 16;
constexpr NodeId kWordBits = NodeSet::kWordBits;

std::vector<Run> runs_of(const std::vector<Cohort>& cohorts) {
  std::vector<Run> runs;
  for (const auto& [first, last, primary] : cohorts) {
    const NodeId size = last - first;
    if (!runs.empty() && runs.back().size == size) {
      runs.back().last = last;
      continue;
    }
    std::uint64_t starts = 0;
    for (NodeId at = 0; at + size <= kWordBits; at += size) starts |= std::uint64_t{1} << at;
    runs.push_back({first, last, size, primary, starts});
  }
  return runs;
}

Verdict ask_each(const Run& run, const NodeSet& set) {
  for (NodeId last = run.last; last != run.first; last -= run.size) {
    const std::size_t inside = set.count_in(last - run.size, last);
    if (inside >= run.primary) return Verdict::yes;
    if (inside == 0) return Verdict::no;
  }
  return Verdict::not_decided;
}

// The same, a word at a time. Each cohort is a field of `size` bits of the word: wide enough to hold how
// many of its members are in the set, and for adding 2^(size-1) - c to raise its top bit just if that
// number is at least c.
Verdict ask_fields(const Run& run, const NodeSet& set) {
  const std::uint64_t half = std::uint64_t{1} << (run.size - 1);
  for (NodeId last = run.last; last != run.first;) {
    const NodeId count = std::min(kWordBits / run.size * run.size, last - run.first);
    last -= count;
    const std::uint64_t starts = run.starts & (~std::uint64_t{0} >> (kWordBits - count));
    const std::uint64_t members = set.bits(last, count);
    std::uint64_t inside = 0;
    for (NodeId i = 0; i < run.size; ++i) inside += (members >> i) & starts;
    const std::uint64_t tops = starts << (run.size - 1);
    const std::uint64_t enough = (inside + starts * (half - run.primary)) & tops;
    const std::uint64_t some = (inside + starts * (half - 1)) & tops;
    const std::uint64_t deciding = enough | (some ^ tops);
    if (deciding == 0) continue;
    return (enough & std::bit_floor(deciding)) != 0 ? Verdict::yes : Verdict::no;
  }
  return Verdict::not_decided;
}

std::vector<Cohort> arrange(std::size_t k, std::span<const std::size_t> sizes) {
  std::vector<Cohort> cohorts;
  NodeId first = 0;
  for (const std::size_t size : sizes) {
    const auto last = static_cast<NodeId>(first + size);
    cohorts.push_back({first, last, static_cast<NodeId>(size - (k - 1))});
    first = last;
  }
  return cohorts;
}

class Cohorts final : public Family {
 public:
  Cohorts(std::size_t n, std::size_t k, std::span<const std::size_t> sizes)
      : Family(n, k), cohorts_(arrange(k, sizes)), runs_(runs_of(cohorts_)) {
    for (std::size_t i = 0; i < cohorts_.size(); ++i) {
      min_size_ = std::min(min_size_, size_with_primary(i));
      max_size_ = std::max(max_size_, size_with_primary(i));
    }
  }

  std::size_t min_size() const override { return min_size_; }
  std::size_t max_size() const override { return max_size_; }
  Claims claims() const override {
    // With k = 1 it is a crumbling wall whose top row has one member, which nobody dominates.
    return {.is_k_coterie = true,
            .nondominated = k() == 1 || cohorts_.size() == 1 ? std::optional(true) : std::nullopt,
            .transitive = cohorts_.size() == 1};
  }

  // The last cohort that can be primary or has nobody decides: all after it have somebody.
  bool contains_quorum(const NodeSet& set) const override {
    for (const Run& run : std::views::reverse(runs_)) {
      const Verdict verdict = run.size > kMaxField ? ask_each(run, set) : ask_fields(run, set);
      if (verdict != Verdict::not_decided) return verdict == Verdict::yes;
    }
    return false;
  }

  std::optional<NodeSet> find_quorum(const NodeSet& available, Costs costs) const override {
    std::optional<Cost> least;
    std::size_t best_primary = 0;
    Cost support = 0;
    std::vector<Cheapest> cheapest;  // of the last cohort, the one before it, ...
    for (std::size_t i = cohorts_.size(); i-- > 0;) {
      const auto& [first, last, primary] = cohorts_[i];
      const Cheapest& here = cheapest.emplace_back(available, costs, first, last);
      if (here.size() == 0) break;
      if (here.size() >= primary && (!least || support + here.cost(primary) < *least)) {
        least = support + here.cost(primary);
        best_primary = i;
      }
      support += here.cost(1);
    }
    if (!least) return std::nullopt;
    NodeSet quorum(n());
    for (std::size_t i = best_primary; i < cohorts_.size(); ++i) {
      cheapest[cohorts_.size() - 1 - i].insert_into(quorum,
                                                    i == best_primary ? cohorts_[i].primary : 1);
    }
    return quorum;
  }

  // Equation (1) as a plan: if the last cohort can be primary for one quorum and support the others,
  // let it, for then one fewer has to be found in the cohorts before; otherwise it supports all.
  Packing pack(const NodeSet& available, std::size_t h, Budget& /*budget*/) const override {
    if (h > k()) return {};
    Packing packing{.found = Verdict::yes, .quorums = std::vector<NodeSet>(h, NodeSet(n()))};
    std::size_t open = h;  // quorums 0..open-1 have no primary cohort yet
    for (std::size_t i = cohorts_.size(); i-- > 0 && open > 0;) {
      const auto& [first, last, primary] = cohorts_[i];
      const std::size_t up = available.count_in(first, last);
      if (up < open) return {};
      const bool is_primary = up >= primary + open - 1;
      NodeId next = first;
      const auto take = [&](NodeSet& quorum, std::size_t count) {
        for (; count > 0; ++next) {
          if (!available.contains(next)) continue;
          quorum.insert(next);
          --count;
        }
      };
      for (std::size_t j = 0; j + 1 < open; ++j) take(packing.quorums[j], 1);
      take(packing.quorums[open - 1], is_primary ? primary : 1);
      // In the first cohort one member is enough for a primary: every quorum is complete.
      if (i == 0) return packing;
      if (is_primary) --open;
    }
    return packing;
  }

  // The last cohort as primary, and the members of the fleet spread round it.
  NodeSet home_quorum(NodeId member) const override {
    const auto& [first, last, primary] = cohorts_.back();
    NodeSet quorum(n());
    for (NodeId i = 0; i < primary; ++i) quorum.insert(first + (member + i) % (last - first));
    return quorum;
  }

  bool for_each_quorum(const Visit& visit) const override {
    NodeSet quorum(n());
    for (std::size_t i = cohorts_.size(); i-- > 0;) {
      const auto& [first, last, primary] = cohorts_[i];
      if (!for_each_choice(first, last, primary, quorum,
                           [&] { return support_from(i + 1, quorum, visit); })) {
        return false;
      }
    }
    return true;
  }

  std::optional<double> availability(std::size_t h, Up up, Budget& budget) const override {
    if (h > k()) return 0;
    if (cohorts_.size() == 1) return at_least(h, up);
    if (!budget.spend(h * kStepsPerTail)) return std::nullopt;
    // formed[j]: AV(j, i), that j disjoint quorums are up in the first i cohorts. In the first cohort
    // one member makes a quorum.
    std::vector<double> formed(h + 1, 1.0);
    const Up first_cohort = up.first(k());
    for (std::size_t j = 1; j <= h; ++j) formed[j] = at_least(j, first_cohort);
    for (const auto& [first, last, primary] : std::span(cohorts_).subspan(1)) {
      if (!budget.spend(std::uint64_t{last - first} * (last - first + h))) return std::nullopt;
      const std::vector<double> exactly = count_distribution(up.subspan(first, last - first));
      const auto between = [&](std::size_t from, std::size_t to) {  // from..to-1 members are up
        return std::accumulate(exactly.begin() + static_cast<std::ptrdiff_t>(from),
                               exactly.begin() + static_cast<std::ptrdiff_t>(to), 0.0);
      };
      for (std::size_t j = h; j > 0; --j) {
        const std::size_t needed = primary + j - 1;  // to be primary for one and support the others
        formed[j] =
            formed[j - 1] * between(needed, exactly.size()) + formed[j] * between(j, needed);
      }
    }
    return formed[h];
  }

  std::optional<std::vector<double>> size_distribution(Up up, Budget& budget) const override {
    // by_best[s]: P(the cohorts seen all have a member up, and the smallest quorum whose primary is
    // among them has s members); 0: none of them can be primary.
    std::vector<double> by_best(max_size_ + 1, 0.0);
    std::vector<double> sizes(max_size_ + 1, 0.0);
    by_best[0] = 1;
    for (std::size_t i = cohorts_.size(); i-- > 0;) {
      const auto& [first, last, primary] = cohorts_[i];
      if (!budget.spend(std::uint64_t{last - first} * primary + max_size_)) return std::nullopt;
      const Up members = up.subspan(first, last - first);
      const double some = at_least(1, members);
      const double enough = at_least(primary, members);
      const std::size_t size = size_with_primary(i);
      double improved = 0;
      for (std::size_t s = 0; s <= max_size_; ++s) {
        if (s != 0) sizes[s] += by_best[s] * (1 - some);
        if (s == 0 || s > size) {
          improved += by_best[s] * enough;
          by_best[s] *= some - enough;
        } else {
          by_best[s] *= some;
        }
      }
      by_best[size] += improved;
    }
    for (std::size_t s = 1; s <= max_size_; ++s) sizes[s] += by_best[s];
    return sizes;
  }

  // To stop every quorum: leave one cohort empty, and take k members of each cohort after it, so that
  // none of those can be primary.
  std::optional<Cost> cheapest_blocker(Costs costs, Budget& /*budget*/) const override {
    const NodeSet everyone = NodeSet::all(n());
    std::optional<Cost> least;
    Cost after = 0;
    for (std::size_t i = cohorts_.size(); i-- > 0;) {
      const Cheapest here(everyone, costs, cohorts_[i].first, cohorts_[i].last);
      const Cost emptied = after + here.cost(here.size());
      least = least ? std::min(*least, emptied) : emptied;
      after += here.cost(k());
    }
    return least;
  }

  Cost greatest_cost(Costs costs) const override {
    const NodeSet everyone = NodeSet::all(n());
    Cost greatest = 0;
    Cost support = 0;
    for (std::size_t i = cohorts_.size(); i-- > 0;) {
      const Cheapest here(everyone, costs, cohorts_[i].first, cohorts_[i].last);
      greatest = std::max(greatest, support + here.greatest_cost(cohorts_[i].primary));
      support += here.greatest_cost(1);
    }
    return greatest;
  }

 private:
  std::size_t size_with_primary(std::size_t i) const {
    return cohorts_[i].primary + (cohorts_.size() - 1 - i);
  }

  bool support_from(std::size_t i, NodeSet& quorum, const Visit& visit) const {
    if (i == cohorts_.size()) return visit(quorum);
    return for_each_choice(cohorts_[i].first, cohorts_[i].last, 1, quorum,
                           [&] { return support_from(i + 1, quorum, visit); });
  }

  static constexpr std::uint64_t kStepsPerTail = 1000;

  std::vector<Cohort> cohorts_;
  std::vector<Run> runs_;
  std::size_t min_size_ = n();
  std::size_t max_size_ = 0;
};

std::size_t least_size(std::size_t k) { return k == 1 ? 2 : 2 * k - 1; }

Error illegal_sizes(std::size_t k, std::span<const std::size_t> sizes, std::size_t cohort,
                    std::string message) {
  std::vector<std::size_t> legal(sizes.begin(), sizes.end());
  legal[0] = k;
  for (std::size_t i = 1; i < legal.size(); ++i) legal[i] = std::max(legal[i], least_size(k));
  return {.message = std::move(message),
          .parameter = "sizes",
          .position = {},
          .nearest = fmt::format("cohorts:k={},sizes={}", k, print_list(legal)),
          .item = cohort};
}

}  // namespace

Result<System> cohorts(std::size_t k, std::span<const std::size_t> sizes) {
  if (auto error = outside("k", k, 1, kMaxMembers)) return std::move(*error);
  if (sizes.empty()) {
    return Error{.message = "sizes must name at least one cohort",
                 .parameter = "sizes",
                 .position = {},
                 .nearest = fmt::format("cohorts:k={},sizes={}", k, k)};
  }
  if (sizes[0] != k) {
    return illegal_sizes(
        k, sizes, 0,
        fmt::format("the first cohort must have as many members as k = {}, not {} (P1)", k,
                    sizes[0]));
  }
  std::size_t n = 0;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    if (i > 0 && sizes[i] < least_size(k)) {
      return illegal_sizes(
          k, sizes, i,
          fmt::format("cohort {} must have at least {} members when k = {}, not {} (P2)", i + 1,
                      least_size(k), k, sizes[i]));
    }
    n += std::min(sizes[i], kMaxMembers + 1);
    if (n > kMaxMembers) {
      return Error{.message = fmt::format("there may be {} members in all", kMaxMembers),
                   .parameter = "sizes",
                   .position = {},
                   .nearest = {}};
    }
  }
  std::vector<std::vector<NodeId>> layout;
  for (const auto& [first, last, primary] : arrange(k, sizes)) {
    layout.emplace_back(last - first);
    std::iota(layout.back().begin(), layout.back().end(), first);
  }
  return System(Kind::coterie, fmt::format("cohorts:k={},sizes={}", k, print_list(sizes)),
                {std::make_shared<Cohorts>(n, k, sizes)})
      .with_layout(std::move(layout));
}

std::optional<NodeSet> get_quorum_as_printed(std::size_t k, std::span<const std::size_t> sizes,
                                             const NodeSet& available) {
  const std::vector<Cohort> cohorts = arrange(k, sizes);
  NodeSet quorum(available.universe());
  for (std::size_t i = cohorts.size(); i-- > 0;) {
    const auto& [first, last, primary] = cohorts[i];
    const std::size_t up = available.count_in(first, last);
    if (up == 0) return std::nullopt;
    const Cheapest here(available, {}, first, last);
    here.insert_into(quorum, up >= primary ? primary : 1);
    if (up >= primary) return quorum;
  }
  return std::nullopt;
}

double expected_size_by_fraction(std::size_t k, std::span<const std::size_t> sizes, double f) {
  double expected = 1;  // one cohort: a quorum is one member
  for (const std::size_t size : sizes.subspan(1)) {
    expected = f * static_cast<double>(size - k + 1) + (1 - f) * (1 + expected);
  }
  return expected;
}

double expected_size_closed_form(std::size_t k, std::size_t l, std::size_t s, double f) {
  const double limit = expected_size_limit(k, s, f);
  return std::pow(1 - f, static_cast<double>(l - 1)) * (1 - limit) + limit;
}

double expected_size_limit(std::size_t k, std::size_t s, double f) {
  return static_cast<double>(s) - static_cast<double>(k) + 1 / f;
}

}  // namespace coterie::quorum
