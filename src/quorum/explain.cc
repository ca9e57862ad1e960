// Errors about specs as a person reads them.
#include <algorithm>

#include "coterie/spec.h"
#include "quorum/visible.h"

namespace coterie::quorum {
namespace {

constexpr std::size_t kColumns = 80;
constexpr std::string_view kIndent = "  ";
constexpr std::string_view kLeftOut = "...";

// Bytes of a character after its first, in UTF-8: they take no column of their own.
bool is_continuation(char c) { return (static_cast<unsigned char>(c) & 0xc0U) == 0x80U; }

std::size_t columns(std::string_view text) {
  std::size_t count = 0;
  for (; !text.empty(); ++count) text.remove_prefix(first_character(text).bytes);
  return count;
}

// One column for each character, so that the mark stands under the right one: what is not visible is '?'.
std::string aligned(std::string_view text) {
  std::string shown;
  while (!text.empty()) {
    const Character character = first_character(text);
    shown += character.is_visible ? text.substr(0, character.bytes) : "?";
    text.remove_prefix(character.bytes);
  }
  return shown;
}

// The part of the spec around the place that fits a line, and a mark under the place.
std::string marked(std::string_view spec, std::size_t position) {
  constexpr std::size_t kWidth = kColumns - kIndent.size() - 2 * kLeftOut.size() - 1;
  std::size_t first = 0;
  std::size_t last = spec.size();
  if (spec.size() > kWidth) {
    first = std::min(position - std::min(position, kWidth / 2), spec.size() - kWidth);
    last = first + kWidth;
  }
  while (first > 0 && is_continuation(spec[first])) --first;
  while (last < spec.size() && is_continuation(spec[last])) ++last;
  const std::string before(first == 0 ? "" : kLeftOut);
  const std::string after(last == spec.size() ? "" : kLeftOut);
  const std::string line = before + aligned(spec.substr(first, last - first)) + after;
  const std::size_t offset = before.size() + columns(spec.substr(first, position - first));
  return std::string(kIndent) + line + "\n" + std::string(kIndent) + std::string(offset, ' ') +
         "^\n";
}

}  // namespace

std::string explain(const Error& error, std::string_view spec) {
  std::string text = visible(error.message) + "\n";
  if (error.position) text += marked(spec, std::min(*error.position, spec.size()));
  if (!error.nearest.empty()) text += "nearest: " + visible(error.nearest) + "\n";
  return text;
}

}  // namespace coterie::quorum
