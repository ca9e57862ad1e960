// The fused floor without what makes it right, one difference at a time.
#pragma once

#include "protocol/fused.h"

namespace coterie::protocol::fused::printed {

// no-update
class TellsGranteesOnce : public Arbiter {
 public:
  using Arbiter::Arbiter;
  using Arbiter::on;
  void on(NodeId from, const Entered&) override { inside_.insert(from); }
};

// never-yields
class NeverYields : public Requester {
 public:
  using Requester::on;
  using Requester::Requester;
  void on(NodeId, const Preempt&) override {}
};

}  // namespace coterie::protocol::fused::printed
