// What a member refuses at once: requests that cannot be, are too many, or would wait for themselves.
#include <string>

#include "member/member.h"
#include "member/sound.h"

namespace coterie::member {

std::optional<Refused> Member::refusal_of(const Session& session, const Wish& wish,
                                          bool is_beside) {
  const auto refused = [&](Refusal why, std::string text) {
    return Refused{wish.request, why, std::move(text)};
  };
  if (std::string fault = fault_of(wish); !fault.empty())
    return refused(Refusal::invalid, std::move(fault));
  if (std::string fault = fault_of_amount(session, wish.ticket.has_value()); !fault.empty())
    return refused(Refusal::invalid, std::move(fault));
  if (session.claims.contains(wish.request))
    return refused(Refusal::invalid,
                   "the number " + std::to_string(wish.request) + " is another request's");
  if (const auto same = session.names.find(wish.name); same != session.names.end() && !is_beside) {
    const bool is_inside = session.claims.at(same->second)->is_inside;
    return refused(Refusal::held_already, "you " + std::string(is_inside ? "hold" : "wait for") +
                                              " \"" + wish.name + "\" already");
  }
  if (std::string fault = fault_of_ticket(wish); !fault.empty())
    return refused(Refusal::invalid, std::move(fault));
  return std::nullopt;
}

// A client that comes with its holds from a member that is gone must find room, or it loses them: some is left for it.
std::string Member::fault_of_amount(const Session& session, bool has_ticket) const {
  if (session.claims.size() >= ClientLimits::kNames)
    return "a client may hold or wait for at most " + std::to_string(ClientLimits::kNames) +
           " names at once";
  if (claims_ >= (has_ticket ? 2 : 1) * config_.names_in_all)
    return "the clients of this member may hold or wait for at most " +
           std::to_string(config_.names_in_all) + " names at once (limits.names)";
  return "";
}

std::optional<Refused> Member::refusal_of_errand(const Session& session, RequestId request) {
  if (session.errands < ClientLimits::kErrands) return std::nullopt;
  return Refused{request, Refusal::invalid,
                 "a client may have at most " + std::to_string(ClientLimits::kErrands) +
                     " releases of lasting holds and changes under way at once"};
}

// This member knows the name as something else. What it merely keeps is no reason to refuse; and who is inside may stay.
std::optional<Refused> Member::mismatch_of(const Wish& wish) {
  Place* place = find(wish.name);
  if (place == nullptr) return std::nullopt;
  const Kind kind = place->resource->kind();
  if (place->next && !wish.ticket)
    return Refused{wish.request, Refusal::mismatch, text_of_change(wish.name, *place)};
  if (place->resource->serves(wish.kind)) return std::nullopt;
  place->resource->give_back();
  deliver_to_itself();
  settle_places();
  place = find(wish.name);
  if (place == nullptr || give_way(wish.name, *place, wish.kind)) return std::nullopt;
  return Refused{wish.request, Refusal::mismatch,
                 '"' + wish.name + "\" is in use as " + text_of(kind) + "; you asked for " +
                     text_of(wish.kind)};
}

std::string Member::text_of_full(const std::string& name) const {
  return name + " has as many lasting holds as a name may, with those that ended lately: " +
         std::to_string(config_.most_lasting);
}

// It would wait for itself.
std::optional<Refused> Member::refusal_of_owner(const Wish& wish) {
  const Place* const place = wish.owner.empty() ? nullptr : find(wish.name);
  if (place == nullptr) return std::nullopt;
  if (place->resource->lastings() >= config_.most_lasting)
    return Refused{wish.request, Refusal::invalid, text_of_full(wish.name)};
  if (place->resource->has_lasting_of(wish.owner))
    return Refused{wish.request, Refusal::look_first, wish.owner + " holds it already"};
  // The call came late: its client has asked for it elsewhere, and has been answered.
  if (!wish.attempt.is_none() && place->resource->is_barred(wish.owner, wish.attempt))
    return Refused{wish.request, Refusal::look_first, "nothing comes of this attempt any more"};
  // Or another process of the owner has called since, and has been answered.
  if (place->resource->ended_of(wish.owner) > wish.seen && config_.parts.has_barrier)
    return Refused{wish.request, Refusal::look_first,
                   "a hold of " + wish.owner + " ended since this was asked"};
  return std::nullopt;
}

}  // namespace coterie::member
