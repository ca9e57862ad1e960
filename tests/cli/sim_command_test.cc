// `coterie sim`, end to end.
#include <gtest/gtest.h>

#include <string>

#include "cli/command.h"
#include "sim/measures.h"

namespace coterie::cli {
namespace {

using nlohmann::json;

constexpr const char* kSmall = "sim surrogate --system majority:n=3 --groups 2 --requests 20 ";
constexpr const char* kTwo =
    "sim surrogate maekawa-s --system grid:rows=2,cols=2 --groups 3 --requests 20 --seeds 3 ";
constexpr const char* kBrokenRule =
    "sim surrogate@E1 --system majority:n=3 --groups 3 --requests 200 --seeds 20 ";

// What stands after `coterie `.
std::string arguments_of(const json& command) { return command.get<std::string>().substr(8); }

TEST(Sim, EveryMetricHasAMeanAndAnInterval) {
  const Folder folder;
  const json result = folder.run_json(std::string(kSmall) + "--seeds 3 --json");
  ASSERT_EQ(result["results"].size(), 1U);
  const json& only = result["results"][0];
  EXPECT_EQ(only["protocol"], "surrogate");
  EXPECT_EQ(only["system"], "majority:n=3");
  EXPECT_EQ(only["processes"], 3);
  EXPECT_EQ(only["runs"], 3);
  EXPECT_TRUE(only["fault"].is_null());
  for (const sim::Metric& metric : sim::metrics()) {
    const json& value = only[std::string(metric.name)];
    EXPECT_TRUE(value["mean"].is_number()) << metric.name;
    EXPECT_TRUE(value["ci95"].is_number()) << metric.name;
    EXPECT_EQ(result[std::string(metric.name)], value) << metric.name;  // of one, also on top
  }
  EXPECT_EQ(only["entries"]["mean"], 60);
  double messages = 0;
  for (const auto& [type, per_entry] : only["by_type"].items()) messages += per_entry.get<double>();
  EXPECT_NEAR(messages, only["messages_per_entry"]["mean"].get<double>(), 1e-9);
  EXPECT_EQ(result["options"]["groups"], "2");
  EXPECT_EQ(result["options"]["seeds"], 3);
}

TEST(Sim, OneSeedHasNoInterval) {
  const Folder folder;
  const json result = folder.run_json(std::string(kSmall) + "--seeds 1 --json");
  EXPECT_TRUE(result["waiting_time"]["mean"].is_number());
  EXPECT_TRUE(result["waiting_time"]["ci95"].is_null());
}

TEST(Sim, TheLineThatReplaysGivesTheSameBytesWhateverTheThreads) {
  const Folder folder;
  const std::string command =
      std::string(kTwo) + "--zipf 1 --seed 5 --sweep 'delay=exp:1,const:2' --json";
  const Outcome first = folder.run(command + " --threads 1");
  EXPECT_EQ(folder.run(command + " --threads 2").out, first.out);
  const json result = json::parse(first.out);
  EXPECT_EQ(folder.run(arguments_of(result["command"]) + " --json").out, first.out);
  const Outcome text = folder.run(std::string(kSmall) + "--seeds 2");
  EXPECT_TRUE(text.out.starts_with("replay   coterie sim surrogate --system majority:n=3 "))
      << text.out;
}

TEST(Sim, ComparesWithTheFirstSeedBySeed) {
  const Folder folder;
  const json result = folder.run_json(std::string(kTwo) + "--json");
  ASSERT_EQ(result["results"].size(), 2U);
  EXPECT_FALSE(result["results"][0].contains("ratio_to_first"));
  const json& ratio = result["results"][1]["ratio_to_first"]["messages_per_entry"];
  EXPECT_GT(ratio["mean"].get<double>(), 0);
  EXPECT_GT(ratio["ci95"].get<double>(), 0);
  EXPECT_NE(folder.run(kTwo).out.find("times that of surrogate"), std::string::npos);
  const json twice =
      folder.run_json("sim maekawa maekawa --system majority:n=3 --requests 20 --json");
  EXPECT_EQ(twice["results"][1]["ratio_to_first"]["waiting_time"]["mean"], 1);
}

TEST(Sim, SystemsOfTheirOwnAndSizes) {
  const Folder folder;
  const json result = folder.run_json(
      "sim maekawa/grid:n=N maekawa --system majority:n=N --requests 10 --seeds 2 "
      "--sweep processes=4,9 --json");
  ASSERT_EQ(result["results"].size(), 4U);
  EXPECT_EQ(result["results"][0]["system"], "grid:rows=2,cols=2");
  EXPECT_EQ(result["results"][1]["system"], "majority:n=4");
  EXPECT_EQ(result["results"][2]["processes"], 9);
  EXPECT_EQ(result["results"][3]["processes"], 9);
}

TEST(Sim, AFaultIsSaidWithTheLineThatReplaysIt) {
  const Folder folder;
  const Outcome outcome = folder.run(std::string(kBrokenRule) + "--json");
  EXPECT_EQ(outcome.exit_code, 1) << outcome.out << outcome.err;
  const json result = json::parse(outcome.out);
  const json& fault = result["results"][0]["fault"];
  ASSERT_TRUE(fault.is_object()) << outcome.out;
  EXPECT_GT(fault["time"].get<double>(), 0);
  EXPECT_FALSE(result.contains("waiting_time"));
  const Outcome replayed = folder.run(arguments_of(fault["command"]) + " --json");
  EXPECT_EQ(replayed.exit_code, 1);
  json again = json::parse(replayed.out)["results"][0]["fault"];
  EXPECT_EQ(again, fault);
  const Outcome text = folder.run(kBrokenRule);
  EXPECT_EQ(text.exit_code, 1);
  EXPECT_NE(text.out.find("\nfault    surrogate@E1: "), std::string::npos) << text.out;
  EXPECT_EQ(text.out.find("+-"), std::string::npos) << text.out;
}

TEST(Sim, WritesCsvAndPictures) {
  const Folder folder;
  EXPECT_EQ(folder.run(std::string(kTwo) + "--csv all.csv --plot bars.svg").exit_code, 0);
  const std::string csv = folder.read("all.csv");
  EXPECT_TRUE(
      csv.starts_with("protocol,system,processes,metric,mean,ci95,runs,ratio,ratio_ci95\n"));
  EXPECT_EQ(static_cast<std::size_t>(std::count(csv.begin(), csv.end(), '\n')),
            1 + 2 * sim::metrics().size());
  const std::string sweep = std::string(kTwo) + "--sweep groups=1,2 --metric waiting_time ";
  EXPECT_EQ(folder.run(sweep + "--plot lines.svg").exit_code, 0);
  for (const char* name : {"bars.svg", "lines.svg"}) {
    const std::string picture = folder.read(name);
    EXPECT_TRUE(picture.starts_with("<svg ")) << name;
    EXPECT_TRUE(picture.ends_with("</svg>\n")) << name;
    EXPECT_NE(picture.find(">maekawa-s</text>"), std::string::npos) << name;
    EXPECT_EQ(picture.find("nan"), std::string::npos) << name;
  }
}

TEST(Sim, PipedOutputHasNoProgressAndFitsInto80Columns) {
  const Folder folder;
  for (const std::string& command :
       {std::string(kTwo), std::string(kTwo) + "--sweep groups=1,2,3", std::string(kBrokenRule),
        std::string("sim --list-metrics"),
        std::string("sim central raymond suzuki-kasami ricart-agrawala maekawa/majority:n=5 "
                    "--processes 5 --requests 10 --seeds 2")}) {
    const Outcome outcome = folder.run(command);
    EXPECT_LE(outcome.exit_code, 1) << command << outcome.err;
    expect_plain(outcome, command);
  }
}

TEST(Sim, SaysWhatWasMeasured) {
  const Folder folder;
  const std::string command = "sim maekawa --system majority:n=3 --requests 5 --seeds 2 ";
  EXPECT_NE(folder.run(command).out.find("measured: whole runs"), std::string::npos);
  EXPECT_NE(folder.run(command + "--warm-up 3").out.find("measured: the steady state"),
            std::string::npos);
  EXPECT_EQ(folder.run_json(command + "--json")["measured"], "whole runs");
  EXPECT_EQ(folder.run_json(command + "--warm-up 3 --json")["measured"], "steady state");
}

// A mutual exclusion is a yardstick for those that share: it takes requests that name groups, and says that it does not
// heed them. What means nothing to one of those that are compared is no part of its line.
TEST(Sim, ComparesThoseThatTakeAnOptionWithThoseThatDoNot) {
  const Folder folder;
  const Outcome outcome = folder.run(
      "sim census+rooms maekawa --system majority:n=3 --groups 3 --max 2 --requests 5 --seeds 2");
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_NE(outcome.out.find("maekawa on majority:n=3, 3 processes, heeds no groups"),
            std::string::npos)
      << outcome.out;
}

TEST(Sim, BadInputNamesTheOption) {
  const Folder folder;
  folder.write("sites.json", "[]");
  const std::string good = "sim surrogate --system majority:n=3 ";
  struct Bad {
    std::string command;
    std::string says;
  };
  for (const Bad& bad : {Bad{"sim", "sim needs a PROTOCOL"},
                         Bad{"sim nonsense", "there is no protocol \"nonsense\""},
                         Bad{"sim surrogate", "--system: it needs a quorum system"},
                         Bad{"sim surrogate --system majority:n=x", "--system: "},
                         Bad{"sim surrogate/majority:n=x", "--system: "},
                         Bad{good + "--processes 4", "--processes: 4 processes, but"},
                         Bad{good + "--groups 0", "--groups: there may be"},
                         Bad{good + "--min 1", "--min: it means nothing to surrogate"},
                         Bad{good + "--sweep locks=1,2", "--locks: it means nothing"},
                         Bad{good + "--ncs exp", "--ncs: "},
                         Bad{good + "--delay file:none", "--delay: no file 'none'"},
                         Bad{good + "--sites sites.json", "--sites: 'sites.json'"},
                         Bad{good + "--zipf -1", "--zipf: must be a number"},
                         Bad{good + "--arrivals never", "--arrivals: must be one of"},
                         Bad{good + "--down 3", "--down: '3' is no node"},
                         Bad{good + "--fail-after exp:1", "--fail-after: it needs --back-after"},
                         Bad{good + "--sweep nonsense=1", "--sweep: must be NAME=VALUE"},
                         Bad{good + "--sweep groups=1,x", "--groups: "},
                         Bad{good + "--metric speed", "--metric: there is no 'speed'"},
                         Bad{good + "--seeds 0", "from 1 to 1000000, not '0'"},
                         Bad{good + "--plot x.png", "--plot must name a file that ends in .svg"},
                         Bad{good + "--csv none/x.csv", "there is no folder 'none'"}}) {
    const Outcome outcome = folder.run(bad.command);
    EXPECT_EQ(outcome.exit_code, 2) << bad.command;
    EXPECT_EQ(outcome.out, "") << bad.command;
    EXPECT_NE(outcome.err.find(bad.says), std::string::npos) << bad.command << "\n" << outcome.err;
  }
}

TEST(Sim, HelpHasAnExample) {
  const Folder folder;
  const Outcome outcome = folder.run("sim --help");
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_NE(outcome.out.find("Example"), std::string::npos);
}

}  // namespace
}  // namespace coterie::cli
