// A client that was with another member, and shows what it had there.
//
// The client may lie. Its member asks all others whether the hold that it shows rests with them, under the secret that it
// shows: until one says so, nothing is asked for that anybody would notice. Then it asks before all who wait, as the holder
// that it is. One arbiter is enough to vouch, because what it says gives nothing but that place:
//   - a mutex, or a room for one group, takes the votes of a quorum, each of which has the secret, or is free (sharing.cc);
//   - where those inside are counted, so are the others now, without what has the secret (counting_arbiter.cc).
// An arbiter that hears of the secret later than of the question is asked again.
#include <algorithm>
#include <bit>
#include <utility>

#include "member/member.h"
#include "member/sound.h"

namespace coterie::member {

using protocol::Life;

namespace {

// Until those are asked again who did not vouch, and until a client is told that its time is over.
Duration pause_for(const Config& config) {
  return std::min(config.lease / 16, Duration::milliseconds(50));
}

}  // namespace

// A token is less than a stride above what some arbiter of every quorum has used.
std::string Member::fault_of_ticket(const Wish& wish) const {
  if (!wish.ticket) return "";
  const Ticket& ticket = *wish.ticket;
  if (ticket.origin.incarnation == 0 || ticket.origin.member >= setting_.processes ||
      ticket.origin.slot >= kMostSlots || ticket.origin.since > static_cast<Time>(kMostNumber))
    return "a ticket of no member";
  if (!wish.owner.empty()) return "a ticket for a hold that lasts, which needs none";
  if (wish.is_try || wish.wait <= Duration{}) return "a ticket that is good for no time";
  // It goes to other members: what they could not read must not get there.
  const bool has_own_group =
      wish.is_alone ? ticket.group.starts_with(kAlone) &&
                          fault_of_name("the group", ticket.group.substr(1)).empty()
                    : std::count(wish.groups.begin(), wish.groups.end(), ticket.group) > 0;
  if (wish.kind.type == Type::room && !has_own_group) return "a ticket for another group";
  if (ticket.token == 0 || ticket.token > std::max(ceiling_, highest_) + protocol::kStride)
    return "a ticket with a token that nobody can have given";
  if (ticket.secret.is_none()) return "a ticket without its secret";
  return "";
}

void Member::show_ticket(Claim& claim) {
  while (++last_showing_ == 0 || showings_.contains(last_showing_)) {
  }
  claim.showing = last_showing_;
  showings_[claim.showing] = &claim;
  show_again_ = std::min(show_again_, now_ + pause_for(config_));
  ask_to_vouch(claim.showing, claim);
}

void Member::ask_to_vouch(Slot slot, Claim& claim) {
  const Ticket& ticket = *claim.ticket;
  const std::string group = claim.groups.empty() ? std::string() : claim.groups.front();
  for (const NodeId member : reachable())
    ask(member,
        {claim.name, claim.kind, slot, Vouch{ticket.origin, {ticket.secret, ticket.token}, group}});
}

void Member::on_vouch(NodeId from, const Packet<Ask>& packet, const Vouch& vouch) {
  const auto place = places_.find(packet.name);
  const bool is_known = place != places_.end() && place->second.resource->is_like(packet.kind) &&
                        config_.parts.vouches(*place->second.resource, vouch);
  tally_.count(is_known ? Happened::vouched : Happened::vouch_refused);
  answer(from, {packet.name, packet.kind, packet.slot, Vouched{is_known}});
}

void Member::on_vouched(const Packet<Answer>& packet, const Vouched& vouched) {
  const auto showing = showings_.find(packet.slot);
  if (showing == showings_.end() || showing->second->name != packet.name)
    return tally_.count(Happened::answer_to_nobody);
  if (vouched.is_known) vouched_.push_back(packet.slot);
}

// The secret moves with the hold: if this member is lost before its client hears of it, what the client has is good still.
void Member::adopt_vouched() {
  for (const Slot slot : std::exchange(vouched_, {})) {
    const auto showing = showings_.find(slot);
    if (showing == showings_.end()) continue;
    Claim& claim = *showing->second;
    showings_.erase(showing);
    claim.showing = 0;
    claim.secret = claim.ticket->secret;
    Wish wish;
    wish.request = claim.request;
    wish.name = claim.name;
    wish.kind = claim.kind;
    wish.ticket = claim.ticket;
    if (const auto mismatch = mismatch_of(wish)) {
      refused(claim, mismatch->why, mismatch->text);
    } else {
      touch(claim.name, claim.kind).resource->acquire(claim);
    }
  }
}

void Member::tick_showings() {
  if (showings_.empty() || show_again_ > now_) return;
  show_again_ = now_ + pause_for(config_);
  std::vector<Slot> slots;
  for (const auto& [slot, claim] : showings_) slots.push_back(slot);
  std::sort(slots.begin(), slots.end());
  for (const Slot slot : slots) {
    Claim& claim = *showings_.at(slot);
    if (claim.gives_up > now_) {
      // Less and less often: whoever guesses must not keep all members busy.
      const auto steps =
          static_cast<std::uint64_t>((now_ - claim.since).ns / pause_for(config_).ns);
      if (std::has_single_bit(steps)) ask_to_vouch(slot, claim);
      continue;
    }
    showings_.erase(slot);
    tally_.count(Happened::timed_out);
    refused(claim, Refusal::timed_out, "no member knows of the hold that the ticket shows");
  }
}

std::optional<Life> Member::life_of(const Origin& origin) const {
  if (origin.member >= links_.size()) return std::nullopt;
  if (links_[origin.member]) return link(origin.member).life_of(origin.incarnation);
  return origin.incarnation == incarnation_ ? std::optional(Life::present) : std::nullopt;
}

}  // namespace coterie::member
