// A real cluster of real processes that are killed and paused, and clients that write down what they did while
// they believed that they were inside.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <mutex>
#include <optional>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "cli/command.h"
#include "coterie/client.h"

namespace coterie::cli {
namespace {

using namespace std::chrono_literals;

constexpr auto kLease = 500ms;
constexpr std::size_t kMembers = 3;
constexpr std::size_t kClients = 6;

// An entry, from when the client was told until it left, or could believe no longer.
struct Stay {
  std::string name;
  std::string group;  // its own, for a mutex
  std::uint64_t token = 0;
  Clock::time_point from;
  Clock::time_point to;
};

// What the critical sections saw.
class Witness {
 public:
  void add(Stay stay) {
    const std::lock_guard guard(mutex_);
    stays_.push_back(std::move(stay));
  }
  // No two that conflict overlap, and each has a greater token than those before it.
  void judge() {
    std::sort(stays_.begin(), stays_.end(),
              [](const Stay& a, const Stay& b) { return a.from < b.from; });
    for (std::size_t i = 0; i < stays_.size(); ++i) {
      for (std::size_t j = 0; j < i; ++j) {
        const Stay& before = stays_[j];
        const Stay& after = stays_[i];
        if (before.name != after.name || before.group == after.group) continue;
        ASSERT_LE(before.to, after.from)
            << before.name << ' ' << before.token << ' ' << after.token;
        ASSERT_LT(before.token, after.token) << before.name;
      }
    }
  }
  std::size_t size() const { return stays_.size(); }

 private:
  std::mutex mutex_;
  std::vector<Stay> stays_;
};

class LiveCluster : public ::testing::Test {
 protected:
  LiveCluster() {
    ::setenv("COTERIE_DEV", "dev", 1);  // in the folder that each command runs in
    const Outcome started =
        folder_.run("dev --members " + std::to_string(kMembers) + " --lease 500ms --detach");
    EXPECT_EQ(started.exit_code, 0) << started.err;
    std::istringstream lines(folder_.read("dev/members"));
    std::string name;
    std::string address;
    while (lines >> name >> address) addresses_.push_back(address);
  }
  ~LiveCluster() override {
    folder_.run("dev stop");
    ::unsetenv("COTERIE_DEV");
  }

  // Enters and leaves until it is told to stop: a mutex, or a room with a group of two.
  void be_client(std::size_t number) {
    Options options;
    options.addresses = addresses_;
    std::rotate(options.addresses.begin(),
                options.addresses.begin() + static_cast<std::ptrdiff_t>(number % kMembers),
                options.addresses.end());
    options.label = "client " + std::to_string(number);
    options.timeout = 5s;
    std::optional<Client> client;
    while (!is_over_) {
      if (!client) {
        auto made = Client::connect(options);
        if (!made) continue;
        client.emplace(std::move(*made));
      }
      const bool is_room = number % 2 == 0;
      auto hold = is_room ? client->room("room", {"group " + std::to_string(number % 4)},
                                         Patience::at_most(2s))
                          : client->mutex("mutex", Patience::at_most(2s));
      if (!hold) continue;
      Stay stay{
          hold->name(), is_room ? hold->group() : options.label, hold->token(), Clock::now(), {}};
      if (!hold->is_valid()) continue;
      std::this_thread::sleep_for(1ms);  // the critical section
      stay.to = std::min(Clock::now(), hold->valid_until());
      witness_.add(stay);
      ++entries_[number];
    }
  }
  // Every client has entered since, whatever happened before.
  void wait_for_everybody() {
    std::vector<std::uint64_t> before(entries_.begin(), entries_.end());
    const auto end = Clock::now() + 60s;
    for (std::size_t i = 0; i < kClients; ++i) {
      while (entries_[i] == before[i]) {
        ASSERT_LT(Clock::now(), end) << "client " << i << " does not enter";
        std::this_thread::sleep_for(5ms);
      }
    }
  }
  void dev(const std::string& arguments) {
    const Outcome outcome = folder_.run("dev " + arguments);
    EXPECT_EQ(outcome.exit_code, 0) << arguments << ": " << outcome.err;
  }

  Folder folder_;
  std::vector<std::string> addresses_;
  Witness witness_;
  std::atomic<bool> is_over_ = false;
  std::vector<std::atomic<std::uint64_t>> entries_ =
      std::vector<std::atomic<std::uint64_t>>(kClients);
};

TEST_F(LiveCluster, KeepsItsPromisesWhileMembersAreKilledAndPaused) {
  ASSERT_EQ(addresses_.size(), kMembers);
  std::vector<std::jthread> clients;
  for (std::size_t i = 0; i < kClients; ++i) clients.emplace_back([this, i] { be_client(i); });
  wait_for_everybody();
  for (const std::string member : {"1", "2"}) {
    dev("kill " + member);
    wait_for_everybody();
    dev("start " + member);
    std::this_thread::sleep_for(2 * kLease);  // of its silence
    wait_for_everybody();
    dev("pause 3");
    std::this_thread::sleep_for(3 * kLease);  // so that it wakes up to a past
    wait_for_everybody();
    dev("resume 3");
    wait_for_everybody();
  }
  is_over_ = true;
  clients.clear();
  witness_.judge();
  EXPECT_GT(witness_.size(), kClients);

  // Nothing is left locked: a newcomer enters both.
  Options options;
  options.addresses = addresses_;
  auto client = Client::connect(options);
  ASSERT_TRUE(client) << client.error().text;
  EXPECT_TRUE(client->mutex("mutex", Patience::at_most(20s)));
  EXPECT_TRUE(client->write("room", Patience::at_most(20s)));
}

}  // namespace
}  // namespace coterie::cli
