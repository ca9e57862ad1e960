// The end of whatever an owner has of a name (lasting.h), by a member that need not know what that is.
//
// All members are asked to end what they have of it, and say what that was. What was given is at a quorum, so a quorum of
// answers names it. Who had none is told of those that others had; when a quorum has written down the end of each, and
// a quorum has said that it has no more, the owner has nothing. The member itself, if it had none, writes that down last:
// its client need not wait for it.
#pragma once

#include <map>
#include <utility>
#include <vector>

#include "coterie/node_set.h"
#include "member/wire.h"

namespace coterie::member {

struct Claim;

struct Ending {
  Claim* claim = nullptr;  // who is told
  std::string name;
  std::string owner;
  NodeSet answered;                                          // who has no more
  Kind kind = {};                                            // of the name, as others know it
  std::map<Number, NodeSet> ended = {};                      // by token: who has written that down
  std::vector<std::pair<NodeId, Packet<Ask>>> put_off = {};  // others ask us to write it down too
};

}  // namespace coterie::member
