// `coterie quorum`, end to end.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "cli/command.h"

namespace coterie::cli {
namespace {

using nlohmann::json;

TEST(QuorumAnalyze, HasTheFieldsThatOthersRelyOn) {
  const Folder folder;
  const json analysis = folder.run_json("quorum analyze majority:n=3 --up 0.9 --json");
  EXPECT_EQ(analysis["n"], 3);
  EXPECT_EQ(analysis["k"], 1);
  EXPECT_EQ(analysis["method"], "recursion");
  ASSERT_EQ(analysis["availability"].size(), 1U);
  EXPECT_NEAR(analysis["availability"][0].get<double>(), 0.972, 1e-12);
  EXPECT_EQ(analysis["quorum_size"]["min"], 2);
  EXPECT_EQ(analysis["quorum_size"]["max"], 2);
  EXPECT_NEAR(analysis["quorum_size"]["expected"].get<double>(), 2, 1e-12);
  EXPECT_NEAR(analysis["load"].get<double>(), 2.0 / 3, 1e-9);
  EXPECT_NEAR(analysis["capacity"].get<double>(), 1.5, 1e-8);
  EXPECT_EQ(analysis["resilience"], 1);
}

TEST(QuorumAnalyze, GridRwHasTheLoadThatQuoraclePublished) {
  const Folder folder;
  const json analysis = folder.run_json("quorum analyze grid-rw:rows=2,cols=3 --reads 0.25 --json");
  EXPECT_NEAR(analysis["load"].get<double>(), 0.375, 1e-9);
  EXPECT_NEAR(analysis["capacity"].get<double>(), 1 / 0.375, 1e-7);
  EXPECT_NEAR(analysis["write"]["load"].get<double>(), 1.0 / 3, 1e-9);
  EXPECT_NEAR(analysis["read"]["load"].get<double>(), 0.5, 1e-9);
  EXPECT_EQ(analysis["write"]["availability"].size(), 3U);
  EXPECT_EQ(analysis["read"]["availability"].size(), 2U);
}

TEST(QuorumAnalyze, TakesAProbabilityPerMember) {
  const Folder folder;
  folder.write("up.json", "[1, 1, 0]");
  EXPECT_EQ(
      folder.run_json("quorum analyze majority:n=3 --up-file up.json --json")["availability"][0],
      1.0);
  folder.write("quorums.json", R"({"quorums": [["a","b"],["b","c"],["a","c"]]})");
  folder.write("by_name.json", R"({"c": 0.5, "a": 1, "b": 0.5})");
  EXPECT_NEAR(
      folder
          .run_json(
              "quorum analyze file:quorums.json --up-file by_name.json --json")["availability"][0]
          .get<double>(),
      0.75, 1e-12);
}

TEST(QuorumAnalyze, SamplesTheSameFromTheSameSeed) {
  const Folder folder;
  const std::string command =
      "quorum analyze plane:order=7 --up 0.6 --steps 1000 --samples 2000 --json --seed ";
  const Outcome first = folder.run(command + "7");
  EXPECT_EQ(json::parse(first.out)["method"], "sampling");
  EXPECT_EQ(first.out, folder.run(command + "7").out);
  EXPECT_NE(first.out, folder.run(command + "8").out);
}

TEST(QuorumCheck, HasTheFieldsThatOthersRelyOn) {
  const Folder folder;
  const json report = folder.run_json("quorum check torus:rows=4,cols=2,k=2 --json");
  for (const char* key :
       {"intersection", "non_intersection", "minimality", "write_read_intersection"}) {
    EXPECT_EQ(report[key]["holds"], true) << key;
    EXPECT_EQ(report[key]["witness"], json::array()) << key;
  }
  EXPECT_TRUE(report["group_intersection"]["holds"].is_null());
  EXPECT_TRUE(report["nondominated"]["holds"].is_boolean());
}

TEST(QuorumCheck, ShowsAWitnessAndExitsWith1) {
  const Folder folder;
  folder.write("disjoint.json", R"({"k": 1, "quorums": [["a","b"],["c","d"],["a","c"]]})");
  const Outcome outcome = folder.run("quorum check file:disjoint.json --json");
  EXPECT_EQ(outcome.exit_code, 1);
  const json report = json::parse(outcome.out);
  EXPECT_EQ(report["intersection"]["holds"], false);
  EXPECT_EQ(report["intersection"]["witness"], json::parse(R"([["a","b"],["c","d"]])"));
}

TEST(QuorumCheck, LeavesLargeSystemsNotDecidedOrToATheorem) {
  const Folder folder;
  const json report = folder.run_json("quorum check grid:rows=60,cols=60 --steps 100000 --json");
  EXPECT_EQ(report["minimality"]["holds"], true);
  folder.write("large.json", [] {
    std::string quorums;
    for (int i = 1; i < 2000; ++i) quorums += (i > 1 ? ",[0," : "[0,") + std::to_string(i) + "]";
    return "{\"k\": 1, \"quorums\": [" + quorums + "]}";
  }());
  const json unknown = folder.run_json("quorum check file:large.json --steps 50 --json");
  EXPECT_TRUE(unknown["minimality"]["holds"].is_null());
}

TEST(QuorumShow, ListsTheFirstQuorumsAndCountsThem) {
  const Folder folder;
  const json shown = folder.run_json("quorum show cohorts:k=2,sizes=2/3 --limit 3 --json");
  EXPECT_EQ(shown["spec"], "cohorts:k=2,sizes=2/3");
  EXPECT_EQ(shown["count"], 9);
  EXPECT_EQ(shown["quorums"].size(), 3U);
}

TEST(QuorumShow, KeepsNamesApart) {
  const Folder folder;
  folder.write("names.json", R"({"quorums": [["007", "7"], ["7", 8]]})");
  const json shown = folder.run_json("quorum show file:names.json --json");
  EXPECT_EQ(shown["members"], json::parse(R"([7, 8, "007"])"));
}

TEST(QuorumAnalyze, ListsTheStrategyOfAMix) {
  const Folder folder;
  const json analysis =
      folder.run_json("quorum analyze grid-rw:rows=2,cols=3 --reads 0.25 --strategy --json");
  double writes = 0;
  for (const json& choice : analysis["strategy"]["write"]) writes += choice["share"].get<double>();
  EXPECT_NEAR(writes, 1, 1e-9);
  EXPECT_FALSE(analysis["strategy"]["read"].empty());
}

// As many members as may be: an answer in a moment, or "not decided". Not with sanitizers, which would
// find in a million what they find in a few.
TEST(Quorum, HugeSystemsDoNotHang) {
  const std::string n = is_command_sanitized() ? "2000" : "300000";
  const Folder folder;
  for (const std::string& spec :
       {"k-singleton:n=" + n + ",k=" + n, "cohorts:k=" + n + ",sizes=" + n, "all:n=" + n,
        "k-majority:n=" + n + ",k=3"}) {
    for (const std::string command : {"show ", "check ", "analyze "}) {
      const Outcome outcome = folder.run("quorum " + command + spec);
      EXPECT_EQ(outcome.exit_code, 0) << command << spec << "\n" << outcome.err;
    }
  }
}

TEST(Quorum, OfManyGroupsTheFirstAreShown) {
  const Folder folder;
  const std::string spec = "surficial:groups=20,degree=1";
  for (const std::string command : {"show ", "analyze ", "compare "}) {
    const Outcome outcome = folder.run("quorum " + command + spec);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    EXPECT_NE(outcome.out.find("group 7"), std::string::npos) << outcome.out;
    EXPECT_EQ(outcome.out.find("group 8"), std::string::npos) << outcome.out;
    EXPECT_NE(outcome.out.find("12 more groups: --groups 20 shows all"), std::string::npos)
        << outcome.out;
    const Outcome all = folder.run("quorum " + command + spec + " --groups 1000");
    EXPECT_NE(all.out.find("group 19"), std::string::npos) << all.out;
    EXPECT_EQ(all.out.find("more group"), std::string::npos) << all.out;
  }
  const json shown = folder.run_json("quorum show --json " + spec);
  EXPECT_EQ(shown["group_count"], 20);
  EXPECT_EQ(shown["groups"].size(), 8U);
}

TEST(QuorumCompare, WhatIsSampledHasItsInterval) {
  const Folder folder;
  const std::string command =
      "quorum compare plane:order=7 majority:n=3 wheel:n=5@plane:order=2 --up 0.6:0.8:0.1 --steps "
      "500 "
      "--samples 2000 ";
  const json compared = folder.run_json(command + "--json");
  const json& sampled = compared["systems"][0];
  EXPECT_FALSE(compared["systems"][1].contains("availability_by_up_ci95"));
  double widest = 0;
  for (std::size_t i = 0; i < 3; ++i) {
    const double value = sampled["availability_by_up"][i][0].get<double>();
    const json& interval = sampled["availability_by_up_ci95"][i][0];
    EXPECT_LE(interval[0].get<double>(), value);
    EXPECT_GE(interval[1].get<double>(), value);
    widest =
        std::max({widest, value - interval[0].get<double>(), interval[1].get<double>() - value});
  }
  const std::string out = folder.run(command).out;
  const std::size_t intervals = out.find("sampled: 95 % within");
  ASSERT_NE(intervals, std::string::npos) << out;
  const std::size_t row = out.find("A  plane:order=7", intervals);
  ASSERT_NE(row, std::string::npos) << out;
  const double shown = std::stod(out.substr(out.find("+-", row) + 2));
  EXPECT_GE(shown, widest);
  EXPECT_LT(shown, widest + 1e-4);
  EXPECT_EQ(out.find("majority", intervals), std::string::npos) << out;
  EXPECT_NE(out.find("E(size)", intervals), std::string::npos) << out;
}

TEST(Quorum, NamesDoNotReachTheTerminalAsTheyAre) {
  const Folder folder;
  folder.write("turned.json", "{\"quorums\": [[\"a\u202eb\", \"c\"], [\"c\", \"d\\u009b31m\"]]}");
  for (const std::string command :
       {"show file:turned.json", "check file:turned.json", "analyze --strategy file:turned.json",
        "show 'file:\x1b[31m\u202e'"}) {
    const Outcome outcome = folder.run("quorum " + command);
    for (const char* raw : {"\u202e", "\u009b", "\x1b"}) {
      EXPECT_EQ((outcome.out + outcome.err).find(raw), std::string::npos) << command;
    }
  }
  EXPECT_NE(folder.run("quorum show file:turned.json").out.find("a\\u202eb"), std::string::npos);
}

TEST(Quorum, OneIsNotAPlural) {
  const Folder folder;
  for (const std::string spec : {"majority:n=1", "majority:n=3", "k-singleton:n=3,k=1"}) {
    for (const std::string command : {"show ", "check ", "analyze "}) {
      const std::string out = folder.run("quorum " + command + spec).out;
      EXPECT_EQ(out.find(" 1 members"), std::string::npos) << out;
      EXPECT_EQ(out.find("\n1 members"), std::string::npos) << out;
      EXPECT_EQ(out.find("1 fail"), std::string::npos) << out;
    }
  }
}

TEST(QuorumCompare, SweepsAndDraws) {
  const Folder folder;
  const json compared = folder.run_json(
      "quorum compare majority:n=5 tree:n=7 --up 0.5:0.9:0.1 --plot curves.svg --json");
  EXPECT_EQ(compared["up"], json::parse("[0.5,0.6,0.7,0.8,0.9]"));
  ASSERT_EQ(compared["systems"].size(), 2U);
  EXPECT_EQ(compared["systems"][0]["availability_by_up"].size(), 5U);
  EXPECT_NE(folder.read("curves.svg").find("</svg>"), std::string::npos);
}

TEST(QuorumCompare, GrowsThroughSizesAndTakesTheNearestShape) {
  const Folder folder;
  const json compared = folder.run_json("quorum compare tree:n=N majority:n=N --sizes 4,9 --json");
  EXPECT_EQ(compared["growth"][0]["systems"][0]["n"], 5);
  EXPECT_EQ(compared["growth"][1]["systems"][0]["n"], 4);
}

TEST(Quorum, LinesFitInto80Columns) {
  const Folder folder;
  for (const std::string command :
       {"quorum show torus:rows=7,cols=3,k=3", "quorum check cohorts:k=2,sizes=2/3/3",
        "quorum analyze cohorts:k=3,sizes=3/5/6/7/8/9/10/11/12/13/14/15",
        "quorum compare cohorts:k=3,sizes=3/5/6/7/8/9/10/11/12/13/14/15 torus:rows=7,cols=3,k=3 "
        "majority:n=3@majority:n=3 k-majority:n=10000,k=3 --up 0.5:0.95:0.05",
        "quorum compare plane:order=7 "
        "cohorts:k=3,sizes=3/5/6/7/8/9/10/11/12/13/14/15@plane:order=2 "
        "--steps 1000 --samples 100 --up 0.5:0.95:0.05",
        "quorum analyze surficial:groups=40,degree=2", "quorum list"}) {
    const Outcome outcome = folder.run(command);
    EXPECT_EQ(outcome.exit_code, 0) << command << outcome.err;
    expect_plain(outcome, command);
  }
}

// Two quorums that differ in their middle are two different lines, unless a terminal is too narrow: see AtTerminal.
TEST(Quorum, PipedLinesAreWhole) {
  const Folder folder;
  const Outcome outcome = folder.run("quorum show grid:rows=30,cols=40");
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_NE(outcome.out.find("\n  {0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,"),
            std::string::npos);
  EXPECT_NE(outcome.out.find(",1080,1120,1160}\n"), std::string::npos) << outcome.out;
  EXPECT_EQ(outcome.out.find("39.."), std::string::npos);
  const Outcome compared = folder.run(
      "quorum compare "
      "cohorts:k=3,sizes=3/5/6/7/8/9/10/11/12/13/14/15/16/17/18/19/20/21/22/23/24/25/26 "
      "majority:n=5 --steps 1000 --samples 100");
  EXPECT_NE(compared.out.find("/13/14/15/16/17/18/19/20/21/22/23/24/25/26\n"), std::string::npos)
      << compared.out;
}

// What is computed from k must not rest on a file's word.
TEST(QuorumAnalyze, VerifiesTheKOfAFile) {
  const Folder folder;
  const std::string quorums = R"("quorums": [[0, 1], [2, 3], [4, 5], [0, 2, 4]])";
  folder.write("right.json", R"({"k": 3, )" + quorums + "}");
  folder.write("low.json", R"({"k": 2, )" + quorums + "}");
  folder.write("high.json", R"({"k": 4, )" + quorums + "}");
  EXPECT_EQ(folder.run_json("quorum analyze file:right.json --json")["k_verified"], true);
  for (const std::string command : {"analyze", "compare majority:n=3"}) {
    const Outcome low = folder.run("quorum " + command + " file:low.json");
    EXPECT_EQ(low.exit_code, 2) << command;
    EXPECT_EQ(low.out, "") << command;
    EXPECT_NE(low.err.find("file:low.json: k is given as 2, but 3 quorums are pairwise disjoint: "
                           "{0,1}, {2,3}, {4,5}"),
              std::string::npos)
        << low.err;
    const Outcome high = folder.run("quorum " + command + " file:high.json");
    EXPECT_EQ(high.exit_code, 2) << command;
    EXPECT_NE(high.err.find("k is given as 4, but no 4 quorums are pairwise disjoint"),
              std::string::npos)
        << high.err;
  }
  for (const std::string command :
       {"quorum show file:low.json", "check k-mutex --system file:low.json",
        "sim k-mutex --system file:low.json", "dev --classic k-mutex --system file:low.json"}) {
    const Outcome outcome = folder.run(command);
    EXPECT_EQ(outcome.exit_code, 2) << command;
    EXPECT_EQ(outcome.out, "") << command;
    EXPECT_NE(outcome.err.find("file:low.json: k is given as 2, but 3"), std::string::npos)
        << outcome.err;
  }
  const Outcome hasty = folder.run("quorum analyze file:right.json --steps 1");
  EXPECT_EQ(hasty.exit_code, 0) << hasty.err;
  EXPECT_NE(hasty.out.find("as the file says; not verified"), std::string::npos) << hasty.out;
}

struct BadSpec {
  std::string command;
  std::string names;  // what the message must name
};

TEST(Quorum, BadInputIsNamedAndChangesNothing) {
  const Folder folder;
  folder.write("broken.json", R"({"quorums": [[1, 2], [)");
  folder.write("empty.json", "");
  folder.write("empty_set.json", R"({"quorums": [[1, 2], []]})");
  folder.write("none.json", R"({"quorums": []})");
  folder.write("short.json", "[0.5]");
  folder.write("twice.json", R"({"0": 0.5, "0": 0.6, "1": 0.5, "2": 0.5})");
  folder.write("huge.json", "[1e999, 0.5, 0.5]");
  folder.write("too_likely.json", "[0.5, 1.5, 0.5]");
  const std::vector<BadSpec> inputs = {
      {"quorum show majority:n=0", "nearest: majority:n=1"},
      {"quorum show majority:n=-1", "n"},
      {"quorum show majority:n=99999999999999999999", "n"},
      {"quorum show majority:n=5000000", "1000000"},
      {"quorum show majorty:n=5", "majority"},
      {"quorum show majority", "n"},
      {"quorum show majority:n=5,m=3", "m"},
      {"quorum show 'majority:n=5 '", "majority"},
      {"quorum show ''", ""},
      {"quorum show k-majority:n=3,k=4", "nearest: k-majority:n=3,k=3"},
      {"quorum show k-majority:n=3,k=2", "k-majority:n=4,k=2"},
      {"quorum show torus:rows=6,cols=4,k=3", "torus:rows=7,cols=4,k=3"},
      {"quorum show cohorts:k=2,sizes=2/2", "cohorts:k=2,sizes=2/3"},
      {"quorum show cohorts:k=2,sizes=2//3", "sizes"},
      {"quorum show wall:widths=1/1x999999999999", "widths"},
      {"quorum show plane:order=6", "prime"},
      {"quorum show tree:n=4", "odd"},
      {"quorum show file:missing.json", "missing.json"},
      {"quorum show file:.", "."},
      {"quorum check file:broken.json", "broken.json"},
      {"quorum check file:empty.json", "empty.json"},
      {"quorum check file:empty_set.json", "quorum 2"},
      {"quorum check file:none.json", "quorum"},
      {"quorum analyze majority:n=3 --up 1.5", "--up"},
      {"quorum analyze majority:n=3 --up nan", "--up"},
      {"quorum analyze majority:n=3 --up ''", "--up"},
      {"quorum analyze majority:n=3 --up-file short.json", "3 members"},
      {"quorum analyze majority:n=3 --up-file too_likely.json", "1.5"},
      {"quorum analyze majority:n=3 --up-file broken.json", "JSON"},
      {"quorum analyze majority:n=3 --up-file missing.json", "missing.json"},
      {"quorum analyze majority:n=3 --reads 0.5", "--reads"},
      {"quorum analyze grid-rw:rows=2,cols=3 --reads 2", "--reads"},
      {"quorum analyze majority:n=3 --samples 0", "samples"},
      {"quorum analyze majority:n=3 --steps -1", "steps"},
      {"quorum analyze majority:n=3 --seed -1", "seed"},
      {"quorum analyze majority:n=3 --seed 99999999999999999999999", "seed"},
      {"quorum analyze majority:n=3 --up-file twice.json", "twice"},
      {"quorum analyze majority:n=3 --up-file huge.json", "range"},
      {"quorum compare majority:n=3 --up 0.9:0.5:0.1", "--up"},
      {"quorum compare majority:n=3 --up 0:1:0", "--up"},
      {"quorum compare majority:n=3 --up 0.1:0.2", "--up"},
      {"quorum compare majority:n=3 --up 0.5:0.9:0.1 --plot picture.pdf", ".svg"},
      {"quorum compare majority:n=3 --up 0.5:0.9:0.1 --plot nowhere/picture.svg", "nowhere"},
      {"quorum compare majority:n=3 --plot picture.svg", "--up"},
      {"quorum compare majority:n=3 --sizes 5,10", "=N"},
      {"quorum compare majority:n=N --sizes 5,x", "--sizes"},
      {"quorum compare majority:n=N --sizes 0", "--sizes"},
      {"quorum show majority:n=3 --member 3", "--member"},
      {"quorum compare", "SYSTEM is required; see 'coterie quorum compare --help'"},
      {"quorum show majority:n=3 --nonsense", "see 'coterie quorum show --help'"},
      {"quorum analyze majority:n=3 --groups 0", "see 'coterie quorum analyze --help'"},
      {"quorum", "see 'coterie quorum --help'"},
      {"", "see 'coterie --help'"},
      {"nonsense", "nonsense"},
      {"quorum nonsense", "list, show, check, analyze, compare; see 'coterie quorum --help'"},
  };
  for (const auto& [command, names] : inputs) {
    const Outcome outcome = folder.run(command);
    EXPECT_EQ(outcome.exit_code, 2) << command << "\n" << outcome.out << outcome.err;
    EXPECT_EQ(outcome.out, "") << command;
    EXPECT_NE(outcome.err, "") << command;
    EXPECT_NE(outcome.err.find(names), std::string::npos) << command << "\n" << outcome.err;
  }
  EXPECT_FALSE(folder.has("picture.svg"));
  EXPECT_FALSE(folder.has("out"));
}

TEST(Quorum, SmallestAndLargestShapesAreAnswered) {
  const Folder folder;
  for (const std::string spec :
       {"majority:n=1", "majority:n=2", "grid:rows=1,cols=1", "torus:rows=1,cols=1,k=1",
        "cohorts:k=1,sizes=1", "k-majority:n=1,k=1", "tree:n=1", "all:n=1", "wall:widths=1",
        "surficial:groups=2,degree=1", "majority:n=1@majority:n=1"}) {
    for (const std::string command : {"show ", "check ", "analyze "}) {
      const Outcome outcome = folder.run("quorum " + command + spec);
      EXPECT_EQ(outcome.exit_code, 0) << command << spec << "\n" << outcome.err;
    }
    const json certain = folder.run_json("quorum analyze " + spec + " --up 1 --json");
    const json& one = certain.contains("write")    ? certain["write"]
                      : certain.contains("groups") ? certain["groups"][0]
                                                   : certain;
    EXPECT_EQ(one["availability"][0], 1.0) << spec;
    const json never = folder.run_json("quorum analyze " + spec + " --up 0 --json");
    const json& none = never.contains("write")    ? never["write"]
                       : never.contains("groups") ? never["groups"][0]
                                                  : never;
    EXPECT_EQ(none["availability"][0], 0.0) << spec;
    EXPECT_TRUE(none["quorum_size"]["expected"].is_null()) << spec;
  }
  EXPECT_EQ(folder.run("quorum analyze majority:n=1000000 --json").exit_code, 0);
}

TEST(Command, HelpHasAnExample) {
  const Folder folder;
  for (const std::string command : {"quorum show", "quorum check", "quorum analyze",
                                    "quorum compare", "quorum list", "quorum"}) {
    const Outcome outcome = folder.run(command + " --help");
    EXPECT_EQ(outcome.exit_code, 0) << command;
    EXPECT_NE(outcome.out.find("Example"), std::string::npos) << command;
  }
  EXPECT_EQ(folder.run("--version").exit_code, 0);
}

}  // namespace
}  // namespace coterie::cli
