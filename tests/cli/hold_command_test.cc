// `coterie mutex`, `room` and `status`, and the library's examples, with a real cluster on this machine.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "cli/command.h"
#include "cli/dev_suite.h"

namespace coterie::cli {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

constexpr const char* kNobody = " --members 127.0.0.1:1";

class HoldCommand : public DevSuite {};

// Here the lease is short: what is to be lost is lost soon.
class LostHold : public HoldCommand {
 protected:
  static void SetUpTestSuite() { start("500ms"); }
};

TEST_F(HoldCommand, TellsTheCommandWhatItHolds) {
  const std::string show = "echo $COTERIE_NAME,$COTERIE_GROUP,$COTERIE_TOKEN\n";
  const std::string first = shell("mutex told", show).out;
  const std::string second = shell("mutex told", show).out;
  ASSERT_THAT(first, testing::StartsWith("told,,"));
  ASSERT_THAT(second, testing::StartsWith("told,,"));
  EXPECT_LT(std::stoull(first.substr(6)), std::stoull(second.substr(6)));  // tokens grow
  EXPECT_THAT(shell("room told-room --group a,b", show).out, HasSubstr("told-room,a,"));
  EXPECT_THAT(shell("room told-room --read", show).out, HasSubstr("told-room,read,"));
  EXPECT_THAT(shell("room told-room --write", show).out, HasSubstr("told-room,write,"));
}

TEST_F(HoldCommand, EndsAsTheCommandDoes) {
  EXPECT_EQ(run("mutex code -- sh -c 'exit 7'").exit_code, 7);
  EXPECT_EQ(run("mutex code -- sh -c 'kill -KILL $$'").exit_code, 128 + 9);
  // What follows the first -- is the command's alone.
  EXPECT_EQ(run("mutex code -- echo a -- -b --try").out, "a -- -b --try\n");
}

TEST_F(HoldCommand, WhoCannotEnterSaysSo) {
  const Outcome tried = shell("mutex taken", "coterie mutex taken --try -- echo never");
  EXPECT_EQ(tried.exit_code, 75);
  EXPECT_EQ(tried.out, "");
  EXPECT_THAT(tried.err, HasSubstr("taken: "));
  const Outcome waited = shell("mutex taken", "coterie mutex taken --wait 50ms -- echo never");
  EXPECT_EQ(waited.exit_code, 75);
  EXPECT_EQ(shell("mutex taken", "coterie room taken --read -- echo never").exit_code, 2);
  EXPECT_EQ(shell("room shared --read", "coterie room shared --read --try -- true").exit_code, 0);
  EXPECT_EQ(shell("room shared --read", "coterie room shared --write --try -- true").exit_code, 75);
}

TEST_F(HoldCommand, BadInputIsRefusedBeforeAnythingIsHeld) {
  EXPECT_THAT(run("mutex x").err, HasSubstr("no command to run: coterie mutex x [OPTIONS] -- "));
  EXPECT_EQ(run("mutex x").exit_code, 2);
  EXPECT_EQ(run("room x -- true").exit_code, 2);
  EXPECT_EQ(run("room x --read --write -- true").exit_code, 2);
  for (const char* groups : {"a,", ",a", "a,,b"}) {
    const Outcome refused = run(std::string("room x --group ") + groups + " -- true");
    EXPECT_EQ(refused.exit_code, 2) << groups;
    EXPECT_THAT(refused.err, HasSubstr("has an empty group in it"));
  }
  for (const char* nameless :
       {"mutex '' -- true", "hold mutex '' --as a", "release '' --as a", "set '' --limit 2"}) {
    const Outcome refused = run(nameless);
    EXPECT_EQ(refused.exit_code, 2) << nameless;
    EXPECT_EQ(refused.err, "coterie: the name must not be empty\n") << nameless;
  }
  for (const char* ownerless : {"hold mutex x --as ''", "release x --as ''"}) {
    const Outcome refused = run(ownerless);
    EXPECT_EQ(refused.exit_code, 2) << ownerless;
    EXPECT_THAT(refused.err, HasSubstr("--as must not be empty")) << ownerless;
  }
  EXPECT_EQ(run("mutex x --wait soon -- true").exit_code, 2);
  EXPECT_EQ(run("mutex x --members nowhere -- true").exit_code, 2);
  EXPECT_EQ(run("mutex $(printf '\\377') -- true").exit_code, 2);
  EXPECT_THAT(run("mutex $(printf '\\377') -- true").err, HasSubstr("must be text in UTF-8"));
  EXPECT_EQ(run("status $(printf '\\377')").exit_code, 2);
  EXPECT_EQ(run("room x --group $(printf 'x%.0s' $(seq 256)) -- true").exit_code, 2);
  EXPECT_EQ(run("mutex x --label $(printf '\\377') -- true").exit_code, 2);
  EXPECT_EQ(run("mutex x -- there-is-no-such-program").exit_code, 127);
  EXPECT_EQ(run("mutex x -- /").exit_code, 126);
  EXPECT_EQ(run(std::string("mutex x") + kNobody + " -- true").exit_code, 69);
}

// The lines of a text, each a JSON object: what each is of.
std::vector<nlohmann::json> events_in(const std::string& text) {
  std::vector<nlohmann::json> events;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    events.push_back(nlohmann::json::parse(line, nullptr, false));
    EXPECT_FALSE(events.back().is_discarded()) << line;
  }
  return events;
}

