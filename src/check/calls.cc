#include "check/calls.h"

#include <algorithm>

#include "check/calls_rules.h"
#include "check/calls_steps.h"

namespace coterie::check {
namespace {

using Kind = CallsStep;

constexpr std::array<Byte, 4> kQuorums{0b011, 0b101, 0b110, 0b111};

// In a label: what is asked of an attempt, and what the answers decide.
std::size_t label_of(Settling::How how, std::size_t attempt) {
  return (static_cast<std::size_t>(how) << kBitsOfAttempt) | attempt;
}
constexpr std::size_t kAnew = 3;  // after a decision that it is over

}  // namespace

// Lists the steps of one state.
class Calls::Mover {
 public:
  Mover(const Calls& model, const State& state, std::vector<Step>& to)
      : model_(model), s(state), to_(to), rules_(s, model.mutant_, model.config_.capacity) {}

  void list() {
    for (std::size_t c = 0; c < kClients; ++c) list_client(c);
    for (std::size_t x = 0; x < kAttempts; ++x) {
      list_copy(x);
      list_attempt(x);
    }
    for (std::size_t rival = 0; rival < model_.config_.capacity; ++rival) list_rival(rival);
    list_faults();
  }

 private:
  using Mode = CallsClient::Mode;

  // A step that `change` makes of a copy of the state.
  template <class Change>
  void add(Kind kind, std::size_t first, std::size_t second, std::size_t third,
           const Change& change, std::optional<Chance> chance = {}) {
    Step& step = to_.emplace_back(Step{s,
                                       {static_cast<Byte>(kind), static_cast<Byte>(first),
                                        static_cast<Byte>(second), static_cast<Byte>(third)},
                                       chance.has_value()});
    if (chance) --step.next.chances[static_cast<std::size_t>(*chance)];
    CallsRules rules(step.next, model_.mutant_, model_.config_.capacity);
    change(rules, step.next);
    rules.tidy();
  }
  bool may(Chance chance) const { return s.chances[static_cast<std::size_t>(chance)] > 0; }
  // Asked, never told to change anything.
  CallsRules& rules() { return rules_; }

  void list_client(std::size_t c) {
    const CallsClient& client = s.clients[c];
    const std::vector<CallsOp>& script = model_.config_.scripts[c];
    if (client.mode == Mode::idle && client.next < script.size()) {
      const CallsOp op = script[client.next];
      const bool waits =
          has(s.dead, client.member) ||
          (model_.config_.is_decided && op == CallsOp::look && s.dead == 0 && may_stop());
      if (!waits) {
        add(Kind::call, c, static_cast<std::size_t>(op), rules().next_attempt(client),
            [&](CallsRules& rules, State& next) {
              CallsClient& caller = next.clients[c];
              ++caller.next;
              if (op == CallsOp::hold) rules.call_hold(caller);
              if (op == CallsOp::release) rules.call_release(caller);
              if (op == CallsOp::look) caller.mode = Mode::looking;
            });
      }
    }
    if (client.mode == Mode::releasing && rules().is_released(client)) {
      add(Kind::released, c, client.attempt, 0,
          [&](CallsRules& rules, State& next) { rules.tell_released(next.clients[c]); });
    }
    list_settling(c);
    if (client.mode == Mode::looking) list_look(c);
    list_chances_of(c);
  }
  bool may_stop() const { return may(Chance::stop_giver) || may(Chance::stop_member); }

  void list_settling(std::size_t c) {
    const CallsClient& client = s.clients[c];
    if (client.settling.is_inquiry) return list_inquiry(c);
    for (std::size_t a = 0; a < kArbiters; ++a) {
      if (client.settling.answer[a] != Settling::Answer::sent || !rules().is_up(a)) continue;
      add(Kind::settle, c, label_of(client.settling.how, client.attempt), a,
          [&](CallsRules& rules, State& next) {
            Settling& settling = next.clients[c].settling;
            settling.answer[a] = rules.on_settle(settling.how, client.attempt, a);
          });
    }
    const CallsRules::Decision decided = rules().decision(client.settling);
    if (decided == CallsRules::Decision::none || has(s.dead, client.member)) return;
    const auto number = static_cast<std::size_t>(decided);
    if (client.mode == Mode::resolving) {
      add(Kind::settled, c, client.attempt, number,
          [&](CallsRules& rules, State& next) { rules.resolve(next.clients[c]); });
      return;
    }
    add(Kind::settled, c, client.attempt, number,
        [&](CallsRules& rules, State& next) { rules.settle(next.clients[c], false); });
    if (decided == CallsRules::Decision::over && model_.config_.asks_anew) {
      add(Kind::settled, c, client.attempt, number + kAnew,
          [&](CallsRules& rules, State& next) { rules.settle(next.clients[c], true); });
    }
  }

