// Frames of a peer that says anything, to a member whose clients want something of each kind: it goes on.
#include "fuzz.h"
#include "member_fuzz.h"
#include "net/codec.h"

namespace {

void want_all_kinds(coterie::fuzz::Lonely& member) {
  using coterie::member::Type;
  const std::vector<coterie::member::Wish> wishes = {
      {.request = 1, .name = "m", .kind = {Type::mutex}, .groups = {}, .wait = {}, .ticket = {}},
      {.request = 2,
       .name = "r",
       .kind = {Type::room},
       .groups = {"blue", "red"},
       .wait = {},
       .ticket = {}},
      {.request = 3,
       .name = "s",
       .kind = {Type::semaphore, 0, 2},
       .groups = {},
       .wait = {},
       .ticket = {}},
      {.request = 4,
       .name = "k",
       .kind = {Type::room, 0, 2},
       .groups = {"blue"},
       .wait = {},
       .ticket = {}},
      {.request = 5,
       .name = "b",
       .kind = {Type::band, 1, 2},
       .groups = {"x"},
       .wait = {},
       .ticket = {}},
      {.request = 6,
       .name = "o",
       .kind = {Type::mutex},
       .groups = {},
       .owner = "me",
       .wait = {},
       .ticket = {}},
  };
  for (const auto& wish : wishes) member.brain().acquire(1, wish, member.later());
}

}  // namespace

COTERIE_FUZZ(frame) {
  coterie::fuzz::Lonely member;
  want_all_kinds(member);
  member.brain().show(1, 9, "m", member.later());
  coterie::fuzz::each_piece(bytes, [&](std::string_view piece) {
    coterie::wire::Message message;
    if (!message.ParseFromArray(piece.data(), static_cast<int>(piece.size()))) return;
    const auto frame = coterie::net::decode(message.frame());
    if (frame) member.brain().receive(1, *frame, member.later());
  });
  member.brain().tick(member.later());
}
