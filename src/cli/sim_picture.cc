#include "cli/sim_picture.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>

#include "cli/table.h"

namespace coterie::cli {
namespace {

using sim::Metric;

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
      if (trial.is_good()) line.dots.push_back(dot_of(trial, places.at[value], metric));
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
    if (study.at(0, i).is_good())
      line.dots.push_back(dot_of(study.at(0, i), static_cast<double>(i), metric));
    chart.lines.push_back(std::move(line));
  }
  return chart;
}

}  // namespace

sim::Picture picture_of(const Study& study, std::span<const Metric* const> shown) {
  sim::Picture picture{
      .name = "", .title = "", .columns = shown.size() == 1 ? 1U : 2U, .charts = {}};
  for (const Metric* metric : shown) {
    picture.charts.push_back(study.sweep ? chart_over(study, places_of(study), *metric)
                                         : bars_of(study, *metric));
  }
  return picture;
}

}  // namespace coterie::cli
