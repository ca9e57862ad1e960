#include "sim/torture_run.h"

#include "base/assertion_watch.h"
#include "sim/torture_mutants.h"
#include "sim/torture_world.h"

namespace coterie::sim::torture {

std::string_view text_of(Promise promise) {
  static constexpr std::array<std::string_view, static_cast<std::size_t>(Promise::kCount)> kTexts{
      "exclusion", "floor", "tokens", "survival", "progress", "no leak", "assertion"};
  return kTexts[static_cast<std::size_t>(promise)];
}

std::string_view text_of(Variety variety) {
  static constexpr std::array<std::string_view, kVarieties> kTexts{
      "mutex", "room", "room for several groups", "semaphore", "band"};
  return kTexts[static_cast<std::size_t>(variety)];
}

Variety variety_of(const member::Kind& kind) {
  switch (kind.type) {
    case member::Type::mutex:
      return Variety::mutex;
    case member::Type::room:
      return kind.max == 1 ? Variety::room : Variety::rooms;
    case member::Type::semaphore:
      return Variety::semaphore;
    case member::Type::band:
      break;
  }
  return Variety::band;
}

namespace {

Plan plan_of(std::uint64_t seed, const Mode& mode) {
  Plan plan = draw_plan(seed, mode.has_broken_clocks);
  plan.hostile = mode.hostile;
  if (mode.mutant != nullptr) mode.mutant->spoil(plan);
  return plan;
}

Run run_once(const Plan& plan, Story story, const std::atomic<bool>* stop) {
  Run run;
  run.seed = plan.seed;
  const AssertionWatch watch;
  World world(plan, std::move(story), run);
  try {
    world.go(stop);
  } catch (Violation& violation) {
    run.violation = std::move(violation);
  } catch (const AssertionFailure& failure) {
    if (plan.broken_ppm == 0) {
      run.violation = Violation{Promise::assertion, world.now(), failure.what, {}};
    } else {
      ++run.losses[static_cast<std::size_t>(Promise::assertion)];
    }
  }
  world.settle_accounts();
  run.story = world.take_story();
  return run;
}

}  // namespace

Run run(std::uint64_t seed, const Mode& mode, const std::atomic<bool>* stop) {
  const Plan plan = plan_of(seed, mode);
  Run first = run_once(plan, {}, stop);
  if (!first.violation) return first;
  return run_once(plan, Story(first.violation->resource, mode.story), stop);
}

std::string plan_text(std::uint64_t seed, const Mode& mode) { return text_of(plan_of(seed, mode)); }

}  // namespace coterie::sim::torture
