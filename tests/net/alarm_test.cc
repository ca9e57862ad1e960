// An alarm rings once, when it is set to last.
#include "net/alarm.h"

#include <gtest/gtest.h>

#include <boost/asio/io_context.hpp>

#include "net/clock.h"

namespace coterie::net {
namespace {

using member::Duration;
using member::Instant;

Instant from_now(std::int64_t milliseconds) {
  return Instant{Clock::now().time_since_epoch().count()} + Duration::milliseconds(milliseconds);
}

class AnAlarm : public ::testing::Test {
 protected:
  boost::asio::io_context io;
  Alarm alarm{io};
  int rung = 0;
};

TEST_F(AnAlarm, RingsNotBeforeItsTime) {
  const Instant at = from_now(5);
  Instant rung_at;
  alarm.set(at, [&] { rung_at = from_now(0); });
  io.run();
  EXPECT_GE(rung_at, at);
}

TEST_F(AnAlarm, RingsForTheLastTimeThatItWasSetTo) {
  alarm.set(from_now(60'000), [&] { rung = 1; });
  alarm.set(from_now(1), [&] {
    rung = 2;
    alarm.set(from_now(-1), [&] { rung = 3; });  // what is past is due
  });
  io.run();
  EXPECT_EQ(rung, 3);
}

TEST_F(AnAlarm, ThatIsCancelledKeepsNobodyWaiting) {
  alarm.set(from_now(60'000), [&] { rung = 1; });
  alarm.cancel();
  io.run();
  EXPECT_EQ(rung, 0);
  alarm.set(from_now(1), [&] { rung = 2; });
  io.restart();
  io.run();
  EXPECT_EQ(rung, 2);
  alarm.set(Instant::never(), [&] { rung = 3; });
  io.restart();
  io.run();
  EXPECT_EQ(rung, 2);
}

TEST(ATimeOfTheClock, IsThatOfTheSystemUnlessATestSaysOtherwise) {
  const std::int64_t before = boot_nanoseconds();
  const std::int64_t between = Clock::now().time_since_epoch().count();
  EXPECT_GE(between, before);
  EXPECT_LE(between, boot_nanoseconds());
  EXPECT_GE(boot_nanoseconds(), monotonic_nanoseconds()) << "it does not count suspension";
  const ClockSource usual = set_clock_source([]() noexcept { return std::int64_t{42}; });
  EXPECT_EQ(Clock::now().time_since_epoch().count(), 42);
  set_clock_source(usual);
  EXPECT_EQ(usual, &boot_nanoseconds);
}

}  // namespace
}  // namespace coterie::net
