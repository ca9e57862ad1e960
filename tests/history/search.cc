#include "history/search.h"

#include <fmt/format.h>

#include <algorithm>
#include <compare>
#include <cstdint>
#include <limits>
#include <map>
#include <set>
#include <utility>

namespace coterie::history {
namespace {

// More states than this at one answer are not searched: the history has too many calls without an answer.
constexpr std::size_t kMaxStates = 500'000;

constexpr std::size_t kNobody = std::numeric_limits<std::size_t>::max();

struct Inside {
  bool is_lasting = false;
  std::size_t who = 0;  // the call of a leased hold, the number of an owner
  std::size_t group = 0;
  bool is_known = true;           // the token is known; else it exceeds `token`
  std::uint64_t token = 0;        // or what it exceeds
  std::size_t refused = kNobody;  // the call that it came of, if that is refused in the end

  auto operator<=>(const Inside&) const = default;
};

// What the lock may be like at one moment, and which of the open calls have taken effect by then.
struct State {
  std::vector<Inside> inside;      // sorted
  std::vector<std::size_t> taken;  // sorted
  std::set<std::size_t>
      untold;  // owners whose last hold was ended by a release that nobody was told of
  std::uint32_t limit = 1;
  // The greatest token with its group, and the greatest of other groups.
  std::uint64_t top = 0;
  std::size_t top_group = kNobody;
  std::uint64_t other = 0;

  auto operator<=>(const State&) const = default;

  void add(const Inside& entry) {
    inside.insert(std::upper_bound(inside.begin(), inside.end(), entry), entry);
  }
  void take(std::size_t call) {
    taken.insert(std::upper_bound(taken.begin(), taken.end(), call), call);
  }
  bool has_taken(std::size_t call) const {
    return std::binary_search(taken.begin(), taken.end(), call);
  }
  const Inside* find_owner(std::size_t owner) const {
    for (const Inside& entry : inside)
      if (entry.is_lasting && entry.who == owner) return &entry;
    return nullptr;
  }
  bool has_of(std::size_t refused) const {
    return std::any_of(inside.begin(), inside.end(),
                       [&](const Inside& entry) { return entry.refused == refused; });
  }
  void remove(bool is_lasting, std::size_t who) {
    std::erase_if(inside, [&](const Inside& entry) {
      return entry.is_lasting == is_lasting && entry.who == who;
    });
  }
  void know(std::size_t owner, std::uint64_t token) {
    Inside entry = *find_owner(owner);
    remove(true, owner);
    entry.is_known = true;
    entry.token = token;
    add(entry);
  }
};

using States = std::set<State>;

// At the same moment belief ends first and calls begin before others are answered: what touches does not overlap, and
// calls that touch do.
enum class Step : std::uint8_t { end_of_belief, call, answer, close };
struct Event {
  Time at = 0;
  Step step = Step::call;
  std::size_t call = 0;

  auto operator<=>(const Event&) const = default;
};

class Search {
 public:
  explicit Search(const std::vector<const Call*>& calls) : calls_(calls) {
    for (const Call* const call : calls_)
      if (call->act == Act::enter || call->act == Act::hold) kind_ = call->kind;
    State first;
    for (const Call* const call : calls_) {
      if (call->act != Act::enter && call->act != Act::hold) continue;
      first.limit = kind_ == Kind::mutex ? 1 : call->limit;
      break;
    }
    is_ordered_ = kind_ == Kind::mutex || (kind_ == Kind::room && first.limit == 1);
    for (const Call* const call : calls_) is_ordered_ &= call->act != Act::set;
    states_.insert(first);
    for (std::size_t i = 0; i < calls_.size(); ++i) {
      owners_.push_back(number_of("owner " + calls_[i]->owner));
      groups_.push_back(number_of(group_of(i)));
      if (kind_ == Kind::room && !calls_[i]->is_exclusive) shared_.insert(groups_.back());
    }
    plan();
  }

