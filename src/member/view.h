// Who holds a name, who waits for it, and why: what one member knows (View), and what the members that answer
// know together (Picture).
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/fields.h"
#include "coterie/quorum.h"
#include "member/api.h"
#include "member/lasting.h"
#include "member/wire.h"

namespace coterie::member {

// A client of the member that gives the view, waiting or inside.
struct ClaimView {
  std::string client;
  bool is_inside = false;
  bool is_leaving = false;          // inside, until it may leave
  std::vector<std::string> groups;  // inside: the one; of a band: its name
  Number token = 0;
  Priority priority;  // of the bundle that it is in
  Milliseconds since = 0;
  Milliseconds good_for = 0;   // inside
  std::vector<NodeId> awaits;  // leaving: who must agree, and has not yet
  COTERIE_FIELDS(client, is_inside, is_leaving, groups, token, priority, since, good_for, awaits)
};
// A request at the arbiter that gives the view.
struct EntryView {
  NodeId member = 0;
  bool is_former = false;  // of a life that is over, whose clients may still believe
  bool has_share = false;
  std::vector<std::string> groups;
  Milliseconds lease_left = 0;
  COTERIE_FIELDS(member, is_former, has_share, groups, lease_left)
};
struct LastingView {
  Lasting lasting;
  Milliseconds since = 0;   // this member knows it, or that it is over
  bool is_here = true;      // written down
  bool is_leaving = false;  // as soon as it may
  COTERIE_FIELDS(lasting, since, is_here, is_leaving)
};
struct View {
  NodeId member = 0;
  std::optional<Kind> kind;        // none: the name is not in use here
  std::uint64_t version = 0;       // of its numbers: how often they were changed
  std::uint64_t settings = 0;      // the version of what was set, or forgotten, last
  std::optional<Kind> was;         // before the last change
  Milliseconds silent_for = 0;     // it has restarted, and grants nothing for so long
  std::vector<NodeId> reachable;   // whose lease it has, and itself
  std::vector<ClaimView> claims;   // in order
  bool is_kept = false;            // by nobody, for the next who asks
  std::vector<EntryView> entries;  // shares first, then in order of priority
  std::vector<LastingView> lastings;
  COTERIE_FIELDS(member, kind, version, settings, was, silent_for, reachable, claims, is_kept,
                 entries, lastings)
};

// Whether a member of a cluster of so many could have sent it.
bool is_possible(const View& view, std::size_t members);

// REQUIRES: `names` has one for each member of the system.
Picture together(const std::string& name, std::span<const View> views, const quorum::System& system,
                 std::span<const std::string> names);

}  // namespace coterie::member
