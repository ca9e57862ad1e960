// `coterie semaphore`, `room --rooms`, `band`, `hold` and `release`, with a real cluster and real processes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <sstream>
#include <string>

#include "cli/command.h"
#include "cli/dev_suite.h"

namespace coterie::cli {
namespace {

using testing::AllOf;
using testing::HasSubstr;

class CountingCommand : public DevSuite {
 protected:
  static void expect_refused(const std::string& arguments, const std::string& why) {
    const Outcome outcome = run(arguments + " -- echo never");
    EXPECT_EQ(outcome.exit_code, 2) << arguments;
    EXPECT_EQ(outcome.out, "") << arguments;
    EXPECT_THAT(outcome.err, HasSubstr(why)) << arguments;
  }
};

TEST_F(CountingCommand, BadInputSaysWhatIsAllowed) {
  expect_refused("semaphore x", "--limit is required");
  expect_refused("semaphore x --limit 0", "must be a whole number from 1 to");
  expect_refused("semaphore x --limit three", "must be a whole number from 1 to");
  expect_refused("room x --group a --rooms 0", "must be a whole number from 1 to");
  expect_refused("room x --read --rooms 2", "--rooms goes with --group");
  expect_refused("band x --min 1 --inside", "--as is required");
  expect_refused("band x --as '' --min 1 --inside", "--as must not be empty");
  expect_refused("band x --as a --inside", "a band needs --min");
  expect_refused("band x --as a --min 3 --max 2 --inside", "--min 3 is more than --max 2");
  expect_refused("band x --as a --min 0 --inside", "must be a whole number from 1 to");
  expect_refused("band x --as a --min 1", "a band needs --inside");
  expect_refused("band x --as a --min 1 --inside --outside", "not both");
  expect_refused("band x --as a --min 1 --outside --on-lost kill", "--on-lost goes with --inside");
  EXPECT_THAT(run("release x --as a --force").err, HasSubstr("--force goes with --token"));
  EXPECT_EQ(run("release x --as a --token 3").exit_code, 2);
  EXPECT_EQ(run("release x --as a").exit_code, 2);
  EXPECT_THAT(run("release x --as a").err, HasSubstr("a has no hold of x that lasts"));
  EXPECT_EQ(run("hold band x --as a").exit_code, 2);
}

TEST_F(CountingCommand, TellsTheCommandWhatItHolds) {
  const std::string show = "echo $COTERIE_NAME,$COTERIE_GROUP,$COTERIE_AS,$COTERIE_LIMIT";
  EXPECT_EQ(shell("semaphore told --limit 3", show).out, "told,,,3\n");
  EXPECT_EQ(shell("room told-rooms --rooms 2 --group a", show).out, "told-rooms,a,,\n");
  EXPECT_EQ(shell("band told-band --as me --max 4 --inside", show).out, "told-band,,me,4\n");
  EXPECT_THAT(shell("semaphore other --limit 2", "coterie semaphore other --limit 3 -- true").err,
              HasSubstr("in use as a semaphore of 2; you asked for a semaphore of 3"));
}

// Each command writes down what it does, in one file.
TEST_F(CountingCommand, NoMoreAreInsideThanTheLimit) {
  const Outcome outcome = shell(
      "for i in 1 2 3 4 5 6; do\n"
      "  coterie semaphore s --limit 2 -- sh -c 'echo + >>seen; sleep 0.1; echo - >>seen' &\n"
      "done\nwait\ncat seen\n");
  std::istringstream steps(outcome.out);
  int inside = 0;
  int most = 0;
  int entries = 0;
  for (std::string step; steps >> step; most = std::max(most, inside)) {
    inside += step == "+" ? 1 : -1;
    entries += step == "+" ? 1 : 0;
  }
  EXPECT_EQ(entries, 6) << outcome.err;
  EXPECT_EQ(inside, 0);
  EXPECT_EQ(most, 2);
}

TEST_F(CountingCommand, NoMoreGroupsAreInsideThanThereAreRooms) {
  const Outcome outcome = shell(
      "for g in a b c a b c; do\n"
      "  coterie room rooms --rooms 2 --group $g --\\\n"
      "    sh -c 'echo + $COTERIE_GROUP >>who; sleep 0.1; echo - $COTERIE_GROUP >>who' &\n"
      "done\nwait\ncat who\n");
  std::istringstream steps(outcome.out);
  std::map<std::string, int> inside;
  std::size_t most = 0;
  std::string step;
  for (std::string group; steps >> step >> group; most = std::max(most, inside.size())) {
    inside[group] += step == "+" ? 1 : -1;
    if (inside[group] == 0) inside.erase(group);
  }
  EXPECT_TRUE(inside.empty());
  EXPECT_EQ(most, 2U) << outcome.out;
}

constexpr const char* kServe =
    "serve() {\n"  // NAME: a service that says when it is told to end. $! is the command itself
    "  \"$binary\" band $1 --as $2 --min 1 --inside -- \\\n"
    "    sh -c \"trap 'echo $2 told; exit 7' TERM; echo up >$2; while :; do sleep 0.02; done\" &\n"
    "  while ! [ -e $2 ]; do sleep 0.01; done\n"
    "}\n"
    "comes() { until grep -q \"$1\" $2; do sleep 0.02; done; }\n";

TEST_F(CountingCommand, ASignalIsPassedOnWhenEnoughOthersStay) {
  const Outcome outcome = shell(std::string(kServe) +
                                "serve web web-1; one=$!\n"
                                "serve web web-2 2>why; two=$!\n"
                                "kill -TERM $one; wait $one; echo one $?\n"
                                "kill -TERM $two; comes 'must stay' why\n"
                                "coterie status web >page\n"
                                "coterie status web --json >page.json\n"
                                "echo then; kill -TERM $two; wait $two; echo two $?\n");
  EXPECT_EQ(outcome.out, "web-1 told\none 7\nthen\nweb-2 told\ntwo 7\n") << outcome.err;
  EXPECT_THAT(folder_->read("why"),
              AllOf(HasSubstr("coterie: web: web-2 waits to leave: 1 inside, of whom at least 1 "
                              "must stay; next when one more enters\n"),
                    HasSubstr("web-2 was not let out before: it is out at once")));
  const std::string page = folder_->read("page");
  EXPECT_THAT(
      page,
      AllOf(HasSubstr("web, a band, at least 1\n"), HasSubstr("\nweb-2  "),
            HasSubstr("waiting to leave\n    web-2 at m"),
            HasSubstr("    1 inside, of whom at least 1 must stay; next when one more enters\n")));
  expect_plain({0, page, ""}, "status web");
  const auto answer = nlohmann::json::parse(folder_->read("page.json"));
  EXPECT_EQ(answer["kind"], "band");
  EXPECT_EQ(answer["min"], 1);
  EXPECT_TRUE(answer["max"].is_null());
  EXPECT_EQ(answer["holders"][0]["is_leaving"], true);
}

// Here the lease is short: who sleeps longer has lost its hold.
class LostBand : public CountingCommand {
 protected:
  static void SetUpTestSuite() { start("500ms"); }
};

TEST_F(LostBand, GoesOnAndEntersAgain) {
  const Outcome outcome = shell(std::string(kServe) +
                                "serve band one 2>told; one=$!\n"
                                "kill -STOP $one; sleep 2; kill -CONT $one\n"
                                "comes 'one is inside band again' told\n"
                                "kill -TERM $one; kill -INT $one; kill -TERM $one\n"
                                "wait $one; echo code $?\n");
  EXPECT_EQ(outcome.out, "one told\ncode 7\n") << outcome.err;
  EXPECT_THAT(folder_->read("told"), HasSubstr("the command goes on, and enters again\n"));
}

TEST_F(CountingCommand, ACommandThatEndsByItselfIsOutAtOnce) {
  const Outcome outcome = run("band alone --as a --min 1 --inside --json -- sh -c 'exit 3'");
  EXPECT_EQ(outcome.exit_code, 3);
  EXPECT_THAT(outcome.err, AllOf(HasSubstr("\"abandoned\""), HasSubstr("\"exit_code\":3")));
  EXPECT_THAT(run("band alone --as a --min 1 --inside -- true").err,
              HasSubstr("the command has ended, and a was not let out before"));
  EXPECT_EQ(run("status alone").out, "nobody holds or waits for alone\n");
}

TEST_F(CountingCommand, WhatIsSetHoldsForAllWhateverTheyAskFor) {
  for (const std::string owner : {"a", "b"})
    ASSERT_EQ(run("hold semaphore docks --limit 2 --as " + owner).exit_code, 0);
  EXPECT_EQ(run("semaphore docks --limit 2 --try -- true").exit_code, 75);
  const Outcome more = run("set docks --limit 3");
  EXPECT_EQ(more.out, "docks: at most 3\n") << more.err;
  EXPECT_EQ(run("semaphore docks --limit 2 --wait 10s -- true").exit_code, 0);
  EXPECT_EQ(run("set docks --limit 1 --json").exit_code, 0);
  EXPECT_THAT(run("status docks").out,
              HasSubstr("docks, a semaphore, at most 1 (before: at most 3)\n"));
  EXPECT_EQ(run("release docks --as a").exit_code, 0);
  EXPECT_THAT(run("status docks").out, HasSubstr("docks, a semaphore, at most 1\n"));
  EXPECT_EQ(run("semaphore docks --limit 2 --try -- true").exit_code, 75);
  EXPECT_EQ(run("release docks --as b").exit_code, 0);
  EXPECT_EQ(run("semaphore docks --limit 2 --wait 10s -- true").exit_code, 0);
  EXPECT_EQ(run("status docks").out, "nobody holds or waits for docks, a semaphore, at most 1\n");
}

TEST_F(CountingCommand, WhatCannotBeSetIsSaidWithWhatCan) {
  EXPECT_EQ(run("set docks").exit_code, 2);
  EXPECT_THAT(run("set docks --limit 0").err,
              HasSubstr("--limit: must be a whole number from 1 to"));
  EXPECT_THAT(run("set docks").err, HasSubstr("say what is to change"));
  EXPECT_THAT(run("set docks --limit 2 --rooms 3").err, HasSubstr("give those of one"));
  EXPECT_THAT(run("set docks --kind dock").err,
              HasSubstr("--kind is one of mutex, room, semaphore, band, not dock"));
  EXPECT_THAT(run("set docks --kind mutex --limit 2").err, HasSubstr("not numbers of a mutex"));
  EXPECT_THAT(run("set docks --kind semaphore").err, HasSubstr("a semaphore needs a --limit"));
  EXPECT_THAT(run("set docks --forget --limit 2").err, HasSubstr("--forget goes with nothing"));
  EXPECT_THAT(run("set docks --limit 2 --wait soon").err, HasSubstr("--wait"));
  EXPECT_THAT(run("set pier --min 3 --max 2").err, HasSubstr("that cannot be"));
  ASSERT_EQ(run("hold mutex key --as a").exit_code, 0);
  const Outcome refused = run("set key --limit 2");
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_THAT(refused.err, AllOf(HasSubstr("is in use as a mutex; you asked for a semaphore of 2"),
                                 HasSubstr("say --kind")));
  EXPECT_EQ(run("release key --as a").exit_code, 0);
}

TEST_F(CountingCommand, ANameBecomesSomethingElseWhenAllHaveLeft) {
  ASSERT_EQ(run("hold mutex crane --as a").exit_code, 0);
  const Outcome late = run("set crane --kind semaphore --limit 2 --wait 300ms");
  EXPECT_EQ(late.exit_code, 75);
  EXPECT_THAT(late.err, AllOf(HasSubstr("1 inside: a"),
                              HasSubstr("what was begun goes on: see `coterie status crane`")));
  EXPECT_THAT(run("status crane").out,
              HasSubstr("crane, a semaphore, at most 2 (before: a mutex)"));
  EXPECT_THAT(run("mutex crane --try -- true").err, HasSubstr("a semaphore of 2"));
  ASSERT_EQ(run("release crane --as a").exit_code, 0);
  EXPECT_EQ(run("set crane --kind semaphore --limit 2").out, "crane: at most 2\n");
  EXPECT_EQ(run("status crane").out, "nobody holds or waits for crane, a semaphore, at most 2\n");
  EXPECT_EQ(run("semaphore crane --limit 5 -- true").exit_code, 0);
  EXPECT_EQ(run("mutex crane -- true").exit_code, 2);
  EXPECT_EQ(run("set crane --kind mutex").out, "crane: a mutex\n");
  EXPECT_EQ(run("mutex crane -- true").exit_code, 0);
  EXPECT_EQ(run("set crane --forget").out, "crane: what it is asked for as\n");
  EXPECT_EQ(run("room crane --group a -- true").exit_code, 0);
}

TEST_F(CountingCommand, ARoomIsForOneGroupOrForMany) {
  EXPECT_EQ(run("set hall --rooms 2").out,
            "hall: at most 2 groups; the name is new: nobody used it, and nothing was set\n");
  EXPECT_EQ(shell("room hall --group a", "coterie room hall --group b -- echo both").out, "both\n");
  EXPECT_EQ(run("set hall --rooms 1").out, "hall: a room\n");
  EXPECT_EQ(shell("room hall --group a", "coterie room hall --group b --try -- true").exit_code,
            75);
}

TEST_F(CountingCommand, ABandMayHaveNoMaximumAgain) {
  EXPECT_EQ(run("set quay --min 1 --max 2").out,
            "quay: 1 to 2; the name is new: nobody used it, and nothing was set\n");
  EXPECT_EQ(run("set quay --no-max").out, "quay: at least 1\n");
}

TEST_F(CountingCommand, WhatIsHeldForAnOwnerLastsUntilItIsReleased) {
  const Outcome held = run("hold mutex db --as db-1");
  EXPECT_EQ(held.exit_code, 0) << held.err;
  EXPECT_EQ(run("hold mutex db --as db-1").out, held.out);
  EXPECT_EQ(run("hold mutex db --as db-2 --try").exit_code, 75);
  EXPECT_EQ(run("mutex db --try -- true").exit_code, 75);
  const Outcome page = run("status db");
  expect_plain(page, "status db");
  EXPECT_THAT(page.out, AllOf(HasSubstr("db-1 "), HasSubstr("lasts")));
  EXPECT_THAT(run("release db --as db-1 --force --token 999").err, HasSubstr("with the token"));
  EXPECT_EQ(run("release db --as db-1").exit_code, 0);
  EXPECT_EQ(run("mutex db --wait 10s -- true").exit_code, 0);
  const Outcome writer = run("hold room books --write --as clerk");
  EXPECT_EQ(run("hold room books --write --as clerk").out, writer.out);
  EXPECT_THAT(run("hold room books --group a --as clerk").err, HasSubstr("holds it already"));
  EXPECT_EQ(run("release books --as clerk").exit_code, 0);
  const auto answer = folder_->run_json("hold semaphore slots --limit 2 --as rack-1 --json");
  EXPECT_EQ(answer["owner"], "rack-1");
  const std::string token = std::to_string(answer["token"].get<std::uint64_t>());
  EXPECT_EQ(run("release slots --as rack-1 --force --token " + token).exit_code, 0);
}

TEST_F(CountingCommand, WhoIsOutsideForACommandIsInsideBeforeAndAfter) {
  ASSERT_EQ(run("hold band roll --as a --min 1").exit_code, 0);
  const Outcome moved =
      run("band roll --as b --min 1 --outside -- sh -c 'echo $COTERIE_AS; cat /dev/null'");
  EXPECT_EQ(moved.exit_code, 0) << moved.err;
  EXPECT_EQ(moved.out, "b\n");
  EXPECT_THAT(run("status roll").out, AllOf(HasSubstr("\na "), HasSubstr("\nb ")));
  const Outcome failed = run("band roll --as b --min 1 --outside -- sh -c 'exit 4'");
  EXPECT_EQ(failed.exit_code, 4);
  EXPECT_THAT(failed.err, HasSubstr("the command failed, so b stays outside"));
  // Now nobody would be left.
  const Outcome refused = run("band roll --as a --min 1 --outside --wait 50ms -- echo never");
  EXPECT_EQ(refused.exit_code, 75);
  EXPECT_EQ(refused.out, "");
  EXPECT_THAT(run("status roll").out, HasSubstr("\na "));
}

}  // namespace
}  // namespace coterie::cli
