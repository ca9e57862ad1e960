// k-mutual exclusion over four k-coteries as the system grows and as members fail: is the message cost of
// cohorts constant, as Jiang and Huang say of their quorums' expected size, and what does it cost in
// availability and under contention?
#include <fmt/format.h>

#include <array>
#include <cmath>

#include "base/random.h"
#include "coterie/analysis.h"
#include "sim/simulated_experiments.h"
#include "sim/trial.h"

namespace coterie::sim {
namespace cohorts_messages {
namespace {

constexpr std::size_t kK = 2;
constexpr std::size_t kRequesters = 8;

enum Construction : std::size_t { cohorts, k_majority, k_singleton, torus, kConstructions };
constexpr std::array<std::string_view, kConstructions> kNames = {"cohorts", "k-majority",
                                                                 "k-singleton", "torus"};

quorum::System make_system(std::size_t construction, std::size_t n) {
  return system_of(fmt::format("{}:n={},k={}", kNames[construction], n, kK));
}

enum Load : std::size_t { light, heavy, kLoads };

// As many ask, whatever n is. Lightly loaded, hardly two of them at a time.
Scenario make_scenario(const quorum::System& system, Load load, std::uint64_t requests) {
  Scenario scenario = scenario_of("k-mutex", system);
  scenario.workload.requesters = kRequesters;
  scenario.workload.requests = requests;
  scenario.workload.apart = Distribution::exponential(load == light ? 1000 : 4);
  scenario.workload.inside = Distribution::uniform(0, 4);
  scenario.network.delay = Distribution::exponential(1);
  return scenario;
}

NodeSet draw_down(std::size_t n, double share, Random& random) {
  NodeSet down(n);
  for (NodeId member = 0; member < n; ++member) {
    if (random.chance(share)) down.insert(member);
  }
  return down;
}

class Messages {
 public:
  Messages(const Effort& effort, const Progressed& progressed, const std::atomic<bool>& stop)
      : sizes_(effort.tiny ? std::vector<std::size_t>{8, 26}
                           : std::vector<std::size_t>{8, 26, 80, 260, 800, 2600, 8000}),
        failing_(effort.tiny ? std::vector<std::size_t>{26} : std::vector<std::size_t>{80, 800}),
        draws_(by_effort<std::size_t>(effort, 3, 6, 30)),
        growing_(effort, by_effort<std::uint64_t>(effort, 2, 3, 5)),
        down_(effort, 1) {
    const auto requests = by_effort<std::uint64_t>(effort, 3, 5, 25);
    for (const std::size_t n : sizes_) {
      for (std::size_t i = 0; i < kConstructions; ++i) {
        const quorum::System system = make_system(i, n);
        for (const Load load : {light, heavy}) {
          growing_.add(make_scenario(system, load, requests),
                       {static_cast<std::uint64_t>(n), std::string(kNames[i]),
                        std::string(load == light ? "light" : "heavy")});
        }
      }
    }
    add_failures(effort.seed, by_effort<std::uint64_t>(effort, 3, 3, 10));
    constexpr double kShareGrowing = 0.7;
    growing_.run(part_of(progressed, 0, kShareGrowing), stop);
    down_.run(part_of(progressed, kShareGrowing, 1), stop);
  }

  Report report() const;

 private:
  // Who is down is drawn many times. If no quorum is up nobody can enter: such a draw is not run.
  struct Failing {
    std::size_t n;
    double share;
    std::size_t construction;
    std::vector<std::size_t> trials;
  };
  void add_failures(std::uint64_t seed, std::uint64_t requests);

  std::size_t trial(std::size_t size, std::size_t construction, Load load) const {
    return (size * kConstructions + construction) * kLoads + load;
  }
  double messages(std::size_t size, std::size_t construction, Load load) const {
    return growing_.of(trial(size, construction, load), &Measures::messages_per_entry).mean;
  }
  double growth_with_n(std::size_t construction, Load load) const {
    std::vector<std::pair<double, double>> points;
    for (std::size_t size = 0; size < sizes_.size(); ++size) {
      points.emplace_back(static_cast<double>(sizes_[size]), messages(size, construction, load));
    }
    return growth(points);
  }
  Mean messages_of(const Failing& failing) const;

  Chart growth_chart(Load load) const;
  Chart failure_chart(std::size_t n) const;
  Sheet failure_sheet() const;
  Sheet availability_sheet() const;
  void add_findings(std::vector<Finding>& findings) const;

