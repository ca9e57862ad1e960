#include "net/codec.h"

#include <algorithm>
#include <utility>

#include "member/incarnation.h"
#include "member/sound.h"
#include "net/codec_packet.h"

namespace coterie::net {

namespace {

using member::Flow;
using member::Packet;

std::uint64_t number_of(Time time) { return static_cast<std::uint64_t>(time); }

template <class Body>
void encode(const Flow<Body>& flow, wire::Flow& to) {
  to.set_session(flow.session);
  to.set_beat(flow.beat);
  to.set_first(flow.first);
  to.set_received(flow.received);
  for (const Packet<Body>& packet : flow.packets) {
    wire::Packet& made = *to.add_packets();
    made.set_name(packet.name);
    net::encode(packet.kind, *made.mutable_kind());
    made.set_slot(packet.slot);
    net::encode(packet.body, made);
  }
}

template <class Body>
bool decode(const wire::Flow& from, Flow<Body>& flow) {
  if (from.packets_size() > Limits::kPackets) return false;
  flow.session = from.session();
  flow.beat = from.beat();
  flow.first = from.first();
  flow.received = from.received();
  flow.packets.reserve(static_cast<std::size_t>(from.packets_size()));
  for (const wire::Packet& packet : from.packets()) {
    const auto kind = net::decode(packet.kind());
    if (!kind || !is_name(packet.name())) return false;
    Packet<Body>& made = flow.packets.emplace_back();
    made.name = packet.name();
    made.kind = *kind;
    made.slot = packet.slot();
    if (!decode_body(packet, made.body)) return false;
  }
  return true;
}

void encode(const member::Seen& seen, wire::Seen& to) {
  to.set_incarnation(seen.incarnation);
  to.set_durable(seen.durable);
}

}  // namespace

void encode(const member::Frame& frame, wire::Frame& to) {
  to.set_from(frame.from);
  to.set_to(frame.to);
  to.set_durable(frame.durable);
  if (frame.seen.incarnation != 0) encode(frame.seen, *to.mutable_seen());
  to.set_clock(number_of(frame.clock));
  to.set_ceiling(frame.ceiling);
  to.set_is_silent(frame.is_silent);
  to.set_asks_others(frame.asks_others);
  to.set_is_farewell(frame.is_farewell);
  encode(frame.asking, *to.mutable_asking());
  encode(frame.answering, *to.mutable_answering());
  for (const member::Question& question : frame.questions) {
    wire::Question& made = *to.add_questions();
    made.set_id(question.id);
    made.set_name(question.name);
  }
  for (const member::Report& report : frame.reports) {
    wire::Report& made = *to.add_reports();
    made.set_id(report.id);
    made.set_view(report.view);
  }
  if (frame.keepsakes) to.set_keepsakes(*frame.keepsakes);
  to.set_lent_ns(frame.lent_ns);
  to.set_asks_after(frame.asks_after);
  to.set_keepsakes_after(frame.keepsakes_after);
  to.set_has_more(frame.has_more);
}

std::optional<member::Frame> decode(const wire::Frame& from) {
  if (from.questions_size() > Limits::kPackets || from.reports_size() > Limits::kPackets)
    return std::nullopt;
  if (from.from() > member::kLastIncarnation || from.to() > member::kLastIncarnation ||
      from.seen().incarnation() > member::kLastIncarnation || from.lent_ns() > Limits::kWait)
    return std::nullopt;
  member::Frame frame;
  frame.from = from.from();
  frame.to = from.to();
  frame.durable = from.durable();
  frame.seen = {from.seen().incarnation(), from.seen().durable()};
  frame.lent_ns = from.lent_ns();
  frame.clock = Time{from.clock()};
  frame.ceiling = from.ceiling();
  frame.is_silent = from.is_silent();
  frame.asks_others = from.asks_others();
  frame.is_farewell = from.is_farewell();
  if (!decode(from.asking(), frame.asking) || !decode(from.answering(), frame.answering))
    return std::nullopt;
  for (const wire::Question& question : from.questions()) {
    if (!is_name(question.name())) return std::nullopt;
    frame.questions.push_back({question.id(), question.name()});
  }
  for (const wire::Report& report : from.reports())
    frame.reports.push_back({report.id(), report.view()});
  if (from.has_keepsakes()) frame.keepsakes = from.keepsakes();
  frame.asks_after = from.asks_after();
  frame.keepsakes_after = from.keepsakes_after();
  frame.has_more = from.has_more();
  if (!member::is_sound(frame)) return std::nullopt;
  return frame;
}

void encode(const member::Wish& wish, wire::Acquire& to) {
  to.set_request(wish.request);
  to.set_name(wish.name);
  encode(wish.kind, *to.mutable_kind());
  for (const std::string& group : wish.groups) to.add_groups(group);
  to.set_is_alone(wish.is_alone);
  to.set_is_try(wish.is_try);
  to.set_wait_ns(static_cast<std::uint64_t>(wish.wait.ns));
  to.set_owner(wish.owner);
  if (!wish.attempt.is_none()) encode(wish.attempt, *to.mutable_attempt());
  to.set_seen(wish.seen);
  to.set_place(number_of(wish.place));
  if (!wish.ticket) return;
  encode(wish.ticket->origin, *to.mutable_ticket()->mutable_origin());
  to.mutable_ticket()->set_group(wish.ticket->group);
  to.mutable_ticket()->set_token(wish.ticket->token);
  encode(wish.ticket->secret, *to.mutable_ticket()->mutable_secret());
  to.mutable_ticket()->set_held_ns(static_cast<std::uint64_t>(wish.ticket->held.ns));
}

std::optional<member::Wish> decode(const wire::Acquire& acquire) {
  const auto kind = decode(acquire.kind());
  if (!kind || acquire.wait_ns() > Limits::kWait) return std::nullopt;
  member::Wish wish;
  wish.request = acquire.request();
  wish.name = acquire.name();
  wish.kind = *kind;
  wish.groups.assign(acquire.groups().begin(), acquire.groups().end());
  wish.is_alone = acquire.is_alone();
  wish.is_try = acquire.is_try();
  wish.wait = {static_cast<std::int64_t>(acquire.wait_ns())};
  wish.owner = acquire.owner();
  wish.attempt = decode(acquire.attempt());
  wish.seen = acquire.seen();
  wish.place = Time{acquire.place()};
  if (!acquire.has_ticket()) return wish;
  const wire::Ticket& ticket = acquire.ticket();
  if (!is_name(ticket.group())) return std::nullopt;
  if (ticket.held_ns() > Limits::kWait) return std::nullopt;
  wish.ticket = {decode(ticket.origin()),
                 ticket.group(),
                 ticket.token(),
                 decode(ticket.secret()),
                 {static_cast<std::int64_t>(ticket.held_ns())}};
  return wish;
}

void encode(const member::Burial& burial, wire::Bury& to) {
  to.set_request(burial.request);
  to.set_name(burial.name);
  encode(burial.kind, *to.mutable_kind());
  to.set_owner(burial.owner);
  to.set_token(burial.token);
  to.set_is_forced(burial.is_forced);
  to.set_wait_ns(static_cast<std::uint64_t>(burial.wait.ns));
  to.set_how(static_cast<std::uint32_t>(burial.how));
  if (!burial.attempt.is_none()) encode(burial.attempt, *to.mutable_attempt());
}

std::optional<member::Burial> decode(const wire::Bury& bury) {
  const auto kind = decode(bury.kind());
  const auto how = how_of(bury.how());
  if (!kind || !how || bury.wait_ns() > Limits::kWait) return std::nullopt;
  return member::Burial{bury.request(),
                        bury.name(),
                        *kind,
                        bury.owner(),
                        bury.token(),
                        bury.is_forced(),
                        {static_cast<std::int64_t>(bury.wait_ns())},
                        *how,
                        decode(bury.attempt())};
}

void encode(const member::Change& change, wire::Change& to) {
  to.set_request(change.request);
  to.set_name(change.name);
  encode(change.kind, *to.mutable_kind());
  encode(change.was, *to.mutable_was());
  to.set_is_reform(change.is_reform);
  to.set_forgets(change.forgets);
  if (change.replaces) to.set_replaces(*change.replaces);
}

std::optional<member::Change> decode(const wire::Change& change) {
  const auto kind = decode(change.kind());
  const auto was = change.has_was() ? decode(change.was()) : kind;
  if (!kind || !was) return std::nullopt;
  member::Change made{change.request(),   change.name(),   *was, *kind,
                      change.is_reform(), change.forgets()};
  if (change.has_replaces()) made.replaces = change.replaces();
  return made;
}

void encode(const member::Leave& leave, wire::Release& to) {
  to.set_wait_ns(static_cast<std::uint64_t>(leave.wait.ns));
  to.set_is_try(leave.is_try);
  to.set_is_abandonment(leave.is_abandonment);
  to.set_is_quiet(leave.is_quiet);
}

std::optional<member::Leave> decode(const wire::Release& release) {
  if (release.wait_ns() > Limits::kWait) return std::nullopt;
  return member::Leave{.wait = {static_cast<std::int64_t>(release.wait_ns())},
                       .is_try = release.is_try(),
                       .is_abandonment = release.is_abandonment(),
                       .is_quiet = release.is_abandonment() && release.is_quiet()};
}

namespace {

void encode(const member::Good& good, wire::Good& to) {
  to.set_beat(good.beat);
  to.set_lasts_ns(static_cast<std::uint64_t>(std::max<std::int64_t>(0, good.lasts.ns)));
}

void encode(const member::Picture& picture, std::span<const std::string> names, wire::Shown& to) {
  to.set_name(picture.name);
  to.set_is_known(picture.kind.has_value());
  if (picture.kind) net::encode(*picture.kind, *to.mutable_kind());
  to.set_is_set(picture.is_set);
  to.set_version(picture.version);
  if (picture.was) net::encode(*picture.was, *to.mutable_was());
  for (const auto& holder : picture.holders) {
    wire::Shown::Holder& made = *to.add_holders();
    made.set_client(holder.client);
    if (!holder.is_lasting) made.set_member(names[holder.member]);
    made.set_group(holder.group);
    made.set_token(holder.token);
    made.set_since_ms(holder.since);
    made.set_good_for_ms(holder.good_for);
    made.set_is_leaving(holder.is_leaving);
    made.set_why(holder.why);
    made.set_is_lasting(holder.is_lasting);
    made.set_certainty(static_cast<wire::Shown::Holder::Certainty>(holder.certainty));
    made.set_given_at_ms(holder.given_at);
  }
  for (const auto& waiter : picture.waiters) {
    wire::Shown::Waiter& made = *to.add_waiters();
    made.set_client(waiter.client);
    made.set_member(names[waiter.member]);
    for (const std::string& group : waiter.groups) made.add_groups(group);
    made.set_since_ms(waiter.since);
    made.set_why(waiter.why);
  }
  for (const NodeId member : picture.dark) to.add_dark(names[member]);
  for (const auto& [owner, token] : picture.ended) {
    wire::Shown::Ended& made = *to.add_ended();
    made.set_owner(owner);
    made.set_token(token);
  }
}

}  // namespace

void encode(const member::Granted& granted, wire::Granted& to) {
  to.set_request(granted.request);
  to.set_group(granted.group);
  to.set_token(granted.token);
  encode(granted.good, *to.mutable_good());
  encode(granted.origin, *to.mutable_origin());
  if (!granted.secret.is_none()) encode(granted.secret, *to.mutable_secret());
}

namespace {

struct EventEncoder {
  std::span<const std::string> names;
  wire::Event& to;

