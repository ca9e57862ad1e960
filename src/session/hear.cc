// What a session makes of what its member says.
#include <map>
#include <utility>

#include "session/reason.h"
#include "session/session.h"

namespace coterie::session {

void Session::receive(const api::Event& event, Instant now) {
  heard_ = now;
  std::visit([&](const auto& what) { on(what, now); }, event);
  close_former_if_done();
}

bool Session::answered(Ticket question, Instant now) {
  heard_ = now;
  return questions_.erase(question) > 0;
}

void Session::on(const api::Granted& granted, Instant now) {
  const auto place = entries_.find(granted.request);
  // It may have given up just before.
  if (place == entries_.end()) return;
  if (is_moving(place->second)) return moved(place->first, place->second, granted, now);
  if (place->second.phase != Phase::waiting) return;
  enter(place->first, place->second, granted, now);
}

void Session::on(const api::Refused& refused, Instant /*now*/) {
  const Refusal refusal{reason_of(refused.why), refused.text};
  if (questions_.erase(refused.request) > 0) return out_.refused(refused.request, refusal);
  const auto place = entries_.find(refused.request);
  if (place == entries_.end()) return;
  if (place->second.phase == Phase::giving_up) {
    // Nothing came of a request. Of an end nobody knows, but if the only member that was asked says that the hold stays.
    const bool stays = place->second.burial && refused.why == api::Refusal::must_stay &&
                       place->second.times_asked == 1;
    out_.refused(place->first, stays ? refusal : place->second.refusal.value_or(refusal));
    entries_.erase(place);
    return part_if_stopping();
  }
  if (place->second.phase == Phase::leaving) {  // it was lost on the way, or let go before
    end_of(place, "");
    return part_if_stopping();
  }
  if (is_moving(place->second)) return on_refused_move(place->second);
  if (place->second.phase == Phase::asking) return on_kept_inside(place, refused);
  if (place->second.phase != Phase::waiting) return;
  if (refused.why == api::Refusal::stopping) return;  // it is asked elsewhere
  // Nobody has it any more: a member that was asked before has ended it.
  const bool is_done = place->second.burial && place->second.times_asked > 1 &&
                       place->second.burial->how == api::Burial::How::end &&
                       refused.why == api::Refusal::unknown;
  if (is_done) {
    out_.lasts(place->first, {});
    entries_.erase(place);
    return part_if_stopping();
  }
  // A member that was asked before may have let it out.
  const bool is_doubtful = place->second.burial && place->second.times_asked > 1 &&
                           refused.why == api::Refusal::must_stay;
  if (is_doubtful) {
    end_unheard(place);
    return;
  }
  out_.refused(place->first, refusal);
  entries_.erase(place);
}

// Or it does not know what we speak of: then it was lost on the way.
void Session::on_kept_inside(Entries::iterator place, const api::Refused& refused) {
  if (refused.why != api::Refusal::must_stay) {
    end_of(place, kLostQuorum);
    return part_if_stopping();
  }
  // Another member may have let it out before, and somebody else in: nobody has told us.
  const bool is_doubtful = may_be_out(place->second);
  place->second.asked_in = 0;
  if (is_doubtful) {
    let_go(place->first);
    end_of(place, "it has moved while it waited to leave, and may have been let out before");
    return part_if_stopping();
  }
  place->second.phase = Phase::inside;
  out_.stays(place->first, {Reason::must_stay, refused.text});
}

void Session::on(const api::Lost& lost, Instant /*now*/) {
  const auto place = entries_.find(lost.request);
  if (place == entries_.end()) return;
  if (may_be_under_way(place->second) || place->second.phase == Phase::giving_up) {
    end_unheard(place);
    return part_if_stopping();
  }
  if (place->second.phase == Phase::waiting) return;
  if (!is_current(place->second)) return;
  end_of(place, kLostQuorum);
  part_if_stopping();
}

void Session::on(const api::Left& left, Instant /*now*/) {
  const auto place = entries_.find(left.request);
  if (place == entries_.end()) return;
  if (place->second.burial || place->second.change) {
    out_.lasts(place->first, {});
    entries_.erase(place);
    return;
  }
  if (place->second.phase == Phase::giving_up) {  // it was inside, and not yet for good
    out_.refused(place->first, place->second.refusal.value_or(Refusal{}));
    entries_.erase(place);
    return part_if_stopping();
  }
  const bool is_wanted =
      place->second.phase == Phase::asking || place->second.phase == Phase::leaving;
  if (!is_wanted) return;
  place->second.phase = Phase::leaving;  // as it wanted: that is no loss
  end_of(place, "");
  part_if_stopping();
}

void Session::on(const api::Lasts& lasts, Instant /*now*/) {
  const auto place = entries_.find(lasts.request);
  if (place == entries_.end()) return;
  const bool is_awaited =
      place->second.phase == Phase::waiting || place->second.phase == Phase::giving_up;
  if (!is_awaited) return;
  out_.lasts(place->first, {lasts.group, lasts.token, {}});
  entries_.erase(place);
}

void Session::on(const api::Kept& kept, Instant now) {
  for (const auto& [request, in_line] : kept.places) {
    const auto place = entries_.find(request);
    if (place != entries_.end()) place->second.wish.place = in_line;
  }
  const std::map<Ticket, api::Good> shorter(kept.shorter.begin(), kept.shorter.end());
  beat_every_ = usual_beat();
  for (auto& [ticket, entry] : entries_) {
    if (!is_renewable(entry)) continue;
    const auto own = shorter.find(ticket);
    renew(ticket, entry, own == shorter.end() ? kept.good : own->second, now);
  }
}

void Session::on(const api::Ended& /*ended*/, Instant /*now*/) {
  for (auto place = entries_.begin(); place != entries_.end();) {
    if (place->second.phase == Phase::giving_up) {
      place = end_unheard(place);
      continue;
    }
    const bool is_over = place->second.phase != Phase::waiting && is_current(place->second);
    place = is_over ? end_of(place, "the session ended: its member heard nothing for too long")
                    : std::next(place);
  }
  id_ = 0;
  is_connected_ = false;
  out_.part();
}

// What cannot move may be finished, in the time that is left.
void Session::on(const api::Stopping& /*stopping*/, Instant /*now*/) {
  if (leave_for_another()) return;
  is_stopping_ = true;
  stopping_from_ = 0;
  for (auto& [ticket, entry] : entries_) {
    if (is_current(entry)) lose(ticket, entry, "its member, " + member_ + ", is stopping");
  }
  part_if_stopping();
}

}  // namespace coterie::session
