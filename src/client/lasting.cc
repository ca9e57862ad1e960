// Holds for an owner. What one call asks of members, one thing after another, is session::HoldCall; here a thread waits for it.
#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <optional>
#include <random>
#include <utility>

#include "client/await.h"
#include "client/keeper.h"
#include "coterie/client.h"
#include "member/api.h"
#include "session/hold_call.h"

namespace coterie {

namespace {

using client::Errand;
using client::Keeper;

// So long a call waits each time for what members decide of its request, whatever the patience of its caller.
constexpr std::chrono::milliseconds kDecided{3'000};

Outcome<wire::Shown> look_at(Keeper& keeper, const std::string& name) {
  auto event = client::await<wire::Event>(
      [&](Keeper::Answer answer) { keeper.show(name, std::move(answer)); });
  if (!event) return event.error();
  return event->shown();
}

member::Kind kind_of(const wire::Kind& kind) {
  return {static_cast<member::Type>(kind.type()), kind.min(), std::max(kind.max(), 1U)};
}

member::Kind kind_of(const wire::Shown& shown) { return kind_of(shown.kind()); }

// As far as calls for owners look at it.
api::Picture picture_of(const wire::Shown& shown) {
  api::Picture picture;
  picture.name = shown.name();
  picture.is_set = shown.is_set();
  if (shown.is_known()) picture.kind = kind_of(shown);
  if (shown.has_was()) picture.was = kind_of(shown.was());
  for (const wire::Shown::Ended& ended : shown.ended())
    picture.ended.emplace_back(ended.owner(), ended.token());
  for (const wire::Shown::Holder& holder : shown.holders()) {
    api::Picture::Holder& made = picture.holders.emplace_back();
    made.client = holder.client();
    made.group = holder.group();
    made.token = holder.token();
    made.since = holder.since_ms();
    made.is_lasting = holder.is_lasting();
    // A certainty that this library does not know is none.
    const bool is_known = holder.certainty() <= wire::Shown::Holder::PARTIAL;
    made.certainty = is_known ? static_cast<api::Picture::Certainty>(holder.certainty())
                              : api::Picture::Certainty::doubtful;
  }
  return picture;
}

// Nobody may have said how an end came out: its member went away, and may have ended the hold before. Asked for again by its
// token, it is over if no member has heard of it any more.
Outcome<void> end_it(Keeper& keeper, const member::Burial& burial, const Patience& patience,
                     const std::stop_token& cancel) {
  const auto end = patience.end(Clock::now());
  for (bool is_repeated = false;; is_repeated = true) {
    const auto ended = client::await<LastingHold>([&](Errand::Done done) {
      keeper.bury(burial, end ? Patience::until(*end) : patience, std::move(done), cancel);
    });
    const bool is_over =
        ended || (is_repeated && burial.token != 0 && ended.error().reason == Reason::invalid);
    if (is_over && burial.token != 0) keeper.add_end(burial.name, burial.owner, burial.token);
    if (is_over) return {};
    if (ended.error().reason != Reason::unheard) return ended.error();
    if (cancel.stop_requested() || patience.is_try() || (end && Clock::now() >= *end))
      return Refusal{Reason::unreachable,
                     "no member has said how it came out: see `coterie status " + burial.name +
                         "`, and release it again"};
  }
}

member::Burial burial_of(const api::Picture& picture, const api::Picture::Holder& holder) {
  member::Burial burial;
  burial.name = picture.name;
  burial.kind = session::kind_inside(picture);
  burial.owner = holder.client;
  burial.token = holder.token;
  return burial;
}

// Of a hold that the members know.
Outcome<member::Burial> burial_of(Keeper& keeper, const std::string& owner,
                                  const std::string& name) {
  const auto shown = look_at(keeper, name);
  if (!shown) return shown.error();
  const api::Picture picture = picture_of(*shown);
  const auto* const holder = session::find_owner(picture, owner);
  if (holder != nullptr) return burial_of(picture, *holder);
  if (shown->dark_size() == 0)
    return Refusal{Reason::invalid, owner + " has no hold of " + name + " that lasts"};
  std::string dark;
  for (const std::string& member : shown->dark()) dark += (dark.empty() ? "" : ", ") + member;
  return Refusal{Reason::unreachable,
                 "whether " + owner + " holds " + name + " is not known: no answer of " + dark};
}

// A thread that waits for a HoldCall. What a keeper answers comes on the keeper's thread, perhaps after the call is done: so it
// goes into an inbox that both share.
class WaitedCall final : private session::HoldCall::Driver {
 public:
  WaitedCall(Keeper& keeper, const member::Wish& wish, const Patience& patience)
      : keeper_(keeper),
        name_(wish.name),
        end_(patience.end(Clock::now())),
        patience_(end_ ? Patience::until(*end_) : patience),
        call_(wish, end_ ? instant_of(*end_) : member::Instant::never(), *this) {}

  Outcome<LastingHold> run(const std::stop_token& cancel) {
    const std::stop_callback on_cancel(cancel, [inbox = inbox_] {
      inbox->add([](session::HoldCall& call, member::Instant now) { call.cancel(now); });
    });
    call_.start(now());
    while (!outcome_) {
      const auto event = inbox_->take(call_.next_tick());
      event ? event(call_, now()) : call_.tick(now());
    }
    return *std::move(outcome_);
  }

 private:
  using Event = std::function<void(session::HoldCall&, member::Instant)>;
  class Inbox {
   public:
    void add(Event event) {
      const std::scoped_lock lock(mutex_);
      events_.push_back(std::move(event));
      is_there_.notify_one();
    }
    // None: it is so late.
    Event take(member::Instant end) {
      std::unique_lock lock(mutex_);
      const auto is_ready = [&] { return !events_.empty(); };
      if (end == member::Instant::never()) {
        is_there_.wait(lock, is_ready);
      } else if (!is_there_.wait_for(lock, std::chrono::nanoseconds((end - now()).ns), is_ready)) {
        return nullptr;
      }
      Event event = std::move(events_.front());
      events_.pop_front();
      return event;
    }

   private:
    std::mutex mutex_;
    std::condition_variable is_there_;
    std::deque<Event> events_;
  };

  static member::Instant instant_of(Clock::time_point time) {
    return {std::chrono::nanoseconds(time.time_since_epoch()).count()};
  }
  static member::Instant now() { return instant_of(Clock::now()); }

  void ask(const api::Wish& wish) override {
    enough_ = std::stop_source();
    keeper_.hold_for(
        wish, patience_,
        [inbox = inbox_](const Outcome<LastingHold>& outcome) {
          inbox->add(
              [outcome](session::HoldCall& call, member::Instant at) { call.asked(outcome, at); });
        },
        enough_.get_token());
  }
  void give_up() override { enough_.request_stop(); }
  void look() override {
    keeper_.show(name_, [inbox = inbox_](const Outcome<wire::Event>& event) {
      inbox->add([event](session::HoldCall& call, member::Instant at) {
        event ? call.seen(picture_of(event->shown()), at) : call.seen(event.error(), at);
      });
    });
  }
  void settle(const api::Burial& burial) override {
    keeper_.bury(burial, Patience::until(Clock::now() + kDecided),
                 [inbox = inbox_](const Outcome<LastingHold>& outcome) {
                   inbox->add([outcome](session::HoldCall& call, member::Instant at) {
                     call.settled(outcome, at);
                   });
                 },
                 {});
  }
  api::Attempt draw_attempt() override {
    std::random_device chance;
    const auto draw = [&] {
      constexpr int kHalf = 32;
      return std::uint64_t{chance()} << kHalf | chance();
    };
    return {draw(), draw()};
  }
  void done(Outcome<LastingHold> outcome) override { outcome_ = std::move(outcome); }

  Keeper& keeper_;
  std::string name_;
  std::optional<Clock::time_point> end_;
  Patience patience_;
  std::shared_ptr<Inbox> inbox_ = std::make_shared<Inbox>();
  std::stop_source enough_;
  std::optional<Outcome<LastingHold>> outcome_;
  session::HoldCall call_;
};

Outcome<void> change_it(Keeper& keeper, const member::Change& change,
                        const std::stop_token& cancel) {
  if (std::string fault = member::fault_of(change.kind); !fault.empty())
    return Refusal{Reason::invalid, std::move(fault)};
  const auto done = client::await<LastingHold>(
      [&](Errand::Done tell) { keeper.change(change, std::move(tell), cancel); });
  if (!done) return done.error();
  return {};
}

}  // namespace

Outcome<LastingHold> Client::hold_for(const std::string& owner, const Request& request,
                                      const std::stop_token& cancel) {
  // Without an owner the member would grant a hold that ends with its client, and nothing here waits for that.
  if (owner.empty()) return Refusal{Reason::invalid, "the owner must not be empty"};
  member::Wish wish = client::wish_of(request);
  wish.owner = owner;
  wish.seen = keeper_->last_end(wish.name, owner);
  return WaitedCall(*keeper_, wish, request.patience).run(cancel);
}

Outcome<void> Client::release_for(const std::string& owner, const std::string& name,
                                  Patience patience, const std::stop_token& cancel) {
  if (owner.empty()) return Refusal{Reason::invalid, "the owner must not be empty"};
  // It names what it saw, so that a copy that comes late ends nothing younger. Where nothing is seen the members say so.
  const auto shown = look_at(*keeper_, name);
  if (!shown) return shown.error();
  const api::Picture picture = picture_of(*shown);
  member::Burial burial;
  burial.name = name;
  burial.owner = owner;
  burial.how = member::Burial::How::find;
  if (const auto* const holder = session::find_owner(picture, owner))
    burial = burial_of(picture, *holder);
  auto ended = end_it(*keeper_, burial, patience, cancel);
  if (!ended && ended.error().reason == Reason::mismatch && burial.token != 0) {
    // Its member was asked for something else of this name, by mistake. Only in a band somebody might mind.
    burial.is_forced = burial.kind.type != member::Type::band;
    ended = end_it(*keeper_, burial, patience, cancel);
  }
  if (ended || ended.error().reason != Reason::look_first) return ended;
  const auto named = burial_of(*keeper_, owner, name);
  if (!named) return named.error();
  return end_it(*keeper_, *named, patience, cancel);
}

Outcome<void> Client::end_lasting(const std::string& owner, const std::string& name,
                                  std::uint64_t token, Patience patience,
                                  const std::stop_token& cancel) {
  auto burial = burial_of(*keeper_, owner, name);
  if (!burial) return burial.error();
  if (burial->token != token)
    return Refusal{Reason::invalid, owner + " holds " + name + " with the token " +
                                        std::to_string(burial->token) + ", not " +
                                        std::to_string(token)};
  burial->is_forced = true;
  return end_it(*keeper_, *burial, patience, cancel);
}

namespace {

bool is_in_force(const wire::Shown& shown, const member::Change& change) {
  if (change.forgets) return !shown.is_set();
  return shown.is_set() && !shown.has_was() && kind_of(shown) == change.kind;
}

// A change names the version of the settings that it replaces, so that a copy of it that arrives late undoes nothing that
// was set since. If a member refuses the version that the look showed, something was set in between, perhaps by a copy of
// this change at another member: so we look again.
Outcome<member::Kind> change_what_is_seen(
    Keeper& keeper, const std::string& name, const std::stop_token& cancel,
    const std::function<member::Change(const wire::Shown&)>& change_of) {
  for (std::optional<std::pair<std::uint64_t, member::Kind>> before;;) {
    const auto shown = look_at(keeper, name);
    if (!shown) return shown.error();
    member::Change change = change_of(*shown);
    if (before && is_in_force(*shown, change)) return change.kind;
    change.name = name;
    change.replaces = shown->version();
    const auto done = change_it(keeper, change, cancel);
    if (done) return change.kind;
    const auto seen = std::pair(shown->version(), change.was);
    if (done.error().reason != Reason::mismatch || before == seen) return done.error();
    before = seen;
  }
}

}  // namespace

Outcome<void> Client::set_kind(std::string name, const Kind& kind, const std::stop_token& cancel) {
  member::Change change;
  change.kind = {static_cast<member::Type>(kind.type), kind.min, kind.max};
  change.was = change.kind;
  change.is_reform = true;
  const auto done = change_what_is_seen(*keeper_, name, cancel,
                                        [&](const wire::Shown& /*shown*/) { return change; });
  if (!done) return done.error();
  return {};
}

Outcome<void> Client::forget(std::string name, const std::stop_token& cancel) {
  member::Change change;
  change.forgets = true;
  const auto done = change_what_is_seen(*keeper_, name, cancel,
                                        [&](const wire::Shown& /*shown*/) { return change; });
  if (!done) return done.error();
  return {};
}

Outcome<Kind> Client::set(const std::string& name, Kind::Type type,
                          std::optional<std::uint32_t> min, std::optional<std::uint32_t> max,
                          const std::stop_token& cancel) {
  const auto change_of = [&](const wire::Shown& shown) {
    member::Change change;
    change.kind = {static_cast<member::Type>(type), 0, type == Kind::Type::band ? Kind::kNoMax : 1};
    if (shown.is_known()) change.was = kind_of(shown);
    const bool is_same = shown.is_known() && change.was.type == change.kind.type;
    if (is_same) change.kind = change.was;
    if (min) change.kind.min = *min;
    if (max) change.kind.max = *max;
    // A room for one group is another algorithm than one for several.
    change.is_reform = is_same ? !are_alike(change.was, change.kind)
                               : !shown.is_known() && !is_counted(change.kind);
    return change;
  };
  const auto done = change_what_is_seen(*keeper_, name, cancel, change_of);
  if (!done) return done.error();
  return Kind{type, done->min, done->max};
}

}  // namespace coterie
