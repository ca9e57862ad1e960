// What a process has done that its state no longer tells: for properties of more than one state. Only what a
// property asks for is kept, so that the others are judged on as few states as without it.
#pragma once

#include "base/fields.h"
#include "protocol/types.h"

namespace coterie::check {

using Token = std::uint64_t;  // of fencing; 0: none

struct History {
  Token token = 0;  // of the present entry
  // The highest that it has entered with, by group; in former lives too.
  protocol::Map<protocol::Group, Token> tokens;
  bool has_repeated =
      false;  // it entered with a token no higher than one that it had for the group before
  bool has_lost = false;    // a hold
  bool is_missing = false;  // it was inside, and was taken away: by a crash, or its hold was lost
  bool has_fallen = false;  // so was a former life, and the present one has been inside since
  COTERIE_FIELDS(token, tokens, has_repeated, has_lost, is_missing, has_fallen)
};

}  // namespace coterie::check
