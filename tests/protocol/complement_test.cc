// The complement theorem: what keeps l..k of n inside keeps n-k..n-l inside when in and out are swapped.
#include <gtest/gtest.h>

#include "protocol/floors.h"

namespace coterie::protocol {
namespace {

Problem problem(std::string_view text) { return parse_choice(text).value().problem(); }

TEST(Complement, TurnsFloorsIntoSemaphoresAndBack) {
  EXPECT_EQ(problem("complement"), Problem::semaphore);
  EXPECT_EQ(problem("complement[mutin-fused]"), Problem::semaphore);
  EXPECT_EQ(problem("complement[maekawa]"), Problem::floor);
  EXPECT_EQ(problem("complement[complement[mutin]]"), Problem::floor);
  EXPECT_EQ(problem("complement[gcs]"), Problem::band);
}

TEST(Complement, OfMutinIsMutualExclusionOfAnyDegree) {
  for (std::uint32_t k = 1; k <= 3; ++k) {
    EXPECT_EQ(first_fault("complement[mutin]", band("majority:n=3", 0, k, {})), "");
  }
}

TEST(Complement, MayStartWithSomeInside) {
  Network net("complement[mutin]", band("majority:n=3", 0, 2, {0, 1}));
  net.enter(2);
  net.run();
  EXPECT_FALSE(net.is_inside(2));
  net.exit(0);
  net.run();
  EXPECT_TRUE(net.is_inside(2));
}

TEST(Complement, OfMaekawaKeepsAllButOneInside) {
  EXPECT_EQ(first_fault("complement[maekawa]", floor("majority:n=3", 2)), "");
  EXPECT_THROW(Network("complement[maekawa]", floor("majority:n=3", 1)), std::invalid_argument);
}

TEST(Complement, OfItselfIsTheSame) {
  EXPECT_EQ(first_fault("complement[complement[mutin]]", floor("majority:n=3", 1)), "");
}

// Mutual exclusion starts with all outside; started with one inside, it is played forward.
TEST(Complement, PlaysForwardWhatStartsOutside) {
  Network net("complement[maekawa]", band("majority:n=3", 2, 3, {1, 2}));
  net.exit(1);
  net.run();
  EXPECT_TRUE(net.is_inside(1));
  net.enter(0);
  net.run();
  EXPECT_FALSE(net.is_inside(1));
}

TEST(Complement, RefusesWhatCannotBe) {
  EXPECT_THROW(Network("complement", band("majority:n=3", 0, 4, {})), std::invalid_argument);
  EXPECT_THROW(Network("complement", band("majority:n=3", 0, 0, {})), std::invalid_argument);
  EXPECT_THROW(Network("complement", band("majority:n=3", 0, 1, {0, 1})), std::invalid_argument);
}

}  // namespace
}  // namespace coterie::protocol
