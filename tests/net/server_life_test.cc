// A member that is told, by a peer, that its life is outdated: what becomes of those who ask to be served between two lives, and of what
// is on its disk. The peer is this test, which says what it likes.
#include <gtest/gtest.h>
#include <spdlog/logger.h>

#include <boost/asio/buffer.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/write.hpp>
#include <memory>
#include <string>
#include <vector>

#include "data_folder.h"
#include "member/incarnation.h"
#include "net/codec.h"
#include "net/identity.h"
#include "net/server.h"
#include "net/version.h"

namespace coterie::net {
namespace {

namespace asio = boost::asio;
using asio::ip::tcp;
using namespace std::chrono_literals;

const Identity::Seeds kSeeds = {{"a", std::string(32, '1')}, {"b", std::string(32, '2')}};

class Guest final : public Resident {
 public:
  void hear(const member::Event& event) override {
    has_ended |= std::holds_alternative<member::Ended>(event);
  }
  std::optional<member::Number> recall(member::RequestId /*request*/) override {
    return std::nullopt;
  }
  bool has_ended = false;
};

class ServerLife : public ::testing::Test {
 protected:
  ServerLife() {
    for (std::uint16_t& port : ports_) {
      tcp::acceptor free(io_, tcp::endpoint(asio::ip::address_v4::loopback(), 0));
      port = free.local_endpoint().port();
    }
    const auto settings = parse_settings(
        "name = \"a\"\ndata = \"" + folder_.path() +
        "\"\n[members]\na = \"127.0.0.1:" + std::to_string(ports_[0]) +
        "\"\nb = \"127.0.0.1:" + std::to_string(ports_[1]) + "\"\n[limits]\nclients = 2\n");
    EXPECT_TRUE(settings) << settings.error().message;
    settings_.emplace(*settings);
  }

  // The folder of a member that knows its cluster and not what it had promised; and that has kept something.
  void start(const std::string& kept) {
    {
      auto store = Store::open(folder_.path());
      ASSERT_TRUE(store) << store.error().message;
      const Identity identity{cluster_of(kSeeds), "a", guarded(*settings_), kSeeds, false};
      ASSERT_FALSE(store->set_property("identity", packed(identity)));
      ASSERT_FALSE(store->save({member::next_incarnation(0, 1), 0, 0, {}}));
      keep_twice(*store, kept, keepsake_of("owner"));
    }
    auto server = Server::make(io_, *settings_, {}, std::make_shared<spdlog::logger>("test"));
    ASSERT_TRUE(server) << server.error().message;
    server_ = *std::move(server);
    server_->start();
    ASSERT_NE(server_->brain(), nullptr);
  }

  bool runs_until(const std::function<bool()>& is_so) {
    const auto end = std::chrono::steady_clock::now() + 30s;
    while (!is_so() && std::chrono::steady_clock::now() < end) io_.run_for(1ms);
    return is_so();
  }

  tcp::socket connect() {
    tcp::socket socket(io_);
    socket.connect(tcp::endpoint(asio::ip::address_v4::loopback(), ports_[0]));
    return socket;
  }
  static void say(tcp::socket& socket, const wire::Message& message) {
    const std::string bytes = message.SerializeAsString();
    std::string head;
    for (int shift = 24; shift >= 0; shift -= 8) head += static_cast<char>(bytes.size() >> shift);
    asio::write(socket, asio::buffer(head + bytes));
  }
  // Member b says that it knows a later life of member a.
  void outdate() {
    const member::Incarnation life = server_->brain()->incarnation();
    tcp::socket peer = connect();
    wire::Message hello;
    hello.mutable_hello()->set_version(kMemberVersion);
    wire::MemberHello& member = *hello.mutable_hello()->mutable_member();
    member.set_name("b");
    member.set_cluster(settings_->cluster());
    member.set_identity(cluster_of(kSeeds));
    member.set_incarnation(member::next_incarnation(0, 7));
    say(peer, hello);
    member::Frame frame;
    frame.from = member.incarnation();
    frame.to = member::next_incarnation(life, 1);
    wire::Message message;
    encode(frame, *message.mutable_frame());
    say(peer, message);
    ASSERT_TRUE(runs_until(
        [&] { return server_->brain() == nullptr || server_->brain()->incarnation() > life; }));
  }

  const DataFolder folder_{"a"};
  asio::io_context io_;
  std::uint16_t ports_[2] = {};
  std::optional<Settings> settings_;
  std::unique_ptr<Server> server_;
};

TEST_F(ServerLife, ANextLifeKnowsWhatIsOnTheDisk) {
  start("kept");
  const auto knows = [&] {
    const auto names = server_->brain()->names("", 10);
    return std::find(names.begin(), names.end(), "kept") != names.end();
  };
  ASSERT_TRUE(knows());
  outdate();
  ASSERT_TRUE(runs_until([&] { return server_->brain() != nullptr; }));
  EXPECT_TRUE(knows());
}

TEST_F(ServerLife, NobodyIsAdmittedBetweenTwoLives) {
  start("kept");
  Guest before;
  ASSERT_NE(server_->admit("before", before), 0U);
  outdate();
  EXPECT_TRUE(before.has_ended);
  ASSERT_TRUE(runs_until([&] { return server_->brain() != nullptr; }));
  outdate();  // the second time there is a pause
  ASSERT_EQ(server_->brain(), nullptr);
  Guest between;
  EXPECT_EQ(server_->admit("between", between), 0U);
  Guest next;
  member::SessionId admitted = 0;
  server_->call_when_born([&] { admitted = server_->admit("next", next); });
  EXPECT_EQ(admitted, 0U);
  ASSERT_TRUE(runs_until([&] { return server_->brain() != nullptr; }));
  EXPECT_NE(admitted, 0U);
  // Who is connected is counted without those in this process: 2 may be.
  tcp::socket client = connect();
  wire::Message hello;
  hello.mutable_hello()->set_version(kClientVersion);
  hello.mutable_hello()->mutable_client()->set_beat(1);
  say(client, hello);
  EXPECT_TRUE(runs_until([&] { return client.available() > 0; }));
  EXPECT_EQ(server_->brain()->sessions(), 2U) << "the client was not welcome";
}

}  // namespace
}  // namespace coterie::net
