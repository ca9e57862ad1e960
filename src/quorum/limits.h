// The checks that every constructor begins with.
#pragma once

#include <fmt/format.h>

#include <cstddef>
#include <optional>

#include "coterie/constructions.h"
#include "coterie/result.h"

namespace coterie::quorum {

// An Error if value is not in low..high. Its nearest form is of the parameter alone, such as n=1; who
// knows the whole spec completes it.
inline std::optional<Error> outside(const char* parameter, std::size_t value, std::size_t low,
                                    std::size_t high) {
  if (value >= low && value <= high) return std::nullopt;
  return Error{
      .message = fmt::format("{} must be from {} to {}, not {}", parameter, low, high, value),
      .parameter = parameter,
      .nearest = fmt::format("{}={}", parameter, value < low ? low : high)};
}

inline std::optional<Error> check_members(std::size_t n) { return outside("n", n, 1, kMaxMembers); }

}  // namespace coterie::quorum
