#include "cli/cluster.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <sstream>
#include <thread>

#include "cli/dev_folder.h"
#include "cli/input.h"
#include "cli/terminal.h"

namespace coterie::cli {

using std::chrono::milliseconds;

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
  const char* const list = std::getenv("COTERIE_MEMBERS");
  if (options.members || list != nullptr) {
    auto addresses = addresses_in(options.members ? *options.members : list);
    if (addresses.empty())
      throw Failure(fmt::format("{} must be host:port, or a list with commas, and is empty",
                                options.members ? "--members" : "COTERIE_MEMBERS"));
    return addresses;
  }
  const char* const folder = std::getenv("COTERIE_DEV");
  if (folder != nullptr && *folder == '\0')
    throw Failure("COTERIE_DEV must name the folder of a local cluster, and is empty");
  std::vector<std::string> addresses;
  for (const DevMember& member : DevFolder::usual().members()) addresses.push_back(member.address);
  if (!addresses.empty()) return addresses;
  if (folder != nullptr)
    throw Failure(fmt::format(
        "COTERIE_DEV names {}, and no local cluster is there: `coterie dev` starts one", folder));
  return {kUsualAddress};
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
  const bool is_told = options.members || std::getenv("COTERIE_MEMBERS") != nullptr;
  return is_told ? "" : "--members tells where they are, `coterie dev` starts some here";
}

namespace {

milliseconds time_to_connect(const Patience& patience) {
  constexpr milliseconds kUsual{2'000};
  constexpr milliseconds kTry{500};
  if (patience.is_try()) return kTry;
  const auto end = patience.end(Clock::now());
  return end ? std::max(milliseconds(0), std::chrono::ceil<milliseconds>(*end - Clock::now()))
             : kUsual;
}

// What another thread has found, or will; that one may outlive who waits, if the program ends.
struct Search {
  std::mutex mutex;
  std::optional<coterie::Outcome<Client>> found;
  Bell bell;
};

coterie::Outcome<Client> look_for(const coterie::Options& options, Signals* signals) {
  if (signals == nullptr) return Client::connect(options);
  const auto search = std::make_shared<Search>();
  std::thread([search, options] {
    auto found = Client::connect(options);
    const std::scoped_lock lock(search->mutex);
    search->found.emplace(std::move(found));
    search->bell.ring();
  }).detach();
  StatusLine line;
  while (true) {
    constexpr milliseconds kLook{500};
    const auto signal = signals->wait(search->bell, kLook);
    if (signal && is_end(*signal)) signals->end_by(signal->number);
    if (line.is_due()) line.say("no member answers yet; waiting");
    const std::scoped_lock lock(search->mutex);
    if (search->found) return *std::move(search->found);
  }
}

}  // namespace

Client connect(const ClusterOptions& options, const Patience& patience, Signals* signals) {
  coterie::Options made = client_options(options, addresses_of(options));
  made.timeout = time_to_connect(patience);
  auto client = look_for(made, signals);
  if (client) return *std::move(client);
  const Refusal& refusal = client.error();
  const std::string hint = refusal.reason == Reason::unreachable ? hint_for(options) : "";
  throw Failure(refusal.text + (hint.empty() ? "" : "; " + hint), exit_code_of(refusal.reason));
}

}  // namespace coterie::cli
