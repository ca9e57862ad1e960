// What the algorithms share: stamps and the clock that makes them, groups, demands.
#pragma once

#include <algorithm>
#include <boost/container/flat_map.hpp>
#include <boost/container/flat_set.hpp>
#include <boost/container/small_vector.hpp>
#include <compare>
#include <initializer_list>
#include <string>
#include <vector>

#include "base/dump.h"
#include "base/fields.h"
#include "base/pack.h"
#include "coterie/node_set.h"

namespace coterie::protocol {

// Names a request and orders it: the smaller stamp is the better request. A process never uses one twice.
struct Stamp {
  Time time{};
  NodeId process = 0;

  auto operator<=>(const Stamp&) const = default;
  COTERIE_FIELDS(time, process)
  void describe(std::string& to) const {  // 3.p1
    to += std::to_string(static_cast<std::uint32_t>(time)) + ".p" + std::to_string(process);
  }
};

// The name of a message's type, as an argument of a template.
template <std::size_t size>
struct MessageName {
  char text[size] = {};
  consteval MessageName(const char (&name)[size]) { std::copy_n(name, size, text); }  // NOLINT
};

// A message that names a request and has nothing else to say.
template <MessageName name>
struct Stamped {
  static constexpr std::string_view kName{name.text, sizeof(name.text) - 1};
  Stamp stamp;
  COTERIE_FIELDS(stamp)
};

// Lamport's clock, advanced by the stamps that a process sees.
struct Clock {
  Time now{};

  Stamp next(NodeId self) {
    now = static_cast<Time>(static_cast<std::uint32_t>(now) + 1);
    return {now, self};
  }
  void see(const Stamp& stamp) { now = std::max(now, stamp.time); }
  COTERIE_FIELDS(now)
};

using Group = std::uint32_t;

// The groups of which a request accepts any one: sorted, each once.
class Groups {
 public:
  Groups() = default;
  Groups(std::initializer_list<Group> groups) {
    for (const Group group : groups) insert(group);
  }
  void insert(Group group) {
    const auto place = std::lower_bound(items_.begin(), items_.end(), group);
    if (place == items_.end() || *place != group) items_.insert(place, group);
  }
  bool accepts(Group group) const {
    return std::binary_search(items_.begin(), items_.end(), group);
  }
  bool meets(const Groups& other) const {  // both are sorted
    const Group* a = items_.data();
    const Group* b = other.items_.data();
    const Group* const a_end = a + items_.size();
    const Group* const b_end = b + other.items_.size();
    while (a != a_end && b != b_end) {
      if (*a == *b) return true;
      *a < *b ? ++a : ++b;
    }
    return false;
  }
  bool empty() const { return items_.empty(); }
  std::size_t size() const { return items_.size(); }
  const Group* data() const { return items_.data(); }
  Group front() const { return items_.front(); }
  auto begin() const { return items_.begin(); }
  auto end() const { return items_.end(); }

  friend bool operator==(const Groups&, const Groups&) = default;
  COTERIE_FIELDS(items_)
  void describe(std::string& to) const {  // a, or a+c
    for (const Group group : items_) {
      if (group != items_.front()) to += '+';
      to += name_of(group);
    }
  }
  // a..z, then the number.
  static std::string name_of(Group group) {
    constexpr Group kLetters = 26;
    return group < kLetters ? std::string(1, static_cast<char>('a' + group))
                            : "g" + std::to_string(group);
  }

 private:
  boost::container::small_vector<Group, 1> items_;
};

// What a process asks for when it asks to enter.
struct Demand {
  Groups groups{0};
  // Whom the driver would rather see asked, by protocols that choose a quorum per request: a set of all
  // members' universe, or no set at all for the protocol's own choice.
  NodeSet prefer;
};

// A small set and a small map with one canonical order.
template <class Key>
using Set = boost::container::flat_set<Key>;
template <class Key, class Value>
using Map = boost::container::flat_map<Key, Value>;
template <class Items, class Is>
void erase_where(Items& items, const Is& is) {
  for (auto place = items.begin(); place != items.end();) {
    is(*place) ? void(place = items.erase(place)) : void(++place);
  }
}

}  // namespace coterie::protocol
