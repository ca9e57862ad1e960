// Lasting holds, the same for all kinds of names: see lasting.h.
#include <algorithm>
#include <utility>

#include "base/assert.h"
#include "member/resource.h"

namespace coterie::member {

Keepsake Resource::keepsake() const { return {kind_, terms(), lastings_.lastings()}; }

void Resource::save() {
  host_.keep(name_, keepsake());
  for (Lastings::Known& known : lastings_.all()) known.is_noted = false;
}

void Resource::note() { host_.note(name_, keepsake()); }

// Only what is new is written again: a member without its disk hears the same of many. And only when all of it is there:
// what is on the disk must not be less for a moment.
void Resource::restore(const Keepsake& keepsake, bool is_hearsay) {
  const Bytes before = packed(this->keepsake());
  for (const Lasting& lasting : keepsake.lastings) {
    Lastings::Known* const known = lastings_.find(lasting.owner, lasting.token, lasting.attempt);
    const bool is_torn = is_hearsay && lastings_.contradicts(lasting);
    Lasting heard = lasting;
    if (is_hearsay && lasting.is_live() && !lasting.is_given())
      heard.stage = Lasting::Stage::doubtful;
    if (lasting.is_over()) {
      if (end(lasting.owner, lasting.token, lasting.attempt)) spread_end(lasting);
    } else if (known == nullptr) {
      lastings_.add(heard, host_.now());
      if (heard.is_live()) pin_entry(std::nullopt, lasting);
    } else if (!known->lasting.is_over()) {
      heard.is_denied |= known->lasting.is_denied;
      heard.is_vouched |= known->lasting.is_vouched;
      // A member that has only voted on the hold may be heard before one that has it: the order must not matter.
      const bool is_first = known->lasting.is_absent() && heard.is_live();
      const bool is_surer = known->lasting.is_live() && heard.is_given();
      if (!is_first && !is_surer) heard.stage = known->lasting.stage;
      if (!is_first) {
        heard.token = known->lasting.token;
        heard.group = known->lasting.group;
      }
      // The record of a vote may name the hold by its token alone.
      if (!is_first || heard.attempt.is_none()) heard.attempt = known->lasting.attempt;
      known->lasting = heard;
      if (is_first) pin_entry(std::nullopt, heard);
    }
    if (is_torn) lastings_.tear(lasting);
  }
  const bool has_more = packed(this->keepsake()) != before;
  const Terms former = terms();
  agree(keepsake.terms);  // which saves all, if it is new
  if (has_more && terms() == former) save();
}

// A number for the arbiter, which no requester has.
NodeId Resource::id_of(const Lasting& lasting) {
  return kFirstOwner + owners_.number(lasting.owner + '#' + std::to_string(lasting.token));
}

void Resource::on_pin(NodeId from, Slot slot, const Pin& pin) {
  if (pin.is_given) return on_given(pin);
  const NodeId id = id_of(from, slot);
  Lastings::Known* const known = lastings_.find(pin.owner, pin.number);
  const bool is_new = known == nullptr;
  // The hold was given without this arbiter: nobody counts on an answer.
  if (known != nullptr && known->lasting.is_absent() && known->lasting.is_vouched)
    return host_.count(Happened::pin_stale);
  // What is in doubt is written down if its client still rests on this arbiter's share.
  const bool is_doubtful = known != nullptr && known->lasting.is_doubtful();
  if ((is_new || is_doubtful) && !rests_here(id)) return host_.count(Happened::pin_stale);
  const bool is_late = is_new && lastings_.ended_of(pin.owner) > pin.ended;
  if (is_late && host_.parts().has_barrier) {
    host_.count(Happened::pin_late);
    const Number ended = lastings_.ended_of(pin.owner);
    // Otherwise it is told when it is reached again.
    if (from != host_.self() && host_.reachable().contains(from))
      tell_of_end(from, lastings_.find(pin.owner, ended)->lasting);
  }
  const bool is_full = is_new && lastings() >= host_.most_lasting();
  const bool is_refused = lastings_.is_barred(pin.owner, pin.number, pin.attempt) ||
                          (is_new && has_lasting_of(pin.owner)) || is_full ||
                          (is_late && host_.parts().has_barrier);
  if (is_refused) {
    host_.count(Happened::pin_refused);
  } else if (is_new) {
    host_.count(Happened::pinned);
    const Lasting lasting{.owner = pin.owner,
                          .token = pin.number,
                          .group = pin.group,
                          .attempt = pin.attempt,
                          .given_at = pin.given_at};
    lastings_.add(lasting, host_.now());
    pin_entry(id, lasting);
    save();
  } else if (is_doubtful) {
    known->lasting.stage = Lasting::Stage::written;
    save();
  }
  host_.answer(from, {name_, kind_, slot, Pinned{pin.owner, pin.number, is_refused, is_full}});
}

void Resource::refuse_pinned(Claim& claim, const Pinned& pinned) {
  if (pinned.is_full) return host_.withdraw(claim, Refusal::invalid, host_.text_of_full(name_));
  host_.withdraw(claim, Refusal::look_first,
                 claim.owner + " holds it already, or has released it since");
}

void Resource::on_given(const Pin& pin) {
  Lastings::Known* const known = lastings_.find(pin.owner, pin.number);
  if (known == nullptr || !known->lasting.is_live() ||
      lastings_.is_barred(pin.owner, pin.number, known->lasting.attempt))
    return host_.count(Happened::pin_stale);
  if (known->lasting.is_given()) return;
  known->lasting.stage = Lasting::Stage::given;
  known->is_noted = true;
  note();
}

// ---- what is decided of a hold: see settling.h

Settled Resource::settle(const Settle& settle) {
  if (settle.is_inquiry) return inquire(settle);
  switch (settle.how) {
    case Settle::How::withdraw:
      return withdraw(settle);
    case Settle::How::deny:
      return deny(settle);
    case Settle::How::confirm:
      return confirm(settle);
    case Settle::How::end:
    case Settle::How::find:
      break;
  }
  return {settle, Settled::Verdict::unable, 0, {}};
}

// The answer names the attempt too: a member that must vouch for a hold that it does not have is told of it.
Settled Resource::inquire(const Settle& settle) const {
  if (settle.how == Settle::How::end) {
    const bool is_known = knows(settle.owner, settle.number);
    return {settle,
            is_known ? Settled::Verdict::confirmed : Settled::Verdict::agreed,
            is_known ? settle.number : 0,
            {}};
  }
  if (settle.how == Settle::How::withdraw &&
      lastings_.is_denied(settle.owner, settle.number, settle.attempt))
    return {settle, Settled::Verdict::denied, 0, {}};
  const Lasting* const given = lastings_.find_given(settle.owner, settle.number, settle.attempt);
  if (given == nullptr) return {settle, Settled::Verdict::agreed, 0, {}};
  Settle known = settle;
  known.attempt = given->attempt;
  return {known, Settled::Verdict::confirmed, given->token, given->group};
}

// The client of the attempt asks, and nobody has told it that it holds, whether or not the hold was given. So only those
// can rely on the hold to whom it was confirmed.
Settled Resource::withdraw(const Settle& settle) {
  if (lastings_.is_torn(settle.owner, settle.number, settle.attempt))
    return {settle, Settled::Verdict::unable, 0, {}};
  const Lasting* const vouched =
      lastings_.find_vouched(settle.owner, settle.number, settle.attempt);
  if (vouched != nullptr && !host_.parts().withdraws_vouched)
    return {settle, Settled::Verdict::confirmed, vouched->token, vouched->group};
  if (has_too_many()) return {settle, Settled::Verdict::unable, 0, {}};
  bar(settle);
  return {settle, Settled::Verdict::agreed, settle.number, {}};
}

// Somebody else asks, who cannot know what the client was told: so it must be shown that no quorum has it.
Settled Resource::deny(const Settle& settle) {
  const Lastings::Known* const known = lastings_.find(settle.owner, settle.number);
  const Attempt attempt = known != nullptr ? known->lasting.attempt : Attempt{};
  const bool is_denied = lastings_.is_denied(settle.owner, settle.number, attempt);
  const bool may_be_told =
      known != nullptr && (known->lasting.is_vouched || (known->lasting.is_live() && !is_denied));
  if (may_be_told) return {settle, Settled::Verdict::unable, settle.number, known->lasting.group};
  if (has_too_many()) return {settle, Settled::Verdict::unable, 0, {}};
  bar(settle);
  return {settle, Settled::Verdict::agreed, settle.number, {}};
}

Settled Resource::confirm(const Settle& settle) {
  Lastings::Known* known = lastings_.find(settle.owner, settle.number);
  const Attempt attempt = known != nullptr ? known->lasting.attempt : settle.attempt;
  if (lastings_.is_torn(settle.owner, settle.number, attempt))
    return {settle, Settled::Verdict::unable, 0, {}};
  if (lastings_.is_barred(settle.owner, settle.number, attempt))
    return {settle, Settled::Verdict::denied, settle.number, {}};
  const bool is_written =
      known != nullptr && known->lasting.is_live() && !known->lasting.is_doubtful();
  if (!is_written && !settle.is_given && !host_.parts().vouches_for_all)
    return {settle, Settled::Verdict::unable, 0, {}};
  if (known == nullptr)
    known = &lastings_.add({.owner = settle.owner,
                            .token = settle.number,
                            .group = {},
                            .stage = Lasting::Stage::absent,
                            .attempt = settle.attempt},
                           host_.now());
  const bool is_new = !std::exchange(known->lasting.is_vouched, true);
  if (is_new || known->is_noted) save();
  return {settle, Settled::Verdict::agreed, settle.number, known->lasting.group};
}

// Twice as many as a name may have: members do not all know the same, and one that acts for a client refuses before.
bool Resource::has_too_many() const { return lastings() >= 2 * host_.most_lasting(); }

void Resource::bar(const Settle& settle) {
  if (lastings_.is_barred(settle.owner, settle.number, settle.attempt)) return;
  if (Lastings::Known* const known = lastings_.find(settle.owner, settle.number, settle.attempt)) {
    known->lasting.is_denied = true;
  } else {
    lastings_.add({.owner = settle.owner,
                   .token = settle.number,
                   .group = {},
                   .stage = Lasting::Stage::absent,
                   .attempt = settle.number == 0 ? settle.attempt : Attempt{},
                   .is_denied = true},
                  host_.now());
  }
  save();
}

// We are asked like everybody else, so that all write it down at the same time (Member::deliver_to_itself).
void Resource::bury(const std::string& owner, Number token, Claim* waiting) {
  if (waiting != nullptr) lastings_.wait(*waiting);
  for (const NodeId member : host_.reachable())
    host_.ask(member, {name_, kind_, 0, Unpin{owner, token}});
}

bool Resource::knows(const std::string& owner, Number token) const {
  const auto& all = lastings_.all();
  return std::any_of(all.begin(), all.end(), [&](const Lastings::Known& known) {
    const Lasting& lasting = known.lasting;
    return lasting.owner == owner && lasting.token == token && !lasting.is_absent();
  });
}

bool Resource::knows_end(const std::string& owner, Number token, const Attempt& attempt) const {
  const auto& all = lastings_.all();
  return std::any_of(all.begin(), all.end(), [&](const Lastings::Known& known) {
    const Lasting& lasting = known.lasting;
    return lasting.owner == owner && lasting.token == token && lasting.is_over() &&
           (token != 0 || lasting.attempt == attempt);
  });
}

bool Resource::end(const std::string& owner, Number token, const Attempt& attempt) {
  Lastings::Known* known = lastings_.find(owner, token, attempt);
  if (known != nullptr && known->lasting.is_over()) return false;
  // The token of a hold that was never here is what somebody says: no number of ours follows it. Where the hold was written
  // down, which is at a quorum if it was given, numbers have passed it.
  const bool was_here = known != nullptr && known->lasting.is_live();
  if (known == nullptr) {
    known = &lastings_.add({.owner = owner, .token = token, .group = {}, .attempt = attempt},
                           host_.now());
  }
  host_.count(Happened::unpinned);
  known->lasting.stage = Lasting::Stage::over;
  known->lasting.is_denied = false;
  known->lasting.is_vouched = false;
  known->since = host_.now();
  known->told.insert(host_.self());
  if (token != 0) {
    unpin_entry(known->lasting, was_here || host_.parts().believes_ends);
  } else {
    for (const Number of_attempt : lastings_.tokens_of(owner, attempt)) {
      if (end(owner, of_attempt)) spread_end_soon(owner, of_attempt);
    }
    lastings_.forget_vouching(owner, attempt);
  }
  return true;
}

void Resource::spread_end(const Lasting& lasting) {
  for (const NodeId peer : host_.reachable()) {
    if (peer != host_.self()) tell_of_end(peer, lasting);
  }
}

void Resource::spread_end_soon(const std::string& owner, Number token, const Attempt& attempt) {
  lastings_.find(owner, token, attempt)->spread_at = host_.now() + host_.soon();
}

bool Resource::end_here(const std::string& owner, Number token) {
  const std::vector<Number> tokens = lastings_.tokens_of(owner);
  if (std::find(tokens.begin(), tokens.end(), token) == tokens.end()) return false;
  end(owner, token);
  // Who asks has asked all others too: nobody waits until they have heard of it from us.
  spread_end_soon(owner, token);
  save();
  return true;
}

void Resource::on_end(NodeId from, const std::string& owner, Number token, const Attempt& attempt) {
  if (!end(owner, token, attempt)) return;
  save();
  // With ourselves we have asked others too, but perhaps not all.
  from != host_.self() ? spread_end(lastings_.find(owner, token, attempt)->lasting)
                       : spread_end_soon(owner, token, attempt);
}

// Who asks may not have written it down yet: whether it has, it says when we ask.
void Resource::on_unpin(NodeId from, Slot slot, const Unpin& unpin) {
  on_end(from, unpin.owner, unpin.number, unpin.attempt);
  host_.answer(from,
               {name_, kind_, slot,
                Unpinned{.owner = unpin.owner, .number = unpin.number, .attempt = unpin.attempt}});
}

void Resource::on_unpinned(NodeId from, const Unpinned& unpinned) {
  Lastings::Known* const known = lastings_.find(unpinned.owner, unpinned.number, unpinned.attempt);
  if (known == nullptr || !known->lasting.is_over()) return;
  known->told.insert(from);
  if (!host_.setting().system().write().contains_quorum(known->told)) return;
  for (Claim* const claim : lastings_.take_waiting(known->lasting)) host_.left(*claim);
}

bool Resource::are_lastings_over() const {
  const auto& all = lastings_.all();
  return !lastings_.has_waiting() &&
         std::all_of(all.begin(), all.end(),
                     [](const Lastings::Known& known) { return !known.lasting.is_live(); });
}

void Resource::tell_of_end(NodeId peer, const Lasting& lasting) {
  // The attempt says something by itself only where there is no token.
  const Attempt attempt = lasting.token == 0 ? lasting.attempt : Attempt{};
  host_.ask(peer, {name_, kind_, 0, Unpin{lasting.owner, lasting.token, false, attempt}});
}

void Resource::tell_of_lastings(NodeId peer) {
  for (const Lastings::Known& known : lastings_.all()) {
    const Lasting& lasting = known.lasting;
    if (lasting.is_over() && !known.told.contains(peer)) tell_of_end(peer, lasting);
    // It may have lost that.
    if (lasting.is_given())
      host_.ask(peer, {name_, kind_, 0, Pin{lasting.owner, lasting.token, lasting.group, true}});
  }
}

void Resource::tick_lastings() {
  for (Lastings::Known& known : lastings_.all()) {
    if (known.spread_at > host_.now()) continue;
    known.spread_at = Instant::never();
    for (const NodeId peer : host_.reachable() - known.told) tell_of_end(peer, known.lasting);
  }
  const std::vector<Lasting> gone = lastings_.forget(host_.now(), keeps_ends());
  for (const Lasting& lasting : gone) {
    if (lasting.is_over() && lasting.token != 0) forget_entry(lasting);
  }
  if (!gone.empty()) note();
  if (owners_.is_crowded()) {
    protocol::Groups in_use;
    owners_in_use(in_use);
    for (const Lastings::Known& known : lastings_.all()) {
      if (known.lasting.token != 0) in_use.insert(id_of(known.lasting) - kFirstOwner);
    }
    owners_.keep_only(in_use);
  }
}

void Resource::look_at_lastings(View& view) const {
  for (const Lastings::Known& known : lastings_.all()) {
    if (known.lasting.is_absent()) continue;
    LastingView& seen = view.lastings.emplace_back();
    seen.lasting = known.lasting;
    seen.lasting.attempt = {};  // which is its client's alone
    if (!seen.lasting.group.empty()) seen.lasting.group = shown({known.lasting.group}).front();
    seen.since = static_cast<Milliseconds>((host_.now() - known.since).ns / 1'000'000);
  }
}

}  // namespace coterie::member
