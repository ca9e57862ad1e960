#include "check/sets.h"

#include <algorithm>

#include "check/calls_rules.h"

namespace coterie::check {
namespace {

enum class Kind : Byte { call, arrive, enter, write, tell, move, lapse };

// The rules, on one state.
class Rules {
 public:
  using Mode = SetsCopy::Mode;
  Rules(SetsState& state, SetsMutant mutant) : s(state), mutant_(mutant) {}

  static Byte id_of(std::size_t x, std::size_t m) {
    return static_cast<Byte>(1 + x * kMembers + m);
  }

  // A change names the one that its client was told of last.
  void call(SetsClient& client, std::size_t x) {
    client.is_calling = true;
    client.change = static_cast<Byte>(x);
    ++client.next;
    s.replaces[x] = client.known;
    s.replaces_version[x] = client.known_version;
    s.copies[x][client.member].mode = Mode::coming;
  }

  // With the votes of a quorum the greatest version is seen. If it is of the change named, this one is written as the next. If it is
  // the change's own, by another copy, or another one, it is written again at a quorum before the client is told.
  void enter(std::size_t x, std::size_t m, Byte quorum) {
    SetsCopy& copy = s.copies[x][m];
    copy.mode = Mode::writing;
    for (std::size_t a = 0; a < kArbiters; ++a) {
      if (!has(quorum, a)) continue;
      SetsArbiter& arbiter = s.arbiters[a];
      arbiter.vote = id_of(x, m);
      copy.write[a] = Pin::sent;
      if (arbiter.version <= copy.version) continue;
      copy.version = arbiter.version;
      copy.change = arbiter.change;
    }
    const bool is_own = copy.change == x + 1;
    const bool is_same = is(SetsMutant::names_version) ? copy.version == s.replaces_version[x]
                                                       : copy.change == s.replaces[x];
    const bool is_named = is_same || is(SetsMutant::replaces_any);
    const bool is_next = !is_own && is_named;
    if (is_next) copy.change = static_cast<Byte>(x + 1);
    if (is_next || !is(SetsMutant::old_version)) copy.version = ++s.versions;
    if (!is_next && !is_own && is(SetsMutant::tells_at_once)) tell(x, m);
  }

  // An arbiter writes for a copy that has its vote, and never an older version.
  void on_write(std::size_t x, std::size_t m, std::size_t a) {
    SetsCopy& copy = s.copies[x][m];
    SetsArbiter& arbiter = s.arbiters[a];
    const bool has_vote = arbiter.vote == id_of(x, m);
    if (!has_vote && !is(SetsMutant::writes_freely)) {
      copy.write[a] = Pin::none;
      return;
    }
    copy.write[a] = Pin::written;
    if (has_vote && copy.mode != Mode::writing) arbiter.vote = 0;
    if (copy.version <= arbiter.version) return;
    arbiter.version = copy.version;
    arbiter.change = copy.change;
    note_version(copy.version, copy.change);
  }

  bool can_tell(const SetsCopy& copy) const {
    return copy.mode == Mode::writing &&
           std::count(copy.write.begin(), copy.write.end(), Pin::written) >= kMajority;
  }

  void tell(std::size_t x, std::size_t m) {
    SetsCopy& copy = s.copies[x][m];
    copy.mode = Mode::done;
    drop(x, m);
    for (SetsClient& client : s.clients) {
      if (!client.is_calling || client.change != x || client.member != m) continue;
      client.is_calling = false;
      client.known = copy.change;
      client.known_version = copy.version;
      if (copy.change == x + 1) continue;
      s.superseded |= bit(x);
      if (s.in_force_change == x + 1) s.fault = 3;
    }
  }

  void move(SetsClient& client) {
    client.member = static_cast<Byte>(1U - client.member);
    if (client.is_calling) s.copies[client.change][client.member].mode = Mode::coming;
  }

  // A copy that has not the votes of a quorum any more begins again.
  void lapse(std::size_t a) {
    const std::size_t id = s.arbiters[a].vote - 1U;
    SetsCopy& copy = s.copies[id / kMembers][id % kMembers];
    s.arbiters[a].vote = 0;
    if (!is(SetsMutant::writes_freely)) copy.write[a] = Pin::none;
    const auto votes =
        std::count_if(s.arbiters.begin(), s.arbiters.end(),
                      [&](const SetsArbiter& arbiter) { return arbiter.vote == id + 1; });
    if (copy.mode != Mode::writing || votes >= kMajority || is(SetsMutant::writes_freely)) return;
    for (SetsArbiter& arbiter : s.arbiters) {
      if (arbiter.vote == id + 1) arbiter.vote = 0;
    }
    copy = {.mode = Mode::waiting};
  }

  void tidy() {
    for (auto& members : s.copies) {
      for (SetsCopy& copy : members) {
        if (copy.mode != Mode::done) continue;
        for (Pin& write : copy.write) {
          if (write != Pin::sent) write = Pin::none;
        }
        if (std::count(copy.write.begin(), copy.write.end(), Pin::sent) == 0)
          copy.version = copy.change = 0;
      }
    }
  }

 private:
  bool is(SetsMutant mutant) const { return mutant_ == mutant; }

  void drop(std::size_t x, std::size_t m) {
    for (std::size_t a = 0; a < kArbiters; ++a) {
      if (s.arbiters[a].vote == id_of(x, m) && s.copies[x][m].write[a] != Pin::sent)
        s.arbiters[a].vote = 0;
    }
  }

