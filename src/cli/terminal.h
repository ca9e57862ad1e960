// What a person at a terminal expects of long work: a line of progress, and Ctrl-C that keeps what is done.
#pragma once

#include <chrono>
#include <cstddef>
#include <string>

namespace coterie::cli {

// From the first call on, Ctrl-C asks for a stop instead of ending the program; a second one ends it.
bool interrupted();

// A line on standard error with what is done and the time left; nothing if that is not a terminal, or
// if the work is short.
class Progress {
 public:
  Progress(std::string what, std::size_t total);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  void advance(const std::string& current);

 private:
  using Clock = std::chrono::steady_clock;
  std::string what_;
  std::size_t total_;
  std::size_t done_ = 0;
  bool terminal_;
  bool shown_ = false;
  Clock::time_point start_ = Clock::now();
};

}  // namespace coterie::cli
