// Maekawa_M and its kin read to the letter of their descriptions, one difference at a time.
#pragma once

#include "protocol/maekawa_m.h"

namespace coterie::protocol::maekawa_m::printed {

// M1
template <class Base>
class InquiresOnArrival : public Base {
 public:
  using Base::Base;
  using Base::on;
  void on(NodeId, const Released& message) override {
    Base::drop(message.stamp);
    Base::lock_joiners();
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
