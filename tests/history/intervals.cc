#include "history/intervals.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

namespace coterie::history {
namespace {

bool is_granted(const Call& call) {
  return (call.act == Act::enter || call.act == Act::hold) && call.answer == Answer::granted;
}

Time later(Time time, Time by) { return time >= kNever - by ? kNever : time + by; }

// One entry, by however many calls it was told, with the shortest and the longest time that it may have been inside.
struct Stay {
  const Call* call = nullptr;
  std::string who;
  std::string group;
  std::uint64_t token = 0;
  Time asked = 0;         // it was not inside before
  Time from = 0;          // it was inside for certain
  Time until = kNever;    // to here
  Time gone = kNever;     // it was not inside any more
  Time leaving = kNever;  // when it asked to leave in good order
  Time left = kNever;     // and was told that it had
};

// When the hold that this call was told of may have been asked for first: by a call of the same owner without a definite
// answer, if no later call had one in between.
Time asked_for(const std::vector<const Call*>& of_owner, const Call& told) {
  Time asked = told.called;
  for (const Call* const call : of_owner) {
    if (call->act != Act::hold || is_definite(call->answer)) continue;
    // A later call shows that this one left no hold, or another one.
    const bool is_settled = std::any_of(of_owner.begin(), of_owner.end(), [&](const Call* later) {
      const bool is_other = later->act == Act::release
                                ? later->answer == Answer::done || later->answer == Answer::absent
                                : later->answer == Answer::granted && later->token != told.token;
      return is_other && later->called >= call->answered && later->answered < told.called;
    });
    if (!is_settled) asked = std::min(asked, call->called);
  }
  return asked;
}

// Which release ended a hold is not known: the first that may have.
void find_end(const std::vector<const Call*>& of_owner, Stay& stay) {
  for (const Call* const call : of_owner) {
    if (call->act != Act::release || call->answer == Answer::refused ||
        call->answer == Answer::absent || call->answered < stay.from)
      continue;
    stay.until = std::min(stay.until, call->called);
    if (call->answer != Answer::done || call->answered >= stay.left) continue;
    stay.gone = call->answered;
    stay.leaving = call->called;
    stay.left = call->answered;
  }
}

void add_lasting(const std::vector<const Call*>& calls, std::vector<Stay>& stays) {
  std::map<std::string, std::vector<const Call*>> owners;
  for (const Call* const call : calls)
    if (call->act == Act::hold || call->act == Act::release) owners[call->owner].push_back(call);
  for (const auto& [owner, of_owner] : owners) {
    std::map<std::uint64_t, Stay> holds;  // by token
    for (const Call* const call : of_owner) {
      if (call->act != Act::hold || call->answer != Answer::granted) continue;
      const Time asked = asked_for(of_owner, *call);
      const auto [place, is_new] = holds.try_emplace(call->token);
      Stay& stay = place->second;
      if (is_new) stay = {call, owner, call->group, call->token, asked, call->answered};
      stay.asked = std::min(stay.asked, asked);
      stay.from = std::min(stay.from, call->answered);
    }
    for (auto& [token, stay] : holds) {
      find_end(of_owner, stay);
      stays.push_back(stay);
    }
  }
}

std::vector<Stay> stays_of(const std::vector<const Call*>& calls, Time grace) {
  std::vector<Stay> stays;
  add_lasting(calls, stays);
  for (const Call* const call : calls) {
    if (call->act != Act::enter && call->act != Act::hold) continue;
    if (call->act == Act::hold && call->answer == Answer::granted) continue;
    const std::string who = call->owner.empty() ? call->client : call->owner;
    Stay stay{call, who, call->group, call->token, call->called, kNever, 0};
    if (!is_granted(*call)) {  // it may have been inside for a while
      stay.gone = later(call->answered, grace);
    } else if (call->until != kNever) {
      stay.from = call->answered;
      stay.until = call->until;
      stay.gone = call->left != kNever ? call->left : later(call->until, grace);
      stay.leaving = call->leave_called;
      stay.left = call->left;
    }
    stays.push_back(stay);
  }
  return stays;
}

// The moment from which the floor is armed for certain: an entrant has counted `min`, itself among them.
Time armed_at(const std::vector<Stay>& stays, std::uint32_t min) {
  Time armed = kNever;
  for (const Stay& entrant : stays) {
    if (entrant.from == kNever) continue;
    std::size_t inside = 0;
    for (const Stay& other : stays)
      if (&other == &entrant || (other.from <= entrant.asked && other.until >= entrant.from))
        ++inside;
    if (inside >= min) armed = std::min(armed, entrant.from);
  }
  return armed;
}

std::size_t others_at(const std::vector<Stay>& stays, const Stay& leaver, Time at) {
  std::set<std::string> others;
  for (const Stay& other : stays)
    if (other.who != leaver.who && other.asked <= at && other.gone >= at) others.insert(other.who);
  return others.size();
}

bool may_leave(const std::vector<Stay>& stays, const Stay& leaver, std::uint32_t min) {
  if (others_at(stays, leaver, leaver.leaving) >= min) return true;
  for (const Stay& other : stays)
    if (other.asked > leaver.leaving && other.asked <= leaver.left &&
        others_at(stays, leaver, other.asked) >= min)
      return true;
  return false;
}

// Of a room: when the token of this entry may have been asked for first. A client that moves to another member, or gives up, leaves
// its request behind: its former member lets it in, for as long as the session lasts, and clients of that member join it.
Time token_asked(const std::vector<const Call*>& calls, const Stay& stay, Time grace) {
  Time asked = stay.asked;
  for (const Call* const call : calls) {
    const bool is_entry = call->act == Act::enter || call->act == Act::hold;
    if (!is_entry || call->answer == Answer::granted || call->group != stay.group) continue;
    if (call->called <= stay.from && later(call->answered, grace) >= stay.asked)
      asked = std::min(asked, call->called);
  }
  return asked;
}

}  // namespace

std::string fault_of_tokens(const std::vector<const Call*>& calls, Time grace) {
  const auto first = std::find_if(calls.begin(), calls.end(), [](const Call* call) {
    return call->act == Act::enter || call->act == Act::hold;
  });
  if (first == calls.end()) return "";
  const bool is_room = (*first)->kind == Kind::room;
  if ((*first)->kind == Kind::mutex || (is_room && (*first)->limit == 1)) return "";
  std::vector<Stay> stays = stays_of(calls, 0);
  std::erase_if(stays, [](const Stay& stay) { return stay.from == kNever; });
  for (Stay& stay : stays)
    if (is_room && stay.call->act == Act::enter && !stay.call->is_exclusive)
      stay.asked = token_asked(calls, stay, grace);
  const Time origin = calls.front()->called;
  const auto tell = [&](const char* what, const Stay& one, const Stay& other) {
    return fmt::format("{}: {}\n  {}\n  {}\n", one.call->name, what, text_of(*one.call, origin),
                       text_of(*other.call, origin));
  };
  std::map<std::uint64_t, const Stay*> known;
  std::set<const Stay*> joined;  // in a room, by the token of its group
  for (const Stay& stay : stays) {
    const auto [place, is_new] = known.try_emplace(stay.token, &stay);
    if (is_new) continue;
    if (!is_room || place->second->group != stay.group)
      return tell("two entries have the same token", *place->second, stay);
    joined.insert(&stay);
    joined.insert(place->second);
  }
  std::vector<const Stay*> by_end;
  std::vector<const Stay*> by_call;
  for (const Stay& stay : stays) {
    const bool is_lasting = stay.call->act == Act::hold;
    if ((is_lasting ? stay.gone : stay.until) != kNever) by_end.push_back(&stay);
    by_call.push_back(&stay);
  }
  const auto end_of = [](const Stay* stay) {
    return stay->call->act == Act::hold ? stay->gone : stay->until;
  };
  std::sort(by_end.begin(), by_end.end(),
            [&](const Stay* a, const Stay* b) { return end_of(a) < end_of(b); });
  std::sort(by_call.begin(), by_call.end(),
            [](const Stay* a, const Stay* b) { return a->asked < b->asked; });
  const Stay* greatest = nullptr;
  std::size_t gone = 0;
  for (const Stay* const stay : by_call) {
    for (; gone < by_end.size() && end_of(by_end[gone]) < stay->asked; ++gone)
      if (greatest == nullptr || by_end[gone]->token > greatest->token) greatest = by_end[gone];
    if (greatest != nullptr && stay->token <= greatest->token && !joined.contains(stay))
      return tell("a token does not exceed that of an entry that had gone", *stay, *greatest);
  }
  return "";
}

std::string fault_of_floor(const std::vector<const Call*>& calls, Time grace) {
  std::uint32_t min = 0;
  for (const Call* const call : calls)
    if (call->kind == Kind::band && (call->act == Act::enter || call->act == Act::hold))
      min = call->min;
  if (min == 0) return "";
  const std::vector<Stay> stays = stays_of(calls, grace);
  const Time armed = armed_at(stays, min);
  for (const Stay& leaver : stays) {
    if (leaver.left == kNever || leaver.leaving <= armed || may_leave(stays, leaver, min)) continue;
    const Time origin = calls.front()->called;
    std::string text =
        fmt::format("{}: too few stay: {} leaves, of whom {} must stay\n  {}\n", leaver.call->name,
                    leaver.who, min, text_of(*leaver.call, origin));
    for (const Stay& other : stays)
      if (other.asked <= leaver.left && other.gone >= leaver.leaving && &other != &leaver)
        text += "  " + text_of(*other.call, origin) + "\n";
    return text;
  }
  return "";
}

std::string fault_of_loss(const std::vector<const Call*>& calls) {
  for (const Call* const call : calls) {
    if (call->act != Act::enter || call->answer != Answer::granted || call->until == kNever)
      continue;
    const Time origin = calls.front()->called;
    if (call->was_lost && call->until > call->promised)
      return fmt::format("{}: belief goes on after the loss was told\n  {}\n", call->name,
                         text_of(*call, origin));
    if (!call->was_lost && call->left != kNever && call->leave_called > call->until)
      return fmt::format("{}: it was over, and is said to be released\n  {}\n", call->name,
                         text_of(*call, origin));
  }
  return "";
}

}  // namespace coterie::history
