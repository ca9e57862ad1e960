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
  // The lease is over: the arbiter may have lost what it was asked, and, with its disk, what it wrote down. Its answer counts
  // no longer, and it is asked again if it votes again.
  void lapse(NodeId arbiter);
  bool is_about(const Pinned& pinned) const;
  // Whether a quorum has it now: then that is told to those that were asked. REQUIRES: is_about(pinned)
  bool is_done_by(NodeId arbiter);
  // What was written down stays: its owner may have found it there, and rely on it. See Host::withdraw.
  void end() { claim_ = nullptr; }

 private:
  void say(NodeId arbiter, bool is_given);

  Resource& home_;
  Slot slot_;
  Claim* claim_ = nullptr;
  NodeSet asked_;
  NodeSet done_;
};

}  // namespace coterie::member
