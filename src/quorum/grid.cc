// The grid (Maekawa 1985): a quorum is one full row and one full column. Members are numbered row
// by row; the last row may be short, and then a column is the members that exist in it.
//
// Any two quorums meet: a row misses a column only if it is the short last row and the column ends
// above it. For two quorums to be disjoint, the row of each would have to miss the column of the
// other, so both would have the last row: but then they share it.
//
// Some shapes make one row and column contain another. Only these do, since a line other than one's
// own is covered only if it has a single member, where it crosses:
//   one row, or one column          everything is the only quorum
//   two rows, the last one short    the row 0 with a short column is the row 0 alone, so the row 0
//                                   with a long column is not minimal
//   a last row of one member        it lies in column 0, so column 0 with it is column 0 alone, and
//                                   column 0 with another row is not minimal
// The family has the minimal ones only, each once: Grid::minimal gives the row and the column that
// stand for it.
#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "coterie/constructions.h"
#include "quorum/cost.h"
#include "quorum/grid_availability.h"
#include "quorum/limits.h"

namespace coterie::quorum {
namespace {

struct Cross {
  std::size_t row;
  std::size_t col;
  friend bool operator==(const Cross&, const Cross&) = default;
};

std::uint64_t low_bits(std::size_t count) {
  return count < NodeSet::kWordBits ? (std::uint64_t{1} << count) - 1 : ~std::uint64_t{0};
}

class Grid final : public Family {
 public:
  explicit Grid(const GridShape& shape) : Family(shape.n(), 1), shape_(shape) {
    // Every kind of row with every kind of column.
    for (const std::size_t row : {std::size_t{0}, shape_.rows - 1}) {
      for (const std::size_t col : {std::size_t{0}, shape_.cols - 1}) {
        const std::size_t size = size_of(minimal({row, col}));
        min_size_ = std::min(min_size_, size);
        max_size_ = std::max(max_size_, size);
      }
    }
  }

  std::size_t min_size() const override { return min_size_; }
  std::size_t max_size() const override { return max_size_; }

  // Dominated, but for two shapes, since some set hits every row, so that nothing outside it
  // contains a quorum, and contains no quorum itself: a member of each row will do if no row has
  // but one member. If the last row has, and two more are above it, take it, (0,1) and (1,0):
  // neither column is full. Two rows, the last of one member, are a wheel, which is nondominated.
  Claims claims() const override {
    const bool is_wheel = shape_.rows == 2 && shape_.last == 1 && shape_.cols > 1;
    return {true, n() == 1 || is_wheel, shape_.is_full()};
  }

  bool contains_quorum(const NodeSet& set) const override {
    return has_full_row(set) && has_full_column(set);
  }

  std::optional<NodeSet> find_quorum(const NodeSet& available, Costs costs) const override {
    const std::vector<Line> rows = full_lines(available, costs, shape_.rows, shape_.cols, false);
    const std::vector<Line> cols = full_lines(available, costs, shape_.cols, shape_.rows, true);
    std::optional<Cross> best;
    Cost best_cost = std::numeric_limits<Cost>::max();
    for (const Line& row : rows) {
      for (const Line& col : cols) {
        const std::optional<Cost> cost = cost_of_cross(row, col, costs);
        if (cost && *cost < best_cost) {
          best = {row.index, col.index};
          best_cost = *cost;
        }
      }
    }
    if (!best) return std::nullopt;
    return quorum(*best);
  }

  Packing pack(const NodeSet& available, std::size_t h, Budget& /*budget*/) const override {
    if (h == 0) return {Verdict::yes, {}};
    if (h > 1) return {};
    std::optional<NodeSet> found = find_quorum(available, {});
    if (!found) return {};
    return {Verdict::yes, {std::move(*found)}};
  }

  NodeSet home_quorum(NodeId member) const override { return quorum(home(member)); }

