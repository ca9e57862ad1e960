// Everybody: the one quorum has all the members. No fault is survived; nothing is simpler.
#include <fmt/format.h>

#include "coterie/constructions.h"
#include "quorum/limits.h"
#include "quorum/threshold.h"

namespace coterie::quorum {

Result<System> all(std::size_t n) {
  if (auto error = check_members(n)) return std::move(*error);
  return System(Kind::coterie, fmt::format("all:n={}", n), {std::make_shared<Threshold>(n, n)});
}

}  // namespace coterie::quorum
