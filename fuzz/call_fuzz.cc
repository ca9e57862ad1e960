// Calls of a client that says anything; and every event that it is told can be read by a client.
#include <array>
#include <string>

#include "base/assert.h"
#include "fuzz.h"
#include "member_fuzz.h"
#include "net/codec.h"

COTERIE_FUZZ(call) {
  using coterie::wire::Call;
  coterie::fuzz::Lonely member;
  member.outlet().on_event = [](const coterie::member::Event& event) {
    static const std::array<std::string, 3> kNames = {"a", "b", "c"};
    coterie::wire::Event sent;
    coterie::net::encode(event, kNames, sent);
    coterie::wire::Event read;
    COTERIE_ASSERT(read.ParseFromString(sent.SerializeAsString()));
  };
  coterie::fuzz::each_piece(bytes, [&](std::string_view piece) {
    coterie::wire::Message message;
    if (!message.ParseFromArray(piece.data(), static_cast<int>(piece.size()))) return;
    const Call& call = message.call();
    if (call.has_keep_alive())
      return member.brain().keep_alive(1, call.keep_alive().beat(), member.later());
    if (call.has_release()) {
      const auto how = coterie::net::decode(call.release());
      if (how) member.brain().release(1, call.release().request(), member.later(), *how);
      return;
    }
    if (call.has_stay()) return member.brain().stay(1, call.stay().request(), member.later());
    if (!call.has_acquire()) return;
    const auto wish = coterie::net::decode(call.acquire());
    if (wish) member.brain().acquire(1, *wish, member.later());
  });
  member.brain().tick(member.later());
}
