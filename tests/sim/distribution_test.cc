#include "sim/distribution.h"

#include <gtest/gtest.h>

#include <cmath>

namespace coterie::sim {
namespace {

TEST(Distribution, TextParsesToTheSame) {
  for (const char* text : {"const:1", "uniform:0:4", "exp:4", "lognormal:-0.5:1", "exp:0.001",
                           "const:0", "uniform:2.5:2.5"}) {
    const auto parsed = parse_distribution(text);
    ASSERT_TRUE(parsed.has_value()) << text;
    EXPECT_EQ(parsed->text(), text);
  }
}

TEST(Distribution, DrawsHaveTheMeanThatItSays) {
  constexpr int kDraws = 200'000;
  for (const char* text : {"const:3", "uniform:1:4", "exp:4", "lognormal:0:0.5"}) {
    const Distribution distribution = parse_distribution(text).value();
    Random random(1);
    double sum = 0;
    double least = distribution.mean();
    for (int i = 0; i < kDraws; ++i) {
      const double drawn = distribution.draw(random);
      sum += drawn;
      least = std::min(least, drawn);
    }
    // Six standard errors of the widest, exp:4.
    EXPECT_NEAR(sum / kDraws, distribution.mean(), 6 * 4 / std::sqrt(kDraws)) << text;
    EXPECT_GE(least, 0) << text;
  }
}

TEST(Distribution, OfAnExponentialOneInEIsOverTheMean) {
  const Distribution distribution = Distribution::exponential(2);
  Random random(7);
  int over = 0;
  constexpr int kDraws = 100'000;
  for (int i = 0; i < kDraws; ++i) over += distribution.draw(random) > 2 ? 1 : 0;
  EXPECT_NEAR(static_cast<double>(over) / kDraws, std::exp(-1), 0.01);
}

TEST(Distribution, MeasuredValuesAreDrawnAsTheyAre) {
  const Distribution distribution = Distribution::of_values({1, 2, 6}, "file:delays.txt");
  EXPECT_EQ(distribution.text(), "file:delays.txt");
  EXPECT_EQ(distribution.mean(), 3);
  Random random(1);
  bool was_six = false;
  for (int i = 0; i < 100; ++i) {
    const double drawn = distribution.draw(random);
    EXPECT_TRUE(drawn == 1 || drawn == 2 || drawn == 6);
    was_six = was_six || drawn == 6;
  }
  EXPECT_TRUE(was_six);
}

TEST(Distribution, OneSeedMeansTheSameNumbers) {
  Random random(42);
  EXPECT_DOUBLE_EQ(Distribution::exponential(4).draw(random), 0.35035732233367028);
  EXPECT_DOUBLE_EQ(Distribution::uniform(1, 3).draw(random), 1.7579605013253372);
}

TEST(Distribution, ErrorsSayWhatIsAllowed) {
  const auto error = [](const char* text) { return parse_distribution(text).error().message; };
  EXPECT_EQ(error("normal:1"),
            "\"normal:1\" is no distribution; there are const:VALUE, uniform:LEAST:MOST, exp:MEAN, "
            "lognormal:MU:SIGMA and file:PATH");
  EXPECT_EQ(error("exp"), "exp takes 1 number, not 0, in \"exp\"");
  EXPECT_EQ(error("uniform:1"), "uniform takes 2 numbers, not 1, in \"uniform:1\"");
  EXPECT_EQ(error("exp:-4"), "\"-4\" in \"exp:-4\" must be a number from 0 to 1000000000000");
  EXPECT_EQ(error("exp:nan"), "\"nan\" in \"exp:nan\" must be a number from 0 to 1000000000000");
  EXPECT_EQ(error("uniform:4:1"), "the least of \"uniform:4:1\" is more than the most");
  EXPECT_EQ(error("lognormal:0:-1"), "the standard deviation of \"lognormal:0:-1\" is negative");
  EXPECT_EQ(error("lognormal:99:1"),
            "\"99\" in \"lognormal:99:1\" must be a number from -20 to 20");
}

TEST(Distribution, ValuesOfAFile) {
  EXPECT_EQ(parse_values("1, 2.5\n\n3e2\t4\n").value(), (std::vector<double>{1, 2.5, 300, 4}));
  EXPECT_EQ(parse_values("1\n2,x\n").error().message,
            "line 2: \"x\" must be a number from 0 to 1000000000000");
  EXPECT_EQ(parse_values("1\n\n-1").error().message,
            "line 3: \"-1\" must be a number from 0 to 1000000000000");
  EXPECT_EQ(parse_values(" \n").error().message, "it has no numbers");
}

}  // namespace
}  // namespace coterie::sim
