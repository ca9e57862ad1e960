#include "cli/terminal.h"

#include <fmt/format.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>

#include "cli/table.h"

namespace coterie::cli {
namespace {

volatile std::sig_atomic_t stop_asked = 0;

void on_interrupt(int /*signal*/) {
  stop_asked = 1;
  static_cast<void>(std::signal(SIGINT, SIG_DFL));
}

}  // namespace

bool interrupted() {
  static const bool installed = [] {
    static_cast<void>(std::signal(SIGINT, on_interrupt));
    return true;
  }();
  return installed && stop_asked != 0;
}

Progress::Progress(std::string what, std::size_t total)
    : what_(std::move(what)), total_(total), terminal_(::isatty(STDERR_FILENO) == 1) {}

Progress::~Progress() {
  if (shown_) fmt::print(stderr, "\r\x1b[K");
}

void Progress::advance(const std::string& current) {
  constexpr double kShortWork = 0.5;  // seconds
  const double elapsed = std::chrono::duration<double>(Clock::now() - start_).count();
  if (terminal_ && elapsed > kShortWork) {
    const double left =
        done_ == 0 ? 0 : elapsed / static_cast<double>(done_) * static_cast<double>(total_ - done_);
    const std::string line =
        fmt::format("{} {}/{}{}  {}", what_, done_, total_,
                    done_ == 0 ? "" : fmt::format(", {:.0f} s left", left), current);
    fmt::print(stderr, "\r\x1b[K{}", shortened(line, kColumns - 1));
    std::fflush(stderr);
    shown_ = true;
  }
  ++done_;
}

}  // namespace coterie::cli