  // All answer at once. What an arbiter does not know as given it did not know before: so if the answers of a quorum, given one
  // after another, are that nobody knows it, the same quorum could have answered so at the time of the first.
  void list_inquiry(std::size_t c) {
    const CallsClient& client = s.clients[c];
    if (has(s.dead, client.member)) return;
    for (const Byte quorum : kQuorums) {
      if (!rules().are_up(quorum) || quorum == kQuorums.back()) continue;
      add(Kind::inquire, c, client.attempt, quorum,
          [&](CallsRules& rules, State& next) { rules.inquire(next.clients[c], quorum); });
    }
  }

  void list_look(std::size_t c) {
    const CallsClient& client = s.clients[c];
    for (std::size_t a = 0; a < kArbiters; ++a) {
      if (!rules().is_up(a) || client.is_answered[a]) continue;
      add(Kind::look, c, a, 0,
          [&](CallsRules& rules, State& next) { rules.on_look(next.clients[c], a); });
    }
    const bool is_rash = model_.config_.is_rash;
    State trial = s;
    CallsRules on_trial(trial, model_.mutant_, model_.config_.capacity);
    if (on_trial.look_step(trial.clients[c], is_rash)) {
      add(Kind::look_goes_on, c, 0, 0,
          [&](CallsRules& rules, State& next) { rules.look_step(next.clients[c], is_rash); });
    }
  }

  void list_chances_of(std::size_t c) {
    const CallsClient& client = s.clients[c];
    const std::size_t x = client.attempt;
    const std::size_t other = 1U - client.member;
    if (client.mode == Mode::killed) return;
    const bool is_over =
        client.mode == Mode::idle && client.next == model_.config_.scripts[c].size();
    if (is_over) return;
    const bool can_move = client.mode == Mode::idle || client.mode == Mode::holding ||
                          client.mode == Mode::settling ||
                          (client.mode == Mode::releasing && s.releases[x][other] == 0);
    const auto move = [&](CallsRules& rules, State& next) { rules.move(next.clients[c]); };
    if (has(s.dead, client.member)) {
      if (can_move) add(Kind::move, c, other, 0, move);
    } else if (may(Chance::move) && can_move) {
      add(Kind::move, c, other, 0, move, Chance::move);
    }
    if (may(Chance::kill)) {
      add(
          Kind::kill, c, 0, 0, [&](CallsRules& rules, State& next) { rules.kill(next.clients[c]); },
          Chance::kill);
    }
    const CallsCopy& copy = s.copies[x];
    const bool is_waiting =
        client.mode == Mode::holding && !has(s.dead, copy.member) &&
        (copy.mode == CallsCopy::Mode::waiting || copy.mode == CallsCopy::Mode::pinning);
    if (may(Chance::give_up) && is_waiting) {
      add(
          Kind::give_up, c, x, 0, [&](CallsRules& rules, State&) { rules.give_up(x); },
          Chance::give_up);
    }
  }

  void list_copy(std::size_t x) {
    using enum CallsCopy::Mode;
    const CallsCopy& copy = s.copies[x];
    const std::size_t m = copy.member;
    const auto step = [&](Kind kind, void (CallsRules::*rule)(std::size_t)) {
      add(kind, x, m, 0, [&](CallsRules& rules, State&) { (rules.*rule)(x); });
    };
    if (copy.mode == none) return;
    for (std::size_t a = 0; a < kArbiters; ++a) {
      if (!rules().is_up(a)) continue;
      if (copy.pin[a] == Pin::sent)
        add(Kind::pin, x, m, a, [&](CallsRules& rules, State&) { rules.on_pin(x, a); });
      if (copy.settling.answer[a] == Settling::Answer::sent) {
        add(Kind::withdraw, x, m, a, [&](CallsRules& rules, State& next) {
          next.copies[x].settling.answer[a] = rules.on_settle(copy.settling.how, x, a);
        });
      }
    }
    if (!rules().is_up(m)) return;
    if (copy.mode == coming) step(Kind::arrive, &CallsRules::arrive);
    if (copy.mode == waiting) list_waiting(x);
    if (copy.mode == given) step(Kind::tell, &CallsRules::tell);
    if (rules().can_give(x)) step(Kind::give, &CallsRules::give);
    const bool is_refused =
        copy.mode == pinning && std::count(copy.pin.begin(), copy.pin.end(), Pin::refused) > 0;
    if (is_refused) step(Kind::hear_refusal, &CallsRules::hear_refusal);
    if (rules().decision(copy.settling) != CallsRules::Decision::none)
      step(Kind::decide, &CallsRules::decide);
  }

