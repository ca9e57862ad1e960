#include "cli/terminal.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <sstream>

#include "cli/table.h"

namespace coterie::cli {
namespace {

std::atomic<bool> stop_asked = false;
static_assert(std::atomic<bool>::is_always_lock_free, "a signal handler sets it");

void on_interrupt(int /*signal*/) {
  stop_asked = true;
  static_cast<void>(std::signal(SIGINT, SIG_DFL));
}

}  // namespace

const std::atomic<bool>& interruption() {
  static const bool installed = [] {
    static_cast<void>(std::signal(SIGINT, on_interrupt));
    return true;
  }();
  static_cast<void>(installed);
  return stop_asked;
}

bool interrupted() { return interruption(); }

std::size_t columns_of(int file) {
  winsize size{};
  if (::ioctl(file, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return kColumns;
  return size.ws_col;
}

std::string folded(const std::string& lines, int file) {
  if (::isatty(file) != 1) return lines;
  constexpr std::size_t kIndent = 2;
  const std::size_t columns = columns_of(file);
  std::string text;
  std::istringstream each(lines);
  for (std::string line; std::getline(each, line);)
    text += line.size() <= columns ? line + '\n' : wrapped(line, kIndent, columns);
  return text;
}

StatusLine::StatusLine() : terminal_(::isatty(STDERR_FILENO) == 1) {}

StatusLine::~StatusLine() {
  if (shown_ && terminal_) fmt::print(stderr, "\r\x1b[K");
}

double StatusLine::seconds() const {
  return std::chrono::duration<double>(Clock::now() - start_).count();
}

bool StatusLine::is_wanted() const {
  constexpr double kShortWork = 0.5;  // seconds
  return terminal_ && seconds() > kShortWork;
}

bool StatusLine::is_due() const {
  constexpr double kLongWait = 2;  // seconds
  return terminal_ ? is_wanted() : !shown_ && seconds() > kLongWait;
}

void StatusLine::say(const std::string& line) {
  if (terminal_) return show(line);
  fmt::print(stderr, "coterie: {}\n", line);
  shown_ = true;
}

void StatusLine::show(const std::string& line) {
  // In the last column some terminals go on to the next row.
  fmt::print(stderr, "\r\x1b[K{}", begun(line, columns_of(STDERR_FILENO) - 1));
  std::fflush(stderr);
  shown_ = true;
}

void ProgressBar::show(double done, const std::string& current) {
  constexpr double kEvery = 0.1;  // seconds
  constexpr std::size_t kWidth = 24;
  if (!line_.is_wanted() || line_.seconds() - shown_ < kEvery) return;
  shown_ = line_.seconds();
  const auto full = static_cast<std::size_t>(std::clamp(done, 0.0, 1.0) * kWidth);
  const std::string left =
      done > 0 ? fmt::format(", {:.0f} s left", shown_ * (1 - done) / done) : "";
  line_.show(fmt::format("[{}{}] {:.0f} %{}  {}", std::string(full, '#'),
                         std::string(kWidth - full, '.'), 100 * done, left, current));
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
