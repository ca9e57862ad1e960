#include "session/change_call.h"

namespace coterie::session {

using api::Instant;
using api::Picture;

namespace {

bool is_in_force(const Picture& picture, const api::Change& change) {
  if (change.forgets) return !picture.is_set;
  return picture.is_set && !picture.was && picture.kind == change.kind;
}

}  // namespace

ChangeCall::ChangeCall(std::string name, ChangeOf change_of, Driver& driver)
    : name_(std::move(name)), change_of_(std::move(change_of)), driver_(driver) {}

void ChangeCall::start(Instant /*now*/) { driver_.look(); }

void ChangeCall::seen(const Outcome<Picture>& outcome, Instant /*now*/) {
  if (!outcome) return finish(outcome.error());
  if (is_cancelled_) return finish(Refusal{Reason::cancelled, "it was cancelled"});
  change_ = change_of_(*outcome);
  if (std::string fault = api::fault_of(change_.kind); !fault.empty())
    return finish(Refusal{Reason::invalid, std::move(fault)});
  if (before_ && is_in_force(*outcome, change_)) return finish(LastingHold{});
  change_.name = name_;
  change_.replaces = replaced(*outcome);
  seen_ = {outcome->version, change_.was};
  is_changing_ = true;
  driver_.change(change_);
}

std::optional<std::uint64_t> ChangeCall::replaced(const Picture& picture) const {
  return picture.version;
}

void ChangeCall::settled(const Outcome<LastingHold>& outcome, Instant /*now*/) {
  is_changing_ = false;
  const bool is_new = !outcome && outcome.error().reason == Reason::mismatch && before_ != seen_;
  if (!is_new || is_cancelled_) return finish(outcome);
  before_ = seen_;
  driver_.look();
}

void ChangeCall::cancel(Instant /*now*/) {
  if (std::exchange(is_cancelled_, true)) return;
  if (is_changing_) driver_.give_up();
}

void ChangeCall::finish(Outcome<LastingHold> outcome) { driver_.done(std::move(outcome)); }

ChangeCall::ChangeOf change_limits(api::Type type, std::optional<std::uint32_t> min,
                                   std::optional<std::uint32_t> max) {
  return [=](const Picture& picture) {
    api::Change change;
    change.kind = {type, 0, type == api::Type::band ? api::kNoMax : 1};
    if (picture.kind) change.was = *picture.kind;
    const bool is_same = picture.kind && change.was.type == type;
    if (is_same) change.kind = change.was;
    if (min) change.kind.min = *min;
    if (max) change.kind.max = *max;
    // A room for one group is another algorithm than one for several.
    change.is_reform =
        is_same ? !are_alike(change.was, change.kind) : !picture.kind && !is_counted(change.kind);
    return change;
  };
}

}  // namespace coterie::session
