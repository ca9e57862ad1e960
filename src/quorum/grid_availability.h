// How likely it is that a full row and a full column of a grid are up.
#pragma once

#include <cstddef>
#include <optional>

#include "coterie/budget.h"
#include "coterie/quorum.h"

namespace coterie::quorum {

// n members, row by row; the last row has `last` of them.
struct GridShape {
  // REQUIRES: 0 < width <= n
  GridShape(std::size_t n, std::size_t width)
      : rows((n + width - 1) / width), cols(width), last(n - (rows - 1) * width) {}

  std::size_t rows;
  std::size_t cols;
  std::size_t last;

  std::size_t n() const { return (rows - 1) * cols + last; }
  bool is_full() const { return last == cols; }
  std::size_t width(std::size_t row) const { return row + 1 == rows ? last : cols; }
  std::size_t height(std::size_t col) const { return col < last ? rows : rows - 1; }
  bool exists(std::size_t row, std::size_t col) const { return col < width(row); }
  NodeId at(std::size_t row, std::size_t col) const {
    return static_cast<NodeId>(row * cols + col);
  }
};

// Exact. Nothing if the members differ and neither rows nor columns are few, or if the budget does
// not reach.
std::optional<double> grid_availability(const GridShape& shape, Up up, Budget& budget);

}  // namespace coterie::quorum
