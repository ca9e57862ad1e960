// Judges a history: is there an order of the calls, each at one moment between its call and its answer, that a correct
// lock could have produced?
//
// Exclusion and effects (search.h). For each name the judge searches by just-in-time linearization (Lowe, "Testing for
// linearizability", 2017; the idea is Wing and Gong's): it goes through the history in the order of time, with the set
// of all states that the lock may be in. A call may take effect at any moment while it is open, and must have when it is
// answered; states that cannot explain an answer are dropped, and when none is left the history is wrong. What the search
// demands:
//   - at most `limit` groups are inside; for a mutex, a semaphore and a band each entry is a group of its own, and so is a
//     writer in a room. A leased hold is inside at least from the answer to the end of its client's belief; a lasting hold
//     from the effect of `hold` to the effect of `release`;
//   - `hold` for an owner that holds answers with the same token;
//   - `release` answers `absent` only if the owner held nothing at a moment of the call; `done`, only if it held, and the
//     hold has ended, or if the end of its last hold was asked for before and nobody has been told of that;
//   - a refused call has no effect, but that a `hold` may be ended by a release of its owner before it is refused; a call without a definite answer has one at most, and none after a later call of the
//     same owner (of `set`: of the same client) had a definite answer;
//   - in a mutex and in a room for one group, a token exceeds those of all earlier entries of other groups;
//   - a look shows exactly the lasting holds.
// Why belief may be taken as a lower bound: removing an entry earlier, or adding it later, never makes another entry
// impossible, since every demand on entries is an "at most".
//
// The rest is judged by intervals (intervals.h): tokens where entries are counted, floors of bands, ends by loss.
#pragma once

#include <string>
#include <vector>

#include "history/history.h"

namespace coterie::history {

struct Verdict {
  bool is_good = true;
  std::string text;  // what is wrong, with the calls that show it
};

struct Terms {
  // A client or a member that has crashed may be counted as inside for so long after the last belief.
  Time grace = 5'000'000'000;
};

Verdict judge(const std::vector<Call>& calls, const Terms& terms = {});

struct Counts {
  std::size_t entries = 0;  // granted leased holds
  std::size_t lasting = 0;  // holds and releases with a definite answer that changed something
  std::size_t unsure = 0;   // calls without a definite answer
  std::size_t lost = 0;     // leased holds that were lost
};
Counts count(const std::vector<Call>& calls);

}  // namespace coterie::history