  std::string run() {
    std::sort(events_.begin(), events_.end());
    for (const Event& event : events_) {
      const States before = event.step == Step::answer ? states_ : States{};
      step(event);
      if (is_too_much_) return explain(event, before, "cannot be judged: too many calls are open");
      if (states_.empty()) return explain(event, before, "cannot be explained");
    }
    return "";
  }

 private:
  std::size_t number_of(const std::string& word) {
    return numbers_.try_emplace(word, numbers_.size()).first->second;
  }

  std::string group_of(std::size_t index) const {
    const Call& call = *calls_[index];
    if (kind_ == Kind::room && !call.is_exclusive) return "group " + call.group;
    if (kind_ == Kind::band) return "owner " + call.owner;
    return call.act == Act::enter ? fmt::format("alone {}", index) : "alone of " + call.owner;
  }

  bool has_effect(const Call& call) const {
    if (call.answer == Answer::refused) return false;
    if (call.act != Act::enter) return true;
    return call.answer == Answer::granted && call.until != kNever && call.until > call.answered;
  }

  // A hold is written down before its client is told of it. A release of the same owner that comes in between ends it, and
  // `hold` is refused: it took effect, and was over before it was answered.
  static bool is_refused_hold(const Call& call) {
    return call.act == Act::hold && call.answer == Answer::refused;
  }

  // Calls of an owner follow one another; a change belongs to its client.
  static std::pair<bool, std::string> party_of(const Call& call) {
    return call.act == Act::set ? std::pair(true, call.client) : std::pair(false, call.owner);
  }

  void plan() {
    for (std::size_t i = 0; i < calls_.size(); ++i) {
      const Call& call = *calls_[i];
      if (is_refused_hold(call)) {
        events_.push_back({call.called, Step::call, i});
        events_.push_back({call.answered, Step::close, i});
      }
      if (!has_effect(call)) continue;
      events_.push_back({call.called, Step::call, i});
      if (is_definite(call.answer)) {
        events_.push_back({call.answered, Step::answer, i});
        if (call.act == Act::enter) events_.push_back({call.until, Step::end_of_belief, i});
        continue;
      }
      const Time close = close_of(i);
      if (close != kNever) events_.push_back({close, Step::close, i});
    }
  }

  // When a later call of the same party has its answer, this one has no effect any more. Later is what was called when
  // the client of this one had given up, or had died.
  Time close_of(std::size_t index) const {
    const Call& call = *calls_[index];
    Time close = kNever;
    for (const Call* const later : calls_)
      if (later->act != Act::enter && later->act != Act::look && later->called >= call.answered &&
          is_definite(later->answer) && party_of(*later) == party_of(call))
        close = std::min(close, later->answered);
    return close;
  }

  void step(const Event& event) {
    switch (event.step) {
      case Step::end_of_belief:
        return change([&](State& state) { state.remove(false, event.call); });
      case Step::call:
        open_.insert(event.call);
        return;
      case Step::answer:
        states_ = explain_answer(event.call);
        return forget(event.call);
      case Step::close:  // it has taken effect, or never does
        states_.merge(explain_answer(event.call));
        std::erase_if(states_, [&](const State& state) { return state.has_of(event.call); });
        return forget(event.call);
    }
  }

  void forget(std::size_t call) {
    open_.erase(call);
    change([&](State& state) { std::erase(state.taken, call); });
  }

  template <class Edit>
  void change(const Edit& edit) {
    States changed;
    for (State state : states_) {
      edit(state);
      changed.insert(std::move(state));
    }
    states_ = std::move(changed);
  }

  // The states in which this call has taken effect, after others that are open may have, in every way. If the call is refused
  // in the end, what came of it is over.
  States explain_answer(std::size_t call) {
    States explained;
    States known = states_;
    std::vector<State> todo(states_.begin(), states_.end());
    while (!todo.empty() && !is_too_much_) {
      const State state = std::move(todo.back());
      todo.pop_back();
      if (state.has_taken(call) && !state.has_of(call)) {
        explained.insert(state);
        continue;
      }
      for (const std::size_t next : open_) {
        if (state.has_taken(next)) continue;
        for (State& after : effects(state, next))
          if (known.insert(after).second) todo.push_back(std::move(after));
      }
      is_too_much_ = known.size() > kMaxStates;
    }
    return explained;
  }

