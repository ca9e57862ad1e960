// What is wrong with one state: the properties that can be told from it alone, which are all but finish.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "check/explore.h"
#include "check/space.h"

namespace coterie::check {

// Looks at the state into `people`, and calls `note(property, reason)` for each fault. `asks(property)`
// says what is wanted; `is_quiet`: no message is under way and no alarm is set; `is_end`: nothing can
// happen at all.
template <class Asks, class Note>
void judge(const Space& space, std::span<const Id> state, bool is_quiet, bool is_end,
           std::vector<spec::Person>& people, const Asks& asks, Note&& note) {
  space.look(state, people);
  const auto note_if = [&](Property property, const spec::Fault& fault) {
    if (fault) note(property, *fault);
  };
  for (NodeId process = 0; process < space.processes(); ++process) {
    const Space::LocalBrief& local = space.brief(state[process]);
    if (local.is_broken)
      note(Property::asserts, "p" + std::to_string(process) + " finds its assertion broken: " +
                                  space.local(state[process]).broken);
  }
  const spec::Rule& rule = space.config().rule;
  const bool by_leaving = space.config().judges_leaves();
  if (asks(Property::safety))
    note_if(Property::safety, (by_leaving ? rule.without_min() : rule).broken(people));
  if (asks(Property::tokens)) note_if(Property::tokens, space.token_too_low(state));
  if (asks(Property::survives)) note_if(Property::survives, space.hold_lost(state));
  if (is_end && asks(Property::served)) note_if(Property::served, rule.unserved(people));
  // Who waits rightly, at the least or the most, may hold something.
  const bool is_anyone_waiting = std::any_of(
      people.begin(), people.end(), [](const spec::Person& person) { return person.is_waiting(); });
  if (is_end && asks(Property::leaks) && !is_anyone_waiting) {
    for (NodeId process = 0; process < space.processes(); ++process) {
      if (!space.local(state[process]).at_rest) {
        note(Property::leaks,
             "p" + std::to_string(process) + " is not at rest although all is quiet");
      }
    }
  }
  if (is_quiet && asks(Property::slot)) note_if(Property::slot, rule.slot_unreachable(people));
  if (is_quiet && asks(Property::entry)) note_if(Property::entry, rule.friends_kept_out(people));
}

// What is wrong with one step from a state, where the state that it leads to does not tell.
template <class Asks, class Note>
void judge_step(const Space& space, std::span<const Id> before, const Event& step,
                std::span<const Space::Change> changes, const Asks& asks, Note&& note) {
  const bool judges_entries = space.config().tokens == protocol::Tokens::grow_always;
  if (!judges_entries && !space.config().judges_leaves()) return;
  const auto is_inside = [](const Space::Local& local) {
    return local.place == spec::Place::inside || local.place == spec::Place::leaving;
  };
  for (const Space::Change& change : changes) {
    if (change.place >= space.processes()) continue;
    const Space::Local& was = space.local(before[change.place]);
    const Space::Local& is = space.local(change.becomes);
    spec::Fault fault;
    if (judges_entries && asks(Property::tokens) && !is_inside(was) && is_inside(is)) {
      fault = space.token_too_low_for(before, is);
      if (fault) note(Property::tokens, *fault);
    }
    const bool has_left = is_inside(was) && !is_inside(is) && !is.history.is_missing;
    if (space.config().judges_leaves() && asks(Property::safety) && has_left) {
      fault = space.too_few_left(before, step, is.process);
      if (fault) note(Property::safety, *fault);
    }
  }
}

}  // namespace coterie::check
