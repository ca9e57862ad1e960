#include "quorum/rows.h"

#include <algorithm>
#include <limits>
#include <numeric>

#include "coterie/constructions.h"
#include "quorum/cost.h"
#include "quorum/disjoint.h"
#include "quorum/limits.h"
#include "quorum/probability.h"

namespace coterie::quorum {

std::optional<Error> rectangle_error(
    std::size_t rows, std::size_t cols,
    const std::function<std::string(std::size_t rows, std::size_t cols)>& spec) {
  if (auto error = outside("rows", rows, 1, kMaxMembers)) {
    const std::size_t fitting_cols = std::clamp<std::size_t>(cols, 1, kMaxMembers);
    error->nearest = spec(rows == 0 ? 1 : kMaxMembers / fitting_cols, fitting_cols);
    return error;
  }
  if (auto error = outside("cols", cols, 1, kMaxMembers / rows)) {
    error->nearest = spec(rows, cols == 0 ? 1 : kMaxMembers / rows);
    return error;
  }
  return std::nullopt;
}

std::vector<std::vector<NodeId>> rows_layout(std::size_t rows, std::size_t cols) {
  std::vector<std::vector<NodeId>> layout(rows, std::vector<NodeId>(cols));
  for (std::size_t row = 0; row < rows; ++row) {
    std::iota(layout[row].begin(), layout[row].end(), static_cast<NodeId>(row * cols));
  }
  return layout;
}

bool for_each_choice(const NodeSet& base, std::span<const std::size_t> rows, std::size_t cols,
                     const Family::Visit& visit) {
  // An odometer: digit i is the column chosen in rows[i]; the last digit turns fastest.
  std::vector<std::size_t> digits(rows.size(), 0);
  const auto member = [&](std::size_t i) {
    return static_cast<NodeId>(rows[i] * cols + digits[i]);
  };
  NodeSet quorum = base;
  for (std::size_t i = 0; i < rows.size(); ++i) quorum.insert(member(i));
  while (true) {
    if (!visit(quorum)) return false;
    std::size_t i = rows.size();
    while (i > 0 && digits[i - 1] + 1 == cols) {
      --i;
      quorum.erase(member(i));
      digits[i] = 0;
      quorum.insert(member(i));
    }
    if (i == 0) return true;
    quorum.erase(member(i - 1));
    ++digits[i - 1];
    quorum.insert(member(i - 1));
  }
}

namespace {

// A row can serve as many disjoint covers as it has members, whichever they are: so `cols` are
// disjoint, and any fewer leave room for one more.
class RowCovers final : public Family {
 public:
  RowCovers(std::size_t rows, std::size_t cols)
      : Family(rows * cols, cols), rows_(rows), cols_(cols) {}

  std::size_t min_size() const override { return rows_; }
  std::size_t max_size() const override { return rows_; }

  // With a second row, any single member could be added as a quorum: it contains no cover, and
  // without it its row serves one cover less.
  Claims claims() const override { return {true, rows_ == 1, true}; }
  // Rows are asked one by one, however short they are.
  std::uint64_t question_steps() const override { return n() + rows_ * 64; }

  bool contains_quorum(const NodeSet& set) const override {
    for (std::size_t row = 0; row < rows_; ++row) {
      if (!set.any_in(first(row), first(row + 1))) return false;
    }
    return true;
  }

  std::optional<NodeSet> find_quorum(const NodeSet& available, Costs costs) const override {
    NodeSet quorum(n());
    for (std::size_t row = 0; row < rows_; ++row) {
      const Cheapest members(available, costs, first(row), first(row + 1));
      if (members.size() == 0) return std::nullopt;
      members.insert_into(quorum, 1);
    }
    return quorum;
  }

  Packing pack(const NodeSet& available, std::size_t h, Budget& /*budget*/) const override {
    if (h > k()) return {};
    for (std::size_t row = 0; row < rows_; ++row) {
      if (available.count_in(first(row), first(row + 1)) < h) return {};
    }
    Packing packing{Verdict::yes, std::vector<NodeSet>(h, NodeSet(n()))};
    for (std::size_t row = 0; row < rows_; ++row) {
      NodeId member = first(row);
      for (NodeSet& quorum : packing.quorums) {
        while (!available.contains(member)) ++member;
        quorum.insert(member++);
      }
    }
    return packing;
  }

  NodeSet home_quorum(NodeId member) const override { return column(member % cols_); }
  NodeSet clients_of(NodeId node) const override { return column(node % cols_); }

  bool for_each_quorum(const Visit& visit) const override {
    std::vector<std::size_t> rows(rows_);
    std::iota(rows.begin(), rows.end(), std::size_t{0});
    return for_each_choice(NodeSet(n()), rows, cols_, visit);
  }

  std::optional<double> availability(std::size_t h, Up up, Budget& budget) const override {
    if (!budget.spend(n())) return std::nullopt;
    double all_rows = 1;
    for (std::size_t row = 0; row < rows_; ++row) {
      all_rows *= at_least(h, up.subspan(row * cols_, cols_));
    }
    return all_rows;
  }

  // A cover is gone when a row is.
  std::optional<Cost> cheapest_blocker(Costs costs, Budget& /*budget*/) const override {
    Cost best = std::numeric_limits<Cost>::max();
    for (std::size_t row = 0; row < rows_; ++row) {
      Cost sum = 0;
      for (NodeId member = first(row); member < first(row + 1); ++member) {
        sum += cost_of(costs, member);
      }
      best = std::min(best, sum);
    }
    return best;
  }

 private:
  NodeId first(std::size_t row) const { return static_cast<NodeId>(row * cols_); }

  NodeSet column(std::size_t col) const {
    NodeSet members(n());
    for (std::size_t row = 0; row < rows_; ++row)
      members.insert(static_cast<NodeId>(row * cols_ + col));
    return members;
  }

  std::size_t rows_;
  std::size_t cols_;
};

}  // namespace

std::shared_ptr<const Family> row_covers(std::size_t rows, std::size_t cols) {
  return std::make_shared<RowCovers>(rows, cols);
}

std::shared_ptr<const Family> full_rows(std::size_t rows, std::size_t cols) {
  std::vector<std::vector<MemberRange>> quorums(rows);
  for (std::size_t row = 0; row < rows; ++row) {
    quorums[row].push_back(
        {static_cast<NodeId>(row * cols), static_cast<NodeId>((row + 1) * cols)});
  }
  return disjoint_quorums(rows * cols, quorums);
}

}  // namespace coterie::quorum
