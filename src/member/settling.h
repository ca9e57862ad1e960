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
// Votes must not split while a member is down, or neither is decided. So a member that acts for a client asks first whether
// anybody knows the hold as given, and has a quorum answer, before it puts anything to the vote: what was given is confirmed,
// also for its own client. But a client whose withdrawal has begun goes on with it. The member that gave the hold, and gives it
// up, need not ask. If votes split all the same, the hold stays in the way, `coterie status` shows it, and `coterie release`
// ends it. `coterie check calls:look` and the like explore these rules (docs/checking.md, "Calls").
//
// A member that lost its disk may have voted before. It learns how others have voted: if one denied what another has or vouches
// for, this member may have voted either way, and votes on it no more.
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
  bool is_withdrawal = false;  // its client waits until it is decided; others look again
  bool is_forced = false;      // of an end, which waits for an inquiry: whoever minds
  Number given = 0;            // an inquiry: this was, of this attempt; or it is known
  Attempt given_attempt = {};
  NodeSet agreed;
  NodeSet confirmed;
  NodeSet denied;
  NodeSet answered;
  // What a client is told that wanted the hold, if nothing comes of it.
  Refusal why{};
  std::string text = {};
};

}  // namespace coterie::member
