// Maekawa's algorithm before Sanders' correction, one difference at a time.
#pragma once

#include "protocol/maekawa.h"

namespace coterie::protocol::maekawa::printed {

// S1
class DropsInquire : public Requester {
 public:
  using Requester::on;
  using Requester::Requester;
  void on(NodeId from, const Inquire& message) override {
    if (!failed_.empty()) Requester::on(from, message);
  }
};

// S2
class TellsNewcomersOnly : public Arbiter {
 public:
  using Arbiter::Arbiter;

 protected:
  void displace(const Stamp&) override {}
};

}  // namespace coterie::protocol::maekawa::printed
