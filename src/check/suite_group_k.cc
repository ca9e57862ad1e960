// At most k groups inside: Jiang's group k-exclusion, and Surrogate over a k-coterie.
#include "check/suite_cases.h"

namespace coterie::check {

using enum Property;
using enum Effort;

std::vector<Case> group_k_cases() {
  return {
      breaks("group-k@C1", served, "group-k@C1 --system all:n=3 --groups a,b,c",
             {114817, 464430, 18}),
      breaks("group-k@C2", safety, "group-k@C2 --system k-singleton:n=3,k=1 --groups a,a,b",
             {975, 1978, 14}),
      breaks("group-k@C3", served, "group-k@C3 --system k-singleton:n=2,k=1 --groups a,a",
             {143, 203, 10}),
      breaks("group-k@costs", served, "group-k@costs --system k-singleton:n=2,k=1 --groups a,a",
             {178, 269, 11}),
      breaks("group-k@C4", safety,
             "group-k@C4 --system majority:n=3 --requesters 2 --requests 2 --groups 2 --self "
             "immediate",
             {299574, 912472, 17}),
      breaks("group-k@C5", served, "group-k@C5 --system k-singleton:n=2,k=2 --groups a,a",
             {6710, 14509, 15}),
      breaks("group-k@C6", safety,
             "group-k@C6 --system k-singleton:n=3,k=1 --requests 2 --groups a,a,b",
             {68785, 199223, 41}),
      breaks("group-k@C7-leaks", leaks, "group-k@C7 --system k-singleton:n=2,k=2 --groups a,a",
             {12554, 31675, 19}),
      breaks("group-k@C7", served,
             "group-k@C7 --system k-singleton:n=2,k=2 --requests 2 --groups a,a --property served",
             {1296526, 3942950, 30}, soak),
      breaks("group-k@C8", safety,
             "group-k@C8 --system majority:n=3 --groups a,a,b --self immediate",
             {286465, 1032431, 21}),
      breaks("group-k@C10", slot, "group-k@C10 --system k-singleton:n=2,k=2 --groups a,a",
             {2445, 4891, 11}),
      breaks("group-k@C10-entry", entry,
             "group-k@C10 --system k-singleton:n=2,k=2 --groups a,a --property entry",
             {2445, 4891, 11}),
      breaks("group-k@C11", slot,
             "group-k@C11 --system k-singleton:n=4,k=2 --groups a,a,a,b --self immediate",
             {1261973, 4545186, 18}, soak),
      breaks("group-k@C12", safety, "group-k@C12 --system all:n=2 --groups a,b", {469, 926, 20}),
      // The corrected algorithm in the settings of the errors.
      holds("group-k-as-C1", "group-k --system all:n=3 --groups a,b,c", {112947, 471565, 46}),
      holds("group-k-as-C2", "group-k --system k-singleton:n=3,k=1 --groups a,a,b",
            {1252, 2722, 22}),
      holds("group-k-as-C3", "group-k --system k-singleton:n=2,k=1 --groups a,a", {180, 298, 14}),
      holds("group-k-as-C4",
            "group-k --system majority:n=3 --requesters 2 --requests 2 --groups 2 --self immediate",
            {6822077, 27595586, 49}, soak),
      holds("group-k-as-C5", "group-k --system k-singleton:n=2,k=2 --groups a,a",
            {15290, 43033, 28}),
      holds("group-k-as-C6", "group-k --system k-singleton:n=3,k=1 --requests 2 --groups a,a,b",
            {68699, 199328, 46}),
      holds("group-k-as-C8", "group-k --system majority:n=3 --groups a,a,b --self immediate",
            {301497, 1095945, 35}),
      holds("group-k-as-C12", "group-k --system all:n=2 --groups a,b", {333, 647, 22}),
      breaks("surrogate-k@stale-invite", leaks,
             "surrogate-k@stale-invite --system k-majority:n=4,k=2 --groups a,a,b,a --quorums "
             "0+2,1+3,0+1,0+1 --self immediate",
             {57263, 183665, 29}),
      breaks("surrogate-k-slot", slot,
             "surrogate-k --system torus:rows=4,cols=1,k=2 --requesters 3 --groups a,b,a "
             "--property slot",
             {3674, 11812, 10}),
      breaks("surrogate-k-entry", entry,
             "surrogate-k --system torus:rows=4,cols=1,k=2 --requesters 3 --groups a,a,a "
             "--property entry",
             {3674, 11812, 10}),
      holds("surrogate-k-majority4-aaba-homes",
            "surrogate-k --system k-majority:n=4,k=2 --groups a,a,b,a --quorums 0+2,1+3,0+1,0+1 "
            "--self immediate",
            {57361, 184138, 32}),
      holds("surrogate-k-single4-abac-queued",
            "surrogate-k --system k-singleton:n=4,k=2 --groups a,b,a,c", {4096, 11776, 20}),
      holds("surrogate-k-4x1-aba-queued",
            "surrogate-k --system torus:rows=4,cols=1,k=2 --requesters 3 --groups a,b,a",
            {10733, 37776, 24}),
      holds("surrogate-k-2x2-aba-queued",
            "surrogate-k --system torus:rows=2,cols=2,k=2 --requesters 3 --groups a,b,a",
            {7210, 23704, 27}),
      holds("surrogate-k-majority4-aba-queued",
            "surrogate-k --system k-majority:n=4,k=2 --requesters 3 --groups a,b,a",
            {10733, 37776, 24}),
      holds("surrogate-k+multi-4x1",
            "surrogate-k+multi --system torus:rows=4,cols=1,k=2 --requesters 3 --groups a,a+b,b",
            {11797, 41938, 29}),
      holds("surrogate-k+multi-majority4",
            "surrogate-k+multi --system k-majority:n=4,k=2 --groups a+b,a,b,a --quorums "
            "0+2,1+3,0+1,0+1 --self immediate",
            {63278, 203976, 33}),
      holds("surrogate-k+no-failed-4x1",
            "surrogate-k+no-failed --system torus:rows=4,cols=1,k=2 --requesters 3 --groups a,b,a",
            {6229, 21698, 24}),
      holds("surrogate-k+no-failed-majority4",
            "surrogate-k+no-failed --system k-majority:n=4,k=2 --groups a,a,b,a --quorums "
            "0+2,1+3,0+1,0+1 --self immediate",
            {21655, 67635, 31}),
      holds("surrogate-k+multi+no-failed-4x1",
            "surrogate-k+multi+no-failed --system torus:rows=4,cols=1,k=2 --requesters 3 --groups "
            "a+b,b,a",
            {12341, 47850, 29}),
      holds("surrogate-k-4x1-abac-queued",
            "surrogate-k --system torus:rows=4,cols=1,k=2 --groups a,b,a,c", {591061, 2629226, 32},
            soak),
      holds(
          "surrogate-k-4x1-aba-r2-queued",
          "surrogate-k --system torus:rows=4,cols=1,k=2 --requesters 3 --requests 2 --groups a,b,a",
          {697160, 2911196, 49}, soak),
      holds("group-k-single2-ab-r2-any-queued",
            "group-k --system k-singleton:n=2,k=2 --requests 2 --groups a,b --quorums any",
            {396668, 1488609, 49}, soak),
      holds("group-k+parallel-single2-ab-r2-any-queued",
            "group-k+parallel --system k-singleton:n=2,k=2 --requests 2 --groups a,b --quorums any",
            {256051, 1004625, 49}, soak),
      holds("group-k-2x2-aba-late",
            "group-k --system torus:rows=2,cols=2,k=2 --requesters 3 --groups a,b,a --self "
            "immediate --alarms late",
            {54635, 198996, 44}),
      holds("group-k+parallel-2x2-aba-late",
            "group-k+parallel --system torus:rows=2,cols=2,k=2 --requesters 3 --groups a,b,a "
            "--self immediate --alarms late",
            {124819, 503557, 47}),
      holds("group-k-4x1-aba-late",
            "group-k --system torus:rows=4,cols=1,k=2 --requesters 3 --groups a,b,a --self "
            "immediate --alarms late",
            {360007, 1553936, 49}, soak),
      holds("group-k+parallel-4x1-aba-late",
            "group-k+parallel --system torus:rows=4,cols=1,k=2 --requesters 3 --groups a,b,a "
            "--self immediate --alarms late",
            {893660, 4108009, 55}, soak),
      holds("group-k-2x2-aba-any-late",
            "group-k --system torus:rows=2,cols=2,k=2 --requesters 3 --groups a,b,a --quorums any "
            "--self immediate --alarms late",
            {514607, 2037098, 42}, soak),
      holds("group-k-2x2-aba-late-queued",
            "group-k --system torus:rows=2,cols=2,k=2 --requesters 3 --groups a,b,a --alarms late",
            {916911, 4470306, 54}, soak),
      holds("group-k+parallel-2x2-aba-any-late",
            "group-k+parallel --system torus:rows=2,cols=2,k=2 --requesters 3 --groups a,b,a "
            "--quorums any --self immediate --alarms late",
            {1106411, 4607855, 48}, soak),
      holds("group-k-2x2-ab-any-queued",
            "group-k --system torus:rows=2,cols=2,k=2 --requesters 2 --groups a,b --quorums any",
            {787597, 3878012, 44}, soak),
  };
}

}  // namespace coterie::check
