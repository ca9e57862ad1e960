// `coterie dev`: what it makes, what it refuses, and that it touches nothing that is not its own.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <string>

#include "cli/command.h"

namespace coterie::cli {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

class DevCommand : public testing::Test {
 protected:
  DevCommand() { ::setenv("COTERIE_DEV", "dev", 1); }  // in the folder that each command runs in
  ~DevCommand() override {
    run("dev stop");
    ::unsetenv("COTERIE_DEV");
  }
  Outcome run(const std::string& arguments) const { return folder_.run(arguments); }
  void make_folder(const std::string& name) const {
    std::filesystem::create_directories(folder_.path() + "/" + name);
  }
  void expect_refused(const std::string& arguments, const std::string& why) const {
    const Outcome outcome = run(arguments);
    EXPECT_EQ(outcome.exit_code, 2) << arguments << "\n" << outcome.err;
    EXPECT_THAT(outcome.err, HasSubstr(why)) << arguments;
  }

  Folder folder_;
};

TEST_F(DevCommand, RefusesAFolderOfSomebodyElse) {
  make_folder("dev/sub");
  folder_.write("dev/sub/thesis.txt", "precious\n");
  for (const char* options : {"--members 1 --detach", "--lease soon", "stop", "status", "kill 1"})
    EXPECT_EQ(run(std::string("dev ") + options).exit_code, 2) << options;
  expect_refused("dev --members 1 --detach", "dev is not empty, and not the folder of a local");
  folder_.write("dev/members", "m1 of the choir\n");  // not such a list as ours
  expect_refused("dev --members 1 --detach", "is not empty");
  EXPECT_EQ(folder_.read("dev/sub/thesis.txt"), "precious\n");
  EXPECT_EQ(folder_.read("dev/members"), "m1 of the choir\n");
  EXPECT_FALSE(folder_.has("dev/m1.toml"));
}

TEST_F(DevCommand, RefusesAFileInThePlaceOfItsFolder) {
  folder_.write("dev", "precious\n");
  expect_refused("dev --members 1 --detach", "dev is no folder");
  EXPECT_EQ(folder_.read("dev"), "precious\n");
}

TEST_F(DevCommand, RemovesOnlyWhatIsItsOwn) {
  make_folder("dev");
  ASSERT_EQ(run("dev --members 1 --detach").exit_code, 0);
  folder_.write("dev/notes.txt", "precious\n");
  make_folder("dev/m2.data");  // there is no such member
  ASSERT_EQ(run("dev kill 1").exit_code, 0);
  EXPECT_EQ(run("dev --members 1 --detach").exit_code, 0);  // over what the dead one has left
  EXPECT_EQ(folder_.read("dev/notes.txt"), "precious\n");
  EXPECT_EQ(run("dev stop").exit_code, 0);
  EXPECT_EQ(folder_.read("dev/notes.txt"), "precious\n");
  EXPECT_TRUE(folder_.has("dev/m2.data"));
  for (const char* own : {"members", "m1.toml", "m1.data", "m1.log", "m1.pid", "ports.pid"})
    EXPECT_FALSE(folder_.has(std::string("dev/") + own)) << own;
}

TEST_F(DevCommand, LeavesNoFolderBehind) {
  ASSERT_EQ(run("dev --members 1 --detach").exit_code, 0);
  EXPECT_EQ(run("dev stop").exit_code, 0);
  EXPECT_FALSE(folder_.has("dev"));
}

TEST_F(DevCommand, BadInputIsRefusedBeforeAnythingIsStarted) {
  expect_refused("dev --lease 0s --detach", "--lease must be more than 0");
  expect_refused("dev --lease soon --detach", "--lease: \"soon\" is no time");
  expect_refused("dev --members 3 --system grid:rows=2,cols=2 --detach",
                 "for 4 members; there are 3");
  expect_refused("dev --system majority:n=100 --detach", "at most 99");
  expect_refused("dev --system cohorts:k=2,sizes=2/3/3 --detach", "must be an ordinary coterie");
  EXPECT_FALSE(folder_.has("dev"));
}

TEST_F(DevCommand, ThereAreAsManyMembersAsTheSystemHas) {
  const Outcome started = run("dev --system grid:rows=2,cols=2 --detach");
  ASSERT_EQ(started.exit_code, 0) << started.err;
  expect_plain(started, "dev");
  EXPECT_THAT(started.out, HasSubstr("A cluster of 4 members runs"));
}

TEST_F(DevCommand, OfOneMemberItSpeaksAsOfOne) {
  const Outcome started = run("dev --members 1 --detach");
  EXPECT_THAT(started.out,
              AllOf(HasSubstr("A cluster of 1 member runs"), HasSubstr("coterie dev kill 1  ")));
}

TEST_F(DevCommand, WhatIsSoAlreadyIsRefused) {
  ASSERT_EQ(run("dev --members 2 --detach").exit_code, 0);
  expect_refused("dev start 1", "member m1 runs already");
  expect_refused("dev resume 1", "member m1 is not paused");
  EXPECT_EQ(run("dev pause 1").exit_code, 0);
  expect_refused("dev pause 1", "member m1 is paused already");
  EXPECT_EQ(run("dev resume 1").out, "m1 goes on.\n");
  EXPECT_EQ(run("dev kill 1").exit_code, 0);
  for (const char* order : {"kill 1", "pause 1", "resume 1"})
    expect_refused(std::string("dev ") + order, "member m1 does not run");
  const Outcome started = run("dev start 1");
  EXPECT_EQ(started.exit_code, 0);
  expect_plain(started, "dev start 1");
}

// Nothing is known of names then, and where to go on is said as `coterie mutex` says it.
TEST_F(DevCommand, StatusOfADeadClusterSaysWhereToGoOn) {
  ASSERT_EQ(run("dev --members 1 --detach").exit_code, 0);
  ASSERT_EQ(run("dev kill 1").exit_code, 0);
  const std::string hint = "--members tells where they are, `coterie dev` starts some here\n";
  const Outcome status = run("status");
  EXPECT_EQ(status.exit_code, 69);
  EXPECT_THAT(status.out, AllOf(HasSubstr("no answer"), HasSubstr("\n" + hint)));
  EXPECT_THAT(status.out, Not(HasSubstr("no names")));
  EXPECT_THAT(run("mutex x -- true").err, HasSubstr(hint));
}

TEST_F(DevCommand, AMisspeltCommandIsGuessed) {
  EXPECT_THAT(run("mutx x -- true").err, HasSubstr("'mutx'; did you mean mutex? there are: dev, "));
  EXPECT_THAT(run("dev kil 1").err, HasSubstr("'kil'; did you mean kill? "));
  EXPECT_THAT(run("elephant").err, HasSubstr("there is no command 'elephant'; there are: dev, "));
}

}  // namespace
}  // namespace coterie::cli
