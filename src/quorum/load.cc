// The optimal load (Naor and Wool 1998), by a linear programme over strategies.
//
// A strategy draws quorum Q with probability x(Q); a member's load is the probability that it is in
// the quorum that was drawn. The best strategy minimises the load L of the busiest member:
//
//     minimise L   subject to   sum of x(Q) over all Q           = 1
//                               sum of x(Q) over Q with v - L   <= 0   for each member v
//                               x >= 0
//
// For a mix with a share F of reads there are two such sums to 1, over the write quorums and over the
// read quorums, and in a member's row writes count 1-F and reads count F.
//
// There are too many quorums for a column each, so columns are generated. The dual of the programme
// puts a price y(v) >= 0 on each member, of sum 1, and for any such prices
//
//     (1-F) * (the cheapest write quorum) + F * (the cheapest read quorum)  <=  optimal L
//
// because the busiest member is at least as busy as the average one, weighted by y. So: solve with
// the quorums known so far, ask the families for a cheapest quorum at the prices found, and add it; the
// answer is proved when the bound meets the load. The bound is computed from the rounded prices that
// the families were given, and the load from the strategy itself, so neither trusts the solver.
//
// A cheapest quorum costs far less time than a solution of the programme. So the programme is started
// with quorums that were chosen one after the other, each around those that the earlier ones made busy;
// mostly these are all that it needs.
#include <ClpSimplex.hpp>
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "base/assert.h"
#include "coterie/analysis.h"

namespace coterie::quorum {
namespace {

constexpr double kGap = 1e-9;

using Prices = std::vector<double>;  // one per member, not negative, of sum 1

// One side of the mix: writes or reads.
struct Side {
  const Family* family;
  bool writes;
  double share;
  std::set<NodeSet> known = {};
  std::vector<std::pair<NodeSet, int>> columns = {};  // the column of each quorum in the programme
  std::vector<std::pair<NodeSet, double>> strategy = {};
};

// The programme restricted to the quorums known so far. Rows: the members, then a sum per side.
class Programme {
 public:
  Programme(std::size_t n, std::size_t sides) : n_(n) {
    simplex_.setLogLevel(0);
    simplex_.setPrimalTolerance(kTolerance);
    simplex_.setDualTolerance(kTolerance);
    // A budget cannot interrupt the solver, so one solution may take no more than about a second.
    simplex_.setMaximumIterations(static_cast<int>(kMaxPivotsTimesMembers / n + kMinPivots));
    simplex_.resize(static_cast<int>(n + sides), 0);
    for (std::size_t member = 0; member < n; ++member) {
      simplex_.setRowBounds(static_cast<int>(member), -COIN_DBL_MAX, 0);
    }
    for (std::size_t side = 0; side < sides; ++side) {
      simplex_.setRowBounds(static_cast<int>(n + side), 1, 1);
    }
    std::vector<int> rows(n);
    for (std::size_t member = 0; member < n; ++member) rows[member] = static_cast<int>(member);
    const std::vector<double> minus(n, -1.0);
    simplex_.addColumn(static_cast<int>(n), rows.data(), minus.data(), 0, COIN_DBL_MAX, 1);
  }

  int add(const NodeSet& quorum, double share, std::size_t side) {
    std::vector<int> rows;
    for (const NodeId member : quorum) rows.push_back(static_cast<int>(member));
    std::vector<double> elements(rows.size(), share);
    rows.push_back(static_cast<int>(n_ + side));
    elements.push_back(1);
    simplex_.addColumn(static_cast<int>(rows.size()), rows.data(), elements.data(), 0, COIN_DBL_MAX,
                       0);
    return simplex_.numberColumns() - 1;
  }

  // False if the solver failed, which its numbers may be to blame for.
  bool solve() {
    simplex_.primal(1);
    return simplex_.status() == 0;
  }
  std::uint64_t iterations() const {
    return static_cast<std::uint64_t>(simplex_.numberIterations());
  }
  double weight(int column) const { return std::max(0.0, simplex_.primalColumnSolution()[column]); }

  Prices prices() const {
    const double* duals = simplex_.dualRowSolution();
    Prices prices(n_);
    for (std::size_t v = 0; v < n_; ++v) prices[v] = std::max(0.0, -duals[v]);
    return prices;
  }

