// What the algorithms share: stamps and the clock that makes them, groups, demands.
#pragma once

#include <algorithm>
#include <array>
#include <boost/container/flat_map.hpp>
#include <boost/container/flat_set.hpp>
#include <compare>
#include <initializer_list>
#include <limits>
#include <memory>
#include <string>
#include <utility>
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

  auto operator<=>(const Stamp& other) const = default;
  COTERIE_FIELDS(time, process)
  void describe(std::string& to) const {  // 3.p1
    to += std::to_string(static_cast<std::uint64_t>(time)) + ".p" + std::to_string(process);
  }
};

// The name of a message's type, as an argument of a template.
template <std::size_t size>
struct MessageName {
  std::array<char, size> text{};
  consteval MessageName(const char (&name)[size]) {  // NOLINT: a literal is such an array
    std::copy_n(name, size, text.begin());
  }
};

// A message that names a request and has nothing else to say.
template <MessageName name>
struct Stamped {
  static constexpr std::string_view kName{name.text.data(), name.text.size() - 1};
  Stamp stamp;
  COTERIE_FIELDS(stamp)
};

// Lamport's clock, advanced by the stamps that a process sees.
struct Clock {
  Time now{};

  Stamp next(NodeId self) {
    now = static_cast<Time>(static_cast<std::uint64_t>(now) + 1);
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
  Groups(const Groups& other) : size_(other.size_), one_(other.one_) {
    if (size_ > 1) many_ = std::make_unique<std::vector<Group>>(*other.many_);
  }
  Groups(Groups&& other) noexcept
      : size_(std::exchange(other.size_, 0)), one_(other.one_), many_(std::move(other.many_)) {}
  Groups& operator=(const Groups& other) { return *this = Groups(other); }
  Groups& operator=(Groups&& other) noexcept {
    std::swap(size_, other.size_);
    std::swap(one_, other.one_);
    many_.swap(other.many_);
    return *this;
  }
  ~Groups() = default;

  void insert(Group group) {
    const Group* const place = std::lower_bound(begin(), end(), group);
    if (place != end() && *place == group) return;
    if (size_ == 0) {
      one_ = group;
    } else {
      if (size_ == 1) many_ = std::make_unique<std::vector<Group>>(1, one_);
      many_->insert(std::lower_bound(many_->begin(), many_->end(), group), group);
    }
    ++size_;
  }
  bool accepts(Group group) const { return std::binary_search(begin(), end(), group); }
  bool meets(const Groups& other) const {  // both are sorted
    const Group* a = begin();
    const Group* b = other.begin();
    while (a != end() && b != other.end()) {
      if (*a == *b) return true;
      *a < *b ? ++a : ++b;
    }
    return false;
  }
  bool empty() const { return size_ == 0; }
  std::size_t size() const { return size_; }
  const Group* data() const { return begin(); }
  Group front() const { return *begin(); }
  const Group* begin() const { return size_ > 1 ? many_->data() : &one_; }
  const Group* end() const { return begin() + size_; }

  friend bool operator==(const Groups& a, const Groups& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end());
  }
  void save(Writer& to) const {
    to.number(size_);
    for (const Group group : *this) to.number(group);
  }
  void load(Reader& from) {
    *this = {};
    for (std::size_t left = from.number(from.left()); left > 0 && from.good(); --left) {
      insert(static_cast<Group>(from.number(std::numeric_limits<Group>::max())));
    }
  }
  void describe(std::string& to) const {  // a, or a+c
    for (const Group group : *this) {
      if (group != front()) to += '+';
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
  // Nearly all requests name one group: that costs no memory of its own, and little to move.
  std::uint32_t size_ = 0;
  Group one_ = 0;
  std::unique_ptr<std::vector<Group>> many_;  // all, if there are several
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
