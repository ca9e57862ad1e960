#include "session/session.h"

#include <algorithm>
#include <utility>

#include "base/assert.h"

namespace coterie::session {

namespace {

constexpr std::int64_t kBeatsPerSession = 6;  // so that a few may be lost
constexpr std::int64_t kBeatsPerPromise = 3;  // the same, of a hold that is good for a shorter time
constexpr std::int64_t kMostBeats = 60;       // in a session

// Of a request for an owner: it may have been granted, or may be yet. HoldCall withdraws it.
Refusal unheard() { return {Reason::unheard, "its member has not said how it came out"}; }

}  // namespace

// ---- a connection

bool Session::may_resume(Instant now) const { return id_ != 0 && now < heard_ + length_; }

Duration Session::usual_beat() const { return length_ / kBeatsPerSession; }

bool Session::is_here(Ticket ticket) const {
  const auto place = entries_.find(ticket);
  return place != entries_.end() && place->second.is_inside() && is_current(place->second);
}

api::Hello Session::hello(bool is_same_member, Instant now) {
  const bool is_resuming = is_same_member && may_resume(now);
  hello_at_ = now;
  hello_beat_ = is_resuming ? belief_.beat(now) : 1;
  return {label_, hello_beat_, is_resuming ? id_ : 0};
}

void Session::welcomed(const api::Welcome& welcome, Instant now) {
  is_connected_ = true;
  is_stopping_ = false;
  heard_ = now;
  member_ = welcome.member;
  length_ = welcome.length;
  beat_every_ = usual_beat();
  next_beat_ = now + beat_every_;
  if (welcome.is_resumed && welcome.session == id_) {
    resume(welcome, now);
  } else {
    ++number_;
    id_ = welcome.session;
    belief_ = api::Belief(welcome.drift, hello_beat_);
    static_cast<void>(belief_.beat(hello_at_));
    begin(now);
  }
  for (const auto& [ticket, question] : questions_) call(question.call);
}

void Session::begin(Instant now) {
  for (auto place = entries_.begin(); place != entries_.end();) {
    const auto at = place++;
    if (may_be_under_way(at->second) && !may_be_repeated(at->second)) {
      end_unheard(at);  // the member that was left may grant it yet
    } else if (at->second.phase == Phase::waiting) {
      ask(at->first, at->second, now);
    } else if (at->second.is_inside()) {
      show_ticket(at->first, at->second, now);
    } else if (at->second.phase == Phase::leaving) {  // nobody is left who could be asked
      out_.left(at->first);
      entries_.erase(at);
    } else if (at->second.phase == Phase::giving_up) {  // this member was not asked for it
      end_unheard(at);
    }
  }
}

// What was on its way when the connection broke may have been lost, in both directions.
void Session::resume(const api::Welcome& welcome, Instant now) {
  std::map<Ticket, const api::Granted*> inside;
  for (const api::Granted& granted : welcome.inside) inside[granted.request] = &granted;
  std::vector<Ticket> known = welcome.waiting;
  for (const auto& [ticket, granted] : inside) known.push_back(ticket);
  std::sort(known.begin(), known.end());
  for (const Ticket ticket : known) {
    const auto place = entries_.find(ticket);
    const bool is_gone = place == entries_.end();
    const bool is_unwanted = !is_gone && (place->second.phase == Phase::leaving ||
                                          place->second.phase == Phase::giving_up);
    if (is_gone || is_unwanted) let_go(ticket, is_gone);
  }
  for (auto place = entries_.begin(); place != entries_.end();) {
    const auto at = place++;
    auto& [ticket, entry] = *at;
    const auto found = inside.find(ticket);
    if (entry.phase == Phase::waiting) {
      if (found != inside.end()) {
        enter(ticket, entry, *found->second, now);
      } else if (!std::binary_search(known.begin(), known.end(), ticket)) {
        const bool is_unheard = may_be_under_way(entry) && !may_be_repeated(entry);
        is_unheard ? static_cast<void>(end_unheard(at)) : ask(ticket, entry, now);
      }
    } else if (entry.phase == Phase::giving_up) {
      // Else its answer was lost with the connection.
      if (!std::binary_search(known.begin(), known.end(), ticket)) end_unheard(at);
    } else if (!is_current(entry)) {
      const bool is_known = std::binary_search(known.begin(), known.end(), ticket);
      resume_move(ticket, entry, found != inside.end() ? found->second : nullptr, is_known, now);
    } else if (found != inside.end()) {
      if (entry.is_inside()) renew(ticket, entry, found->second->good, now);
      // Before it asks to leave: a member lets a hold that was never confirmed go at once, since nobody has counted it.
      if (entry.is_inside() && entry.shown_in == number_) confirm(ticket, entry);
      if (entry.phase == Phase::asking) ask_out(ticket, entry, now);
    } else {
      place = end_of(at, "the member gave it up while the connection was broken");
    }
  }
}

void Session::disconnected() { is_connected_ = false; }

void Session::call(const api::Call& call) {
  if (is_connected_) out_.send(call);
}

void Session::keep_alive(Instant now) {
  call(api::KeepAlive{belief_.beat(now)});
  last_beat_ = now;
  next_beat_ = now + beat_every_;
}

void Session::renew_before(Instant until, Instant now) {
  if (until <= now) return;
  const Duration often = std::max((until - now) / kBeatsPerPromise, length_ / kMostBeats);
  beat_every_ = std::min(beat_every_, often);
  next_beat_ = std::min(next_beat_, now + beat_every_);
}

// ---- what is held

void Session::enter(Ticket ticket, Entry& entry, const api::Granted& granted, Instant now) {
  const Instant until = believed(granted.good, now);
  if (until <= now) {  // it has come too late to be believed
    let_go(ticket);
    return ask(ticket, entry, now);
  }
  entry.phase = Phase::inside;
  entry.since = now;
  entry.end = until;
  entry.session = number_;
  stopping_from_ = std::min(stopping_from_, ticket);
  remember(entry, granted);
  wake_at(until);
  renew_before(until, now);
  out_.granted(ticket, {granted.group, granted.token, until});
}

void Session::renew(Ticket ticket, Entry& entry, const api::Good& good, Instant now) {
  const Instant until = believed(good, now);
  renew_before(std::max(until, entry.end), now);
  if (entry.is_doomed || until <= entry.end) return;  // what it was told before was true as well
  entry.end = until;
  out_.renewed(ticket, until);
}

void Session::lose(Ticket ticket, Entry& entry, const std::string& why) {
  if (entry.is_inside() && !std::exchange(entry.is_doomed, true)) out_.lost(ticket, why);
}

// It is inside no more, whoever wanted that.
Session::Entries::iterator Session::end_of(Entries::iterator place, const std::string& why) {
  lose(place->first, place->second, why);
  out_.left(place->first);
  return entries_.erase(place);
}

// ---- a member that stops

void Session::part_if_stopping() {
  if (!is_stopping_ || !is_connected_ || is_busy_with_stopping()) return;
  close();
  out_.part();
}

bool Session::is_busy_with_stopping() {
  const auto is_busy = [&](const auto& item) {
    const Entry& entry = item.second;
    return entry.phase != Phase::waiting && (is_current(entry) || is_moving(entry));
  };
  const auto first = std::find_if(entries_.lower_bound(stopping_from_), entries_.end(), is_busy);
  if (first == entries_.end()) return false;
  stopping_from_ = first->first;
  return true;
}

void Session::close() {
  call(api::Close{});
  id_ = 0;
  is_connected_ = false;
}

// ---- time

Instant Session::next_tick() const {
  if (!is_connected_) return wake_;
  return std::min(wake_, next_beat_);
}

void Session::tick(Instant now) {
  // A connection that is broken, or a member that hangs: while there is time, another is looked for.
  if (is_connected_ && now >= next_beat_ && heard_ < last_beat_) {
    is_connected_ = false;
    out_.part();
  }
  if (is_connected_ && now >= next_beat_) keep_alive(now);
  if (now < wake_) return;
  wake_ = Instant::never();
  for (auto place = entries_.begin(); place != entries_.end();) {
    const auto at = place++;
    if (at->second.end > now) {
      wake_at(at->second.end);
    } else {
      if (run_out(at->first, at->second, now)) entries_.erase(at);
    }
  }
  refuse_unanswered(now);
  part_if_stopping();
  close_former_if_done();
}

// The member is asked to let it go, should it still know it. A request for an owner is over when the member says so.
bool Session::run_out(Ticket ticket, Entry& entry, Instant now) {
  // A member counts the patience of one that is to be let out of a band itself, and says a moment later how it came out.
  if (may_be_under_way(entry) && entry.burial && entry.burial->kind.type == api::Type::band &&
      !entry.burial->is_forced) {
    entry.phase = Phase::giving_up;
    entry.refusal = out_of_patience(entry);
    entry.end = now + length_;
    wake_at(entry.end);
    return false;
  }
  if (may_be_under_way(entry)) {
    withdraw(ticket, entry, out_of_patience(entry), now);
    return false;
  }
  if (entry.phase == Phase::giving_up) {
    out_.refused(ticket, unheard());
    return true;
  }
  const bool is_known = entry.phase != Phase::leaving && (is_current(entry) || is_moving(entry));
  if (entry.phase == Phase::waiting || is_known) let_go(ticket);
  if (entry.phase == Phase::waiting) {
    out_.refused(ticket, out_of_patience(entry));
    return true;
  }
  lose(ticket, entry, "it could not be renewed in time");
  out_.left(ticket);
  return true;
}

void Session::withdraw(Ticket ticket, Entry& entry, Refusal refusal, Instant now) {
  entry.phase = Phase::giving_up;
  entry.refusal = std::move(refusal);
  entry.end = now + length_;  // a member that takes longer is not heard any more
  wake_at(entry.end);
  let_go(ticket, false);
}

Session::Entries::iterator Session::end_unheard(Entries::iterator place) {
  out_.refused(place->first, unheard());
  return entries_.erase(place);
}

Refusal Session::out_of_patience(const Entry& entry) const {
  if (entry.wish.is_try) return {Reason::unreachable, "no member answered in time"};
  if (!is_connected_) return {Reason::unreachable, "no member could be reached in that time"};
  if (entry.burial)
    return {
        Reason::timed_out,
        "no quorum has answered in that time: whether it has ended is not known; release it again"};
  return {Reason::timed_out, "it was not granted in that time"};
}

void Session::refuse_unanswered(Instant now) {
  for (auto place = questions_.begin(); place != questions_.end();) {
    const auto at = place++;
    if (at->second.end > now) {
      wake_at(at->second.end);
      continue;
    }
    out_.refused(at->first, {Reason::unreachable, "no member answered in time"});
    questions_.erase(at);
  }
}

}  // namespace coterie::session
