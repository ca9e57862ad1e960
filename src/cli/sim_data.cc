#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>

#include "cli/csv.h"
#include "cli/sim_report.h"
#include "cli/table.h"

namespace coterie::cli {
namespace {

using nlohmann::ordered_json;
using sim::Metric;

ordered_json number_or_null(double value) {
  return std::isfinite(value) ? ordered_json(value) : ordered_json(nullptr);
}

ordered_json to_json(const sim::Mean& mean) {
  return {{"mean", number_or_null(mean.mean)}, {"ci95", number_or_null(mean.ci95)}};
}

// Those that were given, by their names; with the seeds and the sweep, all that a replay needs.
ordered_json options_of(const Study& study) {
  ordered_json json{{"protocols", study.text.protocols}};
  for (const sim::PlanOption& option : sim::plan_options()) {
    const std::vector<std::string> texts = option.get(study.text.plan);
    if (texts.empty()) continue;
    const std::string name(option.name);
    if (option.value.empty()) {
      json[name] = true;
    } else if (option.repeats) {
      json[name] = texts;
    } else {
      json[name] = texts.front();
    }
  }
  if (study.sweep) json["sweep"] = study.sweep->text;
  json["seeds"] = study.text.seeds;
  json["seed"] = study.text.first_seed;
  return json;
}

ordered_json fault_of(const Trial& trial) {
  const sim::Run* run = trial.fault();
  if (run == nullptr) return nullptr;
  return {{"what", *run->fault},
          {"time", run->fault_time},
          {"seed", run->seed},
          {"command", Study::command_of_fault(trial)}};
}

ordered_json result_of(const Study& study, std::size_t value, std::size_t protocol) {
  const Trial& trial = study.at(value, protocol);
  ordered_json json{{"protocol", study.text.protocols[protocol]}};
  if (study.sweep) json[std::string(study.sweep->option->name)] = study.values[value];
  json.update(
      {{"system", trial.system.empty() ? ordered_json(nullptr) : ordered_json(trial.system)},
       {"processes", trial.processes},
       {"rule", trial.rule},
       {"runs", trial.outcome.runs.size()},
       {"fault", fault_of(trial)}});
  if (trial.fault() != nullptr || trial.outcome.runs.empty()) return json;
  for (const Metric& metric : sim::metrics())
    json[std::string(metric.name)] = to_json(trial.outcome.of(metric.field));
  json["by_type"] = ordered_json::object();
  for (const sim::TypeCount& type : trial.outcome.by_type())
    json["by_type"][type.name] = type.per_entry;
  const Trial& first = study.at(value, 0);
  if (protocol > 0 && first.fault() == nullptr && !first.outcome.runs.empty()) {
    json["ratio_to_first"] = ordered_json::object();
    for (const Metric& metric : sim::metrics())
      json["ratio_to_first"][std::string(metric.name)] =
          to_json(study.ratio(value, protocol, metric.field));
  }
  return json;
}

std::optional<double> number_of(const std::string& text) {
  double value = 0;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (failure != std::errc{} || end != text.data() + text.size()) return {};
  return value;
}

// Where the values of the sweep stand on the axis: as numbers; as means, of distributions; or by name.
struct Places {
  std::vector<double> at;
  std::vector<std::string> names;  // empty: numbers
  std::string label;
};

Places places_of(const Study& study) {
  Places places{.at = {}, .names = {}, .label = std::string(study.sweep->option->name)};
  bool are_numbers = true;
  bool are_means = true;
  std::vector<double> means;
  for (const std::string& value : study.values) {
    const auto number = number_of(value);
    are_numbers = are_numbers && number;
    places.at.push_back(number.value_or(0));
    const auto distribution = sim::parse_distribution(value);
    are_means = are_means && distribution;
    means.push_back(distribution ? distribution->mean() : 0);
  }
  if (are_numbers) return places;
  if (are_means) {
    places.at = means;
    places.label += ", mean";
    return places;
  }
  for (std::size_t i = 0; i < study.values.size(); ++i) {
    places.at[i] = static_cast<double>(i);
    places.names.push_back(shortened(study.values[i], 20));
  }
  return places;
}

// One chart of a metric, without its lines.
sim::Chart chart_of(const Metric& metric) {
  sim::Chart chart;
  chart.title = metric.label;
  return chart;
}

bool is_good(const Trial& trial) { return trial.fault() == nullptr && !trial.outcome.runs.empty(); }

sim::Dot dot_of(const Trial& trial, double x, const Metric& metric) {
  const sim::Mean mean = trial.outcome.of(metric.field);
  return {.x = x, .y = mean.mean, .ci95 = std::isfinite(mean.ci95) ? mean.ci95 : 0};
}

sim::Chart chart_over(const Study& study, const Places& places, const Metric& metric) {
  sim::Chart chart = chart_of(metric);
  chart.x_label = places.label;
  chart.x_names = places.names;
  for (std::size_t i = 0; i < study.text.protocols.size(); ++i) {
    sim::Line line{.title = study.text.protocols[i], .dots = {}};
    for (std::size_t value = 0; value < study.values.size(); ++value) {
      const Trial& trial = study.at(value, i);
      if (is_good(trial)) line.dots.push_back(dot_of(trial, places.at[value], metric));
    }
    std::sort(line.dots.begin(), line.dots.end(),
              [](const sim::Dot& a, const sim::Dot& b) { return a.x < b.x; });
    chart.lines.push_back(std::move(line));
  }
  return chart;
}

sim::Chart bars_of(const Study& study, const Metric& metric) {
  sim::Chart chart = chart_of(metric);
  chart.bars = true;
  for (std::size_t i = 0; i < study.text.protocols.size(); ++i) {
    chart.x_names.emplace_back();  // the key has their names
    sim::Line line{.title = study.text.protocols[i], .dots = {}};
    if (is_good(study.at(0, i)))
      line.dots.push_back(dot_of(study.at(0, i), static_cast<double>(i), metric));
    chart.lines.push_back(std::move(line));
  }
  return chart;
}

}  // namespace

ordered_json to_json(const Study& study, bool is_complete) {
  ordered_json results = ordered_json::array();
  for (std::size_t value = 0; value < study.values.size(); ++value) {
    for (std::size_t i = 0; i < study.text.protocols.size(); ++i)
      results.push_back(result_of(study, value, i));
  }
  ordered_json json{
      {"command", study.command()}, {"options", options_of(study)}, {"complete", is_complete}};
  // Of one result alone, scripts need no list.
  if (results.size() == 1) json.update(results.front());
  json["results"] = std::move(results);
  return json;
}

std::string csv_of(const Study& study) {
  std::vector<std::string> columns{"protocol", "system", "processes"};
  if (study.sweep) columns.emplace_back(study.sweep->option->name);
  for (const char* column : {"metric", "mean", "ci95", "runs", "ratio", "ratio_ci95"})
    columns.emplace_back(column);
  std::vector<std::vector<sim::Cell>> rows;
  for (std::size_t value = 0; value < study.values.size(); ++value) {
    for (std::size_t i = 0; i < study.text.protocols.size(); ++i) {
      const Trial& trial = study.at(value, i);
      if (!is_good(trial)) continue;
      for (const Metric& metric : sim::metrics()) {
        std::vector<sim::Cell> row{study.text.protocols[i], trial.system, trial.processes};
        if (study.sweep) row.emplace_back(study.values[value]);
        const sim::Mean mean = trial.outcome.of(metric.field);
        const sim::Mean ratio =
            is_good(study.at(value, 0)) ? study.ratio(value, i, metric.field) : sim::Mean{NAN, NAN};
        row.insert(row.end(), {std::string(metric.name), mean.mean, mean.ci95,
                               trial.outcome.runs.size(), ratio.mean, ratio.ci95});
        rows.push_back(std::move(row));
      }
    }
  }
  return csv_of(columns, rows);
}

sim::Picture picture_of(const Study& study, const Metrics& shown) {
  sim::Picture picture{
      .name = "", .title = "", .columns = shown.size() == 1 ? 1U : 2U, .charts = {}};
  for (const Metric* metric : shown) {
    picture.charts.push_back(study.sweep ? chart_over(study, places_of(study), *metric)
                                         : bars_of(study, *metric));
  }
  return picture;
}

}  // namespace coterie::cli
