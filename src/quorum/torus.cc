// The k-torus as a k-write-read coterie (Jiang, "A Distributed Group k-Exclusion Algorithm using
// k-Write-Read Coterie", Section 2; after Lang and Mao 1998). The rows form a ring. A write quorum
// is a full row and one member of each of the m = floor(rows/(k+1)) rows after it, its tail; a read
// quorum is exactly one member of each row ("a node from every row" would not be minimal).
//
// Two write quorums with full rows i and j are disjoint just if i and j are more than m apart, both
// ways round: if j is in the tail of i, the tail meets the full row; otherwise i, j and their tails
// have no row in common. So disjoint quorums are disjoint windows of m+1 rows, and it does not
// matter which members the tails take. At most k windows fit, since (k+1)(m+1) > rows.
//
// Corrected: the paper cites floor(rows/(k+1)) < floor(rows/k) for non-intersection, which only
// says that some k disjoint quorums exist. k-1 windows that are spread out block up to 2m+1
// starting rows each, so that another one always fits exactly if rows > (k-1)(2m+1). For k = 2 that
// is 2 rows, or 4 and more; for k = 3 it is rows = 3, 7, 11, ...; for k >= 4 only m = 0 is left,
// with rows = k.
//
// With cols = 1 a write quorum is m+1 rows in a line: all of one size, so still minimal. They are
// all different, except for rows = 2 and k = 1, where both rows start the same quorum.
#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <limits>
#include <utility>

#include "coterie/constructions.h"
#include "quorum/cost.h"
#include "quorum/limits.h"
#include "quorum/ring.h"
#include "quorum/rows.h"

namespace coterie::quorum {
namespace {

std::size_t tail_of(std::size_t rows, std::size_t k) { return rows / (k + 1); }

class TorusWrite final : public Family {
 public:
  TorusWrite(std::size_t rows, std::size_t cols, std::size_t k)
      : Family(rows * cols, k), rows_(rows), cols_(cols), tail_(tail_of(rows, k)) {}

  std::size_t min_size() const override { return cols_ + tail_; }
  std::size_t max_size() const override { return cols_ + tail_; }

  // Without tails the quorums are the rows: dominated, unless these are single members.
  Claims claims() const override {
    return {true, tail_ == 0 ? std::optional(cols_ == 1) : std::nullopt, true};
  }
  // Rows are asked one by one, however short they are.
  std::uint64_t question_steps() const override { return n() + rows_ * 64; }

  bool contains_quorum(const NodeSet& set) const override {
    std::size_t start = 0;
    std::size_t checked = 0;  // no row after `start` and up to this one is empty
    while (start < rows_) {
      // From the far end, so that an empty row rules out as many starting rows as can be.
      const std::size_t known = std::max(start, checked);
      std::size_t row = start + tail_;
      while (row > known && is_used(set, row)) --row;
      const bool tail_is_used = row == known;
      if (tail_is_used && is_full(set, start)) return true;
      checked = start + tail_;
      start = tail_is_used ? start + 1 : row + 1;
    }
    return false;
  }

  std::optional<NodeSet> find_quorum(const NodeSet& available, Costs costs) const override {
    // before[i]: what the cheapest members of the rows 0..i-1 cost, going round twice.
    std::vector<Cost> before{0};
    for (std::size_t i = 0; i < 2 * rows_; ++i) {
      const std::size_t row = i % rows_;
      const Cheapest members(available, costs, first(row), first(row + 1));
      before.push_back(before.back() + members.cost(std::min<std::size_t>(members.size(), 1)));
    }
    std::optional<std::size_t> best;
    Cost best_cost = std::numeric_limits<Cost>::max();
    for (const std::size_t row : window_starts(available)) {
      const Cost cost = row_cost(row, costs) + before[row + tail_ + 1] - before[row + 1];
      if (cost < best_cost) {
        best = row;
        best_cost = cost;
      }
    }
    if (!best) return std::nullopt;
    return quorum(*best, available, costs);
  }

  Packing pack(const NodeSet& available, std::size_t h, Budget& /*budget*/) const override {
    if (h > k()) return {};
    const std::vector<std::size_t> packed = pack_windows(window_starts(available), rows_, tail_, h);
    if (packed.size() < h) return {};
    Packing packing{Verdict::yes, {}};
    for (const std::size_t row : packed) packing.quorums.push_back(quorum(row, available, {}));
    return packing;
  }

