#include "quorum/sized.h"

#include <algorithm>

namespace coterie::quorum {

bool has_hole(std::string_view spec, char letter) {
  return spec.find(std::string{'=', letter}) != std::string_view::npos;
}

std::string filled(std::string_view spec, std::span<const Hole> holes) {
  std::string text;
  for (std::size_t i = 0; i < spec.size(); ++i) {
    const auto hole = std::find_if(holes.begin(), holes.end(), [&](const Hole& each) {
      return i > 0 && spec[i - 1] == '=' && spec[i] == each.letter;
    });
    text += hole == holes.end() ? std::string(1, spec[i]) : std::to_string(hole->size);
  }
  return text;
}

Result<System> parse_filled(std::string_view spec, const ReadFile& read_file) {
  Result<System> system = parse(spec, read_file);
  if (system || system.error().nearest.empty()) return system;
  Result<System> nearest = parse(system.error().nearest, read_file);
  return nearest ? nearest : system;
}

}  // namespace coterie::quorum
