// A rolling restart of ten servers that never stops, through a real cluster whose members are killed and started again.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <csignal>
#include <functional>
#include <latch>
#include <numeric>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "cli/command.h"
#include "cli/serving.h"
#include "coterie/client.h"

namespace coterie::cli {
namespace {

using namespace std::chrono_literals;

constexpr std::size_t kServers = 10;
constexpr int kFloor = 7;

class Fleet {
 public:
  explicit Fleet(std::vector<std::string> addresses)
      : addresses_(std::move(addresses)), restarts_(kServers) {
    for (std::size_t i = 0; i < kServers; ++i) servers_.emplace_back([this, i] { serve(i); });
  }
  // Every server has restarted since.
  bool goes_on() const {
    const std::vector<int> before(restarts_.begin(), restarts_.end());
    return comes_true(
        [&] { return std::equal(before.begin(), before.end(), restarts_.begin(), std::less<>()); });
  }
  void stop() {
    is_over_ = true;
    servers_.clear();
  }
  // As the servers themselves saw it.
  int fewest() const { return fewest_; }
  int all() const { return std::accumulate(restarts_.begin(), restarts_.end(), 0); }

 private:
  // Each prefers another member, and is up before it enters and until it has left.
  void serve(std::size_t number) {
    Options options;
    options.addresses = addresses_;
    options.is_in_order = true;
    std::rotate(options.addresses.begin(),
                options.addresses.begin() + static_cast<std::ptrdiff_t>(number % addresses_.size()),
                options.addresses.end());
    options.timeout = 5s;
    auto client = Client::connect(options);
    ASSERT_TRUE(client) << client.error().text;
    const Request place = Request::band("web", "web-" + std::to_string(number), kFloor,
                                        Kind::kNoMax, Patience::at_most(1s));
    std::optional<Hold> hold;
    ++up_;
    for (bool is_first = true; !is_over_; is_first = false) {
      while (!hold && !is_over_) {
        if (auto entered = client->acquire(place)) hold.emplace(*std::move(entered));
      }
      if (is_first) all_are_up_.arrive_and_wait();
      if (!hold) return;
      const auto left = hold->leave(Patience::at_most(1s));
      if (left) restart(number);
      // Who has lost its hold goes on serving, and enters again.
      if (left || left.error().reason == Reason::lost) hold.reset();
    }
  }

  void restart(std::size_t number) {
    const int up = --up_;
    for (int seen = fewest_; up < seen && !fewest_.compare_exchange_weak(seen, up);) continue;
    std::this_thread::sleep_for(1ms);
    ++up_;
    ++restarts_[number];
  }

  std::vector<std::string> addresses_;
  std::atomic<bool> is_over_ = false;
  std::latch all_are_up_{kServers};
  std::atomic<int> up_ = 0;
  std::atomic<int> fewest_ = kServers;
  std::vector<std::atomic<int>> restarts_;
  std::vector<std::jthread> servers_;
};

TEST(RollingRestart, KeepsTheFloorWhileMembersAreKilledAndStarted) {
  const Folder folder;
  Serving serving(folder, {});
  serving.start_all();
  ASSERT_TRUE(serving.is_ready()) << serving.log(0);
  Fleet fleet(serving.addresses());
  EXPECT_TRUE(fleet.goes_on());
  for (const std::size_t member : {0U, 1U}) {
    serving.signal(member, SIGKILL);
    serving.wait(member);
    EXPECT_TRUE(fleet.goes_on()) << "without " << member;
    serving.start(member);
    EXPECT_TRUE(serving.is_ready()) << serving.log(member);
    EXPECT_TRUE(fleet.goes_on()) << "with " << member;
  }
  fleet.stop();
  EXPECT_GE(fleet.fewest(), kFloor);
  RecordProperty("restarts", fleet.all());
}

}  // namespace
}  // namespace coterie::cli
