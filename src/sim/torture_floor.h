// Sees whom members let in and out of bands, and says at once when one was let out who had to stay.
//
// When a member says to one that it has left, at least the minimum of others must be inside, if the floor is armed: that
// of the numbers that held since it asked to leave. The others
// are those, each name once,
//   - whom a member has told that it is inside, and has not told otherwise; but who came with a ticket only from when it
//     took what it was told, while it believed in what it had;
//   - who ended without leaving (its member crashed; it was lost; its session is over) no longer ago than others may go
//     on counting it: until its lease has run out at an arbiter, and then until the lease of who was told has. While a
//     member is paused or frames are slow that time does not run: what came late counts from when it came;
//   - whose hold lasts, or may: it was being written down, and nobody has heard what came of it.
// The end of a hold that lasts is decided first, and then written down: which takes until enough members are there, and others may
// end meanwhile. So at some time since it was asked for the others must have been inside, but for those who have left since.
// Who has left counts no more, whatever it was before that: that nobody counts it is what the votes of a leave are for.
// If it has moved to another member meanwhile, it is inside there. Who gives back what it showed, and did not take, is not let
// out by that.
//
// The floor is armed for sure, and for good, if one entered while one less than the minimum believed to be inside from before it
// asked until it was told, and if for a while from then on all members could hear that, without any trouble.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "member/events.h"
#include "sim/torture_clock.h"
#include "sim/torture_numbers.h"
#include "spec/rule.h"

namespace coterie::sim::torture {

class Floor {
 public:
  struct Times {
    Real echo = 0;    // how long others may count one who ended without leaving
    Real spread = 0;  // until all have heard what was said, if nothing is wrong
  };
  Floor(const Numbers& numbers, std::size_t resources, const Times& times)
      : numbers_(numbers), times_(times), places_(resources) {}

  struct Guest {
    member::SessionId session = 0;
    member::RequestId request = 0;
    NodeId member = 0;
    std::string name;
    bool has_ticket = false;
    bool lasts = false;      // or is to
    bool buries = false;     // it asks for the end of a hold that lasts,
    bool is_forced = false;  // whoever minds
  };
  // It asks for a band.
  void asks(std::size_t resource, Guest guest, Real now);
  void wants_out(member::SessionId session, member::RequestId request, Real now);
  // What its member says.
  void granted(member::SessionId session, member::RequestId request, Real now);
  // It goes whether or not it may, as by a crash. If that is quiet its member answers nothing.
  void abandoned(member::SessionId session, member::RequestId request, bool is_quiet, Real now);
  void moved(member::SessionId session, member::RequestId request, Real now);
  struct Judgement {
    std::size_t resource = 0;
    spec::Fault fault;
  };
  Judgement left(member::SessionId session, member::RequestId request, Real now);
  // What it asked for may have begun all the same, or not.
  void refused(member::SessionId session, member::RequestId request, bool is_begun, Real now);
  void lost(member::SessionId session, member::RequestId request, Real now);
  void session_ends(member::SessionId session, Real now);
  void member_ends(NodeId member, Real now);

  // So many are inside for sure, including one who has just entered, that it must be.
  void armed(std::size_t resource, Real now);
  void trouble(Real now, Real until);
  void slow(Real until) { slow_until_ = std::max(slow_until_, until); }

  // It may be armed: it is not to be forgotten.
  bool may_be_armed(std::size_t resource) const { return places_[resource].may_be_armed; }

 private:
  enum class State : std::uint8_t { waiting, inside, ended, left };
  struct Known {
    Guest guest;
    State state = State::waiting;
    Real since = 0;
    Real wants_out = kNever;
  };
  using Names = std::set<std::string>;
  struct Ending {
    Real since = kNever;
    std::vector<Names> others;  // at times since, but for those who have left
  };
  struct Place {
    std::vector<Known> guests;
    std::map<std::string, Ending> endings;  // by owner
    Real armed_from = kNever;
    bool may_be_armed = false;
  };

  bool is_recent(const Known& known, Real now) const;
  void enter(Place& place, Known& known, Real now);
  Names inside(const Place& place, const std::string& but, bool with_left, Real now) const;
  void remember_others(Place& place, Real now) const;  // of those that are to end
  template <class Does>
  void find(member::SessionId session, member::RequestId request, const Does& does);
  template <class Is>
  void end_all(const Is& is, Real now);
  void sweep(Place& place, Real now);

  std::size_t number_of(const Place& place) const {
    return static_cast<std::size_t>(&place - places_.data());
  }

  const Numbers& numbers_;
  Times times_;
  std::vector<Place> places_;
  Real trouble_until_ = 0;
  Real slow_until_ = 0;
};

}  // namespace coterie::sim::torture
