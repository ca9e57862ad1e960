// From options to a scenario.
#include "sim/plan.h"

#include <gtest/gtest.h>

#include <map>
#include <string>

#include "sim/sites.h"

namespace coterie::sim {
namespace {

// A plan as a user gives it: names and texts.
using Given = std::vector<std::pair<std::string, std::string>>;

Plan plan_of(const std::string& protocol, const Given& given) {
  Plan plan;
  plan.protocol = protocol;
  for (const auto& [name, text] : given) {
    const PlanOption* option = find_option(name);
    EXPECT_NE(option, nullptr) << name;
    EXPECT_EQ(option->set(plan, text), "") << name;
  }
  return plan;
}

Result<std::string> read_file(const std::string& path) {
  static const std::map<std::string, std::string> files{
      {"times", "1 2, 3"},
      {"words", "1\ntwo"},
      {"sites", R"({"means": [[1, 40], [40, 1]]})"},
      {"short", R"({"means": [[1]], "site_of": [0, 0]})"}};
  const auto found = files.find(path);
  if (found == files.end()) return Error{"no file '" + path + "'"};
  return Result<std::string>(boost::system::in_place_value, found->second);
}

Result<Scenario> planned(const std::string& protocol, const Given& given) {
  return make_scenario(plan_of(protocol, given), read_file);
}

TEST(SimPlan, BecomesAScenario) {
  const auto scenario = planned("surrogate", {{"system", "grid:rows=3,cols=3"},
                                              {"groups", "4"},
                                              {"zipf", "1.5"},
                                              {"requesters", "5"},
                                              {"requests", "20"},
                                              {"warm-up", "2"},
                                              {"arrivals", "open"},
                                              {"ncs", "file:times"},
                                              {"delay", "const:1"},
                                              {"sites", "sites"},
                                              {"unordered", ""},
                                              {"down", "1,4-6"},
                                              {"fail-after", "exp:100"},
                                              {"back-after", "exp:10"}});
  ASSERT_TRUE(scenario) << scenario.error().message;
  EXPECT_EQ(scenario->setting.processes, 9U);
  EXPECT_EQ(scenario->workload.groups, 4U);
  EXPECT_EQ(scenario->workload.zipf, 1.5);
  EXPECT_EQ(scenario->workload.requesters, 5U);
  EXPECT_EQ(scenario->workload.warm_up, 2U);
  EXPECT_EQ(scenario->workload.arrivals, Arrivals::open);
  EXPECT_EQ(scenario->workload.apart.mean(), 2);
  EXPECT_EQ(scenario->workload.apart.text(), "file:times");
  EXPECT_EQ(scenario->network.delay.mean(), 1);
  EXPECT_EQ(scenario->network.sites->site_of[3], 1U);
  EXPECT_FALSE(scenario->network.fifo);
  EXPECT_EQ(scenario->faults.down.size(), 4U);
  EXPECT_TRUE(scenario->faults.down.contains(5));
  EXPECT_EQ(scenario->faults.down_for->mean(), 10);
}

TEST(SimPlan, AProtocolMayHaveASystemOfItsOwn) {
  const auto scenario = planned("maekawa/cohorts:k=1,sizes=1/2/2", {{"system", "majority:n=3"}});
  ASSERT_TRUE(scenario) << scenario.error().message;
  EXPECT_EQ(scenario->setting.system().spec(), "cohorts:k=1,sizes=1/2/2");
}

TEST(SimPlan, SizesAreFilledIntoSpecs) {
  const auto sized = planned("maekawa", {{"system", "majority:n=N"}, {"processes", "7"}});
  ASSERT_TRUE(sized) << sized.error().message;
  EXPECT_EQ(sized->setting.processes, 7U);
  // There is no plane of 8 points: the nearest is taken.
  const auto nearest = planned("maekawa", {{"system", "plane:n=N"}, {"processes", "8"}});
  ASSERT_TRUE(nearest) << nearest.error().message;
  EXPECT_EQ(nearest->setting.processes, 7U);
  const auto groups =
      planned("maekawa-m", {{"system", "surficial:groups=M,degree=2"}, {"groups", "3"}});
  ASSERT_TRUE(groups) << groups.error().message;
  EXPECT_EQ(groups->setting.system().family_count(), 3U);
}

TEST(SimPlan, GroupsOfEachProcess) {
  const auto scenario =
      planned("surrogate+multi", {{"system", "majority:n=3"}, {"groups", "a,b,a+c"}});
  ASSERT_TRUE(scenario) << scenario.error().message;
  ASSERT_EQ(scenario->workload.demands.size(), 3U);
  EXPECT_EQ(scenario->workload.demands[2].size(), 2U);
  EXPECT_EQ(scenario->workload.groups, 3U);
}

TEST(SimPlan, ErrorsNameTheOption) {
  struct Bad {
    std::string protocol;
    Given given;
    std::string parameter;
    std::string says;
  };
  const std::pair<std::string, std::string> system{"system", "majority:n=3"};
  for (const Bad& bad : {
           Bad{"nonsense", {}, "", "there is no protocol"},
           Bad{"maekawa", {}, "system", "needs a quorum system"},
           Bad{"maekawa", {{"system", "majority:n=0"}}, "system", "majority:n=0"},
           Bad{"maekawa", {{"system", "majority:n=N"}}, "processes", "say how many"},
           Bad{"maekawa", {system, {"processes", "4"}}, "processes", "has 3 members"},
           Bad{"maekawa", {system, {"requesters", "4"}}, "requesters", "1 to 3"},
           Bad{"maekawa", {system, {"requests", "0"}}, "requests", "at least one"},
           Bad{"maekawa", {system, {"ncs", "exp:-1"}}, "ncs", "exp"},
           Bad{"maekawa", {system, {"cs", "nonsense"}}, "cs", "nonsense"},
           Bad{"maekawa", {system, {"delay", "file:none"}}, "delay", "no file 'none'"},
           Bad{"maekawa", {system, {"delay", "file:words"}}, "delay", "'words'"},
           Bad{"maekawa", {system, {"alarm", "const"}}, "alarm", "const"},
           Bad{"maekawa", {system, {"sites", "none"}}, "sites", "no file 'none'"},
           Bad{"maekawa", {system, {"sites", "short"}}, "sites", "each of the 3 processes"},
           Bad{"maekawa", {system, {"sites", "times"}}, "sites", "JSON"},
           Bad{"maekawa", {system, {"down", "1-9"}}, "down", "0 to 2"},
           Bad{"maekawa", {system, {"down", "2-1"}}, "down", "'2-1'"},
           Bad{"maekawa", {system, {"fail-after", "exp:1"}}, "fail-after", "--back-after"},
           Bad{"maekawa", {system, {"back-after", "exp:1"}}, "back-after", "--fail-after"},
           Bad{"maekawa", {system, {"inside", "1"}}, "inside", "floors and bands"},
           Bad{"maekawa", {system, {"max", "2"}}, "max", "takes none"},
           Bad{"maekawa", {system, {"locks", "2"}}, "locks", "takes none"},
           Bad{"surrogate", {system, {"min", "1"}}, "min", "takes only --groups"},
           Bad{"mutin", {system, {"groups", "2"}}, "groups", "takes only --min"},
           Bad{"surrogate", {system, {"groups", "0"}}, "groups", "1 to"},
           Bad{"surrogate", {system, {"groups", "a,b"}}, "groups", "2 groups for 3"},
           Bad{"surrogate", {system, {"groups", "a,b,c"}, {"zipf", "1"}}, "zipf", "number"},
           Bad{"surrogate", {system, {"zipf", "1"}}, "zipf", "--groups gives one only"},
           Bad{"surrogate",
               {system, {"groups", "3"}, {"groups-per-request", "2"}},
               "groups-per-request",
               "takes one group"},
           Bad{"surrogate+multi",
               {system, {"groups", "3"}, {"groups-per-request", "4"}},
               "groups-per-request",
               "1 to 3"},
           Bad{"maekawa-m",
               {{"system", "surficial:groups=3,degree=2"}, {"groups", "4"}},
               "groups",
               "quorums for 3 groups"},
           Bad{"maekawa-m",
               {{"system", "surficial:groups=3,degree=2"}, {"groups", "3"}, {"turnover", "5"}},
               "turnover",
               "of the beginning"},
       }) {
    const auto scenario = planned(bad.protocol, bad.given);
    ASSERT_FALSE(scenario) << bad.protocol << " " << bad.says;
    EXPECT_EQ(scenario.error().parameter, bad.parameter) << scenario.error().message;
    EXPECT_NE(scenario.error().message.find(bad.says), std::string::npos)
        << scenario.error().message;
  }
}

// What a comparison gives to all is kept by those that take it. A line that replays one of them has only that.
TEST(SimPlan, ProtocolsThatAreComparedKeepWhatTheyTake) {
  std::vector<Plan> plans(3);
  const std::vector<std::string> protocols{"maekawa", "census+rooms/majority:n=3", "mutin"};
  for (std::size_t i = 0; i < plans.size(); ++i) {
    plans[i].protocol = protocols[i];
    plans[i].groups = "3";
    plans[i].min = 1;
    plans[i].max = 2;
    plans[i].locks = 4;
  }
  keep_what_each_takes(plans);
  // A mutual exclusion serves requests whatever their group: it is a yardstick for those that share.
  EXPECT_EQ(text_of(plans[0]), "maekawa --groups 3 --locks 4");
  EXPECT_EQ(text_of(plans[1]), "census+rooms/majority:n=3 --groups 3 --max 2 --locks 4");
  EXPECT_EQ(text_of(plans[2]), "mutin --min 1 --locks 4");
}

TEST(SimPlan, OptionsRefuseWhatTheyCannotHold) {
  Plan plan;
  EXPECT_NE(find_option("zipf")->set(plan, "-1"), "");
  EXPECT_EQ(find_option("locks")->set(plan, "0"), "must be at least 1");
  EXPECT_NE(find_option("turnover")->set(plan, "often"), "");
  EXPECT_NE(find_option("arrivals")->set(plan, "never"), "");
  EXPECT_NE(find_option("processes")->set(plan, "many"), "");
  EXPECT_NE(find_option("groups")->set(plan, ""), "");
}

// Every option, set to something of its own, comes back from the text of the plan.
TEST(SimPlan, TheTextHasAllThatWasSet) {
  const Given given{{"system", "majority:n=5"},
                    {"processes", "5"},
                    {"requesters", "3"},
                    {"requests", "7"},
                    {"warm-up", "1"},
                    {"groups", "2"},
                    {"groups-per-request", "2"},
                    {"zipf", "0.5"},
                    {"turnover", "50"},
                    {"arrivals", "bursts"},
                    {"ncs", "exp:2"},
                    {"cs", "const:1"},
                    {"delay", "exp:1"},
                    {"sites", "a file"},
                    {"unordered", ""},
                    {"min", "1"},
                    {"max", "2"},
                    {"inside", "none"},
                    {"locks", "3"},
                    {"alarm", "const:9"},
                    {"down", "0"},
                    {"fail-after", "exp:9"},
                    {"back-after", "exp:8"},
                    {"requesters-fail", ""}};
  EXPECT_EQ(given.size(), plan_options().size());
  std::string text = "surrogate+multi";
  for (const auto& [name, value] : given) {
    text += " --" + name;
    if (!value.empty()) text += value == "a file" ? " 'a file'" : " " + value;
  }
  EXPECT_EQ(text_of(plan_of("surrogate+multi", given)), text);
  EXPECT_EQ(text_of(plan_of("maekawa", {})), "maekawa");
}

TEST(SimPlan, OneOptionIsGivenAnew) {
  const Plan plan = plan_of("maekawa", {{"system", "majority:n=3"}, {"requests", "7"}});
  const auto changed = with(plan, *find_option("system"), "majority:n=5");
  ASSERT_TRUE(changed);
  EXPECT_EQ(text_of(*changed), "maekawa --system majority:n=5 --requests 7");
  const auto refused = with(plan, *find_option("requests"), "few");
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().parameter, "requests");
}

TEST(SimSweep, ListsAndRanges) {
  using Texts = std::vector<std::string>;
  EXPECT_EQ(parse_sweep("groups=2,3,5")->values, (Texts{"2", "3", "5"}));
  EXPECT_EQ(parse_sweep("processes=9:25:8,30")->values, (Texts{"9", "17", "25", "30"}));
  EXPECT_EQ(parse_sweep("zipf=0:0.3:0.1")->values, (Texts{"0", "0.1", "0.2", "0.3"}));
  EXPECT_EQ(parse_sweep("delay=uniform:0:4,exp:2")->values, (Texts{"uniform:0:4", "exp:2"}));
  EXPECT_EQ(parse_sweep("system=grid:rows=2,cols=3;majority:n=6")->values,
            (Texts{"grid:rows=2,cols=3", "majority:n=6"}));
  for (const char* bad : {"groups", "nonsense=1", "unordered=1", "groups=", "groups=1,,2",
                          "groups=5:1:1", "groups=1:5:0", "groups=1:1e9:1"}) {
    const auto sweep = parse_sweep(bad);
    ASSERT_FALSE(sweep) << bad;
    EXPECT_EQ(sweep.error().parameter, "sweep");
  }
}

TEST(Sites, FilesThatAreWrongSayWhat) {
  for (const auto& [text, says] : std::vector<std::pair<std::string, std::string>>{
           {"[]", "JSON object"},
           {"{}", "means must be a square"},
           {R"({"means": [[1, 2]]})", "means must be a square"},
           {R"({"means": [[-1]]})", "none negative"},
           {R"({"means": [[1]], "site_of": [0, 1]})", "1 is no site; they are 0 to 0"},
           {R"({"mean": [[1]]})", "no 'mean'"}}) {
    const auto sites = parse_sites(text, 2);
    ASSERT_FALSE(sites) << text;
    EXPECT_NE(sites.error().message.find(says), std::string::npos) << sites.error().message;
  }
}

}  // namespace
}  // namespace coterie::sim
