// What becomes of an attempt when its client was not told how it came out: see calls_rules.h, and docs/checking.md, "Calls",
// rules 4 to 7.
#include <algorithm>

#include "check/calls_rules.h"

namespace coterie::check {

// ---- at an arbiter

CallsRules::Answer CallsRules::on_settle(How how, std::size_t x, std::size_t a) {
  switch (how) {
    case How::withdraw:
      return withdraw(x, a);
    case How::deny:
      return deny(x, a);
    case How::confirm:
    case How::confirm_given:
      return confirm(how == How::confirm_given, x, a);
    case How::none:
      break;
  }
  return Answer::none;
}

// The client of the attempt asks, or the member that might have given it: the client was not told that it holds. So only
// another process can rely on it, for which a quorum has vouched.
CallsRules::Answer CallsRules::withdraw(std::size_t x, std::size_t a) {
  const CallsArbiter& arbiter = s.arbiters[a];
  if (arbiter.stage[x] == Stage::over) return Answer::agreed;
  if (is_torn(a, x)) return Answer::unable;
  const bool is_given = arbiter.stage[x] == Stage::given && is(CallsMutant::refuses_given);
  const bool is_vouched = has(arbiter.vouched, x) && !is(CallsMutant::withdraws_vouched);
  return is_given || is_vouched ? Answer::refused : agree_to_nothing(x, a);
}

// A process asks that does not know what the client of the attempt was told: so an arbiter that has it written does not agree.
CallsRules::Answer CallsRules::deny(std::size_t x, std::size_t a) {
  const CallsArbiter& arbiter = s.arbiters[a];
  const Stage stage = arbiter.stage[x];
  if (stage == Stage::over) return Answer::agreed;
  const bool is_passed_over = (stage == Stage::written && is(CallsMutant::denies_written)) ||
                              (stage == Stage::doubtful && is(CallsMutant::doubt_is_unwritten));
  if ((is_live(stage) && !is_passed_over) || has(arbiter.vouched, x)) return Answer::unable;
  return agree_to_nothing(x, a);
}

CallsRules::Answer CallsRules::agree_to_nothing(std::size_t x, std::size_t a) {
  CallsArbiter& arbiter = s.arbiters[a];
  if (!is(CallsMutant::no_tombstone)) arbiter.denied |= bit(x);
  if (is(CallsMutant::spreads_denials)) s.said_over |= bit(x);
  return Answer::agreed;
}

// If the hold was given, a quorum has it written: then an arbiter that has not written it only promises not to deny it.
CallsRules::Answer CallsRules::confirm(bool is_given, std::size_t x, std::size_t a) {
  CallsArbiter& arbiter = s.arbiters[a];
  const Stage stage = arbiter.stage[x];
  const bool is_ignored = is(CallsMutant::confirms_denied) ||
                          (is(CallsMutant::knows_no_attempt) && stage == Stage::none);
  if (stage == Stage::over) return Answer::denied;
  if (is_torn(a, x)) return Answer::unable;
  if (has(arbiter.denied, x) && !is_ignored) return Answer::denied;
  const bool is_written = stage == Stage::written || stage == Stage::given;
  if (!is_written && !is_given && !is(CallsMutant::vouches_ungiven)) return Answer::unable;
  arbiter.vouched |= bit(x);
  return Answer::agreed;
}

// ---- at the member that asks

Settling CallsRules::asked(How how, bool is_inquiry) const {
  Settling settling;
  settling.how = how;
  const bool is_left_out =
      is(CallsMutant::no_inquiry) || (is(CallsMutant::withdraws_at_once) && how == How::withdraw);
  settling.is_inquiry = is_inquiry && !is_left_out;
  if (!settling.is_inquiry) settling.answer.fill(Answer::sent);
  return settling;
}

// A client that has begun to withdraw its attempt at another member goes on with that, or it would split the votes itself.
void CallsRules::inquire(CallsClient& client, Byte quorum) {
  bool is_given = false;
  bool is_begun = false;
  for (std::size_t a = 0; a < kArbiters; ++a) {
    if (!has(quorum, a)) continue;
    is_given |= s.arbiters[a].stage[client.attempt] == Stage::given;
    is_begun |= client.settling.how == How::withdraw && has(s.arbiters[a].denied, client.attempt);
  }
  client.settling = asked(is_given && !is_begun ? How::confirm_given : client.settling.how, false);
}

CallsRules::Decision CallsRules::decision(const Settling& settling) const {
  const auto count = [&](Answer answer) {
    return std::count(settling.answer.begin(), settling.answer.end(), answer);
  };
  if (settling.how == How::none || settling.is_inquiry) return Decision::none;
  const bool is_confirming = settling.how == How::confirm || settling.how == How::confirm_given;
  const auto agreed = count(Answer::agreed);
  if (agreed >= kMajority) return is_confirming ? Decision::granted : Decision::over;
  if (count(Answer::refused) >= kMajority) return Decision::granted;
  if (count(Answer::denied) >= kMajority) return Decision::over;
  if (is(CallsMutant::told_early) && agreed > 0 && !is_confirming) return Decision::over;
  for (std::size_t a = 0; a < kArbiters; ++a) {
    if (settling.answer[a] == Answer::sent && !has(s.dead, a)) return Decision::none;
  }
  return Decision::undecided;
}

void CallsRules::abandon(Settling& settling, std::size_t x) {
  for (std::size_t a = 0; a < kArbiters; ++a) {
    if (settling.answer[a] == Answer::sent)
      s.late[static_cast<std::size_t>(settling.how)][x] |= bit(a);
  }
  settling = {};
}

// Votes do not change. But if the attempt is over, those that have not heard of it will.
bool CallsRules::is_asked_again(Decision decided, std::size_t x) const {
  return decided == Decision::undecided && has(s.said_over, x);
}

// The member that withdraws what it has not given.
void CallsRules::decide(std::size_t x) {
  CallsCopy& copy = s.copies[x];
  CallsClient* const client = client_of(x);
  const Decision decided = decision(copy.settling);
  abandon(copy.settling, x);
  if (is_asked_again(decided, x)) {
    copy.settling = asked(How::withdraw, false);
    return;
  }
  copy.mode = Mode::done;
  if (decided == Decision::over) s.said_over |= bit(x);
  if (client == nullptr) return;
  if (decided == Decision::over) return tell_refused(*client, x);
  decided == Decision::granted ? tell_granted(*client, x) : tell_doubt(*client, x);
}

// A client that has left the member of its attempt. When nothing comes of the attempt it draws a new one, if it has time left.
void CallsRules::settle(CallsClient& client, bool asks_anew) {
  const std::size_t x = client.attempt;
  const Decision decided = decision(client.settling);
  const bool is_confirmed = client.settling.how == How::confirm_given;
  abandon(client.settling, x);
  if (is_asked_again(decided, x)) {
    client.settling = asked(How::withdraw, true);
    return;
  }
  if (decided == Decision::undecided) return tell_doubt(client, x);
  if (decided == Decision::over) {
    s.said_over |= bit(x);
    tell_refused(client, x);
    if (asks_anew) call_hold(client);
    return;
  }
  if (is_confirmed) s.said_given |= bit(x);
  tell_granted(client, x);
}

// A process that has found the attempt by a look.
void CallsRules::resolve(CallsClient& client) {
  const std::size_t x = client.attempt;
  const Decision decided = decision(client.settling);
  abandon(client.settling, x);
  if (decided == Decision::granted) {
    s.said_given |= bit(x);
    return tell_granted(client, x);
  }
  const bool is_in_doubt = decided == Decision::undecided && !is_asked_again(decided, x);
  if (is_in_doubt && may_stay_in_doubt()) return tell_doubt(client, x);
  if (decided == Decision::over) s.said_over |= bit(x);
  client.mode = CallsClient::Mode::looking;
  client.is_answered = {};
}

// A member whose client has left asks as long as it has no answer.
bool CallsRules::can_go_on_without_client(std::size_t x) const {
  if (!has(s.left, x) || has(s.said_over, x)) return false;
  return std::count_if(s.arbiters.begin(), s.arbiters.end(), [&](const CallsArbiter& arbiter) {
           return has(arbiter.denied, x) || arbiter.stage[x] == Stage::over;
         }) >= kMajority;
}

}  // namespace coterie::check
