// Maekawa_M and its kin read to the letter of their descriptions, one difference at a time.
#pragma once

#include "protocol/maekawa_m.h"

namespace coterie::protocol::maekawa_m::printed {

// M1
class InquiresOnArrival : public Arbiter {
 public:
  using Arbiter::Arbiter;
  using Arbiter::on;
  void on(NodeId, const Released& message) override {
    drop(message.stamp);
    lock_joiners();
  }
};

// M2
template <class Base>
class InquiresForOtherGroups : public Base {
 public:
  using Base::Base;

 protected:
  void take_back() override {
    const Stamp* waiting = Base::best_waiting();
    if (waiting != nullptr && Base::queue_.at(*waiting).group != Base::group()) Base::take_back();
  }
};

}  // namespace coterie::protocol::maekawa_m::printed
