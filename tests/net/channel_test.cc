// A connection that carries messages: what goes out together, and in which order.
#include "net/channel.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/write.hpp>
#include <chrono>

namespace coterie::net {
namespace {

namespace asio = boost::asio;
using asio::ip::tcp;

class Channels : public ::testing::Test {
 protected:
  struct Pair {
    std::shared_ptr<Channel> channel;
    Plain other;  // its other end, as bytes
  };
  Pair connect() {
    tcp::acceptor acceptor(io_, {asio::ip::address_v4::loopback(), 0});
    Plain other(io_);
    other.connect(acceptor.local_endpoint());
    return {std::make_shared<Channel>(Socket(std::in_place_type<Plain>, acceptor.accept())),
            std::move(other)};
  }
  // In one handler, as members do.
  template <class Does>
  void run(const Does& does) {
    asio::post(io_, does);
    io_.poll_one();
  }
  // What has arrived when something first has.
  std::vector<std::size_t> first_to_arrive(const std::vector<const Plain*>& ends) {
    std::vector<std::size_t> bytes(ends.size());
    while (std::count(bytes.begin(), bytes.end(), 0) == static_cast<std::ptrdiff_t>(bytes.size()) &&
           io_.poll_one() > 0) {
      for (std::size_t i = 0; i < ends.size(); ++i) bytes[i] = ends[i]->available();
    }
    return bytes;
  }
  static wire::Message message() {
    wire::Message message;
    message.mutable_event()->mutable_left()->set_request(1);
    return message;
  }
  static std::size_t size() { return 4 + message().ByteSizeLong(); }

  asio::io_context io_{1};
  asio::executor_work_guard<asio::io_context::executor_type> work_ = asio::make_work_guard(io_);
};

TEST_F(Channels, WriteOnceWhatOneHandlerSends) {
  const Pair one = connect();
  run([&] {
    for (int i = 0; i < 3; ++i) one.channel->send(message());
    EXPECT_EQ(one.other.available(), 0U);
  });
  EXPECT_EQ(first_to_arrive({&one.other}), std::vector{3 * size()});
}

TEST_F(Channels, WriteFirstWhatSomebodyWaitsFor) {
  const Pair patient = connect();
  const Pair hasty = connect();
  run([&] {
    patient.channel->send(message(), Channel::Haste::later);
    hasty.channel->send(message());
  });
  EXPECT_EQ(first_to_arrive({&patient.other, &hasty.other}), (std::vector{std::size_t{0}, size()}));
  EXPECT_EQ(first_to_arrive({&patient.other}), std::vector{size()});
}

TEST_F(Channels, KeepTheOrderOfWhatIsSent) {
  const Pair both = connect();
  const Pair hasty = connect();
  run([&] {
    both.channel->send(message(), Channel::Haste::later);
    both.channel->send(message());
    both.channel->send(message(), Channel::Haste::later);
    hasty.channel->send(message());
  });
  EXPECT_EQ(first_to_arrive({&both.other, &hasty.other}),
            (std::vector{3 * size(), std::size_t{0}}));
  io_.poll();
  run([&] { both.channel->send(message(), Channel::Haste::later); });
  io_.poll();
  EXPECT_EQ(both.other.available(), 4 * size());
}

// Both have much to say: neither waits until the other has said all.
TEST_F(Channels, HandOnSomeAtATime) {
  constexpr int kMany = 500;
  std::string bytes;
  for (int i = 0; i < kMany; ++i) {
    bytes += std::string("\0\0\0", 3) + static_cast<char>(message().ByteSizeLong());
    bytes += message().SerializeAsString();
  }
  std::vector<Pair> pairs;
  for (int i = 0; i < 2; ++i) pairs.push_back(connect());
  std::string order;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    asio::write(pairs[i].other, asio::buffer(bytes));
    pairs[i].channel->start(
        [&order, i](const wire::Message& /*message*/) { order += static_cast<char>('0' + i); },
        [](const std::string& why) { ADD_FAILURE() << why; });
  }
  for (int i = 0; i < 1'000 && order.size() < 2 * kMany; ++i) io_.poll();
  ASSERT_EQ(order.size(), 2U * kMany);
  EXPECT_EQ(std::count(order.begin(), order.end(), '0'), kMany);
  EXPECT_LT(order.find('1'), static_cast<std::size_t>(kMany / 2));
  EXPECT_LT(order.find('0'), static_cast<std::size_t>(kMany / 2));
  for (const Pair& pair : pairs) pair.channel->close();
  io_.poll();
}

TEST_F(Channels, HandOnNothingWhileTheyPause) {
  Pair one = connect();
  std::string bytes;
  for (int i = 0; i < 3; ++i) {
    bytes += std::string("\0\0\0", 3) + static_cast<char>(message().ByteSizeLong());
    bytes += message().SerializeAsString();
  }
  int heard = 0;
  one.channel->start(
      [&](const wire::Message& /*message*/) {
        ++heard;
        one.channel->pause();
      },
      [](const std::string& why) { ADD_FAILURE() << why; });
  asio::write(one.other, asio::buffer(bytes));
  for (int i = 0; i < 100; ++i) io_.poll();
  EXPECT_EQ(heard, 1);
  one.channel->resume();
  one.channel->resume();
  for (int i = 0; i < 100; ++i) io_.poll();
  EXPECT_EQ(heard, 2);
  one.channel->resume();
  for (int i = 0; i < 100; ++i) io_.poll();
  EXPECT_EQ(heard, 3);
  one.channel->close();
  io_.poll();
}

TEST_F(Channels, AskBeforeAnythingLeaves) {
  const Pair one = connect();
  bool may_leave = false;
  int asked = 0;
  one.channel->before_write([&] {
    ++asked;
    return may_leave;
  });
  run([&] { one.channel->send(message()); });
  io_.poll();
  EXPECT_EQ(asked, 1);
  EXPECT_EQ(one.other.available(), 0U);
  const Pair two = connect();
  two.channel->before_write([&] { return true; });
  run([&] { two.channel->send(message()); });
  io_.poll();
  EXPECT_EQ(two.other.available(), size());
}

TEST_F(Channels, CanBeHurried) {
  const Pair one = connect();
  run([&] {
    one.channel->send(message(), Channel::Haste::later);
    one.channel->hurry();
    EXPECT_EQ(one.other.available(), size());
  });
  io_.poll();
  EXPECT_EQ(one.other.available(), size());
}

TEST_F(Channels, CloseAfterWhatWasSent) {
  const Pair one = connect();
  run([&] {
    one.channel->send(message(), Channel::Haste::later);
    one.channel->close();
    one.channel->send(message());  // too late
  });
  io_.poll();
  EXPECT_EQ(one.other.available(), size());
}

TEST_F(Channels, EndWithWhatIsNoMessage) {
  for (const std::string& bytes :
       {std::string("\0\0\0\1\xff", 5), std::string("\xff\xff\xff\xff")}) {
    Pair one = connect();
    std::string reason;
    one.channel->start([](const wire::Message&) { ADD_FAILURE(); },
                       [&](const std::string& why) { reason = why; });
    asio::write(one.other, asio::buffer(bytes));
    while (reason.empty() && io_.run_one_for(std::chrono::seconds(10)) > 0) continue;
    EXPECT_TRUE(one.channel->was_abused()) << reason;
  }
}

}  // namespace
}  // namespace coterie::net