  NodeSet clients_of(NodeId node) const override {
    const Cross place = place_of(node);
    NodeSet clients(n());
    for (NodeId member = 0; member < n(); ++member) {
      const Cross cross = home(member);
      if (cross.row == place.row || cross.col == place.col) clients.insert(member);
    }
    return clients;
  }

  bool for_each_quorum(const Visit& visit) const override {
    for (std::size_t row = 0; row < shape_.rows; ++row) {
      for (std::size_t col = 0; col < shape_.cols; ++col) {
        if (minimal({row, col}) == Cross{row, col} && !visit(quorum({row, col}))) return false;
      }
    }
    return true;
  }

  std::optional<double> availability(std::size_t h, Up up, Budget& budget) const override {
    if (h == 0) return 1;
    if (h > 1) return 0;
    return grid_availability(shape_, up, budget);
  }

  // Blockers hit every row or every column: if one misses a row, then each column makes a quorum
  // with that row, and must be hit itself.
  std::optional<Cost> cheapest_blocker(Costs costs, Budget& /*budget*/) const override {
    constexpr Cost kNone = std::numeric_limits<Cost>::max();
    std::vector<Cost> in_row(shape_.rows, kNone);
    std::vector<Cost> in_col(shape_.cols, kNone);
    for (NodeId member = 0; member < n(); ++member) {
      const auto [row, col] = place_of(member);
      in_row[row] = std::min(in_row[row], cost_of(costs, member));
      in_col[col] = std::min(in_col[col], cost_of(costs, member));
    }
    Cost all_rows = 0;
    for (const Cost cost : in_row) all_rows += cost;
    Cost all_cols = 0;
    for (const Cost cost : in_col) all_cols += cost;
    return std::min(all_rows, all_cols);
  }

  Cost greatest_cost(Costs costs) const override {
    const NodeSet all = NodeSet::all(n());
    const std::vector<Line> rows = full_lines(all, costs, shape_.rows, shape_.cols, false);
    const std::vector<Line> cols = full_lines(all, costs, shape_.cols, shape_.rows, true);
    Cost greatest = 0;
    for (const Line& row : rows) {
      for (const Line& col : cols) {
        greatest = std::max(greatest, cost_of_cross(row, col, costs).value_or(0));
      }
    }
    return greatest;
  }

 private:
  struct Line {
    std::size_t index;
    Cost cost;
  };

  Cross place_of(NodeId member) const { return {member / shape_.cols, member % shape_.cols}; }

  Cross minimal(Cross cross) const {
    if (shape_.rows == 1 || shape_.cols == 1) return {0, 0};
    if (shape_.is_full()) return cross;
    if (shape_.rows == 2) return cross.row == 0 ? Cross{0, shape_.cols - 1} : cross;
    if (shape_.last == 1 && cross.col == 0) return {shape_.rows - 1, 0};
    return cross;
  }

  // Its row and its column, or what is minimal in their place: the member is still in it.
  Cross home(NodeId member) const { return minimal(place_of(member)); }

  std::size_t size_of(Cross cross) const {
    const std::size_t both = shape_.width(cross.row) + shape_.height(cross.col);
    return shape_.exists(cross.row, cross.col) ? both - 1 : both;
  }

  NodeSet quorum(Cross cross) const {
    NodeSet members(n());
    const NodeId first = shape_.at(cross.row, 0);
    members.insert_range(first, first + static_cast<NodeId>(shape_.width(cross.row)));
    for (std::size_t row = 0; row < shape_.height(cross.col); ++row) {
      members.insert(shape_.at(row, cross.col));
    }
    return members;
  }

  bool has_full_row(const NodeSet& set) const {
    for (std::size_t row = 0; row < shape_.rows; ++row) {
      const NodeId first = shape_.at(row, 0);
      if (set.all_in(first, first + static_cast<NodeId>(shape_.width(row)))) return true;
    }
    return false;
  }

