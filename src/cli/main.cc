// The `coterie` command. Exit codes: 0 it worked; 1 it worked, and found what should not be, or could
// not be finished; 2 bad input, and nothing was done.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <exception>

#include "cli/input.h"
#include "cli/quorum_command.h"
#include "cli/reproduce_command.h"

namespace {

constexpr const char* kVersion = "0.1.0";

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
