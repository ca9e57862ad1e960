// Holds for an owner, and settings. What one call asks of members, one thing after another, is a session::Operation; here a thread
// waits for it.
#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <optional>
#include <random>
#include <utility>

#include "client/keeper.h"
#include "coterie/client.h"
#include "member/api.h"
#include "session/change_call.h"
#include "session/end_call.h"
#include "session/hold_call.h"

namespace coterie {

namespace {

using client::Errand;
using client::Keeper;

// So long a call waits each time for what members decide of its request, whatever the patience of its caller.
constexpr std::chrono::milliseconds kDecided{3'000};

member::Kind kind_of(const wire::Kind& kind) {
  return {static_cast<member::Type>(kind.type()), kind.min(), std::max(kind.max(), 1U)};
}

member::Kind kind_of(const wire::Shown& shown) { return kind_of(shown.kind()); }

// As far as operations look at it.
api::Picture picture_of(const wire::Shown& shown) {
  api::Picture picture;
  picture.name = shown.name();
  picture.is_set = shown.is_set();
  picture.version = shown.version();
  picture.dark_names.assign(shown.dark().begin(), shown.dark().end());
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

// A thread that waits for an operation. What a keeper answers comes on the keeper's thread, perhaps after the call is done: so it
// goes into an inbox that both share.
class Waited final : public session::Operation::Driver {
 public:
  Waited(Keeper& keeper, std::string name, const Patience& patience)
      : keeper_(keeper),
        name_(std::move(name)),
        end_(patience.end(Clock::now())),
        patience_(end_ ? Patience::until(*end_) : patience) {}

  member::Instant end() const { return end_ ? instant_of(*end_) : member::Instant::never(); }

  Outcome<LastingHold> run(session::Operation& operation, const std::stop_token& cancel) {
    const std::stop_callback on_cancel(cancel, [inbox = inbox_] {
      inbox->add([](session::Operation& call, member::Instant now) { call.cancel(now); });
    });
    operation.start(now());
    while (!outcome_) {
      const auto event = inbox_->take(operation.next_tick());
      event ? event(operation, now()) : operation.tick(now());
    }
    return *std::move(outcome_);
  }

 private:
  using Event = std::function<void(session::Operation&, member::Instant)>;
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
              [outcome](session::Operation& call, member::Instant at) { call.asked(outcome, at); });
        },
        enough_.get_token());
  }
  void end(const api::Burial& burial) override {
    enough_ = std::stop_source();
    keeper_.bury(burial, patience_, when_settled(), enough_.get_token());
  }
  void settle(const api::Burial& burial) override {
    keeper_.bury(burial, Patience::until(Clock::now() + kDecided), when_settled(), {});
  }
  void change(const api::Change& change) override {
    enough_ = std::stop_source();
    keeper_.change(change, when_settled(), enough_.get_token());
  }
  void give_up() override { enough_.request_stop(); }
  void look() override {
    keeper_.show(name_, [inbox = inbox_](const Outcome<wire::Event>& event) {
      inbox->add([event](session::Operation& call, member::Instant at) {
        event ? call.seen(picture_of(event->shown()), at) : call.seen(event.error(), at);
      });
    });
  }
  Errand::Done when_settled() const {
    return [inbox = inbox_](const Outcome<LastingHold>& outcome) {
      inbox->add(
          [outcome](session::Operation& call, member::Instant at) { call.settled(outcome, at); });
    };
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
};

Outcome<void> end_hold(Keeper& keeper, session::EndCall::Goal goal, const Patience& patience,
                       const std::stop_token& cancel) {
  if (goal.owner.empty()) return Refusal{Reason::invalid, "the owner must not be empty"};
  Waited waited(keeper, goal.name, patience);
  goal.is_try = patience.is_try();
  session::EndCall call(goal, waited.end(), waited);
  const auto ended = waited.run(call, cancel);
  if (!ended) return ended.error();
  if (ended->token != 0) keeper.add_end(goal.name, goal.owner, ended->token);
  return {};
}

Outcome<member::Kind> change_settings(Keeper& keeper, const std::string& name,
                                      session::ChangeCall::ChangeOf change_of,
                                      const std::stop_token& cancel) {
  Waited waited(keeper, name, Patience::forever());
  session::ChangeCall call(name, std::move(change_of), waited);
  const auto done = waited.run(call, cancel);
  if (!done) return done.error();
  return call.kind();
}

}  // namespace

Outcome<LastingHold> Client::hold_for(const std::string& owner, const Request& request,
                                      const std::stop_token& cancel) {
  // Without an owner the member would grant a hold that ends with its client, and nothing here waits for that.
  if (owner.empty()) return Refusal{Reason::invalid, "the owner must not be empty"};
  member::Wish wish = client::wish_of(request);
  wish.owner = owner;
  wish.seen = keeper_->last_end(wish.name, owner);
  Waited waited(*keeper_, wish.name, request.patience);
  session::HoldCall call(wish, waited.end(), waited);
  return waited.run(call, cancel);
}

Outcome<void> Client::release_for(const std::string& owner, const std::string& name,
                                  Patience patience, const std::stop_token& cancel) {
  return end_hold(*keeper_, {.name = name, .owner = owner}, patience, cancel);
}

Outcome<void> Client::end_lasting(const std::string& owner, const std::string& name,
                                  std::uint64_t token, Patience patience,
                                  const std::stop_token& cancel) {
  if (token == 0) return Refusal{Reason::invalid, "the token must not be 0"};
  return end_hold(*keeper_, {.name = name, .owner = owner, .token = token, .is_forced = true},
                  patience, cancel);
}

Outcome<void> Client::set_kind(std::string name, const Kind& kind, const std::stop_token& cancel) {
  member::Change change;
  change.kind = {static_cast<member::Type>(kind.type), kind.min, kind.max};
  change.was = change.kind;
  change.is_reform = true;
  const auto done = change_settings(
      *keeper_, name, [=](const auto&) { return change; }, cancel);
  if (!done) return done.error();
  return {};
}

Outcome<void> Client::forget(std::string name, const std::stop_token& cancel) {
  member::Change change;
  change.forgets = true;
  const auto done = change_settings(
      *keeper_, name, [=](const auto&) { return change; }, cancel);
  if (!done) return done.error();
  return {};
}

Outcome<Kind> Client::set(const std::string& name, Kind::Type type,
                          std::optional<std::uint32_t> min, std::optional<std::uint32_t> max,
                          const std::stop_token& cancel) {
  const auto done = change_settings(
      *keeper_, name, session::change_limits(static_cast<member::Type>(type), min, max), cancel);
  if (!done) return done.error();
  return Kind{type, done->min, done->max};
}

}  // namespace coterie
