// What becomes of a hold for an owner (lasting.h) when it is not known whether its client was told of it: its member died
// or was left while arbiters wrote it down, or arbiters refused.
//
// All members vote, each once and for all, on its disk. Two decisions are possible, each by a quorum:
//   - the hold is *confirmed*: its owner may rely on it. An arbiter vouches for what it has written down, unless it has agreed
//     that nothing comes of it. If some member knows the hold as given, a quorum has written it down: then an arbiter that has
//     not written it vouches for it too, because it only promises not to agree to the other decision.
//   - nothing comes of it: it is *withdrawn* by its own client, which shows the attempt that nobody else knows, or *denied* by
//     another process of its owner. An arbiter refuses to withdraw what it vouches for, and nothing else: the client knows that it
//     was not told. It refuses to deny what it has written down, because the client may have been told: only if a quorum has not
//     written it, and never will, the client cannot have been.
// Two quorums intersect, so that at most one of the two is decided.
//
// A member that acts for another process than the hold's client asks first whether anybody knows the hold as given, and has a
// quorum answer, before it puts anything to the vote: with one of the members down that have it written, the others must vouch.
// Votes split only if two processes of one owner ask at the same time, and the one whose member died withdraws what the other
// confirms. Then neither may be decided: the hold stays in the way, `coterie status` shows it, and `coterie release` ends it.
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
