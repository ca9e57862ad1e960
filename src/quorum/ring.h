// Windows on a ring of rows, as torus quorums use them: a window is a full row and the `tail` rows
// after it, none of them empty. Two windows are disjoint if they share no row.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "coterie/budget.h"

namespace coterie::quorum {

// As many pairwise disjoint windows as there can be, but at most `enough`, as their first rows.
// `starts` has the first rows of all windows, increasing.
std::vector<std::size_t> pack_windows(const std::vector<std::size_t>& starts, std::size_t rows,
                                      std::size_t tail, std::size_t enough);

// The probabilities that none, some but not all, all members of a row are up.
struct RowOdds {
  double empty;
  double some;
  double full;
};

// P(h pairwise disjoint windows), the rows being independent: exact. Nothing if the budget does not
// reach. REQUIRES, with r rows: h = 1, or tail = 0, or h = 2 and r >= 3 * tail and r > 2 * tail +
// 1, or h = 3 and r = 4 * tail + 3. The legal tori need no more.
std::optional<double> window_odds(std::span<const RowOdds> rows, std::size_t tail, std::size_t h,
                                  Budget& budget);

}  // namespace coterie::quorum
