// Bytes that are no message, messages that nobody may send, connections that say nothing, and those who claim to be a
// member and are not: each costs its sender the connection, and nobody else anything.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "attack/attacked.h"

namespace coterie::attack {
namespace {

using testing::HasSubstr;
using testing::Not;
using namespace std::chrono_literals;

using Doors = OnBothRoads;
INSTANTIATE_TEST_SUITE_P(Roads, Doors, kBothRoads, road_name);

TEST_P(Doors, BytesThatAreNoMessageEndTheirConnectionOnly) {
  Attacked attacked({.road = GetParam()});
  ASSERT_TRUE(attacked.is_ready());
  Raw witness = attacked.client();
  const std::string lengths[] = {
      std::string("\xff\xff\xff\xff", 4),  // 4 GiB
      std::string("\x00\x04\x00\x01", 4),  // one more than a stranger may send
  };
  for (const std::string& length : lengths) {
    Raw raw = attacked.connect();
    raw.send_bytes(length + "x");
    EXPECT_TRUE(raw.goodbye()) << "it was not closed";
  }
  for (const std::string& bytes : {std::string("\xff\xff\xff\xff"), std::string(1'000, '\0'),
                                   std::string("\x0a\x7f"), std::string("\x12\x03\x0a\x01\xff")}) {
    Raw raw = attacked.connect();
    raw.send_bytes(framed(bytes));
    EXPECT_TRUE(raw.goodbye()) << "it was not closed";
  }
  // Half a message, and then nothing: its end is the sender's.
  {
    Raw raw = attacked.connect();
    raw.send_bytes(framed(client_hello()).substr(0, 9));
  }
  EXPECT_TRUE(witness.send(acquire(1, "witness")));
  EXPECT_TRUE(witness.receive_until([](const auto& said) { return is_granted(said, 1); }));
  attacked.expect_served();
  attacked.expect_alive();
}

TEST_P(Doors, WhatNobodyMaySayIsAnsweredByAReason) {
  Attacked attacked({.road = GetParam()});
  ASSERT_TRUE(attacked.is_ready());
  const auto expect_goodbye = [&](Raw raw, const wire::Message& message) {
    raw.send(message);
    const auto reason = raw.goodbye();
    ASSERT_TRUE(reason) << "it was not closed";
    EXPECT_NE(*reason, "") << message.ByteSizeLong();
  };
  wire::Message frame;
  frame.mutable_frame()->set_from(1);
  frame.mutable_frame()->set_is_farewell(true);
  wire::Message event;
  event.mutable_event()->mutable_granted()->set_request(1);
  wire::Message classic;
  classic.set_classic("x");
  wire::Message nobody;
  nobody.mutable_hello()->set_version(1);
  expect_goodbye(attacked.connect(), acquire(1, "m"));  // a call before a hello
  for (const wire::Message& message : {frame, event, classic, nobody, wire::Message()}) {
    expect_goodbye(attacked.connect(), message);
    expect_goodbye(attacked.client(), message);
  }
  expect_goodbye(attacked.client(), client_hello());  // a second one
  wire::Message call;
  call.mutable_call();
  expect_goodbye(attacked.client(), call);
  attacked.expect_served();
  attacked.expect_alive();
}

// A member's name is told by its hello, and, with TLS, proved by its certificate.
TEST_P(Doors, WhoClaimsToBeAMemberIsRefused) {
  Attacked attacked({.road = GetParam()});
  ASSERT_TRUE(attacked.is_ready());
  const auto expect_refused = [&](const std::string& name, const std::string& configuration,
                                  const std::string& why) {
    Raw raw = attacked.connect();
    raw.send(member_hello(name, configuration));
    const auto reason = raw.goodbye();
    ASSERT_TRUE(reason) << name;
    EXPECT_THAT(*reason, HasSubstr(why));
  };
  expect_refused("z", attacked.configuration(), "is no member");
  // Whoever leaves after that was an assertion of the member: it has no link to itself that could break.
  expect_refused("a", attacked.configuration(), "does not connect to itself");
  if (GetParam() == Road::tls) {
    expect_refused("b", attacked.configuration(), "certificate");
  } else {
    expect_refused("b", "member b 1.2.3.4:5\n", "the configurations differ");
  }
  attacked.expect_served();
  attacked.expect_alive();
}

// It has its place for as long as it takes to say a hello, and no longer.
TEST_P(Doors, AConnectionThatSaysNothingIsClosed) {
  Attacked attacked({.road = GetParam()});
  ASSERT_TRUE(attacked.is_ready());
  Raw silent = attacked.connect();
  const auto reason = silent.goodbye();
  ASSERT_TRUE(reason);
  EXPECT_THAT(*reason, HasSubstr("did not say who it is"));
  Raw unshaken(attacked.members().addresses()[0]);  // and no TLS handshake either
  EXPECT_TRUE(unshaken.goodbye());
}

TEST_P(Doors, TextFromOutsideIsRefusedByName) {
  Attacked attacked({.road = GetParam()});
  ASSERT_TRUE(attacked.is_ready());
  Raw raw = attacked.client();
  const auto expect_text = [&](const wire::Message& message, std::uint64_t id,
                               const std::string& why) {
    ASSERT_TRUE(raw.send(message)) << raw.trouble();
    const auto answer = raw.receive_until([&](const auto& said) { return is_refused(said, id); });
    ASSERT_TRUE(answer) << why << ": " << raw.trouble();
    EXPECT_THAT(answer->event().refused().text(), HasSubstr(why));
  };
  expect_text(acquire(1, "\xff"), 1, "the name must be text in UTF-8");
  expect_text(acquire(2, std::string(2'000, 'x')), 2, "at most 255");
  expect_text(acquire(3, ""), 3, "the name");
  expect_text(show(4, "\x1b[31m"), 4, "the name");
  wire::Message room = acquire(5, "r", wire::ROOM, 1);
  room.mutable_call()->mutable_acquire()->add_groups("\xc3\x28");
  expect_text(room, 5, "UTF-8");
  wire::Message owner = acquire(6, "m");
  owner.mutable_call()->mutable_acquire()->set_owner("\xff\xfe");
  expect_text(owner, 6, "UTF-8");
  attacked.expect_served();
  attacked.expect_alive();
}

}  // namespace
}  // namespace coterie::attack
