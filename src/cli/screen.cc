#include "cli/screen.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <string_view>
#include <utility>

namespace coterie::cli {

namespace {

// Private modes of terminals since the VT100: the other screen, a cursor, lines that go on below.
constexpr const char* kOpen = "\x1b[?1049h\x1b[?25l\x1b[?7l";
constexpr const char* kClose = "\x1b[?7h\x1b[?25h\x1b[?1049l";

std::size_t rows_of_terminal() {
  constexpr std::size_t kUsual = 24;
  winsize size{};
  if (::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_row == 0) return kUsual;
  return size.ws_row;
}

// The lines that there is room for; the last one tells how many there are besides.
std::string fitted(std::string_view page, std::size_t rows) {
  std::string text;
  std::size_t lines = 0;
  std::size_t hidden = 0;
  for (std::size_t at = 0; at < page.size(); ++lines) {
    const std::size_t end = std::min(page.find('\n', at), page.size());
    const bool is_last = end + 1 >= page.size();
    if (lines + 1 < rows || (lines + 1 == rows && is_last)) {
      text += fmt::format("{}{}\x1b[K", lines == 0 ? "" : "\r\n", page.substr(at, end - at));
    } else {
      ++hidden;
    }
    at = end + 1;
  }
  if (hidden > 0) text += fmt::format("{}{} more lines\x1b[K", rows == 1 ? "" : "\r\n", hidden);
  return text;
}

}  // namespace

Screen::Screen(bool is_in_place)
    : signals_({SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP, SIGWINCH}), is_in_place_(is_in_place) {}

Screen::~Screen() { close(); }

void Screen::open() {
  if (keys_) return;
  keys_.emplace();
  fmt::print("{}", kOpen);
}

void Screen::close() {
  if (!keys_) return;
  keys_.reset();
  fmt::print("{}", kClose);
  std::fflush(stdout);
}

void Screen::draw() {
  if (!is_in_place_) {
    fmt::print("{}", page_);
  } else {
    open();
    fmt::print("\x1b[H{}\x1b[J", fitted(page_, rows_of_terminal()));
  }
  std::fflush(stdout);
}

void Screen::show(std::string page) {
  page_ = std::move(page);
  draw();
}

// Ctrl-Z: the shell gets its own screen back, until it lets us go on.
void Screen::suspend() {
  close();
  signals_.pass(SIGTSTP);
  if (is_in_place_) draw();
}

std::optional<int> Screen::rest(std::chrono::milliseconds time) {
  using Clock = std::chrono::steady_clock;
  constexpr int kSignalled = 128;  // as shells count
  const auto end = Clock::now() + time;
  while (Clock::now() < end) {
    const auto signal =
        signals_.wait(std::chrono::ceil<std::chrono::milliseconds>(end - Clock::now()),
                      keys_ ? keys_->file() : -1);
    if (keys_ && keys_->take('q')) return 0;
    if (!signal) continue;
    if (signal->number == SIGTSTP) {
      suspend();
    } else if (signal->number != SIGWINCH) {
      return kSignalled + signal->number;
    } else if (is_in_place_) {
      draw();
    }
  }
  return std::nullopt;
}

}  // namespace coterie::cli
