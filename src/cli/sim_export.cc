#include "cli/sim_export.h"

#include <cmath>
#include <nlohmann/json.hpp>

#include "cli/csv.h"

namespace coterie::cli {
namespace {

using nlohmann::ordered_json;
using sim::Metric;

ordered_json number_or_null(double value) {
  return std::isfinite(value) ? ordered_json(value) : ordered_json(nullptr);
}

ordered_json json_of(const sim::Mean& mean) {
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
       {"measured", trial.plan.warm_up > 0 ? "steady state" : "whole runs"},
       {"fault", fault_of(trial)}});
  if (!trial.is_good()) return json;
  for (const Metric& metric : sim::metrics())
    json[std::string(metric.name)] = json_of(trial.outcome.of(metric.field));
  json["by_type"] = ordered_json::object();
  for (const sim::TypeCount& type : trial.outcome.by_type())
    json["by_type"][type.name] = type.per_entry;
  const Trial& first = study.at(value, 0);
  if (protocol > 0 && first.is_good()) {
    json["ratio_to_first"] = ordered_json::object();
    for (const Metric& metric : sim::metrics())
      json["ratio_to_first"][std::string(metric.name)] =
          json_of(study.ratio(value, protocol, metric.field));
  }
  return json;
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
      if (!trial.is_good()) continue;
      for (const Metric& metric : sim::metrics()) {
        std::vector<sim::Cell> row{study.text.protocols[i], trial.system, trial.processes};
        if (study.sweep) row.emplace_back(study.values[value]);
        const sim::Mean mean = trial.outcome.of(metric.field);
        const sim::Mean ratio = study.at(value, 0).is_good() ? study.ratio(value, i, metric.field)
                                                             : sim::Mean{NAN, NAN};
        row.insert(row.end(), {std::string(metric.name), mean.mean, mean.ci95,
                               trial.outcome.runs.size(), ratio.mean, ratio.ci95});
        rows.push_back(std::move(row));
      }
    }
  }
  return csv_of(columns, rows);
}

}  // namespace coterie::cli
