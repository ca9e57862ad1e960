// Surrogate, its extensions, its stages and its printed errors.
#include "check/suite_cases.h"

namespace coterie::check {

using enum Property;
using enum Effort;

std::vector<Case> surrogate_cases() {
  return {
      holds("surrogate-3", "surrogate --system majority:n=3 --groups a,b,a", {23730, 80009, 29}),
      holds("surrogate-grid",
            "surrogate --system grid:rows=2,cols=2 --groups a,b,a,c --self immediate",
            {816815, 3152659, 40}),
      holds("surrogate+entry-3", "surrogate+entry --system majority:n=3 --groups a,b,c",
            {65188, 249299, 27}),
      holds("surrogate+entry-friends", "surrogate+entry --system majority:n=3 --groups a,b,a",
            {150513, 605104, 34}, soak),
      holds("surrogate+multi-3", "surrogate+multi --system majority:n=3 --groups a+b,b,a",
            {25389, 85983, 29}),
      holds("surrogate+entry+multi-3",
            "surrogate+entry+multi --system majority:n=3 --groups a+b,b,a", {244910, 1008841, 34},
            soak),
      breaks("surrogate@E1", safety, "surrogate@E1 --system majority:n=3 --groups a,b,a",
             {18271, 55077, 12}),
      breaks("surrogate@E2", served, "surrogate@E2 --system majority:n=3 --groups a,b,a",
             {15500, 50475, 15}),
      breaks("surrogate@E3", safety, "surrogate@E3 --system majority:n=3 --groups a,b,a",
             {22350, 73705, 21}),
      breaks("surrogate@E6", served, "surrogate@E6 --system majority:n=3 --groups a,b,a",
             {23463, 78419, 25}),
      breaks("surrogate@E4", served,
             "surrogate@E4 --system majority:n=3 --requests 2 --groups a,b,a --self immediate",
             {12776, 27383, 17}),
      breaks("surrogate+entry@C1", leaks, "surrogate+entry@C1 --system majority:n=3 --groups a,b,a",
             {131899, 523964, 27}),
  };
}

}  // namespace coterie::check
