#include "cli/status_command.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <future>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "cli/cluster.h"
#include "cli/input.h"
#include "cli/screen.h"
#include "cli/table.h"
#include "client/conflict.h"
#include "coterie/client.h"
#include "quorum/visible.h"

namespace coterie::cli {

namespace {

using client::is_in_conflict;
using nlohmann::ordered_json;
using quorum::visible;
using std::chrono::milliseconds;

struct StatusOptions {
  ClusterOptions cluster;
  std::string name;
  bool watch = false;
  bool json = false;
};

// 0.4 s, 12 s, 3 min, 2 h
std::string text_of(milliseconds time) {
  using namespace std::chrono_literals;
  const double seconds = std::chrono::duration<double>(time).count();
  if (time < 10s) return fmt::format("{:.1f} s", seconds);
  if (time < 2min) return fmt::format("{:.0f} s", seconds);
  if (time < 2h) return fmt::format("{} min", time / 1min);
  return fmt::format("{} h", time / 1h);
}

// ---- one name

const char* text_of(Status::Certainty certainty) {
  switch (certainty) {
    case Status::Certainty::sure:
      return "sure";
    case Status::Certainty::doubtful:
      return "doubtful";
    case Status::Certainty::partial:
      break;
  }
  return "partial";
}

ordered_json json_of(const Status& status) {
  ordered_json json = {{"name", status.name}, {"kind", status.kind}};
  if (!status.kind.empty()) {
    json["terms"] = status.terms;
    json["min"] = status.min;
    json["max"] = status.max == Kind::kNoMax ? ordered_json() : ordered_json(status.max);
    if (status.is_set) json["is_set"] = true;
    if (!status.former_terms.empty()) json["before"] = status.former_terms;
  }
  json["holders"] = ordered_json::array();
  for (const Status::Holder& holder : status.holders) {
    json["holders"].push_back({{"client", holder.client},
                               {"member", holder.member},
                               {"group", holder.group},
                               {"token", holder.token},
                               {"since_ms", holder.since.count()},
                               {"good_for_ms", holder.good_for.count()},
                               {"is_leaving", holder.is_leaving},
                               {"is_lasting", holder.is_lasting}});
    if (holder.is_leaving) json["holders"].back()["why"] = holder.why;
    if (holder.is_lasting) json["holders"].back()["certainty"] = text_of(holder.certainty);
  }
  if (is_in_conflict(status)) json["is_in_conflict"] = true;
  json["waiters"] = ordered_json::array();
  for (const Status::Waiter& waiter : status.waiters) {
    json["waiters"].push_back({{"client", waiter.client},
                               {"member", waiter.member},
                               {"groups", waiter.groups},
                               {"since_ms", waiter.since.count()},
                               {"why", waiter.why}});
  }
  json["silent_members"] = status.dark;
  return json;
}

// In a band by the names that they go by.
std::string table_of_holders(const Status& status) {
  std::vector<std::string> headings = {"<inside", "<at", "token", "since", "good for"};
  if (status.kind == "room") headings.insert(headings.begin() + 1, "<group");
  if (status.kind == "band") headings.insert(headings.begin() + 1, "<client");
  Table table(headings);
  for (const Status::Holder& holder : status.holders) {
    std::vector<std::string> row = {visible(holder.client), visible(holder.member),
                                    std::to_string(holder.token), text_of(holder.since),
                                    holder.is_lasting ? "lasts" : text_of(holder.good_for)};
    if (status.kind == "room") row.insert(row.begin() + 1, visible(holder.group));
    if (status.kind == "band") {
      if (holder.is_lasting) row.front().clear();  // its owner is who is inside
      row.insert(row.begin(), visible(holder.group));
    }
    table.add(std::move(row));
  }
  return table.str();
}

// A line for who it is, and one for why.
std::string item_of(const std::string& who, const std::string& why) {
  constexpr std::size_t kIndent = 4;
  return wrapped(visible(who), kIndent) + wrapped("    " + visible(why), kIndent);
}

// Of holds that last, where members do not agree on them.
std::string notes_on(const Status& status) {
  std::string notes;
  for (const Status::Holder& holder : status.holders) {
    if (!holder.is_lasting || holder.certainty == Status::Certainty::sure) continue;
    const std::string note =
        holder.certainty == Status::Certainty::partial
            ? fmt::format(
                  "{}: too few members have it: it was never given; `coterie release {} "
                  "--as {} --force --token {}` ends it",
                  holder.client, status.name, holder.client, holder.token)
            : fmt::format(
                  "{}: counts as held; whether all of a quorum have it will be known when "
                  "{} {} again",
                  holder.client, fmt::join(status.dark, ", "),
                  status.dark.size() == 1 ? "answers" : "answer");
    notes += '\n' + wrapped(visible(note), 2);
  }
  if (is_in_conflict(status))
    notes +=
        '\n' + wrapped(
                   "more are inside than may be. If this does not pass at once, members have "
                   "forgotten what they had granted: see \"Data folders\" in docs/operations.md, "
                   "and end what is not right with `coterie release`",
                   0);
  return notes;
}

std::string list_of_leavers(const Status& status) {
  std::string text;
  for (const Status::Holder& holder : status.holders) {
    if (holder.is_leaving)
      text += item_of(
          fmt::format("    {}{}{}", holder.group, holder.is_lasting ? "" : " at ", holder.member),
          holder.why);
  }
  return text.empty() ? "" : "\nwaiting to leave\n" + text;
}

std::string list_of_waiters(const Status& status) {
  std::string text = "waiting, the next one first\n";
  for (std::size_t i = 0; i < status.waiters.size(); ++i) {
    const Status::Waiter& waiter = status.waiters[i];
    std::string wish;
    if (!waiter.groups.empty() && status.kind == "band") {
      wish = fmt::format(" as {}", waiter.groups.front());
    } else if (!waiter.groups.empty()) {
      wish = fmt::format(" for group {}", fmt::join(waiter.groups, " or "));
    }
    text += item_of(fmt::format("{:>2}  {} at {}{}, {}", i + 1, waiter.client, waiter.member, wish,
                                text_of(waiter.since)),
                    waiter.why);
  }
  return text;
}

std::string page_of(const Status& status) {
  std::string page;
  if (status.holders.empty() && status.waiters.empty()) {
    page = fmt::format("nobody holds or waits for {}{}\n", visible(status.name),
                       status.is_set ? fmt::format(", a {}{}{}", status.kind,
                                                   status.terms.empty() ? "" : ", ", status.terms)
                                     : "");
  } else {
    const std::string former =
        status.former_terms.empty() ? "" : fmt::format(" (before: {})", status.former_terms);
    page = fmt::format("{}, a {}{}{}{}\n\n", visible(status.name), status.kind,
                       status.terms.empty() ? "" : ", ", status.terms, former);
    page += status.holders.empty() ? "nobody is inside\n" : table_of_holders(status);
    page += notes_on(status) + list_of_leavers(status);
    if (!status.waiters.empty()) page += '\n' + list_of_waiters(status);
  }
  if (!status.dark.empty()) {
    page += '\n' + wrapped(visible(fmt::format("no answer from {}: {} clients are not shown",
                                               fmt::join(status.dark, ", "),
                                               status.dark.size() == 1 ? "its" : "their")),
                           0);
  }
  return page;
}

// ---- the members

struct Visit {
  std::string address;
  Outcome<Survey> found;
};

std::vector<Visit> visit(const ClusterOptions& cluster) {
  const std::vector<std::string> addresses = addresses_of(cluster);
  std::vector<std::future<Outcome<Survey>>> surveys;
  for (const std::string& address : addresses) {
    coterie::Options options = client_options(cluster, {address});
    options.label = "coterie status";
    options.timeout = milliseconds(500);
    surveys.push_back(std::async(std::launch::async, [options]() -> Outcome<Survey> {
      auto client = Client::connect(options);
      if (!client) return client.error();
      return client->survey();
    }));
  }
  std::vector<Visit> visits;
  for (std::size_t i = 0; i < addresses.size(); ++i)
    visits.push_back({addresses[i], surveys[i].get()});
  return visits;
}

// Who does not answer is known to the others by its address.
std::string name_of(const Visit& visit, const std::vector<Visit>& visits) {
  if (visit.found) return visit.found->member;
  for (const Visit& other : visits) {
    if (!other.found) continue;
    for (const Survey::Peer& peer : other.found->peers) {
      if (peer.address == visit.address) return peer.name;
    }
  }
  return "?";
}

std::set<std::string> names_known(const std::vector<Visit>& visits) {
  std::set<std::string> names;
  for (const Visit& visit : visits) {
    if (visit.found) names.insert(visit.found->names.begin(), visit.found->names.end());
  }
  return names;
}

ordered_json json_of(const Survey& survey) {
  ordered_json json = {{"incarnation", survey.incarnation},
                       {"is_silent", survey.is_silent},
                       {"has_quorum", survey.has_quorum},
                       {"clients", survey.sessions}};
  json["peers"] = ordered_json::array();
  for (const Survey::Peer& peer : survey.peers) {
    json["peers"].push_back({{"name", peer.name},
                             {"address", peer.address},
                             {"is_connected", peer.is_connected},
                             {"is_up", peer.is_up},
                             {"is_doubted", peer.is_doubted},
                             {"lease_left_ms", peer.lease_left.count()}});
    if (!peer.trouble.empty()) json["peers"].back()["trouble"] = peer.trouble;
  }
  json["names"] = survey.names;
  json["counts"] = ordered_json::object();
  for (const auto& [what, times] : survey.counts) json["counts"][what] = times;
  return json;
}

ordered_json json_of(const std::vector<Visit>& visits) {
  ordered_json members = ordered_json::array();
  for (const Visit& visit : visits) {
    ordered_json member = {{"name", name_of(visit, visits)}, {"address", visit.address}};
    member["answers"] = visit.found.has_value();
    if (visit.found) {
      member.update(json_of(*visit.found));
    } else {
      member["trouble"] = visit.found.error().text;
    }
    members.push_back(std::move(member));
  }
  return {{"members", members}, {"names", names_known(visits)}};
}

std::vector<std::string> row_of(const Visit& visit, const std::vector<Visit>& visits) {
  const std::string name = visible(name_of(visit, visits));
  if (!visit.found) return {name, visible(visit.address), "no answer", "", "", "", ""};
  const Survey& survey = *visit.found;
  std::size_t up = 0;
  milliseconds shortest = milliseconds::max();
  for (const Survey::Peer& peer : survey.peers) {
    if (!peer.is_up) continue;
    ++up;
    shortest = std::min(shortest, peer.lease_left);
  }
  return {name,
          visible(visit.address),
          survey.is_silent    ? "silent"
          : survey.has_quorum ? "serves"
                              : "no quorum",
          fmt::format("{} of {}", up, survey.peers.size()),
          up == 0 ? "" : text_of(shortest),
          std::to_string(survey.sessions - 1),  // this one is not worth telling
          std::to_string(survey.names.size())};
}

// What is not as it should be, in words; what many say of one is said once.
std::string notes_on(const std::vector<Visit>& visits) {
  std::string notes;
  const auto note = [&](const std::string& text) { notes += wrapped(visible(text), 2); };
  using Peer = std::pair<std::string, std::string>;  // its name, and why it is not reached
  std::map<Peer, std::vector<std::string>> unheard;  // who does not hear from each
  for (const Visit& visit : visits) {
    const std::string name = name_of(visit, visits);
    if (!visit.found) {
      note(fmt::format("{}: {}", name, visit.found.error().text));
      continue;
    }
    if (visit.found->is_silent)
      note(fmt::format("{} has restarted: it grants nothing until what it had granted is over",
                       name));
    for (const Survey::Peer& peer : visit.found->peers) {
      if (!peer.is_up || peer.is_doubted) unheard[{peer.name, peer.trouble}].push_back(name);
    }
  }
  for (const auto& [peer, deaf] : unheard)
    note(fmt::format("{} {} not hear from {}{}{}", fmt::join(deaf, ", "),
                     deaf.size() == 1 ? "does" : "do", peer.first, peer.second.empty() ? "" : ": ",
                     peer.second));
  return notes;
}

bool answers_any(const std::vector<Visit>& visits) {
  return std::any_of(visits.begin(), visits.end(),
                     [](const Visit& visit) { return visit.found.has_value(); });
}

std::string page_of(const std::vector<Visit>& visits, const std::string& hint) {
  Table table({"<member", "<address", "<state", "leases", "shortest", "clients", "names"});
  for (const Visit& visit : visits) table.add(row_of(visit, visits));
  std::string page = table.str();
  if (const std::string notes = notes_on(visits); !notes.empty()) page += '\n' + notes;
  // Then nothing is known of names.
  if (!answers_any(visits)) return hint.empty() ? page : page + '\n' + wrapped(hint, 2);
  const std::set<std::string> names = names_known(visits);
  page +=
      '\n' + (names.empty()
                  ? "no names known\n"
                  : wrapped(visible(fmt::format("names known: {}", fmt::join(names, ", "))), 2));
  return page;
}

// ---- both

class Page {
 public:
  explicit Page(const StatusOptions& options) : options_(options) {
    if (!options.name.empty()) client_.emplace(connect(options.cluster));
  }

