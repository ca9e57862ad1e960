#include "check/calls.h"

#include <algorithm>

#include "check/calls_rules.h"

namespace coterie::check {
namespace {

enum class Kind : Byte {
  call,
  arrive,
  enter,
  pin,
  give,
  hear_refusal,
  in_the_way,
  end,
  decide,
  confirmed,
  over,
  given,
  release_arrives,
  released,
  look,
  look_end,
  look_goes_on,
  look_decides,
  rival_takes,
  rival_releases,
  learn,
  forget,
  move,
  give_up,
  kill,
  lapse,
  lose_disk,
  crash,
};

bool is_any_doubtful(const CallsState& state) {
  return std::any_of(state.arbiters.begin(), state.arbiters.end(), [](const CallsArbiter& arbiter) {
    return std::count(arbiter.stage.begin(), arbiter.stage.end(), Stage::doubtful) > 0;
  });
}

constexpr std::array<Byte, 4> kQuorums{0b011, 0b101, 0b110, 0b111};

}  // namespace

// Lists the steps of one state.
class Calls::Mover {
 public:
  Mover(const Calls& model, const State& state, std::vector<Step>& to)
      : model_(model), s(state), to_(to), rules_(s, model.mutant_, model.config_.capacity) {}

  void list() {
    for (std::size_t c = 0; c < kClients; ++c) list_client(c);
    for (std::size_t x = 0; x < kAttempts; ++x) {
      for (std::size_t m = 0; m < kMembers; ++m) list_copy(x, m);
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
      add(Kind::call, c, static_cast<std::size_t>(op.kind), op.attempt,
          [&](CallsRules& rules, State& next) {
            CallsClient& caller = next.clients[c];
            ++caller.next;
            if (op.kind == CallsOp::Kind::hold) rules.call_hold(caller, op.attempt);
            if (op.kind == CallsOp::Kind::release) rules.call_release(caller);
            if (op.kind == CallsOp::Kind::look) caller.mode = Mode::looking;
          });
    }
    if (client.mode == Mode::releasing && rules().is_released(client)) {
      add(Kind::released, c, client.attempt, 0,
          [&](CallsRules& rules, State& next) { rules.tell_released(next.clients[c]); });
    }
    list_look(c);
    list_chances_of(c);
  }

