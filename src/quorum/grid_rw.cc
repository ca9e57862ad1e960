// Rows x cols members: a read quorum is a full row, a write quorum is one member of each row (the
// grid of the quoracle paper; Whittaker et al. 2021). Every write meets every read, in the read's
// row. Writes need not meet one another: `cols` of them are disjoint, as `rows` reads are.
#include <fmt/format.h>

#include <utility>

#include "coterie/constructions.h"
#include "quorum/rows.h"

namespace coterie::quorum {
namespace {

std::string grid_rw_spec(std::size_t rows, std::size_t cols) {
  return fmt::format("grid-rw:rows={},cols={}", rows, cols);
}

}  // namespace

Result<System> grid_rw(std::size_t rows, std::size_t cols) {
  if (auto error = rectangle_error(rows, cols, grid_rw_spec)) return std::move(*error);
  return System(Kind::write_read, grid_rw_spec(rows, cols),
                {row_covers(rows, cols), full_rows(rows, cols)})
      .with_layout(rows_layout(rows, cols));
}

}  // namespace coterie::quorum
