// What costs a member much is rationed, for a client that comes back under whatever guise, and for all together: calls that are written
// down, and TLS handshakes.
#include <gtest/gtest.h>
#include <openssl/ssl.h>

#include <algorithm>
#include <boost/asio/buffer.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/write.hpp>
#include <chrono>
#include <csignal>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "attack/attacked.h"
#include "cli/network.h"

namespace coterie::attack {
namespace {

namespace asio = boost::asio;
using asio::ip::tcp;
using namespace std::chrono_literals;
using std::chrono::steady_clock;

using Rates = OnBothRoads;
INSTANTIATE_TEST_SUITE_P(Roads, Rates, kBothRoads, road_name);

constexpr std::uint64_t kBatch = 2'000;  // what a client may ask for at once, and in a second

// Costly calls that are refused at once: nothing but the allowance takes time.
std::string batch() {
  std::string calls;
  for (std::uint64_t id = 1; id <= kBatch; ++id) {
    wire::Message hold = acquire(id, "");
    hold.mutable_call()->mutable_acquire()->set_owner("o");
    calls += framed(hold);
  }
  return calls;
}

void expect_answered(Raw& client) {
  ASSERT_TRUE(client.receive_until([](const auto& said) { return is_refused(said, kBatch); }))
      << client.trouble();
}

TEST_P(Rates, AreOfASessionThatIsResumed) {
  Attacked attacked({.road = GetParam(), .names = {"a"}});
  ASSERT_TRUE(attacked.is_ready());
  const std::string calls = batch();
  const auto start = steady_clock::now();
  std::uint64_t session = 0;
  for (int round = 0; round < 3; ++round) {
    Raw client = attacked.connect();
    ASSERT_TRUE(client.send(resume(session)));
    const auto welcome = client.receive();
    ASSERT_TRUE(welcome && welcome->hello().has_welcome());
    EXPECT_EQ(welcome->hello().welcome().is_resumed(), round > 0);
    session = welcome->hello().welcome().session();
    ASSERT_TRUE(client.send_bytes(calls));
    expect_answered(client);
  }
  // A second's worth at once, and the rest in two seconds.
  EXPECT_GE(steady_clock::now() - start, 1'800ms);
}

TEST_P(Rates, AreOfAnOriginThatComesAsNewClients) {
  Attacked attacked({.road = GetParam(), .names = {"a"}});
  ASSERT_TRUE(attacked.is_ready());
  const std::string calls = batch();
  const auto start = steady_clock::now();
  std::vector<Raw> clients;
  for (int i = 0; i < 6; ++i) {
    clients.push_back(attacked.client());
    ASSERT_TRUE(clients.back().send_bytes(calls));
  }
  attacked.expect_served();
  for (Raw& client : clients) expect_answered(client);
  // 4,000 at once and in a second, of 12,000.
  EXPECT_GE(steady_clock::now() - start, 1'800ms);
  attacked.expect_alive();
}

// The first words of a TLS client, for which a member computes its answer; and then nothing.
std::string first_words() {
  const std::unique_ptr<SSL_CTX, decltype(&SSL_CTX_free)> context(SSL_CTX_new(TLS_client_method()),
                                                                  &SSL_CTX_free);
  const std::unique_ptr<SSL, decltype(&SSL_free)> tls(SSL_new(context.get()), &SSL_free);
  BIO* const out = BIO_new(BIO_s_mem());
  SSL_set_bio(tls.get(), BIO_new(BIO_s_mem()), out);
  SSL_set_connect_state(tls.get());
  SSL_do_handshake(tls.get());
  std::string words(BIO_ctrl_pending(out), '\0');
  BIO_read(out, words.data(), static_cast<int>(words.size()));
  return words;
}

// Strangers and clients come from addresses of their own: that of the members has places of its own.
constexpr const char* kStranger = "127.0.0.2";
constexpr const char* kHonest = "127.0.0.3";

// Many connections that say the same, and nothing more.
class Crowd {
 public:
  Crowd(std::string address, int size) : address_(std::move(address)) {
    for (int i = 0; i < size; ++i) sockets_.push_back(connect());
  }
  void say(const std::string& words) {
    boost::system::error_code ignored;
    for (tcp::socket& socket : sockets_) asio::write(socket, asio::buffer(words), ignored);
  }
  // Others come in their place.
  void come_again() {
    for (tcp::socket& socket : sockets_) socket = connect();
  }
  int answered() const {
    return static_cast<int>(
        std::count_if(sockets_.begin(), sockets_.end(), [](const tcp::socket& socket) {
          boost::system::error_code ended;
          return socket.available(ended) > 0;
        }));
  }

 private:
  tcp::socket connect() {
    tcp::socket socket(io_, tcp::endpoint(asio::ip::make_address(kStranger), 0));
    boost::system::error_code failed;
    socket.connect(cli::endpoint_of(address_), failed);
    EXPECT_FALSE(failed) << failed.message();
    return socket;
  }
  std::string address_;
  asio::io_context io_;
  std::vector<tcp::socket> sockets_;
};

TEST(HandshakeRates, LeaveRoomForOthers) {
  Attacked attacked({.road = Road::tls, .lease = "2s"});
  ASSERT_TRUE(attacked.is_ready());
  const std::string address = attacked.members().addresses()[0];
  const std::string words = first_words();
  ASSERT_FALSE(words.empty());
  Crowd crowd(address, 900);
  const auto start = steady_clock::now();
  crowd.say(words);
  std::this_thread::sleep_for(350ms);
  const int answered = crowd.answered();
  const std::chrono::duration<double> seconds = steady_clock::now() - start;
  // So many have a place; only after half a second others have it.
  constexpr int kPlaces = 256;
  EXPECT_TRUE(answered <= kPlaces || seconds >= 500ms) << answered;
  EXPECT_GT(answered, 0);
  // An honest client is the next of its address; a member that comes back has a place of its own.
  Raw honest(address,
             {attacked.folder().path() + "/alice.pem", attacked.folder().path() + "/alice.key",
              attacked.folder().path() + "/ca.pem"},
             kHonest);
  ASSERT_TRUE(honest.is_open()) << honest.trouble();
  ASSERT_TRUE(honest.send(client_hello()));
  const auto welcome = honest.receive(5s);
  EXPECT_TRUE(welcome && welcome->hello().has_welcome()) << honest.trouble();
  attacked.members().signal(1, SIGKILL);
  attacked.members().wait(1);
  attacked.members().start(1);
  crowd.come_again();
  crowd.say(words);
  EXPECT_TRUE(attacked.members().is_ready()) << attacked.members().log(1);
  attacked.expect_served();
}

}  // namespace
}  // namespace coterie::attack