TEST_F(HoldCommand, TellsScriptsWhatHappens) {
  const Outcome held =
      run("room events --group blue --json -- sh -c 'echo $COTERIE_TOKEN; exit 3'");
  EXPECT_EQ(held.exit_code, 3);
  const auto events = events_in(held.err);
  ASSERT_EQ(events.size(), 3U) << held.err;
  EXPECT_EQ(events[0]["event"], "granted");
  EXPECT_EQ(events[0]["name"], "events");
  EXPECT_EQ(events[0]["group"], "blue");
  EXPECT_EQ(std::to_string(events[0]["token"].get<std::uint64_t>()) + "\n", held.out);
  EXPECT_EQ(events[1]["event"], "running");
  EXPECT_EQ(events[2]["event"], "ended");
  EXPECT_EQ(events[2]["exit_code"], 3);
  EXPECT_EQ(events[2]["lost"], false);
  // In a file they leave standard error to the command.
  const Outcome filed = run("mutex filed --events log.json -- sh -c 'echo mine >&2'");
  EXPECT_EQ(filed.err, "mine\n");
  EXPECT_EQ(events_in(folder_->read("log.json")).size(), 3U);
}

TEST_F(HoldCommand, TellsScriptsWhyNothingWasRun) {
  const Outcome tried = shell("mutex refused", "coterie mutex refused --try --json -- echo never");
  EXPECT_EQ(tried.exit_code, 75);
  const auto events = events_in(tried.err);
  ASSERT_EQ(events.size(), 1U) << tried.err;
  EXPECT_EQ(events[0]["event"], "failed");
  EXPECT_EQ(events[0]["exit_code"], 75);
  const Outcome waited =
      shell("mutex refused --label alice", "coterie mutex refused --wait 2500ms --json -- true");
  const auto seen = events_in(waited.err);
  ASSERT_GE(seen.size(), 2U) << waited.err;
  EXPECT_EQ(seen.front()["event"], "waiting");
  EXPECT_EQ(seen.front()["place"], 1);
  EXPECT_THAT(seen.front()["why"].get<std::string>(), HasSubstr("alice"));
  EXPECT_EQ(run("mutex x --events /no/such/file -- true").exit_code, 2);
}

TEST_F(HoldCommand, SignalsReachTheCommand) {
  const Outcome outcome = shell("mutex signal",
                                "trap 'exit 3' TERM\n"
                                "kill -TERM $PPID\n"
                                "while :; do sleep 0.01; done\n");
  EXPECT_EQ(outcome.exit_code, 3);
}

// No quorum is left: the command, and what it has started, are told to end.
TEST_F(LostHold, EndsTheCommandAndItsChildren) {
  const std::string kill = "coterie dev kill 1 >&2\ncoterie dev kill 2 >&2\n";
  const auto start = [] {
    run("dev start 1");
    run("dev start 2");
  };
  const Outcome outcome =
      shell("mutex lost --in-order --grace 100ms", kill + "trap '' TERM\nsleep 60\n");
  start();
  EXPECT_EQ(outcome.exit_code, 76);
  EXPECT_THAT(outcome.err, HasSubstr("lost lost: "));
  const Outcome warned =
      shell("mutex lost --wait 20s --on-lost warn", kill + "sleep 1.5; exit 4\n");
  start();
  EXPECT_EQ(warned.exit_code, 4);
  EXPECT_THAT(warned.err, HasSubstr("goes on without it"));
  EXPECT_EQ(run("mutex lost --wait 20s -- true").exit_code, 0);
}

