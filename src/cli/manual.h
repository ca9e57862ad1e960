// The manual page of the whole command: its options from what is declared, the rest from manual.cc.
#pragma once

#include <string>

#include "cli/command_line.h"

namespace coterie::cli {

// For `man`, in the macros of man(7).
std::string manual_page(const CommandText& program);

}  // namespace coterie::cli
