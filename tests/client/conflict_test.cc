// What `coterie status NAME` remarks on: more inside than may be, for every kind.
#include "client/conflict.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "api/alone.h"

namespace coterie::client {
namespace {

Status::Holder in(const std::string& group) {
  Status::Holder holder;
  holder.group = group;
  return holder;
}

Status::Holder lasting(const std::string& group, Status::Certainty certainty) {
  Status::Holder holder = in(group);
  holder.is_lasting = true;
  holder.certainty = certainty;
  return holder;
}

Status status_of(const std::string& kind, std::uint32_t max, std::vector<Status::Holder> holders) {
  Status status;
  status.name = "n";
  status.kind = kind;
  status.max = max;
  status.holders = std::move(holders);
  return status;
}

const std::string kWriter(api::kShownAlone);

TEST(Conflict, IsTwoOfAMutexAndThreeOfASemaphoreOfTwo) {
  EXPECT_FALSE(is_in_conflict(status_of("mutex", 1, {in("")})));
  EXPECT_TRUE(is_in_conflict(status_of("mutex", 1, {in(""), in("")})));
  EXPECT_FALSE(is_in_conflict(status_of("semaphore", 2, {in(""), in("")})));
  EXPECT_TRUE(is_in_conflict(status_of("semaphore", 2, {in(""), in(""), in("")})));
}

TEST(Conflict, IsMoreGroupsInARoomThanItIsFor) {
  EXPECT_FALSE(is_in_conflict(status_of("room", 1, {in("red"), in("red"), in("red")})));
  EXPECT_TRUE(is_in_conflict(status_of("room", 1, {in("red"), in("blue")})));
  EXPECT_FALSE(is_in_conflict(status_of("room", 2, {in("red"), in("blue"), in("red")})));
  EXPECT_TRUE(is_in_conflict(status_of("room", 2, {in("red"), in("blue"), in("green")})));
}

TEST(Conflict, IsAWriterBesideAnybody) {
  EXPECT_FALSE(is_in_conflict(status_of("room", 1, {in(kWriter)})));
  EXPECT_TRUE(is_in_conflict(status_of("room", 1, {in(kWriter), in(kWriter)})));
  EXPECT_TRUE(is_in_conflict(status_of("room", 1, {in(kWriter), in("read")})));
  EXPECT_FALSE(is_in_conflict(status_of("room", 2, {in(kWriter), in(kWriter)})));
  EXPECT_TRUE(is_in_conflict(status_of("room", 2, {in(kWriter), in(kWriter), in(kWriter)})));
}

TEST(Conflict, IsMoreInABandThanItsMost) {
  EXPECT_FALSE(is_in_conflict(status_of("band", 2, {in("a"), in("b")})));
  EXPECT_TRUE(is_in_conflict(status_of("band", 2, {in("a"), in("b"), in("c")})));
  EXPECT_FALSE(is_in_conflict(status_of("band", Kind::kNoMax, {in("a"), in("b"), in("c")})));
}

TEST(Conflict, IsNoneIfItWasNeverGivenOrIfTheTermsWereChanged) {
  using Certainty = Status::Certainty;
  EXPECT_FALSE(is_in_conflict(status_of("mutex", 1, {in(""), lasting("", Certainty::partial)})));
  EXPECT_TRUE(is_in_conflict(status_of("mutex", 1, {in(""), lasting("", Certainty::doubtful)})));
  EXPECT_FALSE(
      is_in_conflict(status_of("room", 1, {in("red"), lasting("blue", Certainty::partial)})));
  EXPECT_TRUE(is_in_conflict(status_of("room", 1, {in("red"), lasting("blue", Certainty::sure)})));
  Status changed = status_of("room", 1, {in("red"), in("blue")});
  changed.former_terms = "at most 2 groups";
  EXPECT_FALSE(is_in_conflict(changed));
  EXPECT_FALSE(is_in_conflict(Status{}));
}

}  // namespace
}  // namespace coterie::client
