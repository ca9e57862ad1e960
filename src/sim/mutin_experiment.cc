// Floors and bands: MUTIN(l) and (l,k)-GCS of Kamei and Kakugawa, composed as they say and with the count
// carried by the votes (fused), alone and while the whole fleet takes its turns.
#include <fmt/format.h>

#include <array>

#include "sim/simulated_experiments.h"
#include "sim/trial.h"

namespace coterie::sim {
namespace mutin {
namespace {

enum Algorithm : std::size_t { floor_, floor_fused, band, band_fused, kAlgorithms };
struct Named {
  std::string_view protocol;
  std::string_view title;
  double messages;  // alone, a pair of leaving and coming back, in units of q
  double hops;      // alone, to leave
};
constexpr std::array<Named, kAlgorithms> kNames = {{
    {"mutin", "MUTIN", 8, 6},
    {"mutin-fused", "fused", 4, 2},
    {"gcs", "GCS", 16, 6},
    {"gcs[mutin-fused;complement[mutin-fused]]", "GCS, fused", 8, 2},
}};

bool is_band(std::size_t algorithm) { return algorithm >= band; }

// Floors keep four fifths inside; bands a third to two thirds.
void set_limits(Scenario& scenario, std::size_t algorithm) {
  const std::size_t n = scenario.setting.processes;
  if (is_band(algorithm)) {
    set_bounds(scenario, n / 3, n - n / 3, n / 2);
  } else {
    set_bounds(scenario, n * 4 / 5, n, n);
  }
}

class Mutin {
 public:
  Mutin(const Effort& effort, const Progressed& progressed, const std::atomic<bool>& stop)
      : systems_(effort.tiny ? std::vector<std::string>{"plane:order=2", "grid:rows=3,cols=3"}
                             : std::vector<std::string>{"plane:order=2", "plane:order=3",
                                                        "grid:rows=4,cols=4", "grid:rows=5,cols=5",
                                                        "grid:rows=7,cols=7"}),
        alone_(effort, 1),
        loaded_(effort, by_effort<std::uint64_t>(effort, 2, 3, 5)) {
    const auto entries = by_effort<std::uint64_t>(effort, 40, 600, 6000);
    for (const std::string& system : systems_) {
      for (std::size_t i = 0; i < kAlgorithms; ++i) {
        Scenario scenario = scenario_of(kNames[i].protocol, system);
        set_limits(scenario, i);
        const std::vector<Cell> key = {system, std::string(kNames[i].protocol)};
        scenario.workload.apart = Distribution::exponential(is_band(i) ? 110 : 200);
        scenario.workload.inside = Distribution::exponential(is_band(i) ? 110 : 20);
        scenario.network.delay = Distribution::constant(1);
        scenario.workload.requests = entries / scenario.setting.processes + 1;
        loaded_.add(scenario, key);
        make_alone(scenario, 3);
        alone_.add(std::move(scenario), key);
      }
    }
    constexpr double kShareAlone = 0.02;
    alone_.run(part_of(progressed, 0, kShareAlone), stop);
    loaded_.run(part_of(progressed, kShareAlone, 1), stop);
  }

  Report report() const;

 private:
  static std::size_t trial(std::size_t system, std::size_t algorithm) {
    return system * kAlgorithms + algorithm;
  }
  double q(std::size_t system) const {
    return static_cast<double>(alone_.scenario(trial(system, 0)).setting.home(0).size());
  }
  double alone(std::size_t system, std::size_t algorithm, Field field) const {
    return alone_.of(trial(system, algorithm), field).mean;
  }
  double most(std::size_t algorithm, Field field) const {
    double value = 0;
    for (std::size_t system = 0; system < systems_.size(); ++system) {
      for (const double one : loaded_.values(trial(system, algorithm), field)) {
        value = std::max(value, one);
      }
    }
    return value;
  }
  double growth_with_q(std::size_t algorithm) const {
    std::vector<std::pair<double, double>> points;
    for (std::size_t system = 0; system < systems_.size(); ++system) {
      points.emplace_back(q(system),
                          loaded_.of(trial(system, algorithm), &Measures::messages_per_entry).mean);
    }
    return growth(points);
  }

  Sheet table() const;
  Chart chart(std::string title, Field field) const;
  Finding linear(std::size_t algorithm, std::string where) const;
  Finding waits(std::size_t algorithm, std::string where, double printed) const;
  Finding fused_saves(std::size_t composed, std::size_t fused) const;

