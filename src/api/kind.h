// What a name stands for, as every client that uses it must agree.
#pragma once

#include <compare>
#include <cstdint>
#include <limits>
#include <string>

#include "base/fields.h"

namespace coterie::api {

enum class Type : std::uint8_t { mutex, room, semaphore, band };
inline constexpr std::uint32_t kNoMax = std::numeric_limits<std::uint32_t>::max();
struct Kind {
  Type type = Type::mutex;
  std::uint32_t min = 0;  // of a band: at least so many stay inside
  std::uint32_t max = 1;  // so many are inside at once; of a room: of so many groups

  auto operator<=>(const Kind&) const = default;
  COTERIE_FIELDS(type, min, max)
};
std::string text_of(const Kind& kind);   // a mutex
std::string fault_of(const Kind& kind);  // in words; empty if there is none
// Whether those inside are counted (member/counting.h), or one group is inside at a time (member/sharing.h).
inline bool is_counted(const Kind& kind) {
  return kind.type >= Type::semaphore || (kind.type == Type::room && kind.max > 1);
}
// The same, but for their numbers: by one algorithm, in which these may change.
inline bool are_alike(const Kind& one, const Kind& other) {
  return one.type == other.type && is_counted(one) == is_counted(other);
}

}  // namespace coterie::api
