// Tickets that a client makes up, for every kind: they have everything of the victim's hold but its secret. None lets its liar in, and
// none takes the victim's place away.
#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

#include "attack/attacked.h"

namespace coterie::attack {
namespace {

using Guesses = OnBothRoads;
INSTANTIATE_TEST_SUITE_P(Roads, Guesses, kBothRoads, road_name);

constexpr std::uint64_t kSoon = 50'000'000;  // ns

// The answer to the request.
wire::Event outcome_of(Raw& client, const wire::Message& call, std::uint64_t id) {
  EXPECT_TRUE(client.send(call));
  const auto said = client.receive_until([&](const wire::Message& message) {
    const wire::Event& event = message.event();
    return is_granted(message, id) || is_refused(message, id) ||
           (event.has_left() && event.left().request() == id);
  });
  return said ? said->event() : wire::Event();
}

struct Case {
  const char* name;
  // What the victim asks for, and its liars.
  std::function<wire::Message(std::uint64_t id)> wish;
  // What others may ask for beside the victim, if anything; and what they may not.
  std::function<wire::Message(std::uint64_t id)> fits;
  std::function<wire::Message(std::uint64_t id)> conflicts;
};

wire::Message in_room(std::uint64_t id, const char* name, std::uint32_t rooms, const char* group) {
  wire::Message call = acquire(id, name, wire::ROOM, rooms);
  call.mutable_call()->mutable_acquire()->add_groups(group);
  return call;
}
wire::Message alone(std::uint64_t id, const char* name) {
  wire::Message call = acquire(id, name, wire::ROOM, 1);
  call.mutable_call()->mutable_acquire()->set_is_alone(true);
  return call;
}
wire::Message in_band(std::uint64_t id, const char* name, const char* as) {
  wire::Message call = acquire(id, name, wire::BAND, 2);
  call.mutable_call()->mutable_acquire()->add_groups(as);
  return call;
}

std::vector<Case> cases() {
  return {
      {"mutex",
       [](auto id) { return acquire(id, "mutex"); },
       {},
       [](auto id) { return acquire(id, "mutex"); }},
      {"room", [](auto id) { return in_room(id, "room", 1, "red"); },
       [](auto id) { return in_room(id, "room", 1, "red"); },
       [](auto id) { return in_room(id, "room", 1, "blue"); }},
      {"writer",
       [](auto id) { return alone(id, "writer"); },
       {},
       [](auto id) { return in_room(id, "writer", 1, "read"); }},
      {"rooms", [](auto id) { return in_room(id, "rooms", 2, "red"); },
       [](auto id) { return in_room(id, "rooms", 2, "blue"); },
       [](auto id) { return in_room(id, "rooms", 2, "green"); }},
      {"band", [](auto id) { return in_band(id, "band", "p"); },
       [](auto id) { return in_band(id, "band", "q"); },
       [](auto id) { return in_band(id, "band", "r"); }},
  };
}

wire::Message guess(wire::Message call, const wire::Granted& granted, unsigned bit) {
  wire::Acquire& acquire = *call.mutable_call()->mutable_acquire();
  acquire.set_wait_ns(kSoon);
  wire::Ticket& ticket = *acquire.mutable_ticket();
  *ticket.mutable_origin() = granted.origin();
  ticket.set_group(granted.group());
  ticket.set_token(granted.token());
  *ticket.mutable_secret() = granted.secret();
  if (bit == 0) {
    ticket.clear_secret();
  } else {
    ticket.mutable_secret()->set_high(granted.secret().high() ^ (std::uint64_t{1} << bit));
  }
  return call;
}

TEST_P(Guesses, OfTicketsOfEveryKindAreRefused) {
  Attacked attacked({.road = GetParam()});
  ASSERT_TRUE(attacked.is_ready());
  Raw victim = attacked.client(0, "victim");
  Raw friendly = attacked.client(1, "friend");
  Raw rival = attacked.client(2, "rival");
  std::uint64_t id = 0;
  for (const Case& each : cases()) {
    SCOPED_TRACE(each.name);
    const std::uint64_t hold = ++id;
    const wire::Event held = outcome_of(victim, each.wish(hold), hold);
    ASSERT_TRUE(held.has_granted());
    for (std::size_t member = 0; member < 3; ++member) {
      Raw liar = attacked.client(member, "liar");
      for (const unsigned bit : {0U, 1U, 63U}) {
        ++id;
        const wire::Event answer = outcome_of(liar, guess(each.wish(id), held.granted(), bit), id);
        EXPECT_FALSE(answer.has_granted()) << member;
        liar.send(release(id));  // whatever it was given, it gives back, and the victim's with it
      }
    }
    // The victim is still inside: who does not fit beside it finds no place.
    if (each.fits) {
      ++id;
      EXPECT_TRUE(outcome_of(friendly, each.fits(id), id).has_granted());
    }
    ++id;
    wire::Message tries = each.conflicts(id);
    tries.mutable_call()->mutable_acquire()->set_is_try(true);
    EXPECT_TRUE(outcome_of(rival, tries, id).has_refused());
    EXPECT_TRUE(outcome_of(victim, release(hold), hold).has_left());
  }
  attacked.expect_served();
  attacked.expect_alive();
}

}  // namespace
}  // namespace coterie::attack
