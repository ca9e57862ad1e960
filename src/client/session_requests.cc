// What a session asks its member for.
#include <algorithm>
#include <utility>

#include "base/assert.h"
#include "client/session.h"
#include "net/codec.h"
#include "net/codec_packet.h"

namespace coterie::client {

Ticket Session::acquire(member::Wish wish, Instant end, Instant now) {
  Entry entry;
  entry.wish = std::move(wish);
  return add(std::move(entry), end, now);
}

Ticket Session::bury(member::Burial burial, Instant end, Instant now) {
  Entry entry;
  entry.burial = std::move(burial);
  return add(std::move(entry), end, now);
}

Ticket Session::change(member::Change change, Instant now) {
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
  wire::Call asking;
  if (entry.burial) {
    entry.burial->request = ticket;
    entry.burial->wait = wait;
    net::encode(*entry.burial, *asking.mutable_bury());
  } else if (entry.change) {
    entry.change->request = ticket;
    net::encode(*entry.change, *asking.mutable_change());
  } else {
    entry.wish.request = ticket;
    // Who tries is answered at once, and its end is only there in case nobody answers at all.
    entry.wish.wait = entry.wish.is_try ? Duration{} : wait;
    net::encode(entry.wish, *asking.mutable_acquire());
  }
  call(asking);
}

// Whether or not it may leave: it is not used any more. An answer would wake us, and is only wanted by who waits for it.
void Session::let_go(Ticket ticket, bool is_quiet) {
  wire::Call leaving;
  net::encode(member::Leave{.is_abandonment = true, .is_quiet = is_quiet},
              *leaving.mutable_release());
  leaving.mutable_release()->set_request(ticket);
  call(leaving);
}

void Session::ask_out(Ticket ticket, Entry& entry, Instant now) {
  if (entry.asked_in == 0) entry.asked_in = number_;
  member::Leave leave{.is_try = entry.is_trying};
  if (entry.stays_at != Instant::never()) leave.wait = std::max(Duration{1}, entry.stays_at - now);
  wire::Call asking;
  net::encode(leave, *asking.mutable_release());
  asking.mutable_release()->set_request(ticket);
  call(asking);
}

void Session::release(Ticket ticket, Instant now, Instant end, bool is_try) {
  const auto place = entries_.find(ticket);
  if (place == entries_.end()) return;
  Entry& entry = place->second;
  if (entry.phase != Phase::inside) return abandon(ticket);
  if (entry.wish.kind.type == member::Type::band) {
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
    abandon(ticket);
  }
}

void Session::stay(Ticket ticket, Instant now) {
  const auto place = entries_.find(ticket);
  if (place == entries_.end() || place->second.phase != Phase::asking) return;
  place->second.stays_at = now;  // should it have to be asked again
  if (is_current(place->second)) want_in(ticket);
}

void Session::want_in(Ticket ticket) {
  wire::Call staying;
  staying.mutable_stay()->set_request(ticket);
  call(staying);
}

void Session::abandon(Ticket ticket) {
  const auto place = entries_.find(ticket);
  if (place == entries_.end()) return;
  Entry& entry = place->second;
  if (entry.phase == Phase::leaving) return;
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
  Question& question = questions_[ticket];
  question.end = end;
  question.call.mutable_show()->set_request(ticket);
  question.call.mutable_show()->set_name(name);
  wake_at(end);
  call(question.call);
  return ticket;
}

Ticket Session::survey(Instant end) {
  const Ticket ticket = ++last_;
  Question& question = questions_[ticket];
  question.end = end;
  question.call.mutable_survey()->set_request(ticket);
  wake_at(end);
  call(question.call);
  return ticket;
}

}  // namespace coterie::client