 private:
  static constexpr double kTolerance = 1e-10;
  static constexpr std::size_t kMaxPivotsTimesMembers = 1'000'000;
  static constexpr std::size_t kMinPivots = 100;

  std::size_t n_;
  ClpSimplex simplex_;
};

class LoadSearch {
 public:
  LoadSearch(std::size_t n, std::vector<Side> sides, Budget& budget)
      : n_(n), sides_(std::move(sides)), budget_(budget), programme_(n, sides_.size()) {}

  // Every member uses its home quorum, equally often. That is already optimal for many systems,
  // among them most of the fair ones (Naor and Wool), and takes no programme.
  bool homes_suffice() {
    if (!budget_.spend(steps_to_price())) return false;
    price(Prices(n_, 1 / size()));
    for (Side& side : sides_) {
      std::map<NodeSet, std::size_t> uses;
      const std::uint64_t steps =
          side.family->question_steps() / kWorkPerStep + side.family->min_size();
      for (NodeId member = 0; member < n_; ++member) {
        if (!budget_.spend(steps)) return false;
        ++uses[side.family->home_quorum(member)];
      }
      for (const auto& [quorum, count] : uses) {
        side.strategy.emplace_back(quorum, static_cast<double>(count) / size());
      }
    }
    measure_load();
    return is_proved();
  }

  // REQUIRES: homes_suffice() answered no: the homes are what the programme starts with.
  bool solve() {
    for (std::size_t side = 0; side < sides_.size(); ++side) {
      for (const auto& [quorum, weight] : sides_[side].strategy) add(side, quorum);
    }
    if (!spread()) return false;
    if (is_proved()) return true;
    while (programme_.solve()) {
      if (!budget_.spend((1 + programme_.iterations()) * n_ * kStepsPerPivotAndMember))
        return false;
      take_strategy();
      measure_load();
      if (is_proved()) return true;
      if (!price_both(programme_.prices())) return false;
    }
    return false;
  }

  double load() const { return load_; }
  double bound() const { return std::min(bound_, load_); }
  const std::vector<Side>& sides() const { return sides_; }

 private:
  // What a step of the budget buys, about.
  static constexpr std::uint64_t kStepsPerPivotAndMember = 10;
  static constexpr std::uint64_t kWorkPerStep = 16;  // of finding a home
  // How long, and how fast, spread() learns; how far price_both() goes. Measured: the answer is the same
  // for others, the time is not.
  static constexpr std::size_t kRoundsPerMember = 4;
  static constexpr double kRate = 0.5;
  static constexpr double kStep = 0.3;

  bool is_proved() const { return load_ - bound_ <= kGap; }
  double size() const { return static_cast<double>(n_); }
  std::uint64_t steps_to_price() const {
    std::uint64_t steps = 0;
    for (const Side& side : sides_) steps += side.family->question_steps();
    return steps;
  }

  // Prices that grow with how busy the quorums so far have made a member: multiplicative weights, by
  // which Freund and Schapire (1999) learn to play the game whose value is the load. It ends early if that
  // proves the homes optimal.
  bool spread() {
    std::vector<double> busy(n_, 0.0);
    for (std::size_t round = 0; round < kRoundsPerMember * n_ && !is_proved(); ++round) {
      double most = 0;
      for (const double load : busy) most = std::max(most, load);
      Prices prices(n_);
      double total = 0;
      for (std::size_t v = 0; v < n_; ++v) {
        total += prices[v] = std::exp(kRate * (busy[v] - most));
      }
      for (double& one : prices) one /= total;
      if (!budget_.spend(steps_to_price())) return false;
      price(prices, &busy);
    }
    return true;
  }

  // At the programme's own prices and at ones nearer to the best so far: its prices jump from corner to
  // corner, and those between give better bounds and quorums of more general use. False if neither
  // gave anything new.
  bool price_both(const Prices& corner) {
    Prices between = best_;
    for (std::size_t v = 0; v < n_; ++v) between[v] += kStep * (corner[v] - between[v]);
    if (!budget_.spend(2 * steps_to_price())) return false;
    const bool first = price(between);
    return price(corner) || first;
  }

  bool add(std::size_t side, const NodeSet& quorum) {
    if (!sides_[side].known.insert(quorum).second) return false;
    sides_[side].columns.emplace_back(quorum, programme_.add(quorum, sides_[side].share, side));
    return true;
  }