  // Its row, and its column in the tail.
  NodeSet home_quorum(NodeId member) const override {
    NodeSet members = full_row(member / cols_);
    for (std::size_t i = 1; i <= tail_; ++i) members.insert(shifted(member, i));
    return members;
  }

  NodeSet clients_of(NodeId node) const override {
    NodeSet members = full_row(node / cols_);
    for (std::size_t i = 1; i <= tail_; ++i) members.insert(shifted(node, rows_ - i));
    return members;
  }

  bool for_each_quorum(const Visit& visit) const override {
    const bool starts_agree = cols_ == 1 && tail_ + 1 == rows_;
    for (std::size_t row = 0; row < (starts_agree ? 1 : rows_); ++row) {
      std::vector<std::size_t> tail;
      for (std::size_t i = 1; i <= tail_; ++i) tail.push_back((row + i) % rows_);
      if (!for_each_choice(full_row(row), tail, cols_, visit)) return false;
    }
    return true;
  }

  std::optional<double> availability(std::size_t h, Up up, Budget& budget) const override {
    if (h == 0) return 1;
    if (h > k()) return 0;
    std::vector<RowOdds> odds;
    for (std::size_t row = 0; row < rows_; ++row)
      odds.push_back(odds_of(up.subspan(first(row), cols_)));
    return window_odds(odds, tail_, h, budget);
  }

  // Each row must lose a member, or one of the rows after it all of them: a set of rows that are
  // emptied, and one member of each row that has none of these within its tail.
  std::optional<Cost> cheapest_blocker(Costs costs, Budget& budget) const override {
    const NodeSet all = NodeSet::all(n());
    std::vector<Cost> hit(rows_);
    std::vector<Cost> emptied(rows_);
    for (std::size_t row = 0; row < rows_; ++row) {
      hit[row] = Cheapest(all, costs, first(row), first(row + 1)).cost(1);
      emptied[row] = row_cost(row, costs);
    }
    Cost best = 0;  // with no row emptied
    for (const Cost cost : hit) best += cost;
    // If all rows are alike, some cheapest choice empties the row 0.
    const std::size_t last = all_alike(hit) && all_alike(emptied) ? 1 : rows_;
    for (std::size_t row = 0; row < last; ++row) {
      if (!budget.spend(rows_ * (tail_ + 1))) return std::nullopt;
      best = std::min(best, cheapest_if_emptied(row, hit, emptied));
    }
    return best;
  }

 private:
  NodeId first(std::size_t row) const { return static_cast<NodeId>(row * cols_); }
  NodeId shifted(NodeId member, std::size_t by_rows) const {
    return static_cast<NodeId>((member + by_rows * cols_) % n());
  }
  bool is_used(const NodeSet& set, std::size_t row) const {
    const NodeId begin = first(row < rows_ ? row : row - rows_);
    return set.any_in(begin, begin + static_cast<NodeId>(cols_));
  }
  bool is_full(const NodeSet& set, std::size_t row) const {
    return set.all_in(first(row), first(row + 1));
  }

  NodeSet full_row(std::size_t row) const {
    NodeSet members(n());
    members.insert_range(first(row), first(row + 1));
    return members;
  }

  Cost row_cost(std::size_t row, Costs costs) const {
    Cost sum = 0;
    for (NodeId member = first(row); member < first(row + 1); ++member) {
      sum += cost_of(costs, member);
    }
    return sum;
  }

  // The rows that are full, and have a member in each row of their tail.
  std::vector<std::size_t> window_starts(const NodeSet& set) const {
    std::vector<std::size_t> starts;
    std::size_t used_after = 0;  // how many rows in a line are used, from row + 1 on
    while (used_after < tail_ && is_used(set, used_after)) ++used_after;
    for (std::size_t row = rows_; row-- > 0;) {
      if (used_after >= tail_ && is_full(set, row)) starts.push_back(row);
      used_after = is_used(set, row) ? used_after + 1 : 0;
    }
    std::reverse(starts.begin(), starts.end());
    return starts;
  }

