// Torture: its clocks, its witness, what a seed means; clusters that stand it, and mistakes that do not.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "sanitized.h"
#include "sim/torture_batch.h"
#include "sim/torture_mutants.h"

namespace coterie::sim::torture {
namespace {

using ::testing::HasSubstr;

constexpr std::uint64_t kSeedsOfAPart = kIsSanitized ? 4 : 120;

const std::atomic<bool> kNoStop = false;

Findings run_seeds(std::uint64_t first, std::uint64_t seeds, const Mode& mode = {},
                   unsigned threads = 1) {
  return run_batch(
      {.first_seed = first, .seeds = seeds, .threads = threads, .mode = mode},
      [](const Findings& /*so_far*/) { return true; }, kNoStop);
}

std::string text_of_failure(const Findings& findings) {
  if (!findings.failed) return "none";
  return "run " + std::to_string(findings.failed->seed) + ": " + findings.failed->violation->what;
}

TEST(TortureRun, IsItsSeed) {
  const auto first = run(11, {});
  EXPECT_EQ(first.digest, run(11, {}).digest);
  EXPECT_NE(first.digest, run(12, {}).digest);
  EXPECT_GT(first.entries, 0U);
}

TEST(TortureRun, OfABrokenMemberIsToldInWords) {
  const Mode mode{.mutant = find_mutant("yields-inside"), .has_broken_clocks = false, .story = 25};
  const Findings findings = run_seeds(1, 60, mode);
  ASSERT_TRUE(findings.failed);
  EXPECT_EQ(findings.failed->violation->promise, Promise::exclusion);
  EXPECT_LE(findings.failed->story.size(), 25U);
  EXPECT_THAT(findings.failed->story, ::testing::Contains(HasSubstr(" enters ")));
  EXPECT_EQ(run(findings.failed->seed, mode).story, findings.failed->story);
}

TEST(TortureThreads, ChangeNothing) {
  const Findings one = run_seeds(1, 8, {}, 1);
  const Findings three = run_seeds(1, 8, {}, 3);
  EXPECT_EQ(one.digest, three.digest);
  EXPECT_EQ(one.runs, three.runs);
  EXPECT_EQ(one.entries, three.entries);
  const Mode mode{.mutant = find_mutant("releases-without-token")};
  EXPECT_EQ(text_of_failure(run_seeds(1, 20, mode, 3)), text_of_failure(run_seeds(1, 20, mode, 1)));
}

class Torture : public ::testing::TestWithParam<std::uint64_t> {};

TEST_P(Torture, BreaksNoPromise) {
  const Findings findings = run_seeds(1 + GetParam() * kSeedsOfAPart, kSeedsOfAPart);
  EXPECT_EQ(text_of_failure(findings), "none");
  EXPECT_EQ(findings.runs, kSeedsOfAPart);
  if (kIsSanitized) return;                          // so few runs do not see everything
  for (std::size_t i = 0; i < kFaultKinds - 1; ++i)  // all but wrong clocks
    EXPECT_GT(findings.faults.of(static_cast<FaultKind>(i)), 0U)
        << text_of(static_cast<FaultKind>(i));
  EXPECT_GT(findings.watched, 30U);
  for (std::size_t i = 0; i < kVarieties; ++i)
    EXPECT_GT(findings.entries_of[i], 0U) << text_of(static_cast<Variety>(i));
  EXPECT_GT(findings.lastings, 0U);
  EXPECT_GT(findings.changes, 0U);
  EXPECT_GT(findings.resumed, 0U);
  EXPECT_GT(findings.moved, 0U);
  EXPECT_GT(findings.tally.of(member::Happened::adopted), 0U);
}

INSTANTIATE_TEST_SUITE_P(Parts, Torture, ::testing::Range<std::uint64_t>(0, 6));

TEST(TortureBrokenClocks, LoseWhatRestsOnThem) {
  const Findings findings =
      run_seeds(721, kSeedsOfAPart, {.mutant = nullptr, .has_broken_clocks = true});
  EXPECT_EQ(text_of_failure(findings), "none");
  if (kIsSanitized) return;
  EXPECT_GT(findings.losses[static_cast<std::size_t>(Promise::exclusion)], 0U);
}

// Beside clients that want to do harm: nobody believes them, and the others do not notice.
TEST(TortureHostile, HarmsNobody) {
  const Findings findings = run_seeds(1, kIsSanitized ? 4 : 60, {.hostile = 3});
  EXPECT_EQ(text_of_failure(findings), "none");
  EXPECT_GT(findings.tally.of(member::Happened::vouch_refused), 100U);
  EXPECT_EQ(findings.tally.of(member::Happened::impossible), 0U);
}

struct Found {
  const char* mutant;
  std::uint64_t within;  // seeds
  Promise promise;
  std::uint64_t first = 1;
};
class TortureMutant : public ::testing::TestWithParam<Found> {};

TEST_P(TortureMutant, IsFound) {
  const Mode mode{.mutant = find_mutant(GetParam().mutant)};
  constexpr std::uint64_t kMost = kIsSanitized ? 8 : 80;
  const Findings findings = run_seeds(GetParam().first, std::min(GetParam().within, kMost), mode);
  if (kIsSanitized && !findings.failed) GTEST_SKIP() << "not within so few runs";
  ASSERT_TRUE(findings.failed);
  // What harms exclusion is often seen by a token before.
  const Promise promise = findings.failed->violation->promise;
  EXPECT_EQ(promise == Promise::tokens ? Promise::exclusion : promise, GetParam().promise);
}

INSTANTIATE_TEST_SUITE_P(Some, TortureMutant,
                         ::testing::Values(Found{"no-silence", 10, Promise::exclusion},
                                           Found{"lapses-first", 20, Promise::exclusion},
                                           Found{"believes-twice", 2, Promise::exclusion, 39},
                                           Found{"believes-late", 2, Promise::exclusion, 15},
                                           Found{"takes-late-grants", 2, Promise::exclusion, 174},
                                           Found{"counts-from-arrival", 2, Promise::exclusion, 175},
                                           Found{"renews-by-old-answers", 2, Promise::exclusion,
                                                 175},
                                           Found{"renews-elsewhere", 10, Promise::progress},
                                           Found{"keeps-unwanted", 20, Promise::progress},
                                           Found{"moves-unasked", 2, Promise::exclusion, 458},
                                           Found{"shows-over-tickets", 2, Promise::exclusion, 70},
                                           Found{"answers-by-a-look", 2, Promise::exclusion, 574},
                                           Found{"releases-owner", 10, Promise::progress},
                                           Found{"leaves-requests", 2, Promise::progress, 6},
                                           Found{"releases-without-token", 10, Promise::exclusion},
                                           Found{"company-uncounted", 10, Promise::exclusion},
                                           Found{"counts-records", 10, Promise::floor},
                                           Found{"written-late", 2, Promise::progress, 44},
                                           Found{"ends-forgotten", 10, Promise::progress},
                                           Found{"drops-former-life", 2, Promise::exclusion, 88},
                                           Found{"believes-tickets", 10, Promise::exclusion},
                                           Found{"never-inquires", 20, Promise::progress},
                                           Found{"never-repairs", 2, Promise::survival, 46}),
                         [](const auto& found) {
                           std::string name = found.param.mutant;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

}  // namespace
}  // namespace coterie::sim::torture
