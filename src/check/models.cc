#include "check/models.h"

#include <algorithm>
#include <string>

namespace coterie::check {
namespace {

constexpr CallsOp kHold = CallsOp::hold;
constexpr CallsOp kRelease = CallsOp::release;
constexpr CallsOp kLook = CallsOp::look;

struct Chances {
  Byte moves = 0;
  Byte give_ups = 0;
  Byte kills = 0;
  Byte lapses = 0;
  Byte lost_disks = 0;
  Byte stops = 0;
  Byte giver_stops = 0;
  Byte member_stops = 0;
  bool asks_anew = false;
  bool is_rash = false;
};

using Script = std::vector<CallsOp>;

CallsConfig config(std::string_view name, Script first, Script second, const Chances& chances,
                   Byte capacity = 1) {
  return {name,
          {std::move(first), std::move(second)},
          {chances.moves, chances.give_ups, chances.kills, chances.lapses, chances.lost_disks,
           chances.stops, chances.giver_stops, chances.member_stops},
          capacity,
          chances.asks_anew,
          chances.is_rash,
          false};
}

CallsConfig decided(std::string_view name, Script first, Script second, const Chances& chances) {
  CallsConfig made = config(name, std::move(first), std::move(second), chances);
  made.is_decided = true;
  return made;
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
      // One process, which may leave its member. Where it asks anew, it does so with a new attempt when nothing comes of the first.
      config("two-copies", {kHold, kRelease}, {}, {.moves = 1, .asks_anew = true}),
      config("two-copies-lapse", {kHold, kRelease}, {},
             {.moves = 1, .lapses = 1, .asks_anew = true}),
      config("two-copies-lapses", {kHold, kRelease}, {},
             {.moves = 1, .lapses = 2, .asks_anew = true}),
      config("two-moves", {kHold, kRelease}, {}, {.moves = 2}),
      config("two-moves-give-up", {kHold, kRelease}, {}, {.moves = 2, .give_ups = 1}),
      config("give-up", {kHold, kRelease}, {}, {.moves = 1, .give_ups = 1}),
      config("give-up-anew", {kHold, kRelease}, {}, {.moves = 1, .give_ups = 1, .asks_anew = true}),
      config("give-up-lapse", {kHold, kRelease}, {}, {.moves = 1, .give_ups = 1, .lapses = 1}),
      config("late-release", {kHold, kRelease, kHold}, {}, {.moves = 1}),
      config("late-release-anew", {kHold, kRelease, kHold}, {}, {.moves = 1, .asks_anew = true}),
      config("lost-disk", {kHold, kRelease}, {}, {.moves = 1, .lost_disks = 1}),
      config("lost-disk-anew", {kHold, kRelease}, {},
             {.moves = 1, .lost_disks = 1, .asks_anew = true}),
      config("lost-disk-give-up", {kHold, kRelease}, {},
             {.moves = 1, .give_ups = 1, .lost_disks = 1}),
      config("stopped", {kHold, kRelease}, {}, {.moves = 1, .stops = 1}),
      config("stopped-anew", {kHold, kRelease}, {}, {.moves = 1, .stops = 1, .asks_anew = true}),
      // Two processes of the owner: one calls, the other looks, and releases what it is told of.
      config("look", {kHold}, {kLook, kRelease}, {}),
      config("look-rash", {kHold}, {kLook, kRelease}, {.give_ups = 1, .is_rash = true}),
      config("look-killed", {kHold}, {kLook, kRelease}, {.kills = 1}),
      config("look-killed-lapse", {kHold}, {kLook, kRelease}, {.kills = 1, .lapses = 1}),
      config("look-give-up", {kHold}, {kLook, kRelease}, {.give_ups = 1}),
      config("look-lost-disk", {kHold}, {kLook, kRelease}, {.lost_disks = 1}),
      config("look-give-up-lost-disk", {kHold}, {kLook, kRelease},
             {.give_ups = 1, .lost_disks = 1}),
      config("look-killed-lost-disk", {kHold}, {kLook, kRelease}, {.kills = 1, .lost_disks = 1}),
      config("look-killed-stopped", {kHold}, {kLook, kRelease}, {.kills = 1, .stops = 1}),
      config("look-then-hold", {kHold}, {kLook, kRelease, kHold}, {}),
      config("look-move", {kHold}, {kLook, kRelease}, {.moves = 1}),
      config("look-move-lost-disk", {kHold}, {kLook, kRelease}, {.moves = 1, .lost_disks = 1}),
      config("look-move-killed", {kHold}, {kLook, kRelease}, {.moves = 1, .kills = 1}),
      config("look-move-stopped", {kHold}, {kLook, kRelease}, {.moves = 1, .stops = 1}),
      // A member stops, and its client goes on at the other one.
      decided("giver-stops", {kHold, kRelease}, {}, {.giver_stops = 1, .asks_anew = true}),
      decided("giver-stops-look", {kHold}, {kLook, kRelease},
              {.giver_stops = 1, .asks_anew = true}),
      decided("giver-stops-look-killed", {kHold}, {kLook, kRelease},
              {.kills = 1, .giver_stops = 1, .asks_anew = true}),
      decided("member-stops", {kHold, kRelease}, {}, {.member_stops = 1, .asks_anew = true}),
      config("member-stops-look", {kHold}, {kLook, kRelease}, {.member_stops = 1}),
      // Two processes that both call.
      config("two-calls", {kHold, kRelease}, {kHold}, {}),
      config("two-copies-of-2", {kHold, kRelease}, {}, {.moves = 1}, 2),
      config("look-of-2", {kHold}, {kLook, kRelease}, {}, 2),
      config("two-calls-of-2", {kHold, kRelease}, {kHold}, {}, 2),
      config("two-calls-killed", {kHold, kRelease}, {kHold}, {.kills = 1}),
      config("two-calls-move", {kHold, kRelease}, {kHold}, {.moves = 1}),
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
      {looks_at_given, "looks-at-given", "answers a look by what is given, and nobody vouches"},
      {new_attempt, "new-attempt", "draws a new attempt at each member, and settles none"},
      {no_barrier, "no-barrier", "grants calls that were made before an end"},
      {no_inquiry, "no-inquiry", "puts it to the vote, and asks nobody whether it was given"},
      {withdraws_at_once, "withdraws-at-once", "has a client withdraw what may be given"},
      {refuses_given, "refuses-given", "refuses to withdraw what it knows as given"},
      {withdraws_vouched, "withdraws-vouched", "withdraws what it has vouched for"},
      {denies_written, "denies-written", "denies what it has written"},
      {confirms_denied, "confirms-denied", "vouches for what it has denied"},
      {knows_no_attempt, "knows-no-attempt", "vouches for a token whose attempt it has denied"},
      {vouches_ungiven, "vouches-ungiven", "vouches for what is not written there, nor given"},
      {gives_denied, "gives-denied", "takes as given what it has denied"},
      {told_early, "told-early", "tells \"not granted\" when one arbiter has denied it"},
      {spreads_denials, "spreads-denials", "takes what one arbiter denies for what is over"},
      {doubt_is_written, "doubt-is-written", "counts what is doubtful as written"},
      {doubt_is_unwritten, "doubt-is-unwritten", "counts what is doubtful as not written"},
      {learns_no_denials, "learns-no-denials", "learns not what others deny when its disk is lost"},
      {learns_no_vouching, "learns-no-vouching", "learns not what others vouch for"},
      {votes_torn, "votes-torn", "votes again when others told it of both votes"},
      {seen_on_arrival, "seen-on-arrival", "asks which ends were seen when a call arrives"},
      {refuses_at_once, "refuses-at-once", "tells that a PIN was refused, and withdraws nothing"},
      {counts_lapsed, "counts-lapsed", "counts an answer whose lease has lapsed"},
      {forgets_barrier, "forgets-barrier", "forgets the barrier with the tombstone"},
      {keeps_waiting, "keeps-waiting", "hears of an end, and lets wait what waits"},
      {takes_all, "takes-all", "takes a call whose attempt has a tombstone there"},
      {pins_vouched, "pins-vouched", "writes what it has vouched for"},
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
