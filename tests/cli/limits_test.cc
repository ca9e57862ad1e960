// Real members at their limits: what exceeds one is refused with a reason, and nobody else notices.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <proto/coterie.pb.h>
#include <sys/resource.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <boost/asio/buffer.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/write.hpp>
#include <chrono>
#include <condition_variable>
#include <csignal>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "cli/command.h"
#include "cli/network.h"
#include "cli/serving.h"
#include "coterie/client.h"
#include "net/version.h"

namespace coterie::cli {
namespace {

namespace asio = boost::asio;
using asio::ip::tcp;
using namespace std::chrono_literals;
using testing::HasSubstr;

// A client with very many names, asked for all at once.
class Greedy {
 public:
  explicit Greedy(std::vector<std::string> addresses)
      : client_(*Client::connect(
            {.addresses = std::move(addresses), .is_in_order = true, .timeout = 10s})) {}

  void ask(const std::string& prefix, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
      client_.start(Request::mutex(prefix + std::to_string(i)),
                    [this](coterie::Outcome<Hold> hold) {
                      const std::scoped_lock lock(mutex_);
                      if (!hold) {
                        refusals_.push_back(hold.error().text);
                      } else {
                        holds_.push_back(std::make_unique<Hold>(*std::move(hold)));
                        holds_.back()->on_lost([this](const std::string& why) {
                          ++lost_;
                          const std::scoped_lock why_lock(why_mutex_);
                          why_ = why;
                        });
                      }
                      changed_.notify_all();
                    });
    }
  }
  bool waits_for(std::size_t holds, std::size_t refusals = 0) {
    std::unique_lock lock(mutex_);
    return changed_.wait_for(
        lock, 60s, [&] { return holds_.size() >= holds && refusals_.size() >= refusals; });
  }
  std::size_t holds() {
    const std::scoped_lock lock(mutex_);
    return holds_.size();
  }
  std::string refusal() {
    const std::scoped_lock lock(mutex_);
    return refusals_.empty() ? "" : refusals_.front();
  }
  std::size_t valid() {
    const std::scoped_lock lock(mutex_);
    return static_cast<std::size_t>(std::count_if(
        holds_.begin(), holds_.end(), [](const auto& hold) { return hold->is_valid(); }));
  }
  std::size_t lost() const { return lost_; }
  std::string why() {
    const std::scoped_lock lock(why_mutex_);
    return why_;
  }
  std::string member() const { return client_.member(); }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<std::unique_ptr<Hold>> holds_;
  std::vector<std::string> refusals_;
  std::atomic<std::size_t> lost_ = 0;
  std::mutex why_mutex_;
  std::string why_;
  Client client_;  // first to go: then nothing is called back any more
};

class LimitsTest : public ::testing::Test {
 protected:
  static Serving::Plan plan(const std::string& limits, const std::string& lease = "2s") {
    return {.lease = lease, .more = [limits](const std::string& /*name*/) {
              return limits.empty() ? "" : "[limits]\n" + limits;
            }};
  }
  static coterie::Outcome<Client> connect(const std::string& address) {
    return Client::connect({.addresses = {address}, .timeout = 500ms});
  }
  // As many as fit a test of a sanitized command.
  static std::size_t many(std::size_t count) { return is_command_sanitized() ? count / 8 : count; }

  // Connections of this process.
  static void allow_files() {
    rlimit limit{};
    ::getrlimit(RLIMIT_NOFILE, &limit);
    limit.rlim_cur = limit.rlim_max;
    ::setrlimit(RLIMIT_NOFILE, &limit);
  }

