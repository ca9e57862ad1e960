// A type's fields, listed once. What packs and prints a value is derived from the list.
//
//   struct Stamp { Time time; NodeId process; COTERIE_FIELDS(time, process) };
#pragma once

#include <concepts>
#include <string_view>
#include <tuple>

#define COTERIE_FIELDS(...)                                     \
  static constexpr std::string_view kFieldNames = #__VA_ARGS__; \
  auto fields() { return std::tie(__VA_ARGS__); }               \
  auto fields() const { return std::tie(__VA_ARGS__); }

namespace coterie {

template <class T>
concept Listed = requires(T& value, const T& constant) {
  value.fields();
  constant.fields();
};

}  // namespace coterie