  void list_waiting(std::size_t x) {
    const std::size_t m = s.copies[x].member;
    bool is_in_the_way = false;
    for (std::size_t a = 0; a < kArbiters; ++a)
      is_in_the_way = is_in_the_way || (rules().is_up(a) && rules().live_at(a) != 0);
    if (is_in_the_way && rules().client_of(x) != nullptr)
      add(Kind::in_the_way, x, m, 0, [&](CallsRules& rules, State&) { rules.give_up(x); });
    for (const Byte quorum : kQuorums) {
      if (rules().has_room(quorum))
        add(Kind::enter, x, m, quorum, [&](CallsRules& rules, State&) { rules.enter(x, quorum); });
    }
  }

  void list_attempt(std::size_t x) {
    for (std::size_t m = 0; m < kMembers; ++m) {
      if (s.releases[x][m] == 1 && rules().is_up(m)) {
        add(Kind::release_arrives, x, m, 0,
            [&](CallsRules& rules, State&) { rules.arrive_release(x, m); });
      }
    }
    for (std::size_t a = 0; a < kArbiters; ++a) {
      if (rules().can_hear_over(a, x))
        add(Kind::over, x, a, 0, [&](CallsRules& rules, State&) { rules.on_over(a, x); });
      if (rules().can_hear_given(a, x))
        add(Kind::given, x, a, 0, [&](CallsRules& rules, State&) { rules.on_given(a, x); });
      for (std::size_t how = 0; how < kHows; ++how) list_late(how, x, a);
    }
    if (rules().can_go_on_without_client(x))
      add(Kind::left, x, 0, 0, [&](CallsRules& rules, State&) { rules.go_on_without_client(x); });
    if (rules().can_forget(x))
      add(Kind::forget, x, 0, 0, [&](CallsRules& rules, State&) { rules.forget(x); });
  }

  void list_late(std::size_t how, std::size_t x, std::size_t a) {
    if (!has(s.late[how][x], a) || !rules().is_up(a)) return;
    add(Kind::late, how, x, a, [&](CallsRules& rules, State& next) {
      remove(next.late[how][x], a);
      rules.on_settle(static_cast<Settling::How>(how), x, a);
    });
  }

  void list_rival(std::size_t rival) {
    for (const Byte quorum : kQuorums) {
      const bool is_pair = quorum != kQuorums.back();
      if (s.rivals[rival] == Rival::waits && is_pair && rules().has_room(quorum)) {
        add(Kind::rival_takes, quorum, rival, 0,
            [&](CallsRules& rules, State&) { rules.rival_takes(rival, quorum); });
      }
    }
    if (s.rivals[rival] == Rival::holds) {
      add(Kind::rival_releases, rival, 0, 0,
          [&](CallsRules& rules, State&) { rules.rival_releases(rival); });
    }
  }

  // A disk is lost at a member only while no call is there: whose client would go on elsewhere, which is a move.
  bool is_idle(std::size_t m) const {
    if (m >= kMembers) return true;
    for (std::size_t x = 0; x < kAttempts; ++x) {
      const CallsCopy& copy = s.copies[x];
      const bool is_here = copy.member == m && copy.mode != CallsCopy::Mode::none &&
                           copy.mode != CallsCopy::Mode::done;
      if (is_here || s.releases[x][m] == 1) return false;
    }
    return std::none_of(s.clients.begin(), s.clients.end(), [&](const CallsClient& client) {
      return client.member == m && client.settling.how != Settling::How::none;
    });
  }

  // The leases of an arbiter that stopped run out, and so do those of a member; others may.
  void list_lapse(std::size_t a, std::size_t x) {
    if (!rules().rests_on(a, x)) return;
    const auto lapse = [&](CallsRules& rules, State&) { rules.lapse(a, x); };
    if (has(s.dead, a) || has(s.dead, s.copies[x].member)) {
      add(Kind::lapse, a, x, 0, lapse);
    } else if (may(Chance::lapse)) {
      add(Kind::lapse, a, x, 0, lapse, Chance::lapse);
    }
  }