  Folder folder_;
};

TEST_F(LimitsTest, SoManyClientsAndNotOneMore) {
  Serving serving(folder_, plan("clients = 2\n"));
  serving.start_all();
  ASSERT_TRUE(serving.has_logged(0, "a quorum of members answers")) << serving.log(0);
  const std::string address = serving.addresses()[0];
  auto first = connect(address);
  ASSERT_TRUE(first) << first.error().text;
  auto second = std::make_optional(connect(address));
  ASSERT_TRUE(*second) << second->error().text;
  auto third = connect(address);
  ASSERT_FALSE(third);
  EXPECT_THAT(third.error().text,
              HasSubstr("the member has 2 clients already, and serves no more (limits.clients)"));
  second.reset();
  EXPECT_TRUE(comes_true([&] { return connect(address).has_value(); }));
}

// It was a client, and keeps its connection without a word.
TEST_F(LimitsTest, ASessionThatIsOverGivesItsPlaceBack) {
  Serving serving(folder_, plan("clients = 1\n", "500ms"));
  serving.start_all();
  ASSERT_TRUE(serving.has_logged(0, "a quorum of members answers")) << serving.log(0);
  asio::io_context io;
  tcp::socket silent(io);
  silent.connect(endpoint_of(serving.addresses()[0]));
  wire::Message hello;
  hello.mutable_hello()->set_version(net::kClientVersion);
  hello.mutable_hello()->mutable_client()->set_beat(1);
  const std::string bytes = hello.SerializeAsString();
  asio::write(silent,
              asio::buffer(std::string("\0\0\0", 3) + static_cast<char>(bytes.size()) + bytes));
  boost::system::error_code error;
  std::array<char, 4096> part{};
  std::function<void()> read_on = [&] {
    silent.async_read_some(asio::buffer(part), [&](boost::system::error_code ended, std::size_t) {
      error = ended;
      if (!ended) read_on();
    });
  };
  read_on();
  io.run_for(60s);  // or until the member closes it
  EXPECT_EQ(error, asio::error::eof);
  EXPECT_TRUE(comes_true([&] { return connect(serving.addresses()[0]).has_value(); }));
}

// Who never says who it is keeps nobody out: neither a client, nor a member that comes back.
TEST_F(LimitsTest, SilentConnectionsKeepNobodyOut) {
  constexpr std::size_t kSilent = 1'200;
  allow_files();
  Serving serving(folder_, plan("clients = 1\n"));
  serving.start_all();
  ASSERT_TRUE(serving.has_logged(0, "a quorum of members answers")) << serving.log(0);
  asio::io_context io;
  std::vector<tcp::socket> silent;
  for (std::size_t i = 0; i < kSilent; ++i) {
    silent.emplace_back(io);
    silent.back().connect(endpoint_of(serving.addresses()[0]));
  }
  const auto client = connect(serving.addresses()[0]);
  EXPECT_TRUE(client) << client.error().text;
  serving.signal(1, SIGKILL);
  serving.wait(1);
  for (std::size_t i = 0; i < kSilent; ++i) {
    silent.emplace_back(io);
    silent.back().connect(endpoint_of(serving.addresses()[0]));
  }
  serving.start(1);
  EXPECT_TRUE(serving.has_logged(0, "member b answers again")) << serving.log(0);
}

TEST_F(LimitsTest, NamesOfAllClientsTogether) {
  Serving serving(folder_, plan("names = 3\n"));
  serving.start_all();
  ASSERT_TRUE(serving.is_ready()) << serving.log(0);
  Greedy one({serving.addresses()[0]});
  one.ask("m", 3);
  ASSERT_TRUE(one.waits_for(3));
  auto other = connect(serving.addresses()[0]);
  ASSERT_TRUE(other) << other.error().text;
  const auto refused = other->mutex("more");
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().text,
            "the clients of this member may hold or wait for at most 3 names at once "
            "(limits.names)");
}

// A page and a little more.
TEST_F(LimitsTest, StatusShowsAllNames) {
  constexpr std::size_t kNames = 5'000;
  Serving serving(folder_, plan("", "10s"));
  serving.start_all();
  ASSERT_TRUE(serving.is_ready()) << serving.log(0);
  Greedy one({serving.addresses()[0]});
  one.ask("name", kNames);
  ASSERT_TRUE(one.waits_for(kNames));
  auto client = connect(serving.addresses()[0]);
  ASSERT_TRUE(client) << client.error().text;
  const auto survey = client->survey();
  ASSERT_TRUE(survey) << survey.error().text;
  EXPECT_GE(survey->names.size(), kNames);
  const Outcome status = folder_.run("status --json --members " + serving.addresses()[0]);
  EXPECT_EQ(status.exit_code, 0) << status.err;
  std::size_t missing = 0;
  for (std::size_t i = 0; i < kNames; ++i)
    if (status.out.find("\"name" + std::to_string(i) + '"') == std::string::npos) ++missing;
  EXPECT_EQ(missing, 0U);
}