  // The states after the call has taken effect in this one: none, if it cannot.
  std::vector<State> effects(const State& state, std::size_t index) const {
    const Call& call = *calls_[index];
    State after = state;
    after.take(index);
    switch (call.act) {
      case Act::enter:
        return only(may_enter(state, index) && add_to(after, index), after);
      case Act::hold:
        return hold(std::move(after), index);
      case Act::release:
        return release(std::move(after), index);
      case Act::set:
        after.limit = call.limit;
        return {after};
      case Act::look:
        return only(is_seen(after, call), after);
    }
    return {};
  }

  static std::vector<State> only(bool is_possible, const State& after) {
    return is_possible ? std::vector<State>{after} : std::vector<State>{};
  }

  bool may_enter(const State& state, std::size_t index) const {
    std::set<std::size_t> groups = {groups_[index]};
    for (const Inside& entry : state.inside) {
      if (kind_ == Kind::band && entry.group == groups_[index]) return false;
      groups.insert(entry.group);
    }
    return groups.size() <= state.limit;
  }

  std::uint64_t bound(const State& state, std::size_t group) const {
    if (!is_ordered_) return 0;
    return state.top_group == group ? state.other : state.top;
  }

  bool add_to(State& state, std::size_t index) const {
    const Call& call = *calls_[index];
    const std::size_t group = groups_[index];
    const bool is_lasting = call.act == Act::hold;
    Inside entry{is_lasting, is_lasting ? owners_[index] : index, group, true, call.token};
    if (is_refused_hold(call)) entry.refused = index;
    if (call.answer != Answer::granted) {
      entry.is_known = false;
      entry.token = bound(state, group);
    } else if (!use(state, group, call.token)) {
      return false;
    }
    if (is_lasting) state.untold.erase(owners_[index]);
    state.add(entry);
    return true;
  }

  bool use(State& state, std::size_t group, std::uint64_t token) const {
    if (!is_ordered_) return true;
    if (token <= bound(state, group)) return false;
    if (token <= state.top) return true;  // of the same group
    if (state.top_group != group) state.other = state.top;
    state.top = token;
    // Each entry of a mutex, and each writer, excludes all others, also an earlier one of its owner.
    state.top_group = is_shared(group) ? group : kNobody;
    return true;
  }
  bool is_shared(std::size_t group) const { return shared_.contains(group); }

  std::vector<State> hold(State after, std::size_t index) const {
    const Call& call = *calls_[index];
    const std::size_t owner = owners_[index];
    const Inside* const had = after.find_owner(owner);
    if (had == nullptr) return only(may_enter(after, index) && add_to(after, index), after);
    if (call.answer != Answer::granted) return {};  // as if it had no effect
    if (had->is_known) return only(had->token == call.token, after);
    if (call.token <= had->token) return {};
    const std::size_t group = had->group;
    if (!use(after, group, call.token)) return {};
    after.know(owner, call.token);
    return {after};
  }

  // Of two calls that end the same hold both may say that it has ended.
  std::vector<State> release(State after, std::size_t index) const {
    const Call& call = *calls_[index];
    const std::size_t owner = owners_[index];
    const bool has_hold = after.find_owner(owner) != nullptr;
    if (call.answer == Answer::absent) return only(!has_hold, after);
    // An end is repeated until somebody is told of it: the next release says that it is done.
    if (!has_hold) return only(call.answer == Answer::done && after.untold.erase(owner) > 0, after);
    after.remove(true, owner);
    if (!is_definite(call.answer)) after.untold.insert(owner);
    std::vector<State> all = {after};
    for (const std::size_t other : open_) {
      const Call& beside = *calls_[other];
      if (after.has_taken(other) || beside.act != Act::release || beside.answer != Answer::done ||
          owners_[other] != owner)
        continue;
      for (std::size_t i = all.size(); i-- > 0;) {
        all.push_back(all[i]);
        all.back().take(other);
        all.back().untold.erase(owner);
      }
    }
    return all;
  }

