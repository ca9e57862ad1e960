#include "check/finish.h"

#include <gtest/gtest.h>

namespace coterie::check {
namespace {

TEST(CanFinish, SeesACycleThatCannotBeLeft) {
  // 0 -> 1 -> 2 (a good end), 0 -> 3 <-> 4
  Edges edges;
  edges.add(0, std::vector<std::uint32_t>{1, 3});
  edges.add(1, std::vector<std::uint32_t>{2});
  edges.add(2, {});
  edges.add_good_end(2);
  edges.add(3, std::vector<std::uint32_t>{4});
  edges.add(4, std::vector<std::uint32_t>{3});
  const Edges* parts[] = {&edges};
  const Ends ends = can_finish(parts, 5);
  EXPECT_FALSE(ends.is_acyclic);
  EXPECT_EQ(ends.can_finish, (std::vector<bool>{true, true, true, false, false}));
}

TEST(CanFinish, ACycleWithAWayOutIsNoHarm) {
  Edges first;
  Edges second;  // as another thread found them
  first.add(0, std::vector<std::uint32_t>{1});
  second.add(1, std::vector<std::uint32_t>{0, 2});
  second.add(2, {});
  second.add_good_end(2);
  const Edges* parts[] = {&first, &second};
  const Ends ends = can_finish(parts, 3);
  EXPECT_FALSE(ends.is_acyclic);
  EXPECT_EQ(ends.can_finish, std::vector<bool>(3, true));
}

TEST(CanFinish, AnEndThatIsNotGoodIsLost) {
  Edges edges;
  edges.add(0, std::vector<std::uint32_t>{1, 2});
  edges.add(1, {});
  edges.add(2, {});
  edges.add_good_end(2);
  const Edges* parts[] = {&edges};
  const Ends ends = can_finish(parts, 3);
  EXPECT_TRUE(ends.is_acyclic);
  EXPECT_EQ(ends.can_finish, (std::vector<bool>{true, false, true}));
}

TEST(Table, KeepsWhatItWasGivenWhileItGrows) {
  Table table(true);
  std::uint64_t key = 1;
  const auto next = [&] { return key = key * 6364136223846793005ULL + 1442695040888963407ULL; };
  std::vector<Fingerprint> inserted;
  for (std::uint32_t i = 0; i < 100'000; ++i) {
    if (i % 1000 == 0) table.reserve(1000);
    inserted.push_back(next());
    const Table::Entry entry = table.insert(inserted.back(), i % 77);
    ASSERT_TRUE(entry.is_new);
    ASSERT_EQ(entry.number, i);
  }
  EXPECT_EQ(table.size(), inserted.size());
  for (std::uint32_t i = 0; i < inserted.size(); ++i) {
    ASSERT_EQ(table.depth(inserted[i]), i % 77);
    const Table::Entry entry = table.insert(inserted[i], 0);
    ASSERT_FALSE(entry.is_new);
    ASSERT_EQ(entry.number, i);
  }
  EXPECT_FALSE(table.depth(next()).has_value());
}

}  // namespace
}  // namespace coterie::check
