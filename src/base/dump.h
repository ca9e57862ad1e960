// Values as text for people, derived from their fields: for traces and for debugging.
#pragma once

#include <string>
#include <string_view>

#include "base/pack.h"

namespace coterie {

template <class T>
void dump(std::string& to, const T& value);
void dump(std::string& to, const NodeSet& set);  // {0,2,5}

namespace dumping {

// The mark, but not before the first.
void separate(std::string& to, bool& first, std::string_view mark);
// The next of "a_, b, c", without the mark of a private member, and takes it off.
void dump_name(std::string& to, std::string_view& names);

template <class Fields>
void dump_fields(std::string& to, std::string_view names, const Fields& fields) {
  bool first = true;
  const auto one = [&](const auto& field) {
    separate(to, first, ", ");
    dump_name(to, names);
    to += ' ';
    dump(to, field);
  };
  std::apply([&](const auto&... field) { (one(field), ...); }, fields);
}

}  // namespace dumping

template <class T>
void dump(std::string& to, const T& value) {
  if constexpr (requires { value.describe(to); }) {
    value.describe(to);
  } else if constexpr (std::same_as<T, bool>) {
    to += value ? "yes" : "no";
  } else if constexpr (std::is_enum_v<T> || std::unsigned_integral<T>) {
    to += std::to_string(static_cast<std::uint64_t>(value));
  } else if constexpr (std::same_as<T, Bytes>) {
    to += std::to_string(value.size()) + " bytes";
  } else if constexpr (Listed<T>) {
    if constexpr (requires { T::kName; }) to += T::kName;
    to += '(';
    if constexpr (requires { T::kFieldNames; }) {
      dumping::dump_fields(to, T::kFieldNames, value.fields());
    } else {
      dump(to, value.fields());
    }
    to += ')';
  } else if constexpr (packing::is_optional<T>) {
    if (value) {
      dump(to, *value);
    } else {
      to += '-';
    }
  } else if constexpr (packing::is_variant<T>) {
    std::visit([&](const auto& alternative) { dump(to, alternative); }, value);
  } else if constexpr (packing::Tuple<T>) {
    bool first = true;
    const auto one = [&](const auto& part) {
      dumping::separate(to, first, " ");
      dump(to, part);
    };
    std::apply([&](const auto&... part) { (one(part), ...); }, value);
  } else {
    to += '[';
    bool first = true;
    for (const auto& item : value) {
      dumping::separate(to, first, ", ");
      dump(to, item);
    }
    to += ']';
  }
}

template <class T>
std::string dumped(const T& value) {
  std::string text;
  dump(text, value);
  return text;
}

}  // namespace coterie
