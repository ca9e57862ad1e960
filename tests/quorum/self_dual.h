// Whether of every set of members and the rest exactly one contains a quorum. For an ordinary coterie
// that is the same as being nondominated (Garcia-Molina and Barbara 1985).
#pragma once

#include "quorum/reference.h"

namespace coterie::quorum::reference {

inline bool is_self_dual(const Family& family) {
  const Table table(family);
  const Mask all = static_cast<Mask>((std::uint64_t{1} << family.n()) - 1);
  for (Mask set = 0; set <= all; ++set) {
    if (table.contains(set) == table.contains(all & ~set)) return false;
  }
  return true;
}

}  // namespace coterie::quorum::reference
