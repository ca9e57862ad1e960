// Real members that are killed and paused, and their clients, which go on at another one with what they hold.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <string>
#include <thread>

#include "cli/command.h"
#include "cli/serving.h"
#include "coterie/client.h"

namespace coterie::cli {
namespace {

using namespace std::chrono_literals;

constexpr auto kLongest = 1'500ms;  // that a hold lasts without a word of anybody

class Moving : public ::testing::Test {
 protected:
  Moving() {
    serving_.start_all();
    EXPECT_TRUE(serving_.is_ready()) << serving_.log(0);
  }
  // Of the first member, as long as that lives.
  Client connect(const std::string& label) {
    auto client =
        Client::connect({.addresses = serving_.addresses(), .is_in_order = true, .label = label});
    EXPECT_TRUE(client) << client.error().text;
    return *std::move(client);
  }
  // How many holds its member has adopted.
  static std::uint64_t adopted(Client& client) {
    const auto survey = client.survey();
    if (!survey) return 0;
    const auto count = std::find_if(survey->counts.begin(), survey->counts.end(),
                                    [](const auto& one) { return one.first == "adopted"; });
    return count != survey->counts.end() ? count->second : 0;
  }

  Folder folder_;
  Serving serving_{folder_, {.lease = "1s"}};
};

TEST_F(Moving, HoldsOutliveTheirMember) {
  Client client = connect("mover");
  auto mutex = client.mutex("m");
  auto room = client.room("r", {"x", "y"});
  auto alone = client.write("w");
  ASSERT_TRUE(mutex && room && alone);
  ASSERT_EQ(client.member(), "a");
  const auto killed = Clock::now();
  serving_.signal(0, SIGKILL);
  ASSERT_TRUE(comes_true([&] { return adopted(client) == 3; }));
  const auto pause = std::chrono::duration_cast<std::chrono::microseconds>(Clock::now() - killed);
  RecordProperty("pause_us", std::to_string(pause.count()));

  Client other = connect("other");
  EXPECT_FALSE(other.mutex("m", Patience::try_once()));
  std::this_thread::sleep_for(kLongest);
  for (const auto* hold : {&mutex, &room, &alone}) {
    EXPECT_TRUE((*hold)->is_valid());
    EXPECT_FALSE((*hold)->lost().stop_requested());
  }
  EXPECT_FALSE(other.room("r", {"z"}, Patience::try_once()));
  EXPECT_FALSE(other.read("w", Patience::try_once()));
  const std::uint64_t token = mutex->token();
  EXPECT_TRUE(mutex->release());
  const auto next = other.mutex("m", Patience::at_most(10s));
  ASSERT_TRUE(next) << next.error().text;
  EXPECT_GT(next->token(), token);
}

TEST_F(Moving, HoldsOutliveAMemberThatHangs) {
  Client client = connect("mover");
  auto hold = client.mutex("m");
  ASSERT_TRUE(hold);
  serving_.signal(0, SIGSTOP);
  ASSERT_TRUE(comes_true([&] { return client.member() == "b"; }));
  std::this_thread::sleep_for(kLongest);
  EXPECT_TRUE(hold->is_valid());
  serving_.signal(0, SIGCONT);  // it wakes up to a past in which it had let us in
  Client other = connect("other");
  EXPECT_FALSE(other.mutex("m", Patience::at_most(kLongest)));
  EXPECT_TRUE(hold->is_valid());
}

// As when the members are upgraded, one after the other.
TEST_F(Moving, HoldsOutliveAMemberThatIsStopped) {
  Client client = connect("mover");
  auto mutex = client.mutex("m");
  auto slot = client.acquire(Request::semaphore("s", 1));
  ASSERT_TRUE(mutex && slot);
  serving_.signal(0, SIGTERM);
  EXPECT_EQ(serving_.wait(0), 0);
  EXPECT_EQ(adopted(client), 2U);
  Client other = connect("other");
  EXPECT_FALSE(other.mutex("m", Patience::at_most(kLongest)));
  EXPECT_FALSE(other.acquire(Request::semaphore("s", 1, Patience::try_once())));
  EXPECT_TRUE(mutex->is_valid() && slot->is_valid());
  EXPECT_FALSE(mutex->lost().stop_requested() || slot->lost().stop_requested());
  EXPECT_TRUE(mutex->release() && slot->release());
  EXPECT_TRUE(other.mutex("m", Patience::at_most(10s)));
  EXPECT_TRUE(other.acquire(Request::semaphore("s", 1, Patience::at_most(10s))));
}

// As when a member died while it was being written down. Here two of three have lost their disks; which two have written
// down what depends on the name.
TEST_F(Moving, WhatTooFewHaveIsClearedForItsOwner) {
  const std::string members = " --members " + serving_.list();
  const std::vector<std::string> names = {"db-a", "db-b", "db-c", "db-d", "db-e", "db-f"};
  for (const std::string& name : names)
    ASSERT_EQ(folder_.run("hold mutex " + name + " --as me" + members).exit_code, 0);
  for (std::size_t member = 0; member < 3; ++member) {
    serving_.signal(member, SIGKILL);
    serving_.wait(member);
  }
  for (const char* const data : {"/b.data", "/c.data"})
    ASSERT_GT(std::filesystem::remove_all(folder_.path() + data), 0U);
  serving_.start(0);
  serving_.start(1, {"--new-cluster"});
  serving_.start(2, {"--new-cluster"});
  ASSERT_TRUE(serving_.is_ready());
  const auto left = std::find_if(names.begin(), names.end(), [&](const std::string& name) {
    return folder_.run("status " + name + members).out.find("too few members have it") !=
           std::string::npos;
  });
  ASSERT_NE(left, names.end());
  const Outcome held = folder_.run("hold mutex " + *left + " --as me" + members);
  EXPECT_EQ(held.exit_code, 0) << held.err;
  EXPECT_EQ(folder_.run("hold mutex " + *left + " --as you --try" + members).exit_code, 75);
  EXPECT_EQ(folder_.run("release " + *left + " --as me" + members).exit_code, 0);
  EXPECT_EQ(folder_.run("hold mutex " + *left + " --as you" + members).exit_code, 0);
}

TEST_F(Moving, TheCommandGoesOn) {
  folder_.write("script.sh", "kill -9 " + std::to_string(serving_.process(0)) +
                                 "\ntrap 'exit 5' TERM\nsleep 1.5\nexit 4\n");
  const Outcome outcome =
      folder_.run("mutex m --in-order --members " + serving_.list() + " -- sh script.sh");
  EXPECT_EQ(outcome.exit_code, 4) << outcome.err;
  EXPECT_EQ(outcome.err, "");
}

}  // namespace
}  // namespace coterie::cli
