// Groups that come and go while the algorithms run, which is in the Surrogate paper's title: Surrogate and Toyomura
// et al. know nothing of the set of groups, while Maekawa_M's quorums are built for it.
//
// The rebuild is modelled as it would have to be done. When the set changes nobody asks any more; all requests are
// served; each process says that it is DONE to one that it was told to, and is told the new set and to GO on. So
// an epoch between two changes is a run of its own, to its last exit; two delays and 3(n-1) messages come to it
// (STOP, DONE, GO; the time of STOP is not counted, which favours the rival). The new group takes the quorums of
// the one that went.
#include <fmt/format.h>

#include <array>
#include <cmath>

#include "sim/rivals.h"
#include "sim/simulated_experiments.h"
#include "sim/trial.h"

namespace coterie::sim {
namespace surrogate_dynamic {
namespace {

constexpr std::size_t kProcesses = 25;
constexpr double kApart = 4;
constexpr double kInside = 2;
constexpr double kDelay = 4;

enum Algorithm : std::size_t { surrogate, toyomura, maekawa_m, kAlgorithms };
constexpr std::array<std::string_view, kAlgorithms> kTitles = {"Surrogate", "Toyomura et al.",
                                                               "Maekawa_M, rebuilding"};

Scenario make_scenario(std::size_t algorithm, std::uint32_t groups, std::uint64_t requests) {
  Scenario scenario = algorithm == maekawa_m
                          ? on_real_processes("maekawa-m", kProcesses, groups)
                          : scenario_of(algorithm == surrogate ? "surrogate" : "toyomura+prefix",
                                        "grid:rows=5,cols=5");
  scenario.workload.groups = groups;
  scenario.workload.requests = requests;
  scenario.workload.apart = Distribution::exponential(kApart);
  scenario.workload.inside = Distribution::uniform(0, 2 * kInside);
  scenario.network.delay = Distribution::exponential(kDelay);
  return scenario;
}

// In a closed loop who is not waiting rests or is inside: Little's law. What a rebuild holds up is in it.
double waiting_of(double throughput) {
  return static_cast<double>(kProcesses) / throughput - kApart - kInside;
}

struct Figures {
  double waiting = 0;
  double messages = 0;
};

class Dynamic {
 public:
  Dynamic(const Effort& effort, const Progressed& progressed, const std::atomic<bool>& stop)
      : groups_(effort.tiny ? std::vector<std::uint32_t>{8} : std::vector<std::uint32_t>{8, 20}),
        periods_(effort.tiny ? std::vector<double>{500}
                             : std::vector<double>{16'000, 8000, 4000, 2000, 1000, 500, 250}),
        static_(effort, by_effort<std::uint64_t>(effort, 2, 3, 5)),
        turning_(effort, by_effort<std::uint64_t>(effort, 2, 3, 5)),
        epochs_(effort, by_effort<std::uint64_t>(effort, 2, 10, 20)) {
    const auto requests = by_effort<std::uint64_t>(effort, 4, 40, 150);
    for (const std::uint32_t groups : groups_) {
      for (std::size_t i = 0; i < kAlgorithms; ++i) {
        static_.add(make_scenario(i, groups, requests),
                    {static_cast<std::uint64_t>(groups), std::string(kTitles[i])});
      }
    }
    constexpr double kShareStatic = 0.1;
    constexpr double kShareTurning = 0.7;
    static_.run(part_of(progressed, 0, kShareStatic), stop);
    if (stop) return;
    for (std::size_t m = 0; m < groups_.size(); ++m) {
      for (const double period : periods_) add_period(m, period, requests);
    }
    turning_.run(part_of(progressed, kShareStatic, kShareTurning), stop);
    epochs_.run(part_of(progressed, kShareTurning, 1), stop);
  }

  Report report() const;

 private:
  void add_period(std::size_t m, double period, std::uint64_t requests);

  std::size_t still(std::size_t m, std::size_t algorithm) const {
    return m * kAlgorithms + algorithm;
  }
  std::size_t turning(std::size_t m, std::size_t period, std::size_t algorithm) const {
    return (m * periods_.size() + period) * maekawa_m + algorithm;
  }
  Figures figures_of(const Trials& trials, std::size_t trial) const {
    return {waiting_of(trials.of(trial, &Measures::throughput).mean),
            trials.of(trial, &Measures::messages_per_entry).mean};
  }
  Figures figures(std::size_t m, std::size_t period, std::size_t algorithm) const;
  Chart chart(std::size_t m, std::string title, double Figures::*figure) const;
  Sheet table() const;
  void add_findings(std::vector<Finding>& findings) const;

  std::vector<std::uint32_t> groups_;
  std::vector<double> periods_;
  Trials static_;
  Trials turning_;
  Trials epochs_;
};

// An epoch of the rival is as many requests of each process as it serves in the period.
void Dynamic::add_period(std::size_t m, double period, std::uint64_t requests) {
  const std::vector<Cell> key = {static_cast<std::uint64_t>(groups_[m]), period};
  for (const std::size_t algorithm : {surrogate, toyomura}) {
    Scenario scenario = make_scenario(algorithm, groups_[m], requests);
    scenario.workload.turnover = period;
    std::vector<Cell> full = key;
    full.emplace_back(std::string(kTitles[algorithm]));
    turning_.add(std::move(scenario), std::move(full));
  }
  const double cycle =
      static_cast<double>(kProcesses) / static_.of(still(m, maekawa_m), &Measures::throughput).mean;
  const auto in_epoch = static_cast<std::uint64_t>(std::max(1.0, std::round(period / cycle)));
  epochs_.add(make_scenario(maekawa_m, groups_[m], in_epoch), key);
}

Figures Dynamic::figures(std::size_t m, std::size_t period, std::size_t algorithm) const {
  if (algorithm != maekawa_m) return figures_of(turning_, turning(m, period, algorithm));
  const std::size_t epoch = m * periods_.size() + period;
  const double entries = epochs_.of(epoch, &Measures::entries).mean;
  const double time = epochs_.of(epoch, &Measures::time).mean + 2 * kDelay;
  const double rebuild = 3.0 * static_cast<double>(kProcesses - 1);
  return {waiting_of(entries / time),
          epochs_.of(epoch, &Measures::messages_per_entry).mean + rebuild / entries};
}

Chart Dynamic::chart(std::size_t m, std::string title, double Figures::*figure) const {
  Chart chart{.title = fmt::format("{}, {} groups", title, groups_[m]),
              .x_label = "changes of the set of groups in 1,000 units",
              .y_label = std::move(title)};
  for (std::size_t i = 0; i < kAlgorithms; ++i) {
    Line line{.title = std::string(kTitles[i])};
    line.dots.push_back({0, figures_of(static_, still(m, i)).*figure});
    for (std::size_t period = 0; period < periods_.size(); ++period) {
      line.dots.push_back({1000 / periods_[period], figures(m, period, i).*figure});
    }
    chart.lines.push_back(std::move(line));
  }
  return chart;
}

Sheet Dynamic::table() const {
  Sheet sheet{
      .name = "dynamic",
      .title = "A set of groups that changes: waiting (by Little's law) and messages per entry",
      .columns = {"groups", "period", "algorithm", "waiting", "messages"}};
  for (std::size_t m = 0; m < groups_.size(); ++m) {
    for (std::size_t i = 0; i < kAlgorithms; ++i) {
      const auto row = [&](Cell period, const Figures& at) {
        sheet.rows.push_back({static_cast<std::uint64_t>(groups_[m]), std::move(period),
                              std::string(kTitles[i]), at.waiting, at.messages});
      };
      row(std::string("never"), figures_of(static_, still(m, i)));
      for (std::size_t period = 0; period < periods_.size(); ++period) {
        row(periods_[period], figures(m, period, i));
      }
    }
  }
  return sheet;
}

void Dynamic::add_findings(std::vector<Finding>& findings) const {
  constexpr double kPenalty = 1.1;
  const std::size_t last = periods_.size() - 1;
  for (std::size_t m = 0; m < groups_.size(); ++m) {
    const Figures before = figures_of(static_, still(m, surrogate));
    const Figures after = figures(m, last, surrogate);
    findings.push_back(
        {"1, 9",
         fmt::format("Surrogate adapts to changes of the groups without a penalty ({} groups)",
                     groups_[m]),
         fmt::format("waiting {:.1f} without changes, {:.1f} with one every {:g} units; messages "
                     "{:.1f} and {:.1f}",
                     before.waiting, after.waiting, periods_[last], before.messages,
                     after.messages),
         ruling(after.waiting <= kPenalty * before.waiting &&
                after.messages <= kPenalty * before.messages)});
    const Figures rival_before = figures_of(static_, still(m, maekawa_m));
    const Figures rival_after = figures(m, last, maekawa_m);
    findings.push_back(
        {"1", fmt::format("Maekawa_M needs to know the groups beforehand ({} groups)", groups_[m]),
         fmt::format("rebuilding at every change it waits {:.1f} instead of {:.1f} with one every "
                     "{:g} units; Surrogate {:.1f}",
                     rival_after.waiting, rival_before.waiting, periods_[last], after.waiting),
         ruling(rival_after.waiting > kPenalty * rival_before.waiting)});
  }
}

Report Dynamic::report() const {
  Report report{
      .name = "surrogate-dynamic",
      .title = "Groups that come and go",
      .source = "Atreya, Mittal, Peri, IEEE TPDS 18(10), 2007, sections 1 and 9",
      .paragraphs = {
          "As in figure 7 (25 processes, ncs 4, cs 2, delay 4), with 8 and 20 groups at any time; "
          "every "
          "period the oldest goes and a new one comes. Requests for one that has gone are still "
          "served.",
          "Maekawa_M's surficial quorums are built for the groups that there are. At a change it "
          "must "
          "drain (nobody asks, all are served), everybody must be told, and all go on: an epoch is "
          "a "
          "run to its last exit, and a rebuild adds 2 delays and 3(n-1) messages, STOP, DONE and "
          "GO. The "
          "rest is free, so it costs at least that. Toyomura et al. need no rebuild; theirs is the "
          "cheapest reading on a grid (+prefix).",
          "Waiting is by Little's law from the throughput, so that what a rebuild holds up "
          "counts."}};
  if (!conclude(report, {&static_, &turning_, &epochs_})) return report;
  Picture picture{.name = "dynamic", .title = "A set of groups that changes"};
  for (std::size_t m = 0; m < groups_.size(); ++m) {
    picture.charts.push_back(chart(m, "waiting time", &Figures::waiting));
    picture.charts.push_back(chart(m, "messages per entry", &Figures::messages));
  }
  report.pictures.push_back(std::move(picture));
  report.sheets.push_back(table());
  add_findings(report.findings);
  return report;
}

}  // namespace
}  // namespace surrogate_dynamic

Report run_surrogate_dynamic(const Effort& effort, const Progressed& progressed,
                             const std::atomic<bool>& stop) {
  return surrogate_dynamic::Dynamic(effort, progressed, stop).report();
}

}  // namespace coterie::sim
