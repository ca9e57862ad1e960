// Surrogate over a k-coterie as the paper's own text would have it, where no INVITE comes too late.
#pragma once

#include "protocol/surrogate_k.h"

namespace coterie::protocol::surrogate_k::printed {

class DropsStaleInvite : public Requester {
 public:
  using Requester::on;
  using Requester::Requester;
  void on(NodeId from, const surrogate::Invite& message) override {
    if (!is_stale(message.stamp)) Requester::on(from, message);
  }
};

}  // namespace coterie::protocol::surrogate_k::printed
