#include "sim/torture_gap.h"

#include <algorithm>

#include "coterie/spec.h"
#include "sim/torture_world.h"

namespace coterie::sim::torture {
namespace {

constexpr Real kCrash = 3 * kSecond;
constexpr Real kEnd = 6 * kSecond;
constexpr std::uint32_t kNames = 5;
constexpr std::uint32_t kClientsOfAName = 3;

Plan plan_of(const GapScene& scene, std::uint64_t seed) {
  Plan plan{.seed = seed,
            .config = {.self = 0,
                       .names = {"m0", "m1", "m2", "m3", "m4"},
                       .system = quorum::parse("majority:n=5").value(),
                       .drift = {}}};
  plan.client_drift = plan.config.drift;
  plan.clocks_ppm = plan.config.drift.ppm;
  plan.delay = plan.client_delay = Distribution::constant(scene.delay);
  plan.longest_delay = kSecond;
  for (std::uint32_t i = 0; i < kNames; ++i)
    plan.resources.push_back({.name = "name" + std::to_string(i), .kind = {}});
  Habits& habits = plan.habits;
  habits.clients = kNames * kClientsOfAName;
  habits.are_settled = true;
  habits.rest = Distribution::exponential(0.0003);
  habits.short_hold = Distribution::exponential(0.0003);
  habits.longest_hold = kSecond;
  plan.storm = kEnd;
  plan.ends_in_storm = true;
  plan.faults.push_back({.kind = scene.is_noticed ? FaultKind::crash : FaultKind::machine_crash,
                         .at = kCrash,
                         .lasts = 2 * kEnd,
                         .victim = static_cast<std::uint32_t>(seed % plan.members())});
  return plan;
}

class Watcher final : public Observer {
 public:
  Watcher(const Plan& plan, Gaps& gaps)
      : plan_(plan),
        gaps_(gaps),
        last_(plan.resources.size()),
        longest_(plan.resources.size()),
        involved_(plan.resources.size()) {}

  void fails(NodeId dead, const member::Member& member, member::Instant now) override {
    dead_ = dead;
    for (std::size_t i = 0; i < involved_.size(); ++i) {
      gaps_.before = std::max(gaps_.before, seconds(longest_[i]));
      longest_[i] = 0;
      const member::View view = member.view(plan_.resources[i].name, now);
      const bool is_held =
          view.is_kept || std::any_of(view.claims.begin(), view.claims.end(),
                                      [](const member::ClaimView& one) { return one.is_inside; });
      involved_[i] = is_held               ? Involved::held
                     : view.claims.empty() ? Involved::not_at_all
                                           : Involved::waited;
    }
  }
  void enters(std::size_t name, Real now) override {
    constexpr Real kWarm = kCrash - kSecond / 2;  // before that, members and clients still come up
    if (now > kWarm) longest_[name] = std::max(longest_[name], now - std::max(last_[name], kWarm));
    last_[name] = now;
    ++gaps_.entries;
  }
  void loses(NodeId member) override {
    if (dead_ && member != *dead_) ++gaps_.lost;
  }
  void conclude() {
    for (std::size_t i = 0; i < involved_.size(); ++i) {
      const Real longest = std::max(longest_[i], kEnd - last_[i]);
      gaps_.longest[static_cast<std::size_t>(involved_[i])].push_back(seconds(longest));
    }
  }

 private:
  const Plan& plan_;
  Gaps& gaps_;
  std::optional<NodeId> dead_;
  std::vector<Real> last_;
  std::vector<Real> longest_;
  std::vector<Involved> involved_;
};

}  // namespace

std::string_view text_of(Involved involved) {
  switch (involved) {
    case Involved::not_at_all:
      return "neither held nor waited for";
    case Involved::waited:
      return "waited for";
    default:
      return "held";
  }
}

Gaps measure_gaps(const GapScene& scene, std::uint64_t first_seed, std::uint64_t seeds,
                  const std::atomic<bool>& stop) {
  Gaps gaps;
  for (std::uint64_t seed = first_seed; seed < first_seed + seeds && !stop; ++seed) {
    const Plan plan = plan_of(scene, seed);
    gaps.lease = seconds(plan.config.lease.ns);
    gaps.suspect_after = seconds(plan.config.suspect_after.ns);
    Run run;
    Watcher watcher(plan, gaps);
    World world(plan, {}, run, &watcher);
    world.go(&stop);
    if (!run.is_stopped) watcher.conclude();
  }
  return gaps;
}

}  // namespace coterie::sim::torture
