// Scripts that complete command lines in a shell, from what the program declares. They hold all there is to
// know, so that nothing is run when a key is pressed.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/command_line.h"

namespace coterie::cli {

// What may stand for an option's value, or in a place: words of which one may go on (majority:) end in a
// colon. `path` is of the command: "coterie dev".
using Vocabulary =
    std::function<std::vector<std::string>(std::string_view path, const OptionText& option)>;

std::string bash_completion(const CommandText& program, const Vocabulary& vocabulary);
std::string zsh_completion(const CommandText& program, const Vocabulary& vocabulary);
std::string fish_completion(const CommandText& program, const Vocabulary& vocabulary);

}  // namespace coterie::cli
