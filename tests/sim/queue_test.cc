#include "sim/queue.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <vector>

#include "base/random.h"

namespace coterie::sim {
namespace {

// What is taken out next of a list of all.
class Reference {
 public:
  void push(double time, int content) { items_.push_back({time, ++pushed_, content}); }
  bool empty() const { return items_.empty(); }
  Queue<int>::Item pop() {
    const auto first =
        std::min_element(items_.begin(), items_.end(), [](const auto& a, const auto& b) {
          return std::pair(a.time, a.order) < std::pair(b.time, b.order);
        });
    const Queue<int>::Item item = *first;
    items_.erase(first);
    return item;
  }

 private:
  std::vector<Queue<int>::Item> items_;
  std::uint64_t pushed_ = 0;
};

// Some runs have times of all scales and many that are equal, others are like a network's.
double draw_delay(Random& random, bool is_even) {
  if (is_even) return random.uniform();
  switch (random.below(4)) {
    case 0:
      return 0;
    case 1:
      return static_cast<double>(random.below(3));
    case 2:
      return random.uniform() * 1e-6;
    default:
      return random.uniform() * 1e6;
  }
}

RC_GTEST_PROP(EventQueue, GivesWhatASortedListGives, (std::uint64_t seed)) {
  Random random(seed);
  Queue<int> queue;
  Reference reference;
  double now = 0;
  const bool is_even = random.chance(0.5);
  for (int step = 0; step < 900; ++step) {
    const bool is_growing = step % 300 < 180;  // it grows and shrinks
    if (reference.empty() || random.chance(is_growing ? 0.9 : 0.2)) {
      const double time = now + draw_delay(random, is_even);
      queue.push(time, step);
      reference.push(time, step);
    } else {
      const auto item = queue.pop();
      const auto expected = reference.pop();
      RC_ASSERT(item.time == expected.time);
      RC_ASSERT(item.content == expected.content);
      now = item.time;
    }
  }
  while (!reference.empty()) RC_ASSERT(queue.pop().content == reference.pop().content);
  RC_ASSERT(queue.empty());
}

TEST(EventQueue, ManyOfOneTimeComeInTheOrderInWhichTheyWerePutIn) {
  Queue<int> queue;
  constexpr int kMany = 100'000;
  queue.push(1e9, -1);
  for (int i = 0; i < kMany; ++i) queue.push(1, i);
  for (int i = 0; i < kMany; ++i) ASSERT_EQ(queue.pop().content, i);
  EXPECT_EQ(queue.pop().content, -1);
}

}  // namespace
}  // namespace coterie::sim
