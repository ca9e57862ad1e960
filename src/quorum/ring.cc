// The probability is a sum over two kinds of rings, so that only positive terms are added.
//
// Some row is empty. No window goes over it: cut the ring there, at the first such row, and what is
// left is a line. On a line the earliest windows make a largest packing, so one pass over the rows
// with the number of windows closed and the age of the open one is enough.
//
// No row is empty. Then every full row starts a window, and it is only asked whether h full rows
// lie at least D = tail + 1 apart on the ring. Let row 0 be the first full one, by turning the
// ring. A packing that does not use the D rows from 0 on can use row 0 in place of its last row, so
// assume that its first row, a, is among them. What remains is which combinations of rows suffice:
//   h = 2   any row from D to r-D, together with 0. Otherwise only one of the last D-1 rows, r-D+z,
//           together with a >= z: going round by 0 they are D+a-z apart. The other way they are
//           r-D+z-a >= D apart, unless r = 3D-3, z = 1 and a = D-1.
//   h = 3   r = 4D-1. Call the stretches of D rows A, B, C, E (the last lacks one), and write a row
//           as its offset in its stretch. Three rows suffice if they are in A, B, C with a <= b <=
//           c, in A, B, E with e < a <= b, or in A, C, E with c <= e < a. Read offset by offset,
//           and A, B, C, E at each, these are the subsequences A-B-C, E-A-B and C-E-A.
// Both are small automata that read the rows in a suitable order.
#include "quorum/ring.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>

#include "base/assert.h"
#include "quorum/probability.h"

namespace coterie::quorum {

std::vector<std::size_t> pack_windows(const std::vector<std::size_t>& starts, std::size_t rows,
                                      std::size_t tail, std::size_t enough) {
  // Some largest packing begins with the first window or with one that meets it, since it could
  // take the first one in place of its last. From there on the earliest that fits is never worse.
  std::vector<std::size_t> best;
  for (const std::size_t first : starts) {
    if (best.size() == enough || first > starts.front() + tail) break;
    std::vector<std::size_t> packing{first};
    while (packing.size() < enough) {
      const auto next = std::lower_bound(starts.begin(), starts.end(), packing.back() + tail + 1);
      if (next == starts.end() || *next + tail >= first + rows) break;
      packing.push_back(*next);
    }
    if (packing.size() > best.size()) best = std::move(packing);
  }
  return best;
}

namespace {

using Rows = std::span<const RowOdds>;

// P(row `cut` is the first empty one, and the rest has h disjoint windows).
double with_first_empty(Rows rows, std::size_t cut, std::size_t tail, std::size_t h) {
  // weight[c][a]: c windows closed; a = 0: none open, else the open one has a rows so far.
  std::vector<std::vector<double>> weight(h, std::vector<double>(tail + 1, 0.0));
  weight[0][0] = rows[cut].empty;
  double found = 0;
  for (std::size_t i = 1; i < rows.size(); ++i) {
    const std::size_t at = (cut + i) % rows.size();
    const double empty = at < cut ? 0 : rows[at].empty;
    const double some = rows[at].some;
    const double full = rows[at].full;
    found *= empty + some + full;
    double closed = 0;  // by this row, coming from one window less
    for (std::vector<double>& open : weight) {
      const double closes = open[tail] * (some + full);
      double lost = 0;
      for (std::size_t a = tail; a > 1; --a) {
        lost += open[a] * empty;
        open[a] = open[a - 1] * (some + full);
      }
      lost += open[1] * empty;
      open[1] = open[0] * full;
      open[0] = open[0] * (empty + some) + lost + closed;
      closed = closes;
    }
    found += closed;
  }
  return found;
}

// An automaton starts in state 0 and reads the full rows of a ring whose row 0 is full.
inline constexpr std::size_t kFound = ~std::size_t{0};

struct OneFull {
  enum class Letter : std::uint8_t { any };
  static constexpr std::size_t kStates = 1;

  template <class Read>
  void for_each_row(std::size_t rows, Read read) const {
    for (std::size_t row = 1; row < rows; ++row) read(Letter::any, row);
  }
  static std::size_t start() { return kFound; }
  static std::size_t next(Letter /*letter*/, std::size_t state) { return state; }
};

class TwoApart {
 public:
  enum class Letter : std::uint8_t { middle, z_first, z, a, a_last };
  static constexpr std::size_t kStates = 3;

  TwoApart(std::size_t rows, std::size_t tail) : apart_(tail + 1), tight_(rows == 3 * tail) {}

