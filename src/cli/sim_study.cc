#include "cli/sim_study.h"

#include <fmt/format.h>

#include <algorithm>

#include "cli/input.h"
#include "cli/terminal.h"
#include "cli/verified_system.h"
#include "protocol/instance.h"

namespace coterie::cli {
namespace {

[[noreturn]] void refuse(const Error& error, const std::string& protocol) {
  const bool has_option = !error.parameter.empty() && error.parameter != "protocol";
  throw Failure(has_option ? fmt::format("--{}: {}", error.parameter, error.message)
                           : fmt::format("{}: {}", protocol, error.message));
}

std::string specs_of(const sim::Scenario& scenario) {
  std::vector<std::string> specs;
  specs.reserve(scenario.setting.systems.size());
  for (const quorum::System& system : scenario.setting.systems) specs.push_back(system.spec());
  return fmt::format("{}", fmt::join(specs, ", "));
}

}  // namespace

const sim::Run* Trial::fault() const {
  const bool is_faulty = !outcome.runs.empty() && outcome.runs.back().fault;
  return is_faulty ? &outcome.runs.back() : nullptr;
}

bool Study::has_fault() const {
  return std::any_of(trials.begin(), trials.end(),
                     [](const Trial& trial) { return trial.fault() != nullptr; });
}

std::uint64_t Study::runs() const {
  std::uint64_t count = 0;
  for (const Trial& trial : trials) count += trial.outcome.runs.size();
  return count;
}

std::string Study::command() const {
  std::string command = "coterie sim";
  for (const std::string& protocol : text.protocols) command += " " + quoted(protocol);
  command += text_of_options(sim::plan_options(), text.plan);
  if (sweep) command += " --sweep " + quoted(sweep->text);
  return command + fmt::format(" --seeds {} --seed {}", text.seeds, text.first_seed);
}

std::string Study::command_of_fault(const Trial& trial) {
  return fmt::format("coterie sim {} --seeds 1 --seed {}", sim::text_of(trial.plan),
                     trial.fault()->seed);
}

sim::Mean Study::ratio(std::size_t value, std::size_t protocol,
                       double sim::Measures::*field) const {
  std::vector<double> own;
  std::vector<double> first;
  const std::vector<sim::Run>& others = at(value, 0).outcome.runs;
  for (const sim::Run& run : at(value, protocol).outcome.runs) {
    // If it was interrupted, runs of either may be missing.
    const auto pair = std::find_if(others.begin(), others.end(),
                                   [&](const sim::Run& other) { return other.seed == run.seed; });
    if (pair == others.end()) continue;
    own.push_back(run.measures.*field);
    first.push_back(pair->measures.*field);
  }
  return sim::mean_ratio(own, first);
}

Study prepare(const StudyText& text, std::vector<sim::Scenario>& scenarios) {
  Study study{.text = text, .sweep = {}, .values = {""}, .trials = {}};
  if (!text.sweep.empty()) {
    auto sweep = sim::parse_sweep(text.sweep);
    if (!sweep) refuse(sweep.error(), "");
    study.values = sweep->values;
    study.sweep = *std::move(sweep);
  }
  for (const std::string& value : study.values) {
    std::vector<sim::Plan> plans;
    for (const std::string& protocol : text.protocols) {
      plans.push_back(text.plan);
      plans.back().protocol = protocol;
      if (!study.sweep) continue;
      auto changed = sim::with(plans.back(), *study.sweep->option, value);
      if (!changed) refuse(changed.error(), protocol);
      plans.back() = *std::move(changed);
    }
    sim::keep_what_each_takes(plans);
    for (sim::Plan& plan : plans) {
      auto scenario = sim::make_scenario(plan, read_file);
      if (!scenario) refuse(scenario.error(), plan.protocol);
      for (const quorum::System& system : scenario->setting.systems) verify_k(system, {});
      study.trials.push_back({.plan = std::move(plan),
                              .system = specs_of(*scenario),
                              .processes = scenario->setting.processes,
                              .rule = scenario->rule.text(),
                              .ignores_groups = scenario->workload.groups > 1 &&
                                                !protocol::takes(scenario->choice).groups,
                              .outcome = {}});
      scenarios.push_back(*std::move(scenario));
    }
  }
  return study;
}

void run(Study& study, std::vector<sim::Scenario> scenarios, unsigned threads) {
  interrupted();  // from here on Ctrl-C ends the runs, not the program
  ProgressBar bar;
  std::vector<sim::Outcome> outcomes = sim::run_batch(
      {.scenarios = std::move(scenarios),
       .first_seed = study.text.first_seed,
       .seeds = study.text.seeds,
       .threads = threads},
      [&](std::size_t done, std::size_t total) {
        bar.show(static_cast<double>(done) / static_cast<double>(total),
                 fmt::format("{} of {} runs", done, total));
      },
      interruption());
  for (std::size_t i = 0; i < outcomes.size(); ++i)
    study.trials[i].outcome = std::move(outcomes[i]);
}

}  // namespace coterie::cli
