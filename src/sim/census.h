// Who is inside, outside or on the way, counted as it changes; judged by the rule after every change.
#pragma once

#include <vector>

#include "base/assert.h"
#include "protocol/types.h"
#include "spec/rule.h"

namespace coterie::sim {

class Census {
 public:
  Census(const spec::Rule& rule, std::size_t processes, const NodeSet& inside)
      : rule_(rule), people_(processes), wanted_(processes) {
    for (const NodeId process : inside) come_in(process, 0);
  }

  spec::Place place(NodeId process) const { return people_[process].place; }
  std::size_t inside() const { return inside_; }
  // Those who ask to enter, and to leave.
  std::size_t entering() const { return entering_; }
  std::size_t leaving() const { return leaving_; }
  bool has_group(protocol::Group group) const { return group < sizes_.size() && sizes_[group] > 0; }
  // By the rule: room for one of another group; more than must stay.
  bool has_room() const { return rule_.has_room(inside_, groups_); }
  bool can_spare_one() const { return rule_.can_spare_one(inside_); }
  const protocol::Groups& wanted(NodeId process) const { return wanted_[process]; }

  void ask_to_enter(NodeId process, protocol::Groups groups) {
    COTERIE_ASSERT(people_[process].place == spec::Place::outside);
    wanted_[process] = std::move(groups);
    people_[process].place = spec::Place::entering;
    people_[process].accepts = {wanted_[process].data(), wanted_[process].size()};
    ++entering_;
  }
  void ask_to_leave(NodeId process) {
    COTERIE_ASSERT(people_[process].place == spec::Place::inside);
    people_[process].place = spec::Place::leaving;
    ++leaving_;
  }
  void enter(NodeId process, protocol::Group group) {
    COTERIE_ASSERT(people_[process].place == spec::Place::entering);
    COTERIE_ASSERT(wanted_[process].accepts(group));
    --entering_;
    come_in(process, group);
  }
  void leave(NodeId process) {
    COTERIE_ASSERT(people_[process].place == spec::Place::leaving);
    people_[process].place = spec::Place::outside;
    --leaving_;
    --inside_;
    if (--sizes_[people_[process].group] == 0) --groups_;
  }

  // What the rule says of now, and of an end in which nothing more can happen.
  spec::Fault fault() const {
    return rule_.allows(inside_, groups_) ? spec::Fault() : rule_.broken(people_);
  }
  spec::Fault fault_at_end() const { return rule_.unserved(people_); }

 private:
  void come_in(NodeId process, protocol::Group group) {
    people_[process].place = spec::Place::inside;
    people_[process].group = group;
    ++inside_;
    if (group >= sizes_.size()) sizes_.resize(group + 1);
    if (sizes_[group]++ == 0) ++groups_;
  }

  spec::Rule rule_;
  std::vector<spec::Person> people_;
  std::vector<protocol::Groups> wanted_;
  std::size_t inside_ = 0;
  std::size_t entering_ = 0;
  std::size_t leaving_ = 0;
  std::vector<std::uint32_t> sizes_;  // of each group, inside
  std::size_t groups_ = 0;            // that have somebody inside
};

}  // namespace coterie::sim
