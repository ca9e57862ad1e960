// What the papers say that an entry costs which nobody disturbs.
#pragma once

#include <optional>
#include <string>

#include "protocol/catalogue.h"

namespace coterie::cli {

// REQUIRES of the numbers: the process's quorums are those that the setting gives it.
struct Formula {
  std::string text;                   // 3q
  double messages = 0;                // those to oneself included
  std::string remote_text = {};       // 3(q-1)
  std::optional<double> remote = {};  // none: it depends on who is who
};

// Of an entry, or of a pair of exit and entry, by this process; nothing if no paper says.
std::optional<Formula> formula_of(const protocol::Choice& choice, const protocol::Setting& setting,
                                  NodeId process);

}  // namespace coterie::cli
