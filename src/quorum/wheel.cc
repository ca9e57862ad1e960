// The wheel (Holzman, Marcus and Peleg 1997): member 0 is the hub, the others are the rim. A quorum
// is the hub and one of the rim, or the whole rim: a crumbling wall of two rows, the first of one
// member.
#include <fmt/format.h>

#include <array>

#include "coterie/constructions.h"
#include "quorum/limits.h"

namespace coterie::quorum {

Result<System> wheel(std::size_t n) {
  constexpr std::size_t kSmallest = 3;  // a rim of one member would be a quorum alone
  if (auto error = outside("n", n, kSmallest, kMaxMembers)) {
    error->nearest = fmt::format("wheel:n={}", n < kSmallest ? kSmallest : kMaxMembers);
    return std::move(*error);
  }
  Result<System> wall_form = wall(std::array<std::size_t, 2>{1, n - 1});
  return System(Kind::coterie, fmt::format("wheel:n={}", n), {wall_form->share(0)})
      .with_layout(wall_form->layout());
}

}  // namespace coterie::quorum
