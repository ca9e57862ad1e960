#include "sim/torture_hostile.h"

#include <algorithm>
#include <array>

namespace coterie::sim::torture {

using member::Duration;
using member::Kind;
using member::Type;
using member::Wish;

namespace {

// No run grants so often, nor has so many lapses.
constexpr member::Number kTooMuch = member::Number{1} << 50U;

}  // namespace

void Hostile::act(NodeId at, member::Member& member, member::Instant now) {
  session_ = sessions_[at];
  if (session_ == 0 || !member.has_session(session_)) return open(at, member, now);
  switch (random_.below(10)) {
    case 0:
    case 1:
    case 2:
    case 3:
      return forge(member, now);
    case 4:
      return use(member, now);
    case 5:
      return end(member, now);
    case 6:
      return talk_nonsense(member, now);
    case 7:
      return member.release(session_, some_request(), now,
                            {.wait = Duration{static_cast<std::int64_t>(random_.below(1'000'000))},
                             .is_try = random_.chance(0.3),
                             .is_abandonment = random_.chance(0.3),
                             .is_quiet = random_.chance(0.3)});
    case 8:
      return random_.chance(0.5) ? member.stay(session_, some_request(), now)
                                 : member.confirm(session_, some_request(), now);
    default:
      break;
  }
  switch (random_.below(4)) {
    case 0:
      return member.close(session_, now);
    case 1:
      return member.show(session_, some_request(), some_resource().name, now);
    default:
      return member.keep_alive(session_, random_.chance(0.1) ? number() : ++last_request_, now);
  }
}

void Hostile::open(NodeId at, member::Member& member, member::Instant now) {
  sessions_[at] = session_ = ++last_session_;
  member.open(session_, "h", random_.below(3), now);
}

void Hostile::leave(NodeId at, member::Member& member, member::Instant now) {
  if (const auto known = sessions_.find(at); known != sessions_.end())
    member.close(known->second, now);
}

member::RequestId Hostile::next(const std::string& name, bool is_forged) {
  asked_[{session_, ++last_request_}] = {name, is_forged};
  return last_request_;
}

// A number that this session may have used for something else. A member answers by the number alone, so the number of a forged
// request is not used again: a grant of what is asked for now would pass for a grant of the forgery.
member::RequestId Hostile::used_again(const std::string& name) {
  const member::RequestId request = some_request();
  const auto known = asked_.find({session_, request});
  if (known != asked_.end() && known->second.is_forged) return next(name, false);
  asked_[{session_, request}] = {name, false};
  return request;
}

member::RequestId Hostile::some_request() {
  return last_request_ - std::min(last_request_, random_.below(8));
}

std::uint64_t Hostile::number() {
  static constexpr std::array<std::uint64_t, 6> kSome = {0,
                                                         1,
                                                         std::uint64_t{1} << 32U,
                                                         std::uint64_t{1} << 62U,
                                                         ~std::uint64_t{0} << 31U,
                                                         ~std::uint64_t{0}};
  return random_.chance(0.5) ? kSome.at(random_.below(kSome.size())) : random_.below(1'000);
}

member::Secret Hostile::guess() {
  if (own_ && random_.chance(0.4)) return own_->secret;
  return {random_.chance(0.5) ? random_.below(4) : random_.next(),
          random_.chance(0.5) ? random_.below(4) : random_.next()};
}

Wish Hostile::wish_for(const Resource& resource) {
  Wish wish;
  wish.name = resource.name;
  wish.kind = resource.kind;
  if (wish.kind.type == Type::room && resource.has_writers && random_.chance(0.5)) {
    wish.is_alone = true;
  } else if (wish.kind.type == Type::room) {
    wish.groups = {"g" + std::to_string(random_.below(resource.groups))};
  } else if (wish.kind.type == Type::band) {
    wish.groups = {"h"};
  }
  return wish;
}

// All but the secret may be right.
void Hostile::forge(member::Member& member, member::Instant now) {
  const Resource& resource = some_resource();
  const member::View view = member.view(resource.name, now);
  Wish wish = wish_for(resource);
  if (view.kind) wish.kind = *view.kind;
  if (wish.kind.type != resource.kind.type) return;  // it is on its way to be something else
  wish.wait =
      Duration{static_cast<std::int64_t>(random_.below(static_cast<std::uint64_t>(plan_.lease())))};
  member::Ticket ticket;
  ticket.origin = {draw_member(),
                   random_.chance(0.7) ? member.incarnation() : 1 + random_.below(40),
                   static_cast<member::Slot>(random_.below(3)), Time{random_.below(60)}};
  ticket.token = 1 + random_.below(20);
  ticket.secret = guess();
  if (!view.claims.empty()) {
    const member::ClaimView& seen = view.claims[random_.below(view.claims.size())];
    ticket.token = std::max<member::Number>(1, seen.token);
    ticket.origin.since = seen.priority.stamp.time;
    if (wish.kind.type == Type::band && !seen.groups.empty()) wish.groups = {seen.groups.front()};
  }
  if (wish.kind.type == Type::room)
    ticket.group = wish.is_alone ? "\x01" + plan_.config.names[ticket.origin.member] + "." +
                                       std::to_string(ticket.origin.incarnation) + "." +
                                       std::to_string(random_.below(6))
                                 : wish.groups.front();
  if (random_.chance(0.05)) ticket.group = "\x01\xff\xfe";
  if (random_.chance(0.05)) ticket.token = number();
  if (random_.chance(0.05)) ticket.origin.since = Time{number()};
  if (random_.chance(0.05)) ticket.origin.slot = static_cast<member::Slot>(number());
  wish.ticket = ticket;
  wish.request = next(wish.name, true);
  wish.secret = {random_.next(), random_.next()};
  member.acquire(session_, wish, now);
}

// As an honest client would; also for good, and by what it has, twice.
void Hostile::use(member::Member& member, member::Instant now) {
  Wish wish;
  wish.name = own_name();
  wish.secret = {random_.next(), random_.next()};
  const bool is_band = wish.name == "own-2";
  if (is_band) {
    wish.kind = {Type::band, 0, 4};
    wish.groups = {"h" + std::to_string(random_.below(3))};
  } else if (wish.name == "own-1") {
    wish.kind = {Type::semaphore, 0, 2};
  }
  if (random_.chance(0.3)) wish.owner = is_band ? wish.groups.front() : "h";
  wish.is_try = random_.chance(0.3);
  wish.place = Time{random_.below(3)};
  if (own_ && wish.owner.empty() && !wish.is_try && random_.chance(0.3)) {
    wish.ticket = {own_->origin, "", own_->token, own_->secret};
    wish.wait = plan_.config.lease;
  }
  wish.request = next(wish.name, false);
  member.acquire(session_, wish, now);
}

// Of holds that nobody has, with any token.
void Hostile::end(member::Member& member, member::Instant now) {
  member::Burial burial;
  burial.request = next("", false);
  burial.name = own_name();
  burial.kind = burial.name == "own-2"   ? Kind{Type::band, 0, 4}
                : burial.name == "own-1" ? Kind{Type::semaphore, 0, 2}
                                         : Kind{};
  burial.owner = random_.chance(0.7) ? "h" : "h" + std::to_string(random_.below(3));
  burial.token = random_.chance(0.3) ? 0 : number();
  burial.is_forced = random_.chance(0.3);
  burial.wait = Duration{static_cast<std::int64_t>(random_.below(1'000'000))};
  member.bury(session_, burial, now);
}

void Hostile::talk_nonsense(member::Member& member, member::Instant now) {
  static const std::array<std::string, 6> kTexts = {
      "", "\xff", "a\x01", "\xc0\xaf", std::string(300, 'x'), "own-0"};
  const auto text = [&]() -> const std::string& { return kTexts.at(random_.below(kTexts.size())); };
  const Kind kind{static_cast<Type>(random_.below(6)), static_cast<std::uint32_t>(number()),
                  static_cast<std::uint32_t>(number())};
  switch (random_.below(3)) {
    case 0: {
      Wish wish;
      wish.name = text();
      wish.kind = kind;
      wish.groups = {text(), text()};
      wish.owner = text();
      wish.is_alone = random_.chance(0.5);
      wish.is_try = true;
      if (wish.name == "own-0") wish.name = "nonsense";
      wish.request = used_again(wish.name);
      return member.acquire(session_, wish, now);
    }
    case 1: {
      member::Burial burial;
      burial.request = some_request();
      burial.name = text();
      burial.kind = kind;
      burial.owner = text();
      burial.token = number();
      return member.bury(session_, burial, now);
    }
    default: {
      member::Change change;
      change.request = some_request();
      change.name = text();
      change.kind = kind;
      change.was = kind;
      if (change.name == "own-0") change.name = "\xff";
      return member.change(session_, change, now);
    }
  }
}

std::optional<std::string> Hostile::hear(member::SessionId session, const member::Event& event) {
  const auto* const granted = std::get_if<member::Granted>(&event);
  if (granted == nullptr) return std::nullopt;
  const auto asked = asked_.find({session, granted->request});
  if (asked == asked_.end()) return "a client was granted what it never asked for";
  if (asked->second.is_forged)
    return "a ticket of " + asked->second.name + " that a client made up was believed";
  if (granted->token > kTooMuch)
    return "the tokens of " + asked->second.name + " have come to " +
           std::to_string(granted->token) + ", which no member granted";
  own_ = *granted;
  return std::nullopt;
}

}  // namespace coterie::sim::torture
