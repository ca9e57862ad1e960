// Two releases that speak different versions: each side says so, names both versions, and neither takes the other's word for
// anything. The impostors here answer at once, as a member of another release does.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/asio/buffer.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/write.hpp>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>
#include <vector>

#include "attack/attacked.h"
#include "cli/network.h"
#include "net/version.h"

namespace coterie::attack {
namespace {

namespace asio = boost::asio;
using asio::ip::tcp;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

constexpr std::uint32_t kOther = 99;

// Listens at an address, and greets every connection with the same message.
class Impostor {
 public:
  Impostor(const std::string& address, const wire::Message& hello)
      : bytes_(framed(hello)), acceptor_(io_, cli::endpoint_of(address)) {
    accept();
    thread_ = std::jthread([this] { io_.run(); });
  }
  ~Impostor() { io_.stop(); }
  Impostor(const Impostor&) = delete;
  Impostor& operator=(const Impostor&) = delete;

 private:
  void accept() {
    acceptor_.async_accept([this](boost::system::error_code error, tcp::socket socket) {
      if (error) return;
      const auto guest = guests_.emplace_back(std::make_shared<tcp::socket>(std::move(socket)));
      asio::async_write(*guest, asio::buffer(bytes_),
                        [guest](boost::system::error_code, std::size_t) {});
      accept();
    });
  }

  std::string bytes_;
  asio::io_context io_;
  tcp::acceptor acceptor_;
  std::vector<std::shared_ptr<tcp::socket>> guests_;
  std::jthread thread_;
};

auto names_both(std::uint32_t one, std::uint32_t other, const std::string& what_to_do) {
  return AllOf(HasSubstr("speaks version " + std::to_string(one)),
               HasSubstr("speaks version " + std::to_string(other)), HasSubstr(what_to_do));
}

using Versions = OnBothRoads;
INSTANTIATE_TEST_SUITE_P(Roads, Versions, kBothRoads, road_name);

TEST_P(Versions, OfAnotherClientOrMemberAreRefusedWithBothNumbers) {
  Attacked attacked({.road = GetParam(), .names = {"a"}});
  ASSERT_TRUE(attacked.is_ready());
  for (const std::uint32_t version : {0U, net::kClientVersion - 1, kOther}) {
    Raw client = attacked.connect();
    wire::Message hello = client_hello();
    hello.mutable_hello()->set_version(version);
    client.send(hello);
    const auto reason = client.goodbye();
    ASSERT_TRUE(reason) << "it was welcomed";
    EXPECT_THAT(*reason, names_both(net::kClientVersion, version, "use a client of the member's"));
  }
  Raw member = attacked.connect();
  wire::Message hello = member_hello("b", attacked.configuration());
  hello.mutable_hello()->set_version(kOther);
  member.send(hello);
  const auto reason = member.goodbye();
  ASSERT_TRUE(reason);
  EXPECT_THAT(*reason, names_both(net::kMemberVersion, kOther, "the same release"));
  EXPECT_TRUE(attacked.members().has_logged(0, "the client speaks version 99"));
  EXPECT_TRUE(attacked.members().has_logged(0, "the other side speaks version 99"));
  attacked.expect_served();
}

// A member of another release welcomes whom it should not: the client sees that by itself.
TEST(VersionsAtAClient, AreToldByStatus) {
  const cli::Folder folder;
  const std::string address = "127.0.0.1:" + std::to_string(cli::free_ports(1).front());
  wire::Message hello;
  hello.mutable_hello()->set_version(kOther);
  wire::Welcome& welcome = *hello.mutable_hello()->mutable_welcome();
  welcome.set_session(7);
  welcome.set_session_ns(3'000'000'000);
  welcome.set_member("a");
  const Impostor other(address, hello);
  constexpr int kUnreachable = 69;
  const cli::Outcome json = folder.run("status --json --members " + address);
  EXPECT_EQ(json.exit_code, kUnreachable) << json.out;
  const auto parsed = nlohmann::json::parse(json.out, nullptr, false);
  ASSERT_FALSE(parsed.is_discarded()) << json.out;
  EXPECT_THAT(parsed["members"][0]["trouble"].get<std::string>(),
              names_both(kOther, net::kClientVersion, "use a client of the member's"));
  const cli::Outcome page = folder.run("status --members " + address);
  EXPECT_EQ(page.exit_code, kUnreachable);
  EXPECT_THAT(page.out, HasSubstr("version 99"));
  const cli::Outcome enters = folder.run("mutex m --wait 100ms --members " + address + " -- true");
  EXPECT_EQ(enters.exit_code, kUnreachable) << enters.err;
  EXPECT_THAT(enters.err, HasSubstr("version 99"));
}

// The founders of a cluster believe what others answer to their hellos. Here b answers with a seed, in another version.
TEST(VersionsAtAMember, AreComparedByTheMemberThatConnects) {
  const cli::Folder folder;
  cli::Serving serving(folder, {.names = {"a", "b"}});
  wire::Message hello;
  hello.mutable_hello()->set_version(kOther);
  hello.mutable_hello()->mutable_member()->set_name("b");
  hello.mutable_hello()->mutable_member()->set_seed("0123456789abcdef0123456789abcdef");
  const Impostor other(serving.addresses()[1], hello);
  serving.start(0, {"--new-cluster"});
  EXPECT_TRUE(serving.has_logged(0, "the other side speaks version 99"));
  EXPECT_THAT(serving.log(0), names_both(net::kMemberVersion, kOther, "the same release"));
  EXPECT_THAT(serving.log(0), Not(HasSubstr("the cluster has the identity")));
}

}  // namespace
}  // namespace coterie::attack
