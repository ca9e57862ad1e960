// Looks, rivals, faults and forgetting: see calls_rules.h.
#include <algorithm>

#include "check/calls_rules.h"

namespace coterie::check {

// What the arbiter knows of the owner.
void CallsRules::on_look(CallsClient& client, std::size_t a) {
  const Byte live = live_at(a);
  client.is_answered[a] = true;
  client.live[a] = live;
  if (live == 0) return;
  client.live_stage[a] = s.arbiters[a].stage[live - 1U];
  client.live_token[a] = s.arbiters[a].token[live - 1U];
}

// A look is answered by what is known as given, or by a quorum that has nothing. What a quorum has written is confirmed first.
// What is written otherwise is resolved by END. False: it waits for more answers.
bool CallsRules::look_step(CallsClient& client) {
  std::size_t answers = 0;
  std::size_t nothing = 0;
  std::optional<std::size_t> found;
  for (std::size_t a = 0; a < kArbiters; ++a) {
    if (!client.is_answered[a]) continue;
    ++answers;
    if (client.live[a] == 0) {
      ++nothing;
      continue;
    }
    const std::size_t x = client.live[a] - 1U;
    const Stage stage = client.live_stage[a];
    const bool is_written = stage == Stage::written;
    if (stage == Stage::given || (is_written && is(CallsMutant::looks_at_written))) {
      tell_granted(client, x, client.live_token[a]);
      return true;
    }
    for (std::size_t b = 0; is_written && b < a; ++b) {
      const bool is_same = client.live[b] == client.live[a] &&
                           client.live_stage[b] == Stage::written &&
                           client.live_token[b] == client.live_token[a];
      if (!is_same) continue;
      note_given(x, client.live_token[a]);
      client.mode = CallsClient::Mode::confirming;
      client.attempt = static_cast<Byte>(x);
      return true;
    }
    found = x;
  }
  const bool ends_it = is(CallsMutant::ends_written) && answers == kArbiters && found;
  if (nothing >= kMajority && !ends_it) {
    client.mode = CallsClient::Mode::idle;
    client.held = 0;
    return true;
  }
  if (answers < kMajority || !found || (is(CallsMutant::ends_written) && !ends_it)) return false;
  client.mode = CallsClient::Mode::resolving;
  client.attempt = static_cast<Byte>(*found);
  client.ending.answer.fill(End::sent);
  return true;
}

void CallsRules::resolve(CallsClient& client) {
  const std::size_t x = client.attempt;
  const Decision decided = decision(client.ending);
  if (decided == Decision::given) return tell_granted(client, x, token_of(client.ending));
  if (decided == Decision::doubt) return tell_doubt(client, x);
  if (decided == Decision::confirm) {
    note_given(x, token_of(client.ending));
    client.mode = CallsClient::Mode::confirming;
  } else {
    s.said_over |= bit(x);
    client.mode = CallsClient::Mode::looking;
    client.is_answered = {};
  }
}

void CallsRules::confirm_look(CallsClient& client) {
  tell_granted(client, client.attempt, s.given[client.attempt]);
}

void CallsRules::rival_takes(std::size_t rival, Byte quorum) {
  s.rivals[rival] = Rival::holds;
  for (std::size_t a = 0; a < kArbiters; ++a) {
    if (has(quorum, a)) s.arbiters[a].rivals |= bit(rival);
  }
  judge_exclusion();
}

void CallsRules::rival_releases(std::size_t rival) {
  s.rivals[rival] = Rival::has_released;
  for (CallsArbiter& arbiter : s.arbiters) arbiter.rivals &= static_cast<Byte>(~bit(rival));
}

// The lease of a vote has run out: the answer counts no longer, what was written stays. A copy that has not the votes of a
// quorum any more has lost its entry, and ends its attempt.
void CallsRules::lapse(std::size_t a, std::size_t x, std::size_t m) {
  CallsCopy& copy = s.copies[x][m];
  drop_vote(a, x, m);
  if (!is(CallsMutant::counts_lapsed) || copy.pin[a] == Pin::sent) copy.pin[a] = Pin::none;
  std::size_t votes = 0;
  for (std::size_t b = 0; b < kArbiters; ++b) votes += rests_on(b, x, m) ? 1U : 0U;
  if (copy.mode == Mode::pinning && votes < kMajority && !is(CallsMutant::counts_lapsed))
    start_ending(x, m);
}

// Its leases lapse first. What it was asked is asked again, and what it answered counts no longer.
void CallsRules::lose_disk(std::size_t a) {
  for (std::size_t x = 0; x < kAttempts; ++x) {
    for (std::size_t m = 0; m < kMembers; ++m) {
      if (rests_on(a, x, m)) lapse(a, x, m);
    }
  }
  s.arbiters[a] = {};
  for (std::size_t b = 0; b < kArbiters; ++b) {
    if (b != a) s.arbiters[a].unheard |= bit(b);
  }
  const auto ask_again = [a](Ending& ending) {
    if (ending.answer[a] != End::none) ending.answer[a] = End::sent;
    ending.token[a] = 0;
  };
  for (auto& members : s.copies) {
    for (CallsCopy& copy : members) {
      if (!is(CallsMutant::counts_lapsed) || copy.pin[a] == Pin::sent) copy.pin[a] = Pin::none;
      ask_again(copy.ending);
    }
  }
  for (CallsClient& client : s.clients) {
    ask_again(client.ending);
    if (client.mode == CallsClient::Mode::looking) client.is_answered[a] = false;
  }
}

// A member without its disk hears all others before it votes or writes. What one of them has written, and does not know as
// given, it may have written too. Where one bars an attempt, so may it have done.
void CallsRules::learn(std::size_t a, std::size_t b) {
  CallsArbiter& to = s.arbiters[a];
  const CallsArbiter& from = s.arbiters[b];
  to.unheard &= static_cast<Byte>(~bit(b));
  to.barrier = std::max(to.barrier, from.barrier);
  to.rivals |= from.rivals;
  const auto weight = [](Stage stage) {
    return stage == Stage::over       ? 4
           : stage == Stage::given    ? 3
           : stage == Stage::written  ? 2
           : stage == Stage::doubtful ? 2
           : stage == Stage::barred   ? 1
                                      : 0;
  };
  for (std::size_t x = 0; x < kAttempts; ++x) {
    if (weight(from.stage[x]) <= weight(to.stage[x])) continue;
    if (from.stage[x] == Stage::barred && is(CallsMutant::learns_no_bars)) continue;
    const bool is_doubtful = from.stage[x] == Stage::written && !is(CallsMutant::doubt_is_written);
    to.stage[x] = is_doubtful ? Stage::doubtful : from.stage[x];
    to.token[x] = from.token[x];
  }
}

// Whether a call of the attempt, or a message of one, may still come to somebody.
bool CallsRules::is_copy_alive(std::size_t x) const {
  const auto is_sent = [](const Ending& ending) {
    return std::count(ending.answer.begin(), ending.answer.end(), End::sent) > 0;
  };
  for (std::size_t m = 0; m < kMembers; ++m) {
    const CallsCopy& copy = s.copies[x][m];
    if (copy.mode != Mode::none && copy.mode != Mode::done) return true;
    if (std::count(copy.pin.begin(), copy.pin.end(), Pin::sent) > 0) return true;
    if (is_sent(copy.ending) || s.releases[x][m] == 1) return true;
  }
  return std::any_of(s.clients.begin(), s.clients.end(), [&](const CallsClient& client) {
    const bool is_about = client.attempt == x && client.mode != CallsClient::Mode::idle &&
                          client.mode != CallsClient::Mode::killed;
    return is_about || client.mode == CallsClient::Mode::looking ||
           (client.attempt == x && is_sent(client.ending)) || client.held == x + 1;
  });
}

bool CallsRules::can_forget(std::size_t x) const {
  const bool is_everywhere =
      std::all_of(s.arbiters.begin(), s.arbiters.end(),
                  [&](const CallsArbiter& arbiter) { return arbiter.stage[x] == Stage::over; });
  return is_everywhere && (is(CallsMutant::forgets_at_once) || !is_copy_alive(x));
}

void CallsRules::forget(std::size_t x) {
  for (CallsArbiter& arbiter : s.arbiters) {
    arbiter.stage[x] = Stage::none;
    if (is(CallsMutant::forgets_barrier)) arbiter.barrier = 0;
  }
  s.said_over &= static_cast<Byte>(~bit(x));
  s.said_given &= static_cast<Byte>(~bit(x));
}

void CallsRules::tidy() {
  const auto tidy_ending = [](Ending& ending) {
    ending.token = {};
    for (End& answer : ending.answer) {
      if (answer != End::sent) answer = End::none;
    }
  };
  for (auto& members : s.copies) {
    for (CallsCopy& copy : members) {
      if (copy.mode != Mode::pinning) {
        for (Pin& pin : copy.pin) {
          if (pin != Pin::sent) pin = Pin::none;
        }
      }
      if (copy.mode != Mode::ending) tidy_ending(copy.ending);
      const bool may_write = copy.mode == Mode::waiting || copy.mode == Mode::pinning ||
                             std::count(copy.pin.begin(), copy.pin.end(), Pin::sent) > 0;
      if (!may_write) copy.token = copy.seen = 0;
    }
  }
  for (CallsClient& client : s.clients) {
    const bool is_looking = client.mode == CallsClient::Mode::looking;
    if (!is_looking) client.is_answered = {};
    for (std::size_t a = 0; a < kArbiters; ++a) {
      if (client.is_answered[a]) continue;
      client.live[a] = client.live_token[a] = 0;
      client.live_stage[a] = Stage::none;
    }
    if (client.mode != CallsClient::Mode::resolving) tidy_ending(client.ending);
  }
}

}  // namespace coterie::check