TEST_F(HoldCommand, StatusShowsWhoIsInsideAndWhoWaits) {
  EXPECT_EQ(run("status free").out, "nobody holds or waits for free\n");
  const Outcome held = shell("room seen --group blue --label alice",
                             "coterie room seen --group red --label bob -- true &\n"
                             "until coterie status seen | grep -q bob; do sleep 0.01; done\n"
                             "coterie status seen\n"
                             "coterie status seen --json >seen.json\n");
  expect_plain(held, "status seen");
  EXPECT_THAT(held.out, HasSubstr("seen, a room"));
  EXPECT_THAT(held.out, HasSubstr("waiting, the next one first\n 1  bob at m"));
  const auto seen = nlohmann::json::parse(folder_->read("seen.json"));
  EXPECT_EQ(seen["holders"][0]["client"], "alice");
  EXPECT_EQ(seen["holders"][0]["group"], "blue");
  EXPECT_EQ(seen["waiters"][0]["groups"][0], "red");
  EXPECT_THAT(seen["waiters"][0]["why"].get<std::string>(), HasSubstr("alice"));
}

TEST_F(HoldCommand, AClientIsCalledByItsUserWhateverTheEnvironmentHas) {
  const Outcome held = shell(
      "env -u USER -u LOGNAME \"$binary\" mutex called -- \"$binary\" status called\n"
      "USER= LOGNAME= coterie mutex called -- \"$binary\" status called\n"
      "echo \"$(id -un)@\" >user\n");
  std::string user = folder_->read("user");
  user.pop_back();
  EXPECT_EQ(held.exit_code, 0) << held.err;
  const std::size_t first = held.out.find("\n" + user);
  EXPECT_NE(first, std::string::npos) << held.out;
  EXPECT_NE(held.out.find("\n" + user, first + 1), std::string::npos) << held.out;
}

TEST_F(HoldCommand, StatusShowsTheMembers) {
  expect_plain(run("status"), "status");
  const auto found = folder_->run_json("status --json");
  EXPECT_EQ(found["members"].size(), 3U);
  for (const auto& member : found["members"]) EXPECT_EQ(member["peers"].size(), 2U);
  const Outcome nobody = run(std::string("status") + kNobody);
  EXPECT_EQ(nobody.exit_code, 69);
  EXPECT_THAT(nobody.out, AllOf(HasSubstr("no answer"), Not(HasSubstr("names known"))));
  EXPECT_THAT(nobody.out, Not(HasSubstr("--members")));  // that is known already
}

#ifdef COTERIE_EXAMPLES
TEST_F(HoldCommand, ExamplesOfTheLibraryWork) {
  for (const char* example : {"blocking", "asynchronous", "rolling_restart"}) {
    const std::string program = std::string(COTERIE_EXAMPLES) + "/" + example;
    const Outcome outcome = shell("mutex example-runs", program + addresses());
    EXPECT_EQ(outcome.exit_code, 0) << example << "\n" << outcome.err;
    EXPECT_NE(outcome.out, "");
  }
}

// It is a cluster of one.
TEST_F(HoldCommand, TheExampleThatIsAMemberWorks) {
  boost::asio::io_context io;
  using boost::asio::ip::tcp;
  tcp::acceptor free(io, tcp::endpoint(boost::asio::ip::address_v4::loopback(), 0));
  const std::uint16_t port = free.local_endpoint().port();
  free.close();
  folder_->write("one.toml", "name = 'a'\ndata = 'one'\n[members]\na = '127.0.0.1:" +
                                 std::to_string(port) + "'\n");
  const std::string program = std::string(COTERIE_EXAMPLES) + "/embedded one.toml new-cluster";
  const Outcome outcome = shell("mutex example-runs", program);
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("inside a thousand times"));
}
#endif

}  // namespace
}  // namespace coterie::cli
