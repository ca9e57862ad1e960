// Locks: Maekawa, and k-mutual exclusion over k-coteries.
#include "check/suite_cases.h"

namespace coterie::check {

using enum Property;
using enum Effort;

std::vector<Case> locks_cases() {
  return {
      holds("maekawa-3", "maekawa --system majority:n=3 --requests 2", {1591257, 6775918, 48}),
      holds("maekawa-3-immediate", "maekawa --system majority:n=3 --requests 2 --self immediate",
            {9987, 23674, 32}),
      holds("maekawa-4", "maekawa --system k-majority:n=4,k=1 --requesters 3",
            {462361, 2305604, 34}),
      breaks("maekawa@S1", served, "maekawa@S1 --system majority:n=3", {14250, 48163, 15}),
      breaks("maekawa@S1-4", slot, "maekawa@S1 --system k-majority:n=4,k=1 --requesters 3",
             {211989, 956345, 14}),
      breaks("maekawa@S2", slot,
             "maekawa@S2 --system majority:n=3 --requests 2 --quorums 0+1,0+1,0+2",
             {48732, 163202, 18}),
      breaks("maekawa@S2-4", served, "maekawa@S2 --system k-majority:n=4,k=1 --requesters 3",
             {454186, 2242846, 22}, soak),
      holds("maekawa-as-S2", "maekawa --system majority:n=3 --requests 2 --quorums 0+1,0+1,0+2",
            {446796, 1770880, 50}),
      holds("maekawa-3-once", "maekawa --system majority:n=3", {17066, 59743, 24}),
      breaks("maekawa-unordered", asserts, "maekawa --system majority:n=3 --unordered",
             {4889, 14556, 9}),
      breaks("maekawa-unordered-twice", asserts,
             "maekawa --system majority:n=3 --requesters 2 --requests 2 --unordered",
             {3148, 8919, 13}),
      holds("k-mutex-coh22",
            "k-mutex --system cohorts:k=2,sizes=2/3 --requesters 3 --max 2 --alarms late",
            {523312, 2715691, 43}),
      holds("k-mutex-coh22-immediate",
            "k-mutex --system cohorts:k=2,sizes=2/3 --requesters 3 --max 2 --self immediate "
            "--alarms late",
            {159409, 738560, 39}, soak),
      holds("k-mutex-coh22-twice",
            "k-mutex --system cohorts:k=2,sizes=2/3 --requesters 2 --requests 2 --max 2 --self "
            "immediate --alarms late",
            {33650, 142468, 48}),
      holds("k-mutex-3", "k-mutex --system majority:n=3 --max 1", {3425735, 16360394, 37}, soak),
      holds("k-mutex-3-immediate", "k-mutex --system majority:n=3 --max 1 --self immediate",
            {73782, 259981, 28}),
      holds("k-mutex-3-twice",
            "k-mutex --system majority:n=3 --requesters 2 --requests 2 --max 1 --self immediate",
            {113620, 424202, 35}),
      breaks("k-mutex@fixed-quorum", slot,
             "k-mutex@fixed-quorum --system cohorts:k=2,sizes=2/3 --requesters 3 --max 2 --self "
             "immediate --alarms late",
             {779, 2051, 8}),
      breaks("k-mutex@no-preempt", slot,
             "k-mutex@no-preempt --system cohorts:k=2,sizes=2/3 --requesters 3 --max 2 --self "
             "immediate --alarms late",
             {16323, 51346, 20}),
      breaks("k-mutex@keeps-surplus", slot,
             "k-mutex@keeps-surplus --system cohorts:k=2,sizes=2/3 --requesters 3 --max 2 --self "
             "immediate --alarms late",
             {22494, 71803, 21}),
      breaks("k-mutex@untagged", safety,
             "k-mutex@untagged --system majority:n=3 --requesters 2 --requests 2 --max 1 --self "
             "immediate",
             {8145, 21130, 13}),
  };
}

}  // namespace coterie::check
