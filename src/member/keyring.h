// The secrets of the clients that are inside by one hold, on their way to the arbiters that the hold rests on.
//
// A ticket moves a hold to another member when its own is gone, so that arbiters must be able to tell a ticket from a guess:
// they have the secret of each client with what they have of the hold. Three things keep that safe and cheap:
//   - an arbiter that knows a secret vouches for who shows it (adoption.cc), and for nobody else;
//   - in a mutex one client may follow another by the same hold without a message to anybody. So nothing is told of a hold
//     until it is older than host().key_after(): short holds cost no message, and their tickets are good only when they
//     are older. Once a secret was told, the hold is for its client alone: the next one asks the arbiters anew. So no
//     arbiter ever vouches for a client that has left while another is inside by what it left;
//   - where those inside are counted, a hold is never passed on, and its secret goes with the record of it.
// In a room all inside by one hold are of one group, which anybody may ask for: what a former client could show there is
// a place beside those whom it may join anyhow.
#pragma once

#include <vector>

#include "member/resource.h"

namespace coterie::member {

class Keyring {
 public:
  Keyring(Resource& home, Slot slot);

  // Somebody came in, or left: arbiters are told when tell() is called next.
  void change(const std::vector<Claim*>& inside);
  // Tells those of the voters that do not know yet.
  void tell(const NodeSet& voters);
  void lapse(NodeId arbiter) { told_.erase(arbiter); }
  // Nobody is inside, and what was told is over.
  void clear();
  bool empty() const { return keys_.empty(); }
  bool is_told() const { return is_told_; }  // to anybody
  bool is_current() const { return is_current_; }

 private:
  Resource& home_;
  Slot slot_;
  std::vector<Key> keys_;
  NodeSet told_;
  bool is_told_ = false;
  bool is_current_ = true;  // nothing has changed since it was told
};

}  // namespace coterie::member
