// Crumbling walls (Peleg and Wool 1997): members stand in rows. A quorum is a full row and one
// member of each row below it. Two quorums meet in the lower one's full row, or in their common
// one.
//
// Every width is legal that keeps quorums minimal: a row of one member is always full, so one that
// is not the first makes whatever stands above it useless, and is refused. A wall is nondominated
// exactly if its first row has one member (their Theorem): then "one of every row" is a quorum too,
// and the sets that hit every quorum are those that contain one.
//
// Every answer goes over the rows once, from the bottom, for as long as nobody's row is empty.
#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <numeric>

#include "coterie/constructions.h"
#include "quorum/cost.h"
#include "quorum/limits.h"
#include "quorum/list_text.h"

namespace coterie::quorum {
namespace {

struct Row {
  NodeId first;
  NodeId last;  // one past its last member
  NodeId width() const { return last - first; }
};

// How much of a row is up.
struct RowChances {
  double none;
  double some;  // but not all
  double all;
};

RowChances chances(Up row) {
  RowChances chance{.none = 1 - row[0], .some = 0, .all = row[0]};
  for (const double up : row.subspan(1)) {
    chance.some += chance.none * up + chance.all * (1 - up);
    chance.none *= 1 - up;
    chance.all *= up;
  }
  return chance;
}

class Wall final : public Family {
 public:
  explicit Wall(std::vector<Row> rows) : Family(rows.back().last, 1), rows_(std::move(rows)) {
    for (std::size_t row = 0; row < rows_.size(); ++row) {
      min_size_ = std::min(min_size_, size_at(row));
      max_size_ = std::max(max_size_, size_at(row));
    }
  }

  std::size_t min_size() const override { return min_size_; }
  std::size_t max_size() const override { return max_size_; }
  Claims claims() const override {
    const bool is_two_of_three = n() == 3 && rows_.size() == 2;
    return {.is_k_coterie = true,
            .nondominated = rows_.front().width() == 1,
            .transitive = rows_.size() == 1 || is_two_of_three};
  }

  bool contains_quorum(const NodeSet& set) const override {
    for (std::size_t row = rows_.size(); row-- > 0;) {
      const auto [first, last] = rows_[row];
      if (last - first <= NodeSet::kWordBits) {  // most rows: one word tells all
        const std::uint64_t inside = set.bits(first, last - first);
        if (inside == ~std::uint64_t{0} >> (NodeSet::kWordBits - (last - first))) return true;
        if (inside == 0) return false;
      } else {
        if (set.all_in(first, last)) return true;
        if (!set.any_in(first, last)) return false;
      }
    }
    return false;
  }

  std::optional<NodeSet> find_quorum(const NodeSet& available, Costs costs) const override {
    std::optional<Cost> least;
    std::size_t full_row = 0;
    std::vector<NodeId> cheapest(rows_.size());  // of each row from the bottom to where we stopped
    Cost below = 0;
    for (std::size_t row = rows_.size(); row-- > 0;) {
      std::optional<NodeId> one;
      Cost whole = below;
      bool full = true;
      for (NodeId member = rows_[row].first; member < rows_[row].last; ++member) {
        full = full && available.contains(member);
        if (!available.contains(member)) continue;
        const Cost cost = cost_of(costs, member);
        whole += cost;
        if (!one || cost < cost_of(costs, *one)) one = member;
      }
      if (!one) break;
      if (full && (!least || whole < *least)) {
        least = whole;
        full_row = row;
      }
      cheapest[row] = *one;
      below += cost_of(costs, *one);
    }
    if (!least) return std::nullopt;
    NodeSet quorum(n());
    quorum.insert_range(rows_[full_row].first, rows_[full_row].last);
    for (std::size_t row = full_row + 1; row < rows_.size(); ++row) quorum.insert(cheapest[row]);
    return quorum;
  }

  Packing pack(const NodeSet& available, std::size_t h, Budget& /*budget*/) const override {
    return find_at_most_one(*this, available, h);
  }

  bool for_each_quorum(const Visit& visit) const override {
    for (std::size_t full = 0; full < rows_.size(); ++full) {
      if (!visit_with_full(full, visit)) return false;
    }
    return true;
  }

  std::optional<double> availability(std::size_t h, Up up, Budget& /*budget*/) const override {
    if (h != 1) return h == 0 ? 1 : 0;
    double formed = 0;
    double open = 1;  // P(all rows below have someone, and none is full)
    for (std::size_t row = rows_.size(); row-- > 0;) {
      const RowChances chance = chances_of(row, up);
      formed += open * chance.all;
      open *= chance.some;
    }
    return formed;
  }

