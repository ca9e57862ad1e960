// Sees who believes to be inside what, and says at once when that must not be.
//
// Exclusion is judged by the rules of src/spec; besides, in a band no two go by one name, and nobody is inside a name as
// something else than the others. Tokens are remembered for the whole run, whatever members forget:
//   - a mutex, or a room for one group: one that enters has a greater token than everybody who entered before and
//     could not have been inside with it: for a mutex everybody, for a room everybody of another group;
//   - where those inside are counted: a token that a member grants, whether its client hears of it or not, exceeds those
//     of all who had gone before the member was asked, and is nobody else's; but in rooms one may join its group by
//     the token of one who is there.
// What a band's floor is, is judged by torture_floor.h.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "member/wire.h"
#include "sim/torture_clock.h"
#include "spec/rule.h"

namespace coterie::sim::torture {

// One belief of one client, from the moment that it is granted. New for every entry.
using HoldId = std::uint64_t;

struct Entry {
  HoldId hold = 0;
  std::string who;
  std::size_t resource = 0;
  member::Kind kind;        // with the numbers that hold
  bool may_change = false;  // these
  std::string group;        // of a room; of a band: the name that it goes by
  member::Number token = 0;
  Real asked = 0;
  Real at = 0;
};

class Witness {
 public:
  explicit Witness(std::size_t resources) : places_(resources) {}

  // What is wrong with its being inside, in words; and with its token.
  struct Judgement {
    spec::Fault exclusion;
    spec::Fault tokens;
  };
  Judgement enter(const Entry& entry);
  // One whose time had run out, unseen by its client, who has heard since that it is inside all the same: nobody whom it
  // excludes may have come between.
  Judgement again(const Entry& entry);
  // Where one counts: a member grants this. What is wrong with the token, in words.
  spec::Fault granted(const Entry& entry);
  // Members may count it until then: they may not have heard of it.
  void leave(std::size_t resource, HoldId hold, Real at, Real counted_until = 0);
  // Who has asked to leave a band may be out at any moment, and takes nobody's place; unless it stays after all.
  // To another member, which does not count it towards a floor until it hears that its client took it.
  void move(std::size_t resource, HoldId hold) { find(resource, hold).has_moved = true; }
  void part(std::size_t resource, HoldId hold);
  spec::Fault stay(std::size_t resource, HoldId hold, const member::Kind& kind, bool may_change);

  // How many were inside from then on until now.
  std::size_t inside_since(std::size_t resource, Real then) const;
  std::uint64_t entries() const { return entries_; }

 private:
  struct Believer {
    Entry entry;
    spec::Group group;
    bool is_parting = false;
    bool has_moved = false;
  };
  struct Place {
    std::vector<Believer> inside;
    std::map<std::string, spec::Group> groups;
    spec::Group next_group = 0;
    // The greatest token with its group, and the greatest of the others.
    member::Number token = 0;
    spec::Group token_group = 0;
    member::Number other_token = 0;
    // Of those who had gone by then, the greatest token: as often as it grew.
    std::vector<std::pair<Real, member::Number>> gone;
    std::map<member::Number, std::string> counted;  // tokens granted where one counts: their groups
    std::map<spec::Group, Real> lingering;  // who has gone: until when its group may be counted
  };

  static spec::Group group_of(Place& place, const Entry& entry);
  static spec::Fault fault_of_tokens(Place& place, const Entry& entry, spec::Group group);
  static spec::Fault fault_of_rule(const Place& place, const Believer& newcomer);
  Believer& find(std::size_t resource, HoldId hold);

  std::vector<Place> places_;
  std::uint64_t entries_ = 0;
};

}  // namespace coterie::sim::torture
