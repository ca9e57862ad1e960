// Specs with a hole for a size, such as majority:n=N: one text for systems of many sizes.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "coterie/spec.h"

namespace coterie::quorum {

struct Hole {
  char letter = 'N';  // written after '='
  std::size_t size = 0;
};

bool has_hole(std::string_view spec, char letter);
std::string filled(std::string_view spec, std::span<const Hole> holes);

// The system of the filled spec; if there is none of that size, of the nearest legal shape, where the
// construction names one.
Result<System> parse_filled(std::string_view spec, const ReadFile& read_file);

}  // namespace coterie::quorum
