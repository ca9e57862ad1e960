#include "cli/torture_command.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <memory>
#include <nlohmann/json.hpp>
#include <thread>

#include "cli/input.h"
#include "cli/numbers.h"
#include "cli/table.h"
#include "cli/terminal.h"
#include "cli/torture_gap.h"
#include "cli/torture_report.h"
#include "sim/torture_mutants.h"

namespace coterie::cli {
namespace {

using nlohmann::ordered_json;
using sim::torture::Findings;
using sim::torture::Mutant;

constexpr const char* kTortureFooter =
    "Each run draws a cluster, its clients and a storm of faults from its seed: crashes\n"
    "and restarts with and without a disk, partitions, frames lost, doubled and late,\n"
    "pauses longer than a lease, clocks that drift. At every instant, over what clients\n"
    "believe on their own clocks: nobody is inside who must not be, nobody is let out\n"
    "of a band who must stay, tokens grow, and no hold is lost to the failure of one\n"
    "other member. Then all heals but some members that stay dead: all who wait must\n"
    "enter within a bound, and nothing may be left when all have gone.\n\n"
    "--broken-clocks has clocks that break the promise on which all this rests, and\n"
    "counts what is lost then.\n\n"
    "--hostile has clients that want to do harm beside the others: they show tickets that\n"
    "they made up, end holds that nobody has, and call in any order with anything in it.\n"
    "Nobody may believe them, and the others must not notice.\n\n"
    "--gap measures instead: one of five members crashes while clients enter and leave\n"
    "many names all the time.\n\n"
    "Exits with 0; with 1 if a promise was broken, with what happened and the line that\n"
    "replays it; with 2 if the command is wrong; with 3 if it was interrupted.\n\n"
    "Examples:\n"
    "  coterie torture --seeds 1000\n"
    "  coterie torture --mutant no-silence --seeds 1000";

struct TortureOptions {
  std::uint64_t seed = 1;
  std::uint64_t seeds = 100;
  std::uint64_t minutes = 0;
  std::uint64_t threads = std::max(1U, std::thread::hardware_concurrency());
  std::uint64_t story = 40;
  std::string mutant;
  bool broken_clocks = false;
  std::uint64_t hostile = 0;
  bool gap = false;
  bool list = false;
  bool json = false;
};

void list_mutants(bool as_json) {
  if (as_json) {
    ordered_json list = ordered_json::array();
    for (const Mutant& mutant : sim::torture::mutants())
      list.push_back({{"name", mutant.name},
                      {"meaning", mutant.meaning},
                      {"found_by", mutant.is_found ? "torture" : "check"}});
    return print_json({{"mutants", list}});
  }
  constexpr std::size_t kIndent = 24;
  for (const Mutant& mutant : sim::torture::mutants()) {
    fmt::print("{}", wrapped(fmt::format("{:<22}  {}{}", mutant.name, mutant.meaning,
                                         mutant.is_found ? "" : " *"),
                             kIndent));
  }
  fmt::print("\n* is found by `coterie check`, which goes through all orders of events.\n");
}

sim::torture::Mode mode_of(const TortureOptions& options) {
  sim::torture::Mode mode;
  mode.has_broken_clocks = options.broken_clocks;
  mode.hostile = static_cast<std::uint32_t>(options.hostile);
  mode.story = options.story;
  if (options.mutant.empty()) return mode;
  mode.mutant = sim::torture::find_mutant(options.mutant);
  if (mode.mutant == nullptr)
    throw Failure(fmt::format("--mutant: there is no '{}'; --list lists them", options.mutant));
  return mode;
}

Findings run_all(const TortureOptions& options, const sim::torture::Mode& mode) {
  constexpr double kMinute = 60;
  const bool is_timed = options.minutes > 0;
  const sim::torture::Batch batch{
      .first_seed = options.seed,
      .seeds = is_timed ? std::numeric_limits<std::uint64_t>::max() : options.seeds,
      .threads = static_cast<unsigned>(options.threads),
      .mode = mode};
  interrupted();  // from here on Ctrl-C ends the runs, not the program
  ProgressBar bar;
  const StatusLine clock;
  return run_batch(
      batch,
      [&](const Findings& so_far) {
        const double limit = kMinute * static_cast<double>(options.minutes);
        bar.show(is_timed ? clock.seconds() / limit
                          : static_cast<double>(so_far.runs) / static_cast<double>(batch.seeds),
                 fmt::format("{} runs, {} entries", so_far.runs, so_far.entries));
        return !is_timed || clock.seconds() < limit;
      },
      interruption());
}

int run_torture(const TortureOptions& options) {
  if (options.list) {
    list_mutants(options.json);
    return 0;
  }
  if (options.gap) {
    run_torture_gap(options.seed, options.seeds, options.json);
    return interrupted() ? kExitUnfinished : 0;
  }
  const sim::torture::Mode mode = mode_of(options);
  if (!options.json && options.seeds == 1 && options.minutes == 0) {
    fmt::print("replay   {}\n", text_of_command(replay_of(options.seed, mode), 9));
    print_plan(options.seed, mode);
    fmt::print("\n");
    std::fflush(stdout);
  }
  const Findings findings = run_all(options, mode);
  if (options.json) {
    ordered_json json{{"first_seed", options.seed}, {"complete", !interrupted()}};
    json.update(to_json(findings, mode));
    print_json(json);
  } else {
    print_findings(findings, mode);
  }
  if (findings.failed) return kExitFound;
  return interrupted() ? kExitUnfinished : 0;
}

}  // namespace

void add_torture_command(const Command& root) {
  const Command command =
      root.command("torture", "live members under crashes, partitions, pauses and drifting clocks",
                   kTortureFooter);
  const auto options = std::make_shared<TortureOptions>();
  command.option("--seed", options->seed, "of the first run");
  const Option seeds =
      command.option("--seeds", options->seeds, "how many runs, from as many seeds",
                     {.least = 1, .most = 1'000'000'000});
  command
      .option("--minutes", options->minutes, "as many runs as can be made in this time",
              {.least = 1, .most = 100'000})
      .excludes(seeds);
  command.option("--threads", options->threads, "how many runs at once; changes no result",
                 {.least = 1, .most = 256});
  command.option("--mutant", options->mutant, "make a mistake that must be found").value("NAME");
  command.flag("--broken-clocks", options->broken_clocks, "some clocks break their promise");
  command.option("--hostile", options->hostile, "so many clients that want to do harm, too",
                 {.least = 0, .most = 64});
  command.option("--story", options->story, "of a violation, how many lines of what happened");
  command.flag("--gap", options->gap, "measure how long nobody enters after a crash");
  command.flag("--list", options->list, "the mutants, and what is wrong with each");
  command.flag("--json", options->json, "print one JSON object");
  command.runs([options] { return run_torture(*options); });
}

}  // namespace coterie::cli
