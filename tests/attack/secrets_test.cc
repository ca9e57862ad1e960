// A client that makes up what it shows: tickets, tokens, text, and the order of its calls. Its guesses have everything of the
// victim's hold but the secret, which only the victim was told.
#include <gtest/gtest.h>

#include <string>

#include "attack/attacked.h"

namespace coterie::attack {
namespace {

using Secrets = OnBothRoads;
INSTANTIATE_TEST_SUITE_P(Roads, Secrets, kBothRoads, road_name);

bool is_answered(const wire::Message& said, std::uint64_t id) {
  const wire::Event& event = said.event();
  return is_granted(said, id) || is_refused(said, id) ||
         (event.has_left() && event.left().request() == id) ||
         (event.has_lasts() && event.lasts().request() == id);
}

// What came of the request.
wire::Event ask(Raw& client, const wire::Message& call, std::uint64_t id) {
  EXPECT_TRUE(client.send(call));
  const auto said =
      client.receive_until([&](const wire::Message& message) { return is_answered(message, id); });
  return said ? said->event() : wire::Event();
}

wire::Message shown(std::uint64_t request, const std::string& name, wire::Type type,
                    std::uint32_t max, const wire::Granted& granted) {
  wire::Message call = acquire(request, name, type, max);
  wire::Acquire& acquire = *call.mutable_call()->mutable_acquire();
  acquire.set_wait_ns(50'000'000);
  *acquire.mutable_ticket()->mutable_origin() = granted.origin();
  acquire.mutable_ticket()->set_token(granted.token());
  *acquire.mutable_ticket()->mutable_secret() = granted.secret();
  return call;
}

TEST_P(Secrets, AreNotGuessed) {
  Attacked attacked({.road = GetParam()});
  ASSERT_TRUE(attacked.is_ready());
  Raw victim = attacked.client(0, "victim");
  const wire::Event mutex = ask(victim, acquire(1, "m"), 1);
  const wire::Event place = ask(victim, acquire(2, "s", wire::SEMAPHORE, 2), 2);
  ASSERT_TRUE(mutex.has_granted() && place.has_granted());
  EXPECT_NE(mutex.granted().secret().high(), 0U);
  EXPECT_NE(mutex.granted().secret().high(), place.granted().secret().high());
  std::uint64_t request = 0;
  for (std::size_t member = 0; member < 3; ++member) {
    Raw liar = attacked.client(member, "liar");
    for (const unsigned bit : {0U, 9U, 63U}) {
      for (const bool is_mutex : {true, false}) {
        wire::Granted guess = is_mutex ? mutex.granted() : place.granted();
        guess.mutable_secret()->set_low(guess.secret().low() ^ (std::uint64_t{1} << bit));
        if (bit == 0) guess.clear_secret();
        const wire::Message call = is_mutex ? shown(++request, "m", wire::MUTEX, 1, guess)
                                            : shown(++request, "s", wire::SEMAPHORE, 2, guess);
        EXPECT_TRUE(ask(liar, call, request).has_refused());
      }
    }
  }
  // The victim is inside, and nobody else is; there is one more place.
  Raw rival = attacked.client(1, "rival");
  wire::Message tries = acquire(1, "m");
  tries.mutable_call()->mutable_acquire()->set_is_try(true);
  EXPECT_TRUE(ask(rival, tries, 1).has_refused());
  EXPECT_TRUE(ask(rival, acquire(2, "s", wire::SEMAPHORE, 2), 2).has_granted());
  EXPECT_TRUE(ask(victim, release(1), 1).has_left());
  attacked.expect_served();
  attacked.expect_alive();
}

TEST_P(Secrets, NeitherTokensNorTextNorOrderBreakAMember) {
  Attacked attacked({.road = GetParam()});
  ASSERT_TRUE(attacked.is_ready());
  Raw liar = attacked.client(0, "liar");
  const auto end = [&](std::uint64_t request, wire::Type type, std::uint64_t token) {
    wire::Message call;
    wire::Bury& bury = *call.mutable_call()->mutable_bury();
    bury.set_request(request);
    bury.set_name("own");
    bury.mutable_kind()->set_type(type);
    bury.mutable_kind()->set_max(3);
    if (type == wire::MUTEX) bury.mutable_kind()->clear_max();
    bury.set_owner("p");
    bury.set_token(token);
    return call;
  };
  // Numbers: tokens of other names go on from where they were.
  EXPECT_TRUE(ask(liar, end(1, wire::MUTEX, ~std::uint64_t{0}), 1).has_refused());
  EXPECT_TRUE(ask(liar, end(2, wire::MUTEX, ~std::uint64_t{0} << 31U), 2).has_refused());
  EXPECT_TRUE(ask(liar, end(3, wire::MUTEX, std::uint64_t{1} << 61U), 3).has_refused());
  const wire::Event held = ask(liar, acquire(4, "m"), 4);
  ASSERT_TRUE(held.has_granted());
  EXPECT_LT(held.granted().token(), std::uint64_t{1} << 40U);
  // Text that no other member could parse.
  wire::Message writes = acquire(5, "room", wire::ROOM, 1);
  wire::Acquire& ticket = *writes.mutable_call()->mutable_acquire();
  ticket.set_is_alone(true);
  ticket.set_wait_ns(50'000'000);
  *ticket.mutable_ticket()->mutable_origin() = held.granted().origin();
  ticket.mutable_ticket()->set_group("\x01\xff\xfe");
  ticket.mutable_ticket()->set_token(1);
  *ticket.mutable_ticket()->mutable_secret() = held.granted().secret();
  EXPECT_TRUE(ask(liar, writes, 5).has_refused());
  // A hold in a band ends, and that is cancelled at once.
  wire::Message band = acquire(6, "own-band", wire::BAND, 3);
  band.mutable_call()->mutable_acquire()->add_groups("p");
  band.mutable_call()->mutable_acquire()->set_owner("p");
  wire::Event lasts = ask(liar, band, 6);
  ASSERT_TRUE(lasts.has_lasts());
  for (std::uint64_t request = 7; request < 40; request += 2) {
    wire::Message bury = end(request, wire::BAND, lasts.lasts().token());
    bury.mutable_call()->mutable_bury()->set_name("own-band");
    wire::Message stay;
    stay.mutable_call()->mutable_stay()->set_request(request);
    wire::Message confirm;
    confirm.mutable_call()->mutable_confirm()->set_request(request);
    ASSERT_TRUE(liar.send_bytes(framed(bury) + framed(confirm) + framed(stay) + framed(stay)));
    ASSERT_TRUE(ask(liar, acquire(request + 1, "own-" + std::to_string(request)), request + 1)
                    .has_granted());
  }
  attacked.expect_served();
  attacked.expect_alive();
}

}  // namespace
}  // namespace coterie::attack
