#include "cli/signals.h"

#include <poll.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <array>
#include <cstdint>

#include "cli/input.h"

namespace coterie::cli {

Bell::Bell() : file_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {
  if (file_ < 0) throw Failure("too many files are open", kExitFound);
}
Bell::~Bell() { ::close(file_); }

void Bell::ring() const {
  const std::uint64_t one = 1;
  static_cast<void>(!::write(file_, &one, sizeof(one)));
}

void Bell::silence() const {
  std::uint64_t rung = 0;
  static_cast<void>(!::read(file_, &rung, sizeof(rung)));
}

Signals::Signals() : Signals({SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2, SIGCHLD}) {
  // Whoever started us may have ignored it, and then a child's end is not told.
  static_cast<void>(std::signal(SIGCHLD, SIG_DFL));
}

Signals::Signals(std::initializer_list<int> numbers) {
  ::sigemptyset(&taken_);
  for (const int number : numbers) ::sigaddset(&taken_, number);
  ::pthread_sigmask(SIG_BLOCK, &taken_, &before_);
  file_ = ::signalfd(-1, &taken_, SFD_CLOEXEC | SFD_NONBLOCK);
  if (file_ < 0) throw Failure("too many files are open", kExitFound);
}

Signals::~Signals() {
  ::close(file_);
  ::pthread_sigmask(SIG_SETMASK, &before_, nullptr);
}

std::optional<Signals::Signal> Signals::wait(const Bell& bell, std::chrono::milliseconds at_most) {
  const auto signal = wait(at_most, bell.file());
  bell.silence();
  return signal;
}

std::optional<Signals::Signal> Signals::wait(std::chrono::milliseconds at_most, int file) {
  std::array<pollfd, 2> files{{{file_, POLLIN, 0}, {file, POLLIN, 0}}};
  ::poll(files.data(), files.size(), static_cast<int>(at_most.count()));
  return next();
}

std::optional<Signals::Signal> Signals::next() const {
  signalfd_siginfo info{};
  if (::read(file_, &info, sizeof(info)) != sizeof(info)) return std::nullopt;
  return Signal{static_cast<int>(info.ssi_signo), info.ssi_code == SI_KERNEL};
}

void Signals::pass(int number) const {
  sigset_t one{};
  ::sigemptyset(&one);
  ::sigaddset(&one, number);
  static_cast<void>(std::raise(number));
  ::pthread_sigmask(SIG_UNBLOCK, &one, nullptr);  // it is here that it takes effect
  ::pthread_sigmask(SIG_BLOCK, &one, nullptr);
}

void Signals::end_by(int number) const {
  static_cast<void>(std::signal(number, SIG_DFL));
  pass(number);
  constexpr int kSignal = 128;
  ::_exit(kSignal + number);
}

bool is_end(const Signals::Signal& signal) {
  return signal.number != SIGCHLD && signal.number != SIGUSR1 && signal.number != SIGUSR2;
}

}  // namespace coterie::cli
