#include "cli/keys.h"

#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <array>

namespace coterie::cli {

namespace {

// Who is not is stopped if it changes the terminal.
bool is_in_foreground() { return ::tcgetpgrp(STDIN_FILENO) == ::getpgrp(); }

}  // namespace

Keys::Keys() {
  if (!is_in_foreground() || ::tcgetattr(STDIN_FILENO, &before_) != 0) return;
  termios quiet = before_;
  quiet.c_lflag &= ~static_cast<tcflag_t>(ICANON | ECHO);
  if (::tcsetattr(STDIN_FILENO, TCSANOW, &quiet) == 0) file_ = STDIN_FILENO;
}

// What was typed and not read is not for the shell.
Keys::~Keys() {
  if (file_ >= 0 && is_in_foreground()) ::tcsetattr(file_, TCSAFLUSH, &before_);
}

bool Keys::take(char key) {
  pollfd file{file_, POLLIN, 0};
  if (::poll(&file, 1, 0) <= 0) return false;
  std::array<char, 64> typed{};
  const ssize_t count = ::read(file_, typed.data(), typed.size());
  if (count <= 0) file_ = -1;  // the terminal is gone
  if (count <= 0) return false;
  return std::find(typed.begin(), typed.begin() + count, key) != typed.begin() + count;
}

}  // namespace coterie::cli
