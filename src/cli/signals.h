// Signals and other threads' news in one place to wait: what a loop needs that must sleep through neither.
#pragma once

#include <chrono>
#include <csignal>
#include <initializer_list>
#include <optional>

namespace coterie::cli {

// Rung by any thread.
class Bell {
 public:
  Bell();
  ~Bell();
  Bell(const Bell&) = delete;
  Bell& operator=(const Bell&) = delete;
  void ring() const;
  void silence() const;
  int file() const { return file_; }

 private:
  int file_;
};

// From when it is made, these signals do nothing but wait to be taken, in all threads that are made later.
class Signals {
 public:
  Signals();  // those that somebody may send to a command: to end it, or to tell it something
  explicit Signals(std::initializer_list<int> numbers);
  ~Signals();
  Signals(const Signals&) = delete;
  Signals& operator=(const Signals&) = delete;

  struct Signal {
    int number = 0;
    // The terminal sends it to all processes of its foreground job by itself.
    bool is_from_terminal = false;
  };
  // Sleeps until a signal is there, the bell rings, or the time is over.
  std::optional<Signal> wait(const Bell& bell, std::chrono::milliseconds at_most);
  // The same for a file that can be read; a negative one is none.
  std::optional<Signal> wait(std::chrono::milliseconds at_most, int file);
  // Ends the program, as it does those who have not taken it.
  [[noreturn]] void end_by(int number) const;
  // Lets one do what it does to those who have not taken it.
  void pass(int number) const;

 private:
  std::optional<Signal> next() const;

  sigset_t taken_{};
  sigset_t before_{};
  int file_;
};

// What stops a command, not what it is told besides.
bool is_end(const Signals::Signal& signal);

}  // namespace coterie::cli
