// A client's hold on its way to become one that lasts (lasting.h): the arbiters that it rests on write it down.
#pragma once

#include "member/resource.h"

namespace coterie::member {

class Pinning {
 public:
  Pinning(Resource& home, Slot slot);

  bool is_on() const { return claim_ != nullptr; }
  Claim& claim() const { return *claim_; }
  // REQUIRES: the claim is inside, by the hold of this slot
  void begin(Claim& claim);
  // Asks those of the voters that were not asked yet.
  void ask(const NodeSet& voters);
  // What it was asked may be lost.
  void lapse(NodeId arbiter);
  bool is_about(const Pinned& pinned) const;
  // Whether a quorum has it now: then that is told to those that were asked. REQUIRES: is_about(pinned)
  bool is_done_by(NodeId arbiter);
  void end() { claim_ = nullptr; }
  // Nobody waits for it any more. What was written down is over if its client has said so; else it stays: its owner may
  // have found it there, and rely on it.
  void give_up();

 private:
  void say(NodeId arbiter, bool is_given);

  Resource& home_;
  Slot slot_;
  Claim* claim_ = nullptr;
  NodeSet asked_;
  NodeSet done_;
};

}  // namespace coterie::member
