// Calls for owners, changes of settings, and mistakes in their rules.
#include "check/suite_cases.h"

namespace coterie::check {
namespace {

using enum Property;
using enum Effort;

std::vector<Case> calls_that_hold() {
  return {
      holds("calls-two-copies", "calls:two-copies", {66883, 305679, 29}),
      holds("calls-two-copies-lapse", "calls:two-copies-lapse", {405140, 2054873, 30}),
      holds("calls-two-copies-lapses", "calls:two-copies-lapses", {902900, 4934912, 31}, soak),
      holds("calls-two-moves", "calls:two-moves", {301618, 1491356, 31}),
      holds("calls-two-moves-give-up", "calls:two-moves-give-up", {1525099, 8246287, 33}, soak),
      holds("calls-give-up", "calls:give-up", {445757, 2288542, 31}),
      holds("calls-give-up-lapse", "calls:give-up-lapse", {1309676, 7190716, 31}, soak),
      holds("calls-late-release", "calls:late-release", {2787095, 15772202, 43}, soak),
      holds("calls-lost-disk", "calls:lost-disk", {686830, 3383955, 31}),
      holds("calls-lost-disk-give-up", "calls:lost-disk-give-up", {2623223, 13873674, 33}, soak),
      holds("calls-stopped", "calls:stopped", {145503, 647539, 30}),
      holds("calls-look", "calls:look", {279659, 1617656, 31}),
      holds("calls-look-killed", "calls:look-killed", {612190, 3985624, 32}),
      holds("calls-look-killed-lapse", "calls:look-killed-lapse", {1283834, 8743234, 32}, soak),
      holds("calls-look-give-up", "calls:look-give-up", {640389, 3708926, 31}, soak),
      holds("calls-look-lost-disk", "calls:look-lost-disk", {1278918, 7563270, 35}, soak),
      holds("calls-look-give-up-lost-disk", "calls:look-give-up-lost-disk", {2887014, 17162545, 35},
            soak),
      holds("calls-look-killed-lost-disk", "calls:look-killed-lost-disk", {2872055, 18776646, 35},
            soak),
      holds("calls-look-killed-stopped", "calls:look-killed-stopped", {1289265, 8050386, 33}, soak),
      holds("calls-look-then-hold", "calls:look-then-hold", {2680754, 15620812, 46}, soak),
      holds("calls-two-calls", "calls:two-calls", {135837, 723046, 30}),
      holds("calls-two-copies-of-2", "calls:two-copies-of-2", {5711078, 36026423, 33}, soak),
      holds("calls-look-of-2", "calls:look-of-2", {1862499, 13244858, 33}, soak),
      holds("calls-two-calls-of-2", "calls:two-calls-of-2", {4659195, 31930626, 37}, soak),
      holds("calls-two-calls-killed", "calls:two-calls-killed", {369780, 2072935, 31}, soak),
      holds("calls-two-calls-move", "calls:two-calls-move", {28422930, 191662515, 43}, soak),
  };
}

// The other rules are enough without these.
std::vector<Case> what_is_not_needed() {
  return {
      holds("calls-give-up@keeps-waiting", "calls:give-up@keeps-waiting", {454359, 2299372, 32},
            soak),
      holds("calls-look-killed@keeps-waiting", "calls:look-killed@keeps-waiting",
            {570060, 3662137, 32}, soak),
      holds("calls-two-calls@keeps-waiting", "calls:two-calls@keeps-waiting", {133853, 710962, 30},
            soak),
      holds("calls-late-release@keeps-waiting", "calls:late-release@keeps-waiting",
            {2441268, 13550964, 43}, soak),
      holds("calls-give-up@takes-all", "calls:give-up@takes-all", {466485, 2376604, 31}, soak),
      holds("calls-two-calls@takes-all", "calls:two-calls@takes-all", {135837, 723046, 30}, soak),
      holds("calls-late-release@takes-all", "calls:late-release@takes-all", {3045986, 17172139, 43},
            soak),
      holds("calls-give-up@tells-unconfirmed", "calls:give-up@tells-unconfirmed",
            {470475, 2436777, 30}, soak),
      holds("calls-look-killed@tells-unconfirmed", "calls:look-killed@tells-unconfirmed",
            {626243, 4074587, 32}, soak),
      holds("calls-look-lost-disk@tells-unconfirmed", "calls:look-lost-disk@tells-unconfirmed",
            {1315467, 7784356, 35}, soak),
  };
}

std::vector<Case> calls_that_break() {
  return {
      breaks("calls@no-tombstone", safety, "calls:two-copies@no-tombstone", {4715, 11285, 12}),
      breaks("calls@forgets-at-once", safety, "calls:two-copies@forgets-at-once",
             {59822, 212969, 18}),
      breaks("calls@releases-owner", safety, "calls:late-release@releases-owner",
             {293066, 1147352, 21}),
      breaks("calls@looks-at-written", safety, "calls:look-give-up@looks-at-written",
             {15680, 55789, 11}),
      breaks("calls@new-attempt", finish, "calls:two-copies@new-attempt", {43411, 218736, 28}),
      breaks("calls@no-barrier", safety, "calls:two-calls@no-barrier", {47583, 197575, 17}),
      breaks("calls@ends-given", safety, "calls:two-copies@ends-given", {8691, 27382, 13}),
      breaks("calls@told-early", safety, "calls:two-copies@told-early", {5921, 15430, 11}),
      breaks("calls@doubt-is-written", safety, "calls:look-give-up-lost-disk@doubt-is-written",
             {217270, 893154, 15}),
      breaks("calls@doubt-is-unwritten", safety, "calls:look-lost-disk@doubt-is-unwritten",
             {77998, 280817, 15}),
      breaks("calls@ends-written", safety, "calls:two-copies@ends-written", {7134, 20874, 12}),
      breaks("calls-look@ends-written", safety, "calls:look@ends-written", {6259, 17542, 13}),
      breaks("calls@spreads-bars", safety, "calls:two-copies@spreads-bars", {26652, 86068, 13}),
      breaks("calls@seen-on-arrival", safety, "calls:two-calls@seen-on-arrival",
             {55831, 228771, 17}),
      breaks("calls@refuses-at-once", safety, "calls:give-up@refuses-at-once", {84180, 312778, 14}),
      breaks("calls@counts-lapsed", safety, "calls:look-lost-disk@counts-lapsed",
             {9155, 26986, 10}),
      breaks("calls@learns-no-bars", safety, "calls:lost-disk-give-up@learns-no-bars",
             {483489, 1894290, 15}),
      breaks("calls@forgets-barrier", safety, "calls:two-calls@forgets-barrier",
             {90492, 414442, 19}),
  };
}

std::vector<Case> of_sets() {
  return {
      holds("sets-late", "sets:late", {1948, 3979, 19}),
      holds("sets-late-lapses", "sets:late-lapses", {62844, 166610, 24}),
      holds("sets-two", "sets:two", {45704, 114580, 22}),
      holds("sets-two-lapses", "sets:two-lapses", {13734, 33164, 18}),
      holds("sets-two-move-lapses", "sets:two-move-lapses", {217458, 603728, 24}),
      holds("sets-three", "sets:three", {273624, 712790, 28}),
      holds("sets-three@names-version", "sets:three@names-version", {278379, 721847, 28}, soak),
      breaks("sets@replaces-any", safety, "sets:late@replaces-any", {1915, 3839, 17}),
      breaks("sets@old-version", safety, "sets:two-lapses@old-version", {7978, 20102, 16}),
      breaks("sets@tells-at-once", safety, "sets:three@tells-at-once", {64606, 169130, 14}),
      breaks("sets@writes-freely", safety, "sets:two-lapses@writes-freely", {5297, 12320, 11}),
  };
}

}  // namespace

std::vector<Case> calls_cases() {
  std::vector<Case> cases;
  for (const auto part : {calls_that_hold, what_is_not_needed, calls_that_break, of_sets}) {
    const std::vector<Case> more = part();
    cases.insert(cases.end(), more.begin(), more.end());
  }
  return cases;
}

}  // namespace coterie::check
