// Frames of a peer that says anything: a member that receives them goes on.
#include "fuzz.h"
#include "member_fuzz.h"
#include "net/codec.h"

COTERIE_FUZZ(frame) {
  coterie::fuzz::Lonely member;
  member.brain().show(1, 1, "m", member.later());
  coterie::fuzz::each_piece(bytes, [&](std::string_view piece) {
    coterie::wire::Message message;
    if (!message.ParseFromArray(piece.data(), static_cast<int>(piece.size()))) return;
    const auto frame = coterie::net::decode(message.frame());
    if (frame) member.brain().receive(1, *frame, member.later());
  });
  member.brain().tick(member.later());
}