  // The text to print, and the code to exit with if it is the last.
  std::pair<std::string, int> make() { return client_ ? of_name() : of_members(); }

 private:
  std::string text(const ordered_json& json) const {
    return options_.watch ? json.dump() + '\n' : json.dump(2) + '\n';
  }

  std::string of_trouble(const Refusal& refusal) const {
    if (!options_.json) return wrapped(visible(refusal.text), 2);
    return text({{"name", options_.name}, {"trouble", refusal.text}});
  }

  std::pair<std::string, int> of_name() {
    const auto status = client_->status(options_.name);
    if (!status && !options_.watch)
      throw Failure(status.error().text, exit_code_of(status.error().reason));
    if (!status) return {of_trouble(status.error()), kExitUnreachable};
    return {options_.json ? text(json_of(*status)) : page_of(*status), 0};
  }

  std::pair<std::string, int> of_members() const {
    const auto visits = visit(options_.cluster);
    return {options_.json ? text(json_of(visits)) : page_of(visits, hint_for(options_.cluster)),
            answers_any(visits) ? 0 : kExitUnreachable};
  }

  const StatusOptions& options_;
  std::optional<Client> client_;
};

// The screen first: threads that are made later leave its signals alone.
int watch_status(const StatusOptions& options) {
  constexpr milliseconds kEvery{1'000};
  const bool is_in_place = ::isatty(STDOUT_FILENO) == 1 && !options.json;
  Screen screen(is_in_place);
  Page page(options);
  while (true) {
    screen.show(page.make().first + (is_in_place || options.json ? "" : "\n"));
    if (const auto exit_code = screen.rest(kEvery)) return *exit_code;
  }
}

int run_status(const StatusOptions& options) {
  if (options.watch) return watch_status(options);
  const auto [text, exit_code] = Page(options).make();
  fmt::print("{}", text);
  return exit_code;
}

}  // namespace

void add_status_command(const Command& root) {
  const auto options = std::make_shared<StatusOptions>();
  const Command command =
      root.command("status", "the members; or who holds a name, who waits for it, and why",
                   "Exits with 69 if no member answers; --watch with 0 after q, and if a signal "
                   "ends it with 128\n"
                   "and its number: 130 after Ctrl-C.\n\n"
                   "Example:\n  coterie status\n  coterie status deploys --watch");
  command.option("NAME", options->name, "what is held; without it, the members are shown");
  command.flag("--watch", options->watch, "again every second, until q or Ctrl-C");
  command.flag("--json", options->json, "as JSON; with --watch one object per line");
  add_cluster_options(command, options->cluster);
  command.runs([options] { return run_status(*options); });
}

}  // namespace coterie::cli
