// `coterie quorum show|check|analyze|compare`: quorum systems on the command line.
#pragma once

#include <CLI/CLI.hpp>

namespace coterie::cli {

// Adds the command to `app`; the code with which the program should exit is left in `exit_code`.
void add_quorum_command(CLI::App& app, int& exit_code);

// Its parts, one file each.
void add_quorum_list(CLI::App& quorum);
void add_quorum_show(CLI::App& quorum);
void add_quorum_check(CLI::App& quorum, int& exit_code);
void add_quorum_analyze(CLI::App& quorum);
void add_quorum_compare(CLI::App& quorum);

}  // namespace coterie::cli
