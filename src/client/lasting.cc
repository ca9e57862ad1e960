// Holds for an owner. Whether it has one is asked first, and again while it waits: an answer may have been lost with a
// member, and it would wait for itself.
#include <chrono>
#include <future>
#include <optional>

#include "client/await.h"
#include "client/keeper.h"
#include "coterie/client.h"

namespace coterie {

namespace {

using client::Errand;
using client::Keeper;

constexpr std::chrono::milliseconds kLookAgain{1'000};

Outcome<wire::Shown> look_at(Keeper& keeper, const std::string& name) {
  auto event =
      client::await<wire::Event>([&](Keeper::Answer answer) { keeper.show(name, answer); });
  if (!event) return event.error();
  return event->shown();
}

member::Kind kind_of(const wire::Shown& shown) {
  return {static_cast<member::Type>(shown.kind().type()), shown.kind().min(),
          std::max(shown.kind().max(), 1U)};
}

const wire::Shown::Holder* find_owner(const wire::Shown& shown, const std::string& owner) {
  for (const wire::Shown::Holder& holder : shown.holders()) {
    if (holder.is_lasting() && holder.client() == owner) return &holder;
  }
  return nullptr;
}

std::optional<LastingHold> known_hold(Keeper& keeper, const std::string& name,
                                      const std::string& owner) {
  const auto shown = look_at(keeper, name);
  const auto* const holder = shown ? find_owner(*shown, owner) : nullptr;
  if (holder == nullptr || holder->certainty() != wire::Shown::Holder::SURE) return std::nullopt;
  return LastingHold{owner, holder->group(), holder->token()};
}

Outcome<void> end_it(Keeper& keeper, const member::Burial& burial, const Patience& patience,
                     const std::stop_token& cancel) {
  const auto ended = client::await<LastingHold>(
      [&](Errand::Done done) { keeper.bury(burial, patience, std::move(done), cancel); });
  if (!ended) return ended.error();
  return {};
}

// Of a hold that the members know.
Outcome<member::Burial> burial_of(Keeper& keeper, const std::string& owner,
                                  const std::string& name) {
  const auto shown = look_at(keeper, name);
  if (!shown) return shown.error();
  const auto* const holder = find_owner(*shown, owner);
  if (holder == nullptr)
    return Refusal{Reason::invalid, owner + " has no hold of " + name + " that lasts"};
  member::Burial burial;
  burial.name = name;
  burial.kind = kind_of(*shown);
  burial.owner = owner;
  burial.token = holder->token();
  return burial;
}

}  // namespace

Outcome<LastingHold> Client::hold_for(std::string owner, Request request,
                                      const std::stop_token& cancel) {
  if (auto known = known_hold(*keeper_, request.name, owner)) return *std::move(known);
  std::stop_source enough;
  const std::stop_callback on_cancel(cancel, [&] { enough.request_stop(); });
  const auto promise = std::make_shared<std::promise<Outcome<LastingHold>>>();
  auto future = promise->get_future();
  member::Wish wish = client::wish_of(request);
  wish.owner = owner;
  keeper_->hold_for(
      std::move(wish), request.patience,
      [promise](Outcome<LastingHold> outcome) { promise->set_value(std::move(outcome)); },
      enough.get_token());
  while (future.wait_for(kLookAgain) != std::future_status::ready) {
    const auto known = known_hold(*keeper_, request.name, owner);
    if (!known) continue;
    enough.request_stop();
    const auto outcome = future.get();
    return outcome ? *outcome : *known;
  }
  return future.get();
}

Outcome<void> Client::release_for(std::string owner, std::string name, Patience patience,
                                  const std::stop_token& cancel) {
  const auto burial = burial_of(*keeper_, owner, name);
  if (!burial) return burial.error();
  return end_it(*keeper_, *burial, patience, cancel);
}

Outcome<void> Client::end_lasting(std::string owner, std::string name, std::uint64_t token) {
  auto burial = burial_of(*keeper_, owner, name);
  if (!burial) return burial.error();
  if (burial->token != token)
    return Refusal{Reason::invalid, owner + " holds " + name + " with the token " +
                                        std::to_string(burial->token) + ", not " +
                                        std::to_string(token)};
  burial->is_forced = true;
  return end_it(*keeper_, *burial, Patience::forever(), {});
}

// What it is known as may change between our look at it and the change: then we look again.
Outcome<Kind> Client::set(std::string name, Kind::Type type, std::optional<std::uint32_t> min,
                          std::optional<std::uint32_t> max, const std::stop_token& cancel) {
  for (std::optional<member::Kind> before;;) {
    const auto shown = look_at(*keeper_, name);
    if (!shown) return shown.error();
    member::Change change;
    change.name = name;
    change.kind = {static_cast<member::Type>(type), 0, type == Kind::Type::band ? Kind::kNoMax : 1};
    if (shown->is_known()) change.was = kind_of(*shown);
    if (change.was.type == change.kind.type) change.kind = change.was;
    if (min) change.kind.min = *min;
    if (max) change.kind.max = *max;
    if (std::string fault = member::fault_of(change.kind); !fault.empty())
      return Refusal{Reason::invalid, std::move(fault)};
    const auto done = client::await<LastingHold>(
        [&](Errand::Done tell) { keeper_->change(change, std::move(tell), cancel); });
    if (done) return Kind{type, change.kind.min, change.kind.max};
    if (done.error().reason != Reason::mismatch || before == change.was) return done.error();
    before = change.was;
  }
}

}  // namespace coterie
