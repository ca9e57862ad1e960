#include "cli/dev_folder.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <sstream>
#include <thread>

#include "cli/input.h"

namespace coterie::cli {

namespace {

namespace fs = std::filesystem;

constexpr const char* kGuard = "ports";
constexpr const char* kKeeper = "keeper";
constexpr const char* kMembers = "members";
constexpr const char* kHost = "127.0.0.1:";

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

// A file of that name that `make` did not write tells nothing; one that it could have written, in a folder that others can
// write to, is a trap.
std::vector<DevMember> DevFolder::members() const {
  const auto place = DevPlace::open(path_);
  if (!place) return {};
  std::vector<DevMember> members;
  std::istringstream file(place->read(kMembers).value_or(""));
  DevMember member;
  while (file >> member.name >> member.address) {
    if (member.name != fmt::format("m{}", members.size() + 1)) return {};
    if (!member.address.starts_with(kHost)) return {};
    members.push_back(member);
  }
  if (!members.empty()) place->refuse_if_shared();
  return file.eof() ? members : std::vector<DevMember>();
}

DevPlace DevFolder::place() const {
  auto place = DevPlace::open(path_);
  if (!place) throw Failure(fmt::format("{} is gone", path_), kExitFound);
  place->refuse_if_shared();
  return *std::move(place);
}

void DevFolder::refuse_if_foreign() const {
  const auto place = DevPlace::open(path_);
  if (!place || exists() || place->is_empty()) return;
  throw Failure(fmt::format(
      "{} is not empty, and not the folder of a local cluster: nothing in it is touched; "
      "let COTERIE_DEV name another, or none that exists",
      path_));
}

// Private before anything is in it; if something is in it then, another user was faster. One that was ours was private before.
DevPlace DevFolder::make_place(bool was_ours) const {
  std::error_code error;
  const fs::path above = fs::path(path_).parent_path();
  if (!above.empty()) fs::create_directories(above, error);
  if (!error && ::mkdir(path_.c_str(), 0700) != 0 && errno != EEXIST)
    error = std::error_code(errno, std::generic_category());
  if (error) throw Failure(fmt::format("cannot make {}: {}", path_, error.message()), kExitFound);
  auto place = DevPlace::open(path_);
  if (!place) throw Failure(fmt::format("{} is gone", path_), kExitFound);
  place->make_private();
  if (!was_ours) refuse_if_foreign();
  return *std::move(place);
}

void DevFolder::make(std::size_t members, const std::string& system,
                     const std::string& lease) const {
  refuse_if_foreign();
  const bool was_ours = exists();
  remove();  // what a cluster that is dead has left
  const DevPlace place = make_place(was_ours);
  std::string list;
  std::string table;
  const DevPorts ports(members);
  std::vector<std::string> names;
  for (const std::uint16_t port : ports.numbers()) {
    names.push_back(fmt::format("m{}", names.size() + 1));
    list += fmt::format("{} {}{}\n", names.back(), kHost, port);
    table += fmt::format("{} = \"{}{}\"\n", names.back(), kHost, port);
  }
  place.write(kMembers, list);  // first: it tells that the rest is ours
  for (const std::string& name : names)
    place.write(
        name + ".toml",
        fmt::format("name = \"{}\"\ndata = \"{}/{}.data\"\nsystem = \"{}\"\n\n[members]\n{}\n"
                    "[time]\nlease = \"{}\"\n",
                    name, fs::absolute(path_).string(), name, system, table, lease));
  spawn(kGuard, "", [&] { guard(ports); });
}

bool DevFolder::is_guard() const {
  try {
    const auto process = process_of(kGuard);
    return process && process->number() == ::getpid();
  } catch (const Failure&) {  // it is not ours any more
    return false;
  }
}

// The ports are the folder's while a process has their names: a member may be dead, and `coterie dev` over.
void DevFolder::guard(const DevPorts& ports) const {
  ports.close_others();
  do {
    std::this_thread::sleep_for(std::chrono::seconds(1));
    // The folder is there, and still that for which we were started.
  } while (is_guard());
  ::_exit(0);
}

// The list of members goes last: while anything of ours is there, it tells so.
void DevFolder::remove() const {
  constexpr int kPatience = 5'000;
  const auto members = this->members();
  if (members.empty()) return;
  signal(kGuard, SIGKILL);
  wait_for_end(kGuard, kPatience);
  const DevPlace place = this->place();
  std::error_code ignored;
  for (const DevMember& member : members) {
    for (const char* const end : {".pid", ".toml", ".log"}) place.remove(member.name + end);
    fs::remove_all(fmt::format("{}/{}.data", path_, member.name), ignored);
  }
  for (const char* const process : {kGuard, kKeeper}) place.remove(note_on(process));
  place.remove(kMembers);
  ::rmdir(path_.c_str());  // if nothing of anybody else's is in it
}

std::optional<DevProcess> DevFolder::process_of(const std::string& name) const {
  const auto place = DevPlace::open(path_);
  if (!place) return std::nullopt;
  const auto note = place->read(note_on(name));
  if (!note) return std::nullopt;
  place->refuse_if_shared();
  return DevProcess::find(*note);
}

DevState DevFolder::state_of(const DevMember& member) const {
  const auto process = process_of(member.name);
  if (!process) return DevState::dead;
  return process->is_paused() ? DevState::paused : DevState::running;
}

// By way of a child that ends at once.
void DevFolder::spawn(const std::string& process, const std::string& log,
                      const std::function<void()>& be) const {
  const DevPlace place = this->place();
  const pid_t child = ::fork();
  if (child < 0) throw Failure("cannot start a process", kExitFound);
  if (child == 0) {
    ::setsid();
    const pid_t grandchild = ::fork();
    if (grandchild != 0) {
      if (grandchild > 0) place.write(note_on(process), DevProcess::note_of(grandchild));
      ::_exit(grandchild > 0 ? 0 : 1);
    }
    const int null = ::open("/dev/null", O_RDWR | O_CLOEXEC);
    const int out = log.empty() ? null : place.open_to_append(log);
    if (out < 0) ::_exit(127);
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
  spawn(member.name, member.name + ".log", [&] {
    ::close_range(STDERR_FILENO + 1, ~0U, 0);
    ::execl(self.c_str(), self.c_str(), "serve", "--config", config.c_str(),
            is_new ? "--new-cluster" : nullptr, nullptr);
  });
}

bool DevFolder::signal(const std::string& process, int number) const {
  const auto found = process_of(process);
  return found && found->signal(number);
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

void DevFolder::write_keeper() const {
  place().write(note_on(kKeeper), DevProcess::note_of(::getpid()));
}

}  // namespace coterie::cli
