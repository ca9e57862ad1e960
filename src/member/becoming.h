// A name that becomes something else: a mutex a semaphore, a room one for several groups; or nothing in particular.
//
// Everybody agrees on a name by what it is asked for as, or, once it was set (`coterie set`), by that: what was set with the
// greatest version holds. Numbers change while people are inside (counting_change.cc). For the rest all must have left, as the
// algorithms differ: who hears of it lets nobody in any more, refuses those who wait, and tells all others. When nothing of
// the old is left with it, it turns: writes the new down, and serves that. So each arbiter is asked for one of the
// two at a time; who is inside rests on a quorum of arbiters that have not turned, and nobody comes in by the new without
// a quorum of those that have.
//
// What was set is forgotten in the same way, by all members: one who has not might bring it back. That it is, and as of which
// version, they do not forget, for the same reason.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "coterie/node_set.h"
#include "member/wire.h"

namespace coterie::member {

struct Claim;

// Terms of nothing in particular: in the place of numbers.
inline constexpr std::uint32_t kForgotten = 0;
inline bool is_forgotten(const Terms& terms) { return terms.max == kForgotten; }

// A member's part in it, until it turns.
struct Becoming {
  Kind kind;
  Terms terms;
  NodeSet told_by;  // to be answered when it has
  // Who asks for what it is to be waits. Peers say more than that in a session: all of it waits, in order.
  std::vector<std::pair<NodeId, Packet<Ask>>> asks = {};
};

// Why a change is refused that names another version of what is set than the one in force.
std::string text_of_version(std::uint64_t named, std::uint64_t known);

// For a client, who is told when it is so.
struct Reform {
  Claim* claim = nullptr;
  std::string name;
  Kind kind;
  bool forgets = false;
  Terms terms = {};        // version 0: the last one is not known yet
  std::uint64_t last = 0;  // as far as others have told
  NodeSet told;            // who has told; then who has turned
};

}  // namespace coterie::member
