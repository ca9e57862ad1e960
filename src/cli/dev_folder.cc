#include "cli/dev_folder.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <thread>

#include "cli/input.h"

namespace coterie::cli {

namespace {

namespace fs = std::filesystem;

constexpr std::uint16_t kFirstPort = 7401;
constexpr std::uint16_t kLastPort = 7999;

bool is_free(std::uint16_t port) {
  const int probe = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (probe < 0) return false;
  const int on = 1;
  ::setsockopt(probe, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  const int bound = ::bind(probe, reinterpret_cast<const sockaddr*>(&address), sizeof address);
  ::close(probe);
  return bound == 0;
}

void write_file(const std::string& path, const std::string& text) {
  std::ofstream file(path);
  file << text;
  if (!file.flush()) throw Failure(fmt::format("cannot write {}", path), kExitFound);
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

// A name among the kernel's sockets: it has one owner, is free when that ends, and reaches as far as ports do.
DevTurn::DevTurn() : socket_(::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0)) {
  constexpr std::string_view kName = "coterie-dev";
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::copy(kName.begin(), kName.end(), address.sun_path + 1);  // after a zero: it is no file
  const auto length = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + kName.size());
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(30);
  while (::bind(socket_, reinterpret_cast<const sockaddr*>(&address), length) != 0) {
    if (errno != EADDRINUSE || std::chrono::steady_clock::now() > end) {
      ::close(socket_);
      throw Failure("another local cluster is being started", kExitFound);
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
}

DevTurn::~DevTurn() { ::close(socket_); }

DevFolder DevFolder::usual() {
  if (const char* const given = std::getenv("COTERIE_DEV")) return DevFolder(given);
  const char* const runtime = std::getenv("XDG_RUNTIME_DIR");
  const std::string base = runtime != nullptr && *runtime != '\0' ? runtime : "/tmp";
  return DevFolder(fmt::format("{}/coterie-dev-{}", base, ::getuid()));
}

bool DevFolder::exists() const { return fs::exists(path_ + "/members"); }

std::vector<DevMember> DevFolder::members() const {
  std::vector<DevMember> members;
  std::ifstream file(path_ + "/members");
  DevMember member;
  while (file >> member.name >> member.address) members.push_back(member);
  return members;
}

void DevFolder::make(std::size_t members, const std::string& system,
                     const std::string& lease) const {
  std::error_code error;
  fs::create_directories(path_, error);
  if (error) throw Failure(fmt::format("cannot make {}: {}", path_, error.message()), kExitFound);
  fs::permissions(path_, fs::perms::owner_all, error);
  std::string list;
  std::string table;
  std::uint16_t port = kFirstPort;
  std::vector<std::string> names;
  for (std::size_t i = 0; i < members; ++i, ++port) {
    while (port <= kLastPort && !is_free(port)) ++port;
    if (port > kLastPort)
      throw Failure(
          fmt::format("there are not {} free ports from {} to {}", members, kFirstPort, kLastPort),
          kExitFound);
    names.push_back(fmt::format("m{}", i + 1));
    list += fmt::format("{} 127.0.0.1:{}\n", names.back(), port);
    table += fmt::format("{} = \"127.0.0.1:{}\"\n", names.back(), port);
  }
  for (const std::string& name : names)
    write_file(
        fmt::format("{}/{}.toml", path_, name),
        fmt::format("name = \"{}\"\ndata = \"{}/{}.data\"\nsystem = \"{}\"\n\n[members]\n{}\n"
                    "[time]\nlease = \"{}\"\n",
                    name, fs::absolute(path_).string(), name, system, table, lease));
  write_file(path_ + "/members", list);
}

void DevFolder::remove() const {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

std::optional<pid_t> DevFolder::process_of(const std::string& name) const {
  std::ifstream file(fmt::format("{}/{}.pid", path_, name));
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

// By way of a child that ends at once, so that the member is nobody's child and nobody's terminal's.
void DevFolder::start(const DevMember& member, bool is_new) const {
  const std::string self = fs::read_symlink("/proc/self/exe").string();
  const std::string config = fmt::format("{}/{}.toml", path_, member.name);
  const std::string log = log_of(member);
  const std::string pid_file = fmt::format("{}/{}.pid", path_, member.name);
  const pid_t child = ::fork();
  if (child < 0) throw Failure("cannot start a process", kExitFound);
  if (child == 0) {
    ::setsid();
    const pid_t grandchild = ::fork();
    if (grandchild != 0) {
      if (grandchild > 0) write_file(pid_file, note_of(grandchild));
      ::_exit(grandchild > 0 ? 0 : 1);
    }
    const int null = ::open("/dev/null", O_RDWR);
    const int out = ::open(log.c_str(), O_WRONLY | O_CREAT | O_APPEND, 0600);
    ::dup2(null, STDIN_FILENO);
    ::dup2(null, STDOUT_FILENO);
    ::dup2(out, STDERR_FILENO);
    constexpr int kFirstOther = 3;
    for (int fd = kFirstOther; fd < 256; ++fd) ::close(fd);
    if (is_new) {
      ::execl(self.c_str(), self.c_str(), "serve", "--config", config.c_str(), "--new-cluster",
              nullptr);
    } else {
      ::execl(self.c_str(), self.c_str(), "serve", "--config", config.c_str(), nullptr);
    }
    ::_exit(127);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  if (status != 0) throw Failure(fmt::format("cannot start member {}", member.name), kExitFound);
}

bool DevFolder::signal(const DevMember& member, int number) const {
  const auto pid = process_of(member.name);
  return pid && ::kill(*pid, number) == 0;
}

bool DevFolder::wait_for_end(const DevMember& member, int milliseconds) const {
  const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(milliseconds);
  while (process_of(member.name)) {
    if (std::chrono::steady_clock::now() > end) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  return true;
}

void DevFolder::write_keeper() const { write_file(path_ + "/keeper.pid", note_of(::getpid())); }

std::optional<pid_t> DevFolder::keeper() const { return process_of("keeper"); }

}  // namespace coterie::cli
