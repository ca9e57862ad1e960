// Lists of whole numbers as specs write them: items separated by '/', and `3x17` for 3 seventeen times.
// Runs of three or more are printed in the short form, so that equal lists have one text.
#pragma once

#include <cstddef>
#include <span>
#include <string>

namespace coterie::quorum {

inline std::string print_list(std::span<const std::size_t> items) {
  constexpr std::size_t kShortestRun = 3;
  std::string text;
  for (std::size_t first = 0; first < items.size();) {
    std::size_t last = first;
    while (last < items.size() && items[last] == items[first]) ++last;
    std::size_t repeats = 1;
    if (last - first >= kShortestRun) repeats = last - first;
    if (!text.empty()) text += '/';
    text += std::to_string(items[first]);
    if (repeats > 1) text += 'x' + std::to_string(repeats);
    first += repeats;
  }
  return text;
}

}  // namespace coterie::quorum
