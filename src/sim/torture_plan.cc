#include "sim/torture_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "base/random.h"
#include "coterie/spec.h"
#include "sim/torture_draw.h"

namespace coterie::sim::torture {
namespace {

using member::Duration;
using member::Type;

std::string draw_system(Random& random) {
  const std::size_t n = 3 + random.below(5);
  switch (random.below(10)) {
    case 0:
      return one_of<const char*>(random, {"grid:rows=2,cols=2", "grid:rows=2,cols=3"});
    case 1:
      return "plane:order=2";
    case 2:
      return one_of<const char*>(random, {"tree:n=3", "tree:n=7"});
    case 3:
      return fmt::format("wheel:n={}", std::max<std::size_t>(n, 4));
    case 4:
      return one_of<const char*>(random, {"weighted:votes=2/1/1/1", "weighted:votes=3/2/2/1/1"});
    case 5:
      return one_of<const char*>(random, {"all:n=3", "wall:widths=1/2/2"});
    default:
      return fmt::format("majority:n={}", n);
  }
}

member::Config draw_config(Random& random) {
  const auto milliseconds = [](double ms) {
    return Duration::milliseconds(static_cast<std::int64_t>(std::max(1.0, ms)));
  };
  const double lease = log_uniform(random, 200, 4000);
  const double heartbeat = lease / static_cast<double>(5 + random.below(6));
  const auto system = quorum::parse(draw_system(random));
  member::Config config{.self = 0, .names = {}, .system = system.value(), .drift = {}};
  for (NodeId id = 0; id < config.system.n(); ++id) config.names.push_back(fmt::format("m{}", id));
  config.drift.ppm = one_of<std::int64_t>(random, {100, 1'000, 20'000});
  config.lease = milliseconds(lease);
  config.heartbeat = milliseconds(heartbeat);
  config.suspect_after = milliseconds(heartbeat * (2.1 + random.uniform()));
  config.session = milliseconds(lease * (0.7 + 2 * random.uniform()));
  config.keep = milliseconds(lease * log_uniform(random, 0.05, 2));
  config.batch = 1 + random.below(16);
  return config;
}

// Everything below is measured in leases: a run of a short one is the same as that of a long one.
Distribution draw_delay(Random& random, double lease, double most) {
  const double mean = lease * log_uniform(random, 1.0 / 2000, most);
  switch (random.below(3)) {
    case 0:
      return Distribution::constant(mean);
    case 1:
      return Distribution::exponential(mean);
    default:
      return Distribution::log_normal(std::log(mean), 1.5);  // a heavy tail
  }
}

void draw_network(Plan& plan, Random& random) {
  const double lease = seconds(plan.lease());
  plan.has_hints = random.chance(0.8);
  if (random.chance(0.3)) return make_prompt(plan, random);
  constexpr double kSlowly = 1.0 / 20;
  plan.delay = draw_delay(random, lease, kSlowly);
  plan.client_delay = draw_delay(random, lease, kSlowly);
  plan.longest_delay = plan.lease() / 4;
}

member::Kind draw_kind(Random& random) {
  const std::uint64_t lot = random.below(20);
  if (lot < 5) return {Type::mutex, 0, 1};
  if (lot < 11) return {Type::room, 0, 1};
  return draw_numbers(lot < 14 ? Type::room : lot < 17 ? Type::semaphore : Type::band, random);
}

void draw_resources(Plan& plan, Random& random) {
  const bool has_many = random.chance(0.1);
  const std::size_t count = has_many ? 30 : 1 + random.below(4);
  for (std::size_t i = 0; i < count; ++i) {
    Resource resource{.name = fmt::format("r{}", i), .kind = draw_kind(random)};
    if (resource.kind.type == Type::room) {
      resource.groups = one_of<std::uint32_t>(random, {1, 2, 3, 8});
      resource.has_writers = random.chance(0.3);
    }
    plan.resources.push_back(resource);
  }
}

// In a band one that may not leave would keep the client's other errand out.
void leave_room(Plan& plan) {
  if (plan.resources.size() > 1) return;
  const Resource& only = plan.resources.front();
  const bool may_be_band = only.other && only.other->type == Type::band;
  if (only.kind.type == Type::band || may_be_band) plan.habits.errands = 1;
}

// Not of a band where some must stay: it is told from what it was asked for, and nobody could say since when they need not.
void draw_others(Plan& plan, Random& random) {
  plan.habits.reforms = one_of<double>(random, {0, 0, 0.02, 0.1});
  if (plan.habits.reforms == 0) return;
  for (Resource& resource : plan.resources) {
    if (resource.kind.min > 0) continue;
    member::Kind other = draw_kind(random);
    other.min = 0;
    if (other == resource.kind) continue;
    resource.other = other;
    resource.groups = std::max<std::uint32_t>(resource.groups, 2);
  }
  leave_room(plan);
}

void draw_habits(Plan& plan, Random& random) {
  const double lease = seconds(plan.lease());
  Habits& habits = plan.habits;
  habits.clients = static_cast<std::uint32_t>(2 + random.below(9));
  habits.errands = static_cast<std::uint32_t>(1 + random.below(2));
  // So that a run has some hundreds of entries, not thousands: faults are what it is for.
  const auto crowd = static_cast<double>(habits.clients * habits.errands);
  habits.rest = Distribution::exponential(lease * crowd * log_uniform(random, 0.005, 0.2));
  habits.short_hold = Distribution::exponential(lease * log_uniform(random, 0.001, 0.1));
  habits.long_hold = Distribution::uniform(0.3 * lease, 3 * lease);
  habits.longest_hold = 3 * plan.lease();
  habits.is_long = one_of<double>(random, {0, 0.1, 0.5});
  habits.tries = one_of<double>(random, {0, 0.2});
  habits.waits_only_so_long = one_of<double>(random, {0, 0.3});
  habits.changes_its_mind = one_of<double>(random, {0, 0.2});
  habits.names_several_groups = one_of<double>(random, {0, 0.4});
  habits.is_mistaken = one_of<double>(random, {0, 0.05});
  habits.leaves_only_soon = one_of<double>(random, {0, 0.5});
  habits.stays_after_all = one_of<double>(random, {0, 0.3});
  habits.goes_without_word = one_of<double>(random, {0, 0.1});
  leave_room(plan);
}

// Members that may be gone for good: the others have a quorum.
void draw_dead(Plan& plan, Random& random) {
  NodeSet alive = NodeSet::all(plan.members());
  const std::size_t most = random.below(plan.members());
  for (std::size_t attempt = 0; attempt < most; ++attempt) {
    const auto id = static_cast<NodeId>(random.below(plan.members()));
    NodeSet rest = alive;
    rest.erase(id);
    if (!alive.contains(id) || !plan.config.system.write().contains_quorum(rest)) continue;
    alive = rest;
    plan.stay_dead.push_back(id);
  }
}

std::string text_of(const Resource& resource) {
  std::string text = resource.name + ' ' + member::text_of(resource.kind);
  if (resource.other) text += " or " + member::text_of(*resource.other);
  if (resource.kind.type != Type::room) return text;
  return text +
         (resource.has_writers ? " (readers, writers)" : fmt::format(" (of {})", resource.groups));
}

std::string text_of(const Fault& fault) {
  return fmt::format("{} {:.2f}-{:.2f}", torture::text_of(fault.kind), seconds(fault.at),
                     seconds(fault.at + fault.lasts));
}

template <class Items, class Text>
std::string listed(const Items& items, const Text& text, std::size_t most) {
  std::string line;
  for (std::size_t i = 0; i < std::min<std::size_t>(items.size(), most); ++i)
    line += (i > 0 ? ", " : "") + text(items[i]);
  if (items.empty()) return "none";
  return items.size() <= most ? line : fmt::format("{}, and {} more", line, items.size() - most);
}

}  // namespace

// A band has room for one more than must stay, or nobody could come or go.
member::Kind draw_numbers(Type type, Random& random) {
  using Limit = std::uint32_t;
  if (type == Type::room) return {type, 0, one_of<Limit>(random, {2, 3})};
  if (type == Type::semaphore) return {type, 0, one_of<Limit>(random, {1, 2, 3, 5})};
  const auto min = one_of<Limit>(random, {0, 1, 2, 2, 3});
  const auto more = one_of<Limit>(random, {0, 1, 2, 4});
  return {Type::band, min, more == 0 ? member::kNoMax : min + more};
}

void make_prompt(Plan& plan, Random& random) {
  const double lease = seconds(plan.lease());
  constexpr double kPromptly = 1.0 / 200;
  plan.is_prompt = true;
  plan.delay = draw_delay(random, lease, kPromptly);
  plan.client_delay = draw_delay(random, lease, kPromptly);
  plan.longest_delay = plan.lease() / 40;
}

Plan draw_plan(std::uint64_t seed, bool has_broken_clocks) {
  Random random(seed);
  Plan plan{.seed = seed, .config = draw_config(random)};
  plan.client_drift = plan.config.drift;
  plan.clocks_ppm = plan.config.drift.ppm;
  draw_network(plan, random);
  draw_resources(plan, random);
  draw_habits(plan, random);
  draw_faults(plan, random);
  draw_dead(plan, random);
  if (has_broken_clocks) plan.broken_ppm = one_of<std::int64_t>(random, {200'000, 500'000});
  plan.habits.shows_tickets = random.chance(0.8);
  plan.habits.lasts = one_of<double>(random, {0, 0, 0.05, 0.3});
  plan.habits.forces = one_of<double>(random, {0, 0.3});
  plan.habits.changes = one_of<double>(random, {0, 0, 0.02, 0.1});
  draw_others(plan, random);
  plan.config.keepsakes_page = 1'000;  // so that there are several
  constexpr double kComesLate = 0.6;
  if (random.chance(kComesLate))
    plan.latest =
        static_cast<Real>(static_cast<double>(plan.lease()) * log_uniform(random, 0.05, 3));
  return plan;
}

std::string text_of(const Plan& plan) {
  const member::Config& config = plan.config;
  const auto time = [](Duration duration) { return seconds(duration.ns); };
  const auto resource = [](const Resource& one) { return text_of(one); };
  const auto fault = [](const Fault& one) { return text_of(one); };
  const auto name = [&](NodeId id) { return config.names[id]; };
  constexpr std::size_t kMostNames = 4;
  constexpr std::size_t kMostFaults = 12;
  return fmt::format(
      "cluster  {}, lease {:.3g} s, heartbeat {:.3g} s, suspected after {:.3g} s, session "
      "{:.3g} s, kept {:.3g} s, clocks off by {} ppm\n"
      "network  delay {}, to clients {}{}\n"
      "clients  {}, {} at a time; {}\n"
      "faults   {}\n"
      "dead     {}\n",
      config.system.spec(), time(config.lease), time(config.heartbeat), time(config.suspect_after),
      time(config.session), time(config.keep),
      plan.broken_ppm > 0 ? plan.broken_ppm : plan.clocks_ppm, plan.delay.text(),
      plan.client_delay.text(), plan.has_hints ? "" : ", nobody sees connections",
      plan.habits.clients, plan.habits.errands, listed(plan.resources, resource, kMostNames),
      listed(plan.faults, fault, kMostFaults), listed(plan.stay_dead, name, plan.members()));
}

}  // namespace coterie::sim::torture
