// Calls on real processes that arrive late, twice or half: each takes effect once, or not at all, and its answer says what
// is so. What clients are told is judged like any other history.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "cli/command.h"
#include "cli/network.h"
#include "cli/serving.h"
#include "coterie/client.h"
#include "history/disks.h"
#include "history/fleet.h"
#include "history/judge.h"

namespace coterie::history {
namespace {

using namespace std::chrono_literals;
using cli::comes_true;

const std::vector<std::string> kNames = {"a", "b", "c"};

// The member at which the request was left may be granted it before it hears of the end: rare, and not ruled out.

// What clients asked for and were told.
class Notes {
 public:
  Call& begin(Act act, const std::string& owner) {
    const std::scoped_lock lock(mutex_);
    Call call;
    call.client = fmt::format("call-{}", calls_.size());
    call.act = act;
    call.name = "m";
    call.owner = owner;
    call.called = now();
    calls_.push_back(std::make_unique<Call>(call));
    return *calls_.back();
  }
  static void end(Call& call, Answer answer, std::uint64_t token = 0) {
    call.answered = now();
    call.answer = answer;
    call.token = token;
  }
  void expect_good() const {
    std::vector<Call> calls;
    std::string all;
    for (const auto& call : calls_) {
      calls.push_back(*call);
      all += text_of(*call, calls.front().called) + "\n";
    }
    const Verdict verdict = judge(calls);
    EXPECT_TRUE(verdict.is_good) << verdict.text << "of:\n" << all;
  }

 private:
  std::mutex mutex_;
  std::vector<std::unique_ptr<Call>> calls_;
};

Answer answer_of(const Outcome<void>& ended) {
  if (ended) return Answer::done;
  const Refusal& why = ended.error();
  if (why.reason == Reason::must_stay) return Answer::refused;
  return why.text.find("no hold") != std::string::npos ? Answer::absent : Answer::unsure;
}

class HistoryCalls : public ::testing::Test {
 protected:
  HistoryCalls() {
    network_.lead_to(serving_.addresses());
    for (std::size_t i = 0; i < kNames.size(); ++i) disks_.start(i, {"--new-cluster"});
    EXPECT_TRUE(serving_.is_ready()) << serving_.log(0);
  }

  // Of the members in this order, behind their doors.
  Client connect(const std::string& label, const std::string& order = "abc") {
    Options options;
    for (const char member : order)
      options.addresses.push_back(network_.doors()[static_cast<std::size_t>(member - 'a')]);
    options.is_in_order = true;
    options.label = label;
    options.timeout = 10s;
    auto client = Client::connect(options);
    EXPECT_TRUE(client) << client.error().text;
    return *std::move(client);
  }

  std::uint64_t hold(Client& client, const std::string& owner, const Patience& patience) {
    Call& call = notes_.begin(Act::hold, owner);
    const auto held = client.hold_for(owner, Request::mutex("m", patience));
    if (held) {
      Notes::end(call, Answer::granted, held->token);
      return held->token;
    }
    const Reason why = held.error().reason;
    const bool is_refused = why == Reason::would_wait || why == Reason::timed_out;
    Notes::end(call, is_refused ? Answer::refused : Answer::unsure);
    return 0;
  }
  Outcome<void> release(Client& client, const std::string& owner,
                        const Patience& patience = Patience::at_most(20s)) {
    Call& call = notes_.begin(Act::release, owner);
    const auto ended = client.release_for(owner, "m", patience);
    Notes::end(call, answer_of(ended));
    return ended;
  }
  // The same by the command line.
  cli::Outcome hold_by_command(const std::string& owner, const std::string& wait) {
    Call& call = notes_.begin(Act::hold, owner);
    const auto ran = run(fmt::format("hold mutex m --as {} --wait {}", owner, wait));
    if (ran.exit_code == 0)
      Notes::end(call, Answer::granted, std::stoull(ran.out));
    else
      Notes::end(call, ran.exit_code == 75 ? Answer::refused : Answer::unsure);
    return ran;
  }
  cli::Outcome run(const std::string& arguments) {
    return folder_.run(arguments + " --members " + serving_.list());
  }

  // Who holds, when every member is there and none doubts.
  std::vector<std::pair<std::string, std::uint64_t>> owners(Client& client) {
    std::vector<std::pair<std::string, std::uint64_t>> seen;
    EXPECT_TRUE(comes_true([&] {
      const auto status = client.status("m");
      if (!status || !status->dark.empty()) return false;
      seen.clear();
      for (const Status::Holder& holder : status->holders) {
        if (!holder.is_lasting) continue;
        if (holder.certainty == Status::Certainty::doubtful) return false;
        if (holder.certainty == Status::Certainty::sure)
          seen.emplace_back(holder.client, holder.token);
      }
      return true;
    }));
    return seen;
  }
  // What may still happen by itself has happened: what is late has arrived, and a session has ended.
  void look_at_last(Client& client) {
    const auto end = Clock::now() + 2s;
    while (Clock::now() < end) owners(client);
    Call& look = notes_.begin(Act::look, "");
    look.seen = owners(client);
    Notes::end(look, Answer::done);
  }

