// Table 1 of the Surrogate paper: how four algorithms for group mutual exclusion grow with n. Its
// entries are bounds and least values; beside each stands what is measured under load, and alone.
#include <fmt/format.h>

#include <array>
#include <cmath>

#include "sim/simulated_experiments.h"
#include "sim/trial.h"

namespace coterie::sim {
namespace surrogate_table1 {
namespace {

// The surficial system for three groups has n = 3d² members: no virtual processes are needed.
constexpr std::uint32_t kGroups = 3;

enum Algorithm : std::size_t { maekawa_m, maekawa_s, toyomura, surrogate, kAlgorithms };
struct Row {
  std::string_view protocol;
  std::string_view title;
  bool surficial;  // or the grid
  std::string_view messages;
  double messages_exponent;  // of n, if q, b and d are as sqrt(n)
  std::string_view bits;
  double bits_exponent;
};
constexpr std::array<Row, kAlgorithms> kRows = {{
    {"maekawa-m", "Maekawa_M", true, "O(qn/d)", 1, "O(qnr/d)", 1},
    {"maekawa-s", "Maekawa_S", true, "O(q)", 0.5, "O(qr)", 0.5},
    {"toyomura", "Toyomura et al.", false, "O(nq)", 1.5, "O(nqr)", 1.5},
    {"surrogate", "Surrogate", false, "O(q)", 0.5, "O(bqr)", 1},
}};

quorum::System system_for(const Row& row, std::size_t degree) {
  return system_of(row.surficial ? fmt::format("surficial:groups={},degree={}", kGroups, degree)
                                 : fmt::format("grid:n={}", kGroups * degree * degree));
}

class Table1 {
 public:
  Table1(const Effort& effort, const Progressed& progressed, const std::atomic<bool>& stop)
      : degrees_(effort.tiny    ? std::vector<std::size_t>{1, 2}
                 : effort.quick ? std::vector<std::size_t>{2, 3, 4, 6}
                                : std::vector<std::size_t>{2, 3, 4, 5, 6, 8, 10}),
        loaded_(effort, by_effort<std::uint64_t>(effort, 2, 3, 5)),
        alone_(effort, 1) {
    const auto entries = by_effort<std::uint64_t>(effort, 40, 600, 3000);
    for (const std::size_t degree : degrees_) {
      const std::size_t n = kGroups * degree * degree;
      for (const Row& row : kRows) {
        Scenario scenario = scenario_of(row.protocol, system_for(row, degree));
        scenario.workload.groups = kGroups;
        scenario.workload.requests = entries / n + 1;
        loaded_.add(scenario, {static_cast<std::uint64_t>(n), std::string(row.protocol)});
        make_alone(scenario, 3);
        alone_.add(scenario, {static_cast<std::uint64_t>(n), std::string(row.protocol)});
      }
    }
    constexpr double kShareAlone = 0.01;
    alone_.run(part_of(progressed, 0, kShareAlone), stop);
    loaded_.run(part_of(progressed, kShareAlone, 1), stop);
  }

  Report report() const;

 private:
  double n(std::size_t size) const {
    return static_cast<double>(kGroups * degrees_[size] * degrees_[size]);
  }
  std::size_t trial(std::size_t size, std::size_t algorithm) const {
    return size * kAlgorithms + algorithm;
  }
  double growth_of(std::size_t algorithm, Field field) const {
    std::vector<std::pair<double, double>> points;
    for (std::size_t size = 0; size < degrees_.size(); ++size) {
      points.emplace_back(n(size), loaded_.of(trial(size, algorithm), field).mean);
    }
    return growth(points);
  }
  std::size_t quorum_size(std::size_t size, std::size_t algorithm) const {
    return loaded_.scenario(trial(size, algorithm)).setting.home(0, 0).size();
  }

  Chart chart(const Trials& trials, std::string title, Field field, bool log_y) const;
  Sheet table() const;
  Finding grows(std::size_t algorithm, Field field, std::string_view what, std::string_view bound,
                double exponent) const;
  Finding waits(std::size_t algorithm) const;
  Finding switches(std::size_t algorithm) const;

