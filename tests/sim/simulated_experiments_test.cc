// The experiments in their smallest size: the same figures whatever the number of threads, today and
// after a refactoring; and what can be derived is derived.
#include "sim/simulated_experiments.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "sim/trial.h"

namespace coterie::sim {
namespace {

constexpr std::atomic<bool> kGoOn = false;

Report tiny(std::string_view name, unsigned threads, const std::atomic<bool>& stop = kGoOn) {
  const auto all = experiments();
  const auto found = std::find_if(all.begin(), all.end(), [&](const Experiment& experiment) {
    return experiment.name == name;
  });
  EXPECT_NE(found, all.end()) << name;
  return found->run({.quick = true, .tiny = true, .seed = 1, .threads = threads}, {}, stop);
}

std::string text_of(const Cell& cell) {
  if (const auto* number = std::get_if<double>(&cell)) return fmt::format("{:.6g}", *number);
  if (const auto* count = std::get_if<std::uint64_t>(&cell)) return std::to_string(*count);
  return std::get<std::string>(cell);
}

// FNV-1a over every cell of every sheet, and over what was found.
std::uint64_t digest(const Report& report) {
  std::uint64_t hash = 0xcbf29ce484222325ULL;
  const auto add = [&](const std::string& text) {
    for (const char c : text + ';') {
      hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3ULL;
    }
  };
  for (const Sheet& sheet : report.sheets) {
    for (const auto& row : sheet.rows) {
      for (const Cell& cell : row) add(text_of(cell));
    }
  }
  for (const Finding& finding : report.findings) add(finding.found);
  return hash;
}

struct Golden {
  std::string_view name;
  std::uint64_t digest;
};
void PrintTo(const Golden& golden, std::ostream* to) { *to << golden.name; }

class SimulatedExperiment : public testing::TestWithParam<Golden> {};

TEST_P(SimulatedExperiment, HasTheSameFiguresForEveryNumberOfThreads) {
  const Report one = tiny(GetParam().name, 1);
  const Report two = tiny(GetParam().name, 2);
  EXPECT_EQ(digest(one), digest(two));
  EXPECT_EQ(digest(one), GetParam().digest) << fmt::format("{:#x}", digest(one));
  EXPECT_TRUE(one.is_complete);
  ASSERT_FALSE(one.findings.empty());
  EXPECT_EQ(one.findings.front().ruling, Ruling::holds) << one.findings.front().found;
  for (const Sheet& sheet : one.sheets) {
    for (const auto& row : sheet.rows) EXPECT_EQ(row.size(), sheet.columns.size()) << sheet.name;
  }
}

TEST_P(SimulatedExperiment, SaysWhenItWasStopped) {
  const std::atomic<bool> stop = true;
  const Report report = tiny(GetParam().name, 1, stop);
  EXPECT_FALSE(report.is_complete);
  EXPECT_EQ(report.findings.size(), 1U);  // of no run at all
}

INSTANTIATE_TEST_SUITE_P(All, SimulatedExperiment,
                         testing::Values(Golden{"surrogate-fig7", 0xb0aeacc97fb750fcULL},
                                         Golden{"surrogate-dynamic", 0xafe864cb7d2f9651ULL},
                                         Golden{"surrogate-ablation", 0xb35607d65061a7c0ULL},
                                         Golden{"surrogate-table1", 0xf409184d2a05e08dULL},
                                         Golden{"group-k", 0x180966f4386cf937ULL},
                                         Golden{"cohorts-messages", 0x013f43aa1dc64989ULL},
                                         Golden{"mutin", 0xd3626d853cabead8ULL},
                                         Golden{"choose", 0xfda8fc79e5062579ULL}));

const Sheet& sheet_of(const Report& report, std::string_view name) {
  return *std::find_if(report.sheets.begin(), report.sheets.end(),
                       [&](const Sheet& sheet) { return sheet.name == name; });
}

std::string cell(const Sheet& sheet, std::size_t row, std::string_view column) {
  const auto found = std::find(sheet.columns.begin(), sheet.columns.end(), column);
  EXPECT_NE(found, sheet.columns.end()) << column;
  return text_of(sheet.rows[row][static_cast<std::size_t>(found - sheet.columns.begin())]);
}

TEST(GroupKExperiment, AloneCostsAreTheFormulas) {
  const Report report = tiny("group-k", 1);
  const Sheet& table = sheet_of(report, "table");
  ASSERT_EQ(table.rows.size(), 5U);
  for (std::size_t row = 1; row < table.rows.size(); ++row) {
    EXPECT_EQ(cell(table, row, "alone_messages"), cell(table, row, "alone_formula"));
  }
  // Jiang's eight nodes: |Q| = 3, |Q∪P| = 5.
  EXPECT_EQ(cell(table, 0, "alone_messages"), "17");
  EXPECT_EQ(cell(table, 1, "alone_messages"), "17");
  EXPECT_EQ(cell(table, 1, "alone_hops"), "7");  // 8, but for the first registrar, which is itself
  EXPECT_EQ(cell(table, 2, "alone_hops"), "4");
  EXPECT_EQ(cell(table, 3, "alone_messages"), "9");
  EXPECT_EQ(cell(table, 3, "alone_hops"), "2");
}

TEST(MutinExperiment, AloneCostsAreTheFormulas) {
  const Report report = tiny("mutin", 1);
  const Sheet& table = sheet_of(report, "table");
  for (std::size_t row = 0; row < table.rows.size(); ++row) {
    EXPECT_EQ(cell(table, row, "alone_messages"), cell(table, row, "alone_formula"));
    // In a band of so few a member's own census may be enough, which saves hops.
    if (cell(table, row, "algorithm") == "mutin") {
      EXPECT_EQ(cell(table, row, "alone_hops"), "6");
    }
    if (cell(table, row, "algorithm") == "mutin-fused") {
      EXPECT_EQ(cell(table, row, "alone_hops"), "2");
    }
  }
}

TEST(RankCorrelation, IsOneIfTheValuesGrow) {
  EXPECT_EQ(rank_correlation(std::vector<double>{1, 2, 5, 7}), 1);
  EXPECT_EQ(rank_correlation(std::vector<double>{7, 5, 2, 1}), -1);
}

TEST(Growth, IsTheExponentOfAPower) {
  EXPECT_NEAR(growth(std::vector<std::pair<double, double>>{{1, 3}, {4, 6}, {9, 9}}), 0.5, 1e-12);
}

}  // namespace
}  // namespace coterie::sim