  // A member stops when it has given a hold, and another arbiter knows it as given.
  bool has_given(std::size_t m) const {
    for (std::size_t x = 0; x < kAttempts; ++x) {
      if (s.copies[x].member != m || !has(s.given, x)) continue;
      for (std::size_t a = 0; a < kArbiters; ++a) {
        if (a != m && s.arbiters[a].stage[x] == Stage::given) return true;
      }
    }
    return false;
  }

  void list_stop(std::size_t a, Chance chance) {
    if (!may(chance) || s.dead != 0) return;
    add(
        Kind::stop, a, 0, 0, [a](CallsRules&, State& next) { next.dead |= bit(a); }, chance);
  }

  void list_faults() {
    const bool is_one_lost =
        std::any_of(s.arbiters.begin(), s.arbiters.end(),
                    [](const CallsArbiter& each) { return each.unheard != 0; });
    for (std::size_t a = 0; a < kArbiters; ++a) {
      for (std::size_t b = 0; b < kArbiters; ++b) {
        if (has(s.arbiters[a].unheard, b) && rules().is_up(b))
          add(Kind::learn, a, b, 0, [&](CallsRules& rules, State&) { rules.learn(a, b); });
      }
      for (std::size_t x = 0; x < kAttempts; ++x) list_lapse(a, x);
      if (!rules().is_up(a)) continue;
      if (may(Chance::lose_disk) && !is_one_lost && s.dead == 0 && is_idle(a)) {
        add(
            Kind::lose_disk, a, 0, 0, [&](CallsRules& rules, State&) { rules.lose_disk(a); },
            Chance::lose_disk);
      }
    }
    if (is_one_lost) return;
    list_stop(kArbiters - 1, Chance::crash);  // which is no member
    list_stop(0, Chance::stop_member);
    if (has_given(0)) list_stop(0, Chance::stop_giver);
  }

  const Calls& model_;
  State s;
  std::vector<Step>& to_;
  CallsRules rules_;
};

Calls::State Calls::initial() const {
  State state;
  state.chances = config_.chances;
  for (std::size_t c = 0; c < kClients; ++c) state.clients[c].member = static_cast<Byte>(c);
  return state;
}

void Calls::steps(const State& state, std::vector<Step>& to) const {
  Mover(*this, state, to).list();
}

std::optional<ModelFault> Calls::fault(const State& state) const {
  switch (state.fault) {
    case CallsFault::none:
      return {};
    case CallsFault::exclusion:
      return ModelFault{Property::safety, "more owners than may were told that they hold the name"};
    case CallsFault::refused:
      return ModelFault{Property::safety, "an attempt was answered 'not granted', and is granted"};
    case CallsFault::released:
      return ModelFault{Property::safety,
                        "a release was answered, and a call made before it is granted"};
    case CallsFault::tokens:
      return ModelFault{Property::tokens, "a later hold has a smaller token"};
  }
  return {};
}

// Every client that lives has its answers. What is in the way of rivals is a hold that a client was told of, as granted or as in
// doubt, or that a killed client was given. With an arbiter that stopped or lost its disk, what a killed client left half
// written is in doubt until another process of its owner looks. If nothing is in the way, the rivals have had the name.
bool Calls::is_good_end(const State& state) const {
  bool is_one_killed = false;
  for (std::size_t c = 0; c < kClients; ++c) {
    const CallsClient& client = state.clients[c];
    if (client.mode == CallsClient::Mode::killed) {
      is_one_killed = true;
      continue;
    }
    const std::vector<CallsOp>& script = config_.scripts[c];
    const bool waits_for_stop = config_.is_decided && state.dead == 0 &&
                                client.next < script.size() && script[client.next] == CallsOp::look;
    if (client.mode != CallsClient::Mode::idle) return false;
    if (client.next < script.size() && !waits_for_stop) return false;
  }
  if (config_.is_decided && state.doubted != 0) return false;
  State copy = state;
  const CallsRules rules(copy, mutant_, config_.capacity);
  const Byte doubted = state.doubted & static_cast<Byte>(~state.released);
  bool is_in_the_way = false;
  for (std::size_t a = 0; a < kArbiters; ++a) {
    for (std::size_t x = 0; x < kAttempts; ++x) {
      if (has(state.dead, a) || !CallsRules::is_live(state.arbiters[a].stage[x])) continue;
      is_in_the_way = true;
      const bool is_left = is_one_killed && (has(state.given, x) || rules.may_stay_in_doubt());
      if (!has(state.believed | doubted, x) && !is_left) return false;
    }
  }
  return is_in_the_way || std::count(state.rivals.begin(), state.rivals.end(),
                                     Rival::has_released) == config_.capacity;
}

}  // namespace coterie::check
