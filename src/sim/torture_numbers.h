// What numbers may hold for a name, while clients change them (`coterie set`).
//
// A change that was answered holds from then on, until a later one does; from when it was asked for until then, either
// may. One that was never answered may hold at any time.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "member/events.h"
#include "sim/torture_clock.h"

namespace coterie::sim::torture {

class Numbers {
 public:
  explicit Numbers(const std::vector<member::Kind>& first);

  using Question = std::pair<member::SessionId, member::RequestId>;
  // It becomes something else, or what was set is to be forgotten, so that one goes by what it asks for.
  enum class How : std::uint8_t { numbers, reform, forget };
  void ask(const Question& question, std::size_t resource, const member::Kind& kind, Real now,
           How how = How::numbers);
  bool answer(const Question& question, Real now);  // true: it is a change that was
  void refuse(const Question& question);

  // Also if a change was refused since: those who are inside were judged by what it might have become.
  bool may_have_changed(std::size_t resource) const { return was_asked_[resource]; }
  // Something else, since then: who is inside cannot be repaired meanwhile.
  bool may_have_become(std::size_t resource, Real then) const;
  // Of all that may have held between then and now, for one who asked for that: the least minimum and the greatest
  // maximum. Where the name may have been something else too, of all of its type.
  member::Kind loosest(std::size_t resource, const member::Kind& asked, Real then) const;
  // The same of a band, whoever asks.
  std::uint32_t least_min(std::size_t resource, Real then) const;
  std::uint32_t greatest_min(std::size_t resource, Real then) const;
  // By some that may ever have held, so many arm the floor.
  bool may_arm(std::size_t resource, std::size_t inside) const;

 private:
  struct Change {
    Question question;
    member::Kind kind;
    Real asked = 0;
    Real answered = kNever;
    How how = How::numbers;
  };
  using Changes = std::vector<Change>;  // the first is what the name began with

  static bool may_be_reformed(const Changes& changes, const member::Kind& kind);
  static bool may_have_held(const Changes& changes, const Change& change, Real then);
  Change* find(const Question& question);

  std::vector<Changes> places_;
  std::vector<bool> was_asked_;  // of each name: a change was asked for
};

}  // namespace coterie::sim::torture
