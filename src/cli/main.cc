// The `coterie` command. Exit codes: 0 it worked; 1 it worked, and found what should not be, or what it
// wrote did not arrive; 2 bad input, and nothing was done; 3 a search could not be finished.
#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <exception>
#include <string>

#include "cli/check_command.h"
#include "cli/command_line.h"
#include "cli/completion_command.h"
#include "cli/dev_command.h"
#include "cli/hold_command.h"
#include "cli/input.h"
#include "cli/lasting_command.h"
#include "cli/quorum_command.h"
#include "cli/reproduce_command.h"
#include "cli/serve_command.h"
#include "cli/set_command.h"
#include "cli/sim_command.h"
#include "cli/status_command.h"
#include "cli/terminal.h"
#include "cli/torture_command.h"
#include "net/log.h"
#include "quorum/visible.h"

namespace {

constexpr const char* kVersion = "0.1.0";

int run(int argc, char** argv) {
  coterie::cli::Program program("coterie", "Coterie: leaderless coordination for fleets", kVersion,
                                "Each command has --help with an example; most have --json.");
  coterie::cli::add_dev_command(program.root());
  coterie::cli::add_serve_command(program.root());
  coterie::cli::add_hold_commands(program.root());
  coterie::cli::add_lasting_commands(program.root());
  coterie::cli::add_set_command(program.root());
  coterie::cli::add_status_command(program.root());
  coterie::cli::add_quorum_command(program.root());
  coterie::cli::add_check_command(program.root());
  coterie::cli::add_sim_command(program.root());
  coterie::cli::add_torture_command(program.root());
  coterie::cli::add_reproduce_command(program.root());
  coterie::cli::add_completion_command(program);
  return program.run(argc, argv);
}

}  // namespace

int main(int argc, char** argv) {
  coterie::net::hush_libraries();
  try {
    const int exit_code = run(argc, argv);
    // What was printed must have arrived: a full disk is an error too.
    if (std::fflush(stdout) != 0) throw coterie::cli::Failure("cannot write the output", 1);
    return exit_code;
  } catch (const coterie::cli::Failure& failure) {
    const std::string text = fmt::format("coterie: {}\n", coterie::quorum::visible(failure.what()));
    fmt::print(stderr, "{}", coterie::cli::folded(text, STDERR_FILENO));
    return failure.exit_code();
  } catch (const std::exception& error) {
    fmt::print(stderr, "coterie: internal error: {}\n", error.what());
    return 1;
  }
}
