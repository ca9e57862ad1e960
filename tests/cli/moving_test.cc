// Real members that are killed and paused, and their clients, which go on at another one with what they hold.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <string>
#include <thread>

#include "base/pack.h"
#include "cli/command.h"
#include "cli/serving.h"
#include "coterie/client.h"
#include "member/lasting.h"
#include "net/store.h"

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
  // How often that has happened to its member.
  static std::uint64_t count(Client& client, const std::string& what) {
    const auto survey = client.survey();
    if (!survey) return 0;
    const auto found = std::find_if(survey->counts.begin(), survey->counts.end(),
                                    [&](const auto& one) { return one.first == what; });
    return found != survey->counts.end() ? found->second : 0;
  }
  static std::uint64_t adopted(Client& client) { return count(client, "adopted"); }
  // Other members than the first know the secrets of so many holds: from then on these outlive it.
  bool are_known(std::uint64_t holds) {
    std::vector<Client> others;
    for (std::size_t i = 1; i < serving_.addresses().size(); ++i)
      others.push_back(
          *Client::connect({.addresses = {serving_.addresses()[i]}, .label = "looks"}));
    return comes_true([&] {
      std::uint64_t known = 0;
      for (Client& other : others) known += count(other, "keyed");
      return known >= holds;
    });
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
  ASSERT_TRUE(are_known(3));
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
  ASSERT_TRUE(are_known(1));
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

// As when a member died while it was being written down.
TEST_F(Moving, WhatTooFewHaveIsClearedForItsOwner) {
  const std::string members = " --members " + serving_.list();
  serving_.signal(0, SIGKILL);
  serving_.wait(0);
  {
    auto store = net::Store::open(folder_.path() + "/a.data");
    ASSERT_TRUE(store) << store.error().message;
    member::Keepsake keepsake;
    keepsake.lastings.push_back({"me", 7, ""});
    for (int copy = 0; copy < 2; ++copy) ASSERT_FALSE(store->keep("db", packed(keepsake)));
  }
  serving_.start(0);
  ASSERT_TRUE(serving_.is_ready());
  EXPECT_THAT(folder_.run("status db" + members).out,
              ::testing::HasSubstr("too few members have it"));
  const Outcome held = folder_.run("hold mutex db --as me" + members);
  EXPECT_EQ(held.exit_code, 0) << held.err;
  EXPECT_EQ(folder_.run("hold mutex db --as you --try" + members).exit_code, 75);
  EXPECT_EQ(folder_.run("release db --as me" + members).exit_code, 0);
  EXPECT_EQ(folder_.run("hold mutex db --as you" + members).exit_code, 0);
}

// Whichever is down: one of those that have it is enough.
TEST_F(Moving, AnOwnerFindsWhatItHasWhileAMemberIsDown) {
  const std::string hold = "hold mutex db --as me --members " + serving_.list();
  const std::string token = folder_.run(hold).out;
  for (std::size_t member = 0; member < 3; ++member) {
    serving_.signal(member, SIGKILL);
    serving_.wait(member);
    const Outcome again = folder_.run(hold);
    EXPECT_EQ(again.exit_code, 0) << member << ": " << again.err;
    EXPECT_EQ(again.out, token) << member;
    serving_.start(member);
    ASSERT_TRUE(serving_.is_ready());
  }
}

TEST_F(Moving, TheCommandGoesOn) {
  // By then the hold is many times as old as it must be for other members to know it.
  folder_.write("script.sh", "sleep 1\nkill -9 " + std::to_string(serving_.process(0)) +
                                 "\ntrap 'exit 5' TERM\nsleep 1.5\nexit 4\n");
  const Outcome outcome =
      folder_.run("mutex m --in-order --members " + serving_.list() + " -- sh script.sh");
  EXPECT_EQ(outcome.exit_code, 4) << outcome.err;
  EXPECT_EQ(outcome.err, "");
}

}  // namespace
}  // namespace coterie::cli
