// A text taken apart: its pieces between marks, and the number that it is.
#pragma once

#include <charconv>
#include <optional>
#include <string_view>
#include <vector>

namespace coterie {

// One piece more than there are marks; pieces may be empty.
inline std::vector<std::string_view> split(std::string_view text, char mark) {
  std::vector<std::string_view> pieces;
  while (true) {
    const std::size_t at = text.find(mark);
    pieces.push_back(text.substr(0, at));
    if (at == std::string_view::npos) return pieces;
    text.remove_prefix(at + 1);
  }
}

// The number that the whole text is, if it is one and the type can hold it.
template <class Number>
std::optional<Number> number_in(std::string_view text) {
  Number value{};
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (failure != std::errc{} || end != text.data() + text.size()) return {};
  return value;
}

}  // namespace coterie
