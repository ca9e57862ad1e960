#include "cli/crowd.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <utility>

namespace coterie::cli {

using namespace std::chrono_literals;

void Witness::add(Stay stay) {
  const std::lock_guard guard(mutex_);
  stays_.push_back(std::move(stay));
}

void Witness::judge() {
  std::sort(stays_.begin(), stays_.end(),
            [](const Stay& a, const Stay& b) { return a.from < b.from; });
  for (std::size_t i = 0; i < stays_.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      const Stay& before = stays_[j];
      const Stay& after = stays_[i];
      if (before.name != after.name || before.group == after.group) continue;
      ASSERT_LE(before.to, after.from) << before.name << ' ' << before.token << ' ' << after.token;
      ASSERT_LT(before.token, after.token) << before.name;
    }
  }
}

Crowd::Crowd(std::vector<std::string> addresses, std::size_t clients)
    : addresses_(std::move(addresses)), entries_(clients) {
  for (std::size_t i = 0; i < clients; ++i) clients_.emplace_back([this, i] { be_client(i); });
}

// A mutex, or a room with a group of two.
void Crowd::be_client(std::size_t number) {
  Options options;
  options.addresses = addresses_;
  options.is_in_order = true;
  std::rotate(options.addresses.begin(),
              options.addresses.begin() + static_cast<std::ptrdiff_t>(number % addresses_.size()),
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

void Crowd::wait_for_everybody(std::optional<std::size_t> except) {
  std::vector<std::uint64_t> before(entries_.begin(), entries_.end());
  const auto end = Clock::now() + 60s;
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    if (except && i % addresses_.size() == *except) continue;
    while (entries_[i] == before[i]) {
      ASSERT_LT(Clock::now(), end) << "client " << i << " does not enter";
      std::this_thread::sleep_for(5ms);
    }
  }
}

void Crowd::finish() {
  is_over_ = true;
  clients_.clear();
  witness_.judge();
  EXPECT_GT(witness_.size(), entries_.size());
  Options options;
  options.addresses = addresses_;
  auto client = Client::connect(options);
  ASSERT_TRUE(client) << client.error().text;
  EXPECT_TRUE(client->mutex("mutex", Patience::at_most(20s)));
  EXPECT_TRUE(client->write("room", Patience::at_most(20s)));
}

}  // namespace coterie::cli
