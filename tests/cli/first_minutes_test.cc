// What a newcomer meets in the first ten minutes: mistakes on the command line, clusters that are not meant, free names, time.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <string>

#include "cli/command.h"
#include "cli/serving.h"

namespace coterie::cli {
namespace {

using namespace std::chrono_literals;
using testing::AllOf;
using testing::HasSubstr;
using testing::MatchesRegex;
using testing::Not;

struct Mistake {
  std::string line;
  std::string answer;
};

class Mistakes : public testing::TestWithParam<Mistake> {};

TEST_P(Mistakes, AreNamedAndReachNoCluster) {
  const Folder folder;
  const Outcome outcome = folder.run(GetParam().line);
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_EQ(outcome.err, GetParam().answer + "\n");
  EXPECT_EQ(outcome.out, "");
}

INSTANTIATE_TEST_SUITE_P(
    OfWords, Mistakes,
    testing::Values(
        Mistake{"mutex x --limit 3 -- true",
                "coterie: 'coterie mutex' has no option --limit; see 'coterie mutex --help'"},
        Mistake{"mutex x --tyr -- true",
                "coterie: 'coterie mutex' has no option --tyr; did you mean --try? see 'coterie "
                "mutex --help'"},
        Mistake{"mutex x ls --color",
                "coterie: the command comes after --: coterie mutex NAME [OPTIONS] -- ls ...; see "
                "'coterie mutex --help'"},
        Mistake{"room r --group a --read -- true",
                "coterie: a room needs exactly one of --group, --read and --write"},
        Mistake{"mutex x --wait 1x -- true",
                "coterie: --wait: \"1x\" is no time such as 250ms, 2s, 5m, 1h30m or 1d"}));

INSTANTIATE_TEST_SUITE_P(
    OfClusters, Mistakes,
    testing::Values(
        Mistake{"mutex x --members '' -- true",
                "coterie: --members must be host:port, or a list with commas, and is empty"},
        Mistake{"status --members ,",
                "coterie: --members must be host:port, or a list with commas, and is empty"},
        Mistake{"status --members 127.0.0.1:1 --ca /no/ca --cert /no/cert --key /no/key",
                "coterie: /no/cert cannot be used for TLS: No such file or directory"}));

TEST(Clusters, ThatWereNamedAndAreNotThereAreAnError) {
  const Folder folder;
  const auto answer = [&](const char* variable, const std::string& value) {
    ::setenv(variable, value.c_str(), 1);
    const Outcome outcome = folder.run("mutex x -- true");
    ::unsetenv(variable);
    EXPECT_EQ(outcome.exit_code, 2);
    return outcome.err;
  };
  EXPECT_EQ(answer("COTERIE_MEMBERS", ""),
            "coterie: COTERIE_MEMBERS must be host:port, or a list with commas, and is empty\n");
  EXPECT_EQ(answer("COTERIE_DEV", ""),
            "coterie: COTERIE_DEV must name the folder of a local cluster, and is empty\n");
  EXPECT_THAT(answer("COTERIE_DEV", "nowhere"),
              HasSubstr("COTERIE_DEV names nowhere, and no local cluster is there"));
}

class FirstMinutes : public testing::Test {
 protected:
  FirstMinutes() : serving_(folder_, {}) {
    serving_.start_all();
    EXPECT_TRUE(serving_.is_ready()) << serving_.log(0);
  }
  Outcome run(const std::string& arguments, const std::string& command = " -- true") const {
    return folder_.run(arguments + " --members " + serving_.list() + command);
  }
  std::chrono::milliseconds time_of(const std::string& arguments, int exit_code) const {
    const auto start = std::chrono::steady_clock::now();
    const Outcome outcome = run(arguments);
    EXPECT_EQ(outcome.exit_code, exit_code) << outcome.err;
    return std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::steady_clock::now() -
                                                                 start);
  }

  const Folder folder_;
  Serving serving_;
};

TEST_F(FirstMinutes, WhatIsFreeIsNotRefused) {
  for (const std::string name : {"mutex m", "semaphore s --limit 1", "room r --write",
                                 "room k --rooms 2 --group a", "band b --as p --max 1 --inside"}) {
    for (int i = 0; i < 20; ++i) {
      const Outcome tried = run(name + " --try");
      ASSERT_EQ(tried.exit_code, 0) << name << ", " << i << ": " << tried.err;
    }
    EXPECT_EQ(run(name + " --wait 0s").exit_code, 0);
  }
}

TEST_F(FirstMinutes, PatienceIsAsLongAsItIsSaid) {
  for (std::size_t member = 0; member < 3; ++member) serving_.signal(member, SIGSTOP);
  const auto paused = time_of("mutex m --wait 3s", 69);
  EXPECT_GE(paused, 2'900ms);
  EXPECT_LT(paused, 4'500ms);
  EXPECT_LT(time_of("mutex m --try", 69), 1'800ms);
  for (std::size_t member = 0; member < 3; ++member) {
    serving_.signal(member, SIGKILL);
    serving_.wait(member);
  }
  const auto dead = time_of("mutex m --wait 4s", 69);
  EXPECT_GE(dead, 3'900ms);
  EXPECT_LT(dead, 5'500ms);
}

TEST_F(FirstMinutes, WhoWaitsInAScriptIsToldWhyOnce) {
  const Outcome held =
      run("mutex m", " -- sh -c '" + command_path() + " mutex m --wait 4s --members " +
                         serving_.list() + " -- true'");
  EXPECT_EQ(held.exit_code, 75);
  EXPECT_THAT(held.err, MatchesRegex("coterie: waiting for m, 1 of 1: next: .* holds it\n"
                                     "coterie: m: it was not granted in that time: .* holds it\n"));
}

TEST_F(FirstMinutes, ANewNameIsSaidToBeNew) {
  EXPECT_EQ(run("set typo --limit 3", "").out,
            "typo: at most 3; the name is new: nobody used it, and nothing was set\n");
  EXPECT_EQ(run("set typo --limit 4", "").out, "typo: at most 4\n");
}

TEST_F(FirstMinutes, StatusIsForPeopleAndForMonitors) {
  const std::string one = " --members " + serving_.addresses()[0];
  ASSERT_EQ(run("hold mutex db --as owner --wait 10s", "").exit_code, 0);
  const Outcome page = folder_.run("status" + one);
  EXPECT_EQ(page.exit_code, 0);
  EXPECT_THAT(page.out, AllOf(HasSubstr(serving_.addresses()[2]), HasSubstr("db    mutex  owner")));
  const auto told = folder_.run_json("status db --json" + one);
  EXPECT_THAT(told["holders"][0]["given_at"].get<std::string>(),
              MatchesRegex("20..-..-..T..:..:..Z"));
  const auto check = [&] { return folder_.run("status --check" + one); };
  EXPECT_EQ(check().out, "ok: 3 of 3 members serve\n");
  serving_.signal(2, SIGKILL);
  serving_.wait(2);
  EXPECT_TRUE(comes_true([&] { return check().exit_code == 1; }));
  EXPECT_EQ(check().out, "degraded: 2 of 3 members serve; c: no answer\n");
  serving_.signal(1, SIGKILL);
  serving_.wait(1);
  EXPECT_TRUE(comes_true([&] { return check().exit_code == 69; }));
  EXPECT_THAT(check().out, HasSubstr("critical: 0 of 3 members serve; "));
  EXPECT_EQ(folder_.run("status" + one).exit_code, 69);
}

}  // namespace
}  // namespace coterie::cli
