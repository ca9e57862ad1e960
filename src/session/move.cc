// Holds that move with their client to another member.
//
// The new member cannot know whether the client has been inside all the while. The client can: if it is granted what
// it shows while it still believes in what it had, then for a moment both were good, and nobody came between.
//
// A ticket is shown to one member at a time. Of two members that take over the same hold, the later one takes the record of
// it from the earlier one; and the record ends with the client's session there. If that is not where the client went, its
// member goes on renewing a hold that no arbiter knows any more. So while a member has not answered, whether or not its
// connection broke, no other is shown the ticket: the hold is good for as long as it was, or moves when the client is back
// there.
#include <algorithm>

#include "session/session.h"

namespace coterie::session {

// What it takes to move.
void Session::remember(Entry& entry, const api::Granted& granted) {
  entry.wish.ticket.reset();
  if (granted.origin.incarnation == 0) return;  // of a member that knows nothing of tickets
  entry.wish.ticket = {granted.origin, granted.group, granted.token, granted.secret};
}

// A member that stops waits for us: what we have there is good until we have it elsewhere.
bool Session::leave_for_another() {
  bool holds = false;
  for (const auto& [ticket, entry] : entries_) {
    if (!entry.is_inside() || !is_current(entry)) continue;
    if (entry.is_doomed || !entry.wish.ticket) return false;
    holds = true;
  }
  if (!holds || !out_.move_on()) return false;
  former_ = number_;
  former_from_ = 0;
  id_ = 0;
  is_connected_ = false;
  return true;
}

void Session::cannot_move() {
  for (auto& [ticket, entry] : entries_) {
    if (is_of_former(entry))
      lose(ticket, entry, "its member, " + member_ + ", is stopping, and no other is found");
  }
}

void Session::close_former_if_done() {
  if (former_ == 0) return;
  const auto first = std::find_if(entries_.lower_bound(former_from_), entries_.end(),
                                  [&](const auto& item) { return is_of_former(item.second); });
  if (first != entries_.end()) {
    former_from_ = first->first;
    return;
  }
  former_ = 0;
  out_.close_former();
}

void Session::show_ticket(Ticket ticket, Entry& entry, Instant now) {
  if (is_stopping_ || entry.is_doomed || entry.end <= now || !entry.wish.ticket) return;
  if (is_shown_elsewhere(entry)) return;
  entry.shown_in = number_;
  entry.shown_to = member_;
  api::Wish wish = entry.wish;
  wish.request = ticket;
  wish.is_try = false;
  wish.ticket->held = now - entry.since;
  wish.wait = entry.end - now;
  call(wish);
}

void Session::moved(Ticket ticket, Entry& entry, const api::Granted& granted, Instant now) {
  const Instant until = believed(granted.good, now);
  if (!is_unbroken(entry, granted, now)) {
    entry.shown_in = 0;
    entry.shown_to.clear();
    return let_go(ticket);
  }
  // Over before it came. To let it go would be to say that we are out: that is for when we are.
  if (until <= now) return;
  entry.session = number_;
  entry.shown_to.clear();
  entry.end = std::max(entry.end, until);
  remember(entry, granted);
  wake_at(entry.end);
  renew_before(entry.end, now);
  out_.renewed(ticket, entry.end);
  confirm(ticket, entry);
  if (entry.phase == Phase::asking) ask_out(ticket, entry, now);
}

// Only then others may leave a band because of it.
void Session::confirm(Ticket ticket, const Entry& entry) {
  if (entry.wish.kind.type == api::Type::band) call(api::Confirm{ticket});
}

// The connection to the new member broke on the way.
void Session::resume_move(Ticket ticket, Entry& entry, const api::Granted* granted, bool is_known,
                          Instant now) {
  if (!entry.is_inside()) return;
  if (granted != nullptr && is_moving(entry)) return moved(ticket, entry, *granted, now);
  if (!is_known) show_ticket(ticket, entry, now);
}

}  // namespace coterie::session
