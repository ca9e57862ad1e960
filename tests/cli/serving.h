// Members as processes of a test, with configurations that the test can add to.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "cli/command.h"

namespace coterie::cli {

// So many that nobody listens on, and that no other test takes while this process runs.
std::vector<std::uint16_t> free_ports(std::size_t count);

class Serving {
 public:
  struct Plan {
    std::vector<std::string> names = {"a", "b", "c"};
    std::string lease = "500ms";
    std::vector<std::string> hosts = {};  // that they listen on; loopback if not given
    // Where others find the members; as they listen if not given.
    std::vector<std::string> doors = {};
    // What else is in a member's file.
    std::function<std::string(const std::string& name)> more = {};
  };
  // Writes the files. REQUIRES: the folder outlives it.
  Serving(const Folder& folder, Plan plan);
  ~Serving();  // kills who still runs
  Serving(const Serving&) = delete;
  Serving& operator=(const Serving&) = delete;

  // With these arguments of `coterie serve`; `before` is run in the new process before that.
  void start(std::size_t member, std::vector<std::string> arguments = {},
             const std::function<void()>& before = {});
  void start_all();  // of a new cluster
  // A process that is none of the members, with the configuration and the log of this name; until it is stopped.
  void start_other(const std::string& name);
  void stop_other();
  void signal(std::size_t member, int number);
  // The code that it ended with, or -1 if it does not end in a minute.
  int wait(std::size_t member);
  // All that run reach each other, and grant. False after a minute.
  bool is_ready() const;

  std::vector<std::string> addresses() const;  // where they listen
  std::string list() const;                    // the same, with commas
  std::string log(std::size_t member) const;
  pid_t process(std::size_t member) const { return members_[member].process; }
  // Until the member's log has this. False after a minute.
  bool has_logged(std::size_t member, const std::string& text) const;
  bool has_logged(const std::string& name, const std::string& text) const;

  // More options of client commands: for TLS.
  std::string client_options = {};

 private:
  struct Running {
    std::string name;
    std::string address;
    pid_t process = 0;  // 0: none
  };
  pid_t launch(const std::string& name, std::vector<std::string> arguments,
               const std::function<void()>& before) const;

  const Folder& folder_;
  std::vector<Running> members_;
  pid_t other_ = 0;
};

// Asks every few milliseconds, for a minute.
bool comes_true(const std::function<bool()>& what);

}  // namespace coterie::cli