  std::vector<std::string> systems_;
  Trials alone_;
  Trials loaded_;
};

Sheet Mutin::table() const {
  Sheet sheet{.name = "table",
              .title = "A pair of leaving and coming back: alone, and with everybody taking turns",
              .columns = {"system", "q", "algorithm", "alone_messages", "alone_formula",
                          "alone_hops", "loaded_messages", "loaded_messages_ci95", "loaded_waiting",
                          "loaded_waiting_p99", "loaded_waiting_max"}};
  for (std::size_t system = 0; system < systems_.size(); ++system) {
    for (std::size_t i = 0; i < kAlgorithms; ++i) {
      const std::size_t at = trial(system, i);
      const Mean messages = loaded_.of(at, &Measures::messages_per_entry);
      sheet.rows.push_back({systems_[system], q(system), std::string(kNames[i].protocol),
                            alone(system, i, &Measures::messages_per_entry),
                            kNames[i].messages * q(system),
                            alone(system, i, &Measures::waiting_hops), messages.mean, messages.ci95,
                            loaded_.of(at, &Measures::waiting_time).mean,
                            loaded_.of(at, &Measures::waiting_time_p99).mean,
                            loaded_.of(at, &Measures::waiting_time_max).mean});
    }
  }
  return sheet;
}

Chart Mutin::chart(std::string title, Field field) const {
  Chart chart{.title = title, .x_label = "quorum size q", .y_label = std::move(title)};
  for (std::size_t i = 0; i < kAlgorithms; ++i) {
    std::vector<At> places;
    for (std::size_t system = 0; system < systems_.size(); ++system) {
      places.push_back({q(system), trial(system, i)});
    }
    chart.lines.push_back(line_of(kNames[i].title, loaded_, field, places));
  }
  return chart;
}

Finding Mutin::linear(std::size_t algorithm, std::string where) const {
  constexpr double kSlack = 0.1;
  bool exact = true;
  for (std::size_t system = 0; system < systems_.size(); ++system) {
    exact = exact && alone(system, algorithm, &Measures::messages_per_entry) ==
                         kNames[algorithm].messages * q(system);
  }
  const double exponent = growth_with_q(algorithm);
  return {std::move(where), fmt::format("{}: O(|Q|) messages", kNames[algorithm].title),
          fmt::format("alone {} {:g}|Q|; with everybody taking turns they grow as |Q|^{:.2f}",
                      exact ? "exactly" : "not", kNames[algorithm].messages, exponent),
          ruling(exact && exponent <= 1 + kSlack)};
}

Finding Mutin::waits(std::size_t algorithm, std::string where, double printed) const {
  const double longest = most(algorithm, &Measures::waiting_time_max);
  return {
      std::move(where),
      fmt::format("{}: the maximum waiting time is {:g} units", kNames[algorithm].title, printed),
      fmt::format("{:g} to be out alone (the mutual exclusion's own exit not counted); up to "
                  "{:.0f} with everybody taking turns",
                  alone(systems_.size() - 1, algorithm, &Measures::waiting_hops), longest),
      ruling(longest <= printed)};
}

Finding Mutin::fused_saves(std::size_t composed, std::size_t fused) const {
  const std::size_t last = systems_.size() - 1;
  const Mean messages =
      loaded_.ratio(trial(last, fused), trial(last, composed), &Measures::messages_per_entry);
  const Mean waiting =
      loaded_.ratio(trial(last, fused), trial(last, composed), &Measures::waiting_time);
  return {"ours",
          fmt::format("{}: half the messages and a third of the hops alone, and less of both under "
                      "load",
                      kNames[fused].title),
          fmt::format("alone {:g} messages for {:g}, {:g} hops for {:g}; under load {} of the "
                      "messages, {} of the waiting ({})",
                      alone(last, fused, &Measures::messages_per_entry),
                      alone(last, composed, &Measures::messages_per_entry),
                      alone(last, fused, &Measures::waiting_hops),
                      alone(last, composed, &Measures::waiting_hops), text_of(messages),
                      text_of(waiting), systems_[last]),
          ruling(is_below(messages, 1) && is_below(waiting, 1))};
}

Report Mutin::report() const {
  Report report{
      .name = "mutin",
      .title = "Floors and bands: messages and time units",
      .source = "Kamei, Kakugawa, IJNC 9(2), 2019, lemmas 3 and 4, theorems 2 and 4",
      .paragraphs = {
          "Alone: one process leaves and comes back, three times. Taking turns: each process is "
          "inside "
          "for 200 units on average and outside for 20, and a floor keeps four fifths inside; or "
          "it is "
          "inside and outside for 110 each, and a band keeps a third to two thirds. "
          "A message takes one unit, so that waiting is in "
          "the "
          "paper's time units. An entry is a pair: a leaving and a coming back.",
          "GCS is MUTIN and the complement of MUTIN; fused, both halves have the count on the "
          "votes."}};
  report.pictures.push_back({.name = "mutin",
                             .title = "Floors and bands while everybody takes turns",
                             .charts = {chart("messages a pair", &Measures::messages_per_entry),
                                        chart("time to get out", &Measures::waiting_time)}});
  report.sheets.push_back(loaded_.sheet("loaded", "All measures", {"system", "algorithm"}));
  report.sheets.push_back(
      alone_.sheet("alone", "All measures of one alone", {"system", "algorithm"}));
  if (!conclude(report, {&alone_, &loaded_})) return report;
  report.sheets.insert(report.sheets.begin(), table());
  report.findings.push_back(linear(floor_, "lemma 3"));
  report.findings.push_back(waits(floor_, "theorem 2", 7));
  report.findings.push_back(linear(band, "theorem 4"));
  report.findings.push_back(waits(band, "theorem 4", 9));
  report.findings.push_back(fused_saves(floor_, floor_fused));
  report.findings.push_back(fused_saves(band, band_fused));
  return report;
}

}  // namespace
}  // namespace mutin

Report run_mutin(const Effort& effort, const Progressed& progressed,
                 const std::atomic<bool>& stop) {
  return mutin::Mutin(effort, progressed, stop).report();
}

}  // namespace coterie::sim
