// Ends of holds that get one thing wrong. Torture must see each of them (sim/torture_mutants.cc).
#pragma once

#include "session/end_call.h"

namespace coterie::session::mutants {

// It ends whatever the owner has when it arrives.
class ReleasesOwner : public EndCall {
 public:
  using EndCall::EndCall;

 protected:
  api::Burial burial_of(const api::Picture& picture,
                        const api::Picture::Holder& holder) const override {
    api::Burial burial = EndCall::burial_of(picture, holder);
    burial.token = 0;
    return burial;
  }
};

// The member that was asked first may have let the owner out before it went away.
class StaysUnheard : public EndCall {
 public:
  using EndCall::EndCall;

 protected:
  bool may_be_over() const override { return false; }
};

}  // namespace coterie::session::mutants
