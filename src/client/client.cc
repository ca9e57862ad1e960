#include "coterie/client.h"

#include <algorithm>
#include <array>
#include <future>
#include <utility>

#include "client/await.h"
#include "client/engine.h"
#include "client/held.h"
#include "client/loan.h"

namespace coterie {

using client::await;
using client::Engine;
using client::Held;
using client::Keeper;
using std::chrono::milliseconds;

namespace {

milliseconds ms(std::uint64_t count) { return milliseconds(static_cast<std::int64_t>(count)); }

std::string terms_of(const wire::Kind& kind) {
  const std::uint32_t most = std::max(kind.max(), 1U);
  const std::string min = std::to_string(kind.min());
  const std::string max = std::to_string(most);
  if (kind.type() == wire::BAND && most == Kind::kNoMax) return "at least " + min;
  if (kind.type() == wire::BAND && kind.min() > 0) return min + " to " + max;
  if (kind.type() == wire::ROOM && most > 1) return "at most " + max + " groups";
  if (kind.type() == wire::SEMAPHORE || kind.type() == wire::BAND) return "at most " + max;
  return "";
}

void tell_kind(const wire::Shown& shown, Status& status) {
  constexpr std::array kWords = {"mutex", "room", "semaphore", "band"};
  const auto type = static_cast<std::size_t>(shown.kind().type());
  status.kind = type < kWords.size() ? kWords[type] : "something newer";
  status.min = shown.kind().min();
  status.max = std::max(shown.kind().max(), 1U);
  status.terms = terms_of(shown.kind());
  status.is_set = shown.is_set();
  if (!shown.has_was()) return;
  // While the name becomes something else.
  status.former_terms = terms_of(shown.was());
  if (shown.was().type() != shown.kind().type() || status.former_terms.empty())
    status.former_terms = member::text_of({static_cast<member::Type>(shown.was().type()),
                                           shown.was().min(), std::max(shown.was().max(), 1U)});
}

// Members may have restarted since: what they say of its age is what they have seen of it.
void tell_age(std::uint64_t given_at_ms, Status::Holder& holder) {
  using std::chrono::system_clock;
  constexpr std::uint64_t kLatest = std::uint64_t{1} << 42U;  // in the year 2109
  if (given_at_ms == 0 || given_at_ms > kLatest) return;
  const system_clock::time_point given_at(
      std::chrono::duration_cast<system_clock::duration>(ms(given_at_ms)));
  const auto age =
      std::chrono::duration_cast<std::chrono::milliseconds>(system_clock::now() - given_at);
  holder.given_at = given_at;
  holder.since = std::max(holder.since, age);
}

Status status_of(const wire::Shown& shown) {
  Status status;
  status.name = shown.name();
  if (shown.is_known()) tell_kind(shown, status);
  for (const wire::Shown::Holder& holder : shown.holders()) {
    Status::Holder& made = status.holders.emplace_back(Status::Holder{
        holder.client(), holder.member(), holder.group(), holder.token(), ms(holder.since_ms()),
        ms(holder.good_for_ms()), holder.is_leaving(), holder.why(), holder.is_lasting(),
        static_cast<Status::Certainty>(holder.certainty())});
    tell_age(holder.given_at_ms(), made);
  }
  for (const wire::Shown::Waiter& waiter : shown.waiters()) {
    status.waiters.push_back({waiter.client(),
                              waiter.member(),
                              {waiter.groups().begin(), waiter.groups().end()},
                              ms(waiter.since_ms()),
                              waiter.why()});
  }
  status.dark.assign(shown.dark().begin(), shown.dark().end());
  return status;
}

Survey survey_of(const wire::Surveyed& surveyed) {
  Survey survey;
  survey.member = surveyed.member();
  survey.incarnation = surveyed.incarnation();
  survey.is_silent = surveyed.is_silent();
  survey.has_quorum = surveyed.has_quorum();
  survey.sessions = surveyed.sessions();
  for (const wire::Surveyed::Peer& peer : surveyed.peers()) {
    survey.peers.push_back({peer.name(), peer.address(), peer.is_connected(), peer.is_up(),
                            peer.is_doubted(), ms(peer.lease_left_ms()), peer.trouble()});
  }
  survey.names.assign(surveyed.names().begin(), surveyed.names().end());
  for (const wire::Surveyed::Count& count : surveyed.counts())
    survey.counts.emplace_back(count.what(), count.times());
  return survey;
}

}  // namespace

// ---- patience and requests

Patience Patience::try_once() {
  Patience patience;
  patience.is_try_ = true;
  return patience;
}

Patience Patience::at_most(std::chrono::nanoseconds time) {
  Patience patience;
  patience.time_ = time;
  return patience;
}

Patience Patience::until(Clock::time_point end) {
  Patience patience;
  patience.end_ = end;
  return patience;
}

std::optional<Clock::time_point> Patience::end(Clock::time_point now) const {
  if (!time_) return end_;
  // Centuries are for ever.
  return *time_ < Clock::time_point::max() - now ? std::optional(now + *time_) : std::nullopt;
}

Request Request::mutex(std::string name, Patience patience) {
  return {.name = std::move(name), .patience = patience};
}
Request Request::room(std::string name, std::vector<std::string> groups, Patience patience) {
  return rooms(std::move(name), 1, std::move(groups), patience);
}
Request Request::rooms(std::string name, std::uint32_t count, std::vector<std::string> groups,
                       Patience patience) {
  return {.name = std::move(name),
          .kind = {.type = Kind::Type::room, .max = count},
          .groups = std::move(groups),
          .patience = patience};
}
Request Request::semaphore(std::string name, std::uint32_t limit, Patience patience) {
  return {.name = std::move(name),
          .kind = {.type = Kind::Type::semaphore, .max = limit},
          .patience = patience};
}
Request Request::band(std::string name, std::string as, std::uint32_t min, std::uint32_t max,
                      Patience patience) {
  return {.name = std::move(name),
          .kind = {.type = Kind::Type::band, .min = min, .max = max},
          .groups = {std::move(as)},
          .patience = patience};
}
Request Request::read(std::string name, Patience patience) {
  return room(std::move(name), {"read"}, patience);
}
Request Request::write(std::string name, Patience patience) {
  return {.name = std::move(name),
          .kind = {.type = Kind::Type::room},
          .is_alone = true,
          .patience = patience};
}

// ---- what is held

namespace client {

namespace {

std::string group_of(const Request& request, const Grant& grant) {
  if (request.kind.type == Kind::Type::band) return request.groups.front();
  // The group of one who is alone has a name that only the members understand.
  return request.is_alone ? std::string() : grant.group;
}

}  // namespace

Held::Held(Ticket number, const Request& request, const Grant& grant, std::weak_ptr<Keeper> whose,
           std::shared_ptr<Loan> taken)
    : ticket(number),
      name(request.name),
      group(group_of(request, grant)),
      may_have_to_stay(request.kind.type == Kind::Type::band),
      token(grant.token),
      keeper(std::move(whose)),
      loan(std::move(taken)),
      until_ns(grant.until.ns) {}

Instant Held::until() const { return loan ? loan->until() : Instant{until_ns}; }

bool Held::give_back() { return loan && loan->give_back(); }

void Held::lose(const std::string& reason) {
  const std::scoped_lock lock(mutex_);
  if (!why_) why_ = reason;
}

void Held::tell() {
  std::function<void(const std::string&)> callback;
  {
    const std::scoped_lock lock(mutex_);
    callback = std::exchange(callback_, {});
  }
  lost.request_stop();
  if (callback) callback(*why_lost());
}

std::optional<std::string> Held::why_lost() const {
  const std::scoped_lock lock(mutex_);
  return why_;
}

void Held::on_lost(std::function<void(const std::string&)> callback) {
  {
    const std::scoped_lock lock(mutex_);
    if (!why_) {
      callback_ = std::move(callback);
      return;
    }
  }
  callback(*why_lost());
}

}  // namespace client

Hold::Hold(std::shared_ptr<Held> held) : held_(std::move(held)) {}
Hold::Hold(Hold&&) noexcept = default;
Hold& Hold::operator=(Hold&& other) noexcept {
  if (this != &other) {
    let_go();
    held_ = std::move(other.held_);
  }
  return *this;
}
Hold::~Hold() { let_go(); }

void Hold::let_go() {
  if (!held_ || held_->is_over.exchange(true) || held_->give_back()) return;
  if (const auto keeper = held_->keeper.lock()) keeper->abandon(held_->ticket);
}

const std::string& Hold::name() const { return held_->name; }
const std::string& Hold::group() const { return held_->group; }
std::uint64_t Hold::token() const { return held_->token; }

Clock::time_point Hold::valid_until() const {
  return Clock::time_point(std::chrono::nanoseconds(held_->until().ns));
}
bool Hold::is_valid() const { return !held_->is_over && Clock::now() < valid_until(); }

void Hold::on_lost(std::function<void(const std::string&)> callback) {
  held_->on_lost(std::move(callback));
  watch();
}
std::stop_token Hold::lost() const {
  watch();
  return held_->lost.get_token();
}

// What was taken its keeper does not know of.
void Hold::watch() const {
  const auto keeper = held_->loan ? held_->keeper.lock() : nullptr;
  if (keeper) keeper->watch(held_);
}

// Whether nobody is to be asked.
bool Hold::is_out() {
  if (held_->may_have_to_stay) return held_->is_over;
  return held_->is_over.exchange(true) || held_->give_back();
}

Outcome<void> Hold::lost_before() const {
  if (is_valid()) return {};
  const char* const otherwise =
      held_->is_over ? "it was released before" : "it could not be renewed in time";
  return Refusal{Reason::lost, held_->why_lost().value_or(otherwise)};
}

Outcome<void> Hold::release() { return leave(Patience::forever()); }

Outcome<void> Hold::leave(Patience patience, const std::stop_token& cancel) {
  auto before = lost_before();
  if (is_out()) return before;
  const auto keeper = held_->keeper.lock();
  if (!keeper) return before;
  if (!keeper->is_own_thread()) {
    return await<void>(
        [&](Left done) { ask_out(*keeper, before, patience, std::move(done), cancel); });
  }
  if (held_->may_have_to_stay)
    return Refusal{Reason::would_wait, "the client's own thread must not wait: start_leaving()"};
  ask_out(
      *keeper, before, patience, [](const Outcome<void>&) {}, cancel);
  return before;
}

void Hold::start_leaving(Patience patience, Left done, const std::stop_token& cancel) {
  auto before = lost_before();
  if (is_out()) return done(before);
  const auto keeper = held_->keeper.lock();
  if (!keeper) return done(before);
  ask_out(*keeper, before, patience, std::move(done), cancel);
}

void Hold::ask_out(Keeper& keeper, const Outcome<void>& before, const Patience& patience, Left done,
                   const std::stop_token& cancel) {
  const auto tell = [held = held_, before, done = std::move(done)](const Outcome<void>& outcome) {
    if (!before || !outcome || !held->may_have_to_stay) return done(before ? outcome : before);
    const auto why = held->why_lost();  // while it waited
    done(why ? Refusal{Reason::lost, *why} : outcome);
  };
  keeper.release(held_->ticket, patience, tell, cancel);
}

// ---- the client

Client::Client(std::shared_ptr<Keeper> keeper) : keeper_(std::move(keeper)) {}
Client::Client(Client&&) noexcept = default;
Client& Client::operator=(Client&& other) noexcept {
  std::swap(keeper_, other.keeper_);
  return *this;
}
Client::~Client() {
  if (keeper_) keeper_->stop();
}

Outcome<Client> Client::connect(Options options) {
  if (options.label.empty()) options.label = client::usual_label();
  auto engine = Engine::make(options);
  if (!engine) return engine.error();
  return Client(*std::move(engine));
}

void Client::start(Request request, Done done, const std::stop_token& cancel) {
  keeper_->acquire(std::move(request), std::move(done), cancel);
}

Outcome<Hold> Client::acquire(Request request, const std::stop_token& cancel) {
  if (auto hold = keeper_->take(request)) return *std::move(hold);
  return await<Hold>([&](Done done) { start(std::move(request), std::move(done), cancel); });
}
Outcome<Hold> Client::mutex(std::string name, Patience patience, const std::stop_token& cancel) {
  return acquire(Request::mutex(std::move(name), patience), cancel);
}
Outcome<Hold> Client::room(std::string name, std::vector<std::string> groups, Patience patience,
                           const std::stop_token& cancel) {
  return acquire(Request::room(std::move(name), std::move(groups), patience), cancel);
}
Outcome<Hold> Client::read(std::string name, Patience patience, const std::stop_token& cancel) {
  return acquire(Request::read(std::move(name), patience), cancel);
}
Outcome<Hold> Client::write(std::string name, Patience patience, const std::stop_token& cancel) {
  return acquire(Request::write(std::move(name), patience), cancel);
}

Outcome<Status> Client::status(std::string name) {
  auto event = await<wire::Event>(
      [&](Keeper::Answer answer) { keeper_->show(std::move(name), std::move(answer)); });
  if (!event) return event.error();
  return status_of(event->shown());
}

// Names come in pages. One that is begun at another member, or at another start of it, is begun again.
Outcome<Survey> Client::survey() {
  std::optional<Survey> all;
  for (;;) {
    const std::string after = all ? all->names.back() : "";
    auto event = await<wire::Event>(
        [&](Keeper::Answer answer) { keeper_->survey(after, std::move(answer)); });
    if (!event) return event.error();
    Survey page = survey_of(event->surveyed());
    if (all && (page.member != all->member || page.incarnation != all->incarnation)) {
      all.reset();
      continue;
    }
    if (all) page.names.insert(page.names.begin(), all->names.begin(), all->names.end());
    const bool has_more = event->surveyed().has_more() && event->surveyed().names_size() > 0;
    all = std::move(page);
    if (!has_more) return *std::move(all);
  }
}

std::string Client::member() const { return keeper_->member(); }
const std::string& Client::label() const { return keeper_->label(); }

}  // namespace coterie
