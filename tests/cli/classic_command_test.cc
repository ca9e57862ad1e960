// `coterie dev --classic`, end to end: a process of the operating system for each of the algorithm's.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "cli/command.h"

namespace coterie::cli {
namespace {

using nlohmann::json;
using testing::HasSubstr;

constexpr const char* kForLong =
    "dev --classic maekawa --system majority:n=3 --requests 100000 --cs 1ms --json";

TEST(ClassicCommand, AloneItCostsWhatTheFormulaAndTheSimulatorSay) {
  const Folder folder;
  struct Case {
    std::string of;
    std::string formula;
    std::string remote;
  };
  for (const auto& [of, formula, remote] :
       {Case{"surrogate --system grid:rows=3,cols=3 --groups 3", "3q", "3(q-1)"},
        Case{"k-mutex --system cohorts:k=2,sizes=2/3/3", "3q", "3q"},
        Case{"group-k --system grid-rw:rows=2,cols=3 --groups 2", "2q+2s+1", "2(q-1)+2(s-1)+1"},
        Case{"mutin --system majority:n=5 --min 3", "8q", "8(q-1)"},
        Case{"ricart-agrawala --processes 4", "2(n-1)", "2(n-1)"}}) {
    const std::string alone = of + " --requesters 1 --requests 3 --json";
    const json live = folder.run_json("dev --cs 0 --ncs 0 --classic " + alone);
    const json simulated = folder.run_json("sim --seeds 1 --delay const:1 " + alone);
    EXPECT_EQ(live["complete"], true) << of;
    EXPECT_EQ(live["entries"], 3) << of;
    EXPECT_EQ(live["formula"]["text"], formula) << of;
    EXPECT_EQ(live["formula"]["remote_text"], remote) << of;
    for (const char* metric : {"messages_per_entry", "messages_per_entry_remote"}) {
      EXPECT_EQ(live[metric], live["formula"][metric]) << of << ' ' << metric;
      EXPECT_EQ(live[metric], simulated[metric]["mean"]) << of << ' ' << metric;
    }
    EXPECT_EQ(live["by_type"], simulated["results"][0]["by_type"]) << of;
  }
}

TEST(ClassicCommand, ShowsATableOf80Columns) {
  const Folder folder;
  const std::string command =
      "dev --classic surrogate --system grid:rows=2,cols=2 --groups 2 --requests 3 --cs 0 --ncs 0";
  const Outcome outcome = folder.run(command);
  EXPECT_EQ(outcome.exit_code, 0);
  expect_plain(outcome, command);
  for (const char* text : {"none is tolerated", "12 of 12", "the rule held", "REQUEST", "3(q-1)"})
    EXPECT_THAT(outcome.out, HasSubstr(text));
}

TEST(ClassicCommand, NamesNoPaperForWhatIsInNone) {
  const Folder folder;
  const Outcome outcome =
      folder.run("dev --classic shares --system majority:n=3 --requests 3 --cs 0 --ncs 0");
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_THAT(outcome.out, testing::Not(HasSubstr("paper")));
}

TEST(ClassicCommand, BadInputIsNamed) {
  const Folder folder;
  const auto refused = [&](const std::string& options, const std::string& with) {
    const Outcome outcome = folder.run("dev " + options);
    EXPECT_EQ(outcome.exit_code, 2) << options;
    EXPECT_THAT(outcome.err, HasSubstr(with));
  };
  refused("--classic no-such --system majority:n=3", "no-such");
  refused("--classic maekawa", "--system");
  refused("--classic maekawa --system majority:n=99", "1 to 64");
  refused("--classic maekawa --system majority:n=3 --groups x,y", "--groups");
  refused("--classic maekawa --system majority:n=3 --groups 2", "--groups: it means nothing");
  refused("--classic maekawa --system majority:n=3 --max 2", "--max: it means nothing");
  refused("--classic maekawa --system majority:n=3 --requesters 4", "1 to 3");
  refused("--classic maekawa --system majority:n=3 --cs soon", "--cs");
  refused("--classic maekawa --system majority:n=3 --members 5", "--members");
  refused("--requests 3", "--classic");
}

TEST(ClassicCommand, AProcessThatDiesEndsTheRun) {
  const Folder folder;
  folder.write("kill.sh",
               "'" + command_path() + "' " + std::string(kForLong) +
                   " >out.json & parent=$!\n"
                   "until set -- $(cat /proc/$parent/task/$parent/children) && [ $# = 3 ]; do\n"
                   "  sleep 0.01\ndone\nsleep 0.2\nkill -KILL $2\nwait $parent\nexit $?\n");
  const Outcome outcome = folder.run("--version && sh kill.sh");
  EXPECT_EQ(outcome.exit_code, 1) << outcome.err;
  const json report = json::parse(folder.read("out.json"));
  EXPECT_EQ(report["complete"], false);
  EXPECT_THAT(report["fault"].get<std::string>(), HasSubstr("process 1"));
}

TEST(ClassicCommand, AnInterruptKeepsWhatIsCounted) {
  const Folder folder;
  // Not before all have started, whatever else the machine does.
  folder.write("stop.sh",
               "'" + command_path() + "' " + std::string(kForLong) +
                   " >out.json & parent=$!\n"
                   "until set -- $(cat /proc/$parent/task/$parent/children) && [ $# = 3 ]; do\n"
                   "  sleep 0.01\ndone\nsleep 1\nkill -TERM $parent\nwait $parent\nexit $?\n");
  const Outcome outcome = folder.run("--version && sh stop.sh");
  EXPECT_EQ(outcome.exit_code, 3) << outcome.err;
  const json report = json::parse(folder.read("out.json"));
  EXPECT_EQ(report["complete"], false);
  EXPECT_TRUE(report["fault"].is_null());
  EXPECT_GT(report["entries"], 0);
  EXPECT_GT(report["messages"], 0);
}

}  // namespace
}  // namespace coterie::cli
