// Mistakes that are often made with Ricart and Agrawala's algorithm; the paper makes none of them.
#pragma once

#include "protocol/ricart_agrawala.h"

namespace coterie::protocol::ricart_agrawala::printed {

class NoTieBreak : public Site {
 public:
  using Site::Site;

 protected:
  bool is_before(const Stamp& stamp) const override { return current_.time < stamp.time; }
};

class NoClock : public Site {
 public:
  using Site::on;
  using Site::Site;
  void on(NodeId, const Request& message) override { answer(message.stamp); }
};

}  // namespace coterie::protocol::ricart_agrawala::printed
