#include "client/conflict.h"

#include <set>
#include <string>

#include "api/alone.h"

namespace coterie::client {

bool is_in_conflict(const Status& status) {
  if (status.kind.empty() || !status.former_terms.empty()) return false;
  std::size_t inside = 0;
  std::set<std::string> groups;
  for (const Status::Holder& holder : status.holders) {
    if (holder.is_lasting && holder.certainty == Status::Certainty::partial) continue;
    const bool shares_a_group = status.kind == "room" && holder.group != api::kShownAlone;
    if (!shares_a_group || groups.insert(holder.group).second) ++inside;
  }
  return inside > (status.kind == "mutex" ? 1 : status.max);
}

}  // namespace coterie::client
