// What a run of torture is made of, drawn from its seed: a cluster, its network and clocks, what clients do, and
// what goes wrong when.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "member/member.h"
#include "session/end_call.h"
#include "session/hold_call.h"
#include "session/session.h"
#include "sim/distribution.h"
#include "sim/torture_clock.h"
#include "sim/torture_faults.h"

namespace coterie::sim::torture {

// What a member finds on its disk when it starts again.
enum class Disk : std::uint8_t { whole, stale, empty };

struct Fault {
  FaultKind kind{};
  Real at = 0;
  Real lasts = 0;  // until it starts again, or it heals
  std::uint32_t victim = 0;
  std::uint64_t side = 0;  // of a partition: a bit for each member on it
  Disk disk = Disk::whole;
  bool twice = false;  // as soon as it is back it crashes again
  double strength =
      0;  // the share of frames that it strikes, or how much later they come, in leases
};

struct Resource {
  std::string name;
  member::Kind kind;
  std::uint32_t groups = 1;  // of a room
  bool has_writers = false;  // a room of readers, who share it, and writers, who do not
  std::optional<member::Kind> other = {};  // that clients make of it, and back
};

// How clients behave. Chances are of one request.
struct Habits {
  std::uint32_t clients = 1;
  std::uint32_t errands = 1;  // of one client at a time
  bool are_settled = false;   // each to one name, and at first to one member
  Distribution rest = Distribution::constant(0);
  Distribution short_hold = Distribution::constant(0);
  Distribution long_hold = Distribution::constant(0);
  double is_long = 0;
  Real longest_hold = 0;
  double tries = 0;
  double waits_only_so_long = 0;
  double changes_its_mind = 0;
  double names_several_groups = 0;
  double is_mistaken = 0;  // asks again for what it holds, or for a name as something else
  // Of one leave of a band.
  double leaves_only_soon = 0;   // or it stays
  double stays_after_all = 0;    // asked to leave, it waits to, and changes its mind
  double goes_without_word = 0;  // of leaving: it closes its session
  // At another member it shows what it holds, and keeps its places in line.
  bool shows_tickets = false;
  double changes = 0;  // instead of one request: how many may, or must, be inside
  double reforms = 0;  // the same: what the name is, if it may be something else
  double lasts = 0;    // of one request: it is for a hold that lasts, for its owner
  double forces = 0;   // of the end of one: whoever minds
};

// What drivers, of members and of clients, do wrong: mutants only.
struct Neglect {
  bool no_silence = false;        // starts every time as if the cluster had never run
  bool no_ceiling = false;        // forgets the numbers that it used
  bool same_incarnation = false;  // a restarted member takes itself for the old one
  bool commits_first = false;     // who comes along is recorded after the COMMIT, not before
  bool writes_late = false;       // what is to be kept of a name is on disk when the next is
  bool forgets_ends = false;      // a restarted member does not know what is over
};

struct Plan {
  std::uint64_t seed = 0;
  member::Config config;            // of every member, but for `self`
  member::Drift client_drift = {};  // that clients allow for
  std::int64_t clocks_ppm = 0;      // how far clocks are off: what the drift promises
  std::int64_t broken_ppm = 0;      // some are off by this: 0 unless clocks break the promise
  Distribution delay = Distribution::constant(0);         // between members, in seconds
  Distribution client_delay = Distribution::constant(0);  // between a client and its member
  Real longest_delay = 0;                                 // unless a fault makes it longer
  bool is_prompt = false;  // delays are so short that no lease is in danger
  bool has_hints = true;   // drivers tell members who is connected
  std::vector<Resource> resources = {};
  Habits habits = {};
  std::vector<Fault> faults = {};  // in order of time
  Real storm = 0;                  // how long these go on; then all heals but
  std::vector<NodeId> stay_dead = {};
  bool ends_in_storm = false;  // and nothing after it is of interest
  std::uint32_t hostile = 0;   // clients that want to do harm (torture_hostile.h)
  Real latest =
      0;  // what was sent over a connection that its client has left comes so late at most
  // The client's half of a session: that which ships, or a mutant of it.
  using SessionMaker = std::unique_ptr<session::Session> (*)(std::string label,
                                                             session::Listener& listener);
  SessionMaker make_session = [](std::string label, session::Listener& listener) {
    return std::make_unique<session::Session>(std::move(label), listener);
  };
  // The same of its operations for owners, and on settings.
  using Driver = session::Operation::Driver;
  using HoldMaker = std::unique_ptr<session::HoldCall> (*)(api::Wish wish, api::Instant end,
                                                           Driver& driver);
  HoldMaker make_hold = [](api::Wish wish, api::Instant end, Driver& driver) {
    return std::make_unique<session::HoldCall>(std::move(wish), end, driver);
  };
  using EndMaker = std::unique_ptr<session::EndCall> (*)(session::EndCall::Goal goal,
                                                         api::Instant end, Driver& driver);
  EndMaker make_end = [](session::EndCall::Goal goal, api::Instant end, Driver& driver) {
    return std::make_unique<session::EndCall>(std::move(goal), end, driver);
  };
  Neglect neglect = {};

  std::size_t members() const { return config.system.n(); }
  Real lease() const { return config.lease.ns; }
  std::size_t errands() const { return std::size_t{habits.clients} * habits.errands; }
};

Plan draw_plan(std::uint64_t seed, bool has_broken_clocks);

// Of a kind where those inside are counted.
member::Kind draw_numbers(member::Type type, Random& random);

// A few lines for people.
std::string text_of(const Plan& plan);

}  // namespace coterie::sim::torture
