// Events of a member that says anything: a client that hears them goes on.
#include "fuzz.h"
#include "member_fuzz.h"
#include "net/codec_client.h"
#include "session/session.h"

namespace {

struct Silent final : coterie::session::Listener {
  using Ticket = coterie::session::Ticket;
  void send(const coterie::api::Call& /*call*/) override {}
  bool move_on() override { return true; }
  void close_former() override {}
  void part() override {}
  void granted(Ticket /*ticket*/, const coterie::session::Grant& /*grant*/) override {}
  void refused(Ticket /*ticket*/, const coterie::Refusal& /*refusal*/) override {}
  void renewed(Ticket /*ticket*/, coterie::api::Instant /*until*/) override {}
  void lost(Ticket /*ticket*/, const std::string& /*why*/) override {}
  void left(Ticket /*ticket*/) override {}
  void stays(Ticket /*ticket*/, const coterie::Refusal& /*refusal*/) override {}
  void lasts(Ticket /*ticket*/, const coterie::session::Grant& /*grant*/) override {}
};

}  // namespace

COTERIE_FUZZ(event) {
  Silent listener;
  coterie::session::Session session("fuzz", listener);
  coterie::api::Instant now{1'000'000'000};
  coterie::api::Wish wish;
  wish.name = "m";
  session.acquire(wish, coterie::api::Instant::never(), now);
  static_cast<void>(session.hello(false, now));
  coterie::fuzz::each_piece(bytes, [&](std::string_view piece) {
    coterie::wire::Message message;
    if (!message.ParseFromArray(piece.data(), static_cast<int>(piece.size()))) return;
    now = now + coterie::api::Duration::milliseconds(1);
    if (message.hello().has_welcome())
      session.welcomed(coterie::net::decode(message.hello().welcome()), now);
    if (const auto event = coterie::net::decode(message.event())) session.receive(*event, now);
    if (session.next_tick() <= now) session.tick(now);
  });
}
