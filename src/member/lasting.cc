#include "member/lasting.h"

#include <algorithm>
#include <utility>

#include "member/claim.h"

namespace coterie::member {

Lastings::Known* Lastings::find(const std::string& owner, Number token) {
  const auto place = std::find_if(all_.begin(), all_.end(), [&](const Known& known) {
    return known.lasting.token == token && known.lasting.owner == owner;
  });
  return place != all_.end() ? &*place : nullptr;
}

std::vector<Number> Lastings::tokens_of(const std::string& owner) const {
  std::vector<Number> tokens;
  for (const Known& known : all_) {
    if (known.lasting.owner == owner && !known.lasting.is_over())
      tokens.push_back(known.lasting.token);
  }
  return tokens;
}

Lastings::Known& Lastings::add(Lasting lasting, Instant now) {
  return all_.emplace_back(Known{std::move(lasting), NodeSet(members_), now});
}

std::vector<Lasting> Lastings::forget(Instant now, Duration after) {
  std::vector<Lasting> gone;
  std::erase_if(all_, [&](const Known& known) {
    if (!known.lasting.is_over() || !is_known_to_all(known) || known.since + after > now)
      return false;
    gone.push_back(known.lasting);
    return true;
  });
  return gone;
}

Instant Lastings::due(Duration after) const {
  Instant due = Instant::never();
  for (const Known& known : all_) {
    due = std::min(due, known.spread_at);
    if (known.lasting.is_over() && is_known_to_all(known)) due = std::min(due, known.since + after);
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
