#include "cli/sim_command.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <thread>

#include "cli/chart.h"
#include "cli/numbers.h"
#include "cli/output.h"
#include "cli/plan_flags.h"
#include "cli/sim_export.h"
#include "cli/sim_picture.h"
#include "cli/sim_table.h"
#include "cli/table.h"
#include "cli/terminal.h"

namespace coterie::cli {
namespace {

using nlohmann::ordered_json;

constexpr const char* kFooter =
    "PROTOCOL is one that `coterie check --list` lists; PROTOCOL/SPEC has a quorum\n"
    "system of its own. Several are compared with the first, seed by seed.\n\n"
    "DIST is const:T, uniform:A:B, exp:MEAN, lognormal:M:S (of the logarithm), or\n"
    "file:PATH with measured times.\n\n"
    "--requests R measures whole runs, from when all are at rest to when the last has\n"
    "left. With --warm-up W the steady state is measured: all ask on until each has been\n"
    "served W and then, in all, R times as many as there are requesters.\n\n"
    "--groups 5 draws one of five groups for each request, --groups a,b,a+c says which\n"
    "each process asks for (a+c: either). --arrivals is closed (one asks --ncs after\n"
    "leaving), open (requests come --ncs apart whatever happens) or bursts (all ask at\n"
    "once). --down 3,7-9 are nodes by their numbers.\n\n"
    "--sweep takes any option with a value: groups=2,5,10, delay=exp:1,exp:2, or a\n"
    "range as in processes=9:49:8; values with commas are parted by semicolons.\n"
    "=N in a spec is the number of processes, or the nearest that there is; =M is the\n"
    "number of groups.\n\n"
    "--sites FILE is JSON: {\"means\": [[1, 40], [40, 1]], \"site_of\": [0, 0, 1]}: the\n"
    "mean time from each site to each, and the site of each process (in turn if it is\n"
    "not there). --delay is then a factor, such as lognormal:0:0.2.\n\n"
    "Exits with 0; with 1 if a rule was broken or all stood still, with the line that\n"
    "replays it; with 2 if the command is wrong; with 3 if it was interrupted.\n\n"
    "Examples:\n"
    "  coterie sim surrogate --system grid:rows=5,cols=5 --groups 5 --requests 100\n"
    "  coterie sim surrogate maekawa-s --system grid:rows=3,cols=3 --groups 3 \\\n"
    "    --requests 100 --sweep delay=exp:1,exp:4,exp:16 --plot delay.svg";

struct SimOptions {
  std::vector<std::string> protocols;
  PlanFlags<sim::Plan> plan{sim::plan_options()};
  std::string sweep;
  std::uint64_t seeds = 10;
  std::uint64_t seed = 1;
  std::uint64_t threads = std::max(1U, std::thread::hardware_concurrency());
  std::vector<std::string> metrics;
  std::string csv;
  std::string plot;
  bool list = false;
  bool json = false;
};

void list_metrics(bool as_json) {
  if (as_json) {
    ordered_json list = ordered_json::array();
    for (const sim::Metric& metric : sim::metrics()) {
      list.push_back(
          {{"name", metric.name}, {"meaning", metric.meaning}, {"in_summary", metric.in_summary}});
    }
    print_json({{"metrics", list}});
    return;
  }
  for (const sim::Metric& metric : sim::metrics()) {
    fmt::print("{}", wrapped(fmt::format("{:<25}  {} {}", metric.name,
                                         metric.in_summary ? "*" : " ", metric.meaning),
                             29));
  }
  fmt::print("\n* is shown when no --metric is given; --json and --csv have all.\n");
}

std::vector<const sim::Metric*> metrics_of(const SimOptions& options) {
  std::vector<const sim::Metric*> metrics;
  for (const std::string& name : options.metrics) {
    const sim::Metric* metric = sim::find_metric(name);
    if (metric == nullptr)
      throw Failure(fmt::format("--metric: there is no '{}'; --list-metrics lists them", name));
    metrics.push_back(metric);
  }
  if (!metrics.empty()) return metrics;
  for (const sim::Metric& metric : sim::metrics()) {
    if (metric.in_summary) metrics.push_back(&metric);
  }
  return metrics;
}

StudyText text_of(const SimOptions& options) {
  StudyText text{.protocols = options.protocols,
                 .plan = {},
                 .sweep = options.sweep,
                 .first_seed = options.seed,
                 .seeds = options.seeds};
  options.plan.read_into(text.plan);
  return text;
}

int exit_code_for(const Study& study) {
  if (study.has_fault()) return kExitFound;
  return interrupted() ? kExitUnfinished : 0;
}

int run_sim(const SimOptions& options) {
  if (options.list) {
    list_metrics(options.json);
    return 0;
  }
  if (options.protocols.empty())
    throw Failure("sim needs a PROTOCOL; `coterie check --list` lists them");
  const std::vector<const sim::Metric*> shown = metrics_of(options);
  if (!options.csv.empty()) check_output_path(options.csv, "--csv");
  if (!options.plot.empty()) check_output_path(options.plot, "--plot", ".svg");
  std::vector<sim::Scenario> scenarios;
  Study study = prepare(text_of(options), scenarios);
  if (!options.json) {
    fmt::print("replay   {}\n\n", text_of_command(study.command(), 9));
    std::fflush(stdout);
  }
  run(study, std::move(scenarios), static_cast<unsigned>(options.threads));
  if (options.json) {
    print_json(to_json(study, !interrupted()));
  } else {
    print_results(study, shown);
  }
  if (!options.csv.empty()) write_file(options.csv, csv_of(study));
  if (!options.plot.empty()) write_file(options.plot, draw_picture(picture_of(study, shown)));
  for (const std::string& written : {options.csv, options.plot}) {
    if (!options.json && !written.empty()) fmt::print("\nwritten  {}\n", written);
  }
  return exit_code_for(study);
}

}  // namespace

void add_sim_command(const Command& root) {
  const Command command = root.command(
      "sim", "simulate protocols under a workload: messages, waiting, throughput", kFooter);
  const auto options = std::make_shared<SimOptions>();
  command.option("PROTOCOL", options->protocols, "such as surrogate, or maekawa/majority:n=5")
      .value("");
  options->plan.add_to(command);
  command.option("--sweep", options->sweep, "one option over several values").value("NAME=V,...");
  command.option("--seeds", options->seeds, "how many runs of each, from as many seeds",
                 {.least = 1, .most = 1'000'000});
  command.option("--seed", options->seed, "the first of the seeds");
  command.option("--threads", options->threads, "how many runs at once; changes no result",
                 {.least = 1, .most = 256});
  command.option("--metric", options->metrics, "show this, and others so given, only")
      .value("NAME");
  command.flag("--list-metrics", options->list, "the metrics, and what they mean");
  command.option("--csv", options->csv, "write every metric").value("FILE");
  command.option("--plot", options->plot, "draw the metrics that are shown").value("FILE.svg");
  command.flag("--json", options->json, "print one JSON object");
  command.runs([options] { return run_sim(*options); });
}

}  // namespace coterie::cli
