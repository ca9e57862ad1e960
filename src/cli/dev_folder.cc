#include "cli/dev_folder.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <thread>

#include "cli/input.h"

namespace coterie::cli {

namespace {

namespace fs = std::filesystem;

constexpr const char* kGuard = "ports";
constexpr const char* kKeeper = "keeper";
constexpr const char* kHost = "127.0.0.1:";

void write_file(const std::string& path, const std::string& text) {
  std::ofstream file(path);
  file << text;
  if (file.flush()) return;
  std::error_code ignored;
  fs::remove(path, ignored);  // half of it would not be known as ours
  throw Failure(fmt::format("cannot write {}", path), kExitFound);
}

// When the process began, by the kernel's count: so that a number that was given away again is not taken
// for ours. Its state is the third word after its name.
struct Seen {
  char state = '?';
  std::string began;
};
std::optional<Seen> look_at(pid_t pid) {
  std::ifstream file(fmt::format("/proc/{}/stat", pid));
  std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  const std::size_t after_name = text.rfind(')');
  if (after_name == std::string::npos) return std::nullopt;
  std::istringstream words(text.substr(after_name + 1));
  Seen seen;
  words >> seen.state;
  constexpr int kBegan = 19;  // words later
  for (int i = 0; i < kBegan; ++i) words >> seen.began;
  if (!words || seen.state == 'Z') return std::nullopt;
  return seen;
}

std::string note_of(pid_t pid) {
  const auto seen = look_at(pid);
  return seen ? fmt::format("{} {}\n", pid, seen->began) : "";
}

}  // namespace

DevTurn::DevTurn()
    : title_([] {
        const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(30);
        while (true) {
          if (auto title = Title::take("coterie-dev")) return *std::move(title);
          if (std::chrono::steady_clock::now() > end)
            throw Failure("another local cluster is being started", kExitFound);
          std::this_thread::sleep_for(std::chrono::milliseconds(10));
        }
      }()) {}

DevFolder DevFolder::usual() {
  const char* const given = std::getenv("COTERIE_DEV");
  if (given != nullptr && *given != '\0') return DevFolder(given);
  const char* const runtime = std::getenv("XDG_RUNTIME_DIR");
  const std::string base = runtime != nullptr && *runtime != '\0' ? runtime : "/tmp";
  return DevFolder(fmt::format("{}/coterie-dev-{}", base, ::getuid()));
}

bool DevFolder::exists() const { return !members().empty(); }

// A file of that name that `make` did not write tells nothing.
std::vector<DevMember> DevFolder::members() const {
  std::vector<DevMember> members;
  std::ifstream file(path_ + "/members");
  DevMember member;
  while (file >> member.name >> member.address) {
    if (member.name != fmt::format("m{}", members.size() + 1)) return {};
    if (!member.address.starts_with(kHost)) return {};
    members.push_back(member);
  }
  return file.eof() ? members : std::vector<DevMember>();
}

void DevFolder::refuse_if_foreign() const {
  std::error_code error;
  const bool is_there = fs::exists(path_, error);
  if (!is_there || exists()) return;
  if (!fs::is_directory(path_, error))
    throw Failure(fmt::format("{} is no folder: COTERIE_DEV must name one", path_));
  if (fs::is_empty(path_, error) && !error) return;
  throw Failure(fmt::format(
      "{} is not empty, and not the folder of a local cluster: nothing in it is touched; "
      "let COTERIE_DEV name another, or none that exists",
      path_));
}

void DevFolder::make(std::size_t members, const std::string& system,
                     const std::string& lease) const {
  refuse_if_foreign();
  remove();  // what a cluster that is dead has left
  std::error_code error;
  fs::create_directories(path_, error);
  if (error) throw Failure(fmt::format("cannot make {}: {}", path_, error.message()), kExitFound);
  fs::permissions(path_, fs::perms::owner_all, error);
  std::string list;
  std::string table;
  const DevPorts ports(members);
  std::vector<std::string> names;
  for (const std::uint16_t port : ports.numbers()) {
    names.push_back(fmt::format("m{}", names.size() + 1));
    list += fmt::format("{} {}{}\n", names.back(), kHost, port);
    table += fmt::format("{} = \"{}{}\"\n", names.back(), kHost, port);
  }
  write_file(path_ + "/members", list);  // first: it tells that the rest is ours
  for (const std::string& name : names)
    write_file(
        fmt::format("{}/{}.toml", path_, name),
        fmt::format("name = \"{}\"\ndata = \"{}/{}.data\"\nsystem = \"{}\"\n\n[members]\n{}\n"
                    "[time]\nlease = \"{}\"\n",
                    name, fs::absolute(path_).string(), name, system, table, lease));
  spawn(kGuard, "/dev/null", [&] { guard(ports); });
}

// The ports are the folder's while a process has their names: a member may be dead, and `coterie dev` over.
void DevFolder::guard(const DevPorts& ports) const {
  ports.close_others();
  do {
    std::this_thread::sleep_for(std::chrono::seconds(1));
  } while (process_of(kGuard) ==
           ::getpid());  // the folder is there, and still that for which we were started
  ::_exit(0);
}

// The list of members goes last: while anything of ours is there, it tells so.
void DevFolder::remove() const {
  constexpr int kPatience = 5'000;
  const auto members = this->members();
  if (members.empty()) return;
  signal(kGuard, SIGKILL);
  wait_for_end(kGuard, kPatience);
  std::error_code ignored;
  for (const DevMember& member : members) {
    fs::remove(note_on(member.name), ignored);
    for (const char* const end : {".toml", ".log"})
      fs::remove(fmt::format("{}/{}{}", path_, member.name, end), ignored);
    fs::remove_all(fmt::format("{}/{}.data", path_, member.name), ignored);
  }
  for (const char* const process : {kGuard, kKeeper}) fs::remove(note_on(process), ignored);
  fs::remove(path_ + "/members", ignored);
  ::rmdir(path_.c_str());  // if nothing of anybody else's is in it
}

std::optional<pid_t> DevFolder::process_of(const std::string& name) const {
  std::ifstream file(note_on(name));
  pid_t pid = 0;
  std::string began;
  if (!(file >> pid >> began)) return std::nullopt;
  const auto seen = look_at(pid);
  return seen && seen->began == began ? std::optional(pid) : std::nullopt;
}

DevState DevFolder::state_of(const DevMember& member) const {
  const auto pid = process_of(member.name);
  const auto seen = pid ? look_at(*pid) : std::nullopt;
  if (!seen) return DevState::dead;
  return seen->state == 'T' ? DevState::paused : DevState::running;
}

// By way of a child that ends at once.
void DevFolder::spawn(const std::string& process, const std::string& log,
                      const std::function<void()>& be) const {
  const pid_t child = ::fork();
  if (child < 0) throw Failure("cannot start a process", kExitFound);
  if (child == 0) {
    ::setsid();
    const pid_t grandchild = ::fork();
    if (grandchild != 0) {
      if (grandchild > 0) write_file(note_on(process), note_of(grandchild));
      ::_exit(grandchild > 0 ? 0 : 1);
    }
    const int null = ::open("/dev/null", O_RDWR);
    const int out = ::open(log.c_str(), O_WRONLY | O_CREAT | O_APPEND, 0600);
    ::dup2(null, STDIN_FILENO);
    ::dup2(null, STDOUT_FILENO);
    ::dup2(out, STDERR_FILENO);
    be();
    ::_exit(127);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  if (status != 0) throw Failure(fmt::format("cannot start {}", process), kExitFound);
}

void DevFolder::start(const DevMember& member, bool is_new) const {
  const std::string self = fs::read_symlink("/proc/self/exe").string();
  const std::string config = fmt::format("{}/{}.toml", path_, member.name);
  spawn(member.name, log_of(member), [&] {
    ::close_range(STDERR_FILENO + 1, ~0U, 0);
    ::execl(self.c_str(), self.c_str(), "serve", "--config", config.c_str(),
            is_new ? "--new-cluster" : nullptr, nullptr);
  });
}

bool DevFolder::signal(const std::string& process, int number) const {
  const auto pid = process_of(process);
  return pid && ::kill(*pid, number) == 0;
}

bool DevFolder::signal(const DevMember& member, int number) const {
  return signal(member.name, number);
}

bool DevFolder::wait_for_end(const std::string& process, int milliseconds) const {
  const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(milliseconds);
  while (process_of(process)) {
    if (std::chrono::steady_clock::now() > end) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  return true;
}

bool DevFolder::wait_for_end(const DevMember& member, int milliseconds) const {
  return wait_for_end(member.name, milliseconds);
}

void DevFolder::write_keeper() const { write_file(note_on(kKeeper), note_of(::getpid())); }

std::optional<pid_t> DevFolder::keeper() const { return process_of(kKeeper); }

}  // namespace coterie::cli
