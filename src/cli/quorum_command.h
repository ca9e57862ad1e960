// `coterie quorum list|show|check|analyze|compare`: the options of each. What they do is in a file of its
// own, so that the parser of command lines, which takes long to compile, stays here.
#pragma once

#include <CLI/CLI.hpp>

namespace coterie::cli {

// Adds the command to `app`; the code with which the program should exit is left in `exit_code`.
void add_quorum_command(CLI::App& app, int& exit_code);

}  // namespace coterie::cli
