// The cluster that a command talks to: where its members are, and a client of it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/command_line.h"
#include "cli/signals.h"
#include "coterie/client.h"

namespace coterie::cli {

// Codes to exit with, after those of sysexits.h; docs/client.md lists all.
inline constexpr int kExitUnreachable = 69;  // no member answers
inline constexpr int kExitNotGranted = 75;   // it would have to wait, or patience ended
inline constexpr int kExitLost = 76;         // the hold was lost while the command ran

struct ClusterOptions {
  std::optional<std::string> members = {};  // host:port,...
  bool is_in_order = false;
  std::string label;
  std::string authority;  // files for TLS
  std::string certificate;
  std::string key;
};
void add_cluster_options(const Command& command, ClusterOptions& options);

// As told; else by COTERIE_MEMBERS; else of the local cluster of `coterie dev`; else the usual address. Throws a Failure if
// what was told cannot be used: no other cluster is used instead.
std::vector<std::string> addresses_of(const ClusterOptions& options);

// For a client of these members, with TLS if the options or COTERIE_CA, COTERIE_CERT and COTERIE_KEY tell so.
coterie::Options client_options(const ClusterOptions& options, std::vector<std::string> addresses);

// Throws a Failure if nothing is named.
void check_name(const std::string& name);

// What to do when no member answers; empty if somebody has told where they are.
std::string hint_for(const ClusterOptions& options);

// Looks for a member as long as the patience lasts; for ever is two seconds, as somebody should know that nobody answers. Who waits
// for longer is told so. A signal ends the program. Throws a Failure for people.
Client connect(const ClusterOptions& options, const Patience& patience = Patience::forever(),
               Signals* signals = nullptr);
int exit_code_of(Reason reason);

}  // namespace coterie::cli
