// (l,k)-GCS with its steps in another order than the paper's, one at a time.
#pragma once

#include "protocol/gcs.h"

namespace coterie::protocol::gcs::printed {

// kmex-first
class MakesRoomFirst : public Gcs {
 public:
  using Gcs::Gcs;
  void exit() override {
    kmex_.exit();
    Gcs::exit();
  }

 protected:
  using Gcs::react;
  void react(Lmin::Answer answer) override {
    if (answer == Lmin::Answer::exited) out_.exited();
  }
};

// lmin-first
class CountedOnFirst : public Gcs {
 public:
  using Gcs::Gcs;
  void enter(const Demand& demand) override {
    lmin_.enter({});
    Gcs::enter(demand);
  }

 protected:
  using Gcs::react;
  void react(Kmex::Answer answer) override {
    if (answer == Kmex::Answer::entered) out_.entered(0);
  }
};

}  // namespace coterie::protocol::gcs::printed
