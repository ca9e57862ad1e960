// The judge accepts histories of a lock that is right, and rejects what is falsified: by hand, and mechanically.
#include "history/judge.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <optional>
#include <random>

#include "history/sample.h"

namespace coterie::history {
namespace {

Call call_of(Act act, const std::string& who, Time called, Time answered, Answer answer,
             std::uint64_t token = 0) {
  Call call;
  call.act = act;
  call.client = "client-of-" + who;
  call.number = static_cast<std::uint64_t>(called);
  call.name = "name";
  call.owner = act == Act::enter ? "" : who;
  call.called = called;
  call.answered = answered;
  call.answer = answer;
  call.token = token;
  return call;
}
Call hold(const std::string& owner, Time called, Time answered, std::uint64_t token) {
  return call_of(Act::hold, owner, called, answered, Answer::granted, token);
}
Call release(const std::string& owner, Time called, Time answered, Answer answer = Answer::done) {
  return call_of(Act::release, owner, called, answered, answer);
}
Call stay(const std::string& client, Time called, Time from, Time until, std::uint64_t token) {
  Call call = call_of(Act::enter, client, called, from, Answer::granted, token);
  call.until = until;
  call.leave_called = until;
  call.left = until == kNever ? kNever : until + 1;
  return call;
}
Call look(Time called, std::vector<std::pair<std::string, std::uint64_t>> seen) {
  Call call = call_of(Act::look, "", called, called + 1, Answer::done);
  call.seen = std::move(seen);
  return call;
}
Call with(Call call, Kind kind, std::uint32_t limit, const std::string& group = "") {
  call.kind = kind;
  call.limit = limit;
  call.group = group;
  return call;
}
Call band(Call call, std::uint32_t min, const std::string& as) {
  call.kind = Kind::band;
  call.limit = 9;
  call.min = min;
  call.owner = as;
  return call;
}

void expect_good(const std::vector<Call>& calls) { EXPECT_EQ(judge(calls, {.grace = 5}).text, ""); }
void expect_bad(const std::vector<Call>& calls, const std::string& why) {
  const Verdict verdict = judge(calls, {.grace = 5});
  EXPECT_FALSE(verdict.is_good);
  EXPECT_NE(verdict.text.find(why), std::string::npos) << why << "\n" << verdict.text;
}

TEST(HistoryJudge, KnowsOneOwnerOfMutex) {
  expect_good({hold("a", 1, 5, 1), release("a", 6, 9), hold("b", 2, 10, 2)});
  expect_good({hold("a", 1, 5, 1), hold("a", 6, 7, 1), look(8, {{"a", 1}})});
  // The find A: two owners are told tokens.
  expect_bad({hold("a", 1, 5, 8), hold("b", 6, 9, 9)}, "cannot be explained");
  expect_bad({hold("a", 1, 5, 1), hold("a", 6, 7, 2)}, "cannot be explained");
  expect_bad({hold("a", 1, 5, 2), release("a", 6, 9), hold("b", 10, 11, 1)}, "cannot be explained");
}

TEST(HistoryJudge, KnowsThatLateCallsHaveNoEffect) {
  // The find B: a release without an answer at one member is repeated at another, and ends the next hold as well.
  const Call late = call_of(Act::release, "a", 6, 7, Answer::none);
  expect_good({hold("a", 1, 5, 1), late, hold("b", 7, 9, 2)});
  expect_bad(
      {hold("a", 1, 5, 1), late, release("a", 7, 8), hold("a", 9, 10, 2), hold("b", 11, 12, 3)},
      "cannot be explained");
  // The find C: a request that was left behind is granted after its owner's later call was answered.
  const Call left_behind = call_of(Act::hold, "a", 1, 2, Answer::none);
  expect_good({left_behind, look(20, {{"a", 3}})});
  expect_good({left_behind, look(20, {})});
  expect_bad({left_behind, hold("a", 2, 3, 1), release("a", 4, 5), look(20, {{"a", 3}})},
             "cannot be explained");
  expect_bad({call_of(Act::hold, "a", 1, 2, Answer::refused), look(20, {{"a", 3}})},
             "cannot be explained");
  // A client that still waits may be served, whatever another one of the same owner was told meanwhile.
  expect_good({hold("a", 1, 9, 1), release("a", 2, 3, Answer::absent)});
  // The same of changes.
  const auto semaphore = [](Call call) { return with(std::move(call), Kind::semaphore, 2); };
  const auto set = [](std::uint32_t limit, Time called, Answer answer) {
    return with(call_of(Act::set, "s", called, called + 1, answer), Kind::semaphore, limit);
  };
  const Call late_set = set(3, 2, Answer::none);
  expect_bad({semaphore(hold("a", 0, 1, 1)), late_set, set(1, 4, Answer::done),
              set(1, 6, Answer::done), semaphore(hold("b", 8, 9, 2))},
             "cannot be explained");
  expect_good({semaphore(hold("a", 0, 1, 1)), set(1, 4, Answer::done), set(3, 6, Answer::none),
               semaphore(hold("b", 8, 9, 2))});
}

TEST(HistoryJudge, KnowsWhatReleaseMaySay) {
  expect_good({hold("a", 1, 5, 1), release("a", 2, 3, Answer::absent), release("a", 6, 7)});
  expect_bad({hold("a", 1, 5, 1), release("a", 6, 7, Answer::absent), hold("b", 8, 9, 2)},
             "cannot be explained");
  expect_bad({release("a", 1, 2)}, "cannot be explained");
  expect_bad({hold("a", 1, 5, 1), release("a", 6, 7, Answer::refused), hold("b", 8, 9, 2)},
             "cannot be explained");
  // Two clients end the same hold.
  expect_good({hold("a", 1, 5, 1), release("a", 6, 9), release("a", 7, 10), hold("b", 11, 12, 2)});
  expect_bad({hold("a", 1, 5, 1), release("a", 6, 7), release("a", 8, 9)}, "cannot be explained");
  expect_bad({hold("a", 1, 5, 1), look(6, {})}, "cannot be explained");
}

// A release ends what another process of the owner is about to hold: that one is refused.
TEST(HistoryJudge, KnowsThatAHoldMayEndBeforeItIsAnswered) {
  const auto refused = [](const std::string& owner, Time called, Time answered) {
    return call_of(Act::hold, owner, called, answered, Answer::refused);
  };
  expect_good({refused("a", 1, 9), release("a", 3, 5)});
  expect_bad({refused("a", 1, 2), release("a", 3, 5)}, "cannot be explained");
  expect_bad({refused("a", 6, 9), release("a", 3, 5)}, "cannot be explained");
  expect_bad({refused("b", 1, 9), release("a", 3, 5)}, "cannot be explained");
  expect_bad({refused("a", 1, 9), release("a", 2, 3), release("a", 5, 6)}, "cannot be explained");
  // Somebody else has it all the while.
  expect_bad({hold("b", 0, 1, 1), refused("a", 2, 9), release("a", 3, 5), look(10, {{"b", 1}})},
             "cannot be explained");
}

// The next release tells of an end that nobody was told of, also after somebody else has entered.
TEST(HistoryJudge, KnowsThatAnEndIsToldOnce) {
  const Call unsure = call_of(Act::release, "a", 6, 8, Answer::unsure);
  expect_good({hold("a", 1, 5, 1), unsure, hold("b", 9, 12, 2), release("a", 14, 15)});
  expect_good(
      {hold("a", 1, 5, 1), unsure, hold("b", 9, 12, 2), release("a", 14, 15, Answer::absent)});
  expect_bad(
      {hold("a", 1, 5, 1), unsure, hold("b", 9, 12, 2), release("a", 14, 15), release("a", 16, 17)},
      "cannot be explained");
  expect_bad({hold("a", 1, 5, 1), release("a", 6, 8), hold("b", 9, 12, 2), release("a", 14, 15)},
             "cannot be explained");
}

TEST(HistoryJudge, ComparesBeliefs) {
  expect_good({stay("a", 1, 2, 5, 1), stay("b", 1, 5, 9, 2)});
  expect_bad({stay("a", 1, 2, 5, 1), stay("b", 1, 4, 9, 2)}, "cannot be explained");
  expect_bad({stay("a", 1, 2, 5, 2), stay("b", 1, 5, 9, 1)}, "cannot be explained");
  expect_bad({stay("a", 1, 2, 5, 1), hold("b", 3, 4, 2)}, "cannot be explained");
  const auto three = [](Call call) { return with(std::move(call), Kind::semaphore, 2); };
  expect_good(
      {three(stay("a", 1, 2, 5, 1)), three(stay("b", 1, 3, 9, 2)), three(stay("c", 1, 5, 9, 3))});
  expect_bad(
      {three(stay("a", 1, 2, 5, 1)), three(stay("b", 1, 3, 9, 2)), three(hold("c", 1, 4, 3))},
      "cannot be explained");
}

TEST(HistoryJudge, KnowsGroupsAndWriters) {
  const auto in = [](Call call, const std::string& group, std::uint32_t limit = 1) {
    return with(std::move(call), Kind::room, limit, group);
  };
  const auto alone = [](Call call) {
    call.is_exclusive = true;
    return with(std::move(call), Kind::room, 1);
  };
  expect_good({in(stay("a", 1, 2, 9, 1), "g"), in(stay("b", 3, 4, 8, 1), "g"),
               in(stay("c", 3, 9, 12, 2), "h")});
  expect_bad({in(stay("a", 1, 2, 9, 1), "g"), in(stay("b", 3, 4, 8, 2), "h")},
             "cannot be explained");
  expect_bad({in(stay("a", 1, 2, 9, 1), "g"), in(stay("b", 3, 10, 12, 1), "h")},
             "cannot be explained");
  expect_good({alone(stay("a", 1, 2, 9, 1)), alone(stay("b", 3, 9, 10, 2))});
  expect_bad({alone(stay("a", 1, 2, 9, 1)), alone(stay("b", 3, 8, 10, 2))}, "cannot be explained");
  expect_bad({in(stay("a", 1, 2, 9, 1), "g"), alone(stay("b", 3, 8, 10, 2))},
             "cannot be explained");
  expect_good({in(stay("a", 1, 2, 9, 1), "g", 2), in(stay("b", 3, 4, 8, 2), "h", 2)});
  expect_bad({in(stay("a", 1, 2, 9, 1), "g", 2), in(stay("b", 3, 4, 8, 2), "h", 2),
              in(hold("c", 3, 5, 3), "i", 2)},
             "cannot be explained");
}

TEST(HistoryJudge, KnowsTokensWhereEntriesAreCounted) {
  const auto two = [](Call call) { return with(std::move(call), Kind::semaphore, 2); };
  expect_good({two(stay("a", 1, 2, 5, 2)), two(stay("b", 4, 6, 9, 1))});
  expect_bad({two(stay("a", 1, 2, 5, 2)), two(stay("b", 6, 7, 9, 1))}, "does not exceed");
  expect_bad({two(stay("a", 1, 2, 5, 2)), two(stay("b", 1, 3, 9, 2))}, "same token");
  // A hold that is found was asked for by the call without an answer.
  Call first = two(call_of(Act::hold, "o", 1, 2, Answer::unsure));
  expect_good({first, two(stay("a", 3, 4, 5, 2)), two(hold("o", 6, 7, 1))});
  expect_bad({two(stay("a", 3, 4, 5, 2)), two(hold("o", 6, 7, 1))}, "does not exceed");
  // In a room for several groups a client may join its group.
  const auto in = [](Call call, const std::string& group) {
    return with(std::move(call), Kind::room, 2, group);
  };
  expect_good({in(stay("a", 1, 2, 20, 1), "g"), in(stay("b", 3, 4, 5, 2), "h"),
               in(stay("c", 6, 7, 9, 1), "g")});
  // Also an entry that its client never heard of; but not for ever, not of another group, and not before it was asked for.
  const std::vector<Call> rest = {in(stay("b", 3, 4, 5, 2), "h"), in(stay("c", 6, 7, 9, 1), "g")};
  const auto beside = [&](const Call& call) { return std::vector{call, rest[0], rest[1]}; };
  expect_good(beside(in(call_of(Act::enter, "a", 1, 2, Answer::refused), "g")));
  for (const Call& call : {in(call_of(Act::enter, "a", -3, 0, Answer::refused), "g"),
                           in(call_of(Act::enter, "a", 1, 2, Answer::refused), "h"),
                           in(call_of(Act::enter, "a", 6, 7, Answer::refused), "g")})
    expect_bad(beside(call), "does not exceed");
}

TEST(HistoryJudge, KnowsFloors) {
  const auto one = [](Time until) { return band(stay("1", 1, 2, until, 1), 2, "1"); };
  const auto two = [](Time until) { return band(stay("2", 3, 4, until, 2), 2, "2"); };
  const auto three = [](Time until) { return band(stay("3", 5, 6, until, 3), 2, "3"); };
  Call stays = band(stay("4", 7, 8, 30, 4), 2, "4");
  stays.leave_called = stays.left = kNever;
  expect_good({one(10), two(20), three(kNever), stays});
  expect_bad({one(10), two(22), three(20), stays}, "too few stay");
  expect_bad({one(10), two(20)}, "too few stay");
  // Before two have been inside, one may leave.
  expect_good({one(3), band(stay("2", 4, 5, kNever, 2), 2, "2")});
  // A crashed participant counts for the time of grace.
  Call crashed = three(8);
  crashed.was_lost = true;
  crashed.promised = 8;
  crashed.left = crashed.leave_called = kNever;
  const Call last = band(stay("4", 5, 6, kNever, 4), 2, "4");
  expect_good({one(12), two(kNever), crashed});
  expect_bad({one(20), two(kNever), crashed}, "too few stay");
  expect_good({one(20), two(kNever), crashed, last});
}

TEST(HistoryJudge, KnowsEndsByLoss) {
  Call lost = stay("a", 1, 2, 9, 1);
  lost.was_lost = true;
  lost.promised = 9;
  expect_good({lost});
  lost.promised = 8;
  expect_bad({lost}, "after the loss");
  Call over = stay("a", 1, 2, 9, 1);
  over.leave_called = 10;
  expect_bad({over}, "said to be released");
}

TEST(HistoryJudge, ReadsWhatClientsWrite) {
  std::vector<Call> calls;
  Call entry = with(stay("a", 1, 2, 9, 7), Kind::room, 1, "g");
  Call seen = look(3, {{"o", 5}, {"p", 6}});
  const std::string text = line_of_call(entry) + line_of_call(seen) + line_of_answer(seen) +
                           line_of_answer(entry) + line_of_end(entry);
  ASSERT_TRUE(read(text + "a torn li", calls));
  ASSERT_EQ(calls.size(), 2U);
  EXPECT_EQ(text_of(calls[0], 0), text_of(entry, 0));
  EXPECT_EQ(text_of(calls[1], 0), text_of(seen, 0));
  std::vector<Call> none;
  EXPECT_FALSE(read("a client 1 2 granted\n", none));
  EXPECT_FALSE(read("nothing\n", none));
}

// ---- mechanically

TEST(HistoryJudge, AcceptsLocksThatAreRight) {
  for (Sampled sampled : sampled_kinds()) {
    for (sampled.seed = 1; sampled.seed <= 60; ++sampled.seed) {
      sampled.calls = 60;
      sampled.dying = sampled.seed % 2 == 0 ? 0.1 : 0;
      sampled.changes = sampled.kind == Kind::semaphore && sampled.seed % 3 == 0;
      const Verdict verdict = judge(sample(sampled));
      ASSERT_TRUE(verdict.is_good) << "seed " << sampled.seed << "\n" << verdict.text;
    }
  }
}

using Random = std::mt19937_64;
// Falsifies the history, so that no lock could have produced it; false if it cannot.
using Falsify = std::function<bool(std::vector<Call>& calls, Random& random)>;

std::vector<std::size_t> places(const std::vector<Call>& calls,
                                const std::function<bool(const Call&)>& fits) {
  std::vector<std::size_t> found;
  for (std::size_t i = 0; i < calls.size(); ++i)
    if (fits(calls[i])) found.push_back(i);
  return found;
}
std::optional<std::size_t> draw(const std::vector<std::size_t>& from, Random& random) {
  if (from.empty()) return {};
  return from[std::uniform_int_distribution<std::size_t>(0, from.size() - 1)(random)];
}
bool is_entry(const Call& call) {
  return (call.act == Act::enter || call.act == Act::hold) && call.answer == Answer::granted;
}

bool drop_end(std::vector<Call>& calls, Random& random) {
  const auto end = draw(places(calls,
                               [&](const Call& call) {
                                 // Another enters after it.
                                 return call.act == Act::release && call.answer == Answer::done &&
                                        !places(calls, [&](const Call& other) {
                                           return is_entry(other) && other.called > call.answered &&
                                                  other.owner != call.owner;
                                         }).empty();
                               }),
                        random);
  if (!end) return false;
  const std::string owner = calls[*end].owner;
  const Time from = calls[*end].called;
  // With all later ends of that owner.
  std::erase_if(calls, [&](const Call& call) {
    return call.act == Act::release && call.owner == owner && call.answered >= from;
  });
  return true;
}

bool duplicate_grant(std::vector<Call>& calls, Random& random) {
  const auto grant = draw(places(calls, is_entry), random);
  if (!grant) return false;
  Call twin = calls[*grant];
  twin.client = "twin";
  if (twin.act == Act::hold) twin.owner = "twin";
  calls.push_back(twin);
  return true;
}

bool add_owner(std::vector<Call>& calls, Random& random) {
  // While a client believes.
  const auto stay = draw(places(calls,
                                [](const Call& call) {
                                  return call.act == Act::enter && is_entry(call) &&
                                         call.until > call.answered + 1;
                                }),
                         random);
  if (!stay) return false;
  Call second = calls[*stay];
  second.act = Act::hold;
  second.client = second.owner = "second";
  second.called = second.answered = calls[*stay].answered;
  second.token += 1'000;
  second.until = kNever;
  calls.push_back(second);
  return true;
}

bool swap_tokens(std::vector<Call>& calls, Random& random) {
  const auto first =
      draw(places(calls, [](const Call& call) { return call.act == Act::enter && is_entry(call); }),
           random);
  if (!first) return false;
  const auto second = draw(places(calls,
                                  [&](const Call& call) {
                                    return call.act == Act::enter && is_entry(call) &&
                                           call.called > calls[*first].until;
                                  }),
                           random);
  if (!second) return false;
  std::swap(calls[*first].token, calls[*second].token);
  return true;
}

bool shift_belief(std::vector<Call>& calls, Random& random) {
  const auto first = draw(places(calls,
                                 [&](const Call& call) {
                                   return call.act == Act::enter && is_entry(call) &&
                                          !places(calls, [&](const Call& other) {
                                             return other.act == Act::enter && is_entry(other) &&
                                                    other.answered > call.until;
                                           }).empty();
                                 }),
                          random);
  if (!first) return false;
  calls[*first].until = calls[*first].leave_called = kNever - 1;
  return true;
}

bool deny_hold(std::vector<Call>& calls, Random& random) {
  const auto end = draw(places(calls,
                               [](const Call& call) {
                                 return call.act == Act::release && call.answer == Answer::done;
                               }),
                        random);
  if (!end) return false;
  calls[*end].answer = Answer::absent;
  // The owner holds for certain from before that call.
  const auto& release = calls[*end];
  return !places(calls, [&](const Call& call) {
            return call.act == Act::hold && is_entry(call) && call.owner == release.owner &&
                   call.answered < release.called &&
                   places(calls, [&](const Call& other) {
                     return other.act == Act::release && other.owner == call.owner &&
                            &other != &release && other.answered > call.called;
                   }).empty();
          }).empty();
}

bool add_seen(std::vector<Call>& calls, Random& /*random*/) {
  calls.back().seen.emplace_back("nobody", 1'000);
  return true;
}
bool miss_seen(std::vector<Call>& calls, Random& /*random*/) {
  if (calls.back().seen.empty()) return false;
  calls.back().seen.pop_back();
  return true;
}

// Each is wrong for a mutex; those that are wrong for others too are tried on them.
TEST(HistoryJudge, RejectsFalsifiedHistories) {
  struct Way {
    const char* name;
    Falsify falsify;
    std::size_t kinds;  // the first so many of sampled_kinds()
  };
  const std::vector<Way> ways = {
      {"drop an end", drop_end, 1},           {"duplicate a grant", duplicate_grant, 2},
      {"a second owner", add_owner, 1},       {"swap tokens", swap_tokens, 2},
      {"shift an interval", shift_belief, 1}, {"deny a hold", deny_hold, 1},
      {"see one too many", add_seen, 5},      {"see one too few", miss_seen, 5},
  };
  for (const Way& way : ways) {
    for (std::size_t kind = 0; kind < way.kinds; ++kind) {
      std::size_t tried = 0;
      for (std::uint64_t seed = 1; seed <= 60; ++seed) {
        Sampled sampled = sampled_kinds()[kind];
        sampled.seed = seed;
        std::vector<Call> calls = sample(sampled);
        Random random(seed);
        if (!way.falsify(calls, random)) continue;
        ++tried;
        EXPECT_FALSE(judge(calls).is_good) << way.name << ", kind " << kind << ", seed " << seed;
      }
      EXPECT_GT(tried, 5U) << way.name << ", kind " << kind;
    }
  }
}

}  // namespace
}  // namespace coterie::history
