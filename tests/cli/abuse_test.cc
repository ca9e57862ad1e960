// Real members with a full disk, a thousand clients, and guests that say what nobody says.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <proto/coterie.pb.h>
#include <sys/resource.h>

#include <array>
#include <atomic>
#include <boost/asio/buffer.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/write.hpp>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "cli/command.h"
#include "cli/crowd.h"
#include "cli/network.h"
#include "cli/serving.h"
#include "net/channel.h"
#include "net/store.h"
#include "net/version.h"

namespace coterie::cli {
namespace {

namespace asio = boost::asio;
using asio::ip::tcp;
using namespace std::chrono_literals;
using testing::HasSubstr;
using testing::Not;

wire::Message client_hello() {
  wire::Message message;
  message.mutable_hello()->set_version(net::kClientVersion);
  message.mutable_hello()->mutable_client()->set_label("guest");
  message.mutable_hello()->mutable_client()->set_beat(1);
  return message;
}

wire::Message acquire(std::uint64_t request, const std::string& name) {
  wire::Message message;
  message.mutable_call()->mutable_acquire()->set_request(request);
  message.mutable_call()->mutable_acquire()->set_name(name);
  return message;
}

std::string framed(const std::string& bytes) {
  std::string head;
  for (int shift = 24; shift >= 0; shift -= 8) head += static_cast<char>(bytes.size() >> shift);
  return head + bytes;
}

class Abuse : public ::testing::Test {
 protected:
  // Says this and nothing more. What is answered, until the member closes the connection.
  std::string say(const std::string& bytes) {
    asio::io_context io;
    tcp::socket socket(io);
    socket.connect(endpoint_of(serving_.addresses()[0]));
    asio::write(socket, asio::buffer(bytes));
    std::string answer;
    std::array<char, 4096> part{};
    boost::system::error_code error;
    while (!error) answer.append(part.data(), socket.read_some(asio::buffer(part), error));
    return answer;
  }
  void expect_served() {
    const Outcome outcome =
        folder_.run("mutex m --wait 10s --members " + serving_.list() + " -- true");
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  }

