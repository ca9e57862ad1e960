#include "sim/trial.h"

#include <fmt/format.h>

#include <cmath>
#include <numeric>

#include "base/assert.h"
#include "coterie/spec.h"

namespace coterie::sim {
namespace {

// Without an interval (one seed) the mean stands for itself.
double half_width(const Mean& mean) { return std::isnan(mean.ci95) ? 0 : mean.ci95; }

void check(const Scenario& scenario) {
  const auto refuse = scenario.choice.entry->refuse;
  COTERIE_ASSERT(refuse == nullptr || refuse(scenario.setting).empty());
}

Scenario bare(std::string_view protocol, std::size_t processes) {
  Scenario scenario;
  scenario.choice = protocol::parse_choice(protocol).value();
  scenario.setting.processes = processes;
  scenario.setting.version = scenario.choice.version;
  scenario.setting.inside = NodeSet(processes);
  return scenario;
}

}  // namespace

quorum::System system_of(std::string_view spec) { return quorum::parse(spec).value(); }

Scenario scenario_of(std::string_view protocol, std::string_view system) {
  return scenario_of(protocol, system_of(system));
}

Scenario scenario_of(std::string_view protocol, const quorum::System& system) {
  Scenario scenario = bare(protocol, system.n());
  scenario.setting.systems = {system};
  scenario.setting.max = static_cast<std::uint32_t>(system.k());
  scenario.rule = spec::Rule::of(scenario.choice.problem(), 0, system.k());
  if (!scenario.choice.entry->starts_inside) check(scenario);
  return scenario;
}

Scenario scenario_of(std::string_view protocol, std::size_t processes) {
  Scenario scenario = bare(protocol, processes);
  check(scenario);
  return scenario;
}

void set_bounds(Scenario& scenario, std::size_t l, std::size_t k, std::size_t inside) {
  protocol::Setting& setting = scenario.setting;
  setting.min = static_cast<std::uint32_t>(l);
  setting.max = static_cast<std::uint32_t>(k);
  setting.inside.insert_range(0, static_cast<NodeId>(inside));
  scenario.rule = spec::Rule::of(scenario.choice.problem(), l, k);
  check(scenario);
}

void make_alone(Scenario& scenario, std::uint64_t requests) {
  scenario.workload.requesters = 1;
  scenario.workload.requests = requests;
  scenario.workload.apart = Distribution::constant(1000);
  scenario.workload.inside = Distribution::constant(1000);
  scenario.network.delay = Distribution::constant(1);
}

std::size_t Trials::add(Scenario scenario, std::vector<Cell> key) {
  batch_.scenarios.push_back(std::move(scenario));
  keys_.push_back(std::move(key));
  return keys_.size() - 1;
}

void Trials::run(const Progressed& progressed, const std::atomic<bool>& stop) {
  const auto tell = [&](std::size_t done, std::size_t total) {
    if (progressed) progressed(static_cast<double>(done) / static_cast<double>(total));
  };
  outcomes_ = run_batch(batch_, tell, stop);
  complete_ = !stop;
}

bool Trials::is_good(std::size_t trial) const {
  const std::span<const Run> finished = runs(trial);
  if (finished.size() < batch_.seeds) return false;
  return std::none_of(finished.begin(), finished.end(),
                      [](const Run& run) { return run.fault.has_value() || run.stopped; });
}

Mean Trials::ratio(std::size_t trial, std::size_t to, Field field) const {
  return mean_ratio(outcomes_[trial].values(field), outcomes_[to].values(field));
}

double Trials::per_entry(std::size_t trial, std::string_view message_type) const {
  double sum = 0;
  for (const TypeCount& type : outcomes_[trial].by_type()) {
    if (type.name == message_type) sum += type.per_entry;
  }
  return sum;
}

Sheet Trials::sheet(std::string name, std::string title, std::vector<std::string> keys) const {
  Sheet sheet{std::move(name), std::move(title), std::move(keys), {}};
  for (const Metric& metric : metrics()) {
    sheet.columns.emplace_back(metric.name);
    sheet.columns.push_back(std::string(metric.name) + "_ci95");
  }
  for (std::size_t trial = 0; trial < size(); ++trial) {
    if (!is_good(trial)) continue;
    std::vector<Cell> row = keys_[trial];
    for (const Metric& metric : metrics()) {
      const Mean mean = of(trial, metric.field);
      row.emplace_back(mean.mean);
      row.emplace_back(half_width(mean));
    }
    sheet.rows.push_back(std::move(row));
  }
  return sheet;
}

bool conclude(Report& report, std::initializer_list<const Trials*> parts) {
  std::size_t runs = 0;
  std::size_t faults = 0;
  double entries = 0;
  std::string first;
  for (const Trials* trials : parts) {
    report.is_complete = report.is_complete && trials->is_complete();
    for (std::size_t trial = 0; trial < trials->size(); ++trial) {
      for (const Run& run : trials->runs(trial)) {
        ++runs;
        entries += run.measures.entries;
        if (!run.fault || ++faults > 1) continue;
        first =
            fmt::format("; the first: {}, {}", trials->scenario(trial).choice.text(), *run.fault);
      }
    }
  }
  report.findings.push_back(
      {.where = "every run",
       .claim = "who is inside together may be, and every request is served",
       .found = fmt::format("{} runs, {:.0f} entries, {} faults{}", runs, entries, faults, first),
       .ruling = ruling(faults == 0)});
  return report.is_complete && faults == 0;
}

Progressed part_of(const Progressed& progressed, double begin, double end) {
  return [=](double done) {
    if (progressed) progressed(begin + (end - begin) * done);
  };
}

Dot dot(double x, const Mean& mean) { return {x, mean.mean, half_width(mean)}; }

Line line_of(std::string_view title, const Trials& trials, Field field,
             std::span<const At> places) {
  Line line{.title = std::string(title)};
  for (const auto& [x, trial] : places) {
    if (trials.is_good(trial)) line.dots.push_back(dot(x, trials.of(trial, field)));
  }
  return line;
}

Ruling ruling(bool holds) { return holds ? Ruling::holds : Ruling::differs; }

std::string text_of(const Mean& mean) {
  if (std::isnan(mean.ci95)) return fmt::format("{:.4g}", mean.mean);
  return fmt::format("{:.4g} ± {:.2g}", mean.mean, mean.ci95);
}

std::string percent(double share) { return fmt::format("{:.0f} %", 100 * share); }

std::string percent_change(double ratio) {
  return ratio <= 1 ? percent(1 - ratio) + " less" : percent(ratio - 1) + " more";
}

bool is_below(const Mean& mean, double value) { return mean.mean + half_width(mean) < value; }
bool is_above(const Mean& mean, double value) { return mean.mean - half_width(mean) > value; }

double growth(std::span<const std::pair<double, double>> points) {
  const auto count = static_cast<double>(points.size());
  double x_mean = 0;
  double y_mean = 0;
  for (const auto& [x, y] : points) {
    x_mean += std::log(x) / count;
    y_mean += std::log(y) / count;
  }
  double both = 0;
  double square = 0;
  for (const auto& [x, y] : points) {
    both += (std::log(x) - x_mean) * (std::log(y) - y_mean);
    square += (std::log(x) - x_mean) * (std::log(x) - x_mean);
  }
  return both / square;
}

double rank_correlation(std::span<const double> values) {
  const auto count = static_cast<double>(values.size());
  double squares = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const auto rank = std::count_if(values.begin(), values.end(),
                                    [&](double other) { return other < values[i]; });
    const double apart = static_cast<double>(rank) - static_cast<double>(i);
    squares += apart * apart;
  }
  return 1 - 6 * squares / (count * (count * count - 1));
}

}  // namespace coterie::sim
