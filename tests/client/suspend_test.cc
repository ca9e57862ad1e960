// A machine sleeps, and wakes up: what it held before is over, and it knows at once. Here the clock alone sleeps; with one
// that does not count that time (the usual steady clock) the same holds would still be believed.
#include <gtest/gtest.h>
#include <stdlib.h>  // NOLINT(modernize-deprecated-headers): mkdtemp is POSIX's

#include <atomic>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <filesystem>
#include <string>
#include <vector>

#include "coterie/client.h"
#include "coterie/embedded.h"
#include "net/clock.h"

namespace coterie {
namespace {

using namespace std::chrono_literals;

std::atomic<std::int64_t> suspended_ns = 0;

std::int64_t with_suspension() noexcept { return boot_nanoseconds() + suspended_ns; }
std::int64_t without_suspension() noexcept { return boot_nanoseconds(); }

void suspend(std::chrono::nanoseconds time) { suspended_ns += time.count(); }

class Suspension : public ::testing::Test {
 protected:
  void SetUp() override {
    suspended_ns = 0;
    std::string folder = (std::filesystem::temp_directory_path() / "suspend-XXXXXX").string();
    ASSERT_NE(::mkdtemp(folder.data()), nullptr);
    folder_ = folder;
    MemberSettings settings;
    {
      boost::asio::io_context io;
      std::vector<boost::asio::ip::tcp::acceptor> acceptors;
      for (const char* name : {"a", "b", "c"}) {
        acceptors.emplace_back(
            io, boost::asio::ip::tcp::endpoint(boost::asio::ip::address_v4::loopback(), 0));
        settings.members.emplace_back(
            name, "127.0.0.1:" + std::to_string(acceptors.back().local_endpoint().port()));
      }
    }
    for (const auto& [name, address] : settings.members) {
      settings.name = name;
      settings.data = (folder_ / name).string();
      auto member = EmbeddedMember::start(settings, {.is_new_cluster = true});
      ASSERT_TRUE(member) << member.error().text;
      members_.push_back(*std::move(member));
      addresses_.push_back(address);
    }
  }
  void TearDown() override {
    members_.clear();
    set_clock_source(usual_);
    std::filesystem::remove_all(folder_);
  }
  Client near() { return members_[0].client("near").value(); }
  Client far() {
    Options options;
    options.addresses = {addresses_[1]};
    options.timeout = 20s;
    return Client::connect(options).value();
  }
  // Whether both believe in what they hold when they wake up.
  void expect_belief(bool is_expected) {
    Client near = this->near();
    Client far = this->far();
    const auto held_near = near.mutex("near", Patience::at_most(20s));
    const auto held_far = far.mutex("far", Patience::at_most(20s));
    ASSERT_TRUE(held_near) << held_near.error().text;
    ASSERT_TRUE(held_far) << held_far.error().text;
    ASSERT_TRUE(held_near->is_valid());
    ASSERT_TRUE(held_far->is_valid());
    suspend(1h);
    EXPECT_EQ(held_near->is_valid(), is_expected);
    EXPECT_EQ(held_far->is_valid(), is_expected);
  }

  std::filesystem::path folder_;
  std::vector<std::string> addresses_;
  std::vector<EmbeddedMember> members_;
  ClockSource usual_ = set_clock_source(with_suspension);
};

TEST_F(Suspension, EndsWhatWasBelieved) {
  expect_belief(false);
  // Then all goes on.
  Client client = near();
  const auto held = client.mutex("near", Patience::at_most(20s));
  ASSERT_TRUE(held) << held.error().text;
  EXPECT_TRUE(held->is_valid());
}

TEST_F(Suspension, IsNotNoticedByAClockThatStandsStill) {
  set_clock_source(without_suspension);
  expect_belief(true);
}

}  // namespace
}  // namespace coterie
