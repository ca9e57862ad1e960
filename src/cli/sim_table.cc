#include "cli/sim_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "cli/table.h"
#include "cli/terminal.h"
#include "quorum/visible.h"

namespace coterie::cli {
namespace {

using sim::Metric;

// 12.34 +- 0.12
std::string text_of(const sim::Mean& mean) {
  if (!std::isfinite(mean.mean)) return "-";
  if (!std::isfinite(mean.ci95) || mean.ci95 <= 0) return fmt::format("{:.5g}", mean.mean);
  // As many digits as the interval knows, and one more.
  constexpr double kMostDigits = 6;
  const int digits =
      static_cast<int>(std::clamp(1 - std::floor(std::log10(mean.ci95)), 0.0, kMostDigits));
  return fmt::format("{:.{}f} +- {:.{}f}", mean.mean, digits, mean.ci95, digits);
}

struct Column {
  std::string heading;
  std::vector<std::string> cells;
};

// As many columns beside the first as fit into a line; then the next ones below.
void print_columns(const Column& first, const std::vector<Column>& columns) {
  constexpr std::size_t kGap = 2;
  const auto width = [](const Column& column) {
    std::size_t widest = column.heading.size();
    for (const std::string& cell : column.cells) widest = std::max(widest, cell.size());
    return widest;
  };
  for (std::size_t begin = 0; begin < columns.size();) {
    std::size_t end = begin;
    std::size_t line = width(first);
    while (end < columns.size() && line + kGap + width(columns[end]) <= kColumns)
      line += kGap + width(columns[end++]);
    end = std::max(end, begin + 1);
    std::vector<std::string> headings{"<" + first.heading};
    for (std::size_t i = begin; i < end; ++i) headings.push_back(columns[i].heading);
    Table table(headings);
    for (std::size_t row = 0; row < first.cells.size(); ++row) {
      std::vector<std::string> cells{first.cells[row]};
      for (std::size_t i = begin; i < end; ++i) cells.push_back(columns[i].cells[row]);
      table.add(cells);
    }
    fmt::print("{}{}", begin > 0 ? "\n" : "", table.str());
    begin = end;
  }
}

// Protocols stand above their columns by name if the names are short, or else by letters.
std::vector<std::string> headings_of(const Study& study) {
  constexpr std::size_t kShort = 18;
  const std::vector<std::string>& names = study.text.protocols;
  const bool are_short = std::all_of(names.begin(), names.end(),
                                     [](const std::string& name) { return name.size() <= kShort; });
  if (names.size() == 1 || (are_short && names.size() <= 3 && !study.sweep)) return names;
  std::vector<std::string> letters;
  for (std::size_t i = 0; i < names.size(); ++i)
    letters.push_back(i < 26 ? std::string(1, static_cast<char>('A' + i)) : fmt::format("A{}", i));
  return letters;
}

// What the headings stand for. In a sweep, systems and sizes may differ from row to row.
void print_key(const Study& study, const std::vector<std::string>& headings) {
  const std::string& rule = study.trials.front().rule;
  const bool is_one_rule = std::all_of(study.trials.begin(), study.trials.end(),
                                       [&](const Trial& trial) { return trial.rule == rule; });
  for (std::size_t i = 0; i < headings.size(); ++i) {
    const Trial& trial = study.at(0, i);
    const std::string& name = study.text.protocols[i];
    std::string line = headings[i] == name ? name : fmt::format("{}  {}", headings[i], name);
    if (!study.sweep) {
      const bool is_told = name.find('/') != std::string::npos || trial.system.empty();
      if (!is_told) line += " on " + trial.system;
      line += fmt::format(", {} process{}", trial.processes, trial.processes == 1 ? "" : "es");
    }
    if (trial.ignores_groups) line += ", heeds no groups";
    if (!is_one_rule) line += ": " + trial.rule;
    if (line != name) fmt::print("{}", wrapped(quorum::visible(line), 3));
  }
  if (is_one_rule) fmt::print("{}", wrapped("rule: " + rule, 3));
  const bool is_swept = study.sweep && study.sweep->option->name == "warm-up";
  if (is_swept) return;
  fmt::print("{}",
             wrapped(study.text.plan.warm_up > 0
                         ? "measured: the steady state after the warm-up, until as many requests "
                           "were served as all are asked to make"
                         : "measured: whole runs, from when all are at rest to when the last has "
                           "left; --warm-up leaves the start and the end out",
                     3));
}

std::string cell_of(const Trial& trial, double sim::Measures::*field) {
  if (trial.fault() != nullptr) return "fault";
  return trial.is_good() ? text_of(trial.outcome.of(field)) : "-";
}

std::string ratio_cell(const Study& study, std::size_t value, std::size_t protocol,
                       double sim::Measures::*field) {
  if (!study.at(value, 0).is_good() || !study.at(value, protocol).is_good()) return "-";
  return text_of(study.ratio(value, protocol, field));
}

// Metrics downwards, protocols side by side.
void print_side_by_side(const Study& study, std::span<const Metric* const> shown,
                        const std::vector<std::string>& headings) {
  Column first{.heading = "", .cells = {}};
  for (const Metric* metric : shown) first.cells.emplace_back(metric->label);
  std::vector<Column> columns;
  std::vector<Column> ratios;
  for (std::size_t i = 0; i < headings.size(); ++i) {
    Column column{.heading = headings[i], .cells = {}};
    Column ratio{.heading = headings[i], .cells = {}};
    for (const Metric* metric : shown) {
      column.cells.push_back(cell_of(study.at(0, i), metric->field));
      if (i > 0) ratio.cells.push_back(ratio_cell(study, 0, i, metric->field));
    }
    columns.push_back(std::move(column));
    if (i > 0) ratios.push_back(std::move(ratio));
  }
  print_columns(first, columns);
  if (ratios.empty()) return;
  fmt::print("\n");
  first.heading = fmt::format("times that of {}", headings.front());
  print_columns(first, ratios);
}

// A table for each metric: values downwards, protocols side by side with their ratios to the first.
void print_sweep(const Study& study, std::span<const Metric* const> shown,
                 const std::vector<std::string>& headings) {
  for (std::size_t m = 0; m < shown.size(); ++m) {
    std::vector<Column> columns;
    for (std::size_t i = 0; i < headings.size(); ++i) {
      Column column{.heading = headings[i], .cells = {}};
      Column ratio{.heading = headings[i] + "/" + headings.front(), .cells = {}};
      for (std::size_t value = 0; value < study.values.size(); ++value) {
        column.cells.push_back(cell_of(study.at(value, i), shown[m]->field));
        ratio.cells.push_back(ratio_cell(study, value, i, shown[m]->field));
      }
      columns.push_back(std::move(column));
      if (i > 0) columns.push_back(std::move(ratio));
    }
    fmt::print("{}{}\n", m == 0 ? "" : "\n", shown[m]->label);
    print_columns({std::string(study.sweep->option->name), study.values}, columns);
  }
}

void print_faults(const Study& study) {
  for (std::size_t value = 0; value < study.values.size(); ++value) {
    for (std::size_t i = 0; i < study.text.protocols.size(); ++i) {
      const Trial& trial = study.at(value, i);
      const sim::Run* run = trial.fault();
      if (run == nullptr) continue;
      const std::string at =
          study.sweep ? fmt::format(", {} = {}", study.sweep->option->name, study.values[value])
                      : "";
      fmt::print("\n{}", wrapped(quorum::visible(fmt::format("fault    {}{}: {}, at time {:.6g}",
                                                             study.text.protocols[i], at,
                                                             *run->fault, run->fault_time)),
                                 9));
      fmt::print("replay   {}\n", text_of_command(Study::command_of_fault(trial), 9));
    }
  }
}

}  // namespace

void print_results(const Study& study, std::span<const Metric* const> shown) {
  const std::vector<std::string> headings = headings_of(study);
  print_key(study, headings);
  const bool is_any_good = std::any_of(study.trials.begin(), study.trials.end(),
                                       [](const Trial& trial) { return trial.is_good(); });
  if (is_any_good) {
    fmt::print("\n");
    if (study.sweep) {
      print_sweep(study, shown, headings);
    } else {
      print_side_by_side(study, shown, headings);
    }
  }
  print_faults(study);
  if (interrupted()) {
    fmt::print("\npartial  interrupted: {} of {} runs are in these numbers\n", study.runs(),
               study.runs_asked());
  }
}

}  // namespace coterie::cli
