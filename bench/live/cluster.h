// Members on loopback, each in a process of its own: this program, started again with other arguments.
#pragma once

#include <sys/types.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "coterie/client.h"
#include "coterie/embedded.h"

namespace coterie::bench {

// A process that lives as long as this one, at most.
class Child {
 public:
  // This program with these arguments; returns when it has said that it is ready.
  explicit Child(std::vector<std::string> arguments);
  Child(Child&& other) noexcept;
  Child& operator=(Child&&) = delete;
  ~Child();
  void kill();
  double cpu_seconds() const;  // that it has used

 private:
  pid_t pid_;
};
void say_ready();  // in a child
// That this process and these have used.
double cpu_seconds(const std::vector<Child>& children);

std::vector<std::uint16_t> free_ports(std::size_t count);

// A temporary folder, removed at the end.
class Folder {
 public:
  Folder();
  ~Folder();
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

class Cluster {
 public:
  // `keep`: how long members keep what was left. The first member may be in this process.
  Cluster(std::size_t members, const std::string& keep, bool has_own);

  EmbeddedMember& own() { return *own_; }
  Client connect(std::size_t member) const;
  Client connect_to_all() const;  // the first, and then others
  double cpu_seconds() const { return bench::cpu_seconds(children_); }
  std::size_t members() const { return addresses_.size(); }
  const std::filesystem::path& folder() const { return folder_.path(); }
  void kill(std::size_t member) { children_.at(member - (own_ ? 1 : 0)).kill(); }

 private:
  Folder folder_;
  std::vector<std::string> addresses_;
  std::vector<Child> children_;
  std::optional<EmbeddedMember> own_;
};
// What a child of a Cluster does: never returns.
int run_member(const std::string& config);

// Enters and leaves names in turn, without waiting in between, until it is told to stop.
class Chain {
 public:
  // Mutexes, or places of semaphores with a limit.
  Chain(Client& client, std::vector<std::string> names, std::uint32_t limit = 0);
  // Asks to be told each time that it has left. It does not wait for that either.
  void have_answered() { is_answered_ = true; }
  // So many times; how many seconds each took.
  double run(std::size_t times);
  // Until stop(), which waits for the last.
  void start();
  void stop();
  std::size_t entries() const { return entries_; }
  // The longest time between two entries since it was asked last.
  double longest_gap();

 private:
  void next();

  Client& client_;
  std::vector<Request> requests_;
  bool is_answered_ = false;
  std::atomic<std::size_t> entries_ = 0;
  std::size_t most_ = 0;
  std::atomic<bool> is_over_ = false;
  std::atomic<std::int64_t> gap_ns_ = 0;
  std::atomic<std::int64_t> last_ns_ = 0;
  std::function<void()> on_end_;
};

// Entries in a second of so many clients of members in turn, each with a name of its own or all with one.
inline constexpr std::chrono::milliseconds kWarming{300};
inline constexpr std::chrono::milliseconds kMeasured{1'500};
double rate_of(const Cluster& cluster, std::size_t clients, bool is_shared,
               std::uint32_t limit = 0);

// Names whose requests members send to arbiters 0, 1 and 2 first.
std::vector<std::string> names_by_first(std::size_t members);

double seconds_now();
double median(std::vector<double> values);
[[noreturn]] void fail(const std::string& why);

}  // namespace coterie::bench
