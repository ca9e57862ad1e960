// The end of whatever an owner has of a name (lasting.h), by a member that need not know what that is.
//
// All members are asked to end what they have of it, and say what that was. What was given is at a quorum, so a quorum of
// answers names it. Who had none is told of those that others had; when a quorum has written down the end of each, and
// a quorum has said that it has no more, the owner has nothing.
#pragma once

#include <map>

#include "coterie/node_set.h"
#include "member/wire.h"

namespace coterie::member {

struct Claim;

struct Ending {
  Claim* claim = nullptr;                // who is told
  NodeSet answered;                      // who has no more
  std::map<Number, NodeSet> ended = {};  // by token: who has written that down
};

}  // namespace coterie::member
