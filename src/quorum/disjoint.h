// A family of quorums that are pairwise disjoint: the rows of a grid, one group of a surficial
// system. Everything about it is a question about independent blocks.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "coterie/quorum.h"

namespace coterie::quorum {

struct MemberRange {
  NodeId first;
  NodeId last;  // first..last-1
};

// One list of ranges per quorum. Members in no quorum are allowed: they may ask, but are never
// asked. REQUIRES: at least one quorum; all of one size, above 0; all ranges disjoint, in 0..n-1.
std::shared_ptr<const Family> disjoint_quorums(
    std::size_t n, const std::vector<std::vector<MemberRange>>& quorums);

}  // namespace coterie::quorum
