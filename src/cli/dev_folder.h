// The local cluster of `coterie dev`: a folder with each member's configuration, data, log and process.
#pragma once

#include <sys/types.h>

#include <optional>
#include <string>
#include <vector>

namespace coterie::cli {

struct DevMember {
  std::string name;
  std::string address;  // host:port
};

// Whose turn it is to choose ports, of all on this machine that start a local cluster: from when they look
// which are free until their members listen.
class DevTurn {
 public:
  DevTurn();  // waits for it
  ~DevTurn();
  DevTurn(const DevTurn&) = delete;
  DevTurn& operator=(const DevTurn&) = delete;

 private:
  int socket_;
};

enum class DevState { running, paused, dead };

class DevFolder {
 public:
  // By default one per user, for as long as the machine is up. COTERIE_DEV names another.
  static DevFolder usual();
  explicit DevFolder(std::string path) : path_(std::move(path)) {}

  const std::string& path() const { return path_; }
  bool exists() const;
  // The file that client commands read: a line with name and address for each member.
  std::vector<DevMember> members() const;

  // A folder for so many members on free ports. Throws Failure if there is one already.
  void make(std::size_t members, const std::string& system, const std::string& lease) const;
  void remove() const;

  std::string log_of(const DevMember& member) const { return path_ + '/' + member.name + ".log"; }
  DevState state_of(const DevMember& member) const;
  // Starts it as a process of its own, that goes on when this one ends.
  void start(const DevMember& member, bool is_new) const;
  // Sends a signal to it. False if it does not run.
  bool signal(const DevMember& member, int number) const;
  // Waits until it has ended. False if it did not within these milliseconds.
  bool wait_for_end(const DevMember& member, int milliseconds) const;

  // The process that waits in the foreground, if there is one.
  void write_keeper() const;
  std::optional<pid_t> keeper() const;

 private:
  std::optional<pid_t> process_of(const std::string& name) const;

  std::string path_;
};

}  // namespace coterie::cli
