// `coterie check`, end to end.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "check/plan_options.h"
#include "check/suite.h"
#include "cli/command.h"

namespace coterie::cli {
namespace {

using nlohmann::json;

constexpr const char* kMaekawa = "check maekawa --system majority:n=3 ";
constexpr const char* kBroken = "check maekawa@S1 --system majority:n=3 --requests 2 ";

json parsed(const Outcome& outcome) {
  json value = json::parse(outcome.out, nullptr, false);
  EXPECT_FALSE(value.is_discarded()) << outcome.out << outcome.err;
  return value;
}

TEST(Check, HasTheFieldsThatOthersRelyOn) {
  const Folder folder;
  const json result = folder.run_json(std::string(kMaekawa) + "--json");
  EXPECT_EQ(result["verdict"], "holds");
  EXPECT_TRUE(result["property"].is_null());
  EXPECT_EQ(result["reason"], "");
  for (const char* count : {"states", "transitions", "depth"})
    EXPECT_TRUE(result[count].is_number_unsigned()) << count;
  for (const char* number : {"seconds", "bytes_per_state", "collision_probability"})
    EXPECT_GT(result[number].get<double>(), 0) << number;
  EXPECT_EQ(result["acyclic"], true);
  EXPECT_EQ(result["properties"], json::parse(R"(["safety","served","leaks","slot","finish"])"));
  EXPECT_EQ(result["command"], "coterie check maekawa --system majority:n=3");
  EXPECT_EQ(result["trace"], json::array());
}

TEST(Check, ATraceSaysWhoSentWhatToWhomAndWhoIsInside) {
  const Folder folder;
  const Outcome outcome = folder.run(std::string(kBroken) + "--json");
  EXPECT_EQ(outcome.exit_code, 1);
  const json result = parsed(outcome);
  EXPECT_EQ(result["verdict"], "violated");
  EXPECT_EQ(result["property"], "served");
  const json& first = result["trace"][0];
  EXPECT_EQ(first["token"], "0 enter");
  EXPECT_TRUE(first["received"].is_null());
  EXPECT_EQ(first["sent"].size(), 2U);
  EXPECT_EQ(first["sent"][0]["to"], 0);
  EXPECT_EQ(first["inside"], json::array());
  const json& second = result["trace"][1];
  EXPECT_EQ(second["received"]["from"], 0);
  EXPECT_EQ(second["received"]["message"], first["sent"][1]["message"]);
  EXPECT_EQ(result["final_state"].size(), 3U);
}

TEST(Check, TheSameWhateverTheNumberOfThreads) {
  const Folder folder;
  for (const std::string& command : {std::string(kMaekawa), std::string(kBroken)}) {
    std::vector<json> results;
    for (const char* threads : {"1", "2"}) {
      json result = parsed(folder.run(command + " --json --threads " + threads));
      result.erase("seconds");
      result.erase("bytes_per_state");
      results.push_back(std::move(result));
    }
    EXPECT_EQ(results[0].dump(), results[1].dump()) << command;
  }
}

TEST(Check, ExitCodesTellTheVerdicts) {
  const Folder folder;
  EXPECT_EQ(folder.run(kMaekawa).exit_code, 0);
  EXPECT_EQ(folder.run(kBroken).exit_code, 1);
  const Outcome unfinished =
      folder.run("check maekawa --system majority:n=5 --requests 3 --memory 1 --json");
  EXPECT_EQ(unfinished.exit_code, 3);
  const json result = parsed(unfinished);
  EXPECT_EQ(result["verdict"], "unfinished");
  EXPECT_EQ(result["reason"], "the memory limit is reached");
  EXPECT_GT(result["states"].get<std::uint64_t>(), 1U);
  EXPECT_TRUE(result["acyclic"].is_null());
}

TEST(Check, UnfinishedSaysWhatWasTrueSoFar) {
  const Folder folder;
  const Outcome outcome = folder.run("check maekawa --system majority:n=5 --requests 3 --memory 8");
  EXPECT_NE(outcome.out.find("steps breaks"), std::string::npos) << outcome.out;
  EXPECT_NE(outcome.out.find("finish is not"), std::string::npos) << outcome.out;
}

TEST(Check, PipedOutputHasNoProgressAndFitsInto80Columns) {
  const Folder folder;
  for (const std::string& command :
       {std::string(kBroken) + "--state", std::string(kMaekawa), std::string("check --list"),
        std::string("check --suite maekawa@"),
        std::string("check surrogate --system majority:n=3 --groups a,b,c"),
        std::string(kMaekawa) + "--walks 2 --steps 1000"}) {
    const Outcome outcome = folder.run(command);
    EXPECT_LE(outcome.exit_code, 1) << command << outcome.err;
    expect_plain(outcome, command);
  }
}

TEST(Check, ReplaysATraceThatItWrote) {
  const Folder folder;
  EXPECT_EQ(folder.run(std::string(kBroken) + "--trace steps.txt").exit_code, 1);
  EXPECT_TRUE(folder.read("steps.txt").starts_with("# coterie check maekawa@S1 --system"));
  const Outcome outcome = folder.run("check --replay steps.txt --json");
  EXPECT_EQ(outcome.exit_code, 1) << outcome.err;
  const json replayed = parsed(outcome);
  const json found = parsed(folder.run(std::string(kBroken) + "--json"));
  for (const char* key : {"verdict", "property", "reason", "trace", "final_state", "command"})
    EXPECT_EQ(replayed[key], found[key]) << key;
  EXPECT_EQ(replayed["step"], found["trace"].size());
}

TEST(Check, ReplaysInAnotherSetting) {
  const Folder folder;
  folder.write("steps.txt", "0 enter\n0<0\n1<0\n");
  const Outcome outcome = folder.run(std::string(kMaekawa) + "--replay steps.txt --json");
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_EQ(parsed(outcome)["verdict"], "replayed");
}

TEST(Check, DrawsATrace) {
  const Folder folder;
  EXPECT_EQ(folder.run(std::string(kBroken) + "--plot trace.svg").exit_code, 1);
  const std::string picture = folder.read("trace.svg");
  EXPECT_TRUE(picture.starts_with("<svg ")) << picture.substr(0, 80);
  EXPECT_TRUE(picture.ends_with("</svg>\n"));
  EXPECT_NE(picture.find(">REQUEST(stamp 1.p0)</text>"), std::string::npos);
  EXPECT_NE(picture.find(">waits to enter</text>"), std::string::npos);
  EXPECT_FALSE(folder.run_json(std::string(kMaekawa) + "--plot none.svg --json").empty());
  EXPECT_FALSE(folder.has("none.svg"));
}

// Clients that go on believing after a crash are neither a process that there is not, nor nobody.
TEST(Check, NamesTheClientsOfADeadLife) {
  const Folder folder;
  const std::string command =
      "check census@new-life --system majority:n=3 --requesters 2 --self immediate --crashes 1 "
      "--restarts 1 ";
  const Outcome outcome = folder.run(command + "--plot ghost.svg");
  EXPECT_EQ(outcome.exit_code, 1) << outcome.err;
  for (const std::string text :
       {"p0, the clients of p1's dead life", "in comes p1; inside: p1\n", " p1 crashes\n",
        "    p1 is dead, and its clients believe on that they are inside; inside: the",
        "    in comes p0; inside: p0, the clients of p1's dead life\n"}) {
    EXPECT_NE(outcome.out.find(text), std::string::npos) << text << "\n" << outcome.out;
  }
  EXPECT_EQ(outcome.out.find("p3"), std::string::npos);
  const std::string picture = folder.read("ghost.svg");
  EXPECT_NE(picture.find(">inside: clients of a life that crashed</text>"), std::string::npos);
  const json inside = parsed(folder.run(command + "--json"))["trace"].back()["inside"];
  EXPECT_EQ(inside, json::parse(R"([{"process": 0}, {"clients_of_dead_life_of": 1}])"));
}

// The legend of a bar has the bar's own colour, in each of its groups.
TEST(Check, TheLegendOfATraceHasTheColoursOfItsBars) {
  const Folder folder;
  EXPECT_EQ(
      folder.run("check gcs@kmex-first --system majority:n=3 --min 1 --max 2 --plot leave.svg")
          .exit_code,
      1);
  const std::string picture = folder.read("leave.svg");
  const std::string style = "fill='#0072b2' stroke='#0072b2' fill-opacity='0.45'/>";
  EXPECT_NE(picture.find("<rect width='18' height='12' " + style), std::string::npos);
  EXPECT_NE(picture.find(style), picture.rfind(style));
}

// A reduced verdict says so. It was a search that ignored when alarms go off, and then ended in an assertion.
TEST(Check, AReducedVerdictSaysThatItIs) {
  const Folder folder;
  const std::string command =
      "check k-mutex --system k-singleton:n=3,k=2 --self immediate --alarms late --reduce ";
  const Outcome outcome = folder.run(command);
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_NE(outcome.out.find("holds: reduced: of steps that commute one order"), std::string::npos);
  EXPECT_EQ(outcome.out.find("every state was looked at"), std::string::npos);
  EXPECT_EQ(folder.run_json(command + "--json")["reduced"], true);
  EXPECT_EQ(folder.run_json(std::string(kMaekawa) + "--json")["reduced"], false);
  const Outcome broken = folder.run(
      "check k-mutex@keeps-surplus --system k-singleton:n=3,k=2 --self immediate --alarms late "
      "--reduce");
  EXPECT_EQ(broken.exit_code, 1) << broken.err;
}

TEST(Check, ListsProtocolsVariantsAndMutants) {
  const Folder folder;
  const json list = folder.run_json("check --list --json")["protocols"];
  EXPECT_EQ(list[0]["name"], "maekawa");
  EXPECT_EQ(list[0]["mutants"][0]["name"], "S1");
  for (const json& protocol : list) {
    EXPECT_FALSE(protocol["paper"].get<std::string>().empty()) << protocol["name"];
    for (const char* kind : {"variants", "mutants"}) {
      for (const json& item : protocol[kind])
        EXPECT_FALSE(item["meaning"].get<std::string>().empty()) << protocol["name"] << item;
    }
  }
}

TEST(Check, RunsPartOfTheSuite) {
  const Folder folder;
  const json result = folder.run_json("check --suite maekawa@ --json");
  EXPECT_EQ(result["failed"], 0);
  EXPECT_GE(result["checks"].size(), 2U);
  EXPECT_EQ(result["checks"][0]["verdict"], "violated");
}

TEST(Check, AWalkIsTheSameFromTheSameSeed) {
  const Folder folder;
  const auto walk = [&](const std::string& seed) {
    json result =
        folder.run_json(std::string(kMaekawa) + "--walks 2 --steps 2000 --json --seed " + seed);
    result.erase("seconds");
    return result.dump();
  };
  EXPECT_EQ(walk("7"), walk("7"));
  EXPECT_NE(walk("7"), walk("8"));
}

// Each command in the errata's tables, but those of walks, is a check of the catalogue.
TEST(Check, TheCatalogueHasTheCommandsOfTheErrata) {
  std::ifstream file(COTERIE_SOURCE_DIR "/docs/errata.md");
  std::size_t commands = 0;
  for (std::string line; std::getline(file, line);) {
    if (!line.starts_with("| ")) continue;
    std::istringstream parts(line);
    for (std::string part; std::getline(parts, part, '`');) {
      const bool is_command = part.find('@') < part.find(' ') && part.find(" --") < part.size();
      if (!is_command || part.find("--walks") < part.size()) continue;
      const auto plan = check::parse_plan(part);
      ASSERT_TRUE(plan.has_value()) << part;
      const auto& cases = check::suite();
      const bool is_there = std::any_of(cases.begin(), cases.end(), [&](const check::Case& each) {
        return each.violates && each.plan == check::text_of(*plan);
      });
      EXPECT_TRUE(is_there) << part;
      ++commands;
    }
  }
  EXPECT_GT(commands, 30U);
}

struct BadInput {
  std::string command;
  std::string names;  // what the message must name
};

TEST(Check, BadInputIsNamedAndChangesNothing) {
  const Folder folder;
  folder.write("steps.txt", "# coterie check maekawa --system majority:n=3\n0 enter\n1<2\n");
  folder.write("plain.txt", "0 enter\n");
  folder.write("wrong.txt", "# coterie check maekawa --sytem majority:n=3\n0 enter\n");
  folder.write("binary.txt", std::string("\0\1\2\n\xff", 5));
  const std::vector<BadInput> inputs = {
      {"check", "PROTOCOL"},
      {"check maekava --system majority:n=3", "there is no protocol \"maekava\""},
      {"check maekawa+entry --system majority:n=3", "no variant \"entry\""},
      {"check maekawa@S9 --system majority:n=3", "S1"},
      {"check maekawa", "--system"},
      {"check maekawa --system majority:n=0", "nearest"},
      {"check maekawa --system file:none.json", "none.json"},
      {"check maekawa --system majority:n=3 --processes 4", "--processes"},
      {"check maekawa --system majority:n=3 --requesters 4", "--requesters"},
      {"check maekawa --system majority:n=3 --requests 0", "--requests"},
      {"check maekawa --system majority:n=3 --requests x", "--requests"},
      {"check maekawa --system majority:n=3 --requests -1", "--requests"},
      {"check surrogate --system majority:n=3 --groups a,b", "--groups"},
      {"check surrogate --system majority:n=3 --groups a,b,1", "--groups"},
      {"check surrogate --system majority:n=3 --groups a,b,a+b", "--groups"},
      {"check maekawa --system majority:n=3 --groups 2",
       "--groups: it means nothing to maekawa; of --groups, --min, --max and --locks this protocol "
       "takes none; --groups is for surrogate, surrogate-k, group-k, maekawa-m, toyomura, joung, "
       "maekawa-s, shares, census+rooms\n"},
      {"check maekawa --system majority:n=3 --groups each", "--groups"},
      {"check maekawa --system majority:n=3 --max 2", "--max"},
      {"check maekawa --system majority:n=3 --locks 2", "--locks"},
      {"check ricart-agrawala --groups 2", "--groups"},
      {"check suzuki-kasami --groups a,b,a", "--groups"},
      {"check raymond --min 1", "--min"},
      {"check central --system all:n=3 --groups 2", "--groups"},
      {"check k-mutex --system k-singleton:n=3,k=2 --groups 2", "takes only --max"},
      {"check complement --system majority:n=3 --groups 2", "--groups"},
      {"check gcs --system majority:n=3 --max 2 --groups 2", "takes only --min, --max"},
      {"check mutin --system majority:n=3 --min 1 --max 2", "takes only --min"},
      {"check surrogate --system majority:n=3 --max 2", "takes only --groups"},
      {"check census --system majority:n=3 --groups a,b,a", "takes only --max"},
      {"check toyomura --system majority:n=3 --min 1", "takes only --groups, --locks"},
      {"check maekawa --system majority:n=3 --locks 0", "--locks: must be at least 1"},
      {"check maekawa --system k-singleton:n=3,k=2", "it needs a coterie"},
      {"check surrogate+entry --system surficial:groups=2,degree=2 --groups 2", "needs a coterie"},
      {"check central --system majority:n=3 --quorums 0+1,1+2,0+2", "--quorums: it means nothing"},
      {"check shares --system majority:n=3 --strike late", "--strike: it says when faults strike"},
      {"check census+floor --system majority:n=3 --crashes 1", "--min: a floor of 0"},
      {"check maekawa --system majority:n=3 --inside 0", "--inside"},
      {"check maekawa --system majority:n=3 --quorums 0,1,2", "--quorums"},
      {"check maekawa --system majority:n=3 --self later", "--self"},
      {"check maekawa --system majority:n=3 --property safe", "--property"},
      {"check maekawa --system majority:n=3 --threads 0", "--threads"},
      {"check maekawa --system majority:n=3 --memory 0", "--memory"},
      {"check maekawa --system majority:n=3 --trace no/where.txt", "--trace"},
      {"check maekawa --system majority:n=3 --plot trace.png", ".svg"},
      {"check maekawa --system majority:n=3 --reduce --property finish", "--reduce"},
      {"check maekawa --system majority:n=3 --reduce --unordered", "--reduce"},
      {"check maekawa --system majority:n=3 --reduce --walks 2", "--reduce"},
      {"check maekawa --system majority:n=3 --seed 3", "--walks"},
      {"check maekawa --system majority:n=3 --walks 2 --unordered",
       "--unordered: it means nothing"},
      {"check maekawa --system majority:n=3 --walks 2 --requests 5",
       "--requests: it means nothing"},
      {"check maekawa --system majority:n=3 --walks 2 --property safety,finish", "finish is not"},
      {"check maekawa --system majority:n=3 --walks 2 --trace steps2.txt", "--trace means nothing"},
      {"check calls:two-copies --crashes 1", "--crashes means nothing here: the name of a model"},
      {"check calls:two-copies --plot calls.svg", "--plot means nothing here"},
      {"check --replay steps.txt --requests 2", "--requests means nothing here: --replay steps"},
      {"check --replay steps.txt --walks 2", "--walks means nothing here"},
      {"check --suite maekawa --reduce", "--reduce means nothing here: each check of --suite"},
      {"check --list --groups 2", "--groups means nothing here: --list"},
      {"check --replay none.txt", "none.txt"},
      {"check --replay steps.txt", "step 2, \"1<2\", is not possible"},
      {"check --replay plain.txt", "plain.txt"},
      {"check --replay wrong.txt", "--sytem"},
      {"check --replay binary.txt", "binary.txt"},
      {"check --suite nothing", "nothing"},
      {"check --soak", "--suite"},
      {"check --list --suite", "one of"},
      {"check maekawa --list", "one of"},
  };
  for (const auto& [command, names] : inputs) {
    const Outcome outcome = folder.run(command);
    EXPECT_EQ(outcome.exit_code, 2) << command << "\n" << outcome.out << outcome.err;
    EXPECT_EQ(outcome.out, "") << command;
    EXPECT_NE(outcome.err.find(names), std::string::npos) << command << "\n" << outcome.err;
    EXPECT_FALSE(folder.has("trace.png")) << command;
  }
}

}  // namespace
}  // namespace coterie::cli
