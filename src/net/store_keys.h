// Under which keys a store has its values.
#pragma once

#include <string_view>

namespace coterie::net {

inline constexpr std::string_view kMemberKey = "member";  // member::Durable
inline constexpr std::string_view kOffsetKey = "offset";  // of the sequence
inline constexpr char kKeepsakeKey = '/';                 // before the name that it belongs to
inline constexpr char kPropertyKey = '+';                 // before its own key

}  // namespace coterie::net
