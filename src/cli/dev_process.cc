#include "cli/dev_process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <utility>

namespace coterie::cli {

namespace {

struct Stat {
  char state = '?';
  std::string began;  // by the kernel's count, since the machine started
};

// Its state is the third word, and follows its name, which is in brackets and may hold anything.
std::optional<Stat> stat_of(pid_t process) {
  std::ifstream file(fmt::format("/proc/{}/stat", process));
  const std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  const std::size_t after_name = text.rfind(')');
  if (after_name == std::string::npos) return std::nullopt;
  std::istringstream words(text.substr(after_name + 1));
  Stat stat;
  words >> stat.state;
  constexpr int kBegan = 19;  // words later
  for (int i = 0; i < kBegan; ++i) words >> stat.began;
  if (!words || stat.state == 'Z') return std::nullopt;
  return stat;
}

std::string start_of_machine() {
  std::ifstream file("/proc/sys/kernel/random/boot_id");
  std::string text;
  file >> text;
  return text.empty() ? "unknown" : text;
}

// One that was replaced by a newer build since is still the one that runs.
std::string program_of(pid_t process) {
  std::error_code error;
  std::string path =
      std::filesystem::read_symlink(fmt::format("/proc/{}/exe", process), error).string();
  constexpr std::string_view kReplaced = " (deleted)";
  if (path.ends_with(kReplaced)) path.resize(path.size() - kReplaced.size());
  return path;
}

bool is_own(pid_t process) {
  struct stat found {};
  return ::stat(fmt::format("/proc/{}", process).c_str(), &found) == 0 &&
         found.st_uid == ::geteuid();
}

}  // namespace

std::string DevProcess::note_of(pid_t process) {
  const auto stat = stat_of(process);
  if (!stat) return "";
  return fmt::format("{} {} {} {}\n", process, stat->began, start_of_machine(),
                     program_of(process));
}

// The descriptor comes first: what is seen after it is of the process that it stands for, or that one has ended.
std::optional<DevProcess> DevProcess::find(const std::string& note) {
  std::istringstream words(note);
  pid_t number = 0;
  if (!(words >> number) || number <= 1) return std::nullopt;
  const auto file = static_cast<int>(::syscall(SYS_pidfd_open, number, 0));
  if (file < 0) return std::nullopt;
  DevProcess process(number, file);
  const auto stat = stat_of(number);
  if (!stat || !is_own(number) || note_of(number) != note) return std::nullopt;
  process.is_paused_ = stat->state == 'T';
  return process;
}

DevProcess::DevProcess(DevProcess&& other) noexcept
    : number_(other.number_), file_(std::exchange(other.file_, -1)), is_paused_(other.is_paused_) {}

DevProcess::~DevProcess() {
  if (file_ >= 0) ::close(file_);
}

bool DevProcess::signal(int number) const {
  return ::syscall(SYS_pidfd_send_signal, file_, number, nullptr, 0) == 0;
}

}  // namespace coterie::cli
