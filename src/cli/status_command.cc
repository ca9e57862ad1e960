#include "cli/status_command.h"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "api/alone.h"
#include "cli/cluster.h"
#include "cli/input.h"
#include "cli/screen.h"
#include "cli/status_members.h"
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
  bool check = false;
};

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

auto to_seconds(std::chrono::system_clock::time_point time) {
  return fmt::gmtime(std::chrono::system_clock::to_time_t(time));
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
    if (holder.given_at)
      json["holders"].back()["given_at"] = fmt::format("{:%FT%TZ}", to_seconds(*holder.given_at));
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
                                    std::to_string(holder.token), text_of_time(holder.since),
                                    holder.is_lasting ? "lasts" : text_of_time(holder.good_for)};
    if (status.kind == "room")
      row.insert(row.begin() + 1,
                 holder.group == api::kShownAlone ? "(a writer)" : visible(holder.group));
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
    if (!waiter.groups.empty() && waiter.groups.front() == api::kShownAlone) {
      wish = " to write";
    } else if (!waiter.groups.empty() && status.kind == "band") {
      wish = fmt::format(" as {}", waiter.groups.front());
    } else if (!waiter.groups.empty()) {
      wish = fmt::format(" for group {}", fmt::join(waiter.groups, " or "));
    }
    text += item_of(fmt::format("{:>2}  {} at {}{}, {}", i + 1, waiter.client, waiter.member, wish,
                                text_of_time(waiter.since)),
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
    const Members members(options_.cluster, !options_.check);
    if (options_.check && options_.json) return {text(members.check_json()), members.health()};
    if (options_.check) return {members.check_line() + '\n', members.health()};
    const int exit_code = members.has_quorum() ? 0 : kExitUnreachable;
    return {options_.json ? text(members.json()) : members.page(hint_for(options_.cluster)),
            exit_code};
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
  if (options.check && !options.name.empty())
    throw Failure("--check is about the members, and goes without a name");
  if (options.watch) return watch_status(options);
  const auto [text, exit_code] = Page(options).make();
  fmt::print("{}", text);
  return exit_code;
}

}  // namespace

void add_status_command(const Command& root) {
  const auto options = std::make_shared<StatusOptions>();
  const Command command = root.command(
      "status", "the members; or who holds a name, who waits for it, and why",
      "Exits with 69 if no member answers, or if none of them can grant anything: there "
      "is no quorum.\n"
      "With --check also with 1 if a member is missing and the others serve. --watch "
      "exits with 0 after q,\n"
      "and if a signal ends it with 128 and its number: 130 after Ctrl-C.\n\n"
      "Example:\n  coterie status\n  coterie status deploys --watch\n  coterie status "
      "--check");
  command.option("NAME", options->name, "what is held; without it, the members are shown");
  const Option watch =
      command.flag("--watch", options->watch, "again every second, until q or Ctrl-C");
  command.flag("--check", options->check, "one line and an exit code, for monitors")
      .excludes(watch);
  command.flag("--json", options->json, "as JSON; with --watch one object per line");
  add_cluster_options(command, options->cluster);
  command.runs([options] { return run_status(*options); });
}

}  // namespace coterie::cli
