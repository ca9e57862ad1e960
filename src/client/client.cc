#include "coterie/client.h"

#include <future>
#include <utility>

#include "client/engine.h"
#include "client/held.h"
#include "client/loan.h"

namespace coterie {

using client::Engine;
using client::Held;
using client::Keeper;
using std::chrono::milliseconds;

namespace {

milliseconds ms(std::uint64_t count) { return milliseconds(static_cast<std::int64_t>(count)); }

Status status_of(const wire::Shown& shown) {
  Status status;
  status.name = shown.name();
  if (shown.is_known()) status.kind = shown.kind().type() == wire::ROOM ? "room" : "mutex";
  for (const wire::Shown::Holder& holder : shown.holders()) {
    status.holders.push_back({holder.client(), holder.member(), holder.group(), holder.token(),
                              ms(holder.since_ms()), ms(holder.good_for_ms())});
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
  survey.sessions = surveyed.sessions();
  for (const wire::Surveyed::Peer& peer : surveyed.peers()) {
    survey.peers.push_back({peer.name(), peer.address(), peer.is_connected(), peer.is_up(),
                            peer.is_doubted(), ms(peer.lease_left_ms())});
  }
  survey.names.assign(surveyed.names().begin(), surveyed.names().end());
  for (const wire::Surveyed::Count& count : surveyed.counts())
    survey.counts.emplace_back(count.what(), count.times());
  return survey;
}

// Starts something, and waits for its end.
template <class Value, class Start>
Outcome<Value> await(const Start& start) {
  auto promise = std::make_shared<std::promise<Outcome<Value>>>();
  auto future = promise->get_future();
  start([promise](Outcome<Value> outcome) { promise->set_value(std::move(outcome)); });
  return future.get();
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
  return {
      .name = std::move(name), .is_room = true, .groups = std::move(groups), .patience = patience};
}
Request Request::read(std::string name, Patience patience) {
  return room(std::move(name), {"read"}, patience);
}
Request Request::write(std::string name, Patience patience) {
  return {.name = std::move(name), .is_room = true, .is_alone = true, .patience = patience};
}

// ---- what is held

namespace client {

// The group of one who is alone has a name that only the members understand.
Held::Held(Ticket number, const Request& request, const Grant& grant, std::weak_ptr<Keeper> whose,
           std::shared_ptr<Loan> taken)
    : ticket(number),
      name(request.name),
      group(request.is_alone ? std::string() : grant.group),
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
  if (const auto keeper = held_->keeper.lock()) keeper->release(held_->ticket, [] {});
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

Outcome<void> Hold::release() {
  const bool was_valid = is_valid();
  if (!held_->is_over.exchange(true) && !held_->give_back()) {
    if (const auto keeper = held_->keeper.lock()) {
      auto left = std::make_shared<std::promise<void>>();
      keeper->release(held_->ticket, [left] { left->set_value(); });
      if (!keeper->is_own_thread()) left->get_future().wait();
    }
  }
  if (was_valid) return {};
  return Refusal{Reason::lost, held_->why_lost().value_or("it was released before")};
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

Outcome<Survey> Client::survey() {
  auto event =
      await<wire::Event>([&](Keeper::Answer answer) { keeper_->survey(std::move(answer)); });
  if (!event) return event.error();
  return survey_of(event->surveyed());
}

std::string Client::member() const { return keeper_->member(); }
const std::string& Client::label() const { return keeper_->label(); }

}  // namespace coterie
