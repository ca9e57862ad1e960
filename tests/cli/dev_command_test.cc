// `coterie dev`: what it makes, what it refuses, and that it touches nothing that is not its own.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
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

// What it says of addresses, and of processes to end, could be another user's.
TEST_F(DevCommand, TrustsNoFolderThatOthersHaveRightsTo) {
  ASSERT_EQ(run("dev --members 1 --detach").exit_code, 0);
  const std::string dev = folder_.path() + "/dev";
  std::filesystem::permissions(dev, std::filesystem::perms(0777));
  for (const char* line : {"dev status", "dev kill 1", "dev stop", "dev --members 1 --detach",
                           "mutex m --wait 0s -- true", "status"})
    expect_refused(line, "other users have rights to dev (mode 0777)");
  std::filesystem::permissions(dev, std::filesystem::perms(0700));
  EXPECT_THAT(run("dev status").out, HasSubstr("runs"));
  if (::geteuid() != 0) return;  // others cannot give a folder away
  ASSERT_EQ(::chown(dev.c_str(), 12'345, 12'345), 0);
  for (const char* line : {"dev status", "dev kill 1", "dev stop", "mutex m --wait 0s -- true"})
    expect_refused(line, "dev belongs to another user (number 12345), and is not trusted");
  ASSERT_EQ(::chown(dev.c_str(), 0, 0), 0);
}

TEST_F(DevCommand, FollowsNoSymbolicLink) {
  make_folder("elsewhere");
  std::filesystem::create_symlink("elsewhere", folder_.path() + "/dev");
  expect_refused("dev --members 1 --detach", "dev is a symbolic link, and is not followed");
  ::setenv("COTERIE_DEV", "dev/", 1);
  expect_refused("dev --members 1 --detach", "dev is a symbolic link, and is not followed");
  ::setenv("COTERIE_DEV", "dev", 1);
  std::filesystem::remove(folder_.path() + "/dev");
  EXPECT_FALSE(folder_.has("elsewhere/members"));
  // Nor one in it, to where somebody wants a log to be written.
  ASSERT_EQ(run("dev --members 1 --detach").exit_code, 0);
  ASSERT_EQ(run("dev kill 1").exit_code, 0);
  folder_.write("precious", "precious\n");
  std::filesystem::remove(folder_.path() + "/dev/m1.log");
  std::filesystem::create_symlink(folder_.path() + "/precious", folder_.path() + "/dev/m1.log");
  run("dev start 1");
  run("dev stop");
  EXPECT_EQ(folder_.read("precious"), "precious\n");
}

// The number of a process is given to another when the first has ended, and anybody can write one down.
TEST_F(DevCommand, EndsNoProcessThatIsNotProvedToBeItsOwn) {
  ASSERT_EQ(run("dev --members 1 --detach").exit_code, 0);
  const std::string own = folder_.read("dev/m1.pid");
  const pid_t bystander = ::fork();
  if (bystander == 0) {
    ::execlp("sleep", "sleep", "600", nullptr);
    ::_exit(127);
  }
  std::istringstream words(own);
  std::string number, began, machine, program;
  words >> number >> began >> machine;
  std::getline(words, program);
  std::ifstream stat("/proc/" + std::to_string(bystander) + "/stat");
  std::string its_began;
  for (int i = 0; i < 22; ++i) stat >> its_began;
  const std::string its_number = std::to_string(bystander);
  const std::string notes[] = {its_number + " " + began + " " + machine + program + "\n",
                               its_number + " " + its_began + "\n",
                               its_number + " " + its_began + " " + machine + program + "\n",
                               its_number + " " + its_began + " another-start" + program + "\n",
                               "1 " + began + " " + machine + program + "\n",
                               "-1\n",
                               ""};
  for (const std::string& note : notes) {
    folder_.write("dev/m1.pid", note);
    expect_refused("dev kill 1", "member m1 does not run");
    EXPECT_EQ(::kill(bystander, 0), 0) << note;
    EXPECT_EQ(::waitpid(bystander, nullptr, WNOHANG), 0) << note;
  }
  ::kill(bystander, SIGKILL);
  ::waitpid(bystander, nullptr, 0);
  folder_.write("dev/m1.pid", own);
  EXPECT_EQ(run("dev kill 1").exit_code, 0);
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
