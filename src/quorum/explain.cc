// Errors about specs as a person reads them.
#include <algorithm>

#include "coterie/spec.h"

namespace coterie::quorum {
namespace {

constexpr std::size_t kColumns = 80;
constexpr std::string_view kIndent = "  ";
constexpr std::string_view kLeftOut = "...";

// Bytes of a character after its first, in UTF-8: they take no column of their own.
bool is_continuation(char c) { return (static_cast<unsigned char>(c) & 0xc0U) == 0x80U; }

std::size_t columns(std::string_view text) {
  return text.size() -
         static_cast<std::size_t>(std::count_if(text.begin(), text.end(), is_continuation));
}

// What would move the cursor, or hide, is shown as '?'.
std::string visible(std::string_view text) {
  std::string shown(text);
  for (char& c : shown) {
    if (static_cast<unsigned char>(c) < ' ' || c == '\x7f') c = '?';
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
  const std::string line = before + visible(spec.substr(first, last - first)) + after;
  const std::size_t offset = before.size() + columns(spec.substr(first, position - first));
  return std::string(kIndent) + line + "\n" + std::string(kIndent) + std::string(offset, ' ') +
         "^\n";
}

}  // namespace

std::string explain(const Error& error, std::string_view spec) {
  std::string text = error.message + "\n";
  if (error.position) text += marked(spec, std::min(*error.position, spec.size()));
  if (!error.nearest.empty()) text += "nearest: " + error.nearest + "\n";
  return text;
}

}  // namespace coterie::quorum