  bool is_seen(State& state, const Call& call) const {
    std::size_t lasting = 0;
    for (const Inside& entry : state.inside) lasting += entry.is_lasting ? 1 : 0;
    if (lasting != call.seen.size()) return false;
    for (const auto& [name, token] : call.seen) {
      const auto number = numbers_.find("owner " + name);
      const Inside* const had =
          number == numbers_.end() ? nullptr : state.find_owner(number->second);
      if (had == nullptr || (had->is_known ? had->token != token : had->token >= token))
        return false;
      if (!had->is_known) state.know(number->second, token);
    }
    return true;
  }

  // The calls that matter: the one that fails, those that are open, and those of everybody who may be inside, from the
  // last grant on.
  std::string explain(const Event& event, const States& before, const char* what) const {
    std::set<std::size_t> shown(open_.begin(), open_.end());
    shown.insert(event.call);
    std::set<std::size_t> owners = {owners_[event.call]};
    for (const State& state : before)
      for (const Inside& entry : state.inside)
        entry.is_lasting ? owners.insert(entry.who).second : shown.insert(entry.who).second;
    for (const std::size_t owner : owners) show_calls_of(owner, event.at, shown);
    const Call& call = *calls_[event.call];
    const Time origin = calls_.front()->called;
    std::string text = fmt::format("{} {}: {}\n", call.name, what, text_of(call, origin));
    std::size_t number = 0;
    for (const State& state : before) {
      if (++number > 3) break;
      text += fmt::format("  it may be (limit {}):", state.limit);
      for (const Inside& entry : state.inside) text += " " + text_of_entry(entry) + ";";
      text += state.inside.empty() ? " nobody is inside\n" : "\n";
    }
    std::vector<std::pair<Time, std::size_t>> lines;
    for (const std::size_t index : shown) lines.emplace_back(calls_[index]->called, index);
    std::sort(lines.begin(), lines.end());
    for (const auto& [at, index] : lines) text += "  " + text_of(*calls_[index], origin) + "\n";
    return text;
  }

  void show_calls_of(std::size_t owner, Time now, std::set<std::size_t>& shown) const {
    Time from = std::numeric_limits<Time>::min();
    for (std::size_t i = 0; i < calls_.size(); ++i) {
      const Call& call = *calls_[i];
      if (owners_[i] == owner && call.act == Act::hold && call.answered < now)
        from = std::max(from, call.called);
    }
    for (std::size_t i = 0; i < calls_.size(); ++i) {
      const Call& call = *calls_[i];
      if (owners_[i] == owner && !call.owner.empty() && call.called >= from && call.called < now)
        shown.insert(i);
    }
  }

  std::string text_of_entry(const Inside& entry) const {
    std::string who;
    if (!entry.is_lasting) who = calls_[entry.who]->client;
    for (const auto& [word, number] : numbers_)
      if (entry.is_lasting && number == entry.who) who = word;
    return fmt::format("{} ({}{})", who, entry.is_known ? "token " : "token above ", entry.token);
  }

  const std::vector<const Call*>& calls_;
  Kind kind_ = Kind::mutex;
  bool is_ordered_ = false;  // tokens of all that exclude one another grow
  std::map<std::string, std::size_t> numbers_;
  std::vector<std::size_t> owners_;
  std::vector<std::size_t> groups_;
  std::set<std::size_t> shared_;  // groups of a room, but for writers
  std::vector<Event> events_;
  std::set<std::size_t> open_;
  States states_;
  bool is_too_much_ = false;
};

}  // namespace

std::string fault_of_order(const std::vector<const Call*>& calls) {
  return calls.empty() ? "" : Search(calls).run();
}

}  // namespace coterie::history
