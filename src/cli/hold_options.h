// What the commands that hold a name are told: one set of options for all kinds of names.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cli/cluster.h"
#include "cli/command_line.h"
#include "coterie/client.h"

namespace coterie::cli {

struct HoldOptions {
  Kind::Type type = Kind::Type::mutex;
  ClusterOptions cluster = {};
  std::string name = {};
  std::vector<std::string> command = {};
  // of a room
  std::string groups = {};
  bool read = false;
  bool write = false;
  std::optional<std::uint64_t> rooms = {};
  // of a semaphore
  std::optional<std::uint64_t> limit = {};
  // of a band, or of what lasts
  std::string as = {};
  // of a band
  std::optional<std::uint64_t> min = {};
  std::optional<std::uint64_t> max = {};
  bool is_inside = false;
  bool is_outside = false;

  bool is_try = false;
  std::string wait = {};
  std::string grace = "5s";
  std::string on_lost = {};
  bool json = false;
  std::string events = {};

  std::chrono::milliseconds grace_time() const;
  // What to do if the hold is lost.
  bool kills() const { return on_lost == "kill"; }
  bool rejoins() const { return on_lost == "rejoin"; }
  // How its holder is called in the group's place: read, write, a group, a participant.
  std::string group_of(const Hold& hold) const;
};

// Of a command that holds while another runs; of one that holds for an owner.
void add_run_options(const Command& command, HoldOptions& options);
void add_owner_options(const Command& command, HoldOptions& options);
void add_release_options(const Command& command, HoldOptions& options);

// Throws a Failure that says what is wrong and what is allowed. What depends on the others is filled in.
Request read_request(HoldOptions& options);
Patience read_wait(const std::string& wait);  // of --wait; empty: for ever
Patience read_patience(const HoldOptions& options);

}  // namespace coterie::cli
