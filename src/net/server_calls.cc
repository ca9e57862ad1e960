// What clients call for. Each call is a step of the brain, and is taken as it comes, unless that would keep others waiting:
//
//   - members have not caught up with what this one has asked them: then their heartbeats are late too;
//   - the client does not read what it is told as quickly as that is made;
//   - it calls more often than it may for what must be written down; or those of its origin do, or all of them together.
//
// Then its calls wait here, but for keep-alives, and clients take turns. A call that waits when its connection breaks is
// lost, as if it had been so on its way: a client asks again.
#include <spdlog/logger.h>

#include <chrono>
#include <utility>

#include "member/api.h"
#include "net/codec.h"
#include "net/codec_packet.h"
#include "net/server.h"

namespace coterie::net {

using boost::system::error_code;
using member::Instant;
using std::chrono::milliseconds;

namespace {

constexpr std::size_t kMostBacklog = 2'000;                 // packets
constexpr std::size_t kMostUnread = std::size_t{1} << 20U;  // bytes
constexpr std::size_t kMostWaiting = std::size_t{16}
                                     << 20U;  // bytes, of one client: then it is not read
constexpr std::size_t kMostWaitingInAll = std::size_t{256} << 20U;
constexpr std::size_t kFewWaiting = std::size_t{64} << 10U;
constexpr std::size_t kCallsPerTurn = 32;
constexpr milliseconds kNextTurn{2};

// In what a member must write down, or its like.
std::uint32_t cost_of(const wire::Call& call) {
  constexpr std::uint32_t kSurvey = 20;  // it looks at all names
  switch (call.what_case()) {
    case wire::Call::kAcquire:
      return call.acquire().owner().empty() ? 0 : 1;
    case wire::Call::kBury:
    case wire::Call::kChange:
    case wire::Call::kShow:
      return 1;
    case wire::Call::kSurvey:
      return kSurvey;
    default:
      return 0;
  }
}

}  // namespace

void Server::on_call(GuestId id, const wire::Call& call) {
  if (call.has_keep_alive()) return answer(id, call);
  if (turns_.has(id) || must_wait(guests_.at(id), call)) return call_later(id, call);
  answer(id, call);
}

bool Server::must_wait(Guest& guest, const wire::Call& call) {
  if (!brain_ || brain_->is_stopped()) return false;
  if (brain_->backlog() > kMostBacklog || guest.channel->unsent() > kMostUnread) return true;
  const std::uint32_t cost = cost_of(call);
  return cost > 0 && !allowances_.take(guest.session, guest.origin, cost, now());
}

void Server::call_later(GuestId id, const wire::Call& call) {
  turns_.push(id, call);
  const std::size_t bytes = turns_.bytes_of(id);
  const bool is_full = turns_.bytes() > kMostWaitingInAll;
  if (bytes > (is_full ? kFewWaiting : kMostWaiting)) guests_.at(id).channel->pause();
  take_turns_after(kNextTurn);
}

void Server::take_turns_after(milliseconds pause) {
  if (std::exchange(is_turn_due_, true)) return;
  next_turn_.expires_after(pause);
  next_turn_.async_wait([this](error_code error) {
    if (error) return;
    is_turn_due_ = false;
    take_turns();
  });
}

void Server::take_turns() {
  std::size_t taken = 0;
  for (std::size_t skipped = 0; !turns_.is_empty() && skipped < turns_.clients();) {
    if (taken == kCallsPerTurn) break;
    const GuestId id = turns_.next();
    if (must_wait(guests_.at(id), turns_.call())) {
      turns_.skip();
      ++skipped;
      continue;
    }
    ++taken;
    skipped = 0;
    const wire::Call call = turns_.take();
    if (turns_.bytes_of(id) <= kFewWaiting) guests_.at(id).channel->resume();
    answer(id, call);
  }
  if (!turns_.is_empty()) take_turns_after(taken == kCallsPerTurn ? milliseconds(0) : kNextTurn);
}

void Server::answer(GuestId id, const wire::Call& call) {
  const member::SessionId session = guests_.at(id).session;
  think([&](member::Member& brain, Instant at) {
    switch (call.what_case()) {
      case wire::Call::kKeepAlive:
        return brain.keep_alive(session, call.keep_alive().beat(), at);
      case wire::Call::kAcquire: {
        auto wish = decode(call.acquire());
        if (!wish)
          return refuse(
              id, "a request with a field that is out of range, or with text that is not UTF-8");
        wish->secret = new_secret();
        return brain.acquire(session, *wish, at);
      }
      case wire::Call::kRelease: {
        const auto how = decode(call.release());
        if (!how)
          return refuse(
              id, "a request with a field that is out of range, or with text that is not UTF-8");
        return brain.release(session, call.release().request(), at, *how);
      }
      case wire::Call::kBury: {
        const auto burial = decode(call.bury());
        if (!burial)
          return refuse(
              id, "a request with a field that is out of range, or with text that is not UTF-8");
        return brain.bury(session, *burial, at);
      }
      case wire::Call::kChange: {
        const auto change = decode(call.change());
        if (!change)
          return refuse(
              id, "a request with a field that is out of range, or with text that is not UTF-8");
        return brain.change(session, *change, at);
      }
      case wire::Call::kStay:
        return brain.stay(session, call.stay().request(), at);
      case wire::Call::kConfirm:
        return brain.confirm(session, call.confirm().request(), at);
      case wire::Call::kShow:
        if (std::string fault = member::fault_of_name("the name", call.show().name());
            !fault.empty())
          return tell(session, member::Refused{call.show().request(), member::Refusal::invalid,
                                               std::move(fault)});
        return brain.show(session, call.show().request(), call.show().name(), at);
      case wire::Call::kClose:
        brain.close(session, at);
        return leave(id, "");
      case wire::Call::kSurvey: {
        wire::Message answer;
        wire::Surveyed& surveyed = *answer.mutable_event()->mutable_surveyed();
        surveyed.set_request(call.survey().request());
        survey(call.survey().after(), surveyed);
        return guests_.at(id).channel->send(answer);
      }
      default:
        return refuse(id, "a call of no known kind");
    }
  });
}

}  // namespace coterie::net