  template <class Read>
  void for_each_row(std::size_t rows, Read read) const {
    for (std::size_t row = apart_; row <= rows - apart_; ++row) read(Letter::middle, row);
    for (std::size_t i = 1; i < apart_; ++i) {
      read(i == 1 ? Letter::z_first : Letter::z, rows - apart_ + i);
      read(i + 1 == apart_ ? Letter::a_last : Letter::a, i);
    }
  }
  static std::size_t start() { return kNothing; }
  std::size_t next(Letter letter, std::size_t state) const {
    switch (letter) {
      case Letter::middle:
        return kFound;
      case Letter::z_first:
        return kOnlyFirstZ;
      case Letter::z:
        return kSomeZ;
      case Letter::a:
        return state == kNothing ? state : kFound;
      case Letter::a_last:
        return state == kNothing || (state == kOnlyFirstZ && tight_) ? state : kFound;
    }
    return state;
  }

 private:
  static constexpr std::size_t kNothing = 0;
  static constexpr std::size_t kOnlyFirstZ = 1;
  static constexpr std::size_t kSomeZ = 2;

  std::size_t apart_;
  bool tight_;
};

class ThreeApart {
 public:
  enum class Letter : std::uint8_t { a, b, c, e };
  static constexpr std::size_t kStates = 32;

  explicit ThreeApart(std::size_t tail) : apart_(tail + 1) {}

  template <class Read>
  void for_each_row(std::size_t rows, Read read) const {
    for (std::size_t offset = 0; offset < apart_; ++offset) {
      if (offset > 0) read(Letter::a, offset);
      read(Letter::b, apart_ + offset);
      read(Letter::c, 2 * apart_ + offset);
      if (3 * apart_ + offset < rows) read(Letter::e, 3 * apart_ + offset);
    }
  }
  static std::size_t start() { return 0; }
  // The state is the set of subsequences seen so far. Row 0 is in A, so B alone is A-B.
  static std::size_t next(Letter letter, std::size_t seen) {
    switch (letter) {
      case Letter::a:
        if ((seen & kCE) != 0) return kFound;
        return (seen & kE) != 0 ? seen | kEA : seen;
      case Letter::b:
        return (seen & kEA) != 0 ? kFound : seen | kB;
      case Letter::c:
        return (seen & kB) != 0 ? kFound : seen | kC;
      case Letter::e:
        return (seen & kC) != 0 ? seen | kE | kCE : seen | kE;
    }
    return seen;
  }

 private:
  static constexpr std::size_t kB = 1;
  static constexpr std::size_t kC = 2;
  static constexpr std::size_t kE = 4;
  static constexpr std::size_t kCE = 8;
  static constexpr std::size_t kEA = 16;

  std::size_t apart_;
};

// P(no row is empty, and the automaton finds what it looks for), by the row that is the first full.
template <class Automaton>
double with_none_empty(Rows rows, const Automaton& automaton) {
  double sum = 0;
  double none_before = 1;  // P(the rows before are neither full nor empty)
  for (std::size_t first = 0; first < rows.size(); ++first) {
    std::array<double, Automaton::kStates> weight{};
    double found = 0;
    const double here = none_before * rows[first].full;
    (automaton.start() == kFound ? found : weight[automaton.start()]) = here;
    automaton.for_each_row(rows.size(), [&](typename Automaton::Letter letter, std::size_t row) {
      const std::size_t at = first + row;
      if (at >= rows.size()) return;  // before the first full row: in none_before already
      found *= rows[at].some + rows[at].full;
      std::array<double, Automaton::kStates> after{};
      for (std::size_t state = 0; state < weight.size(); ++state) {
        after[state] += weight[state] * rows[at].some;
        const std::size_t next = automaton.next(letter, state);
        (next == kFound ? found : after[next]) += weight[state] * rows[at].full;
      }
      weight = after;
    });
    sum += found;
    none_before *= rows[first].some;
  }
  return sum;
}

}  // namespace

std::optional<double> window_odds(std::span<const RowOdds> rows, std::size_t tail, std::size_t h,
                                  Budget& budget) {
  const std::size_t r = rows.size();
  if (tail == 0) {
    if (!budget.spend(r * h)) return std::nullopt;
    std::vector<double> full;
    for (const RowOdds& row : rows) full.push_back(row.full);
    return at_least(h, full);
  }
  if (!budget.spend(r * r * (h * (tail + 1) + ThreeApart::kStates))) return std::nullopt;
  double sum = 0;
  if (h == 1) {
    sum = with_none_empty(rows, OneFull());
  } else if (h == 2) {
    COTERIE_ASSERT(r >= 3 * tail);
    COTERIE_ASSERT(r > 2 * tail + 1);
    sum = with_none_empty(rows, TwoApart(r, tail));
  } else {
    COTERIE_ASSERT(h == 3);
    COTERIE_ASSERT(r == 4 * tail + 3);
    sum = with_none_empty(rows, ThreeApart(tail));
  }
  for (std::size_t cut = 0; cut < r; ++cut) sum += with_first_empty(rows, cut, tail, h);
  return sum;
}

}  // namespace coterie::quorum
