// The end of whatever an owner has of a name (lasting.h), by a member that need not know what that is.
//
// All members are asked to end what they have of it, and say what that was. What was given is at a quorum, so a quorum of
// answers names it. It is over when a quorum has said that it has no more, and a quorum has written down the end of each
// that was named: if too few had it, those that had none write it down too.
#pragma once

#include <map>
#include <string>

#include "coterie/node_set.h"
#include "member/wire.h"

namespace coterie::member {

struct Claim;

struct Ending {
  struct End {
    NodeSet written;  // by these
    NodeSet asked;    // who had none
  };
  Slot slot = 0;           // by which answers to this one are known
  Claim* claim = nullptr;  // who is told
  std::string name;
  std::string owner;
  Kind kind;                        // of the name, as others know it
  NodeSet answered;                 // who has no more
  std::map<Number, End> ends = {};  // by token
};

}  // namespace coterie::member
