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
  fault.kind = one_of(
      random, {crash,     crash,        crash_in_step, machine_crash, stop,        split,
               isolation, one_way,      flapping,      rift,          rift,        clients_cut,
               loss,      doubling,     reordering,    slowness,      false_alarm, pause,
               pause,     client_pause, client_crash,  client_vanish, client_move});
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

}  // namespace

void draw_faults(Plan& plan, Random& random) {
  constexpr double kLoneFailures = 0.25;
  if (random.chance(kLoneFailures)) return draw_lone_failures(plan, random);
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
  }
  std::stable_sort(plan.faults.begin(), plan.faults.end(),
                   [](const Fault& a, const Fault& b) { return a.at < b.at; });
}

}  // namespace coterie::sim::torture