  // Adds a cheapest quorum of each side, and raises the bound. Answers whether either did anything.
  // `busy` counts the uses of each member.
  bool price(const Prices& prices, std::vector<double>* busy = nullptr) {
    std::vector<Cost> costs(n_);
    double total = 0;
    // As large as can be, so that rounding takes little from the bound.
    const double scale =
        static_cast<double>(kMaxCost - 1) / *std::max_element(prices.begin(), prices.end());
    for (std::size_t v = 0; v < n_; ++v) {
      // One more each: of equally cheap quorums the smaller is wanted.
      costs[v] = std::min(static_cast<Cost>(std::round(prices[v] * scale)) + 1, kMaxCost);
      total += static_cast<double>(costs[v]);
    }
    bool useful = false;
    double sum = 0;
    for (std::size_t side = 0; side < sides_.size(); ++side) {
      const auto quorum = sides_[side].family->find_quorum(NodeSet::all(n_), costs);
      COTERIE_ASSERT(quorum.has_value());
      Cost cost = 0;
      for (const NodeId member : *quorum) {
        cost += costs[member];
        if (busy != nullptr) (*busy)[member] += sides_[side].share;
      }
      sum += sides_[side].share * static_cast<double>(cost);
      useful = add(side, *quorum) || useful;
    }
    if (sum / total > bound_) {
      bound_ = sum / total;
      best_ = prices;
      useful = true;
    }
    return useful;
  }

  // What the programme found, with weights that sum to exactly one.
  void take_strategy() {
    for (Side& side : sides_) {
      double total = 0;
      for (const auto& [quorum, column] : side.columns) total += programme_.weight(column);
      side.strategy.clear();
      for (const auto& [quorum, column] : side.columns) {
        const double weight = programme_.weight(column) / total;
        if (weight > 0) side.strategy.emplace_back(quorum, weight);
      }
    }
  }

  void measure_load() {
    std::vector<double> load(n_, 0.0);
    for (const Side& side : sides_) {
      for (const auto& [quorum, weight] : side.strategy) {
        for (const NodeId member : quorum) load[member] += side.share * weight;
      }
    }
    load_ = 0;
    for (const double one : load) load_ = std::max(load_, one);
    COTERIE_ASSERT(bound_ - load_ <= kGap);  // else a cheapest quorum was not
  }

  std::size_t n_;
  std::vector<Side> sides_;
  Budget& budget_;
  Programme programme_;
  double load_ = 1;
  double bound_ = 0;
  Prices best_;  // those that gave the bound
};

// If a symmetry takes any member to any other, then drawing among the images of a smallest quorum
// loads all members alike; and no strategy does better, by the bound at equal prices. The strategy is
// not listed then.
std::optional<double> by_symmetry(const std::vector<Side>& sides, std::size_t n) {
  double load = 0;
  for (const Side& side : sides) {
    if (!side.family->claims().transitive) return std::nullopt;
    load += side.share * static_cast<double>(side.family->min_size()) / static_cast<double>(n);
  }
  return load;
}

std::optional<Load> optimal_load(std::vector<Side> sides, Budget& budget) {
  const std::size_t n = sides.front().family->n();
  const std::optional<double> symmetric = by_symmetry(sides, n);
  LoadSearch search(n, sides, budget);
  if (search.homes_suffice() || search.solve()) {
    Load load;
    load.load = search.load();
    load.bound = search.bound();
    for (const Side& side : search.sides()) {
      (side.writes ? load.write_strategy : load.read_strategy) = side.strategy;
    }
    return load;
  }
  if (!symmetric) return std::nullopt;
  Load load;
  load.load = load.bound = *symmetric;
  return load;
}

}  // namespace

std::optional<Load> optimal_load(const Family& family, Budget& budget) {
  return optimal_load({{.family = &family, .writes = true, .share = 1}}, budget);
}

std::optional<Load> optimal_load(const Family& write, const Family& read, double reads,
                                 Budget& budget) {
  COTERIE_ASSERT(reads >= 0);
  COTERIE_ASSERT(reads <= 1);
  COTERIE_ASSERT(write.n() == read.n());
  std::vector<Side> sides;
  if (reads < 1) sides.push_back({.family = &write, .writes = true, .share = 1 - reads});
  if (reads > 0) sides.push_back({.family = &read, .writes = false, .share = reads});
  return optimal_load(std::move(sides), budget);
}

}  // namespace coterie::quorum
