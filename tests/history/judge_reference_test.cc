// The judge against a reference that tries every order, on thousands of tiny histories that are right or a little wrong.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "history/reference.h"
#include "history/sample.h"
#include "history/search.h"

namespace coterie::history {
namespace {

void disturb(std::vector<Call>& calls, std::mt19937_64& random) {
  const auto below = [&](std::size_t end) {
    return std::uniform_int_distribution<std::size_t>(0, end - 1)(random);
  };
  Call& call = calls[below(calls.size())];
  switch (below(8)) {
    case 0:
      call.token = below(6);
      break;
    case 1:
      call.called = std::max<Time>(0, call.called - static_cast<Time>(below(10)));
      break;
    case 2:
      if (is_definite(call.answer)) call.answered += static_cast<Time>(below(10));
      if (call.act == Act::enter && call.until != kNever)
        call.until += static_cast<Time>(below(20));
      break;
    case 3:
      if (call.act == Act::enter && call.until != kNever)
        call.until += static_cast<Time>(below(20));
      break;
    case 4:
      if (call.act == Act::release)
        call.answer = call.answer == Answer::done ? Answer::absent : Answer::done;
      break;
    case 5:
      if (call.act != Act::enter && call.act != Act::look)
        call.owner = "o" + std::to_string(below(3));
      break;
    case 6:
      if (call.act != Act::look && call.act != Act::enter) {
        const bool is_refused = call.act == Act::hold && below(2) == 0;
        call.answer = is_refused ? Answer::refused : Answer::unsure;
      }
      break;
    default:
      calls.erase(calls.begin() + static_cast<std::ptrdiff_t>(below(calls.size())));
  }
}

TEST(HistoryJudge, AgreesWithTheReference) {
  std::size_t good = 0;
  std::size_t bad = 0;
  for (std::uint64_t seed = 1; seed <= 4'000; ++seed) {
    std::mt19937_64 random(seed);
    Sampled sampled = sampled_kinds()[seed % sampled_kinds().size()];
    sampled.seed = seed;
    sampled.clients = 3;
    sampled.owners = 2;
    sampled.calls = 5;
    sampled.dying = 0.2;
    sampled.changes = sampled.kind == Kind::semaphore;
    std::vector<Call> calls = sample(sampled);
    for (std::size_t i = seed % 4; i > 0 && !calls.empty(); --i) disturb(calls, random);
    std::vector<const Call*> of_name;
    for (const Call& call : calls) of_name.push_back(&call);
    std::stable_sort(of_name.begin(), of_name.end(),
                     [](const Call* a, const Call* b) { return a->called < b->called; });
    const std::string fault = fault_of_order(of_name);
    const bool is_explained = is_explained_by_trying(calls);
    (is_explained ? good : bad) += 1;
    std::string text;
    for (const Call* const call : of_name) text += text_of(*call, 0) + "\n";
    ASSERT_EQ(fault.empty(), is_explained) << "seed " << seed << "\n" << text << fault;
  }
  EXPECT_GT(good, 500U);
  EXPECT_GT(bad, 300U);
}

}  // namespace
}  // namespace coterie::history
