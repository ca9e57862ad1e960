#include "net/codec.h"

#include <algorithm>
#include <utility>

namespace coterie::net {

namespace {

using member::Answer;
using member::Ask;
using member::Flow;
using member::Kind;
using member::Packet;
using protocol::Rank;

std::uint64_t number_of(Time time) { return static_cast<std::uint64_t>(time); }

bool is_name(const std::string& text) { return text.size() <= Limits::kName; }

void encode(const Kind& kind, wire::Kind& to) { to.set_type(static_cast<wire::Type>(kind.type)); }

std::optional<Kind> decode(const wire::Kind& kind) {
  if (!wire::Type_IsValid(kind.type())) return std::nullopt;
  return Kind{static_cast<member::Type>(kind.type())};
}

template <class Strings>
std::optional<std::vector<std::string>> decode_groups(const Strings& groups) {
  if (groups.size() > Limits::kGroups) return std::nullopt;
  if (!std::all_of(groups.begin(), groups.end(), is_name)) return std::nullopt;
  return std::vector<std::string>(groups.begin(), groups.end());
}

// ---- packets: each body to its field, and back

void encode(const member::Request& body, wire::Packet& to) {
  wire::Request& request = *to.mutable_request();
  request.set_tag(number_of(body.tag));
  request.set_is_holding(body.priority.rank == Rank::holding);
  request.set_time(number_of(body.priority.stamp.time));
  request.set_process(body.priority.stamp.process);
  for (const std::string& group : body.groups) request.add_groups(group);
  request.set_is_try(body.is_try);
}
void encode(const member::Yield& body, wire::Packet& to) {
  to.mutable_yield()->set_tag(number_of(body.tag));
  to.mutable_yield()->set_number(body.number);
}
void encode(const member::Release& body, wire::Packet& to) {
  to.mutable_release()->set_tag(number_of(body.tag));
  to.mutable_release()->set_number(body.number);
}
void encode(const member::Lock& body, wire::Packet& to) {
  wire::Lock& lock = *to.mutable_lock();
  lock.set_tag(number_of(body.tag));
  lock.set_group(body.group);
  lock.set_number(body.number);
  lock.set_is_wanted(body.is_wanted);
}
void encode(const member::Inquire& body, wire::Packet& to) {
  to.mutable_inquire()->set_tag(number_of(body.tag));
}
void encode(const member::Wanted& body, wire::Packet& to) {
  to.mutable_wanted()->set_tag(number_of(body.tag));
}
void encode(const member::Queued& body, wire::Packet& to) {
  to.mutable_queued()->set_tag(number_of(body.tag));
}
void encode(const member::Mismatch& body, wire::Packet& to) {
  to.mutable_mismatch()->set_tag(number_of(body.tag));
  encode(body.known, *to.mutable_mismatch()->mutable_known());
}

bool decode_body(const wire::Packet& from, Ask& body) {
  switch (from.body_case()) {
    case wire::Packet::kRequest: {
      const wire::Request& request = from.request();
      auto groups = decode_groups(request.groups());
      if (!groups) return false;
      body = member::Request{Time{request.tag()},
                             {request.is_holding() ? Rank::holding : Rank::waiting,
                              {Time{request.time()}, request.process()}},
                             std::move(*groups),
                             request.is_try()};
      return true;
    }
    case wire::Packet::kYield:
      body = member::Yield{Time{from.yield().tag()}, from.yield().number()};
      return true;
    case wire::Packet::kRelease:
      body = member::Release{Time{from.release().tag()}, from.release().number()};
      return true;
    default:
      return false;
  }
}

bool decode_body(const wire::Packet& from, Answer& body) {
  switch (from.body_case()) {
    case wire::Packet::kLock:
      if (!is_name(from.lock().group())) return false;
      body = member::Lock{Time{from.lock().tag()}, from.lock().group(), from.lock().number(),
                          from.lock().is_wanted()};
      return true;
    case wire::Packet::kInquire:
      body = member::Inquire{Time{from.inquire().tag()}};
      return true;
    case wire::Packet::kWanted:
      body = member::Wanted{Time{from.wanted().tag()}};
      return true;
    case wire::Packet::kQueued:
      body = member::Queued{Time{from.queued().tag()}};
      return true;
    case wire::Packet::kMismatch: {
      const auto known = decode(from.mismatch().known());
      if (!known) return false;
      body = member::Mismatch{Time{from.mismatch().tag()}, *known};
      return true;
    }
    default:
      return false;
  }
}

template <class Body>
void encode(const Flow<Body>& flow, wire::Flow& to) {
  to.set_session(flow.session);
  to.set_beat(flow.beat);
  to.set_first(flow.first);
  to.set_received(flow.received);
  for (const Packet<Body>& packet : flow.packets) {
    wire::Packet& made = *to.add_packets();
    made.set_name(packet.name);
    encode(packet.kind, *made.mutable_kind());
    made.set_slot(packet.slot);
    std::visit([&](const auto& body) { encode(body, made); }, packet.body);
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
    const auto kind = decode(packet.kind());
    if (!kind || !is_name(packet.name())) return false;
    Packet<Body>& made = flow.packets.emplace_back();
    made.name = packet.name();
    made.kind = *kind;
    made.slot = packet.slot();
    if (!decode_body(packet, made.body)) return false;
  }
  return true;
}

}  // namespace

void encode(const member::Frame& frame, wire::Frame& to) {
  to.set_from(frame.from);
  to.set_to(frame.to);
  to.set_clock(number_of(frame.clock));
  to.set_ceiling(frame.ceiling);
  to.set_is_silent(frame.is_silent);
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
}

std::optional<member::Frame> decode(const wire::Frame& from) {
  if (from.questions_size() > Limits::kPackets || from.reports_size() > Limits::kPackets)
    return std::nullopt;
  member::Frame frame;
  frame.from = from.from();
  frame.to = from.to();
  frame.clock = Time{from.clock()};
  frame.ceiling = from.ceiling();
  frame.is_silent = from.is_silent();
  frame.is_farewell = from.is_farewell();
  if (!decode(from.asking(), frame.asking) || !decode(from.answering(), frame.answering))
    return std::nullopt;
  for (const wire::Question& question : from.questions()) {
    if (!is_name(question.name())) return std::nullopt;
    frame.questions.push_back({question.id(), question.name()});
  }
  for (const wire::Report& report : from.reports())
    frame.reports.push_back({report.id(), report.view()});
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
}

std::optional<member::Wish> decode(const wire::Acquire& acquire) {
  constexpr std::uint64_t kLongestWait = std::uint64_t{1} << 61U;  // 73 years
  const auto kind = decode(acquire.kind());
  if (!kind || acquire.wait_ns() > kLongestWait) return std::nullopt;
  member::Wish wish;
  wish.request = acquire.request();
  wish.name = acquire.name();
  wish.kind = *kind;
  wish.groups.assign(acquire.groups().begin(), acquire.groups().end());
  wish.is_alone = acquire.is_alone();
  wish.is_try = acquire.is_try();
  wish.wait = {static_cast<std::int64_t>(acquire.wait_ns())};
  return wish;
}

namespace {

void encode(const member::Good& good, wire::Good& to) {
  to.set_beat(good.beat);
  to.set_lasts_ns(static_cast<std::uint64_t>(std::max<std::int64_t>(0, good.lasts.ns)));
}

void encode(const member::Picture& picture, std::span<const std::string> names, wire::Shown& to) {
  to.set_name(picture.name);
  to.set_is_known(picture.kind.has_value());
  if (picture.kind) encode(*picture.kind, *to.mutable_kind());
  for (const auto& holder : picture.holders) {
    wire::Shown::Holder& made = *to.add_holders();
    made.set_client(holder.client);
    made.set_member(names[holder.member]);
    made.set_group(holder.group);
    made.set_token(holder.token);
    made.set_since_ms(holder.since);
    made.set_good_for_ms(holder.good_for);
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
}

}  // namespace

void encode(const member::Granted& granted, wire::Granted& to) {
  to.set_request(granted.request);
  to.set_group(granted.group);
  to.set_token(granted.token);
  encode(granted.good, *to.mutable_good());
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
  void operator()(const member::Kept& event) const {
    encode(event.good, *to.mutable_kept()->mutable_good());
    for (const auto& [request, good] : event.shorter) {
      wire::Kept::Shorter& made = *to.mutable_kept()->add_shorter();
      made.set_request(request);
      encode(good, *made.mutable_good());
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
