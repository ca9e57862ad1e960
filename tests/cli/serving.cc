#include "cli/serving.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
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

// The kernel chooses, and does not choose the same again soon.
std::vector<std::uint16_t> free_ports(std::size_t count) {
  std::vector<std::uint16_t> ports;
  for (std::size_t i = 0; i < count; ++i) {
    const int probe = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    auto* const any = reinterpret_cast<sockaddr*>(&address);
    if (::bind(probe, any, size) != 0 || ::getsockname(probe, any, &size) != 0)
      throw std::runtime_error("no free port");
    ::close(probe);
    ports.push_back(ntohs(address.sin_port));
  }
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
  for (std::size_t i = 0; i < members_.size(); ++i) {
    if (members_[i].process == 0) continue;
    signal(i, SIGKILL);
    wait(i);
  }
}

void Serving::start(std::size_t member, std::vector<std::string> arguments,
                    const std::function<void()>& before) {
  const std::string& name = members_[member].name;
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
    if (before) before();
    if (::chdir(folder_.path().c_str()) == 0) ::execv(pointers.front(), pointers.data());
    ::_exit(127);
  }
  members_[member].process = process;
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
  return comes_true([&] { return log(member).find(text) != std::string::npos; });
}

}  // namespace coterie::cli
