// A connection that says a member's hello on a plain cluster, where nothing proves it, and then whatever it likes. SECURITY.md says what that
// can do. What it must not do: end a member, make it hang, or let it grow for ever. When it is gone, the cluster serves again.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <functional>
#include <string>
#include <vector>

#include "attack/attacked.h"
#include "member/incarnation.h"
#include "member/sound.h"

namespace coterie::attack {
namespace {

using namespace std::chrono_literals;

constexpr std::uint64_t kMost = member::kMostNumber;
constexpr std::uint64_t kAll = ~std::uint64_t{0};
constexpr std::size_t kMostMegabytes = 500;

std::size_t resident_megabytes(pid_t process) {
  std::ifstream file("/proc/" + std::to_string(process) + "/statm");
  std::size_t pages = 0;
  file >> pages >> pages;
  return pages * 4'096 >> 20U;
}

class HostilePeer : public ::testing::Test {
 protected:
  void SetUp() override { ASSERT_TRUE(attacked_.is_ready()); }
  // The incarnation of a member: it tells every client.
  std::uint64_t life_of(std::size_t member) {
    Raw client = attacked_.client(member, "guest");
    wire::Message survey;
    survey.mutable_call()->mutable_survey()->set_request(1);
    client.send(survey);
    const auto said =
        client.receive_until([](const auto& each) { return each.event().has_surveyed(); });
    return said ? said->event().surveyed().incarnation() : 0;
  }
  // As member b at member a: its hello was taken.
  Raw peer() {
    wire::Message hello = member_hello("b", attacked_.configuration());
    {
      Raw asks = attacked_.connect(0);  // a member without an identity is told the cluster's
      asks.send(hello);
      const auto answer = asks.receive();
      EXPECT_TRUE(answer && answer->hello().has_member());
      if (answer)
        hello.mutable_hello()->mutable_member()->set_identity(answer->hello().member().identity());
    }
    life_ = life_of(1);
    hello.mutable_hello()->mutable_member()->set_incarnation(life_);
    Raw raw = attacked_.connect(0);
    raw.send(hello);
    const auto answer = raw.receive();
    EXPECT_TRUE(answer && answer->hello().has_member())
        << (answer ? answer->goodbye().reason() : raw.trouble());
    return raw;
  }
  // With a heartbeat, as the first frame of a session has it.
  wire::Message frame() {
    wire::Message message;
    wire::Frame& frame = *message.mutable_frame();
    frame.set_from(life_);
    frame.set_to(life_of(0));
    frame.set_clock(1'000);
    frame.mutable_asking()->set_session(1'000);
    frame.mutable_asking()->set_beat(1'000);
    frame.mutable_asking()->set_first(1);
    return message;
  }
  void say(const std::function<void(wire::Frame&)>& change) {
    Raw raw = peer();
    wire::Message message = frame();
    change(*message.mutable_frame());
    raw.send(message);
    raw.goodbye(50ms);  // it is read, or refused
  }
  // Clients of every member are served. (The real member b may be deaf to a until one of them restarts: see SECURITY.md.)
  void expect_unharmed() {
    for (std::size_t i = 0; i < 3; ++i) {
      const cli::Outcome outcome = attacked_.folder().run(
          "mutex honest --wait 20s --members " + attacked_.members().addresses()[i] + " -- true");
      EXPECT_EQ(outcome.exit_code, 0) << i << ": " << outcome.err << attacked_.members().log(i);
      EXPECT_LT(resident_megabytes(attacked_.members().process(i)), kMostMegabytes);
    }
    attacked_.expect_alive();
  }

  Attacked attacked_{{.lease = "500ms"}};
  std::uint64_t life_ = 0;
};

constexpr std::uint64_t kNumbers[] = {kMost - 1, kMost, kMost + 1, kAll - 1, kAll};

TEST_F(HostilePeer, SaysClocksThatCannotBe) {
  for (const std::uint64_t number : kNumbers)
    say([&](wire::Frame& frame) { frame.set_clock(number); });
  expect_unharmed();
}

TEST_F(HostilePeer, SaysCeilingsThatCannotBe) {
  for (const std::uint64_t number : kNumbers)
    say([&](wire::Frame& frame) { frame.set_ceiling(number); });
  expect_unharmed();
}

TEST_F(HostilePeer, SaysThatItKnowsALaterLife) {
  for (const std::uint64_t number :
       {std::uint64_t{member::kLastIncarnation}, kAll, std::uint64_t{1} << 62U}) {
    say([&](wire::Frame& frame) { frame.set_to(number); });
    say([&](wire::Frame& frame) { frame.mutable_seen()->set_incarnation(number); });
  }
  expect_unharmed();
}

TEST_F(HostilePeer, SaysNumbersOfFlowsAndTimesThatCannotBe) {
  for (const std::uint64_t number : kNumbers) {
    say([&](wire::Frame& frame) { frame.mutable_asking()->set_session(number); });
    say([&](wire::Frame& frame) { frame.mutable_asking()->set_beat(number); });
    say([&](wire::Frame& frame) { frame.mutable_asking()->set_first(number); });
    say([&](wire::Frame& frame) { frame.mutable_asking()->set_received(number); });
    say([&](wire::Frame& frame) { frame.mutable_answering()->set_session(number); });
    say([&](wire::Frame& frame) { frame.set_durable(number); });
    say([&](wire::Frame& frame) {
      frame.set_lent_ns(number);
      frame.set_keepsakes("");
      frame.set_asks_others(true);
    });
    say([&](wire::Frame& frame) { frame.mutable_seen()->set_durable(number); });
  }
  expect_unharmed();
}

TEST_F(HostilePeer, SaysPacketsThatCannotBe) {
  const auto packet_of = [&](wire::Frame& frame) -> wire::Packet& {
    wire::Packet& packet = *frame.mutable_asking()->add_packets();
    packet.set_name("x");
    return packet;
  };
  say([&](wire::Frame& frame) { packet_of(frame); });  // without a body
  say([&](wire::Frame& frame) {
    packet_of(frame).mutable_kind()->set_type(static_cast<wire::Type>(77));
  });
  say([&](wire::Frame& frame) {
    packet_of(frame).mutable_grant()->set_number(kMost);
  });  // an answer
  for (const std::uint64_t number : kNumbers) {
    say([&](wire::Frame& frame) {
      wire::Packet& packet = packet_of(frame);
      packet.mutable_request()->set_tag(number);
      packet.mutable_request()->set_time(number);
      packet.set_slot(~0U);
    });
    say([&](wire::Frame& frame) { packet_of(frame).mutable_release()->set_number(number); });
    say([&](wire::Frame& frame) {
      wire::Packet& packet = packet_of(frame);
      packet.mutable_kind()->set_type(wire::SEMAPHORE);
      packet.mutable_kind()->set_max(2);
      packet.mutable_commit()->set_number(number);
    });
    say([&](wire::Frame& frame) {
      packet_of(frame).mutable_pin()->set_number(number);
      frame.mutable_asking()->mutable_packets(0)->mutable_pin()->set_owner("o");
    });
    say([&](wire::Frame& frame) { packet_of(frame).mutable_agree()->set_version(number); });
    say([&](wire::Frame& frame) {
      wire::Packet& packet = *frame.mutable_answering()->add_packets();
      packet.set_name("honest");
      packet.mutable_lock()->set_number(number);
    });
  }
  say([&](wire::Frame& frame) { frame.set_keepsakes("\xff\xff\xff\xff garbage"); });
  say([&](wire::Frame& frame) {
    frame.add_reports()->set_id(kAll);
    frame.mutable_reports(0)->set_view(std::string(1'000, '\xff'));
  });
  say([&](wire::Frame& frame) {
    for (int i = 0; i < 100'000; ++i) frame.add_questions()->set_name("q" + std::to_string(i));
  });
  expect_unharmed();
}

// Each was an assertion of an honest requester: a slot asks once at a time.
TEST_F(HostilePeer, AsksTwiceForTheSame) {
  const std::vector<std::pair<wire::Type, std::uint32_t>> kinds = {
      {wire::MUTEX, 0}, {wire::ROOM, 1}, {wire::ROOM, 2}, {wire::SEMAPHORE, 2}, {wire::BAND, 3}};
  for (const auto& [type, max] : kinds) {
    for (const bool is_poll : {false, true}) {
      say([&, type = type, max = max](wire::Frame& frame) {
        for (const std::uint64_t tag : {7U, 8U, 7U, 7U}) {
          wire::Packet& packet = *frame.mutable_asking()->add_packets();
          packet.set_name("twice" + std::to_string(type) + std::to_string(max));
          packet.mutable_kind()->set_type(type);
          packet.mutable_kind()->set_max(max);
          if (is_poll) {
            packet.mutable_poll()->set_tag(tag);
            packet.mutable_poll()->set_time(tag);
            wire::Packet& commit = *frame.mutable_asking()->add_packets();
            commit = packet;
            commit.mutable_commit()->set_tag(tag);
            commit.mutable_commit()->set_number(tag);
          } else {
            packet.mutable_request()->set_tag(tag);
            packet.mutable_request()->set_time(tag);
            packet.mutable_request()->add_groups(type == wire::ROOM ? "g" : "");
            wire::Packet& release = *frame.mutable_asking()->add_packets();
            release = packet;
            release.mutable_release()->set_tag(tag + 1);
          }
        }
      });
    }
  }
  expect_unharmed();
}

// It ends what the real member has been granted: that cannot be told from the real member's own word.
TEST_F(HostilePeer, SaysFarewell) {
  say([&](wire::Frame& frame) { frame.set_is_farewell(true); });
  expect_unharmed();
}

// As many names as it likes: all of them end with its lease, and those of the real member come back.
TEST_F(HostilePeer, AsksForNamesWithoutEnd) {
  Raw raw = peer();
  wire::Message message = frame();
  std::uint64_t first = 1;
  constexpr int kFrames = 100;
  constexpr int kPackets = 1'000;
  for (int i = 0; i < kFrames; ++i) {
    wire::Flow& flow = *message.mutable_frame()->mutable_asking();
    flow.clear_packets();
    flow.set_first(first);
    flow.set_beat(1'000 + static_cast<std::uint64_t>(i));
    for (int k = 0; k < kPackets; ++k) {
      wire::Packet& packet = *flow.add_packets();
      packet.set_name("n" + std::to_string(i * kPackets + k));
      packet.mutable_request()->set_tag(1'000);
      packet.mutable_request()->set_time(1'000);
    }
    first += kPackets;
    if (!raw.send(message)) break;
  }
  raw.close();
  expect_unharmed();
}

}  // namespace
}  // namespace coterie::attack
