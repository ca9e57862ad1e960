// The local cluster of `coterie dev`: a folder with each member's configuration, data, log and process.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "cli/dev_place.h"
#include "cli/dev_ports.h"
#include "cli/dev_process.h"

namespace coterie::cli {

struct DevMember {
  std::string name;
  std::string address;  // host:port
};

// Whose turn it is, of all on this machine that start a local cluster: two may have the same folder in mind.
class DevTurn {
 public:
  DevTurn();  // waits for it

 private:
  Title title_;
};

enum class DevState { running, paused, dead };

class DevFolder {
 public:
  // By default one per user, for as long as the machine is up. COTERIE_DEV names another.
  static DevFolder usual();
  explicit DevFolder(std::string path) : path_(std::move(path)) {
    // With one at its end the kernel would follow a symbolic link.
    while (path_.size() > 1 && path_.ends_with('/')) path_.pop_back();
  }

  const std::string& path() const { return path_; }
  // It is there, and a local cluster's. This, and all that follows, throws Failure if it looks like one and belongs to another
  // user, or if others have rights to it: what it says of addresses and processes could be theirs.
  bool exists() const;
  // Throws Failure if the folder is there, and neither empty nor a local cluster's.
  void refuse_if_foreign() const;
  // The file that client commands read: a line with name and address for each member.
  std::vector<DevMember> members() const;

  // A folder for so many members, with ports that are its own until it is removed. What a dead cluster has left there
  // goes; a folder that is somebody else's is refused. REQUIRES: no other threads.
  void make(std::size_t members, const std::string& system, const std::string& lease) const;
  // Removes what is ours, and the folder if nothing else is in it. REQUIRES: no member runs.
  void remove() const;

  std::string log_of(const DevMember& member) const { return path_ + '/' + member.name + ".log"; }
  DevState state_of(const DevMember& member) const;
  // Starts it as a process of its own, that goes on when this one ends.
  void start(const DevMember& member, bool is_new) const;
  // Sends a signal to it. False if it does not run.
  bool signal(const DevMember& member, int number) const;
  // Waits until it has ended. False if it did not within these milliseconds.
  bool wait_for_end(const DevMember& member, int milliseconds) const;

  // Writes down that this process waits for the cluster in the foreground.
  void write_keeper() const;

 private:
  static std::string note_on(const std::string& process) { return process + ".pid"; }
  DevPlace place() const;  // REQUIRES: it was made
  DevPlace make_place(bool was_ours) const;
  std::optional<DevProcess> process_of(const std::string& name) const;
  bool signal(const std::string& process, int number) const;
  bool wait_for_end(const std::string& process, int milliseconds) const;
  // A process that is nobody's child and nobody's terminal's, with its standard error in a file of the folder, or nowhere.
  void spawn(const std::string& process, const std::string& log,
             const std::function<void()>& be) const;
  [[noreturn]] void guard(const DevPorts& ports) const;
  bool is_guard() const;  // this process is the one that keeps the ports

  std::string path_;
};

}  // namespace coterie::cli
