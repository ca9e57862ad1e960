#include "cli/cluster.h"

#include <fmt/format.h>

#include <cstdlib>
#include <sstream>

#include "cli/dev_folder.h"
#include "cli/input.h"

namespace coterie::cli {

namespace {

constexpr const char* kUsualAddress = "127.0.0.1:7401";

std::vector<std::string> addresses_in(const std::string& list) {
  std::vector<std::string> parts;
  std::istringstream text(list);
  for (std::string part; std::getline(text, part, ',');) {
    if (!part.empty()) parts.push_back(part);
  }
  return parts;
}

// An option, or what the environment says in its place.
std::string told(const std::string& option, const char* variable) {
  if (!option.empty()) return option;
  const char* const value = std::getenv(variable);
  return value != nullptr ? value : "";
}

}  // namespace

void add_cluster_options(const Command& command, ClusterOptions& options) {
  command
      .option("--members", options.members,
              "addresses of members (default: those of COTERIE_MEMBERS, or of the local cluster "
              "of `coterie dev`, or 127.0.0.1:7401)")
      .value("HOST:PORT,...");
  command.flag("--in-order", options.is_in_order, "use the first of them that answers, not any");
  command.option("--ca", options.authority, "TLS: who signs certificates (default: COTERIE_CA)")
      .value("FILE");
  command.option("--cert", options.certificate, "TLS: our certificate (default: COTERIE_CERT)")
      .value("FILE");
  command.option("--key", options.key, "TLS: its key (default: COTERIE_KEY)").value("FILE");
}

std::vector<std::string> addresses_of(const ClusterOptions& options) {
  if (!options.members.empty()) {
    auto addresses = addresses_in(options.members);
    if (addresses.empty()) throw Failure("--members must be host:port, or a list with commas");
    return addresses;
  }
  if (const std::string list = told("", "COTERIE_MEMBERS"); !list.empty())
    return addresses_in(list);
  const DevFolder local = DevFolder::usual();
  if (!local.exists()) return {kUsualAddress};
  std::vector<std::string> addresses;
  for (const DevMember& member : local.members()) addresses.push_back(member.address);
  return addresses;
}

coterie::Options client_options(const ClusterOptions& options, std::vector<std::string> addresses) {
  coterie::Options made;
  made.addresses = std::move(addresses);
  made.is_in_order = options.is_in_order;
  made.label = options.label;
  const Tls tls{.certificate = told(options.certificate, "COTERIE_CERT"),
                .key = told(options.key, "COTERIE_KEY"),
                .authority = told(options.authority, "COTERIE_CA")};
  const int files =
      int{!tls.certificate.empty()} + int{!tls.key.empty()} + int{!tls.authority.empty()};
  constexpr int kAll = 3;
  if (files != 0 && files != kAll)
    throw Failure(
        "TLS needs --ca, --cert and --key, or COTERIE_CA, COTERIE_CERT and COTERIE_KEY: all three");
  if (files == kAll) made.tls = tls;
  return made;
}

int exit_code_of(Reason reason) {
  switch (reason) {
    case Reason::would_wait:
    case Reason::timed_out:
    case Reason::cancelled:
    case Reason::must_stay:
      return kExitNotGranted;
    case Reason::unreachable:
    case Reason::unheard:
      return kExitUnreachable;
    case Reason::lost:
      return kExitLost;
    case Reason::held_already:
    case Reason::look_first:
    case Reason::mismatch:
    case Reason::invalid:
      return kExitUsage;
  }
  return kExitFound;
}

void check_name(const std::string& name) {
  if (name.empty()) throw Failure("the name must not be empty");
}

std::string hint_for(const ClusterOptions& options) {
  const bool is_told = !options.members.empty() || !told("", "COTERIE_MEMBERS").empty();
  return is_told ? "" : "--members tells where they are, `coterie dev` starts some here";
}

Client connect(const ClusterOptions& options) {
  auto client = Client::connect(client_options(options, addresses_of(options)));
  if (client) return *std::move(client);
  const Refusal& refusal = client.error();
  const std::string hint = refusal.reason == Reason::unreachable ? hint_for(options) : "";
  throw Failure(refusal.text + (hint.empty() ? "" : "; " + hint), exit_code_of(refusal.reason));
}

}  // namespace coterie::cli
