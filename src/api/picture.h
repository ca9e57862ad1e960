// Who holds a name, who waits for it, and why: what the members that answer know together.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "api/kind.h"
#include "api/ticket.h"
#include "coterie/node_set.h"

namespace coterie::api {

// Times are since when or until when, from the moment of the view.
using Milliseconds = std::uint64_t;

struct Picture {
  // Of a hold that lasts, by what those say that answer.
  enum class Certainty : std::uint8_t {
    sure,      // a quorum has it, or it was given and a quorum knows of no end
    doubtful,  // those that do not answer, or lost their disks, may have it too, or know of its end
    partial,   // too few have it: it was never granted
  };
  struct Holder {
    std::string client;
    NodeId member = 0;
    std::string group;
    Number token = 0;
    Milliseconds since = 0;
    Milliseconds good_for = 0;
    bool is_leaving = false;     // as soon as it may
    std::vector<NodeId> awaits;  // until these agree
    std::string why;             // not yet, in words
    bool is_lasting = false;     // then `client` is its owner, and no member's
    Certainty certainty = Certainty::sure;
    // Of one that lasts: in milliseconds since 1970, by the clock of the member that gave it. 0: unknown. `since` is then how
    // long a member that answers has known it in its present life.
    Milliseconds given_at = 0;
  };
  struct Waiter {
    std::string client;
    NodeId member = 0;
    std::vector<std::string> groups;
    Milliseconds since = 0;
    std::string why;  // in words
  };
  std::string name;
  std::optional<Kind> kind;
  bool is_set = false;        // its numbers, for good
  std::uint64_t version = 0;  // of what was set, or forgotten, last; 0: nothing was
  std::optional<Kind> was;    // by which some are inside, more or fewer than should be now
  std::vector<Holder> holders;
  // Owners of lasting holds that are over, each with the greatest token of these, for as long as members remember it.
  std::vector<std::pair<std::string, Number>> ended;
  std::vector<Waiter> waiters;          // the first is the next
  std::vector<NodeId> dark;             // members that did not answer
  std::vector<std::string> dark_names;  // the same, as a client knows them
};

}  // namespace coterie::api
