// Shares, with and without faults, and mistakes in it.
#include "check/suite_cases.h"

namespace coterie::check {

std::vector<Case> shares_cases() {
  using enum Property;
  using enum Effort;
  return {
      holds("shares-3", "shares --system majority:n=3 --groups a,b,a", {23204, 65030, 35}),
      holds("shares-3-several", "shares --system majority:n=3 --groups a,b,a+b",
            {111211, 359465, 53}),
      holds("shares-3-tight", "shares+tight --system majority:n=3 --groups a,b,c",
            {13910, 36656, 35}),
      holds("shares-3-keep", "shares+keep --system majority:n=3 --groups a,b,a",
            {31105, 90929, 35}),
      holds("shares-3-keep-r2",
            "shares+keep --system majority:n=3 --requesters 2 --requests 2 --groups a,b",
            {7638, 17946, 41}),
      holds("shares-3-cancel", "shares --system majority:n=3 --groups a,b,a --cancels 1",
            {366059, 1266100, 36}, soak),
      holds("shares-3-lapse", "shares --system majority:n=3 --requesters 2 --groups a,b --lapses 1",
            {159783, 588119, 32}),
      holds("shares-3-suspicion",
            "shares --system majority:n=3 --requesters 2 --groups a,b --suspicions 1",
            {25429, 79200, 28}),
      holds("shares-3-crash",
            "shares --system majority:n=3 --requesters 2 --groups a,b --crashes 1",
            {23520, 72665, 28}),
      holds("shares-3-restart",
            "shares --system majority:n=3 --requesters 2 --groups a,b --crashes 1 --restarts 1",
            {343301, 1575368, 34}, soak),
      holds("shares-3-keep-restart",
            "shares+keep --system majority:n=3 --requesters 2 --groups a,b --crashes 1 "
            "--restarts 1",
            {405965, 1891151, 34}, soak),
      holds("shares-3-suspicion-3", "shares --system majority:n=3 --groups a,b,a --suspicions 1",
            {3251780, 12913583, 46}, soak),
      holds("shares-3-lapse-3", "shares --system majority:n=3 --groups a,b,a --lapses 1",
            {14909719, 62345707, 52}, soak),
      breaks("shares@keeps-vote", safety, "shares@keeps-vote --system majority:n=3 --groups a,b,a",
             {19842, 55241, 16}),
      breaks("shares@yields-inside", safety,
             "shares@yields-inside --system majority:n=3 --groups a,b,a", {15152, 40590, 14}),
      breaks("shares@inquires-once", served,
             "shares@inquires-once --system majority:n=3 --groups a,b,a", {20452, 56855, 19}),
      breaks("shares@no-preemption", slot,
             "shares@no-preemption --system majority:n=3 --groups a,b,a", {2204, 5666, 8}),
      breaks("shares@admits-all", finish, "shares@admits-all --system majority:n=3 --groups a,b,a",
             {24732, 72888, 35}),
      breaks("shares@releases-votes", served,
             "shares@releases-votes --system majority:n=3 --requesters 2 --groups a,b --cancels 1",
             {979, 2120, 9}),
      breaks(
          "shares@drops-suspects", served,
          "shares@drops-suspects --system majority:n=3 --requesters 2 --groups a,b --suspicions 1",
          {8232, 24470, 13}),
      breaks("shares@asks-once", slot,
             "shares@asks-once --system majority:n=3 --requesters 2 --groups a,b --crashes 1 "
             "--restarts 1",
             {89863, 351419, 12}),
      breaks("shares@no-silence", safety,
             "shares@no-silence --system majority:n=3 --requesters 2 --groups a,b --crashes 1 "
             "--restarts 1",
             {249628, 1096586, 17}, soak),
      breaks("shares@new-life", safety,
             "shares@new-life --system majority:n=3 --requesters 2 --groups a,b --crashes 1 "
             "--restarts 1",
             {173888, 742342, 15}),
      breaks("shares@lost-silently", served,
             "shares@lost-silently --system majority:n=3 --requesters 2 --groups a,b --lapses 2",
             {1567748, 6321067, 14}, soak),
  };
}

}  // namespace coterie::check
