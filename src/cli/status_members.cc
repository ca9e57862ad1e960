#include "cli/status_members.h"

#include <fmt/format.h>

#include <algorithm>
#include <future>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "cli/input.h"
#include "cli/table.h"
#include "quorum/visible.h"

namespace coterie::cli {

using nlohmann::ordered_json;
using quorum::visible;
using std::chrono::milliseconds;

// 0.4 s, 12 s, 3 min, 2 h
std::string text_of_time(milliseconds time) {
  using namespace std::chrono_literals;
  const double seconds = std::chrono::duration<double>(time).count();
  if (time < 10s) return fmt::format("{:.1f} s", seconds);
  if (time < 2min) return fmt::format("{:.0f} s", seconds);
  if (time < 2h) return fmt::format("{} min", time / 1min);
  return fmt::format("{} h", time / 1h);
}

struct Visit {
  std::string address;
  coterie::Outcome<Survey> found;
};

namespace {

coterie::Outcome<Survey> survey_at(const ClusterOptions& cluster, const std::string& address) {
  coterie::Options options = client_options(cluster, {address});
  options.label = "coterie status";
  options.timeout = milliseconds(1'000);
  auto client = Client::connect(options);
  if (!client) return client.error();
  return client->survey();
}

std::vector<Visit> visit(const ClusterOptions& cluster, const std::vector<std::string>& addresses) {
  std::vector<std::future<coterie::Outcome<Survey>>> surveys;
  surveys.reserve(addresses.size());
  for (const std::string& address : addresses) {
    surveys.push_back(std::async(std::launch::async,
                                 [&cluster, address] { return survey_at(cluster, address); }));
  }
  std::vector<Visit> visits;
  for (std::size_t i = 0; i < addresses.size(); ++i)
    visits.push_back({addresses[i], surveys[i].get()});
  // Such as files for TLS that cannot be used: that is no member's fault.
  for (const Visit& visit : visits) {
    if (!visit.found && visit.found.error().reason == Reason::invalid)
      throw Failure(visit.found.error().text);
  }
  return visits;
}

bool is_visited(const std::vector<Visit>& visits, const Survey::Peer& peer) {
  return std::any_of(visits.begin(), visits.end(), [&](const Visit& visit) {
    return visit.address == peer.address || (visit.found && visit.found->member == peer.name);
  });
}

// Members that nobody has named, as those say that were.
std::vector<std::string> others_than(const std::vector<Visit>& visits) {
  std::set<std::string> others;
  for (const Visit& visit : visits) {
    if (!visit.found) continue;
    for (const Survey::Peer& peer : visit.found->peers) {
      if (!peer.address.empty() && !is_visited(visits, peer)) others.insert(peer.address);
    }
  }
  return {others.begin(), others.end()};
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
          up == 0 ? "" : text_of_time(shortest),
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

constexpr std::size_t kMostNames = 50;  // that are looked at, for an overview

// Who is inside, as far as there is room for it.
std::string holders_in(const Status& status) {
  constexpr std::size_t kMost = 3;
  std::vector<std::string> names;
  for (const Status::Holder& holder : status.holders) {
    if (names.size() < kMost) names.push_back(status.kind == "band" ? holder.group : holder.client);
  }
  std::string text = fmt::format("{}", fmt::join(names, ", "));
  if (status.holders.size() > kMost)
    text += fmt::format(" and {} more", status.holders.size() - kMost);
  return text;
}

std::string table_of_names(const std::vector<Status>& overview, std::size_t more) {
  if (overview.empty()) return "no names known\n";
  Table table({"<name", "<kind", "<inside", "waiting"});
  for (const Status& status : overview)
    table.add({visible(status.name), status.kind, visible(holders_in(status)),
               status.waiters.empty() ? "" : std::to_string(status.waiters.size())});
  return "names known, and who is inside\n\n" + table.str() +
         (more > 0 ? fmt::format("and {} more names\n", more) : "");
}

// By one that serves; without one nobody knows enough.
std::vector<Status> look_at(const std::set<std::string>& names, const ClusterOptions& cluster,
                            const std::vector<Visit>& visits) {
  std::vector<Status> overview;
  const auto serving = std::find_if(visits.begin(), visits.end(), [](const Visit& visit) {
    return visit.found && visit.found->has_quorum;
  });
  const auto answering = std::find_if(visits.begin(), visits.end(),
                                      [](const Visit& visit) { return visit.found.has_value(); });
  if (names.empty() || answering == visits.end()) return overview;
  const Visit& asked = serving != visits.end() ? *serving : *answering;
  coterie::Options options = client_options(cluster, {asked.address});
  options.label = "coterie status";
  auto client = Client::connect(options);
  for (const std::string& name : names) {
    if (overview.size() == kMostNames) break;
    Status status;
    status.name = name;
    if (client) {
      if (auto found = client->status(name)) status = *std::move(found);
    }
    overview.push_back(std::move(status));
  }
  return overview;
}

}  // namespace

struct Members::Found {
  std::vector<Visit> visits;
  std::vector<Status> overview;
};

Members::Members(const ClusterOptions& cluster, bool has_overview)
    : found_(std::make_unique<Found>()) {
  std::vector<Visit>& visits = found_->visits;
  visits = visit(cluster, addresses_of(cluster));
  for (Visit& other : visit(cluster, others_than(visits))) visits.push_back(std::move(other));
  if (has_overview) found_->overview = look_at(names_known(visits), cluster, visits);
}

Members::~Members() = default;

bool Members::has_quorum() const {
  return std::any_of(found_->visits.begin(), found_->visits.end(),
                     [](const Visit& visit) { return visit.found && visit.found->has_quorum; });
}

int Members::health() const {
  if (!has_quorum()) return kExitUnreachable;
  const bool are_all =
      std::all_of(found_->visits.begin(), found_->visits.end(), [](const Visit& visit) {
        return visit.found && visit.found->has_quorum && !visit.found->is_silent;
      });
  return are_all ? 0 : kExitFound;
}

std::string Members::check_line() const {
  const std::vector<Visit>& visits = found_->visits;
  std::size_t serve = 0;
  std::vector<std::string> others;
  for (const Visit& visit : visits) {
    const std::string state = row_of(visit, visits)[2];
    if (state == "serves") ++serve;
    if (state != "serves") others.push_back(fmt::format("{}: {}", name_of(visit, visits), state));
  }
  const char* const word = !has_quorum() ? "critical" : others.empty() ? "ok" : "degraded";
  return visible(fmt::format("{}: {} of {} members serve{}{}", word, serve, visits.size(),
                             others.empty() ? "" : "; ", fmt::join(others, ", ")));
}

ordered_json Members::check_json() const {
  return {{"health", health() == 0  ? "ok"
                     : has_quorum() ? "degraded"
                                    : "critical"},
          {"line", check_line()}};
}

ordered_json Members::json() const {
  ordered_json json = json_of(found_->visits);
  json["has_quorum"] = has_quorum();
  json["overview"] = ordered_json::array();
  for (const Status& status : found_->overview) {
    ordered_json holders = ordered_json::array();
    for (const Status::Holder& holder : status.holders)
      holders.push_back(status.kind == "band" ? holder.group : holder.client);
    json["overview"].push_back({{"name", status.name},
                                {"kind", status.kind},
                                {"holders", holders},
                                {"waiting", status.waiters.size()}});
  }
  return json;
}

std::string Members::page(const std::string& hint) const {
  const std::vector<Visit>& visits = found_->visits;
  Table table({"<member", "<address", "<state", "leases", "shortest", "clients", "names"});
  for (const Visit& visit : visits) table.add(row_of(visit, visits));
  std::string page = table.str();
  if (const std::string notes = notes_on(visits); !notes.empty()) page += '\n' + notes;
  // Then nothing is known of names.
  if (!answers_any(visits)) return hint.empty() ? page : page + '\n' + wrapped(hint, 2);
  if (!has_quorum()) page += "\nno quorum: nobody can enter\n";
  const std::size_t known = names_known(visits).size();
  return page + '\n' +
         table_of_names(found_->overview, known - std::min(known, found_->overview.size()));
}

}  // namespace coterie::cli
