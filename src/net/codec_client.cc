#include "net/codec_client.h"

#include <algorithm>
#include <variant>

#include "net/codec.h"
#include "net/codec_packet.h"
#include "net/version.h"

namespace coterie::net {

namespace {

constexpr std::uint64_t kMostDrift = 1'000'000;  // ppm: such a clock shows nothing

api::Duration duration_of(std::uint64_t ns) {
  return {static_cast<std::int64_t>(std::min(ns, Limits::kWait))};
}

api::Good decode(const wire::Good& from) { return {from.beat(), duration_of(from.lasts_ns())}; }

api::Granted decode(const wire::Granted& from) {
  return {from.request(),
          from.group(),
          from.token(),
          decode(from.good()),
          net::decode(from.origin()),
          net::decode(from.secret())};
}

// What a later version says is an invalid request to this one.
api::Refusal decode(wire::Refusal why) {
  return why >= 0 && why <= wire::LOOK_FIRST ? static_cast<api::Refusal>(why)
                                             : api::Refusal::invalid;
}

api::Kept decode(const wire::Kept& from) {
  api::Kept kept{decode(from.good()), {}, {}};
  for (const wire::Kept::Shorter& one : from.shorter())
    kept.shorter.emplace_back(one.request(), decode(one.good()));
  for (const wire::Kept::Place& one : from.places())
    kept.places.emplace_back(one.request(), Time{one.place()});
  return kept;
}

struct CallEncoder {
  wire::Call& to;

  void operator()(const api::KeepAlive& call) const {
    to.mutable_keep_alive()->set_beat(call.beat);
  }
  void operator()(const api::Wish& call) const { net::encode(call, *to.mutable_acquire()); }
  void operator()(const api::Release& call) const {
    net::encode(call.how, *to.mutable_release());
    to.mutable_release()->set_request(call.request);
  }
  void operator()(const api::Stay& call) const { to.mutable_stay()->set_request(call.request); }
  void operator()(const api::Confirm& call) const {
    to.mutable_confirm()->set_request(call.request);
  }
  void operator()(const api::Burial& call) const { net::encode(call, *to.mutable_bury()); }
  void operator()(const api::Change& call) const { net::encode(call, *to.mutable_change()); }
  void operator()(const api::Show& call) const {
    to.mutable_show()->set_request(call.request);
    to.mutable_show()->set_name(call.name);
  }
  void operator()(const api::Survey& call) const {
    to.mutable_survey()->set_request(call.request);
    to.mutable_survey()->set_after(call.after);
  }
  void operator()(const api::Close& /*call*/) const { to.mutable_close(); }
};

}  // namespace

void encode(const api::Hello& hello, wire::Hello& to) {
  to.set_version(kClientVersion);
  to.mutable_client()->set_label(hello.label);
  to.mutable_client()->set_beat(hello.beat);
  to.mutable_client()->set_session(hello.session);
}

void encode(const api::Call& call, wire::Call& to) { std::visit(CallEncoder{to}, call); }

api::Welcome decode(const wire::Welcome& from) {
  api::Welcome welcome;
  welcome.session = from.session();
  welcome.length = duration_of(from.session_ns());
  welcome.drift = {static_cast<std::int64_t>(std::min(from.drift_ppm(), kMostDrift))};
  welcome.member = from.member();
  welcome.is_resumed = from.is_resumed();
  for (const wire::Granted& granted : from.inside()) welcome.inside.push_back(decode(granted));
  welcome.waiting.assign(from.waiting().begin(), from.waiting().end());
  return welcome;
}

std::optional<api::Event> decode(const wire::Event& from) {
  switch (from.what_case()) {
    case wire::Event::kGranted:
      return decode(from.granted());
    case wire::Event::kRefused:
      return api::Refused{from.refused().request(), decode(from.refused().why()),
                          from.refused().text()};
    case wire::Event::kLost:
      return api::Lost{from.lost().request()};
    case wire::Event::kLeft:
      return api::Left{from.left().request()};
    case wire::Event::kLasts:
      return api::Lasts{from.lasts().request(), from.lasts().group(), from.lasts().token()};
    case wire::Event::kKept:
      return decode(from.kept());
    case wire::Event::kEnded:
      return api::Ended{};
    case wire::Event::kStopping:
      return api::Stopping{};
    case wire::Event::kShown:
    case wire::Event::kSurveyed:
    case wire::Event::WHAT_NOT_SET:
      break;
  }
  return std::nullopt;
}

}  // namespace coterie::net
