// Real clients of a real cluster under real faults, judged by what they were told and when.
//
// Short in `make test`. For longer: COTERIE_HISTORY_SECONDS, and COTERIE_HISTORY_SEED for the same faults again (the
// history is another one all the same, since processes do not run twice alike). COTERIE_HISTORY_ONLY is the number of the
// only Fault; COTERIE_HISTORY_KEEP keeps the files also if all is well.
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

void run_and_judge(const FleetPlan& plan) {
  std::cout << "seed " << plan.seed << ", " << plan.time.count() << " ms" << std::endl;
  Fleet fleet(plan);
  const std::vector<Call> calls = fleet.run();
  const Verdict verdict = judge(calls);
  const Counts counts = count(calls);
  std::cout << counts.entries << " entries, " << counts.lasting << " lasting operations, "
            << counts.unsure << " calls without a definite answer, " << counts.lost
            << " holds lost, " << fleet.faults() << " faults" << std::endl;
  if (std::getenv("COTERIE_HISTORY_KEEP") != nullptr) std::cout << fleet.keep(calls) << std::endl;
  if (verdict.is_good && fleet.trouble().empty()) return;
  ADD_FAILURE() << "seed " << plan.seed << ": the files are in " << fleet.keep(calls) << "\n"
                << fleet.trouble() << verdict.text;
}

TEST(History, OfALittleOfEverything) {
  if (std::getenv("COTERIE_HISTORY_FILE") != nullptr) GTEST_SKIP() << "a file is judged";
  FleetPlan plan;
  plan.seed = number_of("COTERIE_HISTORY_SEED", 1);
  plan.time = std::chrono::seconds(number_of("COTERIE_HISTORY_SECONDS", 8));
  plan.clients = static_cast<int>(number_of("COTERIE_HISTORY_CLIENTS", 3));
  plan.workers = static_cast<int>(number_of("COTERIE_HISTORY_WORKERS", 2));
  plan.lasting = static_cast<int>(number_of("COTERIE_HISTORY_LASTING", 0));
  if (number_of("COTERIE_HISTORY_FAULTS", 1) != 0) plan.faults = all_faults();
  if (const auto only = number_of("COTERIE_HISTORY_ONLY", kFaults); only < kFaults)
    plan.faults = {static_cast<Fault>(only)};
  run_and_judge(plan);
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