  bool has_full_column(const NodeSet& set) const {
    if (shape_.cols <= NodeSet::kWordBits / 2) return has_full_narrow_column(set);
    // Up to 64 columns at a time, as the bits of a word.
    for (std::size_t first = 0; first < shape_.cols; first += NodeSet::kWordBits) {
      const std::size_t count = std::min(shape_.cols - first, NodeSet::kWordBits);
      std::uint64_t full = low_bits(count);
      for (std::size_t row = 0; full != 0 && row < shape_.rows; ++row) {
        // Columns that end above a short row lose nothing there.
        const std::size_t reach =
            std::min(count, shape_.width(row) - std::min(first, shape_.width(row)));
        if (reach > 0) full &= set.bits(shape_.at(row, first), reach) | ~low_bits(reach);
      }
      if (full != 0) return true;
    }
    return false;
  }

  // Several rows at a time, side by side in a word.
  bool has_full_narrow_column(const NodeSet& set) const {
    const std::size_t rows_at_once = NodeSet::kWordBits / shape_.cols;
    const std::size_t step = rows_at_once * shape_.cols;
    std::uint64_t full = ~std::uint64_t{0};
    for (std::size_t first = 0; full != 0 && first < n(); first += step) {
      const std::size_t count = std::min(step, n() - first);
      full &= set.bits(static_cast<NodeId>(first), count) | ~low_bits(count);
    }
    std::uint64_t in_all = full;
    for (std::size_t i = 1; i < rows_at_once; ++i) in_all &= full >> (i * shape_.cols);
    return (in_all & low_bits(shape_.cols)) != 0;
  }

  // The rows (or, if `columns`, the columns) that are available as a whole, with what they cost.
  std::vector<Line> full_lines(const NodeSet& available, Costs costs, std::size_t lines,
                               std::size_t places, bool columns) const {
    std::vector<Line> full;
    for (std::size_t line = 0; line < lines; ++line) {
      Line sum{line, 0};
      bool is_full = true;
      for (std::size_t place = 0; is_full && place < places; ++place) {
        const std::size_t row = columns ? place : line;
        const std::size_t col = columns ? line : place;
        if (!shape_.exists(row, col)) break;
        is_full = available.contains(shape_.at(row, col));
        sum.cost += cost_of(costs, shape_.at(row, col));
      }
      if (is_full) full.push_back(sum);
    }
    return full;
  }

  // Of the quorum that they make; nothing if it is not a minimal one, or stands under other lines.
  std::optional<Cost> cost_of_cross(const Line& row, const Line& col, Costs costs) const {
    const Cross cross{row.index, col.index};
    if (minimal(cross) != cross) return std::nullopt;
    const Cost both = row.cost + col.cost;
    if (!shape_.exists(cross.row, cross.col)) return both;
    return both - cost_of(costs, shape_.at(cross.row, cross.col));
  }

  GridShape shape_;
  std::size_t min_size_ = std::numeric_limits<std::size_t>::max();
  std::size_t max_size_ = 0;
};

std::string grid_spec(std::size_t n, std::size_t cols) {
  return n % cols == 0 ? fmt::format("grid:rows={},cols={}", n / cols, cols)
                       : fmt::format("grid:n={},cols={}", n, cols);
}

}  // namespace

Result<System> grid(std::size_t n, std::size_t cols) {
  if (auto error = check_members(n)) {
    const std::size_t nearest_n = n == 0 ? 1 : kMaxMembers;
    error->nearest = grid_spec(nearest_n, std::clamp<std::size_t>(cols, 1, nearest_n));
    return std::move(*error);
  }
  if (auto error = outside("cols", cols, 1, n)) {
    error->nearest = grid_spec(n, cols == 0 ? 1 : n);
    return std::move(*error);
  }
  const GridShape shape(n, cols);
  std::vector<std::vector<NodeId>> layout(shape.rows);
  for (NodeId member = 0; member < n; ++member) layout[member / cols].push_back(member);
  return System(Kind::coterie, grid_spec(n, cols), {std::make_shared<Grid>(shape)})
      .with_layout(std::move(layout));
}

}  // namespace coterie::quorum