  std::optional<std::vector<double>> size_distribution(Up up, Budget& budget) const override {
    // by_best[s]: P(all rows below have someone, and the smallest quorum among them has s members);
    // entry 0: none of them is full.
    std::vector<double> by_best(max_size_ + 1, 0.0);
    by_best[0] = 1;
    std::vector<double> sizes(max_size_ + 1, 0.0);
    for (std::size_t row = rows_.size(); row-- > 0;) {
      if (!budget.spend(max_size_ + rows_[row].width())) return std::nullopt;
      const RowChances chance = chances_of(row, up);
      double improved = 0;
      for (std::size_t s = 0; s <= max_size_; ++s) {
        const bool improves = s == 0 || s > size_at(row);
        if (improves) improved += by_best[s] * chance.all;
        if (s > 0) sizes[s] += by_best[s] * chance.none;
        by_best[s] *= improves ? chance.some : chance.some + chance.all;
      }
      by_best[size_at(row)] += improved;
    }
    for (std::size_t s = 1; s <= max_size_; ++s) sizes[s] += by_best[s];
    return sizes;
  }

  // To stop every quorum, take one of each row, from the bottom up to the top or to a row that is
  // taken whole.
  std::optional<Cost> cheapest_blocker(Costs costs, Budget& /*budget*/) const override {
    Cost least = std::numeric_limits<Cost>::max();
    Cost below = 0;
    for (std::size_t row = rows_.size(); row-- > 0;) {
      Cost whole = 0;
      Cost one = std::numeric_limits<Cost>::max();
      for (NodeId member = rows_[row].first; member < rows_[row].last; ++member) {
        whole += cost_of(costs, member);
        one = std::min(one, cost_of(costs, member));
      }
      least = std::min(least, below + whole);
      below += one;
    }
    return std::min(least, below);
  }

  Cost greatest_cost(Costs costs) const override {
    Cost greatest = 0;
    Cost below = 0;
    for (std::size_t row = rows_.size(); row-- > 0;) {
      Cost whole = 0;
      Cost one = 0;
      for (NodeId member = rows_[row].first; member < rows_[row].last; ++member) {
        whole += cost_of(costs, member);
        one = std::max(one, cost_of(costs, member));
      }
      greatest = std::max(greatest, below + whole);
      below += one;
    }
    return greatest;
  }

 private:
  std::size_t size_at(std::size_t row) const { return rows_[row].width() + rows_.size() - 1 - row; }

  RowChances chances_of(std::size_t row, Up up) const {
    return chances(up.subspan(rows_[row].first, rows_[row].width()));
  }

  bool visit_with_full(std::size_t full, const Visit& visit) const {
    NodeSet quorum(n());
    quorum.insert_range(rows_[full].first, rows_[full].last);
    std::vector<NodeId> chosen(rows_.size());
    for (std::size_t row = full + 1; row < rows_.size(); ++row) {
      chosen[row] = rows_[row].first;
      quorum.insert(chosen[row]);
    }
    while (visit(quorum)) {
      // The lowest row whose choice can move on; those below it begin again.
      std::size_t row = rows_.size() - 1;
      for (; row > full; --row) {
        quorum.erase(chosen[row]);
        if (++chosen[row] < rows_[row].last) break;
        chosen[row] = rows_[row].first;
        quorum.insert(chosen[row]);
      }
      if (row == full) return true;
      quorum.insert(chosen[row]);
    }
    return false;
  }

  std::vector<Row> rows_;
  std::size_t min_size_ = n();
  std::size_t max_size_ = 0;
};

std::string wall_spec(std::span<const std::size_t> widths) {
  return "wall:widths=" + print_list(widths);
}

Error illegal_widths(std::string message, std::string nearest, std::size_t row = 0) {
  return {.message = std::move(message),
          .parameter = "widths",
          .nearest = std::move(nearest),
          .item = row};
}

std::optional<Error> check_widths(std::span<const std::size_t> widths) {
  if (widths.empty()) return illegal_widths("widths must name at least one row", "wall:widths=1");
  std::size_t n = 0;
  std::size_t last_single = 0;
  for (std::size_t row = 0; row < widths.size(); ++row) {
    if (widths[row] == 0) {
      std::vector<std::size_t> filled(widths.begin(), widths.end());
      std::erase(filled, 0);
      return illegal_widths(fmt::format("row {} is empty: a row has at least one member", row + 1),
                            check_widths(filled) ? "" : wall_spec(filled), row);
    }
    if (widths[row] == 1) last_single = row;
    if (widths[row] > kMaxMembers - n) {
      return illegal_widths(fmt::format("there may be {} members in all", kMaxMembers), "", row);
    }
    n += widths[row];
  }
  if (last_single == 0) return std::nullopt;
  return illegal_widths(
      fmt::format("row {} has one member, who is a full row alone, so that the rows "
                  "above it are useless: only the first row may have one",
                  last_single + 1),
      wall_spec(widths.subspan(last_single)), last_single);
}

}  // namespace

Result<System> wall(std::span<const std::size_t> widths) {
  if (auto error = check_widths(widths)) return std::move(*error);
  std::vector<Row> rows;
  std::vector<std::vector<NodeId>> layout;
  NodeId first = 0;
  for (const std::size_t width : widths) {
    rows.push_back({first, first + static_cast<NodeId>(width)});
    std::vector<NodeId>& row = layout.emplace_back(width);
    std::iota(row.begin(), row.end(), first);
    first = rows.back().last;
  }
  return System(Kind::coterie, wall_spec(widths), {std::make_shared<Wall>(std::move(rows))})
      .with_layout(std::move(layout));
}

}  // namespace coterie::quorum
