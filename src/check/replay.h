// A trace taken again: what it breaks, and where.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "check/explore.h"

namespace coterie::check {

struct Fault {
  Property property = Property::safety;
  std::string reason;
  std::size_t step = 0;  // after so many steps of the trace
};

// The first that the trace breaks. Whether everybody can still finish is asked at its end.
std::optional<Fault> first_fault(Space& space, const std::vector<Event>& trace,
                                 std::span<const Property> properties);

}  // namespace coterie::check
