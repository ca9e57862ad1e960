// The text form of quorum systems, the same everywhere: `grid:rows=5,cols=5`. docs/quorums.md has
// the grammar. Errors point at the bad character.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "coterie/quorum.h"
#include "coterie/result.h"

namespace coterie::quorum {

// Gives the text of the file that a `file:PATH` spec names. This library reads no files itself.
using ReadFile = std::function<Result<std::string>(const std::string& path)>;

Result<System> parse(std::string_view spec, const ReadFile& read_file = {});

// The error as a person reads it: the message, then the spec with a mark under the bad character.
std::string explain(const Error& error, std::string_view spec);

struct ConstructionInfo {
  std::string_view name;
  std::string_view parameters;  // as a form: "rows=R,cols=C"
  std::string_view example;     // a legal spec
  std::string_view summary;     // what a quorum is
};
std::span<const ConstructionInfo> constructions();

}  // namespace coterie::quorum
