// `coterie torture`, end to end.
#include <gtest/gtest.h>

#include <string>

#include "cli/command.h"

namespace coterie::cli {
namespace {

using nlohmann::json;

TEST(Torture, SaysWhatWasMetAndWhatWasNot) {
  const Folder folder;
  const Outcome outcome = folder.run("torture --seeds 4");
  EXPECT_EQ(outcome.exit_code, 0);
  expect_plain(outcome, "torture");
  for (const char* part : {"4 runs: ", "fault", "a member saw", "not met: ", "no violation"})
    EXPECT_NE(outcome.out.find(part), std::string::npos) << part;
}

TEST(Torture, OneRunTellsItsPlan) {
  const Folder folder;
  const Outcome outcome = folder.run("torture --seed 5 --seeds 1");
  expect_plain(outcome, "torture");
  EXPECT_TRUE(outcome.out.starts_with("replay   coterie torture --seed 5 --seeds 1\ncluster  "))
      << outcome.out;
}

TEST(Torture, GivesTheSameBytesWhateverTheThreads) {
  const Folder folder;
  const Outcome one = folder.run("torture --seeds 4 --json --threads 1");
  EXPECT_EQ(folder.run("torture --seeds 4 --json --threads 3").out, one.out);
  const json result = json::parse(one.out);
  EXPECT_EQ(result["runs"], 4);
  EXPECT_TRUE(result["complete"]);
  EXPECT_TRUE(result["violation"].is_null());
  for (const char* field : {"simulated_seconds", "cluster_hours", "entries", "holds_watched"})
    EXPECT_TRUE(result[field].is_number()) << field;
  EXPECT_TRUE(result["faults"].contains("crash"));
  EXPECT_TRUE(result["tally"].contains("entered"));
}

TEST(Torture, TellsAViolationAndTheLineThatReplaysIt) {
  const Folder folder;
  const Outcome outcome = folder.run("torture --mutant yields-inside --seeds 60");
  EXPECT_EQ(outcome.exit_code, 1);
  expect_plain(outcome, "torture");
  EXPECT_NE(outcome.out.find("VIOLATION of exclusion"), std::string::npos) << outcome.out;
  const Outcome told = folder.run("torture --mutant yields-inside --seeds 60 --json");
  const json violation = json::parse(told.out)["violation"];
  const std::string replay = violation["replay"].get<std::string>().substr(8);
  EXPECT_EQ(json::parse(folder.run(replay + " --json").out)["violation"], violation);
  EXPECT_LE(violation["story"].size(), 40U);
}

TEST(Torture, ListsItsMutants) {
  const Folder folder;
  const Outcome outcome = folder.run("torture --list");
  expect_plain(outcome, "torture --list");
  EXPECT_NE(outcome.out.find("no-silence"), std::string::npos);
  EXPECT_GT(folder.run_json("torture --list --json")["mutants"].size(), 20U);
}

TEST(Torture, RefusesWhatItDoesNotKnow) {
  const Folder folder;
  const Outcome outcome = folder.run("torture --mutant nobody");
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_EQ(outcome.err, "coterie: --mutant: there is no 'nobody'; --list lists them\n");
  EXPECT_EQ(folder.run("torture --seeds 0").exit_code, 2);
  EXPECT_EQ(folder.run("torture --seeds 5 --minutes 1").exit_code, 2);
}

}  // namespace
}  // namespace coterie::cli
