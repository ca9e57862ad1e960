#include "cli/cluster.h"

#include <fmt/format.h>

#include <cstdlib>
#include <sstream>

#include "cli/dev_folder.h"
#include "cli/input.h"

namespace coterie::cli {

namespace {

constexpr const char* kUsualAddress = "127.0.0.1:7401";

std::vector<std::string> split(const std::string& list) {
  std::vector<std::string> parts;
  std::istringstream text(list);
  for (std::string part; std::getline(text, part, ',');) {
    if (!part.empty()) parts.push_back(part);
  }
  return parts;
}

}  // namespace

void add_cluster_options(const Command& command, ClusterOptions& options) {
  command
      .option("--members", options.members,
              "addresses of members, the nearest first (default: those of COTERIE_MEMBERS, or "
              "of the local cluster of `coterie dev`, or 127.0.0.1:7401)")
      .value("HOST:PORT,...");
}

std::vector<std::string> addresses_of(const ClusterOptions& options) {
  if (!options.members.empty()) {
    auto addresses = split(options.members);
    if (addresses.empty()) throw Failure("--members must be host:port, or a list with commas");
    return addresses;
  }
  if (const char* told = std::getenv("COTERIE_MEMBERS"); told != nullptr && *told != '\0')
    return split(told);
  const DevFolder local = DevFolder::usual();
  if (!local.exists()) return {kUsualAddress};
  std::vector<std::string> addresses;
  for (const DevMember& member : local.members()) addresses.push_back(member.address);
  return addresses;
}

int exit_code_of(Reason reason) {
  switch (reason) {
    case Reason::would_wait:
    case Reason::timed_out:
    case Reason::cancelled:
      return kExitNotGranted;
    case Reason::unreachable:
      return kExitUnreachable;
    case Reason::lost:
      return kExitLost;
    case Reason::held_already:
    case Reason::mismatch:
    case Reason::invalid:
      return kExitUsage;
  }
  return kExitFound;
}

Client connect(const ClusterOptions& options) {
  auto client = Client::connect({.addresses = addresses_of(options), .label = options.label});
  if (client) return *std::move(client);
  const Refusal& refusal = client.error();
  const bool is_told = !options.members.empty() || std::getenv("COTERIE_MEMBERS") != nullptr;
  const bool needs_hint = refusal.reason == Reason::unreachable && !is_told;
  throw Failure(
      refusal.text +
          (needs_hint ? "; --members tells where they are, `coterie dev` starts some here" : ""),
      exit_code_of(refusal.reason));
}

}  // namespace coterie::cli
