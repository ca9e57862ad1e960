// The end of whatever an owner has of a name (lasting.h), by a member that need not know what that is.
//
// All members are asked what they have of it, and to end what the one who asks knows of, mostly that. What was given is at a
// quorum, so a quorum of answers names it; what was not known is then ended by its token. It is over when a quorum has
// answered, and a quorum has written down the end of each that was named: if too few had it, those that had none write it down too.
// Nothing is ended but by its token: a question may come late, when the owner has another hold.
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
    NodeSet asked;    // by its token
  };
  Slot slot = 0;           // by which answers to this one are known
  Claim* claim = nullptr;  // who is told
  std::string name;
  std::string owner;
  Kind kind;                        // of the name, as others know it
  NodeSet answered;                 // what they have
  std::map<Number, End> ends = {};  // by token
};

}  // namespace coterie::member
