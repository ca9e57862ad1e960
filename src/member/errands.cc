// What clients want of a name without being inside: that a lasting hold ends, that other numbers hold.
#include <algorithm>

#include "member/member.h"

namespace coterie::member {

void Member::bury(SessionId session, const Burial& burial, Instant now) {
  begin(now);
  tick_sessions();
  Session* const known = find_session(session);
  Wish wish;
  wish.request = burial.request;
  wish.name = burial.name;
  wish.kind = burial.kind;
  wish.owner = burial.owner;
  if (burial.kind.type == Type::room || burial.kind.type == Type::band)
    wish.groups = {burial.owner};
  if (is_stopping_ || known == nullptr) {
    out_.tell(session, Ended{});
  } else if (const auto refusal = refusal_of(*known, wish)) {
    tally_.count(Happened::refused);
    out_.tell(session, *refusal);
  } else {
    Claim& claim = new_claim(session, burial.request, burial.name, burial.kind);
    claim.owner = burial.owner;
    claim.groups = wish.groups;
    claim.token = burial.token;
    claim.is_burying = true;
    if (burial.wait > Duration{}) claim.gives_up = now + burial.wait;
    Resource& resource = *touch(burial.name, burial.kind).resource;
    if (burial.is_forced) {
      resource.bury(burial.owner, burial.token, &claim);
    } else {
      resource.leave_for(claim);
    }
  }
  finish();
}

// That it is in use with other numbers is no reason: these are to change.
std::optional<Refused> Member::refusal_of_change(const Session& session, const Wish& wish) {
  if (!is_counted(wish.kind))
    return Refused{wish.request, Refusal::invalid,
                   text_of(wish.kind) + " has no numbers to change"};
  const Place* const place = find(wish.name);
  Wish same = wish;
  if (place != nullptr && place->resource->kind().type == wish.kind.type)
    same.kind = place->resource->kind();
  if (auto refusal = refusal_of(session, same)) return refusal;
  if (std::string fault = fault_of(wish.kind); !fault.empty())
    return Refused{wish.request, Refusal::invalid, std::move(fault)};
  return std::nullopt;
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
  } else if (const auto refusal = refusal_of_change(*known, wish)) {
    tally_.count(Happened::refused);
    out_.tell(session, *refusal);
  } else {
    // Who has no part in it yet goes by what the others know it as.
    const bool is_known = change.was.type == change.kind.type && fault_of(change.was).empty();
    const Kind& was = is_known ? change.was : change.kind;
    touch(change.name, was)
        .resource->change(new_claim(session, change.request, change.name, change.kind));
  }
  finish();
}

}  // namespace coterie::member
