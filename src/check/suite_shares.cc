// Shares, with and without faults, and mistakes in it. Where a message to oneself is part of the step
// (--self immediate), or alarms are late, a full search would take minutes.
#include "check/suite_cases.h"

namespace coterie::check {
namespace {

using enum Property;
using enum Effort;

// What it claims, and what no fault takes away.
std::vector<Case> what_holds() {
  return {
      holds("shares-3", "shares --system majority:n=3 --groups a,b,a", {720798, 2626235, 48}),
      holds("shares-3-several", "shares --system majority:n=3 --groups a,b,a+b --self immediate",
            {133344, 365076, 47}),
      holds("shares-3-tight", "shares+tight --system majority:n=3 --groups a,b,c",
            {419420, 1409565, 49}),
      holds("shares-3-keep", "shares+keep --system majority:n=3 --groups a,b,a --self immediate",
            {40260, 117328, 32}),
      holds("shares-3-keep-r2",
            "shares+keep --system majority:n=3 --requesters 2 --requests 2 --groups a,b --self "
            "immediate",
            {190035, 661626, 40}),
      holds("shares-3-cancel",
            "shares --system majority:n=3 --groups a,b,a --self immediate --cancels 1",
            {184413, 554851, 30}, soak),
      holds("shares-3-lapse",
            "shares --system majority:n=3 --requesters 2 --groups a,b --self immediate --lapses 1",
            {67710, 172826, 29}),
      holds("shares-3-keep-lapse",
            "shares+keep --system majority:n=3 --requesters 2 --groups a,b --self immediate "
            "--lapses 1",
            {69145, 178453, 30}),
      holds("shares-3-suspicion",
            "shares --system majority:n=3 --requesters 2 --groups a,b --suspicions 1",
            {139491, 517330, 33}),
      holds("shares-3-crash",
            "shares --system majority:n=3 --requesters 2 --groups a,b --crashes 1",
            {59817, 189908, 33}),
      holds("shares-3-restart",
            "shares --system majority:n=3 --requesters 2 --groups a,b --crashes 1 --restarts 1",
            {1381363, 5799896, 43}, soak),
      holds("shares-3-keep-restart",
            "shares+keep --system majority:n=3 --requesters 2 --groups a,b --self immediate "
            "--crashes 1 --restarts 1",
            {279826, 1063072, 36}, soak),
      holds("shares-3-suspicion-3",
            "shares --system majority:n=3 --groups a,b,a --self immediate --suspicions 1",
            {1939055, 6974595, 37}, soak),
      holds("shares-3-crash-3",
            "shares --system majority:n=3 --groups a,b,a --self immediate --crashes 1",
            {698197, 2295408, 35}, soak),
      holds("shares-3-lapse-3",
            "shares --system majority:n=3 --groups a,b,a --self immediate --lapses 1",
            {7664836, 22452993, 47}, soak),
      holds("shares-3-several-suspicion",
            "shares --system majority:n=3 --groups a,b,a+b --self immediate --suspicions 1",
            {15682884, 61351024, 61}, soak),
      holds("shares-3-several-crash",
            "shares --system majority:n=3 --groups a,b,a+b --self immediate --crashes 1 "
            "--property safety,served,leaks,slot,finish",
            {2457441, 8341393, 56}, soak),
  };
}

// +tight: numbers lag as far as they may soon.
std::vector<Case> what_holds_of_the_past() {
  return {
      holds("shares-tokens",
            "shares+tight --system majority:n=3 --groups a,b,c --property safety,tokens",
            {448014, 1489126, 50}),
      holds("shares-tokens-shared",
            "shares+tight --system majority:n=3 --groups a,b,a --self immediate --property "
            "safety,tokens",
            {43593, 113402, 32}),
      holds("shares-tokens-renewed",
            "shares+keep+renew+tight --system majority:n=3 --requesters 2 --requests 2 --groups "
            "a,b --self immediate --property safety,tokens",
            {282282, 969763, 40}),
      holds("shares-tokens-lapse",
            "shares+tight --system majority:n=3 --requesters 2 --groups each --self immediate "
            "--lapses 1 --property safety,tokens",
            {73072, 187912, 31}),
      holds("shares-tokens-crash",
            "shares+tight --system majority:n=3 --requesters 2 --groups each --crashes 1 "
            "--property safety,tokens",
            {65955, 211018, 33}),
      holds("shares-tokens-restart",
            "shares+tight --system majority:n=3 --requesters 2 --groups each --self immediate "
            "--crashes 1 --restarts 1 --property safety,tokens",
            {318628, 1195433, 37}, soak),
      holds("shares-tokens-crash-3",
            "shares+tight --system majority:n=3 --groups each --self immediate --crashes 1 "
            "--property safety,tokens",
            {437032, 1318224, 38}, soak),
      holds("shares-tokens-restart-3",
            "shares+tight --system majority:n=3 --groups each --self immediate --alarms late "
            "--crashes 1 --restarts 1 --property safety,tokens",
            {9332140, 33962282, 53}, soak),
      holds("shares-tokens-lapse-3",
            "shares+tight --system majority:n=3 --groups each --self immediate --lapses 1 "
            "--property safety,tokens",
            {4388257, 12022013, 47}, soak),
      holds("shares-tokens-crash-r2",
            "shares+tight --system majority:n=3 --requesters 2 --requests 2 --groups each --self "
            "immediate --alarms late --crashes 1 --property safety,tokens",
            {411609, 1150620, 40}, soak),
      holds("shares-tokens-renewed-crash",
            "shares+keep+renew+tight --system majority:n=3 --requesters 2 --requests 2 --groups "
            "a,b --self immediate --alarms late --crashes 1 --property safety,tokens",
            {223246, 667096, 41}, soak),
      holds("shares-tokens-crash-lapse",
            "shares+tight --system majority:n=3 --requesters 2 --groups each --self immediate "
            "--alarms late --crashes 1 --lapses 1 --property safety,tokens",
            {646848, 1846083, 35}, soak),
      holds("shares-tokens-crashes",
            "shares+tight --system majority:n=3 --requesters 2 --groups each --self immediate "
            "--alarms late --crashes 2 --restarts 1 --property safety,tokens",
            {1772950, 6630076, 41}, soak),
      holds("shares-survives",
            "shares --system majority:n=3 --requesters 2 --groups a,b --crashes 1 --strike late "
            "--property safety,survives,served,slot",
            {16104, 32751, 32}),
      holds("shares-survives-suspicion",
            "shares --system majority:n=3 --requesters 2 --groups a,b --self immediate --crashes 1 "
            "--suspicions 1 --strike late --property safety,survives,served,slot",
            {64287, 176853, 28}),
      holds("shares-survives-suspicion-3",
            "shares --system majority:n=3 --groups a,b,c --self immediate --crashes 1 "
            "--suspicions 1 --strike late --property safety,survives,served,slot",
            {2154043, 6538330, 42}, soak),
      holds("shares-survives-5",
            "shares --system majority:n=5 --requesters 2 --groups a,b --self immediate --alarms "
            "late --crashes 1 --strike late --property safety,survives,served,slot",
            {528042, 1265902, 39}, soak),
  };
}

std::vector<Case> what_breaks() {
  return {
      breaks("shares@keeps-vote", safety,
             "shares@keeps-vote --system majority:n=3 --groups a,b,a --self immediate",
             {14213, 33260, 15}),
      breaks("shares@yields-inside", safety,
             "shares@yields-inside --system majority:n=3 --groups a,b,a --self immediate",
             {14256, 33149, 15}),
      breaks("shares@inquires-once", served,
             "shares@inquires-once --system majority:n=3 --groups a,b,a", {135889, 417923, 19}),
      breaks("shares@no-preemption", slot,
             "shares@no-preemption --system majority:n=3 --groups a,b,a", {2448, 6107, 8}),
      breaks("shares@admits-all", finish,
             "shares@admits-all --system majority:n=3 --groups a,b,a --alarms late",
             {162634, 522875, 44}),
      breaks("shares@releases-votes", served,
             "shares@releases-votes --system majority:n=3 --requesters 2 --groups a,b --cancels 1",
             {1162, 2477, 9}),
      breaks("shares@drops-suspects", asserts,
             "shares@drops-suspects --system majority:n=3 --requesters 2 --groups a,b "
             "--suspicions 1",
             {3963, 10710, 8}),
      breaks("shares@asks-once", slot,
             "shares@asks-once --system majority:n=3 --requesters 2 --groups a,b --self immediate "
             "--crashes 1 --restarts 1",
             {39098, 126646, 12}),
      breaks("shares@no-silence", safety,
             "shares@no-silence --system majority:n=3 --requesters 2 --groups a,b --self immediate "
             "--crashes 1 --restarts 1",
             {53715, 178222, 13}),
      breaks("shares@new-life", safety,
             "shares@new-life --system majority:n=3 --requesters 2 --groups a,b --self immediate "
             "--crashes 1 --restarts 1",
             {26895, 85298, 11}),
      breaks("shares@lost-silently", served,
             "shares@lost-silently --system majority:n=3 --requesters 2 --groups a,b --self "
             "immediate --lapses 2",
             {72275, 193284, 10}),
      breaks("shares@no-tags", safety,
             "shares@no-tags --system majority:n=3 --requesters 2 --requests 2 --groups a,b "
             "--cancels 1",
             {43716, 109116, 14}),
      breaks(
          "shares@reopens", safety,
          "shares@reopens --system majority:n=3 --groups b,a,a+b --self immediate --suspicions 1 "
          "--property safety",
          {1605716, 5323232, 18}, soak),
      breaks("shares@no-token", tokens,
             "shares+tight@no-token --system majority:n=3 --requesters 2 --groups a,b "
             "--suspicions 1 --property safety,tokens",
             {47310, 148343, 17}),
      breaks("shares@no-stride", tokens,
             "shares+tight@no-stride --system majority:n=3 --requesters 2 --groups a,b --crashes 1 "
             "--property safety,tokens",
             {30715, 91859, 18}),
      breaks("shares@restart-from-0", tokens,
             "shares+tight@restart-from-0 --system majority:n=3 --requesters 2 --groups a,b --self "
             "immediate --crashes 1 --restarts 1 --property safety,tokens",
             {58154, 197529, 14}),
      breaks("shares@restart-no-stride", tokens,
             "shares+tight@restart-no-stride --system majority:n=3 --requesters 2 --groups a,b "
             "--self immediate --alarms late --crashes 1 --restarts 1 --suspicions 1 --property "
             "safety,tokens",
             {2122729, 8873565, 19}, soak),
      breaks("shares@gap", tokens,
             "shares+tight@gap --system majority:n=3 --requesters 2 --requests 2 --groups a,b "
             "--self immediate --alarms late --crashes 1 --suspicions 1 --property safety,tokens",
             {893346, 2785840, 17}, soak),
      breaks("shares@no-repair", survives,
             "shares@no-repair --system majority:n=3 --requesters 2 --groups a,b --crashes 1 "
             "--strike late --property survives",
             {1435, 2516, 8}),
      breaks("shares@no-spare", survives,
             "shares@no-spare --system majority:n=3 --requesters 2 --groups a,b --crashes 1 "
             "--strike late --property survives",
             {1435, 2516, 8}),
      breaks("shares@repairs-in-turn", survives,
             "shares@repairs-in-turn --system majority:n=3 --requesters 2 --groups a,b --self "
             "immediate --crashes 1 --suspicions 1 --strike late --property survives",
             {13572, 30781, 10}),
  };
}

}  // namespace

std::vector<Case> shares_cases() {
  std::vector<Case> cases;
  for (const auto part : {what_holds, what_holds_of_the_past, what_breaks}) {
    const std::vector<Case> more = part();
    cases.insert(cases.end(), more.begin(), more.end());
  }
  return cases;
}

}  // namespace coterie::check
