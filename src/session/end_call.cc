#include "session/end_call.h"

#include <utility>

#include "base/assert.h"
#include "session/hold_call.h"

namespace coterie::session {

using api::Instant;
using api::Picture;

namespace {
constexpr api::Duration kPause = api::Duration::milliseconds(10);  // before it looks again
}  // namespace

EndCall::EndCall(Goal goal, Instant end, Driver& driver)
    : goal_(std::move(goal)), end_(end), driver_(driver) {
  COTERIE_ASSERT(!goal_.owner.empty());
}

void EndCall::start(Instant /*now*/) { driver_.look(); }

void EndCall::seen(const Outcome<Picture>& outcome, Instant /*now*/) {
  if (phase_ != Phase::looking) return;
  if (!outcome) return finish(outcome.error());
  if (is_cancelled_) return finish(Refusal{Reason::cancelled, "it was cancelled"});
  const Picture::Holder* const holder = find_owner(*outcome, goal_.owner);
  if (holder == nullptr) return find_or_refuse(*outcome);
  if (goal_.token != 0 && holder->token != goal_.token)
    return finish(Refusal{Reason::invalid, goal_.owner + " holds " + goal_.name +
                                               " with the token " + std::to_string(holder->token) +
                                               ", not " + std::to_string(goal_.token)});
  ask(burial_of(*outcome, *holder));
}

api::Burial EndCall::burial_of(const Picture& picture, const Picture::Holder& holder) const {
  api::Burial burial;
  burial.name = goal_.name;
  burial.kind = kind_inside(picture);
  burial.owner = goal_.owner;
  burial.token = holder.token;
  burial.is_forced = goal_.is_forced;
  return burial;
}

// A look shows what those members know that answer it, and does not say whether these are a quorum. Members that are asked to
// find a hold ask a quorum.
void EndCall::find_or_refuse(const Picture& picture) {
  if (!has_searched_) {
    api::Burial burial;
    burial.name = goal_.name;
    burial.owner = goal_.owner;
    burial.how = api::Burial::How::find;
    has_searched_ = true;
    return ask(burial);
  }
  if (picture.dark.empty() && picture.dark_names.empty())
    return finish(
        Refusal{Reason::invalid, goal_.owner + " has no hold of " + goal_.name + " that lasts"});
  std::string dark;
  for (const std::string& member : picture.dark_names) dark += (dark.empty() ? "" : ", ") + member;
  finish(Refusal{Reason::unreachable, "whether " + goal_.owner + " holds " + goal_.name +
                                          " is not known: no answer of " + dark});
}

void EndCall::ask(const api::Burial& burial) {
  phase_ = Phase::ending;
  burial_ = burial;
  is_unheard_ = false;
  driver_.end(burial_);
}

void EndCall::settled(const Outcome<LastingHold>& outcome, Instant now) {
  if (phase_ != Phase::ending) return;
  const LastingHold ended{goal_.owner, "", burial_.token};
  if (outcome) return finish(ended);
  const Refusal& refusal = outcome.error();
  const bool is_end = burial_.how == api::Burial::How::end;
  if (refusal.reason == Reason::unheard) return unheard(now);
  if (is_end && may_be_over() && refusal.reason == Reason::invalid) return finish(ended);
  if (is_end && may_be_over() && refusal.reason == Reason::must_stay) return unheard(now);
  // Members know more than the look showed, or the name is becoming something else.
  if (refusal.reason == Reason::look_first && !is_cancelled_ && now < end_) {
    phase_ = Phase::pausing;
    has_searched_ = true;
    wake_ = now + kPause;
    return;
  }
  // A member was asked for something else of this name, by mistake. Only in a band somebody might mind.
  const bool is_mistaken = refusal.reason == Reason::mismatch && is_end && !burial_.is_forced &&
                           burial_.kind.type != api::Type::band;
  if (!is_mistaken || is_cancelled_) return finish(refusal);
  burial_.is_forced = true;
  driver_.end(burial_);
}

void EndCall::tick(Instant now) {
  if (phase_ != Phase::pausing || now < wake_) return;
  phase_ = Phase::looking;
  wake_ = Instant::never();
  driver_.look();
}

void EndCall::unheard(Instant now) {
  is_unheard_ = true;
  if (!is_cancelled_ && !goal_.is_try && now < end_) return driver_.end(burial_);
  finish(Refusal{Reason::unreachable, "no member has said how it came out: see `coterie status " +
                                          goal_.name + "`, and release it again"});
}

void EndCall::cancel(Instant /*now*/) {
  if (std::exchange(is_cancelled_, true)) return;
  if (phase_ == Phase::ending) driver_.give_up();
  if (phase_ == Phase::pausing) finish(Refusal{Reason::cancelled, "it was cancelled"});
}

void EndCall::finish(Outcome<LastingHold> outcome) {
  phase_ = Phase::over;
  wake_ = Instant::never();
  driver_.done(std::move(outcome));
}

}  // namespace coterie::session
