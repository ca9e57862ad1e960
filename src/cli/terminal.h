// What a person at a terminal expects of long work: a line of progress, and Ctrl-C that keeps what is done.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <string>
#include <utility>

namespace coterie::cli {

// From the first call of either on, Ctrl-C asks for a stop instead of ending the program; a second one
// ends it.
bool interrupted();
const std::atomic<bool>& interruption();

// How many characters a line of the terminal has that this file is; 80 if it is none.
std::size_t columns_of(int file);

// Lines for this file: if it is a terminal, they are broken at words where it is too narrow.
std::string folded(const std::string& lines, int file);

// A line on standard error that is written over as work goes on, and gone when it ends.
class StatusLine {
 public:
  StatusLine();
  ~StatusLine();
  StatusLine(const StatusLine&) = delete;
  StatusLine& operator=(const StatusLine&) = delete;
  // There is a terminal, and the work is not short.
  bool is_wanted() const;
  void show(const std::string& line);  // as much of its beginning as the terminal is wide
  // Somebody waits, and is to know why: on a terminal as above, and in a script once, after two seconds.
  bool is_due() const;
  void say(const std::string& line);
  double seconds() const;  // since it was made

 private:
  using Clock = std::chrono::steady_clock;
  bool terminal_;
  bool shown_ = false;
  Clock::time_point start_ = Clock::now();
};

// A bar, the time left, and what is under way. Any thread may show it, one at a time.
class ProgressBar {
 public:
  void show(double done, const std::string& current);  // from 0 to 1

 private:
  StatusLine line_;
  double shown_ = 0;  // when
};

// How many things are done and the time left, if that is wanted.
class Progress {
 public:
  Progress(std::string what, std::size_t total) : what_(std::move(what)), total_(total) {}
  void advance(const std::string& current);

 private:
  std::string what_;
  std::size_t total_;
  std::size_t done_ = 0;
  StatusLine line_;
};

}  // namespace coterie::cli
