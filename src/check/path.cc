#include "check/path.h"

#include <boost/unordered/unordered_flat_set.hpp>

namespace coterie::check {
namespace {

class PathFinder {
 public:
  PathFinder(Space& space, const Table& table, Fingerprint target)
      : space_(space),
        view_(space),
        table_(table),
        target_(target),
        length_(*table.depth(target)) {}

  bool find(std::vector<Id>& state, Fingerprint fingerprint) {
    if (path_.size() == length_) return fingerprint == target_;
    if (!dead_ends_.insert(fingerprint).second) return false;
    std::vector<Event> events;
    space_.for_each_event(state, [&](const Event& event) { events.push_back(event); });
    for (const Event& event : events) {
      std::vector<Id> next = state;
      const Fingerprint after = view_.apply(event, next, fingerprint);
      if (table_.depth(after) != path_.size() + 1) continue;
      path_.push_back(event);
      if (find(next, after)) return true;
      path_.pop_back();
    }
    return false;
  }
  std::vector<Event> path() const { return path_; }

 private:
  Space& space_;
  Space::View view_;
  const Table& table_;
  Fingerprint target_;
  std::size_t length_;
  std::vector<Event> path_;
  boost::unordered_flat_set<Fingerprint> dead_ends_;
};

}  // namespace

std::vector<Event> path_to(Space& space, const Table& table, Fingerprint target) {
  PathFinder finder(space, table, target);
  std::vector<Id> state = space.initial();
  COTERIE_ASSERT(finder.find(state, space.fingerprint(state)));
  return finder.path();
}

}  // namespace coterie::check
