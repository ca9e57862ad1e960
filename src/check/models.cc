#include "check/models.h"

#include <algorithm>
#include <string>

namespace coterie::check {
namespace {

constexpr CallsOp kHoldX{CallsOp::Kind::hold, 0};
constexpr CallsOp kHoldY{CallsOp::Kind::hold, 1};
constexpr CallsOp kRelease{CallsOp::Kind::release};
constexpr CallsOp kLook{CallsOp::Kind::look};

struct Chances {
  Byte moves = 0;
  Byte give_ups = 0;
  Byte kills = 0;
  Byte lapses = 0;
  Byte lost_disks = 0;
  Byte stops = 0;
};

using Script = std::vector<CallsOp>;

CallsConfig config(std::string_view name, Script first, Script second, const Chances& chances,
                   Byte capacity = 1) {
  return {name,
          {std::move(first), std::move(second)},
          {chances.moves, chances.give_ups, chances.kills, chances.lapses, chances.lost_disks,
           chances.stops},
          capacity};
}

template <class Named>
const Named* find(const std::vector<Named>& all, std::string_view name) {
  const auto place =
      std::find_if(all.begin(), all.end(), [&](const Named& each) { return each.name == name; });
  return place == all.end() ? nullptr : &*place;
}

template <class Named>
Error unknown(const std::string& what, std::string_view name, const std::vector<Named>& all) {
  std::string names;
  for (const Named& each : all) names += (names.empty() ? "" : ", ") + std::string(each.name);
  return {.message = "there is no " + what + " \"" + std::string(name) + "\"; there are: " + names};
}

template <class Model, class Config, class Mutant>
Result<ModelOutcome> run_named(const std::string& model, std::string_view plan,
                               const std::vector<Config>& configs,
                               const std::vector<ModelMutant<Mutant>>& mutants,
                               const Options& options) {
  const std::size_t at = plan.find('@');
  const std::string_view name = plan.substr(0, at);
  const Config* const config = find(configs, name);
  if (config == nullptr) return unknown("configuration of " + model, name, configs);
  Mutant mutant = Mutant::none;
  if (at != std::string_view::npos) {
    const ModelMutant<Mutant>* const found = find(mutants, plan.substr(at + 1));
    if (found == nullptr) return unknown("mutant of " + model, plan.substr(at + 1), mutants);
    mutant = found->mutant;
  }
  return ModelSearch(Model(*config, mutant), options).run();
}

constexpr std::string_view kCalls = "calls:";
constexpr std::string_view kSets = "sets:";

}  // namespace

const std::vector<CallsConfig>& calls_configs() {
  static const std::vector<CallsConfig> configs{
      // One process, whose call may be at two members.
      config("two-copies", {kHoldX, kRelease}, {}, {.moves = 1}),
      config("two-copies-lapse", {kHoldX, kRelease}, {}, {.moves = 1, .lapses = 1}),
      config("two-copies-lapses", {kHoldX, kRelease}, {}, {.moves = 1, .lapses = 2}),
      config("two-moves", {kHoldX, kRelease}, {}, {.moves = 2}),
      config("two-moves-give-up", {kHoldX, kRelease}, {}, {.moves = 2, .give_ups = 1}),
      config("give-up", {kHoldX, kRelease}, {}, {.moves = 1, .give_ups = 1}),
      config("give-up-lapse", {kHoldX, kRelease}, {}, {.moves = 1, .give_ups = 1, .lapses = 1}),
      config("late-release", {kHoldX, kRelease, kHoldY}, {}, {.moves = 1}),
      config("lost-disk", {kHoldX, kRelease}, {}, {.moves = 1, .lost_disks = 1}),
      config("lost-disk-give-up", {kHoldX, kRelease}, {},
             {.moves = 1, .give_ups = 1, .lost_disks = 1}),
      config("stopped", {kHoldX, kRelease}, {}, {.moves = 1, .stops = 1}),
      // Two processes of the owner: one calls, the other looks, and releases what it is told of.
      config("look", {kHoldX}, {kLook, kRelease}, {}),
      config("look-killed", {kHoldX}, {kLook, kRelease}, {.kills = 1}),
      config("look-killed-lapse", {kHoldX}, {kLook, kRelease}, {.kills = 1, .lapses = 1}),
      config("look-give-up", {kHoldX}, {kLook, kRelease}, {.give_ups = 1}),
      config("look-lost-disk", {kHoldX}, {kLook, kRelease}, {.lost_disks = 1}),
      config("look-give-up-lost-disk", {kHoldX}, {kLook, kRelease},
             {.give_ups = 1, .lost_disks = 1}),
      config("look-killed-lost-disk", {kHoldX}, {kLook, kRelease}, {.kills = 1, .lost_disks = 1}),
      config("look-killed-stopped", {kHoldX}, {kLook, kRelease}, {.kills = 1, .stops = 1}),
      config("look-then-hold", {kHoldX}, {kLook, kRelease, kHoldY}, {}),
      // Two processes that both call.
      config("two-calls", {kHoldX, kRelease}, {kHoldY}, {}),
      config("two-copies-of-2", {kHoldX, kRelease}, {}, {.moves = 1}, 2),
      config("look-of-2", {kHoldX}, {kLook, kRelease}, {}, 2),
      config("two-calls-of-2", {kHoldX, kRelease}, {kHoldY}, {}, 2),
      config("two-calls-killed", {kHoldX, kRelease}, {kHoldY}, {.kills = 1}),
      config("two-calls-move", {kHoldX, kRelease}, {kHoldY}, {.moves = 1}),
  };
  return configs;
}

const std::vector<ModelMutant<CallsMutant>>& calls_mutants() {
  using enum CallsMutant;
  static const std::vector<ModelMutant<CallsMutant>> mutants{
      {no_tombstone, "no-tombstone", "erases what ends"},
      {forgets_at_once, "forgets-at-once", "forgets a tombstone although a copy is left"},
      {releases_owner, "releases-owner", "ends what the owner has when a release arrives"},
      {looks_at_written, "looks-at-written", "answers a look by what is written"},
      {new_attempt, "new-attempt", "draws a new attempt at each member"},
      {no_barrier, "no-barrier", "grants calls that were made before an end"},
      {ends_given, "ends-given", "ends what it knows as given"},
      {told_early, "told-early", "tells \"not granted\" when one arbiter has barred it"},
      {doubt_is_written, "doubt-is-written", "counts what is doubtful as written"},
      {doubt_is_unwritten, "doubt-is-unwritten", "counts what is doubtful as not written"},
      {ends_written, "ends-written", "ends what is written and not known as given"},
      {spreads_bars, "spreads-bars", "takes what one arbiter bars for what is over"},
      {seen_on_arrival, "seen-on-arrival", "asks which ends were seen when a call arrives"},
      {refuses_at_once, "refuses-at-once", "tells that a PIN was refused, and ends nothing"},
      {counts_lapsed, "counts-lapsed", "counts an answer whose lease has lapsed"},
      {learns_no_bars, "learns-no-bars", "learns not what others bar when its disk is lost"},
      {forgets_barrier, "forgets-barrier", "forgets the barrier with the tombstone"},
      {keeps_waiting, "keeps-waiting", "hears of an end, and lets wait what waits"},
      {takes_all, "takes-all", "takes a call whose attempt has a tombstone there"},
      {tells_unconfirmed, "tells-unconfirmed",
       "tells what a quorum has written before it is marked"},
  };
  return mutants;
}

const std::vector<SetsConfig>& sets_configs() {
  static const std::vector<SetsConfig> configs{
      {"late", {2, 0}, 1, 0},       {"late-lapses", {2, 0}, 1, 2},     {"two", {1, 1}, 1, 1},
      {"two-lapses", {1, 1}, 0, 2}, {"two-move-lapses", {1, 1}, 1, 2}, {"three", {2, 1}, 1, 1},
  };
  return configs;
}

const std::vector<ModelMutant<SetsMutant>>& sets_mutants() {
  using enum SetsMutant;
  static const std::vector<ModelMutant<SetsMutant>> mutants{
      {replaces_any, "replaces-any", "replaces whatever is there"},
      {names_version, "names-version", "names the version that it replaces, not the change"},
      {old_version, "old-version", "writes what it finds again under its old version"},
      {tells_at_once, "tells-at-once", "tells \"superseded\" by what may be half written"},
      {writes_freely, "writes-freely", "writes for a copy that has the vote no longer"},
  };
  return mutants;
}

bool is_model(std::string_view plan) { return plan.starts_with(kCalls) || plan.starts_with(kSets); }

Result<ModelOutcome> run_model(std::string_view plan, const Options& options) {
  if (plan.starts_with(kCalls)) {
    plan.remove_prefix(kCalls.size());
    return run_named<Calls>("calls", plan, calls_configs(), calls_mutants(), options);
  }
  plan.remove_prefix(kSets.size());
  return run_named<Sets>("sets", plan, sets_configs(), sets_mutants(), options);
}

}  // namespace coterie::check