  // A version is in force from when a quorum has it: then its change must replace the one that was.
  void note_version(Byte version, Byte change) {
    const auto count =
        std::count_if(s.arbiters.begin(), s.arbiters.end(),
                      [&](const SetsArbiter& arbiter) { return arbiter.version == version; });
    if (count < kMajority || version == s.in_force) return;
    const Byte named =
        is(SetsMutant::names_version) ? s.replaces_version[change - 1U] : s.replaces[change - 1U];
    const Byte former = is(SetsMutant::names_version) ? s.in_force : s.in_force_change;
    if (change != s.in_force_change && named != former) s.fault = 1;
    if (has(s.superseded, change - 1U)) s.fault = 2;
    s.in_force = version;
    s.in_force_change = change;
  }

  SetsState& s;
  SetsMutant mutant_;
};

}  // namespace

SetsState Sets::initial() const {
  State state;
  state.moves = config_.moves;
  state.lapses = config_.lapses;
  for (std::size_t c = 0; c < kClients; ++c) state.clients[c].member = static_cast<Byte>(c);
  return state;
}

void Sets::steps(const State& state, std::vector<Step>& to) const {
  const auto add = [&](Kind kind, std::size_t first, std::size_t second, std::size_t third,
                       bool is_chance, const auto& change) {
    Step& step = to.emplace_back(Step{state,
                                      {static_cast<Byte>(kind), static_cast<Byte>(first),
                                       static_cast<Byte>(second), static_cast<Byte>(third)},
                                      is_chance});
    Rules rules(step.next, mutant_);
    change(rules, step.next);
    rules.tidy();
  };
  for (std::size_t c = 0; c < kClients; ++c) {
    const SetsClient& client = state.clients[c];
    const std::size_t x = c == 0 ? client.next : config_.changes[0] + client.next;
    if (!client.is_calling && client.next < config_.changes[c])
      add(Kind::call, c, x, 0, false, [&](Rules& rules, State& s) { rules.call(s.clients[c], x); });
    const bool can_move =
        client.is_calling &&
        state.copies[client.change][1U - client.member].mode == SetsCopy::Mode::none;
    if (state.moves > 0 && can_move) {
      add(Kind::move, c, 1U - client.member, 0, true, [&](Rules& rules, State& s) {
        --s.moves;
        rules.move(s.clients[c]);
      });
    }
  }
  for (std::size_t x = 0; x < kChanges; ++x) {
    for (std::size_t m = 0; m < kMembers; ++m) {
      const SetsCopy& copy = state.copies[x][m];
      if (copy.mode == SetsCopy::Mode::coming) {
        add(Kind::arrive, x, m, 0, false,
            [&](Rules&, State& s) { s.copies[x][m].mode = SetsCopy::Mode::waiting; });
      }
      for (const Byte quorum : {Byte{0b011}, Byte{0b101}, Byte{0b110}, Byte{0b111}}) {
        bool is_free = copy.mode == SetsCopy::Mode::waiting;
        for (std::size_t a = 0; a < kArbiters; ++a)
          is_free = is_free && !(has(quorum, a) && state.arbiters[a].vote != 0);
        if (is_free)
          add(Kind::enter, x, m, quorum, false,
              [&](Rules& rules, State&) { rules.enter(x, m, quorum); });
      }
      for (std::size_t a = 0; a < kArbiters; ++a) {
        if (copy.write[a] == Pin::sent)
          add(Kind::write, x, m, a, false, [&](Rules& rules, State&) { rules.on_write(x, m, a); });
      }
      if (copy.mode == SetsCopy::Mode::writing &&
          std::count(copy.write.begin(), copy.write.end(), Pin::written) >= kMajority)
        add(Kind::tell, x, m, 0, false, [&](Rules& rules, State&) { rules.tell(x, m); });
    }
  }
  for (std::size_t a = 0; a < kArbiters; ++a) {
    if (state.lapses > 0 && state.arbiters[a].vote != 0) {
      add(Kind::lapse, a, 0, 0, true, [&](Rules& rules, State& s) {
        --s.lapses;
        rules.lapse(a);
      });
    }
  }
}

std::optional<ModelFault> Sets::fault(const State& state) const {
  switch (state.fault) {
    case 0:
      return {};
    case 1:
      return ModelFault{Property::safety, "a change replaces one that it does not name"};
    case 2:
      return ModelFault{Property::safety, "a change was answered 'superseded', and takes effect"};
    default:
      return ModelFault{Property::safety, "a change is answered 'superseded', and is in force"};
  }
}

bool Sets::is_good_end(const State& state) const {
  for (std::size_t c = 0; c < kClients; ++c) {
    if (state.clients[c].is_calling || state.clients[c].next < config_.changes[c]) return false;
  }
  return true;
}

std::string Sets::describe(const ModelLabel& label) const {
  const auto number = [](Byte value) { return std::to_string(value); };
  const auto change = [](Byte x) { return std::string(1, "STU"[x]); };
  const Byte i = label.first;
  const Byte j = label.second;
  const Byte k = label.third;
  switch (static_cast<Kind>(label.kind)) {
    case Kind::call:
      return std::string(1, "PQ"[i]) + " calls set " + change(j);
    case Kind::arrive:
      return "set " + change(i) + " arrives at M" + number(j);
    case Kind::enter: {
      std::string quorum;
      for (Byte a = 0; a < kArbiters; ++a) {
        if (has(k, a)) quorum += (quorum.empty() ? "" : ",") + number(a);
      }
      return change(i) + " at M" + number(j) + " enters with the votes of {" + quorum + "}";
    }
    case Kind::write:
      return "arbiter " + number(k) + " handles the write of " + change(i) + " of M" + number(j);
    case Kind::tell:
      return "M" + number(j) + " has a quorum of answers to " + change(i);
    case Kind::move:
      return std::string(1, "PQ"[i]) + " moves to M" + number(j);
    case Kind::lapse:
      return "the lease of the vote of arbiter " + number(i) + " lapses";
  }
  return "";
}

}  // namespace coterie::check
