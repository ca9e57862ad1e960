// Events of a member that says anything: a client that hears them goes on.
#include "client/session.h"
#include "fuzz.h"
#include "member_fuzz.h"

namespace {

struct Silent final : coterie::client::Listener {
  using Ticket = coterie::client::Ticket;
  void send(const coterie::wire::Message& /*message*/) override {}
  bool move_on() override { return true; }
  void close_former() override {}
  void part() override {}
  void granted(Ticket /*ticket*/, const coterie::client::Grant& /*grant*/) override {}
  void refused(Ticket /*ticket*/, const coterie::Refusal& /*refusal*/) override {}
  void renewed(Ticket /*ticket*/, coterie::member::Instant /*until*/) override {}
  void lost(Ticket /*ticket*/, const std::string& /*why*/) override {}
  void left(Ticket /*ticket*/) override {}
  void stays(Ticket /*ticket*/, const coterie::Refusal& /*refusal*/) override {}
  void lasts(Ticket /*ticket*/, const coterie::client::Grant& /*grant*/) override {}
  void answered(Ticket /*ticket*/, const coterie::wire::Event& /*event*/) override {}
};

}  // namespace

COTERIE_FUZZ(event) {
  Silent listener;
  coterie::client::Session session("fuzz", listener);
  coterie::member::Instant now{1'000'000'000};
  coterie::member::Wish wish;
  wish.name = "m";
  session.acquire(wish, coterie::member::Instant::never(), now);
  static_cast<void>(session.hello(false, now));
  coterie::fuzz::each_piece(bytes, [&](std::string_view piece) {
    coterie::wire::Message message;
    if (!message.ParseFromArray(piece.data(), static_cast<int>(piece.size()))) return;
    now = now + coterie::member::Duration::milliseconds(1);
    if (message.hello().has_welcome()) session.welcomed(message.hello().welcome(), now);
    if (message.has_event()) session.receive(message.event(), now);
    if (session.next_tick() <= now) session.tick(now);
  });
}