  std::vector<std::size_t> degrees_;
  Trials loaded_;
  Trials alone_;
};

Chart Table1::chart(const Trials& trials, std::string title, Field field, bool log_y) const {
  Chart chart{
      .title = title, .x_label = "processes n", .y_label = title, .log_x = true, .log_y = log_y};
  for (std::size_t algorithm = 0; algorithm < kAlgorithms; ++algorithm) {
    std::vector<At> places;
    for (std::size_t size = 0; size < degrees_.size(); ++size) {
      places.push_back({n(size), trial(size, algorithm)});
    }
    chart.lines.push_back(line_of(kRows[algorithm].title, trials, field, places));
  }
  return chart;
}

Sheet Table1::table() const {
  Sheet sheet{.name = "table1",
              .title = "Growth with n, measured under load, beside the bounds of table 1",
              .columns = {"algorithm", "messages_bound", "messages_bound_exponent",
                          "messages_exponent", "bits_bound", "bits_bound_exponent", "bits_exponent",
                          "sync_hops", "waiting_hops_alone", "quorum"}};
  const std::size_t last = degrees_.size() - 1;
  for (std::size_t i = 0; i < kAlgorithms; ++i) {
    const Row& row = kRows[i];
    sheet.rows.push_back({std::string(row.title), std::string(row.messages), row.messages_exponent,
                          growth_of(i, &Measures::messages_per_entry), std::string(row.bits),
                          row.bits_exponent, growth_of(i, &Measures::bits_per_entry),
                          loaded_.of(trial(last, i), &Measures::sync_hops).mean,
                          alone_.of(trial(last, i), &Measures::waiting_hops).mean,
                          static_cast<std::uint64_t>(quorum_size(last, i))});
  }
  return sheet;
}

// A bound is kept if what is measured does not grow faster. The fit is to a few sizes, so a little more
// is no contradiction.
Finding Table1::grows(std::size_t algorithm, Field field, std::string_view what,
                      std::string_view bound, double exponent) const {
  constexpr double kSlack = 0.1;
  const double measured = growth_of(algorithm, field);
  return {"table 1", fmt::format("{}: {} are {}", kRows[algorithm].title, what, bound),
          fmt::format("{} per entry under load grow as n^{:.2f}; the bound as n^{:g}", what,
                      measured, exponent),
          ruling(measured <= exponent + kSlack)};
}

// Alone, with every message taking one hop: what the paper calls the waiting time of a light load.
Finding Table1::waits(std::size_t algorithm) const {
  const std::size_t last = degrees_.size() - 1;
  const double hops = alone_.of(trial(last, algorithm), &Measures::waiting_hops).mean;
  const std::size_t q = quorum_size(last, algorithm);
  const bool serial = algorithm == maekawa_s;
  const double printed = serial ? static_cast<double>(q) + 2 : 2;
  return {
      "table 1",
      fmt::format("{}: the waiting time is {} hops", kRows[algorithm].title, serial ? "q+2" : "2"),
      fmt::format("{:.2f} hops alone with q = {}{}", hops, q,
                  serial ? ": q+1, one less where the first or last of the quorum is oneself" : ""),
      ruling(hops == printed)};
}

// The least is what the table has, "ignoring delay due to deadlock avoidance": the mean is above it.
Finding Table1::switches(std::size_t algorithm) const {
  const std::size_t last = degrees_.size() - 1;
  const double hops = loaded_.of(trial(last, algorithm), &Measures::sync_hops).mean;
  const std::size_t q = quorum_size(last, algorithm);
  const bool serial = algorithm == maekawa_s;
  const double printed = serial ? static_cast<double>(q) + 1 : 2;
  return {"table 1",
          fmt::format("{}: the least synchronization delay is {} hops", kRows[algorithm].title,
                      serial ? "q+1" : "2"),
          fmt::format("{:.2f} hops on average under load (n = {}, q = {}), {}", hops, n(last), q,
                      serial ? "for who waits is part of the way along its quorum"
                             : "deadlock avoidance included"),
          ruling(hops >= printed)};
}

Report Table1::report() const {
  Report report{
      .name = "surrogate-table1",
      .title = "Four algorithms for rooms as n grows: table 1",
      .source = "Atreya, Mittal, Peri, IEEE TPDS 18(10), 2007, table 1",
      .paragraphs = {
          "Three groups; n = 3d² processes, so that the surficial system needs no virtual ones; "
          "the "
          "others use the grid that is nearest to a square. Everybody asks, in the closed loop of "
          "figure 7. With these systems q, b and d all grow as the square root of n, so a bound is "
          "a "
          "power of n. The table bounds the worst case; a mean that grows more slowly agrees with "
          "it.",
          "Bits are counted by the paper's measure: r for every request that a message names. Here "
          "LOCKED carries the whole list of fulfilled requests, not only what is new; the paper's "
          "bound is for the latter."}};
  report.pictures.push_back(
      {.name = "table1",
       .title = "Four algorithms for rooms as n grows",
       .charts = {chart(loaded_, "messages per entry", &Measures::messages_per_entry, true),
                  chart(loaded_, "bits per entry", &Measures::bits_per_entry, true),
                  chart(loaded_, "hops between forums", &Measures::sync_hops, true),
                  chart(alone_, "hops to enter, alone", &Measures::waiting_hops, true)}});
  report.sheets.push_back(loaded_.sheet("measures", "All measures under load", {"n", "algorithm"}));
  report.sheets.push_back(alone_.sheet("alone", "All measures of one alone", {"n", "algorithm"}));
  if (!conclude(report, {&alone_, &loaded_})) return report;

  report.sheets.insert(report.sheets.begin(), table());
  for (std::size_t i = 0; i < kAlgorithms; ++i) {
    const Row& row = kRows[i];
    report.findings.push_back(
        grows(i, &Measures::messages_per_entry, "messages", row.messages, row.messages_exponent));
    report.findings.push_back(
        grows(i, &Measures::bits_per_entry, "bits", row.bits, row.bits_exponent));
    report.findings.push_back(switches(i));
    report.findings.push_back(waits(i));
  }
  return report;
}

}  // namespace
}  // namespace surrogate_table1

Report run_surrogate_table1(const Effort& effort, const Progressed& progressed,
                            const std::atomic<bool>& stop) {
  return surrogate_table1::Table1(effort, progressed, stop).report();
}

}  // namespace coterie::sim
