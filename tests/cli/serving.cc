#include "cli/serving.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstddef>
#include <stdexcept>
#include <thread>
#include <utility>

namespace coterie::cli {

bool comes_true(const std::function<bool()>& what) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  while (!what()) {
    if (std::chrono::steady_clock::now() > end) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  return true;
}

namespace {

// A name among the kernel's sockets is had by one process at a time, and given back when that ends. So no two tests that
// run at the same time, in whatever processes, choose the same port.
bool take_port(std::uint16_t port) {
  const int title = ::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  sockaddr_un name{};
  name.sun_family = AF_UNIX;
  const std::string text = fmt::format("coterie-test-port-{}", port);
  std::copy(text.begin(), text.end(), name.sun_path + 1);  // after a zero: it is no file
  const auto length = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + text.size());
  if (::bind(title, reinterpret_cast<sockaddr*>(&name), length) != 0) {
    ::close(title);
    return false;
  }
  const int probe = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_ANY);
  const bool is_free = ::bind(probe, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0;
  ::close(probe);
  if (!is_free) ::close(title);
  return is_free;  // the title stays open: the port is ours until this process ends
}

}  // namespace

// Below those that the kernel gives to connections, which could take a port between this choice and its use.
std::vector<std::uint16_t> free_ports(std::size_t count) {
  constexpr std::uint16_t kFirst = 20'000;
  constexpr std::uint16_t kLast = 31'999;
  static std::uint16_t next = static_cast<std::uint16_t>(kFirst + ::getpid() % (kLast - kFirst));
  std::vector<std::uint16_t> ports;
  for (int tries = 0; tries <= kLast - kFirst && ports.size() < count; ++tries) {
    if (take_port(next)) ports.push_back(next);
    next = next == kLast ? kFirst : static_cast<std::uint16_t>(next + 1);
  }
  if (ports.size() < count) throw std::runtime_error("no free port");
  return ports;
}

Serving::Serving(const Folder& folder, Plan plan) : folder_(folder) {
  const auto ports = free_ports(plan.names.size());
  std::string table = "[members]\n";
  for (std::size_t i = 0; i < plan.names.size(); ++i) {
    const std::string host = plan.hosts.empty() ? "127.0.0.1" : plan.hosts[i];
    members_.push_back({plan.names[i], fmt::format("{}:{}", host, ports[i])});
    const std::string door = plan.doors.empty() ? members_[i].address : plan.doors[i];
    table += fmt::format("{} = \"{}\"\n", plan.names[i], door);
  }
  for (const Running& member : members_) {
    for (const char* const left : {".data", ".log"})  // by others that had the same names
      std::filesystem::remove_all(folder.path() + "/" + member.name + left);
    folder.write(member.name + ".toml",
                 fmt::format("name = \"{0}\"\ndata = \"{0}.data\"\nlisten = \"{1}\"\n{2}\n[time]\n"
                             "lease = \"{3}\"\n{4}",
                             member.name, member.address, table, plan.lease,
                             plan.more ? plan.more(member.name) : ""));
  }
}

Serving::~Serving() {
  stop_other();
  for (std::size_t i = 0; i < members_.size(); ++i) {
    if (members_[i].process == 0) continue;
    signal(i, SIGKILL);
    wait(i);
  }
}

void Serving::start(std::size_t member, std::vector<std::string> arguments,
                    const std::function<void()>& before) {
  members_[member].process = launch(members_[member].name, std::move(arguments), before);
}

void Serving::start_other(const std::string& name) { other_ = launch(name, {}, {}); }

void Serving::stop_other() {
  if (other_ == 0) return;
  ::kill(other_, SIGKILL);
  ::waitpid(other_, nullptr, 0);
  other_ = 0;
}

pid_t Serving::launch(const std::string& name, std::vector<std::string> arguments,
                      const std::function<void()>& before) const {
  const std::string log = folder_.path() + "/" + name + ".log";
  std::vector<std::string> words = {command_path(), "serve", "--config", name + ".toml"};
  for (std::string& argument : arguments) words.push_back(std::move(argument));
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  const pid_t process = ::fork();
  if (process == 0) {
    const int out = ::open(log.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    ::dup2(out, STDERR_FILENO);
    // The member does not keep connections of the test open, such as those of a Network.
    ::close_range(STDERR_FILENO + 1, ~0U, CLOSE_RANGE_CLOEXEC);
    if (before) before();
    if (::chdir(folder_.path().c_str()) == 0) ::execv(pointers.front(), pointers.data());
    ::_exit(127);
  }
  return process;
}

void Serving::start_all() {
  for (std::size_t i = 0; i < members_.size(); ++i) start(i, {"--new-cluster"});
}

void Serving::signal(std::size_t member, int number) { ::kill(members_[member].process, number); }

int Serving::wait(std::size_t member) {
  int status = 0;
  const pid_t process = members_[member].process;
  if (!comes_true([&] { return ::waitpid(process, &status, WNOHANG) == process; })) return -1;
  members_[member].process = 0;
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

bool Serving::is_ready() const {
  return comes_true([&] {
    const Outcome outcome = folder_.run("status --json --members " + list() + client_options);
    const auto json = nlohmann::json::parse(outcome.out, nullptr, false);
    if (json.is_discarded()) return false;
    for (std::size_t i = 0; i < members_.size(); ++i) {
      if (members_[i].process == 0) continue;
      const auto& seen = json["members"][i];
      if (!seen["answers"].get<bool>() || seen["is_silent"].get<bool>()) return false;
      for (std::size_t j = 0, peer = 0; j < members_.size(); ++j) {
        if (j == i) continue;
        const bool is_up = seen["peers"][peer++]["is_up"].get<bool>();
        if (members_[j].process != 0 && !is_up) return false;
      }
    }
    return true;
  });
}

std::vector<std::string> Serving::addresses() const {
  std::vector<std::string> addresses;
  for (const Running& member : members_) addresses.push_back(member.address);
  return addresses;
}

std::string Serving::list() const { return fmt::format("{}", fmt::join(addresses(), ",")); }

std::string Serving::log(std::size_t member) const {
  return folder_.read(members_[member].name + ".log");
}

bool Serving::has_logged(std::size_t member, const std::string& text) const {
  return has_logged(members_[member].name, text);
}

bool Serving::has_logged(const std::string& name, const std::string& text) const {
  return comes_true([&] {
    return folder_.has(name + ".log") &&
           folder_.read(name + ".log").find(text) != std::string::npos;
  });
}

}  // namespace coterie::cli
