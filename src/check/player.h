// One state after another, each judged: for traces that are taken again and for runs at random.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "check/explore.h"

namespace coterie::check {

class Player {
 public:
  // REQUIRES: the space and the properties outlive the player.
  Player(Space& space, std::span<const Property> properties);

  void take(const Event& event);

  // What may happen next.
  const std::vector<Event>& events() const { return events_; }
  // Nothing more happens, unless there is another fault.
  bool is_at_end() const;
  struct Fault {
    Property property;
    std::string reason;
  };
  // Of several, the one that a search would tell. Not of finish, which no state tells alone.
  std::optional<Fault> fault();

  bool asks(Property property) const;
  const std::vector<Id>& state() const { return state_; }
  Space::View& view() { return view_; }

 private:
  void list_events();

  struct Noted {  // the first of several properties
    std::optional<Fault> first;
    void operator()(Property property, const std::string& reason) {
      if (!first || property < first->property) first = Fault{property, reason};
    }
  };

  Space& space_;
  std::span<const Property> properties_;
  Space::View view_;
  std::vector<Id> state_;
  Fingerprint fingerprint_;
  std::vector<Event> events_;
  std::vector<spec::Person> people_;
  Noted of_step_;  // what was wrong with the last one
};

}  // namespace coterie::check
