// What a session asks its member for.
#include <algorithm>
#include <utility>

#include "base/assert.h"
#include "session/session.h"

namespace coterie::session {

Ticket Session::acquire(api::Wish wish, Instant end, Instant now) {
  Entry entry;
  entry.wish = std::move(wish);
  return add(std::move(entry), end, now);
}

Ticket Session::bury(api::Burial burial, Instant end, Instant now) {
  Entry entry;
  entry.burial = std::move(burial);
  return add(std::move(entry), end, now);
}

Ticket Session::change(api::Change change, Instant now) {
  Entry entry;
  entry.wish.name = change.name;
  entry.wish.kind = change.kind;
  entry.change = std::move(change);
  return add(std::move(entry), Instant::never(), now);
}

Ticket Session::add(Entry entry, Instant end, Instant now) {
  const Ticket ticket = ++last_;
  entry.end = end;
  wake_at(end);
  Entry& added = entries_[ticket] = std::move(entry);
  if (is_connected_) ask(ticket, added, now);
  return ticket;
}

void Session::ask(Ticket ticket, Entry& entry, Instant now) {
  COTERIE_ASSERT(entry.phase == Phase::waiting);
  if (is_stopping_) return;  // it is asked elsewhere, soon
  ++entry.times_asked;
  const Duration wait =
      entry.end != Instant::never() ? std::max(Duration{1}, entry.end - now) : Duration{};
  if (entry.burial) {
    entry.burial->request = ticket;
    entry.burial->wait = wait;
    call(*entry.burial);
  } else if (entry.change) {
    entry.change->request = ticket;
    call(*entry.change);
  } else {
    entry.wish.request = ticket;
    // Who tries is answered at once, and its end is only there in case nobody answers at all.
    entry.wish.wait = entry.wish.is_try ? Duration{} : wait;
    call(entry.wish);
  }
}

// Whether or not it may leave: it is not used any more. An answer would wake us, and is only wanted by who waits for it.
void Session::let_go(Ticket ticket, bool is_quiet) {
  call(api::Release{ticket, {.is_abandonment = true, .is_quiet = is_quiet}});
}

void Session::ask_out(Ticket ticket, Entry& entry, Instant now) {
  if (entry.asked_in == 0) entry.asked_in = number_;
  api::Leave leave{.is_try = entry.is_trying};
  if (entry.stays_at != Instant::never()) leave.wait = std::max(Duration{1}, entry.stays_at - now);
  call(api::Release{ticket, leave});
}

void Session::release(Ticket ticket, Instant now, Instant end, bool is_try) {
  const auto place = entries_.find(ticket);
  if (place == entries_.end()) return;
  Entry& entry = place->second;
  if (entry.phase != Phase::inside) return abandon(ticket, now);
  if (entry.wish.kind.type == api::Type::band) {
    entry.phase = Phase::asking;
    entry.stays_at = end;
    entry.is_trying = is_try;
    // Else it is asked where it goes next.
    if (is_current(entry)) ask_out(ticket, entry, now);
  } else if (is_current(entry) || is_moving(entry)) {
    let_go(ticket, false);
    entry.phase = Phase::leaving;
    entry.session = number_;
  } else {
    abandon(ticket, now);
  }
}

void Session::stay(Ticket ticket, Instant now) {
  const auto place = entries_.find(ticket);
  if (place == entries_.end() || place->second.phase != Phase::asking) return;
  place->second.stays_at = now;  // should it have to be asked again
  if (is_current(place->second)) call(api::Stay{ticket});
}

void Session::abandon(Ticket ticket, Instant now) {
  const auto place = entries_.find(ticket);
  if (place == entries_.end()) return;
  Entry& entry = place->second;
  if (entry.phase == Phase::leaving || entry.phase == Phase::giving_up) return;
  if (may_be_under_way(entry))
    return withdraw(ticket, entry, {Reason::cancelled, "it was cancelled"}, now);
  if (entry.phase == Phase::waiting) {
    let_go(ticket);
    out_.refused(ticket, {Reason::cancelled, "it was cancelled"});
    entries_.erase(place);
    return;
  }
  // Else its session is not ours any more: the member lets it go when that is over.
  if (is_current(entry) || is_moving(entry)) let_go(ticket);
  out_.left(ticket);
  entries_.erase(place);
  close_former_if_done();
  part_if_stopping();
}

// ---- questions

Ticket Session::show(const std::string& name, Instant end) {
  const Ticket ticket = ++last_;
  return question(ticket, api::Show{ticket, name}, end);
}

Ticket Session::survey(const std::string& after, Instant end) {
  const Ticket ticket = ++last_;
  return question(ticket, api::Survey{ticket, after}, end);
}

Ticket Session::question(Ticket ticket, api::Call asked, Instant end) {
  wake_at(end);
  call(asked);
  questions_[ticket] = {std::move(asked), end};
  return ticket;
}

}  // namespace coterie::session
