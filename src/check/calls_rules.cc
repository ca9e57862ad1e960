#include "check/calls_rules.h"

#include <algorithm>
#include <bit>

namespace coterie::check {
namespace {

Ending asked_of_all() {
  Ending ending;
  ending.answer.fill(End::sent);
  return ending;
}

}  // namespace

Byte CallsRules::live_at(std::size_t a) const {
  for (std::size_t x = 0; x < kAttempts; ++x) {
    if (is_live(s.arbiters[a].stage[x])) return static_cast<Byte>(x + 1);
  }
  return 0;
}

// Each arbiter counts what rests on it by a lease, and what is written there. What several of them count is counted once.
bool CallsRules::has_room(Byte quorum) const {
  std::uint32_t tokens = 0;  // of the owner's, as bits
  Byte rivals = 0;
  for (std::size_t a = 0; a < kArbiters; ++a) {
    if (!has(quorum, a)) continue;
    if (!is_up(a)) return false;
    const CallsArbiter& arbiter = s.arbiters[a];
    rivals |= arbiter.rivals;
    for (std::size_t x = 0; x < kAttempts; ++x) {
      if (is_live(arbiter.stage[x])) tokens |= 1U << arbiter.token[x];
      for (std::size_t m = 0; m < kMembers; ++m) {
        if (rests_on(a, x, m)) tokens |= 1U << s.copies[x][m].token;
      }
    }
  }
  return static_cast<std::size_t>(std::popcount(tokens) + std::popcount(rivals)) < capacity_;
}

CallsClient* CallsRules::client_of(std::size_t x, std::size_t m) {
  for (CallsClient& client : s.clients) {
    if (client.mode == CallsClient::Mode::holding && client.attempt == x && client.member == m)
      return &client;
  }
  return nullptr;
}

// A client draws an attempt for each hold call, and with it the greatest end of its owner that it, or its member, knows.
void CallsRules::call_hold(CallsClient& client, std::size_t x) {
  client.mode = CallsClient::Mode::holding;
  client.attempt = static_cast<Byte>(x);
  s.called |= bit(x);
  s.seen[x] = std::max(s.arbiters[client.member].barrier, client.ended);
  s.copies[x][client.member].mode = Mode::coming;
}

// A release names the attempt that it ends: what its client was told of.
void CallsRules::call_release(CallsClient& client) {
  if (client.held == 0) return;
  const std::size_t x = client.held - 1U;
  client.mode = CallsClient::Mode::releasing;
  client.attempt = static_cast<Byte>(x);
  if (!has(s.released, x)) s.before[x] = s.called & static_cast<Byte>(~bit(x));
  s.released |= bit(x);
  s.believed &= static_cast<Byte>(~bit(x));
  s.releases[x][client.member] = 1;
}

// The copy of a call at another member is of the same attempt. A client that comes back finds the copy that it has left.
void CallsRules::move(CallsClient& client) {
  const std::size_t to = 1U - client.member;
  client.member = static_cast<Byte>(to);
  if (client.mode == CallsClient::Mode::releasing) s.releases[client.attempt][to] = 1;
  if (client.mode != CallsClient::Mode::holding) return;
  if (is(CallsMutant::new_attempt)) return call_hold(client, client.attempt + 1U);
  CallsCopy& copy = s.copies[client.attempt][to];
  if (copy.mode == Mode::none) copy.mode = Mode::coming;
}

void CallsRules::judge_exclusion() {
  const auto rivals = std::count(s.rivals.begin(), s.rivals.end(), Rival::holds);
  const std::size_t owners = static_cast<std::size_t>(rivals) + (s.believed != 0 ? 1U : 0U);
  if (owners > capacity_) spoil(CallsFault::exclusion);
}

void CallsRules::tell_granted(CallsClient& client, std::size_t x, Byte token) {
  const bool is_released = has(s.released, x);
  if (token < client.token) spoil(CallsFault::tokens);
  if (has(s.refused, x) && !is_released) spoil(CallsFault::refused);
  if (has(s.outlived, x) && !is_released) spoil(CallsFault::released);
  client.mode = CallsClient::Mode::idle;
  client.held = static_cast<Byte>(x + 1);
  client.token = token;
  if (!is_released) s.believed |= bit(x);
  judge_exclusion();
}

// A client that is told "not granted" relies on it: nothing comes of the attempt any more. What was given and released since
// may be answered so too.
void CallsRules::tell_refused(CallsClient& client, std::size_t x) {
  client.mode = CallsClient::Mode::idle;
  s.refused |= bit(x);
  const bool was_given = s.given[x] != 0 || has(s.believed, x);
  if (was_given && !has(s.released, x)) spoil(CallsFault::refused);
}

// Everybody answered that can, and nobody can tell. The name stays blocked until the client, or another of its owner,
// releases the attempt.
void CallsRules::tell_doubt(CallsClient& client, std::size_t x) {
  client.mode = CallsClient::Mode::idle;
  client.held = static_cast<Byte>(x + 1);
  s.doubted |= bit(x);
}

// A member refuses a newly arriving call whose attempt has a tombstone there.
void CallsRules::arrive(std::size_t x, std::size_t m) {
  CallsCopy& copy = s.copies[x][m];
  const Stage stage = s.arbiters[m].stage[x];
  copy.seen = is(CallsMutant::seen_on_arrival) ? s.arbiters[m].barrier : s.seen[x];
  if ((stage != Stage::barred && stage != Stage::over) || is(CallsMutant::takes_all)) {
    copy.mode = Mode::waiting;
  } else if (client_of(x, m) != nullptr) {
    start_ending(x, m);
  } else {
    copy.mode = Mode::done;
  }
}

// The leased entry: the votes of a quorum, and a token greater than all before.
void CallsRules::enter(std::size_t x, std::size_t m, Byte quorum) {
  CallsCopy& copy = s.copies[x][m];
  copy.mode = Mode::pinning;
  copy.token = ++s.tokens;
  for (std::size_t a = 0; a < kArbiters; ++a) {
    if (!has(quorum, a)) continue;
    s.arbiters[a].votes |= vote_of(x, m);
    copy.pin[a] = Pin::sent;
  }
}

// An arbiter writes a hold down only for a copy that has its vote. It refuses what has a tombstone, what comes beside another
// live record of the owner, and what was called before an end of the owner that the call does not know of.
void CallsRules::on_pin(std::size_t x, std::size_t m, std::size_t a) {
  CallsCopy& copy = s.copies[x][m];
  CallsArbiter& arbiter = s.arbiters[a];
  if (!rests_on(a, x, m)) {
    copy.pin[a] = Pin::none;
    return;
  }
  const bool is_known = arbiter.stage[x] == Stage::written || arbiter.stage[x] == Stage::given;
  const bool is_exact = is_known && arbiter.token[x] == copy.token;
  const bool is_barred = arbiter.stage[x] == Stage::barred || arbiter.stage[x] == Stage::over;
  const bool is_late = arbiter.barrier > copy.seen && !is(CallsMutant::no_barrier);
  const bool is_beside = live_at(a) != 0 && !is_exact;
  if (is_barred || is_beside || is_late) {
    copy.pin[a] = Pin::refused;
  } else {
    copy.pin[a] = Pin::written;
    if (!is_exact) {
      arbiter.stage[x] = Stage::written;
      arbiter.token[x] = copy.token;
    }
  }
  if (copy.mode != Mode::pinning) drop_vote(a, x, m);
}

bool CallsRules::can_give(std::size_t x, std::size_t m) const {
  const CallsCopy& copy = s.copies[x][m];
  return copy.mode == Mode::pinning &&
         std::count(copy.pin.begin(), copy.pin.end(), Pin::written) >= kMajority;
}

void CallsRules::note_given(std::size_t x, Byte token) {
  s.said_given |= bit(x);
  if (s.given[x] == token) return;
  if (s.given[x] != 0) spoil(CallsFault::twice);
  if (has(s.refused, x) && !has(s.released, x)) spoil(CallsFault::refused);
  if (has(s.outlived, x)) spoil(CallsFault::released);
  if (*std::max_element(s.given.begin(), s.given.end()) > token) spoil(CallsFault::tokens);
  s.given[x] = token;
}

// With a quorum of answers the hold is given: the client is told, and so are the arbiters.
void CallsRules::give(std::size_t x, std::size_t m) {
  CallsCopy& copy = s.copies[x][m];
  note_given(x, copy.token);
  copy.mode = Mode::done;
  CallsClient* const client = client_of(x, m);
  const Byte token = copy.token;
  drop(x, m);
  if (client != nullptr) tell_granted(*client, x, token);
}

// A PIN that is still on its way comes before the RELEASE of the vote.
void CallsRules::drop(std::size_t x, std::size_t m) {
  for (std::size_t a = 0; a < kArbiters; ++a) {
    if (s.copies[x][m].pin[a] != Pin::sent) drop_vote(a, x, m);
  }
}

// A refused call is ended before its client is told. So is one whose client has left: what it has written is in the way.
void CallsRules::hear_refusal(std::size_t x, std::size_t m) {
  if (!is(CallsMutant::refuses_at_once)) return start_ending(x, m);
  s.copies[x][m].mode = Mode::done;
  drop(x, m);
  if (CallsClient* const client = client_of(x, m)) tell_refused(*client, x);
}

void CallsRules::start_ending(std::size_t x, std::size_t m) {
  CallsCopy& copy = s.copies[x][m];
  copy.mode = Mode::ending;
  copy.ending = asked_of_all();
  drop(x, m);
}

// END: an arbiter that has not written the attempt bars it. One that has written it says so, and changes nothing: a quorum may
// have written it, and its client may have been told.
void CallsRules::on_end(Ending& ending, std::size_t x, std::size_t a) {
  CallsArbiter& arbiter = s.arbiters[a];
  Stage& stage = arbiter.stage[x];
  const bool is_ended = stage == Stage::none ||
                        (is(CallsMutant::ends_written) && stage == Stage::written) ||
                        (is(CallsMutant::ends_given) && stage == Stage::given) ||
                        (is(CallsMutant::doubt_is_unwritten) && stage == Stage::doubtful);
  if (is_ended) {
    stage = is(CallsMutant::no_tombstone) ? Stage::none : Stage::barred;
    arbiter.token[x] = 0;
    if (is(CallsMutant::spreads_bars)) s.said_over |= bit(x);
    ending.answer[a] = End::barred;
    return;
  }
  ending.token[a] = arbiter.token[x];
  ending.answer[a] = stage == Stage::written    ? End::written
                     : stage == Stage::given    ? End::given
                     : stage == Stage::doubtful ? End::doubtful
                     : stage == Stage::over     ? End::over
                                                : End::barred;
}

// The attempt was given if a quorum had written it with one token, and cannot be if no quorum can have: which of the two it
// is does not depend on who asks. Otherwise it is in doubt.
CallsRules::Decision CallsRules::decision(const Ending& ending) const {
  std::size_t barred = 0;
  std::size_t open = 0;
  bool may_answer = false;
  PerArbiter<std::size_t> same{};
  for (std::size_t a = 0; a < kArbiters; ++a) {
    const End answer = ending.answer[a];
    if (answer == End::given) return Decision::given;
    barred += answer == End::barred || answer == End::over ? 1 : 0;
    open += answer == End::sent || answer == End::doubtful ? 1 : 0;
    may_answer = may_answer || (answer == End::sent && !has(s.dead, a));
    for (std::size_t b = 0; b < kArbiters; ++b) {
      if (answer == End::written && ending.answer[b] == End::written &&
          ending.token[a] == ending.token[b])
        ++same[a];
    }
  }
  const std::size_t most = *std::max_element(same.begin(), same.end());
  if (most >= kMajority) return Decision::confirm;
  if (is(CallsMutant::told_early) && barred > 0) return Decision::ended;
  if (most + open < kMajority) return Decision::ended;
  return may_answer ? Decision::none : Decision::doubt;
}

Byte CallsRules::token_of(const Ending& ending) {
  for (std::size_t a = 0; a < kArbiters; ++a) {
    if (ending.answer[a] == End::given) return ending.token[a];
  }
  for (std::size_t a = 0; a < kArbiters; ++a) {
    for (std::size_t b = 0; b < a; ++b) {
      if (ending.answer[a] == End::written && ending.answer[b] == End::written &&
          ending.token[a] == ending.token[b])
        return ending.token[a];
    }
  }
  return 0;
}

void CallsRules::decide(std::size_t x, std::size_t m) {
  CallsCopy& copy = s.copies[x][m];
  CallsClient* const client = client_of(x, m);
  const Decision decided = decision(copy.ending);
  if (decided == Decision::confirm) {
    note_given(x, token_of(copy.ending));
    copy.mode = Mode::confirming;
    return;
  }
  copy.mode = Mode::done;
  if (decided == Decision::ended) {
    s.said_over |= bit(x);
    if (client != nullptr) tell_refused(*client, x);
  } else if (client != nullptr && decided == Decision::doubt) {
    tell_doubt(*client, x);
  } else if (client != nullptr) {
    tell_granted(*client, x, token_of(copy.ending));
  }
}

bool CallsRules::is_confirmed(std::size_t x) const {
  if (is(CallsMutant::tells_unconfirmed)) return true;
  return std::count_if(s.arbiters.begin(), s.arbiters.end(), [&](const CallsArbiter& arbiter) {
           return arbiter.stage[x] == Stage::given || arbiter.stage[x] == Stage::over;
         }) >= kMajority;
}

// Marked as given at a quorum, it outlives the loss of a disk.
void CallsRules::confirm(std::size_t x, std::size_t m) {
  s.copies[x][m].mode = Mode::done;
  if (CallsClient* const client = client_of(x, m)) tell_granted(*client, x, s.given[x]);
}

bool CallsRules::can_hear_over(std::size_t a, std::size_t x) const {
  if (!is_up(a) || !has(s.said_over, x)) return false;
  const Stage stage = s.arbiters[a].stage[x];
  return is(CallsMutant::no_tombstone) ? is_live(stage) : stage != Stage::over;
}

// The tombstone, for good. With the end of what was given comes the barrier: a member that hears of it refuses what waits
// there for the owner.
void CallsRules::on_over(std::size_t a, std::size_t x) {
  CallsArbiter& arbiter = s.arbiters[a];
  arbiter.stage[x] = is(CallsMutant::no_tombstone) ? Stage::none : Stage::over;
  arbiter.token[x] = 0;
  const bool is_end_of_hold = has(s.released, x);
  if (is_end_of_hold) arbiter.barrier = std::max(arbiter.barrier, s.given[x]);
  if (a >= kMembers || is(CallsMutant::keeps_waiting)) return;
  for (std::size_t y = 0; y < kAttempts; ++y) {
    CallsCopy& copy = s.copies[y][a];
    if (y != x && (!is_end_of_hold || is(CallsMutant::no_barrier))) continue;
    if (copy.mode == Mode::pinning || (copy.mode == Mode::waiting && client_of(y, a) != nullptr)) {
      start_ending(y, a);
    } else if (copy.mode == Mode::waiting) {
      copy.mode = Mode::done;
    }
  }
}

bool CallsRules::can_hear_given(std::size_t a, std::size_t x) const {
  const Stage stage = s.arbiters[a].stage[x];
  const bool are_bars_final = is(CallsMutant::ends_written) || is(CallsMutant::ends_given);
  return is_up(a) && has(s.said_given, x) && stage != Stage::given && stage != Stage::over &&
         !(stage == Stage::barred && are_bars_final) &&
         !(stage == Stage::none && is(CallsMutant::no_tombstone));
}

void CallsRules::on_given(std::size_t a, std::size_t x) {
  s.arbiters[a].stage[x] = Stage::given;
  s.arbiters[a].token[x] = s.given[x];
}

// A release names what it ends, and needs no look.
void CallsRules::arrive_release(std::size_t x, std::size_t m) {
  s.releases[x][m] = 2;
  s.said_over |= bit(x);
  if (!is(CallsMutant::releases_owner)) return;
  for (std::size_t a = 0; a < kArbiters; ++a) {
    if (const Byte live = live_at(a)) s.said_over |= bit(live - 1U);
  }
}

std::size_t CallsRules::arbiters_over(std::size_t x) const {
  const bool counts_none = is(CallsMutant::no_tombstone) || is(CallsMutant::forgets_at_once);
  return static_cast<std::size_t>(
      std::count_if(s.arbiters.begin(), s.arbiters.end(), [&](const CallsArbiter& arbiter) {
        return arbiter.stage[x] == Stage::over || (counts_none && arbiter.stage[x] == Stage::none);
      }));
}

bool CallsRules::is_released(const CallsClient& client) const {
  return s.releases[client.attempt][client.member] == 2 &&
         arbiters_over(client.attempt) >= kMajority;
}

// The tombstone is at a quorum before the client is told.
void CallsRules::tell_released(CallsClient& client) {
  const std::size_t x = client.attempt;
  client.mode = CallsClient::Mode::idle;
  client.held = 0;
  client.ended = std::max(client.ended, s.given[x]);
  s.outlived |= s.before[x];
  for (std::size_t y = 0; y < kAttempts; ++y) {
    if (has(s.before[x], y) && s.given[y] != 0 && !has(s.released, y)) spoil(CallsFault::released);
  }
}

}  // namespace coterie::check
