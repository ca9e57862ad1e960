// Mistakes that are often made with Suzuki and Kasami's algorithm; the paper makes none of them.
#pragma once

#include "protocol/suzuki_kasami.h"

namespace coterie::protocol::suzuki_kasami::printed {

// With either mistake the token comes to a process that does not want it.
class Unasked : public Site {
 public:
  using Site::on;
  using Site::Site;
  void on(NodeId from, const Token& message) override {
    if (phase_ == Phase::waiting) return Site::on(from, message);
    token_ = message;
  }
};

class ServesAgain : public Unasked {
 public:
  using Unasked::on;
  using Unasked::Unasked;
  void on(NodeId from, const Request& message) override {
    Site::on(from, message);
    if (token_ && phase_ == Phase::idle) pass_on(from);
  }
};

class QueuesAgain : public Unasked {
 public:
  using Unasked::Unasked;

 protected:
  bool is_queued(NodeId) const override { return false; }
};

}  // namespace coterie::protocol::suzuki_kasami::printed
