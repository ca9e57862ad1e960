#include "member/link.h"

#include <algorithm>

#include "base/assert.h"
#include "member/incarnation.h"

namespace coterie::member {

using protocol::Life;

Link::Link(NodeId peer, Incarnation self, const Timing& timing, Instant now, Ear& ear, Tally& tally,
           const Seen& seen)
    : peer_(peer),
      self_(self),
      timing_(timing),
      ear_(ear),
      tally_(tally),
      seen_(seen),
      next_beat_(now + timing.heartbeat) {}

void Link::receive(const Frame& frame, Instant now) {
  const Incarnation known = std::max(life_, seen_.incarnation);
  if (frame.from <
      known) {  // it is over; or it is the present one, and must be told that it has to count on
    is_greeting_due_ = is_greeting_due_ || frame.asking.beat != 0;
    return tally_.count(Happened::frame_of_former_life);
  }
  if (known != 0 && is_leap(known, frame.from)) return tally_.count(Happened::impossible);
  if (frame.from > life_ && !know(frame.from)) return tally_.count(Happened::peer_reborn_twice);
  durable_ = std::max(durable_, frame.durable);
  if (asking_.with != life_ && !asking_.is_up) open_session(now);
  if (frame.to != self_) {
    if (frame.to != 0) tally_.count(Happened::frame_for_former_life);
    is_greeting_due_ = is_greeting_due_ || frame.asking.beat != 0;
    return;
  }
  is_silent_ = frame.is_silent;
  has_left_ = frame.is_farewell;
  receive_asking(frame.asking, now);
  receive_answering(frame.answering, now);
  if (is_silent_) doubt();
  if (!frame.is_farewell) return;
  tally_.count(Happened::peer_left);
  if (answering_.is_lent) expire();
  answering_.is_over = true;
  doubt();
}

// The peer lives again. What it asked in its former life is dropped but for what its clients may still use.
bool Link::know(Incarnation incarnation) {
  if (answering_.is_lent) {
    if (former_until_) return false;
    tally_.count(Happened::peer_reborn);
    former_until_ = answering_.until;
    former_ = life_;
    ear_.on_reborn(peer_);
  }
  answering_ = {};
  if (life_ != 0) seen_ = {life_, durable_};
  durable_ = incarnation == seen_.incarnation ? seen_.durable : 0;
  life_ = incarnation;
  has_left_ = false;
  doubt();  // it is silent: what it granted in its former life is good until the lease is over
  return true;
}

void Link::open_session(Instant now) {
  Asking fresh;
  fresh.with = life_;
  fresh.session = asking_.session + 1;
  fresh.opened = now;
  asking_ = std::move(fresh);
  is_beat_due_ = true;
  next_beat_ = now + timing_.heartbeat;
}

void Link::receive_asking(const Flow<Ask>& flow, Instant now) {
  if (flow.session < answering_.session ||
      (flow.session == answering_.session && answering_.is_over)) {
    if (flow.session != 0) tally_.count(Happened::frame_of_former_session);
    return;
  }
  if (flow.session > answering_.session) {
    if (answering_.is_lent) {  // the peer has seen its lease lapse, or would not ask anew
      tally_.count(Happened::session_renewed);
      expire();
    }
    answering_ = {};
    answering_.session = flow.session;
  }
  if (flow.beat != 0) {
    answering_.is_lent = true;
    answering_.until = std::max(answering_.until, now + timing_.lent);
    answering_.beat = std::max(answering_.beat, flow.beat);
  }
  if (!answering_.is_lent) return;  // it overtook the heartbeat that opens the session
  answering_.sender.arrived(flow.received);
  answering_.receiver.take(flow, tally_,
                           [&](const Packet<Ask>& packet) { ear_.on_ask(peer_, packet); });
}

void Link::receive_answering(const Flow<Answer>& flow, Instant now) {
  if (flow.session == 0) return;
  if (flow.session != asking_.session || asking_.with != life_)
    return tally_.count(Happened::answer_of_former_session);
  if (flow.beat != 0) renew_lease(flow.beat, now);
  if (!asking_.is_up) return;
  asking_.sender.arrived(flow.received);
  asking_.receiver.take(flow, tally_,
                        [&](const Packet<Answer>& packet) { ear_.on_answer(peer_, packet); });
}

void Link::renew_lease(std::uint64_t beat, Instant now) {
  while (!asking_.beats.empty() && asking_.beats.front().first < beat) asking_.beats.pop_front();
  if (asking_.beats.empty() || asking_.beats.front().first != beat) return;  // answered before
  asking_.until = std::max(asking_.until, asking_.beats.front().second + timing_.lease);
  asking_.beats.pop_front();
  if (asking_.until <= now) return;  // over before it began
  asking_.heard = now;
  if (!asking_.is_up) {
    asking_.is_up = true;
    ear_.on_up(peer_);
  } else if (asking_.is_doubted && !is_silent_) {
    asking_.is_doubted = false;
    tally_.count(Happened::trusted);
    ear_.on_trust(peer_);
  }
}

void Link::connected(Instant now) {
  asking_.sender.send_again();
  answering_.sender.send_again();
  is_beat_due_ = true;
  next_beat_ = now + timing_.heartbeat;
}

void Link::disconnected() { doubt(); }

void Link::doubt() {
  if (!asking_.is_up || asking_.is_doubted) return;
  asking_.is_doubted = true;
  tally_.count(Happened::suspected);
  ear_.on_suspect(peer_);
}

void Link::stop_believing(Instant now) {
  if (!asking_.is_up || asking_.until > now) return;
  tally_.count(Happened::lapsed);
  asking_.is_up = false;
  ear_.on_lapse(peer_);
  open_session(now);
}

void Link::advance(Instant now) {
  if (asking_.is_up && asking_.heard + timing_.suspect_after <= now) doubt();
  if (answering_.is_lent && answering_.until <= now) {
    tally_.count(Happened::expired);
    expire();
    answering_.is_over = true;
  }
  if (former_until_ && *former_until_ <= now) {
    tally_.count(Happened::expired_former);
    former_until_.reset();
    ear_.on_expire(peer_, Life::former);
  }
  if (next_beat_ > now) return;
  is_beat_due_ = true;
  next_beat_ = now + timing_.heartbeat;
  // The peer may have leased to us and heard no more, since its answers were lost: to it this session is over.
  if (is_asking() && !asking_.is_up && asking_.opened + timing_.lease <= now) {
    tally_.count(Happened::session_vain);
    open_session(now);
  }
  if (asking_.sender.is_stuck()) {
    tally_.count(Happened::resent);
    asking_.sender.send_again();
  }
  if (answering_.sender.is_stuck()) {
    tally_.count(Happened::resent);
    answering_.sender.send_again();
  }
}

void Link::expire() {
  answering_.is_lent = false;
  answering_.beat = 0;
  answering_.sender = {};
  ear_.on_expire(peer_, Life::present);
}

Instant Link::next() const {
  Instant next = next_beat_;
  if (asking_.is_up) {
    next = std::min(next, asking_.until);
    if (!asking_.is_doubted) next = std::min(next, asking_.heard + timing_.suspect_after);
  }
  if (answering_.is_lent) next = std::min(next, answering_.until);
  if (former_until_) next = std::min(next, *former_until_);
  return next;
}

void Link::ask(Packet<Ask> packet) {
  COTERIE_ASSERT(is_up());
  asking_.sender.push(std::move(packet));
}

void Link::answer(Packet<Answer> packet) {
  if (answering_.is_lent) answering_.sender.push(std::move(packet));
}

bool Link::has_to_send() const {
  constexpr std::uint64_t kMostUntold = 256;  // what the peer must remember meanwhile
  if (is_beat_due_ || is_greeting_due_) return true;
  const bool has_to_ask =
      is_asking() && (asking_.sender.has_unsent() || asking_.receiver.untold() > kMostUntold);
  return has_to_ask ||
         (answering_.is_lent && (answering_.beat != 0 || answering_.sender.has_unsent() ||
                                 answering_.receiver.untold() > kMostUntold));
}

void Link::fill(Frame& frame, Instant now) {
  frame.from = self_;
  frame.to = life_;
  const bool tells = is_beat_due_ || is_greeting_due_ || answering_.beat != 0;
  if (tells && seen_.incarnation != life_) frame.seen = seen_;
  if (is_beat_due_) frame.asking.beat = ++beats_;
  if (is_asking()) {
    frame.asking.session = asking_.session;
    while (!asking_.beats.empty() && asking_.beats.front().second + timing_.lease <= now)
      asking_.beats.pop_front();
    if (is_beat_due_) asking_.beats.emplace_back(beats_, now);
    asking_.sender.fill(frame.asking);
    frame.asking.received = asking_.receiver.tell();
  }
  if (answering_.is_lent) {
    frame.answering.session = answering_.session;
    frame.answering.beat = std::exchange(answering_.beat, 0);
    answering_.sender.fill(frame.answering);
    frame.answering.received = answering_.receiver.tell();
  }
  is_beat_due_ = false;
  is_greeting_due_ = false;
}

std::optional<Instant> Link::lent_until(Life life) const {
  if (life == Life::former) return former_until_;
  return answering_.is_lent ? std::optional(answering_.until) : std::nullopt;
}

std::optional<Life> Link::life_of(Incarnation incarnation) const {
  if (incarnation == life_) return Life::present;
  return former_until_ && incarnation == former_ ? std::optional(Life::former) : std::nullopt;
}

}  // namespace coterie::member
