// A member and its clients.
#include <algorithm>
#include <utility>

#include "base/assert.h"
#include "member/api.h"
#include "member/member.h"

namespace coterie::member {

void Member::open(SessionId session, std::string label, std::uint64_t beat, Instant now) {
  if (is_stopping_) return out_.tell(session, Ended{});
  begin(now);
  const auto [place, is_new] = sessions_.try_emplace(session);
  COTERIE_ASSERT(is_new);
  place->second.label = std::move(label);
  place->second.beat = beat;
  place->second.received = now;
  session_ends_.emplace(now + config_.session, session);
  finish();
}

// Its session is over when the process is.
void Member::open_resident(SessionId session, std::string label, Instant now) {
  open(session, std::move(label), 0, now);
  if (Session* const known = find_session(session))
    known->received = Instant::never() - config_.session;
}

Member::Session* Member::find_session(SessionId id) {
  const auto place = sessions_.find(id);
  return place != sessions_.end() ? &place->second : nullptr;
}

void Member::keep_alive(SessionId session, std::uint64_t beat, Instant now) {
  if (is_done()) return out_.tell(session, Ended{});
  begin(now);
  tick_sessions();
  Session* const known = find_session(session);
  if (known == nullptr) {
    out_.tell(session, Ended{});
    return finish();
  }
  if (beat > known->beat && !is_stopping_) {
    known->beat = beat;
    known->received = now;
  }
  Kept kept;
  // Nearly always no lease is short, and nothing needs to be said of single holds.
  const Instant usual = std::max(shortest_lease(), now_ + config_.lease / 2);
  kept.good = good(*known, usual);
  if (shortest_lease() < usual) {
    for (const auto& [request, claim] : known->claims) {
      if (!claim->is_inside || !claim->owner.empty()) continue;
      if (const Instant until = good_until(*claim); until < usual)
        kept.shorter.emplace_back(request, good(*known, until));
    }
    std::sort(kept.shorter.begin(), kept.shorter.end(),
              [](const auto& a, const auto& b) { return a.first < b.first; });
  }
  for (const RequestId request : std::exchange(known->untold, {})) {
    const auto claim = known->claims.find(request);
    if (claim != known->claims.end() && !claim->second->is_inside)
      kept.places.emplace_back(request, claim->second->place);
  }
  out_.tell(session, kept);
  finish();
}

Instant Member::shortest_lease() const {
  Instant shortest = Instant::never();
  for (const auto& link : links_) {
    if (link && link->is_up()) shortest = std::min(shortest, link->leased_until());
  }
  return shortest;
}

Good Member::good(const Session& session, Instant until) const {
  if (until >= session.received + config_.session) return {session.beat, config_.session};
  return {session.beat, until - session.received};
}

// As long as the lease of every arbiter of some quorum of those that voted.
Instant Member::good_until(const Claim& claim) const {
  std::vector<std::pair<Instant, NodeId>> leases;
  for (const NodeId voter : places_.at(claim.name).resource->voters(claim)) {
    leases.emplace_back(voter == config_.self ? Instant::never() : link(voter).leased_until(),
                        voter);
  }
  std::sort(leases.begin(), leases.end(), std::greater<>());
  NodeSet longest = setting_.none();
  for (const auto& [until, voter] : leases) {
    longest.insert(voter);
    if (setting_.system().write().contains_quorum(longest)) return until;
  }
  return now_;
}

Instant Member::good_until(SessionId session, RequestId request) const {
  const auto known = sessions_.find(session);
  if (known == sessions_.end()) return Instant{};
  const auto claim = known->second.claims.find(request);
  if (claim == known->second.claims.end() || !claim->second->is_inside) return Instant{};
  return std::min(good_until(*claim->second), known->second.received + config_.session);
}

void Member::acquire(SessionId session, const Wish& wish, Instant now) {
  if (is_stopping_)
    return out_.tell(session, Refused{wish.request, Refusal::stopping, "the member is stopping"});
  begin(now);
  tick_sessions();
  recall(wish.name);
  Session* const known = find_session(session);
  if (known == nullptr) {
    out_.tell(session, Ended{});
  } else if (const auto refusal = refusal_of(*known, wish)) {
    tally_.count(Happened::refused);
    out_.tell(session, *refusal);
  } else if (const auto mismatch = mismatch_of(wish)) {
    tally_.count(Happened::refused);
    out_.tell(session, *mismatch);
  } else if (const auto owned = refusal_of_owner(wish)) {
    tally_.count(Happened::refused);
    out_.tell(session, *owned);
  } else {
    Claim& claim = new_claim(session, wish);
    wish.ticket ? show_ticket(claim) : touch(wish.name, wish.kind).resource->acquire(claim);
    if (const auto made = known->claims.find(wish.request);
        made != known->claims.end() && !made->second->is_inside)
      known->untold.push_back(wish.request);
  }
  finish();
}

Claim& Member::new_claim(SessionId session, RequestId request, const std::string& name,
                         const Kind& kind) {
  auto claim = std::make_unique<Claim>();
  claim->session = session;
  claim->request = request;
  claim->name = name;
  claim->kind = kind;
  claim->since = now_;
  Session& known = sessions_.at(session);
  known.names.try_emplace(name, request);  // the end of a hold is asked for beside what is held
  ++claims_;
  return *(known.claims[request] = std::move(claim));
}

Claim& Member::new_errand(SessionId session, RequestId request, const std::string& name,
                          const Kind& kind) {
  Claim& claim = new_claim(session, request, name, kind);
  claim.is_errand = true;
  ++sessions_.at(session).errands;
  return claim;
}

void Member::erase(Session& session, const Claim& claim) {
  --claims_;
  if (claim.is_errand) --session.errands;
  const auto named = session.names.find(claim.name);
  if (named != session.names.end() && named->second == claim.request) session.names.erase(named);
  session.claims.erase(claim.request);
}

// Of what a client says of the past, no more than can be counted with: ten years.
constexpr Duration kLongestHeld = Duration::seconds(std::int64_t{10} * 365 * 24 * 3600);

Claim& Member::new_claim(SessionId session, const Wish& wish) {
  Claim& claim = new_claim(session, wish.request, wish.name, wish.kind);
  claim.groups = wish.groups;
  claim.ticket = wish.ticket;
  if (claim.ticket) claim.ticket->held = std::clamp(claim.ticket->held, Duration{}, kLongestHeld);
  if (wish.ticket && wish.kind.type == Type::room) {
    claim.groups = {wish.ticket->group};
  } else if (wish.is_alone) {
    claim.groups = {name_of_its_own()};
  }
  claim.secret = wish.secret;
  claim.place = clock_.now;  // whatever place it says to have had elsewhere: nothing proves that
  claim.owner = wish.owner;
  claim.attempt = wish.attempt;
  claim.seen = std::min(wish.seen, kMostNumber);
  claim.is_try = wish.is_try;
  if (wish.is_try) claim.gives_up = now_ + config_.suspect_after * 2;
  // No client believes for longer in what it shows.
  const Duration wait = wish.ticket ? std::min(wish.wait, config_.session) : wish.wait;
  if (wait > Duration{}) claim.gives_up = std::min(claim.gives_up, now_ + wait);
  return claim;
}

// No other client's: neither of this member, nor of its other lives, nor of other members. Others see it, so
// it must not tell the session, which is a secret.
std::string Member::name_of_its_own() {
  return kAlone + config_.names[config_.self] + '.' + std::to_string(incarnation_) + '.' +
         std::to_string(++last_alone_);
}

Member::Standing Member::standing(SessionId session) const {
  Standing standing;
  const auto known = sessions_.find(session);
  if (known == sessions_.end()) return standing;
  for (const auto& [request, claim] : known->second.claims) {
    if (claim->is_inside && claim->owner.empty()) {
      standing.inside.push_back({request, claim->group, claim->token,
                                 good(known->second, good_until(*claim)),
                                 places_.at(claim->name).resource->origin(*claim), claim->secret});
    } else {
      standing.waiting.push_back(request);
    }
  }
  return standing;
}

void Member::release(SessionId session, RequestId request, Instant now, const Leave& how) {
  if (is_done()) return;
  begin(now);
  tick_sessions();
  Session* const known = find_session(session);
  if (known == nullptr) {
    out_.tell(session, Ended{});
    return finish();
  }
  const auto answer = [&](const Event& event) {
    if (!how.is_quiet) out_.tell(session, event);
  };
  const auto place = known->claims.find(request);
  if (place == known->claims.end()) {
    answer(Refused{request, Refusal::unknown, "there is no request " + std::to_string(request)});
    return finish();
  }
  Claim& claim = *place->second;
  claim.is_released = true;
  const bool is_guest = claim.is_inside && claim.owner.empty();
  if (is_guest && how.is_abandonment) {
    drop(*known, request);
    answer(Left{request});
  } else if (is_guest) {
    claim.is_try = how.is_try;
    if (how.is_try) claim.gives_up = now + config_.suspect_after * 2;
    if (how.wait > Duration{}) claim.gives_up = std::min(claim.gives_up, now + how.wait);
    if (find(claim.name)->resource->leave(claim)) left(claim);
  } else if ((claim.is_inside && !claim.is_burying) || is_settling(claim)) {
    // Arbiters write it down, or have: its client is told how it came out when that is decided.
    give_up_writing(claim);
  } else {
    drop(*known, request);
    tally_.count(Happened::cancelled);
    answer(Refused{request, Refusal::cancelled, "it was cancelled"});
  }
  finish();
}

void Member::give_up_writing(Claim& claim) {
  if (is_settling(claim)) return;
  find(claim.name)->resource->drop(claim);
  tally_.count(Happened::cancelled);
  withdraw(claim, Refusal::cancelled, "it was cancelled");
}

void Member::stay(SessionId session, RequestId request, Instant now) {
  if (is_done()) return;
  begin(now);
  if (const Session* const known = find_session(session)) {
    const auto place = known->claims.find(request);
    if (place != known->claims.end() && place->second->is_leaving) {
      find(place->second->name)->resource->stay(*place->second);
      stays(*place->second, "it was cancelled");
    }
  }
  finish();
}

void Member::confirm(SessionId session, RequestId request, Instant now) {
  if (is_done()) return;
  begin(now);
  if (const Session* const known = find_session(session)) {
    const auto place = known->claims.find(request);
    if (place != known->claims.end() && place->second->is_inside && place->second->ticket)
      find(place->second->name)->resource->confirm(*place->second);
  }
  finish();
}

Number Member::lend(SessionId session, RequestId request, Number users, Instant now) {
  if (is_stopping_) return 0;
  begin(now);
  Number last = 0;
  if (const Session* const known = find_session(session)) {
    const auto place = known->claims.find(request);
    const bool is_leased =
        place != known->claims.end() && place->second->is_inside && place->second->owner.empty();
    if (is_leased && users <= protocol::kStride)
      last = find(place->second->name)->resource->lend(*place->second, users);
  }
  finish();
  return last;
}

void Member::drop(Session& session, RequestId request) {
  Claim& claim = *session.claims.at(request);
  if (claim.is_inside) tally_.count(Happened::left);
  drop_errand(claim);
  if (claim.bundle != nullptr || claim.seat != nullptr) find(claim.name)->resource->drop(claim);
  erase(session, claim);
}

void Member::drop_errand(Claim& claim) {
  drop_reform(claim);
  drop_ending(claim);
  drop_settling(claim);
  showings_.erase(claim.showing);
  if (Place* const place = find(claim.name)) place->resource->drop_errand(claim);
}

void Member::drop_all(Session& session) {
  while (!session.claims.empty()) drop(session, session.claims.begin()->first);
}

void Member::close(SessionId session, Instant now) {
  if (is_done()) return;
  begin(now);
  if (Session* const known = find_session(session)) {
    // What is being written down for an owner may be found by it elsewhere.
    for (const auto& [request, claim] : known->claims) claim->is_released = claim->owner.empty();
    drop_all(*known);
    sessions_.erase(session);
  }
  finish();
}

// Some at a time, as tick_places. A client whose session should be over may find it alive, as if this member were slower.
void Member::tick_sessions() {
  constexpr std::size_t kMostAtOnce = 2'048;
  const std::size_t enough = claims_ - std::min(claims_, kMostAtOnce);
  while (!session_ends_.empty() && session_ends_.top().first <= now_ && claims_ >= enough) {
    const SessionId id = session_ends_.top().second;
    session_ends_.pop();
    Session* const session = find_session(id);
    if (session == nullptr) continue;
    if (const Instant end = session->received + config_.session; end > now_) {
      if (end != Instant::never()) session_ends_.emplace(end, id);
      continue;
    }
    tally_.count(Happened::session_lapsed);
    drop_all(*session);
    sessions_.erase(id);
    out_.tell(id, Ended{});
  }
}

void Member::stop(Instant now) {
  if (is_stopping_) return;
  begin(now);
  is_stopping_ = true;
  // Before the clients know: they will show their tickets elsewhere.
  each_resource([](Resource& resource) { resource.tell_keys(); });
  for (auto& [id, session] : sessions_) {
    std::vector<Claim*> waiting;
    for (const auto& [request, claim] : session.claims) {
      if (!claim->is_inside) waiting.push_back(claim.get());
    }
    for (Claim* const claim : waiting) {
      drop_errand(*claim);
      if (claim->bundle != nullptr || claim->seat != nullptr)
        find(claim->name)->resource->drop(*claim);
      refused(*claim, Refusal::stopping, "the member is stopping");
    }
    out_.tell(id, Stopping{});
  }
  finish();
}

// Nobody who was our client believes any more: now the others may be told so.
void Member::stop_if_empty() {
  if (!is_stopping_ || !sessions_.empty()) return;
  each_resource([](Resource& resource) { resource.give_back(); });
  deliver_to_itself();
  is_stopped_ = true;
}

void Member::granted(Claim& claim, const std::string& group) {
  claim.group = group;
  const Session& session = sessions_.at(claim.session);
  out_.tell(claim.session,
            Granted{claim.request, group, claim.token, good(session, good_until(claim)),
                    places_.at(claim.name).resource->origin(claim), claim.secret});
}

void Member::lost(Claim& claim) {
  out_.tell(claim.session, Lost{claim.request});
  forget(claim);
}

void Member::refused(Claim& claim, Refusal why, const std::string& text) {
  tally_.count(Happened::refused);
  out_.tell(claim.session, Refused{claim.request, why, text});
  forget(claim);
}

void Member::left(Claim& claim) {
  tally_.count(Happened::left);
  out_.tell(claim.session, Left{claim.request});
  forget(claim);
}

void Member::taken_back(Claim& claim) {
  tally_.count(Happened::left);
  forget(claim);
}

void Member::stays(Claim& claim, const std::string& text) {
  tally_.count(Happened::stayed);
  claim.gives_up = Instant::never();
  out_.tell(claim.session, Refused{claim.request, Refusal::must_stay, text});
  if (claim.is_burying) forget(claim);
}

// Who is in a band may have to stay: what it has is looked up before it ends.
void Member::lasts(Claim& claim) {
  if (claim.kind.type != Type::band) given_.add(claim.name, claim.owner, claim.token);
  out_.tell(claim.session, Lasts{claim.request, claim.group, claim.token});
  forget(claim);
}

void Member::recall(const std::string& name) {
  if (Place* const place = find(name)) place->resource->recall();
}

bool Member::recall(Claim& claim) {
  claim.is_lent = false;
  const std::optional<Number> token = out_.recall(claim.session, claim.request);
  if (token && *token != 0) claim.token = *token;
  return !token;
}

void Member::forget(Claim& claim) { erase(sessions_.at(claim.session), claim); }

std::string Member::label(const Claim& claim) const { return sessions_.at(claim.session).label; }

}  // namespace coterie::member
