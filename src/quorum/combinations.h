// All ways to choose `count` of the members first..last-1, one after another, in lexicographic order.
#pragma once

#include <cstddef>
#include <numeric>
#include <vector>

#include "coterie/node_set.h"

namespace coterie::quorum {

// Puts each choice in turn into `set`, calls visit(), and takes it out again. Stops, and answers
// false, as soon as visit answers false. REQUIRES: set contains none of first..last-1
template <class Visit>
bool for_each_choice(NodeId first, NodeId last, std::size_t count, NodeSet& set, Visit visit) {
  const std::size_t total = last - first;
  if (count > total) return true;
  std::vector<NodeId> chosen(count);
  std::iota(chosen.begin(), chosen.end(), first);
  for (const NodeId member : chosen) set.insert(member);
  bool go_on = visit();
  while (go_on) {
    // The last position that can still move up; those behind it follow it closely.
    std::size_t position = count;
    while (position > 0 && chosen[position - 1] == last - (count - position) - 1) --position;
    if (position == 0) break;
    for (std::size_t i = position - 1; i < count; ++i) set.erase(chosen[i]);
    ++chosen[position - 1];
    for (std::size_t i = position; i < count; ++i) chosen[i] = chosen[i - 1] + 1;
    for (std::size_t i = position - 1; i < count; ++i) set.insert(chosen[i]);
    go_on = visit();
  }
  for (const NodeId member : chosen) set.erase(member);
  return go_on;
}

}  // namespace coterie::quorum
