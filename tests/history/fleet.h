// A real cluster and real clients, as processes behind a network that can be cut and slowed down, with faults of all
// kinds, and the history that comes of it.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "cli/command.h"
#include "cli/network.h"
#include "cli/serving.h"
#include "history/disks.h"
#include "history/history.h"

namespace coterie::history {

enum class Fault : std::uint8_t {
  kill_member,
  pause_member,       // for less than a lease
  hang_member,        // for more
  stop_member,        // cleanly
  kill_all,           // members
  stop_all,           // cleanly
  part_members,       // what they say to each other waits, and comes late
  cut_way,            // the same in one direction
  sever_members,      // connections break, and cannot be made
  slow_links,         // all
  slow_disks,         // of one member, or of two
  stall_client,       // what a client and a member say waits, and comes late
  stall_client_way,   // what a client says to a member
  break_connections,  // of a client
  kill_client,        // another takes its place
  pause_client,
};
inline constexpr std::size_t kFaults = 16;
std::string_view text_of(Fault fault);

struct FleetPlan {
  std::uint64_t seed = 1;
  std::chrono::milliseconds time{8'000};
  std::vector<std::string> members = {"a", "b", "c"};
  int clients = 3;   // processes
  int workers = 2;   // in each
  int lasting = 50;  // the share of calls for owners, of a hundred
  std::vector<Fault> faults = {};
};

class Fleet {
 public:
  explicit Fleet(FleetPlan plan);
  ~Fleet();
  Fleet(const Fleet&) = delete;
  Fleet& operator=(const Fleet&) = delete;

  // Runs for the time of the plan, heals, ends the clients and looks which owners hold. What went wrong on the way
  // (a member or a client that ended by itself or hangs) is in trouble().
  std::vector<Call> run();
  const std::string& trouble() const { return trouble_; }
  std::string story() const;  // the faults, for people
  std::size_t faults() const { return faults_; }

  // The files of a run that failed, for people, and its history in one file. Returns the folder.
  std::string keep(const std::vector<Call>& calls) const;

 private:
  struct Client {
    pid_t process = 0;
    std::string file;
    int starts = 0;
    bool is_paused = false;
  };

  void start_client(std::size_t client);
  void kill_client(std::size_t client);
  void end_clients();
  void strike(Fault fault);
  void strike_member(Fault fault, std::size_t member);
  void strike_all(int signal);
  void strike_network(Fault fault);
  void strike_client(Fault fault);
  std::vector<Call> look();
  void complain(const std::string& text);
  void note(const std::string& text);

  std::size_t draw(std::size_t below);
  void wait(std::size_t from, std::size_t to);  // milliseconds
  std::string some_label();

  FleetPlan plan_;
  std::mt19937_64 random_;
  cli::Folder folder_;
  cli::Network network_;
  cli::Serving serving_;
  Disks disks_;
  std::vector<Client> clients_;
  std::vector<std::pair<std::string, Time>> deaths_;  // of clients: their files
  std::size_t faults_ = 0;
  std::vector<std::string> story_;
  std::string trouble_;
};

Time now();

}  // namespace coterie::history
