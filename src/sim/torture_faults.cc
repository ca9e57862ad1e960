#include "sim/torture_faults.h"

#include <algorithm>

#include "sim/torture_draw.h"

namespace coterie::sim::torture {

std::string_view text_of(FaultKind kind) {
  static constexpr std::array<std::string_view, kFaultKinds> kTexts{"crash",
                                                                    "crash in step",
                                                                    "machine crash",
                                                                    "clean stop",
                                                                    "restart",
                                                                    "restart, stale",
                                                                    "restart, no disk",
                                                                    "restart, quick",
                                                                    "restart, twice",
                                                                    "split",
                                                                    "isolation",
                                                                    "one way",
                                                                    "flapping",
                                                                    "rift",
                                                                    "clients cut off",
                                                                    "loss",
                                                                    "doubling",
                                                                    "reordering",
                                                                    "slowness",
                                                                    "false alarm",
                                                                    "pause",
                                                                    "long pause",
                                                                    "client pause",
                                                                    "client, long pause",
                                                                    "client crash",
                                                                    "client vanishes",
                                                                    "client moves",
                                                                    "wrong clock"};
  return kTexts[static_cast<std::size_t>(kind)];
}

namespace {

bool is_of_client(FaultKind kind) {
  return kind == FaultKind::client_pause || kind == FaultKind::client_crash ||
         kind == FaultKind::client_vanish || kind == FaultKind::client_move;
}

Fault draw_fault(const Plan& plan, Random& random, Real at) {
  using enum FaultKind;
  Fault fault{.at = at};
  fault.kind =
      one_of(random, {crash,        crash,         crash_in_step, machine_crash, stop,
                      split,        isolation,     one_way,       flapping,      rift,
                      rift,         clients_cut,   loss,          doubling,      reordering,
                      slowness,     false_alarm,   pause,         pause,         client_pause,
                      client_crash, client_vanish, client_move,   client_move,   client_move});
  fault.lasts = static_cast<Real>(static_cast<double>(plan.lease()) * log_uniform(random, 0.02, 5));
  fault.victim = static_cast<std::uint32_t>(
      random.below(is_of_client(fault.kind) ? plan.habits.clients : plan.members()));
  // Neither side is empty.
  fault.side = 1 + random.below((std::uint64_t{1} << plan.members()) - 2);
  fault.disk = one_of(random, {Disk::whole, Disk::whole, Disk::stale, Disk::empty});
  fault.strength = fault.kind == slowness ? log_uniform(random, 0.1, 2) : random.uniform();
  return fault;
}

// The last victim, as soon as it is back.
void crash_again(Plan& plan, Random& random) {
  Fault again = plan.faults.back();
  if (again.kind > FaultKind::machine_crash) return;
  const double lease = static_cast<double>(plan.lease());
  again.at += again.lasts + static_cast<Real>(lease * log_uniform(random, 0.01, 0.5));
  again.lasts = static_cast<Real>(lease * log_uniform(random, 0.02, 0.5));
  if (again.at < plan.storm) plan.faults.push_back(again);
}

// The same client, on its way: it moves on, or sleeps and finds what came meanwhile.
void trouble_again(Plan& plan, Random& random) {
  Fault again = plan.faults.back();
  if (again.kind != FaultKind::client_move) return;
  const double lease = static_cast<double>(plan.lease());
  again.at += static_cast<Real>(lease * log_uniform(random, 0.005, 0.5));
  again.kind = random.chance(0.5) ? FaultKind::client_move : FaultKind::client_pause;
  again.lasts = static_cast<Real>(lease * log_uniform(random, 0.1, 3));
  if (again.at < plan.storm) plan.faults.push_back(again);
}

// One member fails at a time, with all the time to get over it, while others hold for long and wait.
void draw_lone_failures(Plan& plan, Random& random) {
  const Real apart = 16 * plan.lease() + 4 * plan.config.session.ns;
  Real at = apart / 2;
  make_prompt(plan, random);
  plan.habits.is_long = 0.7;
  for (std::uint64_t left = 1 + random.below(3); left > 0; --left, at += apart) {
    Fault fault = draw_fault(plan, random, at);
    fault.kind = one_of(random, {FaultKind::crash, FaultKind::crash, FaultKind::machine_crash,
                                 FaultKind::stop, FaultKind::pause, FaultKind::isolation});
    fault.victim = static_cast<std::uint32_t>(random.below(plan.members()));
    fault.lasts = 6 * plan.lease();
    plan.faults.push_back(fault);
  }
  plan.storm = at;
}

// Clients that hold for long and stay nowhere: what they hold moves with them, again and again.
void draw_restless_clients(Plan& plan, Random& random) {
  using enum FaultKind;
  plan.habits.is_long = 0.7;
  plan.storm = static_cast<Real>(static_cast<double>(plan.lease()) * (8 + 12 * random.uniform()));
  for (std::uint64_t left = 20 + random.below(60); left > 0; --left) {
    Fault fault = draw_fault(plan, random, 0);
    fault.at = static_cast<Real>(random.uniform() * static_cast<double>(plan.storm));
    fault.kind = one_of(random, {client_move, client_move, client_move, client_move, client_pause,
                                 client_pause, client_vanish, stop, crash, isolation});
    fault.victim = static_cast<std::uint32_t>(
        random.below(is_of_client(fault.kind) ? plan.habits.clients : plan.members()));
    fault.lasts =
        static_cast<Real>(static_cast<double>(plan.lease()) * log_uniform(random, 0.02, 2));
    plan.faults.push_back(fault);
    trouble_again(plan, random);
  }
}

void sort_by_time(std::vector<Fault>& faults) {
  std::stable_sort(faults.begin(), faults.end(),
                   [](const Fault& a, const Fault& b) { return a.at < b.at; });
}

}  // namespace

void draw_faults(Plan& plan, Random& random) {
  constexpr double kLoneFailures = 0.25;
  constexpr double kRestless = 0.15;
  if (random.chance(kLoneFailures)) return draw_lone_failures(plan, random);
  if (random.chance(kRestless)) {
    draw_restless_clients(plan, random);
    return sort_by_time(plan.faults);
  }
  const double lease = static_cast<double>(plan.lease());
  plan.storm = static_cast<Real>(lease * (8 + 25 * random.uniform()));
  Real at = 0;
  for (std::uint64_t left = random.below(16); left > 0; --left) {
    // Two within a lease find what one does not.
    const bool is_near = at > 0 && random.chance(0.5);
    at = static_cast<Real>(is_near ? static_cast<double>(at) + lease * random.uniform()
                                   : static_cast<double>(plan.storm) * random.uniform());
    if (at >= plan.storm) continue;
    plan.faults.push_back(draw_fault(plan, random, at));
    if (random.chance(0.2)) crash_again(plan, random);
    while (plan.faults.back().kind == FaultKind::client_move && random.chance(0.6))
      trouble_again(plan, random);
  }
  sort_by_time(plan.faults);
}

}  // namespace coterie::sim::torture
