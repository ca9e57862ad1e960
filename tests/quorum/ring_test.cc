#include "quorum/ring.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "base/random.h"
#include "sanitized.h"

namespace coterie::quorum {
namespace {

enum class Row : std::uint8_t { empty, some, full };

// By the definition: as many rows as can be whose windows are complete and share no row.
std::size_t most_windows(const std::vector<Row>& ring, std::size_t tail) {
  const std::size_t rows = ring.size();
  std::size_t most = 0;
  std::vector<std::uint32_t> windows;
  for (std::size_t start = 0; start < rows; ++start) {
    std::uint32_t window = 0;
    bool complete = ring[start] == Row::full;
    for (std::size_t i = 0; i <= tail; ++i) {
      complete = complete && ring[(start + i) % rows] != Row::empty;
      window |= std::uint32_t{1} << ((start + i) % rows);
    }
    if (complete) windows.push_back(window);
  }
  const auto extend = [&](const auto& self, std::size_t from, std::uint32_t taken,
                          std::size_t count) -> void {
    most = std::max(most, count);
    for (std::size_t i = from; i < windows.size(); ++i) {
      if ((windows[i] & taken) == 0) self(self, i + 1, taken | windows[i], count + 1);
    }
  };
  extend(extend, 0, 0, 0);
  return most;
}

std::vector<std::size_t> starts_of(const std::vector<Row>& ring, std::size_t tail) {
  std::vector<std::size_t> starts;
  for (std::size_t start = 0; start < ring.size(); ++start) {
    bool complete = ring[start] == Row::full;
    for (std::size_t i = 1; i <= tail; ++i) {
      complete = complete && ring[(start + i) % ring.size()] != Row::empty;
    }
    if (complete) starts.push_back(start);
  }
  return starts;
}

// Calls act(ring, most windows, number) for every ring of this many rows.
template <class Act>
void for_each_ring(std::size_t rows, std::size_t tail, Act act) {
  std::size_t count = 1;
  for (std::size_t i = 0; i < rows; ++i) count *= 3;
  for (std::size_t code = 0; code < count; ++code) {
    std::vector<Row> ring(rows);
    std::size_t rest = code;
    for (Row& row : ring) {
      row = static_cast<Row>(rest % 3);
      rest /= 3;
    }
    act(ring, most_windows(ring, tail));
  }
}

TEST(Ring, PacksAsManyWindowsAsThereCanBe) {
  for (std::size_t rows = 1; rows <= 9; ++rows) {
    for (std::size_t tail = 0; tail < rows; ++tail) {
      for_each_ring(rows, tail, [&](const std::vector<Row>& ring, std::size_t most) {
        const auto packed = pack_windows(starts_of(ring, tail), rows, tail, rows);
        ASSERT_EQ(packed.size(), most) << rows << " " << tail;
        for (std::size_t i = 0; i < packed.size(); ++i) {
          const std::size_t next = i + 1 < packed.size() ? packed[i + 1] : packed[0] + rows;
          ASSERT_GT(next - packed[i], tail);
        }
        ASSERT_EQ(pack_windows(starts_of(ring, tail), rows, tail, 1).size(), std::min(most, 1UL));
      });
    }
  }
}

struct Case {
  std::size_t rows;
  std::size_t tail;
  std::size_t h;
};

// There are three to the power of the rows.
constexpr std::size_t kMostRows = kIsSanitized ? 8 : 12;

// The cases that legal tori need, and all tails for one window.
std::vector<Case> cases() {
  std::vector<Case> all;
  for (std::size_t rows = 1; rows <= std::min<std::size_t>(10, kMostRows); ++rows) {
    for (std::size_t tail = 0; tail < rows; ++tail) all.push_back({rows, tail, 1});
    for (std::size_t h = 2; h <= rows; ++h) all.push_back({rows, 0, h});
  }
  for (std::size_t rows = 4; rows <= kMostRows; ++rows) all.push_back({rows, rows / 3, 2});
  for (const std::size_t rows : {7U, 11U}) {
    if (rows > kMostRows) continue;
    all.push_back({rows, rows / 4, 2});
    all.push_back({rows, rows / 4, 3});
  }
  return all;
}

TEST(Ring, OddsAreTheSumOverAllRings) {
  Random random(3);
  for (const auto& [rows, tail, h] : cases()) {
    std::vector<RowOdds> odds(rows);
    for (RowOdds& row : odds) {
      row.empty = 0.4 * random.uniform();
      row.full = 0.5 * random.uniform();
      row.some = 1 - row.empty - row.full;
    }
    double expected = 0;
    for_each_ring(rows, tail, [&, wanted = h](const std::vector<Row>& ring, std::size_t most) {
      if (most < wanted) return;
      double chance = 1;
      for (std::size_t i = 0; i < ring.size(); ++i) {
        chance *= ring[i] == Row::empty  ? odds[i].empty
                  : ring[i] == Row::some ? odds[i].some
                                         : odds[i].full;
      }
      expected += chance;
    });
    Budget budget;
    const auto own = window_odds(odds, tail, h, budget);
    ASSERT_TRUE(own);
    EXPECT_NEAR(*own, expected, 1e-12) << rows << " rows, tail " << tail << ", h = " << h;
  }
}

// Rings too long to list: against the share of random rings that have the windows.
TEST(Ring, OddsOfLongRings) {
  Random random(5);
  for (const auto& [rows, tail, h] :
       {Case{60, 20, 2}, Case{61, 20, 2}, Case{62, 20, 2}, Case{63, 15, 3}, Case{63, 15, 2}}) {
    const RowOdds row{0.004, 0.88, 0.116};
    const std::vector<RowOdds> odds(rows, row);
    Budget budget;
    const auto own = window_odds(odds, tail, h, budget);
    ASSERT_TRUE(own);
    constexpr int kRounds = kIsSanitized ? 4'000 : 40'000;
    int found = 0;
    for (int round = 0; round < kRounds; ++round) {
      std::vector<Row> ring(rows);
      for (Row& each : ring) {
        const double drawn = random.uniform();
        each = drawn < row.empty ? Row::empty : drawn < 1 - row.full ? Row::some : Row::full;
      }
      found += pack_windows(starts_of(ring, tail), rows, tail, h).size() == h ? 1 : 0;
    }
    const double share = static_cast<double>(found) / kRounds;
    EXPECT_NEAR(*own, share, 5 * std::sqrt(0.25 / kRounds)) << rows << " rows, h = " << h;
    EXPECT_GT(share, 0.1);
    EXPECT_LT(share, 0.99);
  }
}

}  // namespace
}  // namespace coterie::quorum
