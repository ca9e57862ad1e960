// Calls for owners, changes of settings, and mistakes in their rules.
#include "check/suite_cases.h"

namespace coterie::check {
namespace {

using enum Property;
using enum Effort;

std::vector<Case> calls_that_hold() {
  return {
      holds("calls-two-copies", "calls:two-copies", {275817, 1652242, 32}),
      holds("calls-two-copies-lapse", "calls:two-copies-lapse", {1730484, 11794702, 32}, soak),
      holds("calls-two-copies-lapses", "calls:two-copies-lapses", {3252908, 23782155, 32}, soak),
      holds("calls-two-moves", "calls:two-moves", {132044, 732744, 24}),
      holds("calls-two-moves-give-up", "calls:two-moves-give-up", {240474, 1430342, 24}),
      holds("calls-give-up", "calls:give-up", {47518, 237163, 22}),
      holds("calls-give-up-anew", "calls:give-up-anew", {1717420, 11740690, 33}, soak),
      holds("calls-give-up-lapse", "calls:give-up-lapse", {95856, 521605, 23}),
      holds("calls-late-release", "calls:late-release", {225513, 1154511, 33}),
      holds("calls-late-release-anew", "calls:late-release-anew", {4668081, 31542310, 44}, soak),
      holds("calls-lost-disk", "calls:lost-disk", {136264, 627234, 25}),
      holds("calls-lost-disk-anew", "calls:lost-disk-anew", {2393924, 14438857, 34}, soak),
      holds("calls-lost-disk-give-up", "calls:lost-disk-give-up", {249978, 1228043, 25}),
      holds("calls-stopped", "calls:stopped", {46017, 211483, 23}),
      holds("calls-stopped-anew", "calls:stopped-anew", {668017, 3717497, 33}, soak),
      holds("calls-look", "calls:look", {98017, 512142, 41}),
      holds("calls-look-rash", "calls:look-rash", {135839, 654708, 30}),
      holds("calls-look-killed", "calls:look-killed", {203417, 1220178, 42}),
      holds("calls-look-killed-lapse", "calls:look-killed-lapse", {436772, 2719422, 42}),
      holds("calls-look-give-up", "calls:look-give-up", {236864, 1268074, 41}),
      holds("calls-look-lost-disk", "calls:look-lost-disk", {531224, 2705059, 47}, soak),
      holds("calls-look-give-up-lost-disk", "calls:look-give-up-lost-disk", {1186707, 6250122, 47},
            soak),
      holds("calls-look-killed-lost-disk", "calls:look-killed-lost-disk", {1148381, 6599768, 48},
            soak),
      holds("calls-look-killed-stopped", "calls:look-killed-stopped", {436861, 2508575, 44}),
      holds("calls-look-then-hold", "calls:look-then-hold", {202640, 986036, 48}),
      holds("calls-look-move", "calls:look-move", {2074516, 13362935, 45}, soak),
      holds("calls-look-move-lost-disk", "calls:look-move-lost-disk", {11102326, 68315310, 52},
            soak),
      holds("calls-look-move-killed", "calls:look-move-killed", {2987908, 21812530, 45}, soak),
      holds("calls-look-move-stopped", "calls:look-move-stopped", {4434669, 26764314, 48}, soak),
      holds("calls-giver-stops", "calls:giver-stops", {2206, 5921, 20}),
      holds("calls-giver-stops-look", "calls:giver-stops-look", {6783, 19794, 37}),
      holds("calls-giver-stops-look-killed", "calls:giver-stops-look-killed", {13965, 49683, 37}),
      holds("calls-member-stops", "calls:member-stops", {10148, 33313, 28}),
      holds("calls-member-stops-look", "calls:member-stops-look", {974009, 4730464, 47}, soak),
      holds("calls-two-calls", "calls:two-calls", {39296, 172643, 28}),
      holds("calls-two-copies-of-2", "calls:two-copies-of-2", {161842, 976132, 24}),
      holds("calls-look-of-2", "calls:look-of-2", {686507, 4510524, 43}, soak),
      holds("calls-two-calls-of-2", "calls:two-calls-of-2", {3139537, 19415783, 31}, soak),
      holds("calls-two-calls-killed", "calls:two-calls-killed", {98909, 464327, 29}),
      holds("calls-two-calls-move", "calls:two-calls-move", {1459829, 8541043, 35}, soak),
  };
}

// The other rules are enough without these.
std::vector<Case> what_is_not_needed() {
  return {
      holds("calls-give-up@keeps-waiting", "calls:give-up@keeps-waiting", {48402, 238461, 22},
            soak),
      holds("calls-look-killed@keeps-waiting", "calls:look-killed@keeps-waiting",
            {198227, 1168594, 42}, soak),
      holds("calls-two-calls@keeps-waiting", "calls:two-calls@keeps-waiting", {37120, 160319, 29},
            soak),
      holds("calls-late-release@keeps-waiting", "calls:late-release@keeps-waiting",
            {197987, 992739, 34}, soak),
      holds("calls-give-up@takes-all", "calls:give-up@takes-all", {48266, 239808, 22}, soak),
      holds("calls-two-calls@takes-all", "calls:two-calls@takes-all", {39296, 172643, 28}, soak),
      holds("calls-late-release@takes-all", "calls:late-release@takes-all", {229861, 1169604, 33},
            soak),
      holds("calls-two-moves@pins-vouched", "calls:two-moves@pins-vouched", {132044, 732744, 24},
            soak),
      holds("calls-look-lost-disk@pins-vouched", "calls:look-lost-disk@pins-vouched",
            {532112, 2708263, 47}, soak),
      holds("calls-two-copies@withdraws-given", "calls:two-copies@withdraws-given",
            {278922, 1664867, 32}, soak),
      holds("calls-two-moves@withdraws-given", "calls:two-moves@withdraws-given",
            {139642, 770219, 23}, soak),
      holds("calls-look-lost-disk@withdraws-given", "calls:look-lost-disk@withdraws-given",
            {531236, 2704823, 47}, soak),
      holds("calls-look-move@withdraws-given", "calls:look-move@withdraws-given",
            {2183975, 13962048, 45}, soak),
      holds("calls-look-move-stopped@withdraws-given", "calls:look-move-stopped@withdraws-given",
            {4670364, 27998426, 48}, soak),
      holds("calls-member-stops@withdraws-given", "calls:member-stops@withdraws-given",
            {10336, 34115, 28}, soak),
  };
}

std::vector<Case> calls_that_break() {
  return {
      breaks("calls@no-tombstone", safety, "calls:look@no-tombstone", {26707, 84524, 18}),
      breaks("calls@forgets-at-once", safety, "calls:look-give-up@forgets-at-once",
             {318066, 1375717, 21}),
      breaks("calls@releases-owner", safety, "calls:late-release@releases-owner",
             {156890, 666691, 23}),
      breaks("calls@looks-at-written", safety, "calls:look-give-up@looks-at-written",
             {19396, 70156, 12}),
      breaks("calls@looks-at-given", safety, "calls:look-move@looks-at-given",
             {214073, 928971, 16}),
      breaks("calls@new-attempt", finish, "calls:two-copies@new-attempt", {20802, 89848, 28}),
      breaks("calls@no-barrier", safety, "calls:two-calls@no-barrier", {8239, 26200, 19}),
      breaks("calls@no-inquiry", finish, "calls:giver-stops@no-inquiry", {2182, 5783, 20}),
      breaks("calls-giver-stops-look@no-inquiry", finish, "calls:giver-stops-look@no-inquiry",
             {8171, 21912, 36}),
      breaks("calls@withdraws-vouched", safety, "calls:look-give-up@withdraws-vouched",
             {58115, 222015, 17}),
      breaks("calls@denies-written", safety, "calls:look@denies-written", {44613, 162314, 18}),
      breaks("calls@confirms-denied", safety, "calls:look-give-up@confirms-denied",
             {56614, 218492, 17}),
      breaks("calls@knows-no-attempt", safety, "calls:two-moves@knows-no-attempt",
             {157050, 896239, 19}),
      breaks("calls@vouches-ungiven", safety, "calls:look-rash@vouches-ungiven",
             {38782, 154158, 15}),
      breaks("calls@gives-denied", safety, "calls:two-moves@gives-denied", {153234, 830625, 20}),
      breaks("calls@told-early", safety, "calls:look@told-early", {36755, 133669, 17}),
      breaks("calls@spreads-denials", safety, "calls:look@spreads-denials", {24069, 82427, 16}),
      breaks("calls@doubt-is-written", safety, "calls:look-lost-disk@doubt-is-written",
             {410366, 2091189, 28}),
      breaks("calls@doubt-is-unwritten", safety, "calls:look-lost-disk@doubt-is-unwritten",
             {231698, 984341, 21}),
      breaks("calls@learns-no-denials", safety, "calls:look-lost-disk@learns-no-denials",
             {421667, 2127663, 34}),
      breaks("calls@learns-no-vouching", safety, "calls:look-lost-disk@learns-no-vouching",
             {146207, 557225, 19}),
      breaks("calls@votes-torn", safety, "calls:look-lost-disk@votes-torn", {285294, 1324282, 23}),
      breaks("calls@seen-on-arrival", safety, "calls:two-calls@seen-on-arrival",
             {16059, 51442, 19}),
      breaks("calls@refuses-at-once", safety, "calls:look@refuses-at-once", {47340, 217401, 24}),
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
