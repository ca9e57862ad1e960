// `coterie reproduce`, end to end.
#include <gtest/gtest.h>

#include <sstream>
#include <string>

#include "cli/command.h"
#include "sim/experiment.h"

namespace coterie::cli {
namespace {

using nlohmann::json;

constexpr const char* kCohorts = "reproduce cohorts --quick ";

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1))
    ++found;
  return found;
}

TEST(Reproduce, WritesTheSameFilesEveryTime) {
  const Folder folder;
  const json first = folder.run_json(std::string(kCohorts) + "--threads 1 --out a --json");
  folder.run_json(std::string(kCohorts) + "--threads 2 --out b --json");
  EXPECT_EQ(first["experiments"][0]["files"].size(), 7U);
  for (const std::string name :
       {"cohorts/table1.csv", "cohorts/figure2.csv", "cohorts/crossings.csv",
        "cohorts/expected_size.csv", "cohorts/choices.csv", "cohorts/claims.csv",
        "cohorts/figure2.svg", "report.html"}) {
    EXPECT_NE(folder.read("a/" + name), "") << name;
    EXPECT_EQ(folder.read("a/" + name), folder.read("b/" + name)) << name;
  }
}

TEST(Reproduce, JudgesTheClaimsOfCohorts) {
  const Folder folder;
  const json results = folder.run_json(std::string(kCohorts) + "--json");
  EXPECT_EQ(results["complete"], true);
  const json& cohorts = results["experiments"][0];
  EXPECT_EQ(cohorts["experiment"], "cohorts");
  EXPECT_EQ(cohorts["command"], "coterie reproduce cohorts --quick --seed 1");
  std::size_t differ = 0;
  for (const json& claim : cohorts["claims"]) {
    differ += claim["verdict"] == "differs" ? 1U : 0U;
    EXPECT_NE(claim["found"], "");
  }
  EXPECT_EQ(differ, 3U);
}

// Taken one after another, h quorums: rows of k,h,p,exact,get_quorum_as_printed,sparing.
TEST(Reproduce, ASparingChoiceAttainsWhatThePrintedOneDoesNot) {
  const Folder folder;
  EXPECT_EQ(folder.run(kCohorts).exit_code, 0);
  std::istringstream lines(folder.read("out/cohorts/choices.csv"));
  std::string line;
  std::getline(lines, line);
  EXPECT_EQ(line, "k,h,p,exact,get_quorum_as_printed,sparing");
  std::size_t rows = 0;
  for (; std::getline(lines, line); ++rows) {
    std::replace(line.begin(), line.end(), ',', ' ');
    std::istringstream cells(line);
    std::size_t k = 0;
    std::size_t h = 0;
    double p = 0;
    double exact = 0;
    double printed = 0;
    double sparing = 0;
    cells >> k >> h >> p >> exact >> printed >> sparing;
    EXPECT_NEAR(sparing, exact, 0.03) << line;
    if (k == 3 && h == 3) {
      EXPECT_NEAR(exact, 0.985, 5e-4);
      EXPECT_NEAR(printed, 0.555, 0.04);
    }
  }
  EXPECT_EQ(rows, 9U);
}

TEST(Reproduce, ThePageIsWholeAndNeedsNothingElse) {
  const Folder folder;
  EXPECT_EQ(folder.run(kCohorts).exit_code, 0);
  const std::string page = folder.read("out/report.html");
  EXPECT_TRUE(page.starts_with("<!DOCTYPE html>"));
  EXPECT_TRUE(page.ends_with("</html>\n"));
  EXPECT_NE(page.find("id=\"cohorts\""), std::string::npos);
  EXPECT_NE(page.find("prefers-color-scheme"), std::string::npos);
  for (const char* tag : {"section", "table", "tr", "td", "svg", "g", "text", "figure", "p"}) {
    EXPECT_EQ(count(page, std::string("<") + tag + ">") + count(page, std::string("<") + tag + " "),
              count(page, std::string("</") + tag + ">"))
        << tag;
  }
  for (const char* outside : {"<script", "<link", "@import", "src=\"", "url("})
    EXPECT_EQ(page.find(outside), std::string::npos) << outside;
  // The claims quote k > 1: as text.
  EXPECT_NE(page.find("k &gt; 1"), std::string::npos);
  EXPECT_EQ(page.find("k > 1"), std::string::npos);
}

// A sheet of 42 columns would run off the page: the page shows what fits on paper, and says where the rest is.
TEST(Reproduce, WideTablesDoNotRunOffThePage) {
  const Folder folder;
  EXPECT_EQ(folder.run("reproduce mutin --quick").exit_code, 0);
  const std::string page = folder.read("out/report.html");
  EXPECT_NE(page.find("the first 12 of 42 columns; all of it: <a href=\"mutin/loaded.csv\">"),
            std::string::npos);
  EXPECT_EQ(count(page, "<div class=\"wide\"><table"), count(page, "<table"));
  for (std::size_t row = page.find("<tr>"); row != std::string::npos;
       row = page.find("<tr>", row + 1)) {
    const std::string cells = page.substr(row, page.find("</tr>", row) - row);
    EXPECT_LE(count(cells, "<td") + count(cells, "<th"), 12U) << cells;
  }
}

TEST(Reproduce, SaysTheLineThatReplaysFirstAndFitsInto80Columns) {
  const Folder folder;
  const Outcome outcome = folder.run(std::string(kCohorts) + "--seed 7");
  EXPECT_TRUE(outcome.out.starts_with("replay   coterie reproduce cohorts --quick --seed 7\n"))
      << outcome.out;
  EXPECT_NE(outcome.out.find("differs  Table 1: the smallest quorum has k members"),
            std::string::npos);
  expect_plain(outcome, "reproduce");
}

TEST(Reproduce, HelpHasEveryExperiment) {
  const Folder folder;
  const Outcome outcome = folder.run("reproduce --help");
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_NE(outcome.out.find("Example"), std::string::npos);
  for (const sim::Experiment& experiment : sim::experiments())
    EXPECT_NE(outcome.out.find(experiment.name), std::string::npos) << experiment.name;
}

TEST(Reproduce, BadInput) {
  const Folder folder;
  folder.write("file", "");
  struct Bad {
    std::string command;
    std::string says;
  };
  for (const Bad& bad : {Bad{"reproduce nonsense", "nonsense"},
                         Bad{"reproduce cohorts --out file/x", "cannot make the folder 'file/x"},
                         Bad{"reproduce cohorts --threads 0", "from 1 to 256, not '0'"}}) {
    const Outcome outcome = folder.run(bad.command);
    EXPECT_EQ(outcome.exit_code, 2) << bad.command;
    EXPECT_NE(outcome.err.find(bad.says), std::string::npos) << bad.command << outcome.err;
  }
}

}  // namespace
}  // namespace coterie::cli
