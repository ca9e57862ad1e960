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

StatusLine::StatusLine() : terminal_(::isatty(STDERR_FILENO) == 1) {}

StatusLine::~StatusLine() {
  if (shown_) fmt::print(stderr, "\r\x1b[K");
}

double StatusLine::seconds() const {
  return std::chrono::duration<double>(Clock::now() - start_).count();
}

bool StatusLine::is_wanted() const {
  constexpr double kShortWork = 0.5;  // seconds
  return terminal_ && seconds() > kShortWork;
}

void StatusLine::show(const std::string& line) {
  fmt::print(stderr, "\r\x1b[K{}", shortened(line, kColumns - 1));
  std::fflush(stderr);
  shown_ = true;
}

void Progress::advance(const std::string& current) {
  if (line_.is_wanted()) {
    const double left = done_ == 0 ? 0
                                   : line_.seconds() / static_cast<double>(done_) *
                                         static_cast<double>(total_ - done_);
    line_.show(fmt::format("{} {}/{}{}  {}", what_, done_, total_,
                           done_ == 0 ? "" : fmt::format(", {:.0f} s left", left), current));
  }
  ++done_;
}

}  // namespace coterie::cli
