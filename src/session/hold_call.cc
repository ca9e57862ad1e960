#include "session/hold_call.h"

#include <algorithm>
#include <utility>

#include "api/alone.h"
#include "base/assert.h"

namespace coterie::session {

using api::Duration;
using api::Instant;
using api::Picture;
using Certainty = Picture::Certainty;

namespace {

constexpr Duration kLookFirst = Duration::milliseconds(10);
constexpr Duration kLookSoon = Duration::milliseconds(5);  // at first; then longer and longer
constexpr Duration kLookLater = Duration::milliseconds(100);
constexpr Duration kLookAgain = Duration::milliseconds(1'000);
constexpr api::Milliseconds kSettled = 3'000;  // what takes longer is not being written any more

bool is_old(const Picture::Holder& holder) {
  return holder.certainty == Certainty::partial && holder.since >= kSettled;
}

}  // namespace

api::Kind kind_inside(const Picture& picture) {
  const api::Kind kind = picture.kind.value_or(api::Kind{});
  return picture.was && !are_alike(*picture.was, kind) ? *picture.was : kind;
}

const Picture::Holder* find_owner(const Picture& picture, const std::string& owner) {
  const Picture::Holder* found = nullptr;
  for (const Picture::Holder& holder : picture.holders) {
    if (!holder.is_lasting || holder.client != owner) continue;
    if (found == nullptr || holder.certainty < found->certainty) found = &holder;
  }
  return found;
}

std::string difference(const Picture& picture, const Picture::Holder& holder,
                       const api::Wish& wish) {
  const api::Kind known = kind_inside(picture);
  const bool is_alike = known == wish.kind || (picture.is_set && known.type == wish.kind.type);
  if (!is_alike)
    return "it is in use as " + api::text_of(known) + "; you asked for " + api::text_of(wish.kind);
  const bool is_its_group = wish.is_alone ? holder.group == api::kShownAlone
                                          : std::find(wish.groups.begin(), wish.groups.end(),
                                                      holder.group) != wish.groups.end();
  if (wish.kind.type == api::Type::room && !is_its_group)
    return holder.client + " holds it already, in group " + holder.group + ": release that first";
  return "";
}

HoldCall::HoldCall(api::Wish wish, Instant end, Driver& driver)
    : wish_(std::move(wish)), end_(end), driver_(driver), kind_(wish_.kind), pause_(kLookSoon) {
  COTERIE_ASSERT(!wish_.owner.empty());
}

void HoldCall::start(Instant now) { ask_anew(now); }

void HoldCall::ask_anew(Instant now) {
  wish_.attempt = driver_.draw_attempt();
  asked_with_ = wish_.seen;
  phase_ = Phase::waiting;
  is_given_up_ = false;
  wake_ = now + kLookFirst;
  driver_.ask(wish_);
}

void HoldCall::asked(const Outcome<LastingHold>& outcome, Instant now) {
  if (phase_ != Phase::waiting) return;
  if (outcome) return finish(outcome);
  const Refusal& refusal = outcome.error();
  refusal_ = refusal;
  if (refusal.reason == Reason::unheard) return withdraw(now);
  if (is_cancelled_) return finish(refusal);
  const bool waits_for_itself =
      refusal.reason == Reason::would_wait || refusal.reason == Reason::timed_out;
  if (!waits_for_itself && !is_given_up_ && refusal.reason != Reason::look_first)
    return finish(refusal);
  is_last_look_ = waits_for_itself;
  phase_ = Phase::looking;
  if (!is_looking_) look_now();
}

// ---- looking

void HoldCall::look_now() {
  is_looking_ = true;
  driver_.look();
}

void HoldCall::pause(Instant now, Phase then) {
  phase_ = Phase::pausing;
  after_pause_ = then;
  wake_ = now + pause_;
  pause_ = std::min(pause_ * 2, kLookLater);
}

void HoldCall::tick(Instant now) {
  if (is_looking_ || wake_ > now) return;
  wake_ = Instant::never();
  if (phase_ == Phase::pausing) {
    if (after_pause_ == Phase::waiting) return ask_anew(now);
    if (after_pause_ == Phase::withdrawing) return withdraw(now);
    phase_ = Phase::looking;
  }
  if (phase_ == Phase::looking || phase_ == Phase::waiting) look_now();
}

void HoldCall::seen(const Outcome<Picture>& outcome, Instant now) {
  is_looking_ = false;
  if (outcome && outcome->kind) kind_ = kind_inside(*outcome);
  if (outcome) learn_of_ends(*outcome);
  if (phase_ == Phase::waiting) {
    wake_ = now + kLookAgain;
    if (outcome) look_while_waiting(*outcome, now);
  } else if (phase_ == Phase::looking) {
    if (outcome) return decide(*outcome, now);
    const bool goes_on = outcome.error().reason == Reason::unreachable && now < end_ &&
                         !wish_.is_try && !is_cancelled_;
    goes_on ? pause(now, Phase::looking) : finish(outcome.error());
  }
}

// What is seen while the request waits may have come of it, and be over with it: so it only says that the request is to be
// given up, and what the owner has is looked at again when the member has said how that came out.
void HoldCall::look_while_waiting(const Picture& picture, Instant /*now*/) {
  const Picture::Holder* const holder = find(picture);
  if (holder == nullptr || is_given_up_) return;
  const bool is_in_the_way = is_old(*holder) || holder->certainty == Certainty::sure ||
                             !difference(picture, *holder, wish_).empty();
  if (!is_in_the_way) return;
  is_given_up_ = true;
  driver_.give_up();
}

void HoldCall::decide(const Picture& picture, Instant now) {
  const Picture::Holder* const holder = find(picture);
  if (is_cancelled_) return finish(Refusal{Reason::cancelled, "it was cancelled"});
  if (holder == nullptr) {
    if (is_last_look_) return finish(refusal_);
    if (wish_.seen > asked_with_) return ask_anew(now);
    // A member has not heard of the end of the owner's last hold yet.
    if (now >= end_) return finish(Refusal{Reason::timed_out, "it was not its turn in time"});
    return pause(now, Phase::waiting);
  }
  if (std::string other = difference(picture, *holder, wish_); !other.empty())
    return finish(Refusal{Reason::mismatch, std::move(other)});
  if (holder->certainty == Certainty::sure)
    return settle(Phase::confirming, api::Burial::How::confirm, holder->token);
  if (holder->certainty == Certainty::doubtful)
    return finish(Refusal{Reason::unreachable, "whether " + wish_.owner +
                                                   " holds it already depends on members that do "
                                                   "not answer: see `coterie status " +
                                                   wish_.name + "`"});
  if (!is_old(*holder)) return pause(now, Phase::looking);
  settle(Phase::denying, api::Burial::How::deny, holder->token);
}

// What ended before this call goes on is no news to it.
void HoldCall::learn_of_ends(const Picture& picture) {
  for (const auto& [owner, token] : picture.ended) {
    if (owner == wish_.owner) wish_.seen = std::max(wish_.seen, token);
  }
}

const Picture::Holder* HoldCall::find(const Picture& picture) const {
  return find_owner(picture, wish_.owner);
}

// ---- settling

void HoldCall::withdraw(Instant /*now*/) {
  settle(Phase::withdrawing, api::Burial::How::withdraw, 0);
}

void HoldCall::settle(Phase phase, api::Burial::How how, std::uint64_t token) {
  phase_ = phase;
  api::Burial burial;
  burial.name = wish_.name;
  burial.kind = kind_;
  burial.owner = wish_.owner;
  burial.token = token;
  burial.how = how;
  if (phase == Phase::withdrawing) burial.attempt = wish_.attempt;
  driver_.settle(burial);
}

void HoldCall::settled(const Outcome<LastingHold>& outcome, Instant now) {
  const Phase phase = phase_;
  const bool is_held = outcome && outcome->token != 0;
  if (is_held) return finish(outcome);
  if (phase == Phase::withdrawing) {
    // The votes of members that are back, or a release by another process of this owner, may decide it.
    if (!outcome && now < end_ && !wish_.is_try && !is_cancelled_)
      return pause(now, Phase::withdrawing);
    if (!outcome)
      return finish(
          Refusal{Reason::unreachable,
                  "no member has said how it came out: see `coterie status " + wish_.name + "`"});
    if (is_cancelled_) return finish(Refusal{Reason::cancelled, "it was cancelled"});
    if (now >= end_ || wish_.is_try)
      return finish(Refusal{Reason::unreachable, "its member went away before it answered"});
    return ask_anew(now);
  }
  if (is_cancelled_) return finish(Refusal{Reason::cancelled, "it was cancelled"});
  if (outcome) return ask_anew(now);  // what was in the way is over
  const bool looks_again = outcome.error().reason == Reason::look_first ||
                           (outcome.error().reason == Reason::unheard && now < end_);
  looks_again ? pause(now, Phase::looking) : finish(outcome.error());
}

void HoldCall::cancel(Instant now) {
  if (is_cancelled_) return;
  is_cancelled_ = true;
  if (phase_ == Phase::waiting && !is_given_up_) driver_.give_up();
  if (phase_ != Phase::pausing) return;
  if (after_pause_ == Phase::withdrawing)
    return withdraw(now);  // once more, and then it is answered
  finish(Refusal{Reason::cancelled, "it was cancelled"});
}

void HoldCall::finish(Outcome<LastingHold> outcome) {
  phase_ = Phase::over;
  wake_ = Instant::never();
  driver_.done(std::move(outcome));
}

}  // namespace coterie::session
