// A change of what is set for a name replaces the version that it names, and no other: a copy of the call that comes late undoes
// nothing.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "member/cluster.h"

namespace coterie::member {
namespace {

class LateSettings : public ::testing::Test {
 protected:
  RequestId set(SessionId client, std::uint32_t max, std::optional<std::uint64_t> replaces) {
    Change change;
    change.name = "s";
    change.was = change.kind = {Type::semaphore, 0, 2};
    change.kind.max = max;
    change.replaces = replaces;
    const RequestId request = cluster_.change(client, change);
    cluster_.pass(Cluster::kStep);
    return request;
  }
  bool is_done(SessionId client, RequestId request) {
    return cluster_.told<Left>(client, request) != nullptr;
  }

  Cluster cluster_{"majority:n=3"};
  SessionId client_ = cluster_.join(0);
  SessionId other_ = cluster_.join(1);
};

TEST_F(LateSettings, ALateCopyOfAChangeUndoesNothing) {
  ASSERT_TRUE(is_done(client_, set(client_, 3, 0)));
  const std::uint64_t version = cluster_.show(client_, "s").version;
  EXPECT_GT(version, 0U);
  ASSERT_TRUE(is_done(client_, set(client_, 5, version)));
  const RequestId late = set(other_, 3, 0);
  const auto* const refused = cluster_.told<Refused>(other_, late);
  ASSERT_NE(refused, nullptr);
  EXPECT_EQ(refused->why, Refusal::mismatch);
  EXPECT_THAT(refused->text, ::testing::HasSubstr("it was set since"));
  EXPECT_EQ(cluster_.show(client_, "s").kind->max, 5U);
}

TEST_F(LateSettings, ALateCopyOfAnotherKindOrOfAForgettingUndoesNothing) {
  ASSERT_TRUE(is_done(client_, set(client_, 3, 0)));
  const std::uint64_t version = cluster_.show(client_, "s").version;
  for (const bool forgets : {false, true}) {
    Change change;
    change.name = "s";
    change.kind = {Type::mutex};
    change.is_reform = !forgets;
    change.forgets = forgets;
    change.replaces = version - 1;
    const RequestId late = cluster_.change(other_, change);
    cluster_.pass(Cluster::kStep);
    const auto* const refused = cluster_.told<Refused>(other_, late);
    ASSERT_NE(refused, nullptr) << forgets;
    EXPECT_EQ(refused->why, Refusal::mismatch) << forgets;
    const Picture picture = cluster_.show(client_, "s");
    EXPECT_EQ(picture.version, version) << forgets;
    EXPECT_EQ(picture.kind->max, 3U) << forgets;
    change.replaces = version;
    if (forgets) {
      EXPECT_TRUE(is_done(other_, cluster_.change(other_, change)));
    }
  }
}

}  // namespace
}  // namespace coterie::member
