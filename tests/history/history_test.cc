// Real clients of a real cluster under real faults, judged by what they were told and when.
//
// The run is short in `make test`. Environment variables change it:
//   COTERIE_HISTORY_SECONDS  how long it lasts
//   COTERIE_HISTORY_SEED     the faults. The same seed gives another history, since processes do not run twice alike
//   COTERIE_HISTORY_CLIENTS, COTERIE_HISTORY_WORKERS  how many processes, and how many sessions in each
//   COTERIE_HISTORY_LASTING  how many of a hundred calls are for owners
//   COTERIE_HISTORY_FAULTS   0: no fault; COTERIE_HISTORY_ONLY: the number of the only Fault
//   COTERIE_HISTORY_ENTRIES, COTERIE_HISTORY_LASTS  how many entries and lasting operations the run must have at least
//   COTERIE_HISTORY_KEEP     keeps the files of a run that found nothing
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <iterator>
#include <string>

#include "history/fleet.h"
#include "history/judge.h"

namespace coterie::history {
namespace {

using namespace std::chrono_literals;

std::uint64_t number_of(const char* variable, std::uint64_t otherwise) {
  const char* const text = std::getenv(variable);
  return text == nullptr ? otherwise : std::strtoull(text, nullptr, 10);
}

std::vector<Fault> all_faults() {
  std::vector<Fault> faults;
  for (std::size_t i = 0; i < kFaults; ++i) faults.push_back(static_cast<Fault>(i));
  return faults;
}

// A history in which little happens proves little: the judge has nothing to reject.
struct Floor {
  std::size_t entries = 0;
  std::size_t lasting = 0;
};

// A soak, of twenty minutes, must reach what the project promises. A shorter run must reach a sixth of what two processors that
// compiled meanwhile reached: 60 entries and 75 lasting operations a second. A sanitizer costs a member most of its speed.
Floor floor_of(std::chrono::seconds time) {
  constexpr std::chrono::seconds kSoak = 20min;
  if (time >= kSoak) return {100'000, 50'000};
  const auto seconds = static_cast<std::size_t>(time.count());
  const std::size_t per_second = cli::is_command_sanitized() ? 3 : 10;
  return {seconds * per_second, seconds * per_second};
}

std::string shortfall(const Counts& counts, const Floor& floor) {
  std::string text;
  if (counts.entries < floor.entries)
    text += fmt::format("too little was judged: {} entries, and {} are the least\n", counts.entries,
                        floor.entries);
  if (counts.lasting < floor.lasting)
    text += fmt::format("too little was judged: {} lasting operations, and {} are the least\n",
                        counts.lasting, floor.lasting);
  return text;
}

void run_and_judge(const FleetPlan& plan, const Floor& floor) {
  std::cout << "seed " << plan.seed << ", " << plan.time.count() << " ms" << std::endl;
  Fleet fleet(plan);
  const std::vector<Call> calls = fleet.run();
  const Verdict verdict = judge(calls);
  const Counts counts = count(calls);
  std::cout << counts.entries << " entries, " << counts.lasting << " lasting operations, "
            << counts.unsure << " calls without a definite answer, " << counts.lost
            << " holds lost, " << fleet.faults() << " faults" << std::endl;
  if (std::getenv("COTERIE_HISTORY_KEEP") != nullptr) std::cout << fleet.keep(calls) << std::endl;
  const std::string trouble = fleet.trouble() + shortfall(counts, floor);
  if (verdict.is_good && trouble.empty()) return;
  ADD_FAILURE() << "seed " << plan.seed << ": the files are in " << fleet.keep(calls) << "\n"
                << trouble << verdict.text;
}

TEST(History, OfALittleOfEverything) {
  if (std::getenv("COTERIE_HISTORY_FILE") != nullptr) GTEST_SKIP() << "a file is judged";
  FleetPlan plan;
  plan.seed = number_of("COTERIE_HISTORY_SEED", 1);
  const std::chrono::seconds time(number_of("COTERIE_HISTORY_SECONDS", 8));
  plan.time = time;
  plan.clients = static_cast<int>(number_of("COTERIE_HISTORY_CLIENTS", 3));
  plan.workers = static_cast<int>(number_of("COTERIE_HISTORY_WORKERS", 2));
  plan.lasting = static_cast<int>(number_of("COTERIE_HISTORY_LASTING", 40));
  if (number_of("COTERIE_HISTORY_FAULTS", 1) != 0) plan.faults = all_faults();
  if (const auto only = number_of("COTERIE_HISTORY_ONLY", kFaults); only < kFaults)
    plan.faults = {static_cast<Fault>(only)};
  Floor floor = floor_of(time);
  floor.entries = number_of("COTERIE_HISTORY_ENTRIES", floor.entries);
  floor.lasting = number_of("COTERIE_HISTORY_LASTS", floor.lasting);
  run_and_judge(plan, floor);
}

TEST(History, IsJudgedAgainFromAFile) {
  const char* const path = std::getenv("COTERIE_HISTORY_FILE");
  if (path == nullptr) GTEST_SKIP() << "COTERIE_HISTORY_FILE names none";
  std::ifstream stream(path);
  const std::string text((std::istreambuf_iterator<char>(stream)), {});
  std::vector<Call> calls;
  ASSERT_TRUE(read(text, calls)) << path << " is no history";
  const Verdict verdict = judge(calls);
  EXPECT_TRUE(verdict.is_good) << verdict.text;
}

}  // namespace
}  // namespace coterie::history
