// The grammar of specs, from text to a tree of names and parameters. It knows no construction.
//
//   system    := base ['@' inner]
//   inner     := system | '[' system (';' system)* ']'
//   base      := name [':' parameter (',' parameter)*] | 'file:' path
//   parameter := key '=' value
//   value     := number | number ['x' number] ('/' number ['x' number])* | 'yes' | 'no'
//
// Places are offsets into the whole spec; texts are parts of it, and live as long as it does.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "coterie/result.h"

namespace coterie::quorum {

inline constexpr std::size_t kMaxSpecLength = 64UL * 1024;
inline constexpr std::size_t kMaxNesting = 16;
inline constexpr std::size_t kMaxNumber = 1'000'000'000'000;

struct ParameterText {
  std::string_view key;
  std::string_view value;
  std::size_t key_at = 0;
  std::size_t value_at = 0;
};

struct SystemText {
  std::size_t at = 0;   // of the base
  std::size_t end = 0;  // one past the base
  std::string_view name;
  std::vector<ParameterText> parameters;
  std::string_view path;  // of a file
  std::size_t path_at = 0;
  std::vector<SystemText> inner;  // one for all, or a list
  bool is_list = false;
  std::size_t inner_at = 0;
};

Result<SystemText> read_system(std::string_view spec);

Result<std::size_t> read_number(std::string_view text, std::size_t at);
// At most `max_items`, repetitions counted.
Result<std::vector<std::size_t>> read_list(std::string_view text, std::size_t at,
                                           std::size_t max_items);
Result<bool> read_yes_or_no(std::string_view text, std::size_t at);

Error error_at(std::size_t position, std::string message);

}  // namespace coterie::quorum
