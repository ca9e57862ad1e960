#include "member/lasting.h"

#include <algorithm>
#include <utility>

#include "member/claim.h"

namespace coterie::member {

namespace {

bool is_about(const Lasting& lasting, const std::string& owner, Number token,
              const Attempt& attempt) {
  const bool is_token = token != 0 && lasting.token == token;
  const bool is_attempt = !attempt.is_none() && lasting.attempt == attempt;
  return lasting.owner == owner && (is_token || is_attempt);
}

}  // namespace

Lastings::Known* Lastings::find(const std::string& owner, Number token, const Attempt& attempt) {
  const auto place = std::find_if(all_.begin(), all_.end(), [&](const Known& known) {
    return known.lasting.token == token && known.lasting.owner == owner &&
           (token != 0 || known.lasting.attempt == attempt);
  });
  return place != all_.end() ? &*place : nullptr;
}

std::vector<Number> Lastings::tokens_of(const std::string& owner) const {
  std::vector<Number> tokens;
  for (const Known& known : all_) {
    if (known.lasting.owner == owner && known.lasting.is_live())
      tokens.push_back(known.lasting.token);
  }
  return tokens;
}

std::vector<Number> Lastings::tokens_of(const std::string& owner, const Attempt& attempt) const {
  std::vector<Number> tokens;
  for (const Known& known : all_) {
    if (known.lasting.owner == owner && known.lasting.is_live() && known.lasting.attempt == attempt)
      tokens.push_back(known.lasting.token);
  }
  return tokens;
}

Number Lastings::ended_of(const std::string& owner) const {
  Number ended = 0;
  for (const Known& known : all_) {
    if (known.lasting.owner == owner && known.lasting.is_over())
      ended = std::max(ended, known.lasting.token);
  }
  return ended;
}

bool Lastings::is_barred(const std::string& owner, Number token, const Attempt& attempt) const {
  return std::any_of(all_.begin(), all_.end(), [&](const Known& known) {
    const Lasting& lasting = known.lasting;
    const bool is_bar = lasting.is_over() || lasting.is_denied;
    return is_bar && is_about(lasting, owner, token, attempt);
  });
}

template <class Is>
const Lasting* Lastings::find_about(const std::string& owner, Number token, const Attempt& attempt,
                                    const Is& is) const {
  const auto found = std::find_if(all_.begin(), all_.end(), [&](const Known& known) {
    return is(known.lasting) && is_about(known.lasting, owner, token, attempt);
  });
  return found != all_.end() ? &found->lasting : nullptr;
}

const Lasting* Lastings::find_given(const std::string& owner, Number token,
                                    const Attempt& attempt) const {
  return find_about(owner, token, attempt, [](const Lasting& one) { return one.is_given(); });
}

const Lasting* Lastings::find_vouched(const std::string& owner, Number token,
                                      const Attempt& attempt) const {
  return find_about(owner, token, attempt, [](const Lasting& one) { return one.is_vouched; });
}

Lastings::Known& Lastings::add(Lasting lasting, Instant now) {
  return all_.emplace_back(Known{std::move(lasting), NodeSet(members_), now});
}

bool Lastings::is_denied(const std::string& owner, Number token, const Attempt& attempt) const {
  return find_about(owner, token, attempt, [](const Lasting& one) { return one.is_denied; }) !=
         nullptr;
}

bool Lastings::is_torn(const std::string& owner, Number token, const Attempt& attempt) const {
  return is_denied(owner, token, attempt) && find_vouched(owner, token, attempt) != nullptr;
}

bool Lastings::contradicts(const Lasting& lasting) const {
  const auto is_for = [](const Lasting& one) {
    return one.is_vouched || (one.is_live() && !one.is_denied);
  };
  const auto& [owner, token, group, stage, attempt, is_denied, is_vouched, given_at] = lasting;
  return (is_denied && find_about(owner, token, attempt, is_for) != nullptr) ||
         (is_for(lasting) && this->is_denied(owner, token, attempt));
}

void Lastings::tear(const Lasting& lasting) {
  for (Known& known : all_) {
    if (!is_about(known.lasting, lasting.owner, lasting.token, lasting.attempt)) continue;
    known.lasting.is_denied = known.lasting.is_vouched = !known.lasting.is_over();
  }
}

void Lastings::forget_vouching(const std::string& owner, const Attempt& attempt) {
  for (Known& known : all_) {
    if (is_about(known.lasting, owner, 0, attempt)) known.lasting.is_vouched = false;
  }
}

void Lastings::lapse(NodeId peer) {
  for (Known& known : all_) known.told.erase(peer);
}

std::map<std::string_view, Number> Lastings::last_ends() const {
  std::map<std::string_view, Number> last;
  for (const Known& known : all_) {
    if (!known.lasting.is_over() || !is_known_to_all(known)) continue;
    Number& token = last[known.lasting.owner];
    token = std::max(token, known.lasting.token);
  }
  return last;
}

namespace {

// An attempt that is over has no token, and stands for itself.
bool is_last(const Lasting& lasting, const std::map<std::string_view, Number>& last_ends) {
  const auto last = last_ends.find(lasting.owner);
  return lasting.token == 0 || last == last_ends.end() || lasting.token >= last->second;
}

}  // namespace

std::vector<Lasting> Lastings::forget(Instant now, const Memory& memory) {
  std::vector<Lasting> gone;
  const auto last = last_ends();
  for (Known& known : all_) {
    const bool is_settled = known.lasting.is_over() && is_known_to_all(known);
    const Duration after = is_last(known.lasting, last) ? memory.last : memory.other;
    known.is_due = (is_settled || known.lasting.is_absent()) && known.since + after <= now;
    if (known.is_due) gone.push_back(known.lasting);
  }
  if (!gone.empty()) std::erase_if(all_, [](const Known& known) { return known.is_due; });
  return gone;
}

Instant Lastings::due(const Memory& memory) const {
  Instant due = Instant::never();
  const auto last = last_ends();
  for (const Known& known : all_) {
    due = std::min(due, known.spread_at);
    if (!known.lasting.is_absent() && !(known.lasting.is_over() && is_known_to_all(known)))
      continue;
    due = std::min(due, known.since + (is_last(known.lasting, last) ? memory.last : memory.other));
  }
  return due;
}

std::vector<Lasting> Lastings::lastings() const {
  std::vector<Lasting> lastings;
  lastings.reserve(all_.size());
  for (const Known& known : all_) lastings.push_back(known.lasting);
  return lastings;
}

std::vector<Claim*> Lastings::take_waiting(const Lasting& lasting) {
  const auto first = std::stable_partition(waiting_.begin(), waiting_.end(), [&](const Claim* it) {
    return it->token != lasting.token || it->owner != lasting.owner;
  });
  std::vector<Claim*> taken(first, waiting_.end());
  waiting_.erase(first, waiting_.end());
  return taken;
}

}  // namespace coterie::member
