#include "cli/hold_options.h"

#include <fmt/format.h>

#include <string_view>

#include "base/text.h"
#include "cli/input.h"
#include "net/settings.h"

namespace coterie::cli {

namespace {

using std::chrono::milliseconds;

constexpr Range kCount{1, Kind::kNoMax - 1};

milliseconds read_time(const std::string& text, const std::string& option) {
  const auto time = net::parse_duration(text);
  if (!time) throw Failure(fmt::format("{}: {}", option, time.error().message));
  return std::chrono::duration_cast<milliseconds>(std::chrono::nanoseconds(time->ns));
}

std::vector<std::string> groups_of(const HoldOptions& options) {
  std::vector<std::string> groups;
  for (const std::string_view group : split(options.groups, ',')) {
    if (group.empty())
      throw Failure(fmt::format("--group '{}' has an empty group in it", options.groups));
    groups.emplace_back(group);
  }
  return groups;
}

// The parser has seen that it is in range.
std::uint32_t count_of(const std::optional<std::uint64_t>& given, std::uint32_t otherwise) {
  return given ? static_cast<std::uint32_t>(*given) : otherwise;
}

Request room_of(const HoldOptions& options) {
  if (int{!options.groups.empty()} + int{options.read} + int{options.write} != 1)
    throw Failure("a room needs exactly one of --group, --read and --write");
  if (options.rooms && options.groups.empty())
    throw Failure("--rooms goes with --group: readers and writers share one room");
  const Patience patience = read_patience(options);
  if (options.read) return Request::read(options.name, patience);
  if (options.write) return Request::write(options.name, patience);
  return Request::rooms(options.name, count_of(options.rooms, 1), groups_of(options), patience);
}

Request band_of(HoldOptions& options) {
  if (!options.min && !options.max)
    throw Failure("a band needs --min, how many stay inside at least, or --max, or both");
  if (options.min && options.max && *options.min > *options.max)
    throw Failure(fmt::format("--min {} is more than --max {}; it may be as much, or less",
                              *options.min, *options.max));
  if (options.as.empty()) throw Failure("--as must not be empty: it is a participant's name");
  if (!options.command.empty() && options.is_inside == options.is_outside)
    throw Failure("a band needs --inside, to run the command while inside, or --outside; not both");
  if (options.is_outside && !options.on_lost.empty())
    throw Failure("--on-lost goes with --inside: who is outside has nothing to lose");
  // Where only too few are a danger, ending the command would bring it about.
  if (options.on_lost.empty()) options.on_lost = options.max ? "kill" : "rejoin";
  return Request::band(options.name, options.as, count_of(options.min, 0),
                       count_of(options.max, Kind::kNoMax), read_patience(options));
}

void add_limit(const Command& command, HoldOptions& options) {
  command
      .option("--limit", options.limit, "so many at once; the same for all who use the name",
              kCount)
      .required();
}

void add_groups(const Command& command, HoldOptions& options) {
  command.option("--group", options.groups, "who shares the room; of several, any one will do")
      .value("GROUP,...");
  command.flag("--read", options.read, "share the room with other readers");
  command.flag("--write", options.write, "be alone in the room");
  command.option("--rooms", options.rooms, "so many groups at once, each together (default: 1)",
                 kCount);
}

void add_bounds(const Command& command, HoldOptions& options) {
  command.option("--min", options.min, "so many stay inside, once so many have been", kCount);
  command.option("--max", options.max, "so many are inside at most", kCount);
}

void add_kind_options(const Command& command, HoldOptions& options) {
  if (options.type == Kind::Type::semaphore) add_limit(command, options);
  if (options.type == Kind::Type::room) add_groups(command, options);
  if (options.type == Kind::Type::band) add_bounds(command, options);
}

void add_owner(const Command& command, HoldOptions& options, const std::string& help) {
  command.option("--as", options.as, help).value("ID").required();
}

void add_place(const Command& command, HoldOptions& options) {
  command.option("NAME", options.name, "what is held").required();
  const Option is_try = command.flag("--try", options.is_try, "do not wait in line");
  command.option("--wait", options.wait, "wait no longer than this: 500ms, 30s, 1h30m")
      .value("TIME")
      .excludes(is_try);
}

}  // namespace

milliseconds HoldOptions::grace_time() const { return read_time(grace, "--grace"); }

std::string HoldOptions::group_of(const Hold& hold) const { return write ? "write" : hold.group(); }

void add_run_options(const Command& command, HoldOptions& options) {
  const bool is_band = options.type == Kind::Type::band;
  add_place(command, options);
  command.option("COMMAND", options.command, "the command and its arguments, after --");
  if (is_band)
    add_owner(command, options,
              "the participant's name, which no two have at once, and which stays the same");
  add_kind_options(command, options);
  if (is_band) {
    command.flag("--inside", options.is_inside, "run the command while inside");
    command.flag("--outside", options.is_outside, "run it while outside, and be inside otherwise");
  } else {
    options.on_lost = "kill";
  }
  command
      .option("--on-lost", options.on_lost,
              is_band ? "if the hold is lost: end the command, only say so, or enter again"
                      : "if the hold is lost: end the command, or only say so")
      .one_of(is_band ? std::vector<std::string>{"kill", "warn", "rejoin"}
                      : std::vector<std::string>{"kill", "warn"});
  command.option("--grace", options.grace, "from SIGTERM to SIGKILL").value("TIME");
  command.option("--label", options.cluster.label, "how others see this (default: user@host:pid)")
      .value("TEXT");
  command.flag("--json", options.json,
               "tell what happens on standard error, one JSON object per line");
  command.option("--events", options.events, "append them to this file instead, or to /dev/fd/N")
      .value("FILE");
  add_cluster_options(command, options.cluster);
}

void add_owner_options(const Command& command, HoldOptions& options) {
  add_place(command, options);
  add_owner(command, options, "who holds it from now on");
  add_kind_options(command, options);
  command.flag("--json", options.json, "what is held, as JSON");
  add_cluster_options(command, options.cluster);
}

void add_release_options(const Command& command, HoldOptions& options) {
  add_place(command, options);
  add_owner(command, options, "who holds it");
  command.flag("--json", options.json, "what was released, as JSON");
  add_cluster_options(command, options.cluster);
}

Patience read_patience(const HoldOptions& options) {
  if (options.is_try) return Patience::try_once();
  if (options.wait.empty()) return Patience::forever();
  const milliseconds wait = read_time(options.wait, "--wait");
  // From now on, whatever is done meanwhile: members are looked for, and the line is waited in.
  return wait == milliseconds(0) ? Patience::try_once() : Patience::until(Clock::now() + wait);
}

Patience read_wait(const std::string& wait) {
  return wait.empty() ? Patience::forever() : Patience::at_most(read_time(wait, "--wait"));
}

Request read_request(HoldOptions& options) {
  check_name(options.name);
  static_cast<void>(options.grace_time());
  switch (options.type) {
    case Kind::Type::mutex:
      return Request::mutex(options.name, read_patience(options));
    case Kind::Type::room:
      return room_of(options);
    case Kind::Type::semaphore:
      return Request::semaphore(options.name, count_of(options.limit, 1), read_patience(options));
    case Kind::Type::band:
      break;
  }
  return band_of(options);
}

}  // namespace coterie::cli
