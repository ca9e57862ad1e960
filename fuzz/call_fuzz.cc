// Calls of a client that says anything, to a member that can grant alone; and every event that it is told can be
// read by a client.
#include <array>
#include <string>

#include "base/assert.h"
#include "fuzz.h"
#include "member/api.h"
#include "member_fuzz.h"
#include "net/codec.h"

namespace {

void answer(coterie::fuzz::Lonely& member, const coterie::wire::Call& call) {
  using coterie::wire::Call;
  coterie::member::Member& brain = member.brain();
  switch (call.what_case()) {
    case Call::kKeepAlive:
      return brain.keep_alive(1, call.keep_alive().beat(), member.later());
    case Call::kAcquire: {
      const auto wish = coterie::net::decode(call.acquire());
      if (wish) brain.acquire(1, *wish, member.later());
      return;
    }
    case Call::kRelease: {
      const auto how = coterie::net::decode(call.release());
      if (how) brain.release(1, call.release().request(), member.later(), *how);
      return;
    }
    case Call::kBury: {
      const auto burial = coterie::net::decode(call.bury());
      if (burial) brain.bury(1, *burial, member.later());
      return;
    }
    case Call::kStay:
      return brain.stay(1, call.stay().request(), member.later());
    case Call::kConfirm:
      return brain.confirm(1, call.confirm().request(), member.later());
    case Call::kShow:
      if (!coterie::member::fault_of_name("the name", call.show().name()).empty()) return;
      return brain.show(1, call.show().request(), call.show().name(), member.later());
    default:
      return;
  }
}

}  // namespace

COTERIE_FUZZ(call) {
  coterie::fuzz::Lonely member({"a"});
  member.outlet().on_event = [](const coterie::member::Event& event) {
    static const std::array<std::string, 1> kNames = {"a"};
    coterie::wire::Event sent;
    coterie::net::encode(event, kNames, sent);
    coterie::wire::Event read;
    COTERIE_ASSERT(read.ParseFromString(sent.SerializeAsString()));
  };
  coterie::fuzz::each_piece(bytes, [&](std::string_view piece) {
    coterie::wire::Message message;
    if (message.ParseFromArray(piece.data(), static_cast<int>(piece.size())))
      answer(member, message.call());
  });
  member.brain().tick(member.later());
}
