// Looks, rivals, faults and forgetting: see calls_rules.h.
#include <algorithm>

#include "check/calls_rules.h"

namespace coterie::check {

bool CallsRules::is_torn(std::size_t a, std::size_t x) const {
  return has(s.arbiters[a].denied, x) && has(s.arbiters[a].vouched, x) &&
         !is(CallsMutant::votes_torn);
}

bool CallsRules::may_stay_in_doubt() const {
  if (s.dead != 0) return true;
  for (std::size_t a = 0; a < kArbiters; ++a) {
    for (std::size_t x = 0; x < kAttempts; ++x) {
      if (s.arbiters[a].stage[x] == Stage::doubtful || is_torn(a, x)) return true;
    }
  }
  return false;
}

// What the arbiter knows of the owner.
void CallsRules::on_look(CallsClient& client, std::size_t a) {
  const Byte live = live_at(a);
  client.is_answered[a] = true;
  client.live[a] = live;
  if (live != 0) client.live_stage[a] = s.arbiters[a].stage[live - 1U];
}

// What a look shows. Sure: a quorum has it written, or it was given and a quorum has answered. Partial: too few have it, or may
// have it. False: it waits for more answers.
bool CallsRules::look_step(CallsClient& client, bool is_rash) {
  std::size_t answers = 0;
  bool may_answer = false;
  for (std::size_t a = 0; a < kArbiters; ++a) {
    answers += client.is_answered[a] ? 1U : 0U;
    may_answer = may_answer || (!client.is_answered[a] && !has(s.dead, a));
  }
  if (answers < kMajority) return false;
  const auto resolves = [&](std::size_t x, How how) {
    client.mode = CallsClient::Mode::resolving;
    client.attempt = static_cast<Byte>(x);
    client.settling = asked(how, true);
  };
  std::optional<std::size_t> found;
  std::optional<std::size_t> partial;
  for (std::size_t x = 0; x < kAttempts; ++x) {
    std::size_t written = 0;
    std::size_t doubtful = 0;
    bool is_given = false;
    for (std::size_t a = 0; a < kArbiters; ++a) {
      if (!client.is_answered[a] || client.live[a] != x + 1) continue;
      (client.live_stage[a] == Stage::doubtful ? doubtful : written) += 1;
      is_given = is_given || client.live_stage[a] == Stage::given;
    }
    if (written + doubtful == 0) continue;
    if ((written > 0 && is(CallsMutant::looks_at_written)) ||
        (is_given && is(CallsMutant::looks_at_given))) {
      tell_granted(client, x);
      return true;
    }
    if (written >= kMajority || is_given || (is_rash && written > 0)) {
      resolves(x, How::confirm);
      return true;
    }
    found = x;
    const bool is_possible = written + doubtful + (kArbiters - answers) >= kMajority;
    if (!is_possible && !partial) partial = x;
  }
  if (!found) {
    client.mode = CallsClient::Mode::idle;
    client.held = 0;
  } else if (partial) {
    resolves(*partial, How::deny);
  } else if (may_answer) {
    return false;
  } else if (has(s.said_over, *found)) {
    client.is_answered = {};
  } else {
    tell_doubt(client, *found);
  }
  return true;
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
  for (CallsArbiter& arbiter : s.arbiters) remove(arbiter.rivals, rival);
}

// The lease of a vote has run out: the answer counts no longer, what was written stays. A copy that has not the votes of a
// quorum any more has lost its entry, and its member withdraws it.
void CallsRules::lapse(std::size_t a, std::size_t x) {
  CallsCopy& copy = s.copies[x];
  drop_vote(a, x);
  if (!is(CallsMutant::counts_lapsed) || copy.pin[a] == Pin::sent) copy.pin[a] = Pin::none;
  std::size_t votes = 0;
  for (std::size_t b = 0; b < kArbiters; ++b) votes += rests_on(b, x) ? 1U : 0U;
  if (copy.mode == Mode::pinning && votes < kMajority && !has(s.dead, copy.member) &&
      !is(CallsMutant::counts_lapsed))
    give_up(x);
}

// Its leases lapse first. What it was asked is asked again, and what it answered counts no longer.
void CallsRules::lose_disk(std::size_t a) {
  for (std::size_t x = 0; x < kAttempts; ++x) {
    if (rests_on(a, x)) lapse(a, x);
  }
  s.arbiters[a] = {};
  for (std::size_t b = 0; b < kArbiters; ++b) {
    if (b != a) s.arbiters[a].unheard |= bit(b);
  }
  const auto ask_again = [a](Settling& settling) {
    if (settling.answer[a] != Answer::none) settling.answer[a] = Answer::sent;
  };
  for (CallsCopy& copy : s.copies) {
    if (!is(CallsMutant::counts_lapsed) || copy.pin[a] == Pin::sent) copy.pin[a] = Pin::none;
    ask_again(copy.settling);
  }
  for (CallsClient& client : s.clients) {
    ask_again(client.settling);
    if (client.mode == CallsClient::Mode::looking) client.is_answered[a] = false;
  }
}

// A member without its disk hears all others before it votes or writes. What one of them has written, and does not know as
// given, it may have written too. What one of them has voted, it may have voted too. If one has denied what another has
// written, and not denied, the member may have been of the quorum that denied it, or of the quorum that wrote it: it has both
// votes then, and gives none.
void CallsRules::learn(std::size_t a, std::size_t b) {
  CallsArbiter& to = s.arbiters[a];
  const CallsArbiter& from = s.arbiters[b];
  remove(to.unheard, b);
  to.barrier = std::max(to.barrier, from.barrier);
  to.rivals |= from.rivals;
  const auto weight = [](Stage stage) {
    return stage == Stage::over       ? 3
           : stage == Stage::given    ? 2
           : stage == Stage::written  ? 1
           : stage == Stage::doubtful ? 1
                                      : 0;
  };
  for (std::size_t x = 0; x < kAttempts; ++x) {
    const auto is_held = [x](const CallsArbiter& at) {
      return is_live(at.stage[x]) && !has(at.denied, x);
    };
    const bool is_torn =
        (is_held(from) && has(to.denied, x)) || (is_held(to) && has(from.denied, x));
    if (has(from.denied, x) && !is(CallsMutant::learns_no_denials)) to.denied |= bit(x);
    if (has(from.vouched, x) && !is(CallsMutant::learns_no_vouching)) to.vouched |= bit(x);
    if (is_torn && has(to.denied, x) && !is(CallsMutant::votes_torn)) to.vouched |= bit(x);
    if (weight(from.stage[x]) > weight(to.stage[x])) {
      const bool is_doubtful =
          from.stage[x] == Stage::written && !is(CallsMutant::doubt_is_written);
      to.stage[x] = is_doubtful ? Stage::doubtful : from.stage[x];
    }
    if (to.stage[x] != Stage::over) continue;
    remove(to.denied, x);
    remove(to.vouched, x);
  }
}

// Whether a call of the attempt, or a message of one, may still come to somebody.
bool CallsRules::is_copy_alive(std::size_t x) const {
  const CallsCopy& copy = s.copies[x];
  if (copy.mode != Mode::none && copy.mode != Mode::done && !has(s.dead, copy.member)) return true;
  if (std::count(copy.pin.begin(), copy.pin.end(), Pin::sent) > 0) return true;
  if (std::count(s.releases[x].begin(), s.releases[x].end(), 1) > 0) return true;
  const bool is_late =
      std::any_of(s.late.begin(), s.late.end(), [&](const auto& of_how) { return of_how[x] != 0; });
  return is_late || std::any_of(s.clients.begin(), s.clients.end(), [&](const CallsClient& client) {
           const bool is_about = client.attempt == x && client.mode != CallsClient::Mode::idle &&
                                 client.mode != CallsClient::Mode::killed;
           return is_about || client.mode == CallsClient::Mode::looking || client.held == x + 1;
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
  remove(s.said_over, x);
  remove(s.said_given, x);
}

// A message that changes nothing when it arrives, and never will; or nothing that matters, because all are told that the
// attempt is over.
bool CallsRules::has_no_effect(How how, std::size_t x, std::size_t a) const {
  const CallsArbiter& arbiter = s.arbiters[a];
  if (has(s.dead, a)) return true;
  if (is(CallsMutant::forgets_at_once) || is(CallsMutant::no_tombstone)) return false;
  if (has(s.said_over, x)) return true;
  if (arbiter.unheard != 0) return false;
  if (arbiter.stage[x] == Stage::over) return true;
  const bool is_denied = has(arbiter.denied, x) && !is(CallsMutant::confirms_denied) &&
                         !is(CallsMutant::knows_no_attempt);
  const bool is_vouched = has(arbiter.vouched, x) && !is(CallsMutant::withdraws_vouched);
  const bool is_unable = how == How::deny && is_live(arbiter.stage[x]) &&
                         !is(CallsMutant::denies_written) && !is(CallsMutant::doubt_is_unwritten);
  return is_denied || is_vouched || is_unable;
}

void CallsRules::tidy() {
  for (std::size_t x = 0; x < kAttempts; ++x) {
    CallsCopy& copy = s.copies[x];
    if (copy.mode == Mode::given && client_of(x) == nullptr) copy.mode = Mode::done;
    if (copy.mode != Mode::pinning) {
      for (Pin& pin : copy.pin) {
        if (pin != Pin::sent) pin = Pin::none;
      }
    }
    const bool may_write = copy.mode == Mode::coming || copy.mode == Mode::waiting ||
                           copy.mode == Mode::pinning ||
                           std::count(copy.pin.begin(), copy.pin.end(), Pin::sent) > 0;
    if (!may_write) copy.seen = 0;
    for (std::size_t how = 0; how < kHows; ++how) {
      for (std::size_t a = 0; a < kArbiters; ++a) {
        if (has_no_effect(static_cast<How>(how), x, a)) remove(s.late[how][x], a);
      }
    }
    if (has(s.said_over, x)) remove(s.left, x);
  }
  for (CallsClient& client : s.clients) {
    if (client.mode != CallsClient::Mode::looking) client.is_answered = {};
    for (std::size_t a = 0; a < kArbiters; ++a) {
      if (client.is_answered[a]) continue;
      client.live[a] = 0;
      client.live_stage[a] = Stage::none;
    }
  }
}

}  // namespace coterie::check
