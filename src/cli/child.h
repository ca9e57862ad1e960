// A command that runs while something is held. It stays in our process group, so that a terminal treats the
// two as one job: Ctrl-C and Ctrl-Z reach both, and both can read; unless it is to be a job of its own.
#pragma once

#include <sys/types.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace coterie::cli {

inline constexpr int kExitCannotRun = 126;
inline constexpr int kExitNoProgram = 127;
inline constexpr int kExitSignal = 128;  // and the number of the signal that ended it

// Throws a Failure, as a shell would, if there is no such program.
void check_program(const std::string& program);

// As a shell tells how it ended, by what waitpid said.
int exit_code_of(int status);

class Child {
 public:
  using Variables = std::vector<std::pair<std::string, std::string>>;

  // Runs it with these variables added, without blocked signals. If `dies_with_us`, it is told to end when
  // this process is killed. Throws a Failure if it cannot be run.
  Child(const std::vector<std::string>& words, const Variables& variables, bool dies_with_us,
        bool is_own_job = false);
  // REQUIRES: it has ended.
  ~Child() = default;
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  pid_t process() const { return process_; }
  // How it ended, as waitpid says it, if it did. Never waits.
  std::optional<int> ended();
  void signal(int number) const;
  void signal_job(int number) const;  // REQUIRES: it is one of its own
  // To it and to all that it has started.
  static void signal_all(int number);

 private:
  pid_t process_ = -1;
  std::optional<int> status_;
};

}  // namespace coterie::cli
