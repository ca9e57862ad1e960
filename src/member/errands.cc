// What clients want of a name without being inside: that a lasting hold ends, that other numbers hold.
#include <algorithm>

#include "member/member.h"
#include "member/sound.h"

namespace coterie::member {

namespace {

// An attempt is withdrawn by itself, the rest is named by its token.
Settle settle_of(const Burial& burial) {
  const bool is_withdrawal = burial.how == Burial::How::withdraw;
  return {.how = burial.how,
          .owner = burial.owner,
          .number = is_withdrawal ? 0 : burial.token,
          .attempt = is_withdrawal ? burial.attempt : Attempt{}};
}

std::string fault_of_settling(const Burial& burial) {
  if (burial.how == Burial::How::end || burial.how == Burial::How::find) return "";
  if (burial.how == Burial::How::withdraw)
    return burial.attempt.is_none() ? "what is withdrawn must be named by its attempt" : "";
  return burial.token == 0 ? "what is denied or confirmed must be named by its token" : "";
}

// Members write down how they vote on a withdrawal or a denial, also of what nobody has asked for.
bool votes_on(const Burial& burial) {
  return burial.how == Burial::How::withdraw || burial.how == Burial::How::deny;
}

}  // namespace

void Member::bury(SessionId session, const Burial& burial, Instant now) {
  begin(now);
  tick_sessions();
  Session* const known = find_session(session);
  Wish wish;
  wish.request = burial.request;
  wish.name = burial.name;
  wish.kind = burial.kind;
  wish.owner = burial.owner;
  if (wish.kind.type == Type::room || wish.kind.type == Type::band) wish.groups = {burial.owner};
  if (is_stopping_ || known == nullptr) {
    out_.tell(session, Ended{});
  } else if (burial.owner.empty()) {
    tally_.count(Happened::refused);
    out_.tell(session, Refused{burial.request, Refusal::invalid, "the owner must not be empty"});
  } else if (burial.token > kMostNumber) {
    tally_.count(Happened::refused);
    out_.tell(session, Refused{burial.request, Refusal::invalid,
                               "the token " + std::to_string(burial.token) +
                                   " is more than anybody can have been given"});
  } else if (std::string fault = fault_of_settling(burial); !fault.empty()) {
    tally_.count(Happened::refused);
    out_.tell(session, Refused{burial.request, Refusal::invalid, std::move(fault)});
  } else if (const auto refusal = refusal_of(*known, wish, true)) {
    tally_.count(Happened::refused);
    out_.tell(session, *refusal);
  } else if (const auto too_many = refusal_of_errand(*known, burial.request)) {
    tally_.count(Happened::refused);
    out_.tell(session, *too_many);
  } else if (const Place* const place = find(burial.name);
             votes_on(burial) && place != nullptr &&
             place->resource->lastings() >= config_.most_lasting) {
    tally_.count(Happened::refused);
    out_.tell(session, Refused{burial.request, Refusal::invalid, text_of_full(burial.name)});
  } else {
    Claim& claim = new_errand(session, burial.request, burial.name, burial.kind);
    claim.owner = burial.owner;
    claim.groups = wish.groups;
    claim.token = burial.token;
    claim.is_burying = true;
    if (burial.wait > Duration{}) claim.gives_up = now + burial.wait;
    if (burial.how == Burial::How::find) {
      end_whatever(claim, false);
    } else if (burial.how != Burial::How::end) {
      Settle asked = settle_of(burial);
      asked.is_inquiry = config_.parts.inquires;
      settle(claim, std::move(asked), Refusal::look_first,
             "whether " + burial.owner + " holds it is not decided");
    } else {
      burial.token == 0 ? end_whatever(claim, true) : end_one(claim, burial.is_forced);
    }
  }
  finish();
}

// A client may name any token. An end is written down at every member, so that first a quorum says whether anybody has heard
// of such a hold.
void Member::end_one(Claim& claim, bool is_forced) {
  const Place* const place = find(claim.name);
  if (place != nullptr && place->resource->knows(claim.owner, claim.token))
    return end_known(claim, is_forced);
  settle(claim,
         {.how = Settle::How::end, .owner = claim.owner, .number = claim.token, .is_inquiry = true},
         Refusal::unknown, "");
  settlings_.back().is_forced = is_forced;
}

void Member::end_known(Claim& claim, bool is_forced) {
  Place& place = touch(claim.name, claim.kind);
  const bool is_set = place.next || place.resource->terms().version > 0;
  // Somebody may have asked us for something else by mistake: that is no reason to let it out.
  const bool is_ours = is_forced || is_set || place.resource->is_like(claim.kind) ||
                       give_way(claim.name, place, claim.kind);
  if (!is_ours) {
    refused(claim, Refusal::mismatch,
            "it is in use as " + text_of(place.resource->kind()) + " at this member");
  } else if (is_forced || !place.resource->is_like(claim.kind)) {
    place.resource->bury(claim.owner, claim.token, &claim);  // it becomes something else
  } else {
    place.resource->leave_for(claim);
  }
}

// Only where those inside are counted there are numbers to change; else all must leave first.
bool Member::has_other_numbers(const Change& change) {
  const Place* const place = find(change.name);
  if (change.is_reform || change.forgets || !is_counted(change.kind)) return false;
  return place == nullptr || (!place->next && place->resource->is_like(change.kind));
}

void Member::change(SessionId session, const Change& change, Instant now) {
  begin(now);
  tick_sessions();
  const Session* const known = find_session(session);
  Wish wish;
  wish.request = change.request;
  wish.name = change.name;
  wish.kind = change.kind;
  if (wish.kind.type == Type::room || wish.kind.type == Type::band) wish.groups = {"any"};
  if (is_stopping_ || known == nullptr) {
    out_.tell(session, Ended{});
  } else if (const auto refusal = refusal_of(*known, wish)) {
    tally_.count(Happened::refused);
    out_.tell(session, *refusal);
  } else if (const auto too_many = refusal_of_errand(*known, change.request)) {
    tally_.count(Happened::refused);
    out_.tell(session, *too_many);
  } else if (change.is_reform || change.forgets) {
    Claim& claim = new_errand(session, change.request, change.name, change.kind);
    claim.replaces = change.replaces;
    reform(claim, change.forgets);
  } else if (!has_other_numbers(change)) {
    tally_.count(Happened::refused);
    out_.tell(session, mismatch_of(wish).value_or(
                           Refused{change.request, Refusal::invalid,
                                   text_of(change.kind) + " has no numbers to change"}));
  } else {
    // Who has no part in it yet goes by what the others know it as.
    const bool is_known = change.was.type == change.kind.type && fault_of(change.was).empty();
    const Kind& was = is_known ? change.was : change.kind;
    Claim& claim = new_errand(session, change.request, change.name, change.kind);
    claim.replaces = change.replaces;
    touch(change.name, was).resource->change(claim);
  }
  finish();
}

}  // namespace coterie::member
