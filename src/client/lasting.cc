// Holds for an owner. If it has one already, arbiters let it have no other, and it would wait for itself: so what it has is
// looked at when they say so, and while it waits.
#include <algorithm>
#include <chrono>
#include <future>
#include <optional>
#include <thread>

#include "client/await.h"
#include "client/keeper.h"
#include "coterie/client.h"
#include "member/alone.h"

namespace coterie {

namespace {

using client::Errand;
using client::Keeper;

constexpr std::chrono::milliseconds kLookAgain{1'000};
constexpr std::chrono::milliseconds kLookFirst{10};
constexpr std::chrono::milliseconds kLookSoon{100};
constexpr std::chrono::milliseconds kSettled{3'000};  // what takes longer is not going on any more

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

// While the name becomes something else, those inside are in what it was.
member::Kind kind_inside(const wire::Shown& shown) {
  const bool becomes = shown.has_was() && !are_alike(kind_of(shown.was()), kind_of(shown));
  return kind_of(becomes ? shown.was() : shown.kind());
}

// The surest, if there are several.
const wire::Shown::Holder* find_owner(const wire::Shown& shown, const std::string& owner) {
  const wire::Shown::Holder* found = nullptr;
  for (const wire::Shown::Holder& holder : shown.holders()) {
    if (!holder.is_lasting() || holder.client() != owner) continue;
    if (found == nullptr || holder.certainty() < found->certainty()) found = &holder;
  }
  return found;
}

Outcome<void> end_it(Keeper& keeper, const member::Burial& burial, const Patience& patience,
                     const std::stop_token& cancel) {
  const auto ended = client::await<LastingHold>(
      [&](Errand::Done done) { keeper.bury(burial, patience, std::move(done), cancel); });
  if (!ended) return ended.error();
  return {};
}

member::Burial burial_of(const wire::Shown& shown, const wire::Shown::Holder& holder) {
  member::Burial burial;
  burial.name = shown.name();
  burial.kind = kind_inside(shown);
  burial.owner = holder.client();
  burial.token = holder.token();
  return burial;
}

// Of a hold that the members know.
Outcome<member::Burial> burial_of(Keeper& keeper, const std::string& owner,
                                  const std::string& name) {
  const auto shown = look_at(keeper, name);
  if (!shown) return shown.error();
  const auto* const holder = find_owner(*shown, owner);
  if (holder == nullptr)
    return Refusal{Reason::invalid, owner + " has no hold of " + name + " that lasts"};
  return burial_of(*shown, *holder);
}

// Empty if what the owner has is what it asks for now.
std::string difference(const wire::Shown& shown, const wire::Shown::Holder& holder,
                       const member::Wish& wish) {
  const member::Kind known = kind_inside(shown);
  const bool is_alike = known == wish.kind || (shown.is_set() && known.type == wish.kind.type);
  if (!is_alike)
    return "it is in use as " + member::text_of(known) + "; you asked for " +
           member::text_of(wish.kind);
  const bool is_its_group = wish.is_alone ? holder.group() == member::kShownAlone
                                          : std::find(wish.groups.begin(), wish.groups.end(),
                                                      holder.group()) != wish.groups.end();
  if (wish.kind.type == member::Type::room && !is_its_group)
    return holder.client() + " holds it already, in group " + holder.group() +
           ": release that first";
  return "";
}

Outcome<void> change_it(Keeper& keeper, const member::Change& change,
                        const std::stop_token& cancel) {
  if (std::string fault = member::fault_of(change.kind); !fault.empty())
    return Refusal{Reason::invalid, std::move(fault)};
  const auto done = client::await<LastingHold>(
      [&](Errand::Done tell) { keeper.change(change, std::move(tell), cancel); });
  if (!done) return done.error();
  return {};
}

bool is_old(const wire::Shown::Holder& holder) {
  return holder.certainty() == wire::Shown::Holder::PARTIAL &&
         holder.since_ms() >= static_cast<std::uint64_t>(kSettled.count());
}

// What the owner has, as far as the members agree. What was never given, and is not being written down any more, is
// cleared away.
Outcome<std::optional<LastingHold>> find_hold(Keeper& keeper, const member::Wish& wish,
                                              const std::stop_token& cancel) {
  const std::string& owner = wish.owner;
  while (!cancel.stop_requested()) {
    const auto shown = look_at(keeper, wish.name);
    const auto* const holder = shown ? find_owner(*shown, owner) : nullptr;
    if (holder == nullptr) return std::nullopt;
    if (std::string other = difference(*shown, *holder, wish); !other.empty())
      return Refusal{Reason::mismatch, std::move(other)};
    if (holder->certainty() == wire::Shown::Holder::SURE)
      return LastingHold{owner, holder->group(), holder->token()};
    if (holder->certainty() == wire::Shown::Holder::DOUBTFUL)
      return Refusal{Reason::unreachable, "whether " + owner +
                                              " holds it already depends on members that do not "
                                              "answer: see `coterie status " +
                                              wish.name + "`"};
    if (!is_old(*holder)) {
      std::this_thread::sleep_for(kLookSoon);
      continue;
    }
    member::Burial burial = burial_of(*shown, *holder);
    burial.is_forced = true;
    if (const auto ended = end_it(keeper, burial, Patience::forever(), cancel); !ended)
      return ended.error();
  }
  return Refusal{Reason::cancelled, "it was cancelled"};
}

// What is seen of the owner's while it waits.
struct Found {
  std::optional<Outcome<LastingHold>> answer;
  bool is_stale = false;  // what is left of an earlier one is in the way
};

Found look_for(Keeper& keeper, const member::Wish& wish) {
  Found found;
  const auto shown = look_at(keeper, wish.name);
  const auto* const holder = shown ? find_owner(*shown, wish.owner) : nullptr;
  if (holder == nullptr) return found;
  found.is_stale = is_old(*holder);
  if (std::string other = difference(*shown, *holder, wish); !other.empty()) {
    found.answer = Refusal{Reason::mismatch, std::move(other)};
  } else if (holder->certainty() == wire::Shown::Holder::SURE) {
    found.answer = LastingHold{wish.owner, holder->group(), holder->token()};
  }
  return found;
}

Outcome<LastingHold> ask_for(Keeper& keeper, const member::Wish& wish, const Patience& patience,
                             const std::stop_token& cancel, Found& found) {
  std::stop_source enough;
  const std::stop_callback on_cancel(cancel, [&] { enough.request_stop(); });
  const auto promise = std::make_shared<std::promise<Outcome<LastingHold>>>();
  auto future = promise->get_future();
  keeper.hold_for(
      wish, patience,
      [promise](Outcome<LastingHold> outcome) { promise->set_value(std::move(outcome)); },
      enough.get_token());
  auto pause = kLookFirst;
  while (!found.answer && !found.is_stale && future.wait_for(pause) != std::future_status::ready) {
    found = look_for(keeper, wish);
    pause = kLookAgain;
  }
  if (found.answer || found.is_stale) enough.request_stop();
  return future.get();
}

}  // namespace

Outcome<LastingHold> Client::hold_for(const std::string& owner, const Request& request,
                                      const std::stop_token& cancel) {
  member::Wish wish = client::wish_of(request);
  wish.owner = owner;
  for (;;) {
    Found found;
    auto outcome = ask_for(*keeper_, wish, request.patience, cancel, found);
    if (outcome) return outcome;
    if (found.answer) return *found.answer;
    const Reason reason = outcome.error().reason;
    const bool waits_for_itself = reason == Reason::would_wait || reason == Reason::timed_out;
    if (!waits_for_itself && !found.is_stale && reason != Reason::look_first) return outcome;
    const auto known = find_hold(*keeper_, wish, cancel);
    if (!known) return known.error();
    if (*known) return **known;
    if (waits_for_itself) return outcome;
    // A member has not heard of its end yet.
    if (reason == Reason::look_first) std::this_thread::sleep_for(kLookSoon);
  }
}

Outcome<void> Client::release_for(const std::string& owner, const std::string& name,
                                  Patience patience, const std::stop_token& cancel) {
  member::Burial whatever;
  whatever.name = name;
  whatever.owner = owner;
  auto ended = end_it(*keeper_, whatever, patience, cancel);
  if (ended || ended.error().reason != Reason::look_first) return ended;
  const auto burial = burial_of(*keeper_, owner, name);
  if (!burial) return burial.error();
  return end_it(*keeper_, *burial, patience, cancel);
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

Outcome<void> Client::set_kind(std::string name, const Kind& kind, const std::stop_token& cancel) {
  member::Change change;
  change.name = std::move(name);
  change.kind = {static_cast<member::Type>(kind.type), kind.min, kind.max};
  change.was = change.kind;
  change.is_reform = true;
  return change_it(*keeper_, change, cancel);
}

Outcome<void> Client::forget(std::string name, const std::stop_token& cancel) {
  member::Change change;
  change.name = std::move(name);
  change.forgets = true;
  return change_it(*keeper_, change, cancel);
}

// What it is known as may change between our look at it and the change: then we look again.
Outcome<Kind> Client::set(const std::string& name, Kind::Type type,
                          std::optional<std::uint32_t> min, std::optional<std::uint32_t> max,
                          const std::stop_token& cancel) {
  for (std::optional<member::Kind> before;;) {
    const auto shown = look_at(*keeper_, name);
    if (!shown) return shown.error();
    member::Change change;
    change.name = name;
    change.kind = {static_cast<member::Type>(type), 0, type == Kind::Type::band ? Kind::kNoMax : 1};
    if (shown->is_known()) change.was = kind_of(*shown);
    const bool is_same = shown->is_known() && change.was.type == change.kind.type;
    if (is_same) change.kind = change.was;
    if (min) change.kind.min = *min;
    if (max) change.kind.max = *max;
    // A room for one group is another algorithm than one for several.
    change.is_reform = is_same ? !are_alike(change.was, change.kind)
                               : !shown->is_known() && !is_counted(change.kind);
    const auto done = change_it(*keeper_, change, cancel);
    if (done) return Kind{type, change.kind.min, change.kind.max};
    if (done.error().reason != Reason::mismatch || before == change.was) return done.error();
    before = change.was;
  }
}

}  // namespace coterie