  // The cheapest quorum whose full row is `row`. REQUIRES: its window is available.
  NodeSet quorum(std::size_t row, const NodeSet& available, Costs costs) const {
    NodeSet members = full_row(row);
    for (std::size_t i = 1; i <= tail_; ++i) {
      const std::size_t at = (row + i) % rows_;
      Cheapest(available, costs, first(at), first(at + 1)).insert_into(members, 1);
    }
    return members;
  }

  static RowOdds odds_of(Up up) {
    RowOdds odds{1 - up.front(), 0, up.front()};
    for (const double p : up.subspan(1)) {
      odds.some += odds.empty * p + odds.full * (1 - p);
      odds.empty *= 1 - p;
      odds.full *= p;
    }
    return odds;
  }

  static bool all_alike(const std::vector<Cost>& costs) {
    return std::adjacent_find(costs.begin(), costs.end(), std::not_equal_to<>()) == costs.end();
  }

  // The cheapest blocker that empties `row`: along the ring from there.
  Cost cheapest_if_emptied(std::size_t row, const std::vector<Cost>& hit,
                           const std::vector<Cost>& emptied) const {
    // dealt[i]: the cheapest way to deal with the first i rows after it, without emptying later
    // ones.
    std::vector<Cost> dealt(rows_, 0);
    const auto cheapest_before = [&](std::size_t i) {  // row i is emptied, and deals with its tail
      return *std::min_element(
          dealt.begin() + static_cast<std::ptrdiff_t>(i - std::min(i, tail_ + 1)),
          dealt.begin() + static_cast<std::ptrdiff_t>(i));
    };
    for (std::size_t i = 1; i < rows_; ++i) {
      const std::size_t at = (row + i) % rows_;
      dealt[i] = std::min(dealt[i - 1] + hit[at], cheapest_before(i) + emptied[at]);
    }
    return emptied[row] + cheapest_before(rows_);
  }

  std::size_t rows_;
  std::size_t cols_;
  std::size_t tail_;
};

bool fits_rows(std::size_t rows, std::size_t k) {
  return k == 1 || rows > (k - 1) * (2 * tail_of(rows, k) + 1);
}

// The legal number of rows nearest to this one; the larger of two. REQUIRES: k * cols members are
// allowed, since k rows are always legal.
std::size_t nearest_rows(std::size_t rows, std::size_t cols, std::size_t k) {
  for (std::size_t distance = 0;; ++distance) {
    const std::size_t more = rows + distance;
    if (fits_rows(more, k) && more <= kMaxMembers / cols) return more;
    if (distance < rows && fits_rows(rows - distance, k)) return rows - distance;
  }
}

std::string needed_rows(std::size_t k) {
  if (k == 2) return "k = 2 needs rows = 2 or rows >= 4";
  if (k == 3) return "k = 3 needs rows ≡ 3 (mod 4)";
  return fmt::format("k = {} needs rows = {}", k, k);
}

std::string torus_spec(std::size_t rows, std::size_t cols, std::size_t k) {
  return fmt::format("torus:rows={},cols={},k={}", rows, cols, k);
}

std::optional<Error> shape_error(std::size_t rows, std::size_t cols, std::size_t k) {
  const auto fitting_spec = [k](std::size_t some_rows, std::size_t some_cols) {
    const std::size_t fitting_k = k == 0 || k > kMaxMembers / some_cols ? 1 : k;
    return torus_spec(nearest_rows(some_rows, some_cols, fitting_k), some_cols, fitting_k);
  };
  if (auto error = rectangle_error(rows, cols, fitting_spec)) return error;
  // There are always at least k rows.
  if (auto error = outside("k", k, 1, kMaxMembers / cols)) {
    error->nearest = fitting_spec(rows, cols);
    return error;
  }
  if (fits_rows(rows, k)) return std::nullopt;
  return Error{fmt::format("with rows = {} fewer than {} disjoint quorums can leave no room for "
                           "another: {}",
                           rows, k, needed_rows(k)),
               "rows",
               {},
               fitting_spec(rows, cols)};
}

}  // namespace

Result<System> torus(std::size_t rows, std::size_t cols, std::size_t k) {
  if (auto error = shape_error(rows, cols, k)) return std::move(*error);
  return System(Kind::write_read, torus_spec(rows, cols, k),
                {std::make_shared<TorusWrite>(rows, cols, k), row_covers(rows, cols)})
      .with_layout(rows_layout(rows, cols));
}

}  // namespace coterie::quorum
