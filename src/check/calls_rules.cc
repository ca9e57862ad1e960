#include "check/calls_rules.h"

#include <algorithm>
#include <bit>

#include "base/assert.h"

namespace coterie::check {

Byte CallsRules::live_at(std::size_t a) const {
  for (std::size_t x = 0; x < kAttempts; ++x) {
    if (is_live(s.arbiters[a].stage[x])) return static_cast<Byte>(x + 1);
  }
  return 0;
}

bool CallsRules::are_up(Byte arbiters) const {
  for (std::size_t a = 0; a < kArbiters; ++a) {
    if (has(arbiters, a) && !is_up(a)) return false;
  }
  return true;
}

// Each arbiter counts what rests on it by a lease, and what is written there. What several of them count is counted once.
bool CallsRules::has_room(Byte quorum) const {
  if (!are_up(quorum)) return false;
  Byte attempts = 0;
  Byte rivals = 0;
  for (std::size_t a = 0; a < kArbiters; ++a) {
    if (!has(quorum, a)) continue;
    const CallsArbiter& arbiter = s.arbiters[a];
    rivals |= arbiter.rivals;
    attempts |= arbiter.votes;
    for (std::size_t x = 0; x < kAttempts; ++x)
      attempts |= is_live(arbiter.stage[x]) ? bit(x) : Byte{0};
  }
  return static_cast<std::size_t>(std::popcount(attempts) + std::popcount(rivals)) < capacity_;
}

CallsClient* CallsRules::client_of(std::size_t x) {
  for (CallsClient& client : s.clients) {
    if (client.mode == CallsClient::Mode::holding && client.attempt == x) return &client;
  }
  return nullptr;
}

// A client draws an attempt for each hold call, and with it the greatest end of its owner that it, or its member, knows. The
// first client draws X, Y, Z, the second W, Z.
std::size_t CallsRules::next_attempt(const CallsClient& client) const {
  const bool is_first = &client == &s.clients.front();
  return is_first ? client.drawn : kAttempts - 1U - client.drawn;
}

void CallsRules::call_hold(CallsClient& client) {
  const std::size_t x = next_attempt(client);
  COTERIE_ASSERT(!has(s.called, x));
  ++client.drawn;
  client.mode = CallsClient::Mode::holding;
  client.attempt = static_cast<Byte>(x);
  s.called |= bit(x);
  CallsCopy& copy = s.copies[x];
  copy.mode = Mode::coming;
  copy.member = client.member;
  copy.seen = std::max(s.arbiters[client.member].barrier, client.ended);
}

// A release names the attempt that it ends: what its client was told of.
void CallsRules::call_release(CallsClient& client) {
  if (client.held == 0) return;
  const std::size_t x = client.held - 1U;
  client.mode = CallsClient::Mode::releasing;
  client.attempt = static_cast<Byte>(x);
  if (has(s.told, x) && !has(s.released, x)) s.before[x] = s.called & static_cast<Byte>(~bit(x));
  s.released |= bit(x);
  remove(s.believed, x);
  s.releases[x][client.member] = 1;
}

// A client that leaves a member with a call unanswered settles the attempt. What it has the next member settle, the former
// one may go on to settle.
void CallsRules::move(CallsClient& client) {
  const std::size_t x = client.attempt;
  client.member = static_cast<Byte>(1U - client.member);
  if (client.mode == CallsClient::Mode::releasing) s.releases[x][client.member] = 1;
  if (client.mode == CallsClient::Mode::settling) {
    s.left |= bit(x);
    abandon(client.settling, x);
  } else if (client.mode != CallsClient::Mode::holding) {
    return;
  }
  if (is(CallsMutant::new_attempt)) return call_hold(client);
  client.mode = CallsClient::Mode::settling;
  client.settling = asked(How::withdraw, true);
}

void CallsRules::kill(CallsClient& client) {
  if (client.mode == CallsClient::Mode::settling) s.left |= bit(client.attempt);
  if (client.settling.how != How::none) abandon(client.settling, client.attempt);
  client.mode = CallsClient::Mode::killed;
}

void CallsRules::judge_exclusion() {
  const auto rivals = std::count(s.rivals.begin(), s.rivals.end(), Rival::holds);
  const std::size_t owners = static_cast<std::size_t>(rivals) + (s.believed != 0 ? 1U : 0U);
  if (owners > capacity_) spoil(CallsFault::exclusion);
}

void CallsRules::tell_granted(CallsClient& client, std::size_t x) {
  const Byte token = s.copies[x].token;
  client.mode = CallsClient::Mode::idle;
  client.held = static_cast<Byte>(x + 1);
  if (token < client.token) spoil(CallsFault::tokens);
  client.token = token;
  if (has(s.released, x)) return;
  if (has(s.refused, x)) spoil(CallsFault::refused);
  if (has(s.outlived, x)) spoil(CallsFault::released);
  for (std::size_t y = 0; y < kAttempts; ++y) {
    if (has(s.told, y) && !has(s.told, x) && s.copies[y].token > token) spoil(CallsFault::tokens);
  }
  s.told |= bit(x);
  s.believed |= bit(x);
  judge_exclusion();
}

// A client that is told "not granted" relies on it: nobody is told any more that the attempt is granted. What was granted and
// released since may be answered so too.
void CallsRules::tell_refused(CallsClient& client, std::size_t x) {
  client.mode = CallsClient::Mode::idle;
  s.refused |= bit(x);
  if (has(s.believed, x)) spoil(CallsFault::refused);
}

// Everybody answered that can, and nobody can tell. The name stays blocked until the client, or another of its owner,
// releases the attempt.
void CallsRules::tell_doubt(CallsClient& client, std::size_t x) {
  client.mode = CallsClient::Mode::idle;
  client.held = static_cast<Byte>(x + 1);
  s.doubted |= bit(x);
}

// A member refuses a newly arriving call whose attempt has a tombstone there, or is denied there.
void CallsRules::arrive(std::size_t x) {
  CallsCopy& copy = s.copies[x];
  const CallsArbiter& here = s.arbiters[copy.member];
  if (is(CallsMutant::seen_on_arrival)) copy.seen = here.barrier;
  copy.mode = Mode::waiting;
  const bool is_barred = here.stage[x] == Stage::over || has(here.denied, x);
  if (is_barred && !is(CallsMutant::takes_all)) give_up(x);
}

// The leased entry: the votes of a quorum, and a token greater than all before.
void CallsRules::enter(std::size_t x, Byte quorum) {
  CallsCopy& copy = s.copies[x];
  copy.mode = Mode::pinning;
  copy.token = ++s.tokens;
  for (std::size_t a = 0; a < kArbiters; ++a) {
    if (!has(quorum, a)) continue;
    s.arbiters[a].votes |= bit(x);
    copy.pin[a] = Pin::sent;
  }
}

// An arbiter writes a hold down only for a copy that has its vote. It refuses what has a tombstone or is denied, what comes
// beside another live record of the owner, and what was called before an end of the owner that the call does not know of. It
// does not answer to what it has vouched for: that was given without it.
void CallsRules::on_pin(std::size_t x, std::size_t a) {
  CallsCopy& copy = s.copies[x];
  CallsArbiter& arbiter = s.arbiters[a];
  Stage& stage = arbiter.stage[x];
  const bool is_settled =
      stage == Stage::none && has(arbiter.vouched, x) && !is(CallsMutant::pins_vouched);
  if (!rests_on(a, x) || is_settled) {
    copy.pin[a] = Pin::none;
  } else {
    const bool is_known = stage == Stage::written || stage == Stage::given;
    const bool is_barred = stage == Stage::over || has(arbiter.denied, x);
    const bool is_late = arbiter.barrier > copy.seen && !is(CallsMutant::no_barrier);
    const bool is_beside = live_at(a) != 0 && !is_known;
    copy.pin[a] = is_barred || is_beside || is_late ? Pin::refused : Pin::written;
    if (copy.pin[a] == Pin::written && !is_known) stage = Stage::written;
  }
  if (copy.mode != Mode::pinning) drop_vote(a, x);
}

bool CallsRules::can_give(std::size_t x) const {
  const CallsCopy& copy = s.copies[x];
  return copy.mode == Mode::pinning &&
         std::count(copy.pin.begin(), copy.pin.end(), Pin::written) >= kMajority;
}

// With a quorum of answers the hold is given: the arbiters are told, and so is the client, if it is still there.
void CallsRules::give(std::size_t x) {
  s.given |= bit(x);
  s.said_given |= bit(x);
  s.copies[x].mode = Mode::given;
  drop(x);
}

void CallsRules::tell(std::size_t x) {
  s.copies[x].mode = Mode::done;
  tell_granted(*client_of(x), x);
}

// A PIN that is still on its way comes before the RELEASE of the vote.
void CallsRules::drop(std::size_t x) {
  for (std::size_t a = 0; a < kArbiters; ++a) {
    if (s.copies[x].pin[a] != Pin::sent) drop_vote(a, x);
  }
}

// A refused call is withdrawn before its client is told. So is one whose client has left: what it has written is in the way.
void CallsRules::hear_refusal(std::size_t x) {
  if (!is(CallsMutant::refuses_at_once)) return give_up(x);
  s.copies[x].mode = Mode::done;
  drop(x);
  if (CallsClient* const client = client_of(x)) tell_refused(*client, x);
}

void CallsRules::give_up(std::size_t x) {
  CallsCopy& copy = s.copies[x];
  if (copy.mode == Mode::pinning) {
    copy.mode = Mode::withdrawing;
    copy.settling = asked(How::withdraw, false);
    drop(x);
    return;
  }
  copy.mode = Mode::done;
  if (CallsClient* const client = client_of(x)) tell_refused(*client, x);
}

bool CallsRules::can_hear_over(std::size_t a, std::size_t x) const {
  if (!is_up(a) || !has(s.said_over, x)) return false;
  const Stage stage = s.arbiters[a].stage[x];
  return is(CallsMutant::no_tombstone) ? is_live(stage) : stage != Stage::over;
}

// The tombstone, for good. With the end of what was released comes the barrier: a member that hears of it refuses what waits
// there for the owner.
void CallsRules::on_over(std::size_t a, std::size_t x) {
  CallsArbiter& arbiter = s.arbiters[a];
  arbiter.stage[x] = is(CallsMutant::no_tombstone) ? Stage::none : Stage::over;
  remove(arbiter.denied, x);
  remove(arbiter.vouched, x);
  const bool is_end_of_hold = has(s.released, x);
  if (is_end_of_hold) arbiter.barrier = std::max(arbiter.barrier, s.copies[x].token);
  if (a >= kMembers || is(CallsMutant::keeps_waiting)) return;
  for (std::size_t y = 0; y < kAttempts; ++y) {
    const CallsCopy& copy = s.copies[y];
    if (copy.member != a || (copy.mode != Mode::pinning && copy.mode != Mode::waiting)) continue;
    if (y == x || (is_end_of_hold && !is(CallsMutant::no_barrier))) give_up(y);
  }
}

bool CallsRules::can_hear_given(std::size_t a, std::size_t x) const {
  const CallsArbiter& arbiter = s.arbiters[a];
  const Stage stage = arbiter.stage[x];
  return is_up(a) && has(s.said_given, x) &&
         (stage == Stage::written || stage == Stage::doubtful) &&
         (!has(arbiter.denied, x) || is(CallsMutant::gives_denied));
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

bool CallsRules::is_released(const CallsClient& client) const {
  const std::size_t x = client.attempt;
  const bool counts_none = is(CallsMutant::no_tombstone) || is(CallsMutant::forgets_at_once);
  const auto over =
      std::count_if(s.arbiters.begin(), s.arbiters.end(), [&](const CallsArbiter& arbiter) {
        return arbiter.stage[x] == Stage::over || (counts_none && arbiter.stage[x] == Stage::none);
      });
  return s.releases[x][client.member] == 2 && over >= kMajority;
}

// The tombstone is at a quorum before the client is told.
void CallsRules::tell_released(CallsClient& client) {
  const std::size_t x = client.attempt;
  client.mode = CallsClient::Mode::idle;
  client.held = 0;
  client.ended = std::max(client.ended, s.copies[x].token);
  s.outlived |= s.before[x];
  if ((s.before[x] & s.believed) != 0) spoil(CallsFault::released);
}

}  // namespace coterie::check