TEST_F(LimitsTest, ACleanStopLosesNoneOfVeryManyHoldsAndIsLoggedAsOne) {
  const std::size_t count = many(8'000);
  Serving serving(folder_, plan("", "10s"));
  serving.start_all();
  ASSERT_TRUE(serving.is_ready()) << serving.log(0);
  Greedy one(serving.addresses());
  one.ask("m", count);
  ASSERT_TRUE(one.waits_for(count)) << one.holds() << one.refusal();
  serving.signal(0, SIGTERM);
  EXPECT_EQ(serving.wait(0), 0);
  EXPECT_EQ(one.lost(), 0U) << one.why();
  EXPECT_EQ(one.valid(), count);
  for (const std::size_t other : {1U, 2U}) {
    EXPECT_TRUE(serving.has_logged(other, "member a has stopped, and said good-bye"))
        << serving.log(other);
    EXPECT_THAT(serving.log(other), testing::Not(HasSubstr("the lease of member a has ended")));
  }
}

TEST_F(LimitsTest, ABrokenConnectionLosesNoneOfVeryManyHolds) {
  const std::size_t count = many(8'000);
  Network network({"a", "b", "c"});
  Serving::Plan with_doors = plan("", "10s");
  Serving serving(folder_, with_doors);
  network.lead_to(serving.addresses());
  serving.start_all();
  ASSERT_TRUE(serving.is_ready()) << serving.log(0);
  Greedy one({network.doors()[0]});
  one.ask("m", count);
  ASSERT_TRUE(one.waits_for(count)) << one.holds() << one.refusal();
  for (int i = 0; i < 3; ++i) {
    network.shake("client", "a");
    EXPECT_TRUE(comes_true([&] { return one.member() == "a"; }));
  }
  EXPECT_EQ(one.lost(), 0U) << one.why();
  EXPECT_EQ(one.valid(), count);
}

// Others do their worst within their limits, at all members; this one has a hold, and enters and leaves another.
TEST_F(LimitsTest, AnHonestClientKeepsWhatItHoldsWhileOthersFlood) {
  const std::size_t count = many(4'096);
  Serving serving(folder_, plan("", "10s"));
  serving.start_all();
  ASSERT_TRUE(serving.is_ready()) << serving.log(0);
  auto honest = Client::connect({.addresses = {serving.addresses()[0]}, .timeout = 10s});
  ASSERT_TRUE(honest) << honest.error().text;
  std::atomic<bool> is_lost = false;
  auto hold = honest->mutex("honest");
  ASSERT_TRUE(hold) << hold.error().text;
  hold->on_lost([&](const std::string& /*why*/) { is_lost = true; });
  Greedy holder({serving.addresses()[1]});
  holder.ask("m", count);
  std::vector<std::unique_ptr<Greedy>> others;
  for (const std::size_t member : {0U, 1U, 2U})
    others.push_back(std::make_unique<Greedy>(std::vector{serving.addresses()[member]}));
  for (const auto& other : others) other->ask("m", count);
  for (int i = 0; i < 5; ++i) {
    const auto entered = honest->mutex("quick");
    EXPECT_TRUE(entered) << entered.error().text;
  }
  holder.waits_for(1);
  EXPECT_FALSE(is_lost);
  EXPECT_TRUE(hold->is_valid());
  for (const std::size_t member : {0U, 1U, 2U})
    EXPECT_THAT(serving.log(member), testing::Not(HasSubstr("no quorum of members answers")));
}

// What members write down, all at once.
TEST_F(LimitsTest, AnHonestClientKeepsWhatItHoldsWhileAnotherTakesManyLastingHolds) {
  const std::size_t count = many(2'000);
  Serving serving(folder_, plan("", "4s"));
  serving.start_all();
  ASSERT_TRUE(serving.is_ready()) << serving.log(0);
  auto honest = Client::connect({.addresses = {serving.addresses()[0]}, .timeout = 10s});
  ASSERT_TRUE(honest) << honest.error().text;
  std::atomic<bool> is_lost = false;
  auto hold = honest->mutex("honest");
  ASSERT_TRUE(hold) << hold.error().text;
  hold->on_lost([&](const std::string& /*why*/) { is_lost = true; });
  asio::io_context io;
  tcp::socket flood(io);
  flood.connect(endpoint_of(serving.addresses()[0]));
  const auto say = [&](const wire::Message& message) {
    const std::string bytes = message.SerializeAsString();
    const char head[] = {0, 0, static_cast<char>(bytes.size() >> 8U),
                         static_cast<char>(bytes.size())};
    asio::write(flood, asio::buffer(std::string(head, sizeof head) + bytes));
  };
  wire::Message hello;
  hello.mutable_hello()->set_version(net::kClientVersion);
  hello.mutable_hello()->mutable_client()->set_beat(1);
  say(hello);
  for (std::size_t i = 1; i <= count; ++i) {
    wire::Message message;
    wire::Acquire& acquire = *message.mutable_call()->mutable_acquire();
    acquire.set_request(i);
    acquire.set_name("lasting" + std::to_string(i));
    acquire.set_owner("o");
    say(message);
  }
  EXPECT_TRUE(comes_true([&] {
    const auto seen = honest->status("lasting" + std::to_string(count / 2));
    EXPECT_TRUE(seen) << seen.error().text;
    return !seen->holders.empty() || is_lost;
  }));
  EXPECT_FALSE(is_lost);
}

}  // namespace
}  // namespace coterie::cli
