// One group inside: Joung's algorithms, and that of Toyomura et al.
#include "check/suite_cases.h"

namespace coterie::check {

using enum Property;
using enum Effort;

std::vector<Case> groups_cases() {
  return {
      holds("maekawa-m", "maekawa-m --system surficial:groups=3,degree=1 --groups 3",
            {214613, 724094, 26}),
      holds("maekawa-m-immediate",
            "maekawa-m --system surficial:groups=3,degree=1 --groups 3 --self immediate",
            {41195, 114080, 25}),
      holds("maekawa-m+prefix", "maekawa-m+prefix --system surficial:groups=3,degree=1 --groups 3",
            {214435, 722785, 26}, soak),
      holds("maekawa-m+no-newcomers",
            "maekawa-m+no-newcomers --system surficial:groups=3,degree=1 --groups 3",
            {218986, 733341, 27}, soak),
      holds("maekawa-m+prefix+inquire-all",
            "maekawa-m+prefix+inquire-all --system surficial:groups=3,degree=1 --groups 3",
            {214184, 723563, 26}, soak),
      holds("maekawa-m-twice",
            "maekawa-m --system surficial:groups=3,degree=1 --requests 2 --groups 3 --self "
            "immediate --property safety,served,leaks,slot,entry",
            {9856323, 35277504, 42}, soak),
      holds("maekawa-m-locks2",
            "maekawa-m --system surficial:groups=3,degree=1 --groups 3 --locks 2 --self immediate "
            "--property safety,served,leaks,slot,finish",
            {41440, 113845, 25}),
      holds("maekawa-m-locks1",
            "maekawa-m --system surficial:groups=3,degree=1 --groups 3 --locks 1 --self immediate "
            "--property safety,served,leaks,slot,finish",
            {32926, 87462, 25}),
      holds("maekawa-m-surficial2",
            "maekawa-m --system surficial:groups=2,degree=2 --groups 2 --self immediate --property "
            "safety,served,leaks,slot,entry",
            {36704, 107042, 20}),
      breaks("maekawa-m-locks2-entry", entry,
             "maekawa-m --system surficial:groups=3,degree=1 --groups 3 --locks 2 --self immediate",
             {18249, 43945, 9}),
      breaks("maekawa-m@M1", served,
             "maekawa-m@M1 --system surficial:groups=3,degree=1 --requests 2 --groups 3 --self "
             "immediate --property served",
             {122556, 303994, 11}),
      breaks("maekawa-m@M2", slot,
             "maekawa-m@M2 --system surficial:groups=3,degree=1 --groups 3 --locks 1 --self "
             "immediate --property safety,served,leaks,slot,finish",
             {1610, 2955, 4}),
      holds("toyomura", "toyomura --system majority:n=3 --groups 3", {212595, 790350, 24}),
      holds("toyomura-twice",
            "toyomura --system majority:n=3 --requests 2 --groups 3 --self immediate --property "
            "safety,served,leaks,slot,entry",
            {401433, 1289769, 30}, soak),
      holds("toyomura-grid",
            "toyomura --system grid:rows=2,cols=2 --groups 2 --self immediate --property "
            "safety,served,leaks,slot,entry",
            {1947751, 7836218, 32}, soak),
      holds("toyomura-common-quorum",
            "toyomura --system majority:n=3 --groups 2 --quorums 0+1,0+1,0+1 --self immediate",
            {6072, 16202, 18}),
      breaks("toyomura@M1", served,
             "toyomura@M1 --system majority:n=3 --groups 2 --quorums 0+1,0+1,0+1 --self immediate",
             {5094, 12932, 11}),
      breaks("toyomura@M2", served,
             "toyomura@M2 --system majority:n=3 --groups 2 --locks 1 --self immediate --property "
             "safety,served,leaks,slot,finish",
             {954, 1932, 6}),
      holds("joung", "joung --system surficial:groups=3,degree=1 --groups 3", {166373, 529447, 24}),
      holds("joung-twice",
            "joung --system surficial:groups=3,degree=1 --requests 2 --groups 3 --self immediate "
            "--property safety,served,leaks,slot",
            {4254946, 14276111, 42}, soak),
      breaks(
          "joung-entry", entry,
          "joung --system surficial:groups=3,degree=1 --groups 3 --self immediate --property entry",
          {3409, 6754, 5}),
      breaks("joung@M2", slot,
             "joung@M2 --system surficial:groups=3,degree=1 --groups 3 --self immediate",
             {1610, 2955, 4}),
      holds("maekawa-s", "maekawa-s --system surficial:groups=3,degree=1 --groups 3",
            {55914, 150100, 21}),
      holds(
          "maekawa-s-unordered",
          "maekawa-s --system surficial:groups=3,degree=1 --requests 2 --groups a,b,c --unordered",
          {346610, 1207473, 42}, soak),
      holds("maekawa-s-surficial2",
            "maekawa-s --system surficial:groups=2,degree=2 --groups 2 --self immediate",
            {31308, 88802, 20}),
      breaks("maekawa-s@R1", entry,
             "maekawa-s@R1 --system surficial:groups=3,degree=1 --groups 3 --self immediate",
             {12234, 25255, 10}),
      breaks("maekawa-s@R2", safety,
             "maekawa-s@R2 --system surficial:groups=3,degree=1 --requests 2 --groups 3 --self "
             "immediate --property safety",
             {154730, 361944, 12}),
      breaks("maekawa-s@own-order", served,
             "maekawa-s@own-order --system surficial:groups=3,degree=1 --groups 3 --self immediate",
             {2392, 4680, 6}),
  };
}

}  // namespace coterie::check
