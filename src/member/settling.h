// What becomes of a hold for an owner (lasting.h) when it is not known whether its client was told of it: its member died
// or was left while arbiters wrote it down, or arbiters refused.
//
// All members are asked, and each agrees or not, once and for all, on its disk. Two decisions are possible, each by a quorum:
//   - the hold is *confirmed*: others than its client may rely on it. An arbiter agrees that has it written down, unless it has
//     agreed that nothing comes of it.
//   - nothing comes of it: it is *withdrawn* by its own client, which shows the attempt that nobody else knows, or *denied* by
//     somebody else. An arbiter refuses to withdraw what it has confirmed. It refuses to deny what it has written down, because
//     the client may have been told: only if a quorum has not written it, and never will, the client cannot have been.
// Two quorums intersect, so that at most one of the two is decided. Where members are down neither may be: then the hold stays in
// the way, `coterie status` shows it, and `coterie release` ends it.
//
// That nothing comes of it ends it like a release: members that were away are told when they are back.
#pragma once

#include <string>

#include "coterie/node_set.h"
#include "member/wire.h"

namespace coterie::member {

struct Claim;

struct Settling {
  Slot slot = 0;           // by which answers to this one are known
  Claim* claim = nullptr;  // its client is told; none: nobody waits for it any more
  std::string name;
  Kind kind;
  Settle settle;
  NodeSet agreed;
  NodeSet confirmed;
  NodeSet denied;
  NodeSet answered;
  // What a client is told that wanted the hold, if nothing comes of it.
  Refusal why{};
  std::string text = {};
};

}  // namespace coterie::member
