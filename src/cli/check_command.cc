#include "cli/check_command.h"

#include <algorithm>
#include <memory>
#include <thread>

#include "check/plan_options.h"
#include "cli/check_list.h"
#include "cli/check_protocol.h"
#include "cli/check_suite.h"
#include "cli/input.h"
#include "cli/options.h"

namespace coterie::cli {
namespace {

struct CheckCommand {
  ProtocolOptions protocol;
  SuiteOptions suite;
  bool list = false;
  bool json = false;
  unsigned threads = std::max(1U, std::thread::hardware_concurrency());
  std::uint64_t memory = 4096;
};

void add_plan_option(CLI::App& command, const check::PlanOption& option, check::Plan& plan) {
  const std::string name = "--" + std::string(option.name);
  const std::string meaning(option.meaning);
  const auto set = [&plan, &option, name](const std::string& text) {
    const std::string wrong = option.set(plan, text);
    if (!wrong.empty()) throw CLI::ValidationError(name, wrong);
  };
  if (option.value.empty()) {
    command
        .add_flag_callback(
            name, [set] { set(""); }, meaning)
        ->group("The setting");
    return;
  }
  CLI::Option* added = command.add_option_function<std::vector<std::string>>(
      name,
      [set](const std::vector<std::string>& texts) {
        for (const std::string& text : texts) set(text);
      },
      meaning);
  added->type_name(std::string(option.value))->allow_extra_args(false)->group("The setting");
  if (!option.repeats) added->expected(1)->multi_option_policy(CLI::MultiOptionPolicy::Throw);
}

void run(CheckCommand& given, bool is_suite, int& exit_code) {
  const bool is_protocol = !given.protocol.plan.protocol.empty() || !given.protocol.replay.empty();
  if (int{given.list} + int{is_suite} + int{is_protocol} != 1) {
    throw Failure("check takes one of: a PROTOCOL with its options, --replay, --suite, --list");
  }
  if (given.list) return list_protocols(given.json);
  given.protocol.threads = given.suite.threads = given.threads;
  given.protocol.memory = given.suite.memory = given.memory;
  given.protocol.json = given.suite.json = given.json;
  if (is_suite) {
    exit_code = run_suite(given.suite);
  } else {
    exit_code = given.protocol.replay.empty() ? check_protocol(given.protocol)
                                              : replay_trace(given.protocol);
  }
}

}  // namespace

void add_check_command(CLI::App& app, int& exit_code) {
  CLI::App* command =
      app.add_subcommand("check", "explore every state of a protocol: is its rule ever broken?");
  const auto given = std::make_shared<CheckCommand>();
  ProtocolOptions& protocol = given->protocol;
  command->add_option("PROTOCOL", protocol.plan.protocol,
                      "such as maekawa, surrogate+entry or surrogate@E1 (see --list)");
  for (const check::PlanOption& option : check::plan_options())
    add_plan_option(*command, option, protocol.plan);

  command->add_option("--threads", given->threads, "how many search at once")
      ->capture_default_str()
      ->check(CLI::Range(1, 256));
  command->add_option("--memory", given->memory, "MiB to use at most; over it: unfinished")
      ->capture_default_str()
      ->check(CLI::Range(1, 1 << 24));

  command->add_option("--trace", protocol.trace, "write the steps of a violation to this file")
      ->type_name("FILE");
  command->add_option("--replay", protocol.replay, "step the trace in this file again")
      ->type_name("FILE")
      ->excludes("--trace");
  command->add_option("--plot", protocol.plot, "draw the trace into this .svg file")
      ->type_name("FILE");
  command->add_flag("--state", protocol.state, "also what each process holds after the trace");

  command->add_flag("--list", given->list, "the protocols, their variants and their mutants");
  CLI::Option* suite = command->add_option(
      "--suite", given->suite.names, "run the catalogue of checks, or those whose names begin so");
  suite->type_name("[NAME...]")->expected(0, -1);
  command->add_flag("--soak", given->suite.soak, "with --suite: also those that take long")
      ->needs(suite);
  command->add_flag("--json", given->json, "print one JSON object");
  command->footer(
      "Exits with 0 if all holds, 1 if something is violated, 3 if the search could not be\n"
      "finished, 2 if the command is wrong.\n\n"
      "Examples:\n"
      "  coterie check maekawa --system majority:n=3 --requests 2\n"
      "  coterie check maekawa@S1 --system majority:n=3 --requests 2 --plot trace.svg");
  command->callback([given, suite, &exit_code] { run(*given, suite->count() > 0, exit_code); });
}

}  // namespace coterie::cli
