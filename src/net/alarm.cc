#include "net/alarm.h"

#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <utility>

#include "net/clock.h"

#ifdef __linux__
#include <sys/timerfd.h>
#include <unistd.h>

#include <algorithm>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <cerrno>
#include <system_error>
#endif

namespace coterie::net {

namespace asio = boost::asio;
using boost::system::error_code;

namespace {

// From now on: the clock of a test is not the system's.
std::int64_t nanoseconds_until(member::Instant at) {
  return at.ns - Clock::now().time_since_epoch().count();
}

}  // namespace

#ifdef __linux__

struct Alarm::Waiting {
  explicit Waiting(asio::io_context& io) : descriptor(io, open()) {}

  static int open() {
    int made = ::timerfd_create(CLOCK_BOOTTIME, TFD_NONBLOCK | TFD_CLOEXEC);
    if (made < 0 && errno == EINVAL)
      made = ::timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC);
    if (made < 0) throw std::system_error(errno, std::generic_category(), "a timer");
    return made;
  }
  // 0: it does not ring.
  void set(std::int64_t nanoseconds) {
    constexpr std::int64_t kSecond = 1'000'000'000;
    itimerspec when{};
    when.it_value.tv_sec = nanoseconds / kSecond;
    when.it_value.tv_nsec = nanoseconds % kSecond;
    ::timerfd_settime(descriptor.native_handle(), 0, &when, nullptr);
  }
  // It may have been set anew since.
  bool has_rung() {
    std::uint64_t times = 0;
    return ::read(descriptor.native_handle(), &times, sizeof times) == sizeof times;
  }

  asio::posix::stream_descriptor descriptor;
  std::function<void()> rings;
  std::uint64_t number = 0;  // of the wait that counts
  bool is_waiting = false;
};

void Alarm::set(member::Instant at, std::function<void()> rings) {
  waiting_->rings = std::move(rings);
  if (at == member::Instant::never()) return cancel();
  waiting_->set(std::max<std::int64_t>(1, nanoseconds_until(at)));
  if (!waiting_->is_waiting) wait(waiting_);
}

void Alarm::wait(const std::shared_ptr<Waiting>& waiting) {
  waiting->is_waiting = true;
  waiting->descriptor.async_wait(
      asio::posix::stream_descriptor::wait_read,
      [weak = std::weak_ptr(waiting), number = ++waiting->number](error_code error) {
        const auto self = weak.lock();
        if (error || !self || self->number != number) return;
        self->is_waiting = false;
        if (!self->has_rung()) return wait(self);
        const auto does = std::exchange(self->rings, {});
        if (does) does();
      });
}

void Alarm::cancel() {
  waiting_->set(0);
  waiting_->rings = {};
  ++waiting_->number;
  waiting_->is_waiting = false;
  waiting_->descriptor.cancel();
}

#else

struct Alarm::Waiting {
  explicit Waiting(asio::io_context& io) : timer(io) {}
  asio::steady_timer timer;
};

void Alarm::set(member::Instant at, std::function<void()> rings) {
  if (at == member::Instant::never()) return cancel();
  waiting_->timer.expires_after(std::chrono::nanoseconds(nanoseconds_until(at)));
  waiting_->timer.async_wait([rings = std::move(rings)](error_code error) {
    if (!error) rings();
  });
}

void Alarm::cancel() { waiting_->timer.cancel(); }

#endif

Alarm::Alarm(asio::io_context& io) : waiting_(std::make_shared<Waiting>(io)) {}
Alarm::~Alarm() = default;

}  // namespace coterie::net
