// Calls for owners, changes of settings, and mistakes in their rules.
#include "check/suite_cases.h"

namespace coterie::check {
namespace {

using enum Property;
using enum Effort;

std::vector<Case> calls_that_hold() {
  return {
      holds("calls-two-copies", "calls:two-copies", {278922, 1664867, 32}),
      holds("calls-two-copies-lapse", "calls:two-copies-lapse", {1745466, 11863617, 32}, soak),
      holds("calls-two-copies-lapses", "calls:two-copies-lapses", {3277520, 23902589, 32}, soak),
      holds("calls-two-moves", "calls:two-moves", {139642, 770219, 23}),
      holds("calls-two-moves-give-up", "calls:two-moves-give-up", {248072, 1467817, 23}),
      holds("calls-give-up", "calls:give-up", {47978, 239187, 20}),
      holds("calls-give-up-anew", "calls:give-up-anew", {1730075, 11800695, 33}, soak),
      holds("calls-give-up-lapse", "calls:give-up-lapse", {96560, 524900, 21}),
      holds("calls-late-release", "calls:late-release", {228574, 1168706, 33}),
      holds("calls-late-release-anew", "calls:late-release-anew", {4699358, 31689729, 44}, soak),
      holds("calls-lost-disk", "calls:lost-disk", {137485, 636162, 23}),
      holds("calls-lost-disk-anew", "calls:lost-disk-anew", {2432574, 14615504, 34}, soak),
      holds("calls-lost-disk-give-up", "calls:lost-disk-give-up", {251199, 1236971, 23}),
      holds("calls-stopped", "calls:stopped", {46757, 215167, 21}),
      holds("calls-stopped-anew", "calls:stopped-anew", {675247, 3746238, 33}, soak),
      holds("calls-look", "calls:look", {98017, 512154, 41}),
      holds("calls-look-rash", "calls:look-rash", {135707, 653790, 30}),
      holds("calls-look-killed", "calls:look-killed", {203429, 1220234, 42}),
      holds("calls-look-killed-lapse", "calls:look-killed-lapse", {436796, 2719534, 42}),
      holds("calls-look-give-up", "calls:look-give-up", {236732, 1267156, 41}),
      holds("calls-look-lost-disk", "calls:look-lost-disk", {531236, 2704823, 47}, soak),
      holds("calls-look-give-up-lost-disk", "calls:look-give-up-lost-disk", {1187177, 6249349, 47},
            soak),
      holds("calls-look-killed-lost-disk", "calls:look-killed-lost-disk", {1148465, 6599137, 48},
            soak),
      holds("calls-look-killed-stopped", "calls:look-killed-stopped", {436885, 2508664, 44}),
      holds("calls-look-then-hold", "calls:look-then-hold", {202640, 986114, 48}),
      holds("calls-look-move", "calls:look-move", {2183975, 13962048, 45}, soak),
      holds("calls-look-move-lost-disk", "calls:look-move-lost-disk", {11539738, 70899260, 52},
            soak),
      holds("calls-look-move-killed", "calls:look-move-killed", {3144223, 22807538, 45}, soak),
      holds("calls-look-move-stopped", "calls:look-move-stopped", {4655416, 27934364, 48}, soak),
      holds("calls-giver-stops", "calls:giver-stops", {2206, 5921, 20}),
      holds("calls-giver-stops-look", "calls:giver-stops-look", {6783, 19794, 37}),
      holds("calls-giver-stops-look-killed", "calls:giver-stops-look-killed", {13965, 49683, 37}),
      holds("calls-member-stops", "calls:member-stops", {10336, 34115, 28}),
      holds("calls-member-stops-look", "calls:member-stops-look", {975780, 4737200, 47}, soak),
      holds("calls-two-calls", "calls:two-calls", {39296, 172643, 28}),
      holds("calls-two-copies-of-2", "calls:two-copies-of-2", {165576, 998024, 22}),
      holds("calls-look-of-2", "calls:look-of-2", {686507, 4510608, 43}, soak),
      holds("calls-two-calls-of-2", "calls:two-calls-of-2", {3139537, 19415783, 31}, soak),
      holds("calls-two-calls-killed", "calls:two-calls-killed", {98909, 464327, 29}),
      holds("calls-two-calls-move", "calls:two-calls-move", {1451338, 8503292, 33}, soak),
  };
}

// The other rules are enough without these. Of withdraws-at-once that is true where "in doubt" is an answer.
std::vector<Case> what_is_not_needed() {
  return {
      holds("calls-two-moves@gives-denied", "calls:two-moves@gives-denied", {139642, 783182, 23},
            soak),
      holds("calls-look-move@gives-denied", "calls:look-move@gives-denied", {2199620, 14171826, 45},
            soak),
      holds("calls-look-lost-disk@gives-denied", "calls:look-lost-disk@gives-denied",
            {534242, 2722239, 47}, soak),
      holds("calls-two-moves@withdraws-at-once", "calls:two-moves@withdraws-at-once",
            {104599, 597559, 20}, soak),
      holds("calls-look-lost-disk@withdraws-at-once", "calls:look-lost-disk@withdraws-at-once",
            {531236, 2704823, 47}, soak),
      holds("calls-look-move@withdraws-at-once", "calls:look-move@withdraws-at-once",
            {1949982, 12461179, 44}, soak),
      holds("calls-look-move-stopped@withdraws-at-once",
            "calls:look-move-stopped@withdraws-at-once", {4128497, 24920964, 46}, soak),
      holds("calls-give-up@keeps-waiting", "calls:give-up@keeps-waiting", {48862, 240485, 21},
            soak),
      holds("calls-look-killed@keeps-waiting", "calls:look-killed@keeps-waiting",
            {198227, 1168594, 42}, soak),
      holds("calls-two-calls@keeps-waiting", "calls:two-calls@keeps-waiting", {37120, 160319, 29},
            soak),
      holds("calls-late-release@keeps-waiting", "calls:late-release@keeps-waiting",
            {201048, 1006934, 34}, soak),
      holds("calls-give-up@takes-all", "calls:give-up@takes-all", {48726, 241832, 20}, soak),
      holds("calls-two-calls@takes-all", "calls:two-calls@takes-all", {39296, 172643, 28}, soak),
      holds("calls-late-release@takes-all", "calls:late-release@takes-all", {232922, 1183799, 33},
            soak),
      holds("calls-two-moves@pins-vouched", "calls:two-moves@pins-vouched", {139642, 770219, 23},
            soak),
      holds("calls-look-lost-disk@pins-vouched", "calls:look-lost-disk@pins-vouched",
            {532124, 2708027, 47}, soak),
  };
}

std::vector<Case> calls_that_break() {
  return {
      breaks("calls@no-tombstone", safety, "calls:look@no-tombstone", {26705, 84524, 18}),
      breaks("calls@forgets-at-once", safety, "calls:look-give-up@forgets-at-once",
             {317777, 1375004, 21}),
      breaks("calls@releases-owner", safety, "calls:late-release@releases-owner",
             {158622, 673587, 23}),
      breaks("calls@looks-at-written", safety, "calls:look-give-up@looks-at-written",
             {19396, 70156, 12}),
      breaks("calls@looks-at-given", safety, "calls:look-move@looks-at-given",
             {220376, 948615, 16}),
      breaks("calls@new-attempt", finish, "calls:two-copies@new-attempt", {20802, 89848, 28}),
      breaks("calls@no-barrier", safety, "calls:two-calls@no-barrier", {8239, 26200, 19}),
      breaks("calls@no-inquiry", finish, "calls:giver-stops-look@no-inquiry", {30959, 95692, 37}),
      breaks("calls@withdraws-at-once", finish, "calls:giver-stops-look@withdraws-at-once",
             {29215, 92761, 37}),
      breaks("calls@refuses-given", finish, "calls:member-stops@refuses-given", {10148, 33313, 28}),
      breaks("calls@withdraws-vouched", safety, "calls:look-give-up@withdraws-vouched",
             {58136, 222036, 17}),
      breaks("calls@denies-written", safety, "calls:look@denies-written", {44613, 162314, 18}),
      breaks("calls@confirms-denied", safety, "calls:look-give-up@confirms-denied",
             {56617, 218492, 17}),
      breaks("calls@knows-no-attempt", safety, "calls:two-moves@knows-no-attempt",
             {168562, 949005, 19}),
      breaks("calls@vouches-ungiven", safety, "calls:look-rash@vouches-ungiven",
             {38782, 154149, 15}),
      breaks("calls@told-early", safety, "calls:look@told-early", {36755, 133669, 17}),
      breaks("calls@spreads-denials", safety, "calls:look@spreads-denials", {24069, 82427, 16}),
      breaks("calls@doubt-is-written", safety, "calls:look-lost-disk@doubt-is-written",
             {410454, 2091549, 28}),
      breaks("calls@doubt-is-unwritten", safety, "calls:look-lost-disk@doubt-is-unwritten",
             {231702, 984351, 21}),
      breaks("calls@learns-no-denials", safety, "calls:look-lost-disk@learns-no-denials",
             {421485, 2126961, 34}),
      breaks("calls@learns-no-vouching", safety, "calls:look-lost-disk@learns-no-vouching",
             {146207, 557225, 19}),
      breaks("calls@votes-torn", safety, "calls:look-lost-disk@votes-torn", {285318, 1324364, 23}),
      breaks("calls@seen-on-arrival", safety, "calls:two-calls@seen-on-arrival",
             {16059, 51442, 19}),
      breaks("calls@refuses-at-once", safety, "calls:look@refuses-at-once", {47340, 217413, 24}),
      breaks("calls@counts-lapsed", safety, "calls:look-lost-disk@counts-lapsed",
             {12545, 37609, 11}),
      breaks("calls@forgets-barrier", safety, "calls:two-calls@forgets-barrier",
             {31367, 115715, 21}),
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