  void operator()(const member::Granted& event) const { net::encode(event, *to.mutable_granted()); }
  void operator()(const member::Refused& event) const {
    wire::Refused& made = *to.mutable_refused();
    made.set_request(event.request);
    made.set_why(static_cast<wire::Refusal>(event.why));
    made.set_text(event.text);
  }
  void operator()(const member::Lost& event) const {
    to.mutable_lost()->set_request(event.request);
  }
  void operator()(const member::Left& event) const {
    to.mutable_left()->set_request(event.request);
  }
  void operator()(const member::Lasts& event) const {
    to.mutable_lasts()->set_request(event.request);
    to.mutable_lasts()->set_group(event.group);
    to.mutable_lasts()->set_token(event.token);
  }
  void operator()(const member::Kept& event) const {
    encode(event.good, *to.mutable_kept()->mutable_good());
    for (const auto& [request, good] : event.shorter) {
      wire::Kept::Shorter& made = *to.mutable_kept()->add_shorter();
      made.set_request(request);
      encode(good, *made.mutable_good());
    }
    for (const auto& [request, place] : event.places) {
      wire::Kept::Place& made = *to.mutable_kept()->add_places();
      made.set_request(request);
      made.set_place(number_of(place));
    }
  }
  void operator()(const member::Ended& /*event*/) const { to.mutable_ended(); }
  void operator()(const member::Stopping& /*event*/) const { to.mutable_stopping(); }
  void operator()(const member::Shown& event) const {
    to.mutable_shown()->set_request(event.request);
    encode(event.picture, names, *to.mutable_shown());
  }
};

}  // namespace

void encode(const member::Event& event, std::span<const std::string> names, wire::Event& to) {
  std::visit(EventEncoder{names, to}, event);
}

}  // namespace coterie::net
