#include "quorum/exact.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <utility>

#include "quorum/diagram.h"

namespace coterie::quorum {
namespace {

constexpr std::size_t kMaxTableMembers = 20;
constexpr std::size_t kMaxDiagramMembers = 4096;

using Availabilities = std::vector<double>;  // entry i is of h = i + 1; shorter if out of budget

// All quorums, or nothing if listing them takes more than the budget.
std::optional<std::vector<NodeSet>> listed(const Family& family, Budget& budget) {
  if (family.n() > kMaxDiagramMembers) return std::nullopt;
  std::vector<NodeSet> quorums;
  const bool all = family.for_each_quorum([&](const NodeSet& quorum) {
    if (!budget.spend(quorum.words().size() + quorum.size())) return false;
    quorums.push_back(quorum);
    return true;
  });
  if (!all || quorums.empty()) return std::nullopt;
  return quorums;
}

Availabilities by_diagram(const Family& family, std::size_t most, Up up, Budget& budget) {
  const auto quorums = listed(family, budget);
  if (!quorums) return {};
  return diagram_availability(*quorums, most, up, budget);
}

// A value for each set of members, member i being bit i, and each set's probability.
class Table {
 public:
  explicit Table(std::size_t n) : n_(n), value_(std::size_t{1} << n, 0) {}

  // How many disjoint quorums each set contains, but at most `most`. Only a set that gains one by
  // each of its members, whichever comes last, is searched. False if out of budget.
  bool fill_packings(const Family& family, std::size_t most, Budget& budget) {
    for (std::uint32_t set = 1; set < value_.size(); ++set) {
      if (!budget.spend(kStepsPerSet)) return false;
      const auto [least, greatest] = range_without_one(set);
      value_[set] = greatest;
      if (least != greatest || greatest == most) continue;
      Budget for_one(kStepsPerPacking);
      const Packing more = family.find_disjoint(members(set), greatest + std::size_t{1}, for_one);
      if (more.found == Verdict::not_decided) return false;
      if (more.found == Verdict::yes) ++value_[set];
    }
    return true;
  }

  // The size of a smallest quorum inside each set; 0 if there is none.
  bool fill_sizes(const Family& family, Budget& budget) {
    for (std::uint32_t set = 1; set < value_.size(); ++set) {
      if (!budget.spend(kStepsPerSet)) return false;
      value_[set] = least_without_one(set);
      if (value_[set] != 0 || !family.contains_quorum(members(set))) continue;
      value_[set] = static_cast<std::uint8_t>(std::popcount(set));
    }
    return true;
  }

  // Entry i is the probability that the set of those who are up has value i.
  std::vector<double> distribution(Up up) const {
    std::vector<double> sum(*std::max_element(value_.begin(), value_.end()) + std::size_t{1}, 0.0);
    add(sum, up, n_, 0, 1);
    return sum;
  }

 private:
  static constexpr std::uint64_t kStepsPerSet = 1;
  static constexpr std::uint64_t kStepsPerPacking = 100'000;  // of an explicit family

  NodeSet members(std::uint32_t set) const {
    NodeSet result(n_);
    for (; set != 0; set &= set - 1) result.insert(static_cast<NodeId>(std::countr_zero(set)));
    return result;
  }

  std::pair<std::uint8_t, std::uint8_t> range_without_one(std::uint32_t set) const {
    std::uint8_t least = 0xff;
    std::uint8_t greatest = 0;
    for (std::uint32_t rest = set; rest != 0; rest &= rest - 1) {
      const std::uint8_t value = value_[set & ~(std::uint32_t{1} << std::countr_zero(rest))];
      least = std::min(least, value);
      greatest = std::max(greatest, value);
    }
    return {least, greatest};
  }

  std::uint8_t least_without_one(std::uint32_t set) const {
    std::uint8_t least = 0;
    for (std::uint32_t rest = set; rest != 0; rest &= rest - 1) {
      const std::uint8_t value = value_[set & ~(std::uint32_t{1} << std::countr_zero(rest))];
      if (value != 0 && (least == 0 || value < least)) least = value;
    }
    return least;
  }

  // Adds the sets whose members from `undecided` up are as in `set`, which has probability `p`.
  void add(std::vector<double>& sum, Up up, std::size_t undecided, std::uint32_t set,
           double p) const {
    if (undecided == 0) {
      sum[value_[set]] += p;
      return;
    }
    const std::size_t member = undecided - 1;
    add(sum, up, member, set, p * (1 - up[member]));
    add(sum, up, member, set | (std::uint32_t{1} << member), p * up[member]);
  }

  std::size_t n_;
  std::vector<std::uint8_t> value_;
};

Availabilities by_enumeration(const Family& family, std::size_t most, Up up, Budget& budget) {
  if (family.n() > kMaxTableMembers) return {};
  Table table(family.n());
  if (!table.fill_packings(family, most, budget)) return {};
  std::vector<double> at_least = table.distribution(up);
  at_least.resize(most + 1, 0.0);
  for (std::size_t h = most; h > 0; --h) at_least[h - 1] += at_least[h];
  return {at_least.begin() + 1, at_least.end()};
}

}  // namespace

std::optional<double> exact_availability(const Family& family, std::size_t h, Up up,
                                         Budget& budget) {
  if (h == 0) return 1;
  if (h > family.k()) return 0;
  if (const auto own = family.availability(h, up, budget)) return own;
  for (const auto method : {by_diagram, by_enumeration}) {
    const Availabilities found = method(family, h, up, budget);
    if (found.size() >= h) return found[h - 1];
  }
  return std::nullopt;
}

std::vector<std::optional<Exactly<double>>> exact_availabilities(const Family& family, Up up,
                                                                 const Effort& effort) {
  std::vector<std::optional<Exactly<double>>> all(std::min(family.k(), kMaxAvailabilities));
  std::size_t most = 0;  // the largest h that the family leaves to us
  Budget budget(effort.steps, effort.stop);
  for (std::size_t h = 1; h <= all.size(); ++h) {
    if (const auto own = family.availability(h, up, budget)) {
      all[h - 1] = {*own, Method::recursion};
    } else {
      most = h;
    }
  }
  const auto fill_in = [&](auto method, Method name) {
    const auto missing = [](const auto& entry) { return !entry.has_value(); };
    if (std::none_of(all.begin(), all.end(), missing)) return;
    Budget own_budget(effort.steps, effort.stop);
    const Availabilities found = method(family, most, up, own_budget);
    for (std::size_t i = 0; i < found.size(); ++i) {
      if (!all[i]) all[i] = {found[i], name};
    }
  };
  fill_in(by_diagram, Method::diagram);
  fill_in(by_enumeration, Method::enumeration);
  return all;
}

std::optional<Exactly<std::vector<double>>> exact_size_distribution(const Family& family, Up up,
                                                                    const Effort& effort) {
  Budget budget(effort.steps, effort.stop);
  if (auto own = family.size_distribution(up, budget)) return {{*own, Method::recursion}};
  budget = Budget(effort.steps, effort.stop);
  if (const auto quorums = listed(family, budget)) {
    if (auto sizes = diagram_sizes(*quorums, up, budget)) return {{*sizes, Method::diagram}};
  }
  budget = Budget(effort.steps, effort.stop);
  if (family.n() > kMaxTableMembers) return std::nullopt;
  Table table(family.n());
  if (!table.fill_sizes(family, budget)) return std::nullopt;
  std::vector<double> sizes = table.distribution(up);
  sizes[0] = 0;  // no quorum is up
  return {{std::move(sizes), Method::enumeration}};
}

}  // namespace coterie::quorum
