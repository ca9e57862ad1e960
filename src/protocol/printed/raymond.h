// A mistake that is often made with Raymond's algorithm; the paper does not make it.
#pragma once

#include "protocol/raymond.h"

namespace coterie::protocol::raymond::printed {

class AsksOnce : public Site {
 public:
  using Site::Site;

 protected:
  void ask_again() override {}
};

}  // namespace coterie::protocol::raymond::printed
