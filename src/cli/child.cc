#include "cli/child.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

#include "cli/input.h"

extern char** environ;  // NOLINT: POSIX names it

namespace coterie::cli {

namespace {

[[noreturn]] void cannot_run(const std::string& program, int error) {
  throw Failure(fmt::format("cannot run '{}': {}", program, std::strerror(error)),
                error == ENOENT ? kExitNoProgram : kExitCannotRun);
}

std::vector<char*> pointers_to(std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  for (std::string& text : texts) pointers.push_back(text.data());
  pointers.push_back(nullptr);
  return pointers;
}

std::vector<std::string> environment_with(const Child::Variables& variables) {
  std::vector<std::string> environment;
  for (const auto& [name, value] : variables) environment.push_back(name + '=' + value);
  for (char** variable = environ; *variable != nullptr; ++variable) {
    const std::string text = *variable;
    const bool is_ours = std::any_of(variables.begin(), variables.end(), [&](const auto& ours) {
      return text.starts_with(ours.first + '=');
    });
    if (!is_ours) environment.push_back(text);
  }
  return environment;
}

// In the child: only what is allowed between fork and exec.
[[noreturn]] void become(const std::vector<char*>& words, const std::vector<char*>& environment,
                         bool dies_with_parent, bool is_own_job, int report) {
  sigset_t none;
  ::sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
  if (is_own_job) ::setpgid(0, 0);
  if (dies_with_parent) ::prctl(PR_SET_PDEATHSIG, SIGTERM);
  ::execvpe(words.front(), words.data(), environment.data());
  const int error = errno;
  static_cast<void>(!::write(report, &error, sizeof(error)));
  ::_exit(kExitNoProgram);
}

// The parent of each process that can be seen.
std::map<pid_t, pid_t> parents() {
  std::map<pid_t, pid_t> parents;
  std::error_code ignored;
  for (const auto& folder : std::filesystem::directory_iterator("/proc", ignored)) {
    const std::string name = folder.path().filename().string();
    pid_t process = 0;
    const auto read = std::from_chars(name.data(), name.data() + name.size(), process);
    if (read.ec != std::errc{} || read.ptr != name.data() + name.size()) continue;
    std::ifstream file(folder.path() / "stat");
    std::string line;
    std::getline(file, line);
    // Its name is in brackets, and may hold anything.
    const std::size_t end = line.rfind(')');
    if (end == std::string::npos) continue;
    std::istringstream rest(line.substr(end + 1));
    std::string state;
    pid_t parent = 0;
    if (rest >> state >> parent && state != "Z") parents[process] = parent;
  }
  return parents;
}

}  // namespace

void check_program(const std::string& program) {
  if (program.find('/') != std::string::npos) {
    if (::access(program.c_str(), X_OK) != 0) cannot_run(program, errno);
    return;
  }
  const char* path = std::getenv("PATH");
  std::istringstream folders(path != nullptr ? path : "/bin:/usr/bin");
  for (std::string folder; std::getline(folders, folder, ':');) {
    const std::string file = (folder.empty() ? "." : folder) + '/' + program;
    if (::access(file.c_str(), X_OK) == 0) return;
  }
  cannot_run(program, ENOENT);
}

int exit_code_of(int status) {
  return WIFEXITED(status) ? WEXITSTATUS(status) : kExitSignal + WTERMSIG(status);
}

Child::Child(const std::vector<std::string>& words, const Variables& variables, bool dies_with_us,
             bool is_own_job) {
  // What it leaves behind becomes our child, and can be found by signal_all.
  ::prctl(PR_SET_CHILD_SUBREAPER, 1);
  std::array<int, 2> report{};
  if (::pipe2(report.data(), O_CLOEXEC) != 0) cannot_run(words.front(), errno);
  std::vector<std::string> arguments = words;
  std::vector<std::string> environment = environment_with(variables);
  const std::vector<char*> argument_pointers = pointers_to(arguments);
  const std::vector<char*> environment_pointers = pointers_to(environment);
  process_ = ::fork();
  if (process_ == 0)
    become(argument_pointers, environment_pointers, dies_with_us, is_own_job, report[1]);
  const int fork_error = errno;
  ::close(report[1]);
  int error = 0;
  const bool has_failed = process_ > 0 && ::read(report[0], &error, sizeof(error)) == sizeof(error);
  ::close(report[0]);
  if (process_ < 0) cannot_run(words.front(), fork_error);
  if (!has_failed) return;
  ::waitpid(process_, nullptr, 0);
  cannot_run(words.front(), error);
}

std::optional<int> Child::ended() {
  int status = 0;
  // Those that it left to us are collected too.
  for (pid_t process = 0; (process = ::waitpid(-1, &status, WNOHANG)) > 0;) {
    if (process == process_) status_ = status;
  }
  return status_;
}

void Child::signal(int number) const {
  if (!status_) ::kill(process_, number);
}

void Child::signal_job(int number) const {
  if (!status_) ::kill(-process_, number);
}

void Child::signal_all(int number) {
  const std::map<pid_t, pid_t> parent_of = parents();
  const pid_t self = ::getpid();
  for (const auto& [process, parent] : parent_of) {
    pid_t above = parent;
    while (above != self) {
      const auto next = parent_of.find(above);
      if (next == parent_of.end()) break;
      above = next->second;
    }
    if (above == self && process != self) ::kill(process, number);
  }
}

}  // namespace coterie::cli
