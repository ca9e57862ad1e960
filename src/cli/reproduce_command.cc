#include "cli/reproduce_command.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <thread>

#include "cli/input.h"
#include "cli/numbers.h"
#include "cli/output.h"
#include "cli/report_page.h"
#include "cli/reproduce_files.h"
#include "cli/table.h"
#include "cli/terminal.h"
#include "sim/experiment.h"

namespace coterie::cli {
namespace {

using nlohmann::ordered_json;
using sim::Experiment;

constexpr const char* kPage = "report.html";

struct ReproduceOptions {
  std::vector<std::string> names;
  std::string out = "out";
  std::uint64_t seed = 1;
  std::uint64_t threads = std::max(1U, std::thread::hardware_concurrency());
  bool quick = false;
  bool json = false;
};

// Those that are named, in our order; all if none is.
std::vector<const Experiment*> chosen(const ReproduceOptions& options) {
  std::vector<const Experiment*> experiments;
  for (const Experiment& each : sim::experiments()) {
    const bool is_named =
        std::find(options.names.begin(), options.names.end(), each.name) != options.names.end();
    if (is_named || options.names.empty()) experiments.push_back(&each);
  }
  return experiments;
}

std::string command_of(const ReproduceOptions& options, const std::vector<std::string>& names) {
  return fmt::format("coterie reproduce{}{}{} --seed {}", names.empty() ? "" : " ",
                     fmt::join(names, " "), options.quick ? " --quick" : "", options.seed);
}

// Runs one after another; what is finished is on disk, whatever happens to the next.
std::vector<Exhibit> run_all(const ReproduceOptions& options,
                             const std::vector<const Experiment*>& experiments) {
  const sim::Effort effort{.quick = options.quick,
                           .seed = options.seed,
                           .threads = static_cast<unsigned>(options.threads)};
  double weight = 0;
  for (const Experiment* experiment : experiments) weight += experiment->weight;
  std::vector<Exhibit> exhibits;
  ProgressBar bar;
  double before = 0;  // the weight of those that are done
  for (const Experiment* experiment : experiments) {
    if (interrupted()) break;
    const std::string name(experiment->name);
    const auto progressed = [&](double done) {
      bar.show((before + done * experiment->weight) / weight, name);
    };
    progressed(0);
    Exhibit& exhibit =
        exhibits.emplace_back(Exhibit{.report = experiment->run(effort, progressed, interruption()),
                                      .command = command_of(options, {name}),
                                      .drawn = {},
                                      .files = {}});
    write_files(exhibit, options.out);
    write_file(std::filesystem::path(options.out) / kPage, page_of(exhibits));
    before += experiment->weight;
  }
  return exhibits;
}

// Every claim on a line; of one experiment alone, also what was found.
void print_claims(const std::vector<Exhibit>& exhibits) {
  const bool is_long = exhibits.size() == 1;
  for (const Exhibit& exhibit : exhibits) {
    const sim::Report& report = exhibit.report;
    fmt::print("\n{}", wrapped(fmt::format("{}: {}{}", report.name, report.title,
                                           report.is_complete ? "" : " (partial)"),
                               2));
    Table table({"<verdict", "<where", "<claim"});
    for (const sim::Finding& finding : report.findings) {
      const std::string verdict(word_of(finding.ruling));
      if (is_long) {
        fmt::print("{}",
                   wrapped(fmt::format("{:<7}  {}: {}", verdict, finding.where, finding.claim), 9));
        fmt::print("{}", wrapped(std::string(9, ' ') + finding.found, 9));
      } else {
        table.add({verdict, finding.where, finding.claim});
      }
    }
    if (!is_long && !report.findings.empty()) fmt::print("{}", table.str());
  }
}

void print_results(const ReproduceOptions& options, const std::vector<Exhibit>& exhibits,
                   std::size_t asked) {
  print_claims(exhibits);
  std::vector<const sim::Report*> reports;
  std::size_t files = 1;
  for (const Exhibit& exhibit : exhibits) {
    reports.push_back(&exhibit.report);
    files += exhibit.files.size();
  }
  fmt::print("\nclaims   {}\n", tally(reports));
  if (interrupted())
    fmt::print("{}", wrapped(fmt::format("partial  interrupted: {} of {} experiments were begun, "
                                         "the last is cut short",
                                         exhibits.size(), asked),
                             9));
  const std::string page = (std::filesystem::path(options.out) / kPage).string();
  fmt::print("written  {} and {} beside it\n", page, counted(files - 1, "file"));
}

ordered_json json_of(const ReproduceOptions& options, const std::vector<Exhibit>& exhibits) {
  const std::filesystem::path out(options.out);
  ordered_json all = ordered_json::array();
  for (const Exhibit& exhibit : exhibits) {
    const sim::Report& report = exhibit.report;
    ordered_json claims = ordered_json::array();
    for (const sim::Finding& finding : report.findings) {
      claims.push_back({{"where", finding.where},
                        {"claim", finding.claim},
                        {"found", finding.found},
                        {"verdict", word_of(finding.ruling)}});
    }
    ordered_json files = ordered_json::array();
    for (const std::string& file : exhibit.files) files.push_back((out / file).string());
    all.push_back({{"experiment", report.name},
                   {"title", report.title},
                   {"source", report.source},
                   {"command", exhibit.command},
                   {"complete", report.is_complete},
                   {"claims", claims},
                   {"files", files}});
  }
  return {{"command", command_of(options, options.names)},
          {"seed", options.seed},
          {"quick", options.quick},
          {"complete", !interrupted()},
          {"page", (out / kPage).string()},
          {"experiments", all}};
}

int run_experiments(const ReproduceOptions& options) {
  const std::vector<const Experiment*> experiments = chosen(options);
  if (!options.json)
    fmt::print("replay   {}\n", text_of_command(command_of(options, options.names), 9));
  make_folder(options.out);
  interrupted();  // from here on Ctrl-C ends the experiments, not the program
  const std::vector<Exhibit> exhibits = run_all(options, experiments);
  if (options.json) {
    print_json(json_of(options, exhibits));
  } else {
    print_results(options, exhibits, experiments.size());
  }
  return interrupted() ? kExitUnfinished : 0;
}

}  // namespace

void add_reproduce_command(const Command& root) {
  std::vector<std::string> names;
  std::string list;
  for (const Experiment& each : sim::experiments()) {
    names.emplace_back(each.name);
    list += fmt::format("\n  {:<20} {}", each.name, each.title);
  }
  const Command command = root.command(
      "reproduce", "the papers' tables and figures, with a verdict on each claim",
      fmt::format("Experiments:{}\n\n"
                  "Writes OUT/NAME/*.csv and *.svg, and OUT/report.html: all of it on one page.\n"
                  "Exits with 0, or with 3 if it was interrupted: what was finished is written.\n\n"
                  "Examples:\n  coterie reproduce --quick\n  coterie reproduce cohorts --out out",
                  list));
  const auto options = std::make_shared<ReproduceOptions>();
  command.option("NAME", options->names, "which experiments; all if none is named")
      .value("")
      .one_of(names);
  command.flag("--quick", options->quick, "less work: the same shapes, wider intervals");
  command.option("--out", options->out, "the folder to write to").value("FOLDER");
  command.option("--seed", options->seed, "the first of those that are used");
  command.option("--threads", options->threads, "how many runs at once; changes no result",
                 {.least = 1, .most = 256});
  command.flag("--json", options->json, "print one JSON object");
  command.runs([options] { return run_experiments(*options); });
}

}  // namespace coterie::cli
