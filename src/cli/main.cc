// The `coterie` command. Exit codes: 0 it worked; 1 it worked, and found what should not be, or could
// not be finished; 2 bad input, and nothing was done.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <exception>
#include <string>
#include <vector>

#include "cli/input.h"
#include "cli/quorum_command.h"
#include "cli/reproduce_command.h"

namespace {

constexpr const char* kVersion = "0.1.0";

// CLI11 would say only that a command is missing.
void refuse_unknown_command(const CLI::App& app, int argc, char** argv) {
  const CLI::App* at = &app;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    const auto commands = at->get_subcommands([](const CLI::App*) { return true; });
    if (commands.empty() || word.starts_with('-')) return;
    const auto next = std::find_if(commands.begin(), commands.end(), [&](const CLI::App* command) {
      return command->get_name() == word;
    });
    if (next == commands.end()) {
      std::vector<std::string> names;
      for (const CLI::App* command : commands) names.push_back(command->get_name());
      throw coterie::cli::Failure(
          fmt::format("there is no command '{}'; there are: {}", word, fmt::join(names, ", ")));
    }
    at = *next;
  }
}

int run(int argc, char** argv) {
  CLI::App app{"Coterie: leaderless coordination for fleets", "coterie"};
  app.require_subcommand(1);
  app.set_version_flag("--version", kVersion);
  app.footer("Each command has --help with an example, and --json.");
  app.failure_message([](const CLI::App* failed, const CLI::Error& error) {
    return fmt::format("coterie: {}\nRun with --help for more information: {} --help\n",
                       error.what(), failed->get_display_name());
  });
  int exit_code = 0;
  coterie::cli::add_quorum_command(app, exit_code);
  coterie::cli::add_reproduce_command(app, exit_code);
  refuse_unknown_command(app, argc, argv);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : coterie::cli::kExitUsage;
  }
  return exit_code;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    const int exit_code = run(argc, argv);
    // What was printed must have arrived: a full disk is an error too.
    if (std::fflush(stdout) != 0) throw coterie::cli::Failure("cannot write the output", 1);
    return exit_code;
  } catch (const coterie::cli::Failure& failure) {
    fmt::print(stderr, "coterie: {}\n", failure.what());
    return failure.exit_code();
  } catch (const std::exception& error) {
    fmt::print(stderr, "coterie: internal error: {}\n", error.what());
    return 1;
  }
}
