// A client that was with another member, and shows what it had there.
#include <algorithm>

#include "member/member.h"

namespace coterie::member {

using protocol::Life;

// A token is less than a stride above what some arbiter of every quorum has used.
std::string Member::fault_of_ticket(const Wish& wish) const {
  if (!wish.ticket) return "";
  const Ticket& ticket = *wish.ticket;
  if (ticket.origin.incarnation == 0 || ticket.origin.member >= setting_.processes ||
      ticket.origin.slot >= kMostSlots)
    return "a ticket of no member";
  if (!wish.owner.empty()) return "a ticket for a hold that lasts, which needs none";
  if (wish.is_try || wish.wait <= Duration{}) return "a ticket that is good for no time";
  const bool has_own_group =
      wish.is_alone ? ticket.group.starts_with(kAlone)
                    : std::count(wish.groups.begin(), wish.groups.end(), ticket.group) > 0;
  if (wish.kind.type == Type::room && !has_own_group) return "a ticket for another group";
  if (ticket.token == 0 || ticket.token > std::max(ceiling_, highest_) + protocol::kStride)
    return "a ticket with a token that nobody can have given";
  return "";
}

std::optional<Life> Member::life_of(const Origin& origin) const {
  if (origin.member >= links_.size()) return std::nullopt;
  if (links_[origin.member]) return link(origin.member).life_of(origin.incarnation);
  return origin.incarnation == incarnation_ ? std::optional(Life::present) : std::nullopt;
}

}  // namespace coterie::member
