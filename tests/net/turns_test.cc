// Clients that wait for their turns.
#include "net/turns.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace coterie::net {
namespace {

using testing::ElementsAre;

wire::Call call(std::uint64_t request) {
  wire::Call call;
  call.mutable_acquire()->set_request(request);
  return call;
}

TEST(Turns, GoRoundAndKeepTheOrderOfEachClient) {
  Turns turns;
  for (const std::uint64_t request : {11U, 12U, 13U}) turns.push(1, call(request));
  turns.push(2, call(21));
  turns.push(3, call(31));
  turns.push(3, call(32));
  std::vector<std::uint64_t> order;
  while (!turns.is_empty()) order.push_back(turns.take().acquire().request());
  EXPECT_THAT(order, ElementsAre(11, 21, 31, 12, 32, 13));
  EXPECT_EQ(turns.bytes(), 0U);
}

TEST(Turns, ForgetAClientThatIsGone) {
  Turns turns;
  turns.push(1, call(11));
  turns.push(2, call(21));
  EXPECT_EQ(turns.bytes(), turns.bytes_of(1) + turns.bytes_of(2));
  turns.erase(1);
  turns.erase(7);
  EXPECT_FALSE(turns.has(1));
  EXPECT_EQ(turns.bytes(), turns.bytes_of(2));
  EXPECT_EQ(turns.next(), 2U);
  EXPECT_EQ(turns.call().acquire().request(), 21U);
}

TEST(Turns, CanBeSkipped) {
  Turns turns;
  turns.push(1, call(11));
  turns.push(2, call(21));
  turns.skip();
  EXPECT_EQ(turns.take().acquire().request(), 21U);
  EXPECT_EQ(turns.take().acquire().request(), 11U);
}

}  // namespace
}  // namespace coterie::net
