// All that a run is given besides its seed: an algorithm in a setting, who asks for what and when, how long
// messages take, and what fails. A value: the same scenario and seed give the same run, byte for byte.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "protocol/catalogue.h"
#include "sim/distribution.h"
#include "spec/rule.h"

namespace coterie::sim {

enum class Arrivals : std::uint8_t {
  closed,  // a process asks again `apart` after it left
  open,    // requests come to each process `apart` one another, whatever it does: they queue there
  bursts,  // closed, but all wait for the beginning of the next period of `apart`, drawn once for all
};

struct Workload {
  Arrivals arrivals = Arrivals::closed;
  Distribution apart = Distribution::exponential(4);  // the non-critical section; the time between
  Distribution inside = Distribution::uniform(0, 4);  // the critical section
  // Without a warm-up each requester makes so many requests, and the whole run is measured, from when all are at rest
  // to when the last has left: how it begins and how it ends are part of every mean.
  // With a warm-up the steady state is measured. All go on asking until, after each requester has been served so many
  // of its warm-up, so many for each requester have been served in all. That number is fixed, so the mean waiting time
  // is a sum over a number that does not depend on it: a window of time, or the time until the first requester has
  // made all its requests, would have more requests in it where these wait longer.
  std::uint64_t requests = 1000;
  std::uint64_t warm_up = 0;
  std::size_t requesters = 0;             // the first so many ask; 0: all
  std::uint32_t groups = 1;               // each request names one of so many, or
  std::uint32_t groups_per_request = 1;   // several, of which any will do
  double zipf = 0;                        // group i is drawn in proportion to (i+1)^-zipf
  std::vector<protocol::Groups> demands;  // of each process, if fixed; empty: drawn
  // If not zero: the groups change as it runs. Every so often (in time) the one that has been there longest
  // goes and a new one, never seen before, comes; `groups` are there at any time.
  double turnover = 0;
  // For floors and bands, whose processes start inside: a process stays inside `apart`, leaves, stays
  // outside `inside` (its maintenance), and comes back: one operation each.
};

// Members of one site reach each other in `within`; the matrix gives the means between sites.
struct Sites {
  std::vector<std::uint32_t> site_of;      // of each process
  std::vector<std::vector<double>> means;  // one way, from site to site
};

struct Network {
  Distribution delay = Distribution::exponential(4);
  // If there: the mean between the sites, times a factor drawn from `delay` (its jitter; mean 1).
  std::optional<Sites> sites;
  bool fifo = true;
  // The machine of each process: messages within one take no time and count as to oneself. Empty: each
  // its own. Messages to oneself take no time.
  std::vector<NodeId> host_of;
};

// A node that is down handles nothing; what is sent to it waits until it is back. Who chooses quorums
// per request is told whom to prefer: those that are up.
struct Faults {
  NodeSet down;                          // from the start, for ever
  std::optional<Distribution> up_for;    // if there: nodes fail after so long,
  std::optional<Distribution> down_for;  // and are back after so long
  bool requesters_fail = false;          // false: a node is down as an arbiter only
};

struct Scenario {
  protocol::Choice choice;
  protocol::Setting setting;
  spec::Rule rule = spec::Rule::at_most(1);
  Workload workload;
  Network network;
  Faults faults;
  Distribution alarm = Distribution::constant(20);  // after set_alarm()
};

}  // namespace coterie::sim
