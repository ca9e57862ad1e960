#include "member/tally.h"

#include "base/assert.h"

namespace coterie::member {

std::string_view text_of(Happened what) {
  constexpr std::array<std::string_view, static_cast<std::size_t>(Happened::kCount)> kTexts = {
      "frame for former life",
      "frame of former life",
      "frame of former session",
      "answer of former session",
      "packet doubled",
      "packet missing",
      "resent",
      "peer reborn",
      "peer reborn twice",
      "peer left",
      "session renewed",
      "session in vain",
      "lapsed",
      "expired",
      "expired former",
      "suspected",
      "trusted",
      "silence ended",
      "ceiling learned",
      "locked",
      "lock stale",
      "inquired",
      "inquired stale",
      "wanted",
      "wanted stale",
      "answer to nobody",
      "queued",
      "queued stale",
      "mismatched",
      "mismatched stale",
      "requested",
      "request raised",
      "request mismatched",
      "yielded",
      "yielded stale",
      "released",
      "released stale",
      "entered",
      "entered kept",
      "entered joined",
      "entered next",
      "left",
      "lost",
      "lost kept",
      "repaired",
      "refused",
      "timed out",
      "cancelled",
      "session lapsed",
      "forgotten",
      "impossible",
  };
  COTERIE_ASSERT(what < Happened::kCount);
  return kTexts[static_cast<std::size_t>(what)];
}

}  // namespace coterie::member
