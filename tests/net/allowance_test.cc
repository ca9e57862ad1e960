#include "net/allowance.h"

#include <gtest/gtest.h>

#include "net/origin.h"

namespace coterie::net {
namespace {

using member::Duration;
using member::Instant;

TEST(Allowance, IsASecondsWorthAndComesBackWithTime) {
  Allowance allowance(10);
  Instant now{7};
  for (int i = 0; i < 10; ++i) EXPECT_TRUE(allowance.take(1, now));
  EXPECT_FALSE(allowance.take(1, now));
  now = now + Duration::milliseconds(250);
  EXPECT_TRUE(allowance.take(2, now));
  EXPECT_FALSE(allowance.take(1, now));
  now = now + Duration::seconds(60);
  EXPECT_FALSE(allowance.take(11, now));
  EXPECT_TRUE(allowance.take(10, now));
}

constexpr Allowances::Rates kRates{.session = 10, .origin = 20, .all = 50};

int taken(Allowances& allowances, member::SessionId session, const std::string& origin,
          Instant now) {
  int times = 0;
  while (allowances.take(session, origin, 1, now)) ++times;
  return times;
}

TEST(Allowances, AreOfASessionWhateverItsConnectionIs) {
  Allowances allowances(kRates);
  const Instant now = Instant{} + Duration::seconds(100);
  EXPECT_EQ(taken(allowances, 1, "here", now), 10);
  EXPECT_EQ(taken(allowances, 1, "there", now), 0);  // it was resumed from another address
  EXPECT_EQ(taken(allowances, 1, "there", now + Duration::milliseconds(500)), 5);
}

TEST(Allowances, AreOfAnOriginWhateverItsSessionsAre) {
  Allowances allowances(kRates);
  const Instant now = Instant{} + Duration::seconds(100);
  EXPECT_EQ(taken(allowances, 1, "here", now), 10);
  EXPECT_EQ(taken(allowances, 2, "here", now), 10);
  EXPECT_EQ(taken(allowances, 3, "here", now), 0);
  EXPECT_EQ(taken(allowances, 4, "there", now), 10);
}

TEST(Allowances, AreOfAMemberInAll) {
  Allowances allowances(kRates);
  const Instant now = Instant{} + Duration::seconds(100);
  int all = 0;
  for (int i = 0; i < 20; ++i)
    all += taken(allowances, static_cast<member::SessionId>(i), std::to_string(i), now);
  EXPECT_EQ(all, 50);
}

// Else whoever makes up sessions and origins would make them grow for ever.
TEST(Allowances, AreForgottenWhenTheyAreWholeAgain) {
  Allowances allowances({.session = 10, .origin = 10, .all = 100'000});
  Instant now = Instant{} + Duration::seconds(100);
  for (int i = 0; i < 5'000; ++i)
    allowances.take(static_cast<member::SessionId>(i), std::to_string(i), 1, now);
  EXPECT_EQ(allowances.size(), 10'000U);
  allowances.take(1, "1", 1, now + Duration::seconds(2));
  EXPECT_EQ(allowances.size(), 2U);
}

TEST(Origin, IsAnAddressOrHalfOfOne) {
  const auto of = [](const char* text) { return origin_of(boost::asio::ip::make_address(text)); };
  EXPECT_EQ(of("10.0.0.1"), "10.0.0.1");
  EXPECT_NE(of("10.0.0.1"), of("10.0.0.2"));
  EXPECT_EQ(of("2001:db8:1:2:3::4"), of("2001:db8:1:2:ffff::1"));
  EXPECT_NE(of("2001:db8:1:2:3::4"), of("2001:db8:1:3:3::4"));
  EXPECT_NE(of("::ffff:10.0.0.1"), of("::ffff:10.0.0.2"));
}

}  // namespace
}  // namespace coterie::net
