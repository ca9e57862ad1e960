// The properties that make a collection of sets a quorum system, decided exactly, with a witness
// when one fails. A search that runs out of budget answers "not decided", never a guess.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "coterie/budget.h"
#include "coterie/quorum.h"

namespace coterie::quorum {

enum class How : std::uint8_t { search, theorem, none };  // none: not decided

struct Finding {
  Verdict holds = Verdict::not_decided;
  How how = How::none;
  std::vector<NodeSet> witness;  // if it does not hold: the sets that show it
  std::string why;               // one sentence about the witness
};

// There are no k+1 pairwise disjoint quorums. Witness: k+1 of them.
Finding intersection(const Family& family, Budget& budget);
// Any h < k pairwise disjoint quorums leave room for one more. Witness: h that do not.
Finding non_intersection(const Family& family, Budget& budget);
// No quorum contains another. Witness: the larger, the smaller.
Finding minimality(const Family& family, Budget& budget);
// Each quorum of one meets each quorum of the other. Witness: two that do not.
Finding cross_intersection(const Family& first, const Family& second, Budget& budget);
// No other family with at most k disjoint quorums has a quorum inside each of ours, and more besides
// (Neilsen and Mizuno 1994). Witness: a set that could be added: it contains no quorum, and outside
// it there are no k disjoint ones.
Finding nondomination(const Family& family, Budget& budget);

// All that applies to the kind of system; the rest is left not decided, and `why` says so. Each
// property may spend `steps`.
struct Report {
  Finding intersection;  // of every family of the system, each with its own k
  Finding non_intersection;
  Finding minimality;  // of every family of the system
  Finding write_read_intersection;
  Finding group_intersection;
  Finding nondominated;
};
Report check(const System& system, std::uint64_t steps = Budget::kDefaultSteps,
             const std::function<bool()>& stop = {});

}  // namespace coterie::quorum
