#include "sim/cohorts_experiment.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>

#include "base/assert.h"
#include "base/random.h"
#include "coterie/constructions.h"
#include "quorum/cohorts.h"
#include "quorum/probability.h"

namespace coterie::sim {
namespace {

using quorum::Family;
using quorum::System;

std::size_t later_size(std::size_t k) { return k == 1 ? 2 : 2 * k - 1; }

std::vector<std::size_t> sizes_of_53(std::size_t k) {
  std::vector<std::size_t> sizes((kCohortsSites - k) / later_size(k) + 1, later_size(k));
  sizes.front() = k;
  return sizes;
}

double availability(const Family& family, std::size_t h, double p) {
  Budget budget;
  const std::optional<double> exact =
      family.availability(h, std::vector<double>(family.n(), p), budget);
  COTERIE_ASSERT(exact.has_value());
  return *exact;
}

// Where the difference of the curves changes sign. Below the noise of doubles it has no sign: near 0
// and 1 both curves are the same number.
void find_crossings(Figure2Panel& panel, const std::function<double(double)>& difference) {
  constexpr double kNoise = 1e-12;
  constexpr int kHalvings = 60;
  bool has_sign = false;
  bool positive = false;
  double previous = 0;
  for (const double p : panel.up) {
    const double here = difference(p);
    if (std::abs(here) < kNoise) continue;
    if (!has_sign) panel.cohorts_first = here > 0;
    if (has_sign && positive != (here > 0)) {
      double low = previous;
      double high = p;
      for (int i = 0; i < kHalvings; ++i) {
        const double middle = (low + high) / 2;
        ((difference(middle) > 0) == positive ? low : high) = middle;
      }
      panel.crossings.push_back(low);
    }
    has_sign = true;
    positive = here > 0;
    previous = p;
  }
}

const Figure2Panel& panel_of(const std::vector<Figure2Panel>& panels, std::size_t k,
                             std::size_t h) {
  return *std::find_if(panels.begin(), panels.end(),
                       [&](const Figure2Panel& panel) { return panel.k == k && panel.h == h; });
}

// The share of up-probabilities for which cohorts are better.
double share_better(const Figure2Panel& panel) {
  double share = 0;
  double from = 0;
  bool better = panel.cohorts_first;
  for (const double crossing : panel.crossings) {
    if (better) share += crossing - from;
    from = crossing;
    better = !better;
  }
  return share + (better ? 1 - from : 0);
}

// The largest lead of cohorts, and of k-majority, over the points of the panel.
std::pair<double, double> leads(const Figure2Panel& panel) {
  std::pair<double, double> most{0, 0};
  for (std::size_t i = 0; i < panel.up.size(); ++i) {
    const double lead = panel.cohorts[i] - panel.k_majority[i];
    most.first = std::max(most.first, lead);
    most.second = std::max(most.second, -lead);
  }
  return most;
}

std::string describe(const Figure2Panel& panel) {
  std::string text;
  double from = 0;
  bool better = panel.cohorts_first;
  for (const double crossing : panel.crossings) {
    text += fmt::format("{} from {:.4f} to {:.4f}, ", better ? "better" : "worse", from, crossing);
    from = crossing;
    better = !better;
  }
  const auto [ahead, behind] = leads(panel);
  return text + fmt::format("{} from {:.4f} to 1; by at most {:.4f} better, {:.4f} worse",
                            better ? "better" : "worse", from, ahead, behind);
}

Finding better_below(const std::vector<Figure2Panel>& panels, std::size_t k, std::size_t h) {
  const Figure2Panel& panel = panel_of(panels, k, h);
  return {.where = "5.3",
          .claim =
              fmt::format("({},{}): cohorts are better below one value of p, worse above it", k, h),
          .found = describe(panel),
          .ruling = ruled(panel.cohorts_first && panel.crossings.size() == 1)};
}

Finding better_almost_always(const std::vector<Figure2Panel>& panels, std::size_t k,
                             std::size_t h) {
  constexpr double kAlmost = 0.9;
  const Figure2Panel& panel = panel_of(panels, k, h);
  return {
      .where = "5.3",
      .claim = fmt::format("({},{}): cohorts are better for almost every p (we take: 90 %)", k, h),
      .found = fmt::format("{}; better on {:.1f} % of (0,1)", describe(panel),
                           100 * share_better(panel)),
      .ruling = ruled(share_better(panel) >= kAlmost)};
}

void judge_table_1(std::vector<Finding>& claims) {
  bool at_53 = true;
  std::vector<std::size_t> smallest;
  for (const Table1Row& row : table_1()) {
    at_53 = at_53 && row.cohorts_min == (row.k == 1 ? 2 : row.k);
    smallest.push_back(row.cohorts_min);
  }
  claims.push_back({.where = "Table 1",
                    .claim = "the smallest quorum of 53 sites has 2 members if k = 1, k if k > 1",
                    .found = fmt::format("{} for k = 1, 2, 3, 4", fmt::join(smallest, ", ")),
                    .ruling = ruled(at_53)});
  // With fewer cohorts than k, the first cohort as primary gives a quorum of one member per cohort.
  const std::array<std::size_t, 2> sizes{4, 7};
  const System small = *quorum::cohorts(4, sizes);
  claims.push_back({.where = "Table 1",
                    .claim = "the smallest quorum has k members whenever k > 1 and l > 1",
                    .found = fmt::format("{} has quorums of {} members: one of each cohort; "
                                         "the bound is min(k, l)",
                                         small.spec(), small.write().min_size()),
                    .ruling = ruled(small.write().min_size() >= 4)});
}

void judge_sizes(std::vector<Finding>& claims) {
  struct Case {
    double f;
    std::size_t s;
    double limit;
  };
  constexpr std::array<Case, 4> kCases{{{0.5, 3, 3}, {0.5, 5, 5}, {0.25, 3, 5}, {0.25, 5, 7}}};
  constexpr std::size_t kFar = 200;
  for (const auto& [f, s, limit] : kCases) {
    std::vector<std::size_t> sizes(kFar, s);
    sizes.front() = 2;
    const double far = quorum::expected_size_by_fraction(2, sizes, f);
    claims.push_back(
        {.where = "5.2",
         .claim = fmt::format("k = 2, f = {}, s = {}: the expected size tends to {}", f, s, limit),
         .found = fmt::format("ES({}) = {:.9f}", kFar, far),
         .ruling = ruled(std::abs(far - limit) < 1e-9)});
  }
  const double reflected = quorum::between(2, 3, 3, 0.65);
  claims.push_back({.where = "5.2",
                    .claim = "PR(3,2,3) = 0.71825 when p = 0.65",
                    .found = fmt::format("{:.6f}", reflected),
                    .ruling = ruled(std::abs(reflected - 0.71825) < 5e-6)});
}

}  // namespace

System cohorts_of_53(std::size_t k) { return *quorum::cohorts(k, sizes_of_53(k)); }

System k_majority_of_53(std::size_t k) { return *quorum::k_majority(kCohortsSites, k); }

std::vector<Table1Row> table_1() {
  std::vector<Table1Row> rows;
  for (std::size_t k = 1; k <= kCohortsMaxK; ++k) {
    const System system = cohorts_of_53(k);
    rows.push_back({.k = k,
                    .structure = system.spec(),
                    .cohorts_min = system.write().min_size(),
                    .cohorts_max = system.write().max_size(),
                    .k_majority = k_majority_of_53(k).write().min_size()});
  }
  return rows;
}

std::vector<Figure2Panel> figure_2(std::size_t points) {
  std::vector<Figure2Panel> panels;
  for (std::size_t k = 1; k <= kCohortsMaxK; ++k) {
    const System cohorts = cohorts_of_53(k);
    const System rival = k_majority_of_53(k);
    for (std::size_t h = 1; h <= k; ++h) {
      Figure2Panel panel{
          .k = k, .h = h, .up = {}, .cohorts = {}, .k_majority = {}, .crossings = {}};
      for (std::size_t i = 0; i < points; ++i) {
        const double p = static_cast<double>(i) / static_cast<double>(points - 1);
        panel.up.push_back(p);
        panel.cohorts.push_back(availability(cohorts.write(), h, p));
        panel.k_majority.push_back(availability(rival.write(), h, p));
      }
      find_crossings(panel, [&](double p) {
        return availability(cohorts.write(), h, p) - availability(rival.write(), h, p);
      });
      panels.push_back(std::move(panel));
    }
  }
  return panels;
}

std::vector<ExpectedSizeRow> expected_sizes(std::span<const double> fractions, std::size_t levels) {
  constexpr std::size_t kK = 2;
  std::vector<ExpectedSizeRow> rows;
  for (const std::size_t s : {std::size_t{3}, std::size_t{5}}) {
    for (const double f : fractions) {
      std::vector<std::size_t> sizes{kK};
      for (std::size_t l = 1; l <= levels; ++l, sizes.push_back(s)) {
        rows.push_back({.k = kK,
                        .s = s,
                        .f = f,
                        .l = l,
                        .recursion = quorum::expected_size_by_fraction(kK, sizes, f),
                        .closed_form = quorum::expected_size_closed_form(kK, l, s, f),
                        .limit = quorum::expected_size_limit(kK, s, f)});
      }
    }
  }
  return rows;
}

std::vector<ChoiceRow> compare_choices(double up, std::uint64_t samples, std::uint64_t seed) {
  std::vector<ChoiceRow> rows;
  for (std::size_t k = 2; k <= kCohortsMaxK; ++k) {
    const System system = cohorts_of_53(k);
    const std::vector<std::size_t> sizes = sizes_of_53(k);
    std::vector<std::uint64_t> printed(k + 1, 0);  // entry h: samples in which h were taken
    std::vector<std::uint64_t> sparing(k + 1, 0);
    Random random(seed);
    for (std::uint64_t sample = 0; sample < samples; ++sample) {
      NodeSet available(system.n());
      for (NodeId member = 0; member < system.n(); ++member) {
        if (random.chance(up)) available.insert(member);
      }
      NodeSet left = available;
      for (std::size_t h = 1; h <= k; ++h) {
        const auto quorum = quorum::get_quorum_as_printed(k, sizes, left);
        if (!quorum) break;
        left -= *quorum;
        ++printed[h];
      }
      left = available;
      for (std::size_t h = 1; h <= k; ++h) {
        Budget budget;
        const auto quorum = system.write().find_sparing_quorum(left, budget);
        if (!quorum) break;
        left -= *quorum;
        ++sparing[h];
      }
    }
    for (std::size_t h = 1; h <= k; ++h) {
      rows.push_back({.k = k,
                      .h = h,
                      .up = up,
                      .exact = availability(system.write(), h, up),
                      .as_printed = static_cast<double>(printed[h]) / static_cast<double>(samples),
                      .sparing = static_cast<double>(sparing[h]) / static_cast<double>(samples)});
    }
  }
  return rows;
}

std::vector<Finding> judge_claims(const std::vector<Figure2Panel>& panels) {
  std::vector<Finding> claims;
  judge_table_1(claims);
  judge_sizes(claims);
  const Figure2Panel& first = panel_of(panels, 1, 1);
  constexpr double kClose = 0.005;
  claims.push_back({.where = "5.3",
                    .claim = "(1,1): cohorts are better below p = 0.5, worse above it",
                    .found = describe(first),
                    .ruling = ruled(first.cohorts_first && first.crossings.size() == 1 &&
                                    std::abs(first.crossings[0] - 0.5) < kClose)});
  for (const auto& [k, h] : {std::pair{3, 3}, {4, 3}, {4, 4}}) {
    claims.push_back(
        better_almost_always(panels, static_cast<std::size_t>(k), static_cast<std::size_t>(h)));
  }
  for (const auto& [k, h] : {std::pair{2, 1}, {2, 2}, {3, 1}, {3, 2}}) {
    claims.push_back(
        better_below(panels, static_cast<std::size_t>(k), static_cast<std::size_t>(h)));
  }
  const Figure2Panel& named = panel_of(panels, 3, 2);
  constexpr double kAbout = 0.05;
  claims.push_back({.where = "5.3",
                    .claim = "(3,2): that value is about 0.5",
                    .found = describe(named),
                    .ruling = ruled(named.crossings.size() == 1 &&
                                    std::abs(named.crossings[0] - 0.5) < kAbout)});
  return claims;
}

}  // namespace coterie::sim
