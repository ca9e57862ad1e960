// Members in this process, on real sockets: what their clients are promised.
#include "coterie/embedded.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <filesystem>
#include <mutex>
#include <set>
#include <thread>

namespace coterie {
namespace {

using namespace std::chrono_literals;
using ::testing::HasSubstr;
using ::testing::MatchesRegex;

// Ports that nobody uses now.
std::vector<std::uint16_t> free_ports(std::size_t count) {
  using boost::asio::ip::tcp;
  boost::asio::io_context io;
  std::vector<tcp::acceptor> acceptors;
  std::vector<std::uint16_t> ports;
  for (std::size_t i = 0; i < count; ++i) {
    acceptors.emplace_back(io, tcp::endpoint(boost::asio::ip::address_v4::loopback(), 0));
    ports.push_back(acceptors.back().local_endpoint().port());
  }
  return ports;
}

// A cluster of three, which lasts for one test.
class Embedded : public testing::Test {
 protected:
  void start(std::chrono::milliseconds lease) {
    MemberSettings settings;
    settings.lease = lease;
    for (const std::uint16_t port : free_ports(3))
      settings.members.emplace_back("m" + std::to_string(settings.members.size()),
                                    "127.0.0.1:" + std::to_string(port));
    for (const auto& [name, address] : settings.members) {
      settings.name = name;
      settings.data = (folder_ / name).string();
      auto member = EmbeddedMember::start(settings, {.is_new_cluster = true});
      ASSERT_TRUE(member) << member.error().text;
      members_.push_back(*std::move(member));
    }
    for (std::size_t member = 0; member < members_.size(); ++member) {
      while (!reaches_all(member)) std::this_thread::sleep_for(5ms);
    }
  }
  bool reaches_all(std::size_t member) {
    const Survey survey = client(member).survey().value();
    return std::all_of(survey.peers.begin(), survey.peers.end(),
                       [](const Survey::Peer& peer) { return peer.is_up; });
  }
  void SetUp() override {
    std::string folder = (std::filesystem::temp_directory_path() / "embedded-XXXXXX").string();
    ASSERT_NE(::mkdtemp(folder.data()), nullptr);
    folder_ = folder;
    start(2'000ms);
  }
  void TearDown() override {
    members_.clear();
    std::filesystem::remove_all(folder_);
  }
  Client client(std::size_t member) { return members_[member].client("c").value(); }
  // Leaves it where it can be taken again.
  static std::uint64_t pass_through(Client& client, const std::string& name) {
    const auto hold = client.mutex(name);
    return hold.value().token();
  }

  std::filesystem::path folder_;
  std::vector<EmbeddedMember> members_;
};

TEST_F(Embedded, EntersAgainWithAGreaterToken) {
  Client here = client(0);
  std::uint64_t last = 0;
  for (int entry = 0; entry < 1'000; ++entry) {
    auto hold = here.mutex("m");
    ASSERT_TRUE(hold) << hold.error().text;
    EXPECT_GT(hold->token(), last);
    EXPECT_TRUE(hold->is_valid());
    EXPECT_GT(hold->valid_until(), Clock::now());
    last = hold->token();
    EXPECT_TRUE(hold->release());
    EXPECT_FALSE(hold->is_valid());
  }
}

// Whoever drops a hold and asks at once is faster than its member, which lends it after that.
TEST_F(Embedded, WhoAsksAtOnceHasTheLoanAllTheSame) {
  Client here = client(0);
  for (int entry = 0; entry < 20'000; ++entry) pass_through(here, "m");
  std::uint64_t asked = 0;
  for (const auto& [what, times] : here.survey().value().counts) {
    if (what.starts_with("entered")) asked += times;
  }
  EXPECT_LT(asked, 2'000U);
}

TEST_F(Embedded, WhatItHasLeftOthersGet) {
  Client here = client(0);
  Client beside = client(0);
  Client there = client(1);
  std::uint64_t last = pass_through(here, "m");
  for (int turn = 0; turn < 20; ++turn) {
    for (Client* const next : {&beside, &here, &there, &here}) {
      for (int entry = 0; entry < turn % 3 + 1; ++entry) {
        const std::uint64_t token = pass_through(*next, "m");
        EXPECT_GT(token, last);
        last = token;
      }
    }
  }
}

TEST_F(Embedded, WhatItHasEnteredAgainOthersDoNotGet) {
  Client here = client(0);
  Client beside = client(0);
  Client there = client(1);
  pass_through(here, "m");
  EXPECT_TRUE(beside.mutex("m", Patience::try_once())) << "nobody is inside";
  pass_through(here, "m");
  auto hold = here.mutex("m");
  ASSERT_TRUE(hold);
  for (Client* const other : {&beside, &there}) {
    const auto tried = other->mutex("m", Patience::try_once());
    ASSERT_FALSE(tried);
    EXPECT_EQ(tried.error().reason, Reason::would_wait);
  }
  const auto again = here.mutex("m");
  ASSERT_FALSE(again);
  EXPECT_EQ(again.error().reason, Reason::held_already);
  EXPECT_TRUE(hold->is_valid());

  std::stop_source cancel;
  std::thread canceller([&] { cancel.request_stop(); });
  const auto cancelled = there.mutex("m", Patience::forever(), cancel.get_token());
  canceller.join();
  ASSERT_FALSE(cancelled);
  EXPECT_EQ(cancelled.error().reason, Reason::cancelled);
  const auto timed_out = there.mutex("m", Patience::at_most(10ms));
  ASSERT_FALSE(timed_out);
  EXPECT_EQ(timed_out.error().reason, Reason::timed_out);

  EXPECT_TRUE(hold->release());
  EXPECT_TRUE(there.mutex("m"));
}

TEST_F(Embedded, StatusTellsWhatIsUsedFromWhatIsOnlyKept) {
  Client here = client(0);
  Client there = client(1);
  pass_through(here, "m");
  EXPECT_TRUE(there.status("m").value().holders.empty());
  pass_through(here, "m");
  auto hold = here.mutex("m");
  const Status status = there.status("m").value();
  EXPECT_TRUE(status.dark.empty());
  ASSERT_EQ(status.holders.size(), 1U);
  EXPECT_EQ(status.holders[0].client, "c");
  EXPECT_EQ(status.holders[0].token, hold.value().token());
  EXPECT_EQ(here.survey().value().member, members_[0].name());
}

TEST_F(Embedded, ConnectedClientsAndResidentsExcludeEachOther) {
  Client here = client(0);
  auto connected = Client::connect(
      {.addresses = {"127.0.0.1:" + std::to_string(members_[0].port())}, .label = "far"});
  ASSERT_TRUE(connected) << connected.error().text;
  const std::uint64_t token = pass_through(here, "m");
  auto hold = connected->mutex("m");
  ASSERT_TRUE(hold) << hold.error().text;
  EXPECT_GT(hold->token(), token);
  EXPECT_EQ(here.mutex("m", Patience::try_once()).error().reason, Reason::would_wait);
}

TEST_F(Embedded, RoomsAreShared) {
  Client here = client(0);
  Client there = client(1);
  auto first = here.read("r");
  auto second = there.read("r");
  ASSERT_TRUE(first && second);
  EXPECT_EQ(first->group(), "read");
  EXPECT_FALSE(here.write("r", Patience::try_once()));
}

TEST_F(Embedded, PlacesAreCounted) {
  Client here = client(0);
  Client beside = client(0);
  Client there = client(1);
  auto first = here.acquire(Request::semaphore("s", 2));
  auto second = there.acquire(Request::semaphore("s", 2));
  ASSERT_TRUE(first && second);
  EXPECT_EQ(beside.acquire(Request::semaphore("s", 2, Patience::try_once())).error().reason,
            Reason::would_wait);
  const Status status = here.status("s").value();
  EXPECT_EQ(status.kind + ", " + status.terms, "semaphore, at most 2");
  EXPECT_EQ(status.max, 2U);
  EXPECT_TRUE(first->release());
  EXPECT_TRUE(beside.acquire(Request::semaphore("s", 2)));
  EXPECT_EQ(beside.acquire(Request::semaphore("s", 3)).error().reason, Reason::mismatch);
  EXPECT_EQ(beside.acquire(Request::semaphore("t", 0)).error().reason, Reason::invalid);

  auto blue = here.acquire(Request::rooms("r", 2, {"blue"}));
  auto red = there.acquire(Request::rooms("r", 2, {"red"}));
  ASSERT_TRUE(blue && red);
  EXPECT_EQ(red->group(), "red");
  EXPECT_FALSE(beside.acquire(Request::rooms("r", 2, {"green"}, Patience::try_once())));
  EXPECT_TRUE(beside.acquire(Request::rooms("r", 2, {"blue"})));
}

// Once by a resident of a member, once by a connection.
TEST_F(Embedded, WhoMustStayStaysUntilItMayLeave) {
  auto connected = Client::connect(
      {.addresses = {"127.0.0.1:" + std::to_string(members_[0].port())}, .label = "far"});
  ASSERT_TRUE(connected) << connected.error().text;
  Client resident = client(0);
  Client there = client(1);
  Client third = client(2);
  for (Client* const leaver : {&resident, &*connected}) {
    auto hold = leaver->acquire(Request::band("web", "web-1", 2));
    auto other = there.acquire(Request::band("web", "web-2", 2));
    ASSERT_TRUE(hold && other);
    EXPECT_EQ(hold->group(), "web-1");
    EXPECT_EQ(hold->leave(Patience::try_once()).error().reason, Reason::must_stay);
    EXPECT_EQ(hold->leave(Patience::at_most(10ms)).error().reason, Reason::must_stay);
    std::stop_source cancel;
    std::thread canceller([&] { cancel.request_stop(); });
    EXPECT_EQ(hold->leave(Patience::forever(), cancel.get_token()).error().reason,
              Reason::cancelled);
    canceller.join();
    EXPECT_TRUE(hold->is_valid());

    std::atomic<bool> has_left = false;
    std::thread leaves([&] { has_left = hold->release().has_value(); });
    const auto is_leaving = [&] {
      const Status status = there.status("web").value();
      return std::any_of(status.holders.begin(), status.holders.end(), [](const auto& holder) {
        return holder.is_leaving &&
               holder.why.starts_with("2 inside, of whom at least 2 must stay");
      });
    };
    while (!is_leaving()) std::this_thread::sleep_for(1ms);
    EXPECT_TRUE(hold->is_valid());
    auto last = third.acquire(Request::band("web", "web-3", 2));
    leaves.join();
    EXPECT_TRUE(has_left);
    EXPECT_FALSE(hold->is_valid());
    // What is thrown away is out at once, whoever is left.
    last = Refusal{};
    other = Refusal{};
    while (!there.status("web").value().holders.empty()) std::this_thread::sleep_for(1ms);
  }
}

TEST_F(Embedded, WhatIsHeldForAnOwnerOutlivesTheClient) {
  const Request request = Request::mutex("m", Patience::at_most(10s));
  std::uint64_t token = 0;
  {
    Client here = client(0);
    const auto held = here.hold_for("db-1", request);
    ASSERT_TRUE(held) << held.error().text;
    token = held->token;
  }
  Client there = client(1);
  EXPECT_EQ(there.hold_for("db-1", request).value().token, token) << "it has it already";
  EXPECT_EQ(there.mutex("m", Patience::try_once()).error().reason, Reason::would_wait);
  const Status status = there.status("m").value();
  ASSERT_EQ(status.holders.size(), 1U);
  EXPECT_TRUE(status.holders[0].is_lasting);
  EXPECT_EQ(status.holders[0].client, "db-1");
  EXPECT_EQ(there.release_for("db-2", "m").error().reason, Reason::invalid);
  EXPECT_EQ(there.end_lasting("db-1", "m", token + 1).error().reason, Reason::invalid);
  EXPECT_TRUE(there.release_for("db-1", "m"));
  EXPECT_GT(there.mutex("m").value().token(), token);
}

// Where others have a place too, it would be let in a second time.
TEST_F(Embedded, AnOwnerHasOnePlace) {
  const Request request = Request::semaphore("s", 3, Patience::at_most(10s));
  std::vector<Client> clients;
  for (std::size_t member = 0; member < 3; ++member) clients.push_back(client(member));
  std::set<std::uint64_t> tokens;
  std::vector<std::thread> threads;
  threads.reserve(clients.size());
  std::mutex mutex;
  for (Client& one : clients) {
    threads.emplace_back([&] {
      const auto held = one.hold_for("db-1", request);
      const std::scoped_lock lock(mutex);
      tokens.insert(held ? held->token : 0);
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_THAT(tokens, ::testing::SizeIs(1));
  EXPECT_THAT(tokens, ::testing::Not(::testing::Contains(0)));
  EXPECT_EQ(clients[0].status("s").value().holders.size(), 1U);
  for (std::size_t member = 1; member < 3; ++member)
    EXPECT_EQ(clients[member]
                  .hold_for("db-1", Request::semaphore("s", 3, Patience::try_once()))
                  .value()
                  .token,
              *tokens.begin());
  const auto other = clients[1].hold_for("db-1", Request::mutex("s", Patience::try_once()));
  EXPECT_EQ(other.error().reason, Reason::mismatch);
  EXPECT_TRUE(clients[2].release_for("db-1", "s"));
  EXPECT_EQ(clients[1].release_for("db-2", "s").error().text, "db-2 has no hold of s that lasts");
}

TEST_F(Embedded, HoldsAreLostWithTheQuorum) {
  members_.clear();
  std::filesystem::remove_all(folder_);
  start(400ms);
  Client here = client(0);
  pass_through(here, "taken");
  auto taken = here.mutex("taken");
  auto held = here.mutex("held");
  ASSERT_TRUE(taken && held);
  std::atomic<int> told = 0;
  taken->on_lost([&](const std::string&) { ++told; });
  const std::stop_token lost = held->lost();
  members_.erase(members_.begin() + 1, members_.end());
  while (told == 0 || !lost.stop_requested()) std::this_thread::sleep_for(5ms);
  EXPECT_FALSE(taken->is_valid());
  EXPECT_FALSE(held->is_valid());
  const auto left = taken->release();
  ASSERT_FALSE(left);
  EXPECT_EQ(left.error().reason, Reason::lost);
  EXPECT_FALSE(here.mutex("taken", Patience::at_most(50ms))) << "a kept one is of no use either";
}

TEST_F(Embedded, WhoHoldsIsToldThatTheMemberStops) {
  Client here = client(0);
  pass_through(here, "taken");
  auto taken = here.mutex("taken");
  ASSERT_TRUE(taken);
  std::atomic<bool> is_told = false;
  taken->on_lost([&](const std::string& why) { is_told = why.find("stop") != std::string::npos; });
  std::thread worker([&] {
    while (!is_told) std::this_thread::sleep_for(1ms);
    taken->release();
  });
  const auto begin = Clock::now();
  members_[0].stop();
  EXPECT_LT(Clock::now() - begin, 1'500ms) << "nobody holds anything any more";
  worker.join();
  const auto after = here.mutex("m");
  ASSERT_FALSE(after);
  EXPECT_EQ(after.error().reason, Reason::cancelled);
  Client there = client(1);
  EXPECT_TRUE(there.mutex("taken", Patience::at_most(1s))) << "it said farewell";
}

TEST_F(Embedded, MistakesAreNamed) {
  const auto fault = [](const MemberSettings& settings) {
    const auto member = EmbeddedMember::start(settings);
    return member ? std::string("none") : member.error().text;
  };
  MemberSettings settings{.name = "a", .data = folder_ / "a", .members = {{"b", "127.0.0.1:1"}}};
  EXPECT_THAT(fault(settings), HasSubstr("name must be one of the members: b"));
  settings.members = {{"a", "10.0.0.1:7400"}};
  EXPECT_THAT(fault(settings), HasSubstr("can be reached from other machines"));
  EXPECT_EQ(EmbeddedMember::start("none.toml").error().text, "none.toml cannot be read");
}

// What is counted is not atomic for members: each name has one counter, and who is inside is alone with it.
TEST_F(Embedded, ThreadsOfThreeMembersExcludeEachOther) {
  constexpr int kEntries = 300;
  constexpr int kNames = 2;
  std::array<std::atomic<int>, kNames> inside{};
  std::array<std::atomic<std::uint64_t>, kNames> last{};
  std::atomic<int> wrong = 0;
  std::vector<std::thread> threads;
  for (std::size_t member = 0; member < 3; ++member) {
    threads.emplace_back([&, member] {
      Client own = client(member);
      for (int entry = 0; entry < kEntries; ++entry) {
        // In runs, so that loans are taken, and recalled while they are.
        const auto name = static_cast<std::size_t>(entry / 20 % kNames);
        auto hold = own.mutex("n" + std::to_string(name));
        if (!hold || inside[name].fetch_add(1) != 0) ++wrong;
        if (hold && last[name].exchange(hold->token()) >= hold->token()) ++wrong;
        --inside[name];
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, 0);
}

}  // namespace
}  // namespace coterie
