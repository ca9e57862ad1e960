// MUTIN(l) as printed, and without what its text says is needed, one difference at a time.
#pragma once

#include "protocol/mutin.h"

namespace coterie::protocol::mutin::printed {

// response2-once
class RespondsAgainOnce : public Arbiter {
 public:
  using Arbiter::Arbiter;

 protected:
  void respond_again() override {
    Arbiter::respond_again();
    again_.reset();
  }
};

// no-ack
class AwaitsNoAck : public Requester {
 public:
  using Requester::on;
  using Requester::Requester;
  void on(NodeId, const Ack&) override {}

 protected:
  void acquire() override {
    Requester::acquire();
    leave();
  }
};

}  // namespace coterie::protocol::mutin::printed
