#include "cli/check_command.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <thread>
#include <vector>

#include "check/models.h"
#include "check/plan_options.h"
#include "cli/check_list.h"
#include "cli/check_model.h"
#include "cli/check_protocol.h"
#include "cli/check_replay.h"
#include "cli/check_suite.h"
#include "cli/check_walk.h"
#include "cli/input.h"
#include "cli/plan_flags.h"

namespace coterie::cli {
namespace {

struct CheckOptions {
  std::vector<std::string> words;  // a protocol; or, with --suite, names of checks
  PlanFlags<check::Plan> plan{check::plan_options()};
  std::uint64_t threads = std::max(1U, std::thread::hardware_concurrency());
  std::uint64_t memory = 4096;  // MiB
  WalkOptions walk;
  TraceFiles files;
  std::string replay;
  bool state = false;
  bool list = false;
  bool suite = false;
  bool soak = false;
  bool json = false;
};

check::Plan plan_of(const CheckOptions& options) {
  check::Plan plan;
  if (!options.suite && options.words.size() > 1)
    throw Failure(fmt::format("one protocol at a time, not {}", fmt::join(options.words, ", ")));
  if (!options.suite && !options.words.empty()) plan.protocol = options.words.front();
  options.plan.read_into(plan);
  return plan;
}

// What a way of checking does not heed.
struct Unheeded {
  bool plan = true;   // the options of a protocol
  bool files = true;  // what shows the steps of a violation
  bool walks = true;
};

// A verdict must not be of another question than was asked: what is given and would not be heeded is refused.
void refuse(const CheckOptions& options, const Unheeded& unheeded, std::string_view why) {
  std::vector<std::string_view> given;
  const check::Plan plan = plan_of(options);
  for (const check::PlanOption& option : check::plan_options())
    if (unheeded.plan && !option.get(plan).empty()) given.push_back(option.name);
  if (unheeded.files && !options.files.trace.empty()) given.emplace_back("trace");
  if (unheeded.files && !options.files.plot.empty()) given.emplace_back("plot");
  if (unheeded.files && options.state) given.emplace_back("state");
  if (unheeded.walks && options.walk.walks > 0) given.emplace_back("walks");
  if (!given.empty()) throw Failure(fmt::format("--{} means nothing here: {}", given.front(), why));
}

int run_protocol(const CheckOptions& options, unsigned threads) {
  const ProtocolOptions protocol{.plan = plan_of(options),
                                 .threads = threads,
                                 .memory = options.memory,
                                 .files = options.files,
                                 .state = options.state,
                                 .json = options.json};
  if (!options.replay.empty()) {
    refuse(options, {.plan = options.words.empty(), .files = false},
           "--replay steps what the file says, unless a PROTOCOL is given with its options");
    return replay_trace(protocol, options.replay);
  }
  if (options.walk.walks == 0) return check_protocol(protocol);
  refuse(options, {.plan = false, .walks = false}, "random walks (--walks) print their last steps");
  if (protocol.plan.reduce)
    throw Failure("--reduce is of a search; random walks (--walks) take any order of steps");
  return walk_protocol(protocol.plan, options.walk, options.json);
}

int run_check(const CheckOptions& options) {
  const bool is_protocol = (!options.suite && !options.words.empty()) || !options.replay.empty();
  if (int{options.list} + int{options.suite} + int{is_protocol} != 1) {
    throw Failure("check takes one of: a PROTOCOL with its options, --replay, --suite, --list");
  }
  if (options.list) {
    refuse(options, {}, "--list takes only --json");
    list_protocols(options.json);
    return 0;
  }
  const auto threads = static_cast<unsigned>(options.threads);
  if (options.suite) {
    refuse(options, {}, "each check of --suite has options of its own");
    return run_suite({.names = options.words,
                      .soak = options.soak,
                      .threads = threads,
                      .memory = options.memory,
                      .json = options.json});
  }
  const bool is_model = options.words.size() == 1 && check::is_model(options.words.front());
  if (!is_model || !options.replay.empty()) return run_protocol(options, threads);
  refuse(options, {}, "the name of a model says all that is explored");
  return check_model(
      {.plan = options.words.front(), .memory = options.memory, .json = options.json});
}

void add_walk_options(const Command& command, WalkOptions& walk) {
  const Option walks =
      command.option("--walks", walk.walks,
                     "no search: so many random walks, in which all ask for ever; with faults, "
                     "runs from the start to an end");
  command.option("--steps", walk.steps, "of each walk", {.least = 1}).needs(walks);
  command
      .option("--patience", walk.patience, "for how many steps a message may be kept back",
              {.least = 1})
      .needs(walks);
  command.option("--seed", walk.seed, "of the walks").needs(walks);
}

}  // namespace

void add_check_command(const Command& root) {
  const Command command = root.command(
      "check", "explore every state of a protocol: is its rule ever broken?",
      "Exits with 0 if all holds, 1 if something is violated, 3 if the search could not\n"
      "be finished, 2 if the command is wrong.\n\n"
      "Examples:\n"
      "  coterie check maekawa --system majority:n=3 --requests 2\n"
      "  coterie check maekawa@S1 --system majority:n=3 --requests 2 --plot trace.svg\n"
      "  coterie check --suite");
  const auto options = std::make_shared<CheckOptions>();
  command
      .option("PROTOCOL", options->words,
              "such as maekawa, surrogate+entry or maekawa@S1, or calls:two-copies; with --suite, "
              "names of checks")
      .value("");
  options->plan.add_to(command);
  command.option("--threads", options->threads, "how many search at once",
                 {.least = 1, .most = 256});
  command.option("--memory", options->memory, "MiB to use at most; over it: unfinished",
                 {.least = 1, .most = 1U << 24U});
  add_walk_options(command, options->walk);
  const Option trace =
      command.option("--trace", options->files.trace, "write the steps of a violation");
  trace.value("FILE");
  command.option("--replay", options->replay, "step such a file again")
      .value("FILE")
      .excludes(trace);
  command.option("--plot", options->files.plot, "draw the steps of a violation").value("FILE.svg");
  command.flag("--state", options->state, "also what each process holds after these steps");
  command.flag("--list", options->list, "the protocols, their variants and their mutants");
  const Option suite = command.flag("--suite", options->suite,
                                    "run the catalogue of checks, or those whose names begin so");
  command.flag("--soak", options->soak, "with --suite: also those that take long").needs(suite);
  command.flag("--json", options->json, "print one JSON object");
  command.runs([options] { return run_check(*options); });
}

}  // namespace coterie::cli
