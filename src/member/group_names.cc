#include "member/group_names.h"

#include <algorithm>

namespace coterie::member {

using protocol::Group;
using protocol::Groups;

Group GroupNames::number(std::string_view name) {
  auto place = std::find(names_.begin(), names_.end(), name);
  if (place != names_.end()) return static_cast<Group>(place - names_.begin());
  ++used_;
  place = std::find(names_.begin(), names_.end(), std::string_view());
  if (place == names_.end()) place = names_.emplace(place);
  *place = name;
  return static_cast<Group>(place - names_.begin());
}

Groups GroupNames::numbers(const std::vector<std::string>& names) {
  Groups groups;
  for (const std::string& name : names) groups.insert(number(name));
  return groups;
}

std::vector<std::string> GroupNames::names(const Groups& groups) const {
  std::vector<std::string> names;
  for (const Group group : groups) names.push_back(name(group));
  return names;
}

void GroupNames::keep_only(const Groups& in_use) {
  for (Group group = 0; group < names_.size(); ++group) {
    if (!in_use.accepts(group)) names_[group].clear();
  }
  used_ = in_use.size();
  crowded_ = std::max(kFew, 2 * used_);
}

}  // namespace coterie::member