  // Releases at the first member while what the client says to it waits on the way; the client moves, and ends it
  // at another one.
  void release_and_move(Client& client, const std::string& label, const std::string& owner) {
    network_.cut(label, "a");
    const auto ended = release(client, owner);
    EXPECT_TRUE(ended) << ended.error().text;
    EXPECT_NE(client.member(), "a");
  }

  cli::Folder folder_;
  cli::Network network_{kNames};
  cli::Serving serving_{folder_, {.names = kNames, .lease = "2s", .doors = network_.doors()}};
  Disks disks_{folder_, kNames, serving_};
  Notes notes_;
};

// ---- A: `hold` does not succeed with a token that its own request is ending

TEST_F(HistoryCalls, AHoldThatIsGivenUpWhileArbitersWriteIsNotGiven) {
  for (const std::size_t member : {1U, 2U}) ASSERT_TRUE(disks_.slow(member, 40));
  Client client = connect("looker");
  for (int round = 0; round < 3; ++round) {
    hold_by_command("first", "25ms");
    hold_by_command("second", "25ms");
    hold_by_command("third", "1s");
    for (const char* const owner : {"first", "second", "third"}) release(client, owner);
  }
  look_at_last(client);
  notes_.expect_good();
}

TEST_F(HistoryCalls, AHoldThatIsGivenUpWhileAMemberHangsIsNotGiven) {
  Client other = connect("other", "cab");
  for (std::size_t hung = 0; hung < kNames.size(); ++hung) {
    Client client = connect("holder", hung == 1 ? "cab" : "bca");
    serving_.signal(hung, SIGSTOP);
    std::thread wakes([&] {
      std::this_thread::sleep_for(390ms);
      serving_.signal(hung, SIGCONT);
    });
    hold(client, "first", Patience::at_most(350ms));
    wakes.join();
    hold(other, "second", Patience::at_most(100ms));
    for (const char* const owner : {"first", "second"}) release(client, owner);
  }
  look_at_last(other);
  notes_.expect_good();
}

// ---- B: what is late changes nothing that was done since

TEST_F(HistoryCalls, ALateReleaseDoesNotEndTheNextHold) {
  Client client = connect("mover");
  Client other = connect("other", "cba");
  ASSERT_NE(hold(client, "owner", Patience::at_most(20s)), 0U);
  release_and_move(client, "mover", "owner");
  const std::uint64_t token = hold(client, "owner", Patience::at_most(20s));
  ASSERT_NE(token, 0U);
  network_.heal();  // and the bytes of the first release arrive
  look_at_last(other);
  hold(other, "somebody", Patience::at_most(100ms));
  notes_.expect_good();
}

// `set` looks first. What the client says takes 300 ms, so that the look has passed when the way is cut, and the change
// has not.
TEST_F(HistoryCalls, ALateSetDoesNotUndoALaterOne) {
  Client client = connect("mover");
  ASSERT_TRUE(client.set("s", coterie::Kind::Type::semaphore, {}, 4));
  network_.slow("mover", "a", 300ms);
  std::thread cuts([&] {
    std::this_thread::sleep_for(450ms);
    network_.cut("mover", "a");
  });
  EXPECT_TRUE(client.set("s", coterie::Kind::Type::semaphore, {}, 1));
  cuts.join();
  EXPECT_TRUE(client.set("s", coterie::Kind::Type::semaphore, {}, 3));
  network_.heal();
  const auto end = Clock::now() + 2s;
  while (Clock::now() < end) {
    const auto status = client.status("s");
    if (!status || !status->dark.empty()) continue;
    ASSERT_EQ(status->max, 3U);
  }
}

TEST_F(HistoryCalls, ALateForgetDoesNotUndoALaterSet) {
  Client client = connect("mover");
  ASSERT_TRUE(client.set_kind("k", {coterie::Kind::Type::semaphore, 0, 4}));
  network_.cut("mover", "a");
  ASSERT_TRUE(client.forget("k"));
  ASSERT_TRUE(client.set_kind("k", {coterie::Kind::Type::semaphore, 0, 2}));
  network_.heal();
  const auto end = Clock::now() + 2s;
  while (Clock::now() < end) {
    const auto status = client.status("k");
    if (!status || !status->dark.empty()) continue;
    ASSERT_EQ(status->kind, "semaphore");
    ASSERT_EQ(status->max, 2U);
  }
}

// ---- C: no hold that nobody asks for

// The owner waits at the first member, which is cut off: from the client, or from all. The owner moves, is granted the hold
// at another member, and releases it.
TEST_F(HistoryCalls, ARequestThatWasLeftBehindIsNotGranted) {
  Client other = connect("other", "cba");
  for (const bool is_from_all : {false, true}) {
    const std::string label = is_from_all ? "mover-2" : "mover-1";
    Client client = connect(label);
    ASSERT_NE(hold(other, "somebody", Patience::at_most(20s)), 0U);
    std::uint64_t token = 0;
    std::thread waits([&] { token = hold(client, "owner", Patience::at_most(20s)); });
    EXPECT_TRUE(comes_true([&] {
      const auto status = other.status("m");
      return status && !status->waiters.empty();
    }));
    network_.part(label, "a");
    if (is_from_all)
      for (const char* const member : {"b", "c"}) network_.part("a", member);
    EXPECT_TRUE(comes_true([&] { return !client.member().empty() && client.member() != "a"; }));
    EXPECT_TRUE(release(other, "somebody"));
    waits.join();
    ASSERT_NE(token, 0U);
    EXPECT_TRUE(release(client, "owner"));
    network_.heal();
    look_at_last(other);
  }
  notes_.expect_good();
}

// ---- D: `release` says what is so

TEST_F(HistoryCalls, AReleaseWithoutAQuorumDoesNotPromiseAnEnd) {
  ASSERT_EQ(run("hold mutex m --as owner --wait 20s").exit_code, 0);
  for (const std::size_t member : {1U, 2U}) {
    serving_.signal(member, SIGKILL);
    serving_.wait(member);
  }
  const auto ran = run("release m --as owner --wait 1s");
  EXPECT_NE(ran.exit_code, 0);
  EXPECT_EQ(ran.err.find("no hold"), std::string::npos) << ran.err;
  serving_.signal(0, SIGKILL);
  serving_.wait(0);
  for (std::size_t i = 0; i < kNames.size(); ++i) disks_.start(i);
  ASSERT_TRUE(serving_.is_ready());
  const bool promises = ran.err.find("ends when") != std::string::npos;
  if (!promises) return;
  Client client = connect("looker");
  EXPECT_TRUE(comes_true([&] { return owners(client).empty(); })) << ran.err;
}

TEST_F(HistoryCalls, AForcedReleaseWithoutAQuorumDoesNotSayThatThereIsNoHold) {
  const auto held = run("hold mutex m --as owner --wait 20s");
  ASSERT_EQ(held.exit_code, 0) << held.err;
  const std::string token = held.out.substr(0, held.out.find('\n'));
  for (std::size_t alive = 0; alive < kNames.size(); ++alive) {
    for (std::size_t i = 0; i < kNames.size(); ++i)
      if (i != alive) serving_.signal(i, SIGSTOP);
    // With a new life that has heard of nothing since.
    serving_.signal(alive, SIGKILL);
    serving_.wait(alive);
    disks_.start(alive);
    EXPECT_TRUE(comes_true([&] {
      const auto seen = folder_.run("status --json --members " + serving_.addresses()[alive]);
      return seen.out.find("incarnation") != std::string::npos;
    }));
    const auto ran =
        folder_.run(fmt::format("release m --as owner --force --token {} --wait 500ms --members {}",
                                token, serving_.addresses()[alive]));
    EXPECT_NE(ran.exit_code, 0);
    EXPECT_EQ(ran.err.find("no hold"), std::string::npos) << ran.err;
    for (std::size_t i = 0; i < kNames.size(); ++i) serving_.signal(i, SIGCONT);
    ASSERT_TRUE(serving_.is_ready());
  }
}

// The member asks the others to write the end down, and hangs before they have answered.
TEST_F(HistoryCalls, AReleaseThatAHungMemberDelaysIsDone) {
  Client client = connect("holder");
  ASSERT_NE(hold(client, "owner", Patience::at_most(20s)), 0U);
  for (const std::size_t member : {1U, 2U}) ASSERT_TRUE(disks_.slow(member, 80));
  std::thread hangs([&] {
    std::this_thread::sleep_for(30ms);
    serving_.signal(0, SIGSTOP);
  });
  const auto ended = release(client, "owner");
  EXPECT_TRUE(ended) << ended.error().text;
  hangs.join();
  serving_.signal(0, SIGCONT);
  look_at_last(client);
  notes_.expect_good();
}

TEST_F(HistoryCalls, AHoldThatWasLostSaysSoWhenItIsReleased) {
  Client client = connect("holder");
  auto hold = client.mutex("m", Patience::at_most(20s));
  ASSERT_TRUE(hold) << hold.error().text;
  for (const std::string& member : kNames) network_.part("holder", member);
  // At the very moment, which the client's own thread may not have noticed yet.
  std::this_thread::sleep_until(hold->valid_until() - 5ms);
  while (hold->is_valid()) {
  }
  const auto ended = hold->release();
  network_.heal();
  ASSERT_FALSE(ended);
  EXPECT_EQ(ended.error().reason, Reason::lost) << ended.error().text;
  EXPECT_EQ(ended.error().text.find("released before"), std::string::npos) << ended.error().text;
}

}  // namespace
}  // namespace coterie::history
