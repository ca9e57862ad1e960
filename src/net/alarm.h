// Rings at a time of coterie::Clock. Timers of asio wait on a clock that stands still while the machine sleeps: after
// that they would ring late, and what is over would be noticed late. This one rings as soon as the machine wakes up.
#pragma once

#include <boost/asio/io_context.hpp>
#include <cstdint>
#include <functional>
#include <memory>

#include "member/api.h"

namespace coterie::net {

class Alarm {
 public:
  explicit Alarm(boost::asio::io_context& io);
  ~Alarm();
  Alarm(const Alarm&) = delete;
  Alarm& operator=(const Alarm&) = delete;

  // Instead of what it was set to before.
  void set(member::Instant at, std::function<void()> rings);
  void cancel();

 private:
  struct Waiting;
  static void wait(const std::shared_ptr<Waiting>& waiting);

  std::shared_ptr<Waiting> waiting_;
};

}  // namespace coterie::net