  Folder folder_;
  Serving serving_{folder_, {.lease = "10s"}};
};

TEST_F(Abuse, GarbageClosesItsConnectionAndNothingElse) {
  serving_.start_all();
  ASSERT_TRUE(serving_.is_ready()) << serving_.log(0);
  say("GET / HTTP/1.1\r\n\r\n");
  EXPECT_TRUE(serving_.has_logged(0, "a message of 1195725856 bytes; at most 262144 are allowed"));
  say(framed("\xff\xff\xff\xff"));
  EXPECT_TRUE(serving_.has_logged(0, "bytes that are no message"));
  say(framed("\x12\x03\x0a\x01\xff"));  // a goodbye whose reason is no text
  EXPECT_THAT(serving_.log(0), Not(HasSubstr("protobuf")));
  say(framed(acquire(1, "m").SerializeAsString()));
  EXPECT_TRUE(serving_.has_logged(0, "a call before a hello"));
  wire::Message frame;
  frame.mutable_frame()->set_from(7);
  EXPECT_THAT(say(framed(frame.SerializeAsString())),
              HasSubstr("a frame of members before the hello of a member"));
  wire::Message member;
  member.mutable_hello()->set_version(net::kMemberVersion);
  member.mutable_hello()->mutable_member()->set_name("b");
  member.mutable_hello()->mutable_member()->set_cluster("member b 1.2.3.4:5\n");
  EXPECT_THAT(say(framed(member.SerializeAsString())), HasSubstr("the configurations differ"));
  // Names that cannot be are refused one by one, and the client stays.
  const std::string hello = framed(client_hello().SerializeAsString());
  wire::Message close;
  close.mutable_call()->mutable_close();
  const std::string answer = say(hello + framed(acquire(1, "\xff").SerializeAsString()) +
                                 framed(acquire(2, std::string(2'000, 'x')).SerializeAsString()) +
                                 framed(close.SerializeAsString()));
  EXPECT_THAT(answer, HasSubstr("the name must be text in UTF-8"));
  EXPECT_THAT(answer, HasSubstr("the name has 2000 bytes; at most 255 are allowed"));
  expect_served();
}

// Most of them are the sanitizer's, if there is one.
std::size_t most_megabytes() { return is_command_sanitized() ? 1'000 : 100; }

std::size_t resident_megabytes(pid_t process) {
  std::ifstream file("/proc/" + std::to_string(process) + "/statm");
  std::size_t pages = 0;
  file >> pages >> pages;
  return pages * 4'096 >> 20U;
}

TEST_F(Abuse, WhoFloodsIsShutOutAndOthersAreServed) {
  serving_.start_all();
  ASSERT_TRUE(serving_.is_ready()) << serving_.log(0);
  std::jthread flood([&](const std::stop_token& end) {
    asio::io_context io;
    tcp::socket socket(io);
    socket.connect(endpoint_of(serving_.addresses()[0]));
    boost::system::error_code error;
    asio::write(socket, asio::buffer(framed(client_hello().SerializeAsString())), error);
    // One that is refused at once is answered by much more than it takes to ask.
    std::string many;
    for (std::uint64_t i = 1; i <= 1'000; ++i)
      many += framed(acquire(i, "\x01").SerializeAsString());
    while (!error && !end.stop_requested()) asio::write(socket, asio::buffer(many), error);
  });
  for (int i = 0; i < 5; ++i) expect_served();
  EXPECT_TRUE(serving_.has_logged(0, "the other side does not read"));
  EXPECT_LT(resident_megabytes(serving_.process(0)), most_megabytes());
}

// One of a thousand: enters a mutex, leaves it, and closes.
class Guest : public std::enable_shared_from_this<Guest> {
 public:
  Guest(tcp::socket socket, std::string name, std::atomic<int>& inside, std::size_t& done)
      : channel_(std::make_shared<net::Channel>(
            net::Socket(std::in_place_type<net::Plain>, std::move(socket)))),
        name_(std::move(name)),
        inside_(inside),
        done_(done) {}
  void start() {
    channel_->start(
        [self = shared_from_this()](const wire::Message& message) { self->hear(message); },
        [](const std::string& why) { ADD_FAILURE() << why; });
    channel_->send(client_hello());
  }

 private:
  void hear(const wire::Message& message) {
    if (message.hello().has_welcome()) return channel_->send(acquire(1, name_));
    if (message.event().has_granted()) {
      EXPECT_EQ(++inside_, 1);
      wire::Message leave;
      leave.mutable_call()->mutable_release()->set_request(1);
      --inside_;
      return channel_->send(leave);
    }
    if (!message.event().has_left()) return;
    ++done_;
    channel_->close();
  }

  std::shared_ptr<net::Channel> channel_;
  std::string name_;
  std::atomic<int>& inside_;
  std::size_t& done_;
};

TEST_F(Abuse, AThousandClientsAtOnce) {
  constexpr std::size_t kGuests = 1'000;
  constexpr std::size_t kNamesOfAll = 20;
  rlimit limit{};
  ::getrlimit(RLIMIT_NOFILE, &limit);
  limit.rlim_cur = limit.rlim_max;
  ::setrlimit(RLIMIT_NOFILE, &limit);
  if (limit.rlim_cur < kGuests + 100)
    GTEST_SKIP() << "the system allows only " << limit.rlim_cur << " open files";
  // They do not keep their sessions alive, so these are long.
  Serving serving(folder_, {.lease = "20s"});
  serving.start_all();
  ASSERT_TRUE(serving.is_ready()) << serving.log(0);
  asio::io_context io;
  std::vector<std::atomic<int>> inside(kNamesOfAll);
  std::size_t done = 0;
  for (std::size_t i = 0; i < kGuests; ++i) {
    tcp::socket socket(io);
    socket.connect(endpoint_of(serving.addresses()[i % 3]));
    const std::size_t name = i % kNamesOfAll;
    std::make_shared<Guest>(std::move(socket), "m" + std::to_string(name), inside[name], done)
        ->start();
  }
  io.run_for(60s);
  EXPECT_EQ(done, kGuests);
}

// What it has to write down cannot be written any more, from some moment on.
TEST_F(Abuse, AMemberThatCannotSaveStopsAndTheOthersGoOn) {
  constexpr rlim_t kSize = 5 * 4'096;  // enough for its log
  serving_.start(0, {"--new-cluster"});
  serving_.start(1, {"--new-cluster"});
  serving_.start(2, {"--new-cluster"}, [] {
    static_cast<void>(std::signal(SIGXFSZ, SIG_IGN));  // so that a write fails instead
  });
  ASSERT_TRUE(serving_.is_ready());
  const rlimit limit{kSize, kSize};
  ASSERT_EQ(::prlimit(serving_.process(2), RLIMIT_FSIZE, &limit, nullptr), 0);
  Crowd crowd(serving_.addresses());
  for (int i = 0; i < 6; ++i) {
    const Outcome held =
        folder_.run("hold mutex db" + std::to_string(i) + " --as me --members " + serving_.list());
    EXPECT_EQ(held.exit_code, 0) << held.err;
  }
  EXPECT_EQ(serving_.wait(2), 1);
  EXPECT_THAT(serving_.log(2),
              HasSubstr("critical cannot save: journal.1: cannot be written: File too large"));
  crowd.wait_for_everybody();
  crowd.finish();
}

// It begins with a disk that is full.
TEST_F(Abuse, AMemberThatCannotMakeItsFilesSaysSo) {
  constexpr rlim_t kPage = 4'096;
  serving_.start(0, {"--new-cluster"}, [] {
    static_cast<void>(std::signal(SIGXFSZ, SIG_IGN));
    const rlimit limit{5 * kPage, 5 * kPage};
    ::setrlimit(RLIMIT_FSIZE, &limit);
  });
  EXPECT_EQ(serving_.wait(0), 1);
  EXPECT_THAT(serving_.log(0), HasSubstr("journal.1: cannot be made: File too large"));
}

class DataOfAMember : public ::testing::Test {
 protected:
  Folder folder_;
  Serving serving_{folder_, {.lease = "1s"}};
};

// A bit flips in what a member had written down: it says so, and does not grant what is held.
TEST_F(DataOfAMember, ThatRotsIsNoticedAndLearnedFromTheOthers) {
  const std::string members = " --members " + serving_.list();
  serving_.start_all();
  ASSERT_TRUE(serving_.is_ready());
  const Outcome held = folder_.run("hold mutex db --as me" + members);
  ASSERT_EQ(held.exit_code, 0) << held.err;
  serving_.signal(2, SIGKILL);
  serving_.wait(2);
  const std::string journal = folder_.path() + "/c.data/journal.1";
  std::fstream file(journal, std::ios::in | std::ios::out | std::ios::binary);
  ASSERT_TRUE(file);
  constexpr std::streamoff kInFirstRecord = 4'096 + 50;
  file.seekg(kInFirstRecord);
  const int byte = file.get();
  file.seekp(kInFirstRecord);
  file.put(static_cast<char>(byte ^ 1));
  file.close();
  serving_.start(2);
  ASSERT_TRUE(serving_.has_logged(2, "c.data is damaged: journal.1: "));
  EXPECT_THAT(
      serving_.log(2),
      HasSubstr("grants nothing until a quorum of others has told what it may have granted"));
  EXPECT_TRUE(std::filesystem::exists(folder_.path() + "/c.data/damaged-1/journal.1"));
  ASSERT_TRUE(serving_.is_ready());
  serving_.signal(0, SIGKILL);
  serving_.wait(0);
  EXPECT_EQ(folder_.run("hold mutex db --as you --try" + members).exit_code, 75);
  EXPECT_EQ(folder_.run("release db --as me" + members).exit_code, 0);
  EXPECT_EQ(folder_.run("hold mutex db --as you" + members).exit_code, 0);
}

// With many lasting holds a start would take minutes.
TEST_F(DataOfAMember, ThatWasJustReadIsNotWrittenAgain) {
  constexpr std::size_t kHolds = 60;
  serving_.start_all();
  ASSERT_TRUE(serving_.is_ready());
  for (std::size_t i = 0; i < kHolds; ++i) {
    const Outcome held =
        folder_.run("hold mutex db" + std::to_string(i) + " --as me --members " + serving_.list());
    ASSERT_EQ(held.exit_code, 0) << held.err;
  }
  // How many holds it has, and how often it has written until now.
  std::size_t holds = 0;
  const auto stop_and_count = [&] {
    serving_.signal(2, SIGKILL);
    serving_.wait(2);
    const auto store = net::Store::open(folder_.path() + "/c.data");
    holds = store ? store->keepsakes().size() : 0;
    return store ? store->durable_sequence() : 0;
  };
  const std::uint64_t before = stop_and_count();
  ASSERT_GE(holds, kHolds / 4) << "a quorum has each: not every member has all";
  serving_.start(2);
  ASSERT_TRUE(serving_.is_ready());
  EXPECT_LT(stop_and_count() - before, holds);
}

}  // namespace
}  // namespace coterie::cli
