#include "client/session.h"

#include <algorithm>
#include <utility>

#include "base/assert.h"
#include "net/codec.h"

namespace coterie::client {

namespace {

constexpr std::uint32_t kVersion = 1;         // of what is said
constexpr std::int64_t kBeatsPerSession = 6;  // so that a few may be lost

Duration ns(std::uint64_t count) { return {static_cast<std::int64_t>(count)}; }

}  // namespace

// ---- a connection

bool Session::may_resume(Instant now) const { return id_ != 0 && now < heard_ + length_; }

wire::Message Session::hello(bool is_same_member, Instant now) {
  const bool is_resuming = is_same_member && may_resume(now);
  hello_at_ = now;
  hello_beat_ = is_resuming ? belief_.beat(now) : 1;
  wire::Message message;
  message.mutable_hello()->set_version(kVersion);
  wire::ClientHello& hello = *message.mutable_hello()->mutable_client();
  hello.set_label(label_);
  hello.set_beat(hello_beat_);
  hello.set_session(is_resuming ? id_ : 0);
  return message;
}

void Session::welcomed(const wire::Welcome& welcome, Instant now) {
  is_connected_ = true;
  is_stopping_ = false;
  heard_ = now;
  member_ = welcome.member();
  length_ = ns(welcome.session_ns());
  if (welcome.is_resumed() && welcome.session() == id_) {
    resume(welcome, now);
  } else {
    ++number_;
    id_ = welcome.session();
    const member::Drift drift{static_cast<std::int64_t>(welcome.drift_ppm())};
    belief_ = member::Belief(drift, hello_beat_);
    static_cast<void>(belief_.beat(hello_at_));
    begin(now);
  }
  next_beat_ = now + length_ / kBeatsPerSession;
  for (const auto& [ticket, question] : questions_) call(question.call);
}

void Session::begin(Instant now) {
  for (auto place = entries_.begin(); place != entries_.end();) {
    const auto at = place++;
    if (at->second.phase == Phase::waiting) {
      ask(at->first, at->second, now);
    } else if (at->second.is_inside()) {
      show_ticket(at->first, at->second, now);
    } else if (at->second.phase == Phase::leaving) {  // nobody is left who could be asked
      out_.left(at->first);
      entries_.erase(at);
    }
  }
}

// What was on its way when the connection broke may have been lost, in both directions.
void Session::resume(const wire::Welcome& welcome, Instant now) {
  std::map<Ticket, const wire::Granted*> inside;
  for (const wire::Granted& granted : welcome.inside()) inside[granted.request()] = &granted;
  std::vector<Ticket> known(welcome.waiting().begin(), welcome.waiting().end());
  for (const auto& [ticket, granted] : inside) known.push_back(ticket);
  for (const Ticket ticket : known) {
    const auto place = entries_.find(ticket);
    const bool is_gone = place == entries_.end();
    if (is_gone || place->second.phase == Phase::leaving) let_go(ticket, is_gone);
  }
  for (auto place = entries_.begin(); place != entries_.end();) {
    const auto at = place++;
    auto& [ticket, entry] = *at;
    const auto found = inside.find(ticket);
    if (entry.phase == Phase::waiting) {
      if (found != inside.end()) {
        enter(ticket, entry, *found->second, now);
      } else if (std::count(known.begin(), known.end(), ticket) == 0) {
        ask(ticket, entry, now);
      }
    } else if (!is_current(entry)) {
      const bool is_known = std::count(known.begin(), known.end(), ticket) > 0;
      resume_move(ticket, entry, found != inside.end() ? found->second : nullptr, is_known, now);
    } else if (found != inside.end()) {
      if (entry.is_inside()) renew(ticket, entry, found->second->good());
      if (entry.phase == Phase::inside && entry.shown_in == number_) confirm(ticket, entry);
      if (entry.phase == Phase::asking) ask_out(ticket, entry, now);
    } else {
      place = end_of(at, "the member gave it up while the connection was broken");
    }
  }
}

void Session::disconnected() { is_connected_ = false; }

void Session::call(const wire::Call& call) {
  if (!is_connected_) return;
  wire::Message message;
  *message.mutable_call() = call;
  out_.send(message);
}

void Session::keep_alive(Instant now) {
  wire::Call beat;
  beat.mutable_keep_alive()->set_beat(belief_.beat(now));
  call(beat);
  last_beat_ = now;
  next_beat_ = now + length_ / kBeatsPerSession;
}

// ---- what is held

void Session::enter(Ticket ticket, Entry& entry, const wire::Granted& granted, Instant now) {
  const Instant until = belief_.until({granted.good().beat(), ns(granted.good().lasts_ns())});
  if (until <= now) {  // it has come too late to be believed
    let_go(ticket);
    return ask(ticket, entry, now);
  }
  entry.phase = Phase::inside;
  entry.end = until;
  entry.session = number_;
  remember(entry, granted);
  wake_at(until);
  out_.granted(ticket, {granted.group(), granted.token(), until});
}

void Session::renew(Ticket ticket, Entry& entry, const wire::Good& good) {
  const Instant until = belief_.until({good.beat(), ns(good.lasts_ns())});
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

// ---- what the member says

void Session::receive(const wire::Event& event, Instant now) {
  heard_ = now;
  hear(event, now);
  close_former_if_done();
}

void Session::hear(const wire::Event& event, Instant now) {
  switch (event.what_case()) {
    case wire::Event::kGranted:
      return on(event.granted(), now);
    case wire::Event::kRefused:
      return on(event.refused(), now);
    case wire::Event::kLost:
      return on(event.lost(), now);
    case wire::Event::kLeft:
      return on(event.left());
    case wire::Event::kKept:
      return on(event.kept());
    case wire::Event::kEnded:
      return on_ended();
    case wire::Event::kStopping:
      return on_stopping(now);
    case wire::Event::kLasts:
      return on(event.lasts());
    case wire::Event::kShown:
      if (questions_.erase(event.shown().request()) > 0)
        out_.answered(event.shown().request(), event);
      return;
    case wire::Event::kSurveyed:
      if (questions_.erase(event.surveyed().request()) > 0)
        out_.answered(event.surveyed().request(), event);
      return;
    case wire::Event::WHAT_NOT_SET:
      return;  // of a later version
  }
}

void Session::on(const wire::Granted& granted, Instant now) {
  const auto place = entries_.find(granted.request());
  // It may have given up just before.
  if (place == entries_.end()) return;
  if (is_moving(place->second)) return moved(place->first, place->second, granted, now);
  if (place->second.phase != Phase::waiting) return;
  enter(place->first, place->second, granted, now);
}

void Session::on(const wire::Refused& refused, Instant /*now*/) {
  const Refusal refusal{reason_of(static_cast<member::Refusal>(refused.why())), refused.text()};
  if (questions_.erase(refused.request()) > 0) return out_.refused(refused.request(), refusal);
  const auto place = entries_.find(refused.request());
  if (place == entries_.end()) return;
  if (place->second.phase == Phase::leaving) {  // it was lost on the way, or let go before
    end_of(place, "");
    return part_if_stopping();
  }
  if (is_moving(place->second)) {  // it stays what it was
    place->second.shown_in = 0;
    return;
  }
  if (place->second.phase == Phase::asking) return on_kept_inside(place, refused);
  if (place->second.phase != Phase::waiting) return;
  if (refused.why() == wire::STOPPING) return;  // it is asked elsewhere
  if (is_done_before(place->second, refused)) {
    out_.lasts(place->first, {});
  } else {
    out_.refused(place->first, refusal);
  }
  entries_.erase(place);
}

// The owner has nothing: a member that we asked before has ended it, and could not say so any more.
bool Session::is_done_before(const Entry& entry, const wire::Refused& refused) {
  return entry.burial && entry.burial->token == 0 && entry.times_asked > 1 &&
         refused.why() == wire::UNKNOWN;
}

// Or it does not know what we speak of: then it was lost on the way.
void Session::on_kept_inside(Entries::iterator place, const wire::Refused& refused) {
  if (refused.why() != wire::MUST_STAY) {
    end_of(place, kLostQuorum);
    return part_if_stopping();
  }
  // Another member may have let it out before, and somebody else in: nobody has told us.
  if (std::exchange(place->second.asked_in, 0) != number_) {
    let_go(place->first);
    end_of(place, "it has moved while it waited to leave, and may have been let out before");
    return part_if_stopping();
  }
  place->second.phase = Phase::inside;
  out_.stays(place->first, {Reason::must_stay, refused.text()});
}

void Session::on(const wire::Lost& lost, Instant now) {
  const auto place = entries_.find(lost.request());
  if (place == entries_.end()) return;
  if (place->second.phase == Phase::waiting) {  // for an owner: it was inside, and not yet for good
    if (!place->second.wish.owner.empty()) ask(place->first, place->second, now);
    return;
  }
  if (!is_current(place->second)) return;
  end_of(place, kLostQuorum);
  part_if_stopping();
}

void Session::on(const wire::Left& left) {
  const auto place = entries_.find(left.request());
  if (place == entries_.end()) return;
  if (place->second.burial || place->second.change) {
    out_.lasts(place->first, {});
    entries_.erase(place);
    return;
  }
  const bool is_wanted =
      place->second.phase == Phase::asking || place->second.phase == Phase::leaving;
  if (!is_wanted) return;
  place->second.phase = Phase::leaving;  // as it wanted: that is no loss
  end_of(place, "");
  part_if_stopping();
}

void Session::on(const wire::Lasts& lasts) {
  const auto place = entries_.find(lasts.request());
  if (place == entries_.end() || place->second.phase != Phase::waiting) return;
  out_.lasts(place->first, {lasts.group(), lasts.token(), {}});
  entries_.erase(place);
}

void Session::on(const wire::Kept& kept) {
  for (const wire::Kept::Place& one : kept.places()) {
    const auto place = entries_.find(one.request());
    if (place != entries_.end()) place->second.wish.place = Time{one.place()};
  }
  std::map<Ticket, const wire::Good*> shorter;
  for (const wire::Kept::Shorter& one : kept.shorter()) shorter[one.request()] = &one.good();
  for (auto& [ticket, entry] : entries_) {
    if (!entry.is_inside() || !is_current(entry)) continue;
    const auto own = shorter.find(ticket);
    renew(ticket, entry, own == shorter.end() ? kept.good() : *own->second);
  }
}

void Session::on_ended() {
  for (auto place = entries_.begin(); place != entries_.end();) {
    const bool is_over = place->second.phase != Phase::waiting && is_current(place->second);
    place = is_over ? end_of(place, "the session ended: its member heard nothing for too long")
                    : std::next(place);
  }
  id_ = 0;
  is_connected_ = false;
  out_.part();
}

// What cannot move may be finished, in the time that is left.
void Session::on_stopping(Instant /*now*/) {
  if (leave_for_another()) return;
  is_stopping_ = true;
  for (auto& [ticket, entry] : entries_) {
    if (is_current(entry)) lose(ticket, entry, "its member, " + member_ + ", is stopping");
  }
  part_if_stopping();
}

void Session::part_if_stopping() {
  if (!is_stopping_ || !is_connected_) return;
  const bool is_busy = std::any_of(entries_.begin(), entries_.end(), [&](const auto& item) {
    const Entry& entry = item.second;
    return entry.phase != Phase::waiting && (is_current(entry) || is_moving(entry));
  });
  if (is_busy) return;
  close();
  out_.part();
}

void Session::close() {
  wire::Call closing;
  closing.mutable_close();
  call(closing);
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
      run_out(at->first, at->second);
      entries_.erase(at);
    }
  }
  refuse_unanswered(now);
  part_if_stopping();
  close_former_if_done();
}

// The entry is over. The member is asked to let it go, should it still know it.
void Session::run_out(Ticket ticket, Entry& entry) {
  const bool is_known = entry.phase != Phase::leaving && (is_current(entry) || is_moving(entry));
  if (entry.phase == Phase::waiting || is_known) let_go(ticket);
  if (entry.phase == Phase::waiting) return out_.refused(ticket, out_of_patience(entry));
  lose(ticket, entry, "it could not be renewed in time");
  out_.left(ticket);
}

Refusal Session::out_of_patience(const Entry& entry) const {
  if (entry.wish.is_try) return {Reason::unreachable, "no member answered in time"};
  if (!is_connected_) return {Reason::timed_out, "no member could be reached in that time"};
  if (entry.burial && entry.burial->kind.type == member::Type::band && !entry.burial->is_forced)
    return {Reason::must_stay, "it was not let out in that time"};
  if (entry.burial)
    return {Reason::timed_out,
            "no quorum has answered yet; it ends when one does: do not rely on it any more"};
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

}  // namespace coterie::client
