// The end of whatever an owner has of a name (lasting.h), by a member that need not know what that is.
//
// All members are asked to end what this one knows of, and to say if there is something else. What was given is at a quorum, so
// that a quorum of answers names it: then who asks must look, and say which is meant. Otherwise it is over when a quorum has
// answered and a quorum has written it down: if too few had it, those that had none write it down too.
// Nothing ends but what was there when the end was asked for: who asked may be gone, have asked elsewhere, and have its next hold.
#pragma once

#include <deque>
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
  Number known = 0;                 // its token, if it was known when the end was asked for
  Kind kind;                        // of the name, as others know it
  NodeSet answered;                 // who has nothing else
  std::map<Number, End> ends = {};  // by token
};

// What a member gave its own clients last, by its token: it need not be one of those that have it written down.
class Given {
 public:
  void add(const std::string& name, const std::string& owner, Number token);
  Number token_of(const std::string& name, const std::string& owner) const;  // 0: not known

 private:
  struct Hold {
    std::string name;
    std::string owner;
    Number token = 0;
  };
  std::deque<Hold> holds_;  // the last one first
};

}  // namespace coterie::member
