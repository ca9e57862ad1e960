// Sees who believes to be inside what, and says at once when that must not be.
//
// Exclusion is judged by the rules of src/spec. Tokens: one that enters has a greater token than everybody who
// entered the same name before and could not have been inside with it: for a mutex everybody, for a room
// everybody of another group. That is remembered for the whole run, whatever members forget.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "member/wire.h"
#include "spec/rule.h"

namespace coterie::sim::torture {

// One belief of one client, from the moment that it is granted. New for every entry.
using HoldId = std::uint64_t;

struct Entry {
  HoldId hold = 0;
  std::string who;
  std::size_t resource = 0;
  member::Type type = member::Type::mutex;
  std::string group;  // of a room
  member::Number token = 0;
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
  void leave(std::size_t resource, HoldId hold);

  std::uint64_t entries() const { return entries_; }

 private:
  struct Believer {
    HoldId hold;
    std::string who;
    spec::Group group;
    member::Number token;
  };
  struct Place {
    std::vector<Believer> inside;
    std::map<std::string, spec::Group> groups;
    spec::Group next_group = 0;
    // The greatest token with its group, and the greatest of the others.
    member::Number token = 0;
    spec::Group token_group = 0;
    member::Number other_token = 0;
  };

  static spec::Group group_of(Place& place, const Entry& entry);
  static spec::Fault fault_of_tokens(Place& place, const Entry& entry, spec::Group group);
  static spec::Fault fault_of_rule(const Place& place, const Entry& entry);

  std::vector<Place> places_;
  std::uint64_t entries_ = 0;
};

}  // namespace coterie::sim::torture
