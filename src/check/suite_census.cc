// Census, with and without faults, and mistakes in it. Those that start inside count as having come in; who stays
// there in the end may. Where a message to oneself is part of the step (--self immediate), or alarms are late, a
// full search would take minutes.
#include "check/suite_cases.h"

namespace coterie::check {
namespace {

using enum Property;
using enum Effort;

// What it claims, and what no fault takes away.
std::vector<Case> counts() {
  return {
      holds("census-semaphore", "census --system majority:n=3 --self immediate",
            {64712, 196265, 34}),
      holds("census-semaphore-k2", "census --system majority:n=3 --max 2 --self immediate",
            {936923, 3465283, 35}, soak),
      holds("census-rooms-k1",
            "census+rooms --system majority:n=3 --groups a,b,a --max 1 --self "
            "immediate",
            {130039, 426325, 35}),
      holds("census-rooms-k2",
            "census+rooms --system majority:n=3 --groups a,b,c --max 2 --self "
            "immediate",
            {936923, 3465283, 35}, soak),
      holds("census-floor-l1", "census+floor --system majority:n=3 --min 1", {8709, 25175, 23}),
      holds("census-floor-l2", "census+floor --system majority:n=3 --min 2", {7955, 23076, 23}),
      holds("census-floor-l1-r2",
            "census+floor --system majority:n=3 --requests 2 --min 1 --self immediate",
            {10094, 32432, 23}),
      holds("census-band-l1-k2", "census+band --system majority:n=3 --min 1 --max 2",
            {11511, 36549, 29}),
      holds("census-band-l1-k2-r2",
            "census+band --system majority:n=3 --requests 2 --min 1 --max 2 --self "
            "immediate",
            {318686, 1004833, 43}, soak),
      holds("census-semaphore-cancel-r2",
            "census --system majority:n=3 --requesters 2 --requests 2 --self "
            "immediate --cancels 1",
            {1275534, 4503808, 45}, soak),
      holds("census-semaphore-lapse",
            "census --system majority:n=3 --requesters 2 --self immediate --lapses 1",
            {175547, 514136, 31}, soak),
      holds("census-semaphore-crash",
            "census --system majority:n=3 --requesters 2 --self immediate --crashes 1",
            {35367, 121988, 26}, soak),
      holds("census-semaphore-suspicion",
            "census --system majority:n=3 --requesters 2 --self immediate "
            "--suspicions 1",
            {69488, 244663, 28}),
      holds("census-floor-l1-lapse",
            "census+floor --system majority:n=3 --requesters 2 --min 1 --inside 0,1 "
            "--self immediate --lapses 1",
            {26727, 65553, 22}),
      holds("census-floor-l1-crash",
            "census+floor --system majority:n=3 --requesters 2 --min 1 --inside 0,1 "
            "--self immediate --crashes 1",
            {14681, 51801, 16}),
      holds("census-floor-l2-crash",
            "census+floor --system majority:n=3 --requesters 2 --min 2 --self "
            "immediate --crashes 1",
            {23927, 88294, 17}),
      holds("census-band-l1-k2-lapse",
            "census+band --system majority:n=3 --requesters 2 --min 1 --max 2 --self "
            "immediate --lapses 1",
            {196337, 637355, 27}, soak),
      holds("census-band-l1-k2-crash",
            "census+band --system majority:n=3 --requesters 2 --min 1 --max 2 --self "
            "immediate --crashes 1",
            {9910, 38934, 17}),
      holds("census-floor-l1-crash-restart",
            "census+floor --system majority:n=3 --requesters 2 --min 1 --inside 0,1 "
            "--self immediate --crashes 1 --restarts 1",
            {428938, 2081206, 26}, soak),
      holds("census-floor-l2-crash-restart",
            "census+floor --system majority:n=3 --requesters 2 --min 2 --self "
            "immediate --crashes 1 --restarts 1",
            {693536, 3473581, 26}, soak),
      holds("census-band-l1-k2-crash-restart",
            "census+band --system majority:n=3 --requesters 2 --min 1 --max 2 --self "
            "immediate --crashes 1 --restarts 1",
            {488557, 2227711, 36}, soak),
      holds("census-semaphore-crash-restart",
            "census --system majority:n=3 --requesters 2 --self immediate --crashes 1 "
            "--restarts 1",
            {584835, 2394979, 36}, soak),
      holds("census-semaphore-k2-crash-restart",
            "census --system majority:n=3 --requesters 2 --max 2 --self immediate "
            "--crashes 1 --restarts 1",
            {1788013, 8152836, 38}, soak),
      holds("census-rooms-k1-crash-restart",
            "census+rooms --system majority:n=3 --requesters 2 --groups a,b --max 1 "
            "--self immediate --crashes 1 --restarts 1",
            {584835, 2394979, 36}, soak),
  };
}

// +tight: numbers lag as far as they may soon.
std::vector<Case> remembers() {
  return {
      holds("census-tokens",
            "census+tight --system majority:n=3 --self immediate --property "
            "safety,tokens",
            {65085, 196858, 34}),
      holds("census-tokens-lapse",
            "census+tight --system majority:n=3 --requesters 2 --self immediate "
            "--lapses 1 --property safety,tokens",
            {139971, 420016, 31}, soak),
      holds("census-tokens-k2-crash",
            "census+tight --system majority:n=3 --requesters 2 --max 2 --self "
            "immediate --crashes 1 --property safety,tokens",
            {88135, 375237, 24}, soak),
      holds("census-semaphore-crash-survives",
            "census --system majority:n=3 --requesters 2 --self immediate --crashes 1 "
            "--strike late --property safety,survives,served,slot",
            {6787, 14062, 26}),
      holds("census-semaphore-crash-suspicion-survives",
            "census --system majority:n=3 --requesters 2 --self immediate --crashes 1 "
            "--suspicions 1 --strike late --property safety,survives,served,slot",
            {123707, 378882, 31}),
      holds("census-tokens-crash-restart",
            "census+tight --system majority:n=3 --requesters 2 --self immediate "
            "--crashes 1 --restarts 1 --property safety,tokens",
            {543257, 2240312, 37}, soak),
      holds("census-tokens-k2-crash-3",
            "census+tight --system majority:n=3 --max 2 --self immediate --alarms "
            "late --crashes 1 --property safety,tokens",
            {1622852, 6588438, 36}, soak),
  };
}

std::vector<Case> miscounts() {
  return {
      breaks("census@friends", safety,
             "census+rooms@friends --system majority:n=3 --groups a,b,a --max 1 "
             "--self immediate --alarms late --lapses 1 --property safety",
             {619975, 1773291, 16}, soak),
      breaks("census@records-repair", safety,
             "census@records-repair --system majority:n=3 --requesters 2 --self "
             "immediate --lapses 1",
             {13341, 33331, 11}),
      breaks("census@counts-lapsed", safety,
             "census@counts-lapsed --system majority:n=3 --requesters 2 --self "
             "immediate --lapses 2",
             {100779, 290702, 10}, soak),
      breaks("census@any-quorum", safety,
             "census+floor@any-quorum --system majority:n=3 --requesters 2 --min 1 "
             "--inside 0,1 --self immediate --lapses 1",
             {8352, 19827, 10}),
      breaks("census@forgets-lapsed", safety,
             "census+floor@forgets-lapsed --system majority:n=3 --requesters 2 --min "
             "1 --inside 0,1 --self immediate --lapses 1",
             {7640, 18789, 10}),
      breaks("census@forgets-lost", safety,
             "census+band@forgets-lost --system majority:n=3 --requesters 2 "
             "--requests 2 --min 1 --max 2 --self immediate --alarms late --lapses 1 "
             "--property safety",
             {545198, 1603608, 16}, soak),
      breaks("census@keeps-view", safety,
             "census+floor@keeps-view --system majority:n=3 --min 1 --inside 0,1 "
             "--self immediate",
             {192, 379, 7}),
      breaks("census@keeps-votes", survives,
             "census@keeps-votes --system majority:n=3 --requesters 2 --self "
             "immediate --crashes 1 --suspicions 1 --strike late --property survives",
             {27360, 69731, 12}),
      breaks("census@waits-on", served,
             "census@waits-on --system majority:n=3 --requesters 2 --self immediate "
             "--crashes 1 --suspicions 1 --strike late --property served",
             {120503, 366543, 23}),
      breaks("census@lost-silently", served,
             "census@lost-silently --system majority:n=3 --requesters 2 --self "
             "immediate --lapses 2",
             {155852, 437195, 11}, soak),
      breaks("census@no-withdraw", served,
             "census@no-withdraw --system majority:n=3 --requesters 2 --self "
             "immediate --cancels 1",
             {105, 164, 5}),
      breaks("census@asks-once", slot,
             "census@asks-once --system majority:n=3 --requesters 2 --self immediate "
             "--crashes 1 --restarts 1",
             {51948, 174121, 12}),
      breaks("census@no-tags", asserts,
             "census@no-tags --system majority:n=3 --requesters 2 --requests 2 --self "
             "immediate --cancels 1",
             {25496, 62668, 16}),
      breaks("census@repairs-in-turn", survives,
             "census@repairs-in-turn --system majority:n=3 --requesters 2 --self "
             "immediate --crashes 1 --suspicions 1 --strike late --property survives",
             {26752, 68477, 12}),
      breaks("census@no-repair", survives,
             "census@no-repair --system majority:n=3 --requesters 2 --self immediate "
             "--crashes 1 --strike late --property survives",
             {604, 943, 7}),
      breaks("census@no-spare", survives,
             "census@no-spare --system majority:n=3 --requesters 2 --self immediate "
             "--crashes 1 --strike late --property survives",
             {604, 943, 7}),
      breaks("census@one-vote", slot,
             "census+band@one-vote --system majority:n=3 --min 1 --max 2 --self "
             "immediate",
             {336, 677, 7}),
      breaks("census@no-update", served,
             "census@no-update --system majority:n=3 --requesters 2 --self immediate",
             {366, 672, 9}),
      breaks("census@no-preemption", served,
             "census@no-preemption --system majority:n=3 --requesters 2 --self "
             "immediate",
             {37, 50, 4}),
      breaks("census@keeps-records", served,
             "census@keeps-records --system majority:n=3 --requesters 2 --self "
             "immediate --crashes 1",
             {12001, 33403, 13}),
      breaks("census@keeps-records-band", safety,
             "census+band@keeps-records --system majority:n=3 --min 1 --max 2 --self "
             "immediate --alarms late --crashes 1 --property safety",
             {226177, 872665, 18}),
      breaks("census@lost-silently-band", safety,
             "census+band@lost-silently --system majority:n=3 --min 1 --max 2 --self "
             "immediate --alarms late --lapses 1 --property safety",
             {771231, 2352419, 15}, soak),
      breaks("census@no-stride", tokens,
             "census+tight@no-stride --system majority:n=3 --requesters 2 --self "
             "immediate --crashes 1 --property safety,tokens",
             {4257, 10883, 9}),
      breaks("census@restart-from-0", tokens,
             "census+tight@restart-from-0 --system majority:n=3 --requesters 2 --self "
             "immediate --crashes 1 --restarts 1 --property safety,tokens",
             {61033, 217285, 13}),
      breaks("census@restart-no-stride", tokens,
             "census+tight@restart-no-stride --system majority:n=3 --requesters 2 "
             "--self immediate --crashes 1 --restarts 1 --property safety,tokens",
             {66887, 234701, 13}, soak),
      breaks("census@no-silence", safety,
             "census@no-silence --system majority:n=3 --requesters 2 --self immediate "
             "--crashes 1 --restarts 1",
             {73510, 252465, 13}, soak),
      breaks("census@new-life", safety,
             "census@new-life --system majority:n=3 --requesters 2 --self immediate "
             "--crashes 1 --restarts 1",
             {35027, 113845, 11}),
      breaks("census@gap", tokens,
             "census+tight@gap --system majority:n=3 --requesters 2 --requests 2 "
             "--self immediate --alarms late --crashes 1 --suspicions 1 --property "
             "safety,tokens",
             {552696, 1791326, 16}, soak),
      breaks("census@former-untold", served,
             "census+band@former-untold --system majority:n=3 --requesters 2 --min 1 "
             "--max 2 --self immediate --crashes 1 --restarts 1",
             {452610, 2081023, 27}, soak),
  };
}

}  // namespace

std::vector<Case> census_cases() {
  std::vector<Case> cases;
  for (const auto part : {counts, remembers, miscounts}) {
    const std::vector<Case> more = part();
    cases.insert(cases.end(), more.begin(), more.end());
  }
  return cases;
}

}  // namespace coterie::check