  void list_look(std::size_t c) {
    const CallsClient& client = s.clients[c];
    for (std::size_t a = 0; a < kArbiters; ++a) {
      if (!rules().is_up(a)) continue;
      if (client.mode == Mode::looking && !client.is_answered[a]) {
        add(Kind::look, c, a, 0,
            [&](CallsRules& rules, State& next) { rules.on_look(next.clients[c], a); });
      }
      if (client.ending.answer[a] == End::sent) {
        add(Kind::look_end, c, client.attempt, a, [&](CallsRules& rules, State& next) {
          rules.on_end(next.clients[c].ending, client.attempt, a);
        });
      }
    }
    if (client.mode == Mode::looking) {
      State trial = s;
      CallsRules on_trial(trial, model_.mutant_, model_.config_.capacity);
      if (on_trial.look_step(trial.clients[c])) {
        add(Kind::look_goes_on, c, 0, 0,
            [&](CallsRules& rules, State& next) { rules.look_step(next.clients[c]); });
      }
    }
    if (client.mode == Mode::resolving &&
        rules().decision(client.ending) != CallsRules::Decision::none) {
      add(Kind::look_decides, c, client.attempt, 0,
          [&](CallsRules& rules, State& next) { rules.resolve(next.clients[c]); });
    }
    if (client.mode == Mode::confirming && rules().is_confirmed(client.attempt)) {
      add(Kind::look_decides, c, client.attempt, 1,
          [&](CallsRules& rules, State& next) { rules.confirm_look(next.clients[c]); });
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
    const bool can_move =
        client.mode == Mode::idle ||
        (client.mode == Mode::holding && s.copies[x][other].mode != CallsCopy::Mode::done) ||
        (client.mode == Mode::releasing && s.releases[x][other] == 0);
    if (may(Chance::move) && can_move) {
      add(
          Kind::move, c, other, 0,
          [&](CallsRules& rules, State& next) { rules.move(next.clients[c]); }, Chance::move);
    }
    if (may(Chance::kill)) {
      add(
          Kind::kill, c, 0, 0,
          [&](CallsRules&, State& next) { next.clients[c].mode = Mode::killed; }, Chance::kill);
    }
    const CallsCopy::Mode copy = s.copies[x][client.member].mode;
    const bool is_waiting = client.mode == Mode::holding &&
                            (copy == CallsCopy::Mode::waiting || copy == CallsCopy::Mode::pinning);
    if (may(Chance::give_up) && is_waiting) {
      add(
          Kind::give_up, c, x, 0,
          [&](CallsRules& rules, State&) { rules.start_ending(x, client.member); },
          Chance::give_up);
    }
  }

  void list_copy(std::size_t x, std::size_t m) {
    using enum CallsCopy::Mode;
    const CallsCopy& copy = s.copies[x][m];
    const auto step = [&](Kind kind, void (CallsRules::*rule)(std::size_t, std::size_t)) {
      add(kind, x, m, 0, [&](CallsRules& rules, State&) { (rules.*rule)(x, m); });
    };
    if (s.releases[x][m] == 1 && rules().is_up(m))
      step(Kind::release_arrives, &CallsRules::arrive_release);
    if (copy.mode == none) return;
    for (std::size_t a = 0; a < kArbiters; ++a) {
      if (!rules().is_up(a)) continue;
      if (copy.pin[a] == Pin::sent)
        add(Kind::pin, x, m, a, [&](CallsRules& rules, State&) { rules.on_pin(x, m, a); });
      if (copy.ending.answer[a] == End::sent) {
        add(Kind::end, x, m, a,
            [&](CallsRules& rules, State& next) { rules.on_end(next.copies[x][m].ending, x, a); });
      }
    }
    if (copy.mode == coming && rules().is_up(m)) step(Kind::arrive, &CallsRules::arrive);
    if (copy.mode == waiting) list_waiting(x, m);
    if (rules().can_give(x, m)) step(Kind::give, &CallsRules::give);
    const bool is_refused =
        copy.mode == pinning && std::count(copy.pin.begin(), copy.pin.end(), Pin::refused) > 0;
    if (is_refused) step(Kind::hear_refusal, &CallsRules::hear_refusal);
    if (copy.mode == ending && rules().decision(copy.ending) != CallsRules::Decision::none)
      step(Kind::decide, &CallsRules::decide);
    if (copy.mode == confirming && rules().is_confirmed(x))
      step(Kind::confirmed, &CallsRules::confirm);
  }

  void list_waiting(std::size_t x, std::size_t m) {
    bool is_in_the_way = false;
    for (std::size_t a = 0; a < kArbiters; ++a)
      is_in_the_way = is_in_the_way || (rules().is_up(a) && rules().live_at(a) != 0);
    if (is_in_the_way && rules().client_of(x, m) != nullptr) {
      add(Kind::in_the_way, x, m, 0, [&](CallsRules& rules, State&) { rules.start_ending(x, m); });
    }
    for (const Byte quorum : kQuorums) {
      if (rules().has_room(quorum)) {
        add(Kind::enter, x, m, quorum,
            [&](CallsRules& rules, State&) { rules.enter(x, m, quorum); });
      }
    }
  }

  void list_attempt(std::size_t x) {
    for (std::size_t a = 0; a < kArbiters; ++a) {
      if (rules().can_hear_over(a, x))
        add(Kind::over, x, a, 0, [&](CallsRules& rules, State&) { rules.on_over(a, x); });
      if (rules().can_hear_given(a, x))
        add(Kind::given, x, a, 0, [&](CallsRules& rules, State&) { rules.on_given(a, x); });
    }
    if (rules().can_forget(x))
      add(Kind::forget, x, 0, 0, [&](CallsRules& rules, State&) { rules.forget(x); });
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
  bool is_idle(std::size_t a) const {
    if (a >= kMembers) return true;
    for (std::size_t x = 0; x < kAttempts; ++x) {
      const CallsCopy::Mode mode = s.copies[x][a].mode;
      if ((mode != CallsCopy::Mode::none && mode != CallsCopy::Mode::done) || s.releases[x][a] == 1)
        return false;
    }
    return true;
  }

  // The leases of an arbiter that stopped run out; others may.
  void list_lapse(std::size_t a, std::size_t x, std::size_t m) {
    if (!rules().rests_on(a, x, m)) return;
    const auto lapse = [&](CallsRules& rules, State&) { rules.lapse(a, x, m); };
    if (has(s.dead, a)) {
      add(Kind::lapse, a, x, m, lapse);
    } else if (may(Chance::lapse)) {
      add(Kind::lapse, a, x, m, lapse, Chance::lapse);
    }
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
      for (std::size_t x = 0; x < kAttempts; ++x) {
        for (std::size_t m = 0; m < kMembers; ++m) list_lapse(a, x, m);
      }
      if (!rules().is_up(a)) continue;
      if (may(Chance::lose_disk) && !is_one_lost && s.dead == 0 && is_idle(a)) {
        add(
            Kind::lose_disk, a, 0, 0, [&](CallsRules& rules, State&) { rules.lose_disk(a); },
            Chance::lose_disk);
      }
    }
    constexpr std::size_t kLast = kArbiters - 1;  // which is no member
    if (may(Chance::crash) && !is_one_lost && !has(s.dead, kLast)) {
      add(
          Kind::crash, kLast, 0, 0, [](CallsRules&, State& next) { next.dead |= bit(kLast); },
          Chance::crash);
    }
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
    case CallsFault::twice:
      return ModelFault{Property::safety, "two holds were given of one attempt"};
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

// Every client that lives has its answers. The rivals have had the name, or the owner keeps it: a client was told so, or that it
// is in doubt, or was killed. With an arbiter that stopped or lost its disk, what a killed client left half written is in doubt until another
// process of its owner looks.
bool Calls::is_good_end(const State& state) const {
  bool is_one_killed = false;
  for (std::size_t c = 0; c < kClients; ++c) {
    const CallsClient& client = state.clients[c];
    if (client.mode == CallsClient::Mode::killed) {
      is_one_killed = true;
      continue;
    }
    if (client.mode != CallsClient::Mode::idle || client.next < config_.scripts[c].size())
      return false;
  }
  const auto is_kept = [&](Byte attempts) {
    return (attempts & static_cast<Byte>(~state.released)) != 0;
  };
  Byte given = 0;
  for (std::size_t x = 0; x < kAttempts; ++x) given |= state.given[x] != 0 ? bit(x) : Byte{0};
  if (is_kept(given)) return state.believed != 0 || state.doubted != 0 || is_one_killed;
  const bool is_left_in_doubt = is_one_killed && (state.dead != 0 || is_any_doubtful(state));
  const bool are_rivals_done =
      std::count(state.rivals.begin(), state.rivals.end(), Rival::has_released) == config_.capacity;
  return are_rivals_done || is_kept(state.doubted) || is_left_in_doubt;
}

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
  switch (static_cast<Kind>(label.kind)) {
    case Kind::call:
      return client(i) + (j == 0   ? " calls hold " + attempt(k)
                          : j == 1 ? " calls release of what it holds"
                                   : std::string(" looks"));
    case Kind::arrive:
      return "hold " + attempt(i) + " arrives at " + member(j);
    case Kind::enter:
      return attempt(i) + " at " + member(j) + " enters with the votes of " + quorum(k);
    case Kind::pin:
      return arbiter(k) + " handles PIN " + attempt(i) + " of " + member(j);
    case Kind::give:
      return member(j) + " has a quorum of answers: " + attempt(i) + " is given";
    case Kind::hear_refusal:
      return member(j) + " hears that PIN " + attempt(i) + " is refused";
    case Kind::in_the_way:
      return member(j) + " finds a hold of the owner in the way, and ends " + attempt(i);
    case Kind::end:
      return arbiter(k) + " handles END " + attempt(i) + " of " + member(j);
    case Kind::decide:
      return member(j) + " has answers enough to END " + attempt(i);
    case Kind::confirmed:
      return member(j) + " hears that a quorum has " + attempt(i) + " as given";
    case Kind::over:
      return arbiter(j) + " hears that " + attempt(i) + " is over";
    case Kind::given:
      return arbiter(j) + " hears that " + attempt(i) + " is given";
    case Kind::release_arrives:
      return "the release of " + attempt(i) + " arrives at " + member(j);
    case Kind::released:
      return client(i) + " is told that " + attempt(j) + " is released";
    case Kind::look:
      return arbiter(j) + " answers the look of " + client(i);
    case Kind::look_end:
      return arbiter(k) + " handles END " + attempt(j) + " of the look of " + client(i);
    case Kind::look_goes_on:
      return "the look of " + client(i) + " goes on by its answers";
    case Kind::look_decides:
      return "the look of " + client(i) +
             (k == 0 ? " has answers enough to END " : " has confirmed ") + attempt(j);
    case Kind::rival_takes:
      return "rival " + number(j) + " takes the name with " + quorum(i);
    case Kind::rival_releases:
      return "rival " + number(i) + " releases";
    case Kind::learn:
      return arbiter(i) + " learns from " + arbiter(j);
    case Kind::forget:
      return "all forget " + attempt(i);
    case Kind::move:
      return client(i) + " moves to " + member(j);
    case Kind::give_up:
      return client(i) + " gives up " + attempt(j);
    case Kind::kill:
      return client(i) + " is killed";
    case Kind::lapse:
      return "the lease of the vote of " + arbiter(i) + " for " + attempt(j) + " at " + member(k) +
             " lapses";
    case Kind::lose_disk:
      return arbiter(i) + " loses its disk";
    case Kind::crash:
      return arbiter(i) + " stops";
  }
  return "";
}

}  // namespace coterie::check
