#include "quorum/grid_availability.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>
#include <vector>

#include "quorum/probability.h"

namespace coterie::quorum {
namespace {

// 1 - p^count, without losing a small result in the difference.
double not_all(double p, std::size_t count) {
  if (count == 0) return 0;
  return -std::expm1(static_cast<double>(count) * std::log(p));
}

// All members alike: only the number of columns without a failure so far matters, and whether a
// full row was seen. Rows are taken one by one; the last one, which may be short, at the end.
class AlikeMembers {
 public:
  AlikeMembers(const GridShape& shape, double p) : shape_(shape), p_(p) {}

  std::uint64_t steps() const { return shape_.rows * shape_.cols * shape_.cols / 2 + shape_.cols; }

  double run() {
    // seen[s][j]: P(j columns are full so far; s: and a full row was seen).
    Weights seen{std::vector<double>(shape_.cols + 1, 0.0),
                 std::vector<double>(shape_.cols + 1, 0.0)};
    seen[0][shape_.cols] = 1;
    for (std::size_t row = 0; row + 1 < shape_.rows; ++row) seen = after_row(seen);
    return last_row(seen);
  }

 private:
  using Weights = std::array<std::vector<double>, 2>;

  Weights after_row(const Weights& seen) const {
    const std::size_t cols = shape_.cols;
    const double full_row = std::pow(p_, static_cast<double>(cols));
    Weights next{std::vector<double>(cols + 1, 0.0), std::vector<double>(cols + 1, 0.0)};
    for (std::size_t j = 0; j <= cols; ++j) {
      if (seen[0][j] == 0 && seen[1][j] == 0) continue;
      next[1][j] += (seen[0][j] + seen[1][j]) * full_row;
      // The row is not full: either a failure in one of the j columns, or only elsewhere.
      const double only_elsewhere = std::pow(p_, static_cast<double>(j)) * not_all(p_, cols - j);
      for (const std::size_t s : {0U, 1U}) next[s][j] += seen[s][j] * only_elsewhere;
      for_each_count(j, [&](std::size_t left, double chance) {
        for (const std::size_t s : {0U, 1U}) next[s][left] += seen[s][j] * chance;
      });
    }
    return next;
  }

  // Calls act(i, P(i of j are up)) for i < j. Starts at the likeliest count, where nothing can
  // underflow, and goes both ways by the ratio of neighbours.
  template <class Act>
  void for_each_count(std::size_t j, Act act) const {
    if (p_ >= 1 || j == 0) return;
    if (p_ <= 0) return act(0, 1.0);
    const double odds = p_ / (1 - p_);
    const auto ratio = [&](std::size_t i) {  // of i+1 to i
      return odds * static_cast<double>(j - i) / static_cast<double>(i + 1);
    };
    const auto likeliest = std::min(j, static_cast<std::size_t>(p_ * static_cast<double>(j + 1)));
    const double top = between(likeliest, likeliest, j, p_);
    double chance = top;
    for (std::size_t i = likeliest; i < j; ++i, chance *= ratio(i - 1)) act(i, chance);
    chance = top;
    for (std::size_t i = likeliest; i > 0; --i) {
      chance /= ratio(i - 1);
      act(i - 1, chance);
    }
  }

  // Of j full columns, all alike so far, some may end above a short last row.
  double last_row(const Weights& seen) const {
    const double full_row = std::pow(p_, static_cast<double>(shape_.last));
    double sum = 0;
    double all_lost = 1;  // P(the j columns all reach the last row, and all fail in it)
    for (std::size_t j = 1; j <= shape_.cols; ++j) {
      const std::size_t before = j - 1;
      all_lost *= before < shape_.last ? static_cast<double>(shape_.last - before) /
                                             static_cast<double>(shape_.cols - before) * (1 - p_)
                                       : 0;
      sum += seen[0][j] * full_row + seen[1][j] * (1 - all_lost);
    }
    return sum;
  }

  GridShape shape_;
  double p_;
};

// Members that differ: which columns are still full, as a mask. Works with rows and columns swapped
// just as well, so the mask is over the fewer of the two; "line" below is what is not in the mask.
class DifferentMembers {
 public:
  DifferentMembers(const GridShape& shape, Up up)
      : shape_(shape), up_(up), swapped_(shape.rows < shape.cols) {}

  std::size_t mask_bits() const { return std::min(shape_.rows, shape_.cols); }
  std::uint64_t steps() const { return shape_.n() * 3 << mask_bits(); }

  double run() {
    const std::size_t masks = std::size_t{1} << mask_bits();
    none_.assign(masks, 0.0);
    open_.assign(masks, 0.0);
    seen_.assign(masks, 0.0);
    none_[masks - 1] = 1;
    const std::size_t lines = std::max(shape_.rows, shape_.cols);
    for (std::size_t line = 0; line < lines; ++line) {
      std::swap(none_, open_);  // the line is full until a member fails
      std::fill(none_.begin(), none_.end(), 0.0);
      for (std::size_t bit = 0; bit < mask_bits(); ++bit) {
        const std::size_t row = swapped_ ? bit : line;
        const std::size_t col = swapped_ ? line : bit;
        if (shape_.exists(row, col)) take(bit, up_[shape_.at(row, col)]);
      }
      for (std::size_t mask = 0; mask < masks; ++mask) seen_[mask] += open_[mask];
    }
    double sum = 0;
    for (std::size_t mask = 1; mask < masks; ++mask) sum += seen_[mask];
    return sum;
  }

 private:
  void take(std::size_t bit, double p) {
    const std::size_t flag = std::size_t{1} << bit;
    for (std::size_t without = 0; without < none_.size(); ++without) {
      if ((without & flag) != 0) continue;
      const std::size_t with = without | flag;
      none_[without] += (none_[with] + open_[with] + open_[without]) * (1 - p);
      none_[with] *= p;
      open_[without] *= p;
      open_[with] *= p;
      seen_[without] += seen_[with] * (1 - p);
      seen_[with] *= p;
    }
  }

  GridShape shape_;
  Up up_;
  bool swapped_;
  // By mask: P(no full line was seen, nor is this one full so far; only this one is; one was seen).
  std::vector<double> none_;
  std::vector<double> open_;
  std::vector<double> seen_;
};

}  // namespace

std::optional<double> grid_availability(const GridShape& shape, Up up, Budget& budget) {
  if (all_equal(up)) {
    // A full grid may be turned, so that the columns are the fewer.
    const bool turn = shape.is_full() && shape.rows < shape.cols;
    AlikeMembers alike(turn ? GridShape(shape.n(), shape.rows) : shape, up.front());
    if (!budget.spend(alike.steps())) return std::nullopt;
    return alike.run();
  }
  constexpr std::size_t kMaxMaskBits = 18;
  DifferentMembers different(shape, up);
  if (different.mask_bits() > kMaxMaskBits || !budget.spend(different.steps())) return std::nullopt;
  return different.run();
}

}  // namespace coterie::quorum