  std::vector<std::size_t> sizes_;
  std::vector<std::size_t> failing_;
  std::size_t draws_;
  std::vector<Failing> failures_;
  Trials growing_;
  Trials down_;
};

void Messages::add_failures(std::uint64_t seed, std::uint64_t requests) {
  Random random(seed);
  for (const std::size_t n : failing_) {
    for (const double share : {0.0, 0.05, 0.1, 0.2, 0.3, 0.4}) {
      std::vector<NodeSet> downs;
      for (std::size_t i = 0; i < draws_; ++i) downs.push_back(draw_down(n, share, random));
      for (std::size_t construction = 0; construction < kConstructions; ++construction) {
        Failing failing{n, share, construction, {}};
        Scenario scenario = make_scenario(make_system(construction, n), light, requests);
        for (const NodeSet& down : downs) {
          if (!scenario.setting.system().write().contains_quorum(down.complement())) continue;
          scenario.faults.down = down;
          failing.trials.push_back(down_.add(
              scenario, {static_cast<std::uint64_t>(n), share, std::string(kNames[construction])}));
        }
        failures_.push_back(std::move(failing));
      }
    }
  }
}

Mean Messages::messages_of(const Failing& failing) const {
  std::vector<double> values;
  for (const std::size_t trial : failing.trials) {
    if (down_.is_good(trial)) values.push_back(down_.of(trial, &Measures::messages_per_entry).mean);
  }
  return values.empty() ? Mean{std::nan(""), 0} : mean_of(values);
}

Chart Messages::growth_chart(Load load) const {
  Chart chart{.title = load == light ? "light load" : "heavy load",
              .x_label = "members n",
              .y_label = "messages per entry",
              .log_x = true,
              .log_y = true};
  for (std::size_t i = 0; i < kConstructions; ++i) {
    std::vector<At> places;
    for (std::size_t size = 0; size < sizes_.size(); ++size) {
      places.push_back({static_cast<double>(sizes_[size]), trial(size, i, load)});
    }
    chart.lines.push_back(line_of(kNames[i], growing_, &Measures::messages_per_entry, places));
  }
  return chart;
}

Chart Messages::failure_chart(std::size_t n) const {
  Chart chart{.title = fmt::format("members down, n = {}", n),
              .x_label = "share of the members that are down",
              .y_label = "messages per entry",
              .log_y = true};
  for (std::size_t i = 0; i < kConstructions; ++i) {
    Line line{.title = std::string(kNames[i])};
    for (const Failing& failing : failures_) {
      if (failing.n != n || failing.construction != i) continue;
      const Mean messages = messages_of(failing);
      if (!std::isnan(messages.mean)) line.dots.push_back(dot(failing.share, messages));
    }
    chart.lines.push_back(std::move(line));
  }
  return chart;
}

Sheet Messages::failure_sheet() const {
  Sheet sheet{.name = "failures",
              .title = "Messages per entry with members down, where a quorum is up",
              .columns = {"n", "down", "system", "draws", "draws_with_a_quorum", "messages",
                          "messages_ci95", "expected_quorum_times_3"}};
  for (const Failing& failing : failures_) {
    const Mean messages = messages_of(failing);
    const std::vector<double> up(failing.n, 1 - failing.share);
    const quorum::System system = make_system(failing.construction, failing.n);
    const auto expected = quorum::expected_size(system.write(), up);
    sheet.rows.push_back({static_cast<std::uint64_t>(failing.n), failing.share,
                          std::string(kNames[failing.construction]),
                          static_cast<std::uint64_t>(draws_),
                          static_cast<std::uint64_t>(failing.trials.size()), messages.mean,
                          messages.ci95, expected ? 3 * expected->value : std::nan("")});
  }
  return sheet;
}

Sheet Messages::availability_sheet() const {
  Sheet sheet{.name = "availability",
              .title = "The probability that one quorum is up, and that k disjoint ones are",
              .columns = {"n", "up", "system", "one", "all_k"}};
  for (const std::size_t n : failing_) {
    for (const double p : {0.7, 0.8, 0.9, 0.99}) {
      const std::vector<double> up(n, p);
      for (std::size_t i = 0; i < kConstructions; ++i) {
        const auto available = quorum::availability(make_system(i, n).write(), up);
        sheet.rows.push_back({static_cast<std::uint64_t>(n), p, std::string(kNames[i]),
                              available.front().value, available.back().value});
      }
    }
  }
  return sheet;
}

void Messages::add_findings(std::vector<Finding>& findings) const {
  constexpr double kConstant = 0.05;  // of an exponent
  const std::size_t last = sizes_.size() - 1;
  const double exponent = growth_with_n(cohorts, light);
  findings.push_back({"5.2", "the expected message cost of cohorts is constant as n grows",
                      fmt::format("{:.2f} messages per entry at n = {}, {:.2f} at n = {}: n^{:.3f}",
                                  messages(0, cohorts, light), sizes_.front(),
                                  messages(last, cohorts, light), sizes_[last], exponent),
                      ruling(std::abs(exponent) <= kConstant)});
  findings.push_back({"5.3", "that of k-majority is O(n)",
                      fmt::format("n^{:.2f}; torus n^{:.2f}, k-singleton n^{:.2f}",
                                  growth_with_n(k_majority, light), growth_with_n(torus, light),
                                  growth_with_n(k_singleton, light)),
                      ruling(std::abs(growth_with_n(k_majority, light) - 1) <= 2 * kConstant)});

  std::string found;
  bool constant = true;
  for (std::size_t i = 0; i + kConstructions < failures_.size(); ++i) {
    const Failing& small = failures_[i];
    if (small.n != failing_.front() || small.construction != cohorts) continue;
    for (const Failing& large : failures_) {
      if (large.n != failing_.back() || large.construction != cohorts) continue;
      if (large.share != small.share || large.n == small.n) continue;
      const Mean before = messages_of(small);
      const Mean after = messages_of(large);
      if (std::isnan(before.mean) || std::isnan(after.mean)) continue;
      found += fmt::format("{}{} down: {} and {}", found.empty() ? "" : "; ", percent(small.share),
                           text_of(before), text_of(after));
      constant = constant && std::abs(after.mean - before.mean) <=
                                 before.ci95 + after.ci95 + kConstant * before.mean;
    }
  }
  if (!found.empty()) {
    findings.push_back({"5.2",
                        fmt::format("it stays constant when members are down (n = {} and {})",
                                    failing_.front(), failing_.back()),
                        found, ruling(constant)});
  }

  const double contended = growth_with_n(cohorts, heavy);
  findings.push_back(
      {"ours", "and under contention too",
       fmt::format(
           "with {} that always want one of {} places: {:.1f} messages per entry at n = {}, "
           "{:.1f} at n = {} (n^{:.2f}): who waits long asks everybody in the end",
           kRequesters, kK, messages(0, cohorts, heavy), sizes_.front(),
           messages(last, cohorts, heavy), sizes_[last], contended),
       ruling(contended <= kConstant)});

  const std::vector<double> up(failing_.back(), 0.9);
  const auto ours = quorum::availability(make_system(cohorts, failing_.back()).write(), up);
  const auto theirs = quorum::availability(make_system(k_majority, failing_.back()).write(), up);
  findings.push_back(
      {"ours", "the price is availability",
       fmt::format("n = {}, p = 0.9: one quorum is up with {:.4f} (k-majority {:.4f}), "
                   "{} disjoint ones with {:.4f} ({:.4f})",
                   failing_.back(), ours.front().value, theirs.front().value, kK, ours.back().value,
                   theirs.back().value),
       ruling(ours.back().value < theirs.back().value)});
}

Report Messages::report() const {
  Report report{
      .name = "cohorts-messages",
      .title = "k-mutual exclusion: messages as n grows and members fail",
      .source = "Jiang, Huang, k-mutual exclusion with constant expected message cost, section 5",
      .paragraphs = {
          fmt::format("k = {}, {} processes ask, whatever n is. Light load: on average 1,000 units "
                      "apart, so that hardly two meet; heavy load: 4 units apart. Who waits asks "
                      "another quorum every 20 units, in the end everybody.",
                      kK, kRequesters),
          "Members that are down are so from the start, as arbiters; who is down is drawn many "
          "times, "
          "and draws in which no quorum is up are counted, not run. Requesters know who is up."}};
  report.pictures.push_back({.name = "messages",
                             .title = "Messages per entry of k-mutual exclusion",
                             .charts = {growth_chart(light), growth_chart(heavy)}});
  for (const std::size_t n : failing_) {
    report.pictures.back().charts.push_back(failure_chart(n));
  }
  report.sheets.push_back(failure_sheet());
  report.sheets.push_back(availability_sheet());
  report.sheets.push_back(
      growing_.sheet("growing", "All measures as n grows", {"n", "system", "load"}));
  if (!conclude(report, {&growing_, &down_})) return report;
  add_findings(report.findings);
  return report;
}

}  // namespace
}  // namespace cohorts_messages

Report run_cohorts_messages(const Effort& effort, const Progressed& progressed,
                            const std::atomic<bool>& stop) {
  return cohorts_messages::Messages(effort, progressed, stop).report();
}

}  // namespace coterie::sim
