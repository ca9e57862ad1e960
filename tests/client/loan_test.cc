// Threads that take a loan and give it back, while its brain recalls it: nobody is inside with anybody else.
#include "client/loan.h"

#include <gtest/gtest.h>

#include <memory>
#include <mutex>
#include <thread>
#include <vector>

namespace coterie::client {
namespace {

using member::Instant;
using member::Number;

constexpr Instant kNow{1'000};
constexpr Instant kLater{2'000};

TEST(Loan, HasATokenForEachEntryAndNoMore) {
  Loan loan(7, 10, 11, kLater);
  for (const Number token : {10U, 11U}) {
    ASSERT_TRUE(loan.take());
    EXPECT_EQ(loan.enter(kNow), token);
    EXPECT_FALSE(loan.take()) << "it is used";
    EXPECT_TRUE(loan.give_back());
  }
  ASSERT_TRUE(loan.take());
  EXPECT_EQ(loan.enter(kNow), std::nullopt);
  EXPECT_TRUE(loan.give_back());
  EXPECT_TRUE(loan.recall());
  EXPECT_TRUE(loan.is_used_up());
}

TEST(Loan, EndsWithTheLeasesThoughTheBrainSleeps) {
  Loan loan(7, 1, 100, kLater);
  ASSERT_TRUE(loan.take());
  EXPECT_EQ(loan.enter(kLater), std::nullopt);
  loan.extend({kLater.ns + 1});
  EXPECT_TRUE(loan.enter(kLater));
  loan.extend(kNow);  // what was promised stays promised
  EXPECT_EQ(loan.until().ns, kLater.ns + 1);
  loan.end(kNow);
  EXPECT_EQ(loan.enter(kNow), std::nullopt);
}

TEST(Loan, IsNotTakenOnceItIsRecalled) {
  Loan idle(7, 1, 100, kLater);
  EXPECT_TRUE(idle.recall());
  EXPECT_FALSE(idle.take());
  Loan used(7, 1, 100, kLater);
  ASSERT_TRUE(used.take());
  EXPECT_FALSE(used.recall());
  EXPECT_FALSE(used.recall()) << "still";
  EXPECT_FALSE(used.give_back()) << "the brain waits for it";
  EXPECT_FALSE(used.take());
}

// One claim that goes from loan to loan, as at a resident: what it protects is not atomic, so that
// ThreadSanitizer sees a second one inside.
class Claim {
 public:
  void lend() {
    const std::scoped_lock lock(mutex_);
    loan_ = std::make_shared<Loan>(1, last_ + 1, last_ + kTokens, kLater);
    last_ += kTokens;
  }
  std::shared_ptr<Loan> loan() {
    const std::scoped_lock lock(mutex_);
    return loan_;
  }
  void enter(Number token) {
    ++entries_;
    EXPECT_GT(token, token_);
    token_ = token;
  }
  // The brain's: takes the claim back, whoever must be waited for.
  void take_back() {
    if (!loan()->recall()) {
      while (!is_returned_.load(std::memory_order_acquire)) std::this_thread::yield();
    }
    is_returned_ = false;
    enter(last_ + 1);
    ++last_;
  }
  // A user's. Whether it entered.
  bool use() {
    const auto taken = loan();
    if (!taken->take()) return false;
    const auto token = taken->enter(kNow);
    if (token) enter(*token);
    if (!taken->give_back()) is_returned_.store(true, std::memory_order_release);
    return token.has_value();
  }
  std::size_t entries() const { return entries_; }

 private:
  static constexpr Number kTokens = 20;
  std::mutex mutex_;  // of these two
  std::shared_ptr<Loan> loan_;
  Number last_ = 0;
  std::atomic<bool> is_returned_ = false;
  std::size_t entries_ = 0;
  Number token_ = 0;
};

TEST(LoanThreads, ExcludeEachOtherAndTheBrain) {
  constexpr std::size_t kRounds = 300;
  Claim claim;
  claim.lend();
  std::atomic<bool> is_over = false;
  std::atomic<std::size_t> used = 0;
  std::vector<std::thread> users;
  for (int user = 0; user < 3; ++user) {
    users.emplace_back([&] {
      while (!is_over) used += claim.use() ? 1 : 0;
    });
  }
  for (std::size_t round = 0; round < kRounds; ++round) {
    if (round % 8 == 0) std::this_thread::yield();
    claim.take_back();
    claim.lend();
  }
  while (used == 0) std::this_thread::yield();
  is_over = true;
  for (std::thread& user : users) user.join();
  EXPECT_EQ(claim.entries(), kRounds + used);
}

}  // namespace
}  // namespace coterie::client
