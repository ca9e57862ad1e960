// A process that `coterie dev` has started, found again by a note on it. Its number alone proves nothing: the kernel gives it
// to another process when the first has ended. The note has also when the process began, since which start of the
// machine, and the program that it runs; and a signal goes to the process that was looked at, or to none.
#pragma once

#include <sys/types.h>

#include <optional>
#include <string>

namespace coterie::cli {

class DevProcess {
 public:
  // The note on a process that runs; empty if it does not.
  static std::string note_of(pid_t process);
  // The process that the note is on, if it still runs, is this user's, and is in all of that what it was.
  static std::optional<DevProcess> find(const std::string& note);
  ~DevProcess();
  DevProcess(DevProcess&& other) noexcept;
  DevProcess& operator=(DevProcess&&) = delete;
  DevProcess(const DevProcess&) = delete;
  DevProcess& operator=(const DevProcess&) = delete;

  pid_t number() const { return number_; }
  bool is_paused() const { return is_paused_; }
  bool signal(int number) const;  // false: it has ended

 private:
  DevProcess(pid_t number, int file) : number_(number), file_(file) {}
  pid_t number_;
  int file_;  // that stands for it, and for no later process of its number
  bool is_paused_ = false;
};

}  // namespace coterie::cli
