// k-mutual exclusion with the choices that come to mind and fail, one difference at a time.
#pragma once

#include "protocol/k_mutex.h"

namespace coterie::protocol::k_mutex::printed {

// K1
class StaysWithOneQuorum : public Requester {
 public:
  using Requester::Requester;
  void alarm(const NodeSet&) override {}
};

// K2
class NeverPreempts : public Arbiter {
 public:
  using Arbiter::Arbiter;

 protected:
  void preempt() override {}
};

// K3
class KeepsSurplus : public Requester {
 public:
  using Requester::Requester;

 protected:
  NodeSet votes_to_keep() const override { return asked_; }
};

// K4
class TakesAnyGrant : public Requester {
 public:
  using Requester::on;
  using Requester::Requester;
  void on(NodeId from, const Grant&) override {
    if (asked_.contains(from)) Requester::on(from, Grant{current_});
  }
};

}  // namespace coterie::protocol::k_mutex::printed
