// The groups of one resource, numbered as they come: members name them on the way, protocols compare numbers.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/assert.h"
#include "protocol/types.h"

namespace coterie::member {

class GroupNames {
 public:
  protocol::Group number(std::string_view name);
  protocol::Groups numbers(const std::vector<std::string>& names);
  // REQUIRES: the number of a name.
  const std::string& name(protocol::Group group) const {
    COTERIE_ASSERT(group < names_.size());
    return names_[group];
  }
  std::vector<std::string> names(const protocol::Groups& groups) const;

  // Many names came and went: time to forget those that are in use no more.
  bool is_crowded() const { return used_ > crowded_; }
  void keep_only(const protocol::Groups& in_use);

 private:
  static constexpr std::size_t kFew = 64;
  std::vector<std::string> names_;  // empty: free
  std::size_t used_ = 0;
  std::size_t crowded_ = kFew;
};

}  // namespace coterie::member
