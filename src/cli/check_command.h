// `coterie check`: the options. What it does is in files of its own, so that the parser of command lines,
// which takes long to compile, stays here.
#pragma once

#include <CLI/CLI.hpp>

namespace coterie::cli {

// Adds the command to `app`; the code with which the program should exit is left in `exit_code`.
void add_check_command(CLI::App& app, int& exit_code);

}  // namespace coterie::cli
