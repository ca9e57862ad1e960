// The steps of the model of calls, in words.
#include "check/calls.h"
#include "check/calls_rules.h"
#include "check/calls_steps.h"

namespace coterie::check {
namespace {

constexpr std::array<const char*, kHows> kQuestions{"", "WITHDRAW", "DENY", "CONFIRM",
                                                    "CONFIRM GIVEN"};
constexpr std::array<const char*, 5> kDecisions{"", "nothing comes of it", "it is granted",
                                                "it is in doubt",
                                                "nothing comes of it, and it asks anew"};

}  // namespace

std::string Calls::describe(const ModelLabel& label) const {
  const auto number = [](Byte value) { return std::to_string(value); };
  const auto attempt = [](Byte x) { return std::string(1, "XYZW"[x]); };
  const auto member = [&](Byte m) { return "M" + number(m); };
  const auto arbiter = [&](Byte a) { return "arbiter " + number(a); };
  const auto client = [](Byte c) { return std::string(1, "PQ"[c]); };
  const auto quorum = [&](Byte set) {
    std::string text;
    for (Byte a = 0; a < kArbiters; ++a) {
      if (has(set, a)) text += (text.empty() ? "" : ",") + number(a);
    }
    return "{" + text + "}";
  };
  const Byte i = label.first;
  const Byte j = label.second;
  const Byte k = label.third;
  switch (static_cast<CallsStep>(label.kind)) {
    case CallsStep::call:
      return client(i) + (j == 0   ? " calls hold " + attempt(k)
                          : j == 1 ? " calls release of what it holds"
                                   : std::string(" looks"));
    case CallsStep::arrive:
      return "hold " + attempt(i) + " arrives at " + member(j);
    case CallsStep::enter:
      return attempt(i) + " at " + member(j) + " enters with the votes of " + quorum(k);
    case CallsStep::pin:
      return arbiter(k) + " handles PIN " + attempt(i) + " of " + member(j);
    case CallsStep::give:
      return member(j) + " has a quorum of answers: " + attempt(i) + " is given";
    case CallsStep::tell:
      return member(j) + " tells its client that " + attempt(i) + " is granted";
    case CallsStep::hear_refusal:
      return member(j) + " hears that PIN " + attempt(i) + " is refused";
    case CallsStep::in_the_way:
      return member(j) + " finds a hold of the owner in the way, and refuses " + attempt(i);
    case CallsStep::withdraw:
      return arbiter(k) + " handles WITHDRAW " + attempt(i) + " of " + member(j);
    case CallsStep::decide:
      return member(j) + " has answers enough to WITHDRAW " + attempt(i);
    case CallsStep::inquire:
      return quorum(k) + " say to " + client(i) + " whether they know " + attempt(j) + " as given";
    case CallsStep::settle:
      return arbiter(k) + " handles " + kQuestions[j >> kBitsOfAttempt] + " " +
             attempt(j & ((1U << kBitsOfAttempt) - 1U)) + " for " + client(i);
    case CallsStep::settled:
      return client(i) + " and its member have answers enough of " + attempt(j) + ": " +
             kDecisions[k];
    case CallsStep::late:
      return arbiter(k) + " handles a late " + kQuestions[i] + " " + attempt(j);
    case CallsStep::left:
      return "a member that was left has " + attempt(i) + " withdrawn";
    case CallsStep::over:
      return arbiter(j) + " hears that " + attempt(i) + " is over";
    case CallsStep::given:
      return arbiter(j) + " hears that " + attempt(i) + " is given";
    case CallsStep::release_arrives:
      return "the release of " + attempt(i) + " arrives at " + member(j);
    case CallsStep::released:
      return client(i) + " is told that " + attempt(j) + " is released";
    case CallsStep::look:
      return arbiter(j) + " answers the look of " + client(i);
    case CallsStep::look_goes_on:
      return "the look of " + client(i) + " goes on by its answers";
    case CallsStep::rival_takes:
      return "rival " + number(j) + " takes the name with " + quorum(i);
    case CallsStep::rival_releases:
      return "rival " + number(i) + " releases";
    case CallsStep::learn:
      return arbiter(i) + " learns from " + arbiter(j);
    case CallsStep::forget:
      return "all forget " + attempt(i);
    case CallsStep::move:
      return client(i) + " moves to " + member(j);
    case CallsStep::give_up:
      return client(i) + " gives up " + attempt(j);
    case CallsStep::kill:
      return client(i) + " is killed";
    case CallsStep::lapse:
      return "the lease of the vote of " + arbiter(i) + " for " + attempt(j) + " lapses";
    case CallsStep::lose_disk:
      return arbiter(i) + " loses its disk";
    case CallsStep::stop:
      return arbiter(i) + " stops";
  }
  return "";
}

}  // namespace coterie::check
