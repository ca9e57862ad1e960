#include "net/rebirths.h"

#include <gtest/gtest.h>

namespace coterie::net {
namespace {

using api::Duration;
using api::Instant;

TEST(Rebirths, PauseLongerEachTimeUpToALimit) {
  Rebirths rebirths;
  const Instant now = Instant{} + Duration::seconds(1'000);
  EXPECT_EQ(rebirths.pause_after(now, now).ns, 0);
  EXPECT_EQ(rebirths.pause_after(now, now).ns, Rebirths::kFirstPause.ns);
  EXPECT_EQ(rebirths.pause_after(now, now).ns, (Rebirths::kFirstPause * 2).ns);
  for (int i = 0; i < 100; ++i) rebirths.pause_after(now, now);
  EXPECT_EQ(rebirths.pause_after(now, now).ns, Rebirths::kLongestPause.ns);
}

TEST(Rebirths, PauseLittleAfterALifeThatLasted) {
  Rebirths rebirths;
  const Instant born = Instant{} + Duration::seconds(1'000);
  for (int i = 0; i < 100; ++i) rebirths.pause_after(born, born);
  // So long the other of two processes may have paused: that is no calm.
  EXPECT_EQ(rebirths.pause_after(born, born + Rebirths::kLongestPause).ns,
            Rebirths::kLongestPause.ns);
  EXPECT_EQ(rebirths.pause_after(born, born + Rebirths::kCalm).ns, 0);
  EXPECT_EQ(rebirths.pause_after(born, born).ns, Rebirths::kFirstPause.ns);
}

}  // namespace
}  // namespace coterie::net
