#include "client/engine.h"

#include <fmt/format.h>

#include <boost/asio/post.hpp>
#include <random>
#include <utility>

#include "member/api.h"
#include "net/codec_client.h"
#include "net/tls.h"
#include "quorum/visible.h"

namespace coterie::client {

namespace asio = boost::asio;
using boost::system::error_code;
using std::chrono::nanoseconds;

namespace {

constexpr session::Road::Pauses kPauses{Duration::milliseconds(20), Duration::milliseconds(1'000)};

// Where to look first: clients that do not care are spread over the members.
std::size_t first_of(const Options& options) {
  if (options.is_in_order) return 0;
  std::random_device chance;
  return chance() % options.addresses.size();
}

Instant instant_of(const std::optional<Clock::time_point>& end) {
  return end ? Instant{nanoseconds(end->time_since_epoch()).count()} : Instant::never();
}

Outcome<std::vector<net::Address>> read_addresses(const std::vector<std::string>& texts) {
  if (texts.empty())
    return Refusal{Reason::invalid, "no addresses: give host:port of one member at least"};
  std::vector<net::Address> addresses;
  for (const std::string& text : texts) {
    auto address = net::parse_address(text);
    if (!address) return Refusal{Reason::invalid, address.error().message};
    addresses.push_back(*std::move(address));
  }
  return addresses;
}

}  // namespace

Outcome<std::shared_ptr<Engine>> Engine::make(const Options& options) {
  auto addresses = read_addresses(options.addresses);
  if (!addresses) return addresses.error();
  if (!quorum::is_text(options.label))
    return Refusal{Reason::invalid, "the label must be text in UTF-8"};
  std::optional<asio::ssl::context> tls;
  if (options.tls) {
    auto made = net::make_tls({.certificate = options.tls->certificate,
                               .key = options.tls->key,
                               .authority = options.tls->authority});
    if (!made) return Refusal{Reason::invalid, made.error().message};
    tls.emplace(*std::move(made));
  }
  auto engine = std::make_shared<Engine>(options, *std::move(addresses), std::move(tls));
  std::promise<Outcome<void>> first;
  auto found = first.get_future();
  engine->run(std::move(first));
  if (Outcome<void> outcome = found.get(); !outcome) {
    engine->stop();
    return outcome.error();
  }
  return engine;
}

Engine::Engine(const Options& options, std::vector<net::Address> addresses,
               std::optional<asio::ssl::context> tls)
    : label_(options.label),
      timeout_(options.timeout),
      addresses_(std::move(addresses)),
      work_(io_.get_executor()),
      tls_(std::move(tls)),
      tick_(io_),
      first_limit_(io_),
      pause_(io_),
      session_(label_, *this),
      road_(addresses_.size(), first_of(options), kPauses),
      troubles_(addresses_.size(), "no answer yet") {}

Engine::~Engine() { stop(); }

void Engine::run(std::promise<Outcome<void>> first) {
  first_ = std::move(first);
  first_end_ = from_now(timeout_);
  asio::post(io_, [this] {
    first_limit_.set(first_end_, [this] { give_up_if_first(); });
    seek();
  });
  thread_ = std::thread([self = shared_from_this()] {
    self->io_.run();
    self->finish();
  });
}

// What was asked for until now is answered; what comes later is answered where it is asked.
void Engine::finish() {
  {
    const std::scoped_lock lock(mutex_);
    is_finished_ = true;
  }
  io_.restart();
  io_.poll();
}

void Engine::post(std::function<void()> task) {
  {
    const std::scoped_lock lock(mutex_);
    if (!is_finished_) {
      return asio::post(io_, [this, task = std::move(task)] {
        task();
        arm();
      });
    }
  }
  task();
}

Instant Engine::now() { return {nanoseconds(Clock::now().time_since_epoch()).count()}; }

Instant Engine::from_now(nanoseconds time) { return now() + Duration{time.count()}; }

void Engine::arm() {
  const Instant next = session_.next_tick();
  if (next >= armed_ || is_closing_) return;
  armed_ = next;
  tick_.set(next, [this] {
    if (is_closing_) return;
    armed_ = Instant::never();
    session_.tick(now());
    arm();
  });
}

// ---- calls

void Engine::acquire(Request request, Client::Done done, const std::stop_token& cancel) {
  post([this, request = std::move(request), done = std::move(done), cancel] {
    if (is_closing_) return done(Refusal{Reason::cancelled, kClosed});
    if (std::string fault = member::fault_of(wish_of(request)); !fault.empty())
      return done(Refusal{Reason::invalid, std::move(fault)});
    const Ticket ticket = session_.acquire(wish_of(request), end_of(request.patience), now());
    waiters_[ticket] = {request, done, nullptr};
    waiters_[ticket].cancel = when_stopped(cancel, [this, ticket] {
      if (waiters_.contains(ticket)) session_.release(ticket, now());
    });
  });
}

// Who tries waits for an answer all the same, but not for ever.
Instant Engine::end_of(const Patience& patience) const {
  // A member that lives answers sooner: it gives up itself.
  constexpr std::chrono::milliseconds kLongestTry{2'000};
  if (patience.is_try()) return from_now(std::max(timeout_, kLongestTry));
  return instant_of(patience.end(Clock::now()));
}

void Engine::hold_for(member::Wish wish, const Patience& patience, Errand::Done done,
                      const std::stop_token& cancel) {
  post([this, wish = std::move(wish), patience, done = std::move(done), cancel] {
    if (is_closing_) return done(Refusal{Reason::cancelled, kClosed});
    if (std::string fault = member::fault_of(wish); !fault.empty())
      return done(Refusal{Reason::invalid, std::move(fault)});
    wait_for(session_.acquire(wish, end_of(patience), now()), wish.owner, done, cancel);
  });
}

void Engine::bury(member::Burial burial, const Patience& patience, Errand::Done done,
                  const std::stop_token& cancel) {
  post([this, burial = std::move(burial), patience, done = std::move(done), cancel] {
    if (is_closing_) return done(Refusal{Reason::cancelled, kClosed});
    wait_for(session_.bury(burial, end_of(patience), now()), burial.owner, done, cancel);
  });
}

void Engine::change(member::Change change, Errand::Done done, const std::stop_token& cancel) {
  post([this, change = std::move(change), done = std::move(done), cancel] {
    if (is_closing_) return done(Refusal{Reason::cancelled, kClosed});
    wait_for(session_.change(change, now()), "", done, cancel);
  });
}

void Engine::wait_for(Ticket ticket, std::string owner, const Errand::Done& done,
                      const std::stop_token& cancel) {
  errands_[ticket] = {std::move(owner), done, nullptr};
  errands_[ticket].cancel = when_stopped(cancel, [this, ticket] {
    if (errands_.contains(ticket)) session_.abandon(ticket, now());
  });
}

Cancel Engine::when_stopped(const std::stop_token& cancel, std::function<void()> task) {
  if (!cancel.stop_possible()) return nullptr;
  return std::make_unique<Cancel::element_type>(cancel, [weak = weak_from_this(), task] {
    const auto self = weak.lock();
    if (self) self->post(task);
  });
}

void Engine::release(Ticket ticket, const Patience& patience, Hold::Left done,
                     const std::stop_token& cancel) {
  post([this, ticket, patience, done = std::move(done), cancel] {
    if (!held_.contains(ticket)) return done({});
    if (leaving_.contains(ticket))
      return done(Refusal{Reason::invalid, "it waits to leave already"});
    leaving_[ticket].done = done;
    session_.release(ticket, now(), instant_of(patience.end(Clock::now())), patience.is_try());
    if (const auto leaver = leaving_.find(ticket); leaver != leaving_.end()) {
      leaver->second.cancel = when_stopped(cancel, [this, ticket] {
        const auto place = leaving_.find(ticket);
        if (place == leaving_.end()) return;
        place->second.is_cancelled = true;
        session_.stay(ticket, now());
      });
    }
  });
}

void Engine::abandon(Ticket ticket) {
  post([this, ticket] { session_.abandon(ticket, now()); });
}

void Engine::show(std::string name, Answer answer) {
  post([this, name = std::move(name), answer = std::move(answer)] {
    if (is_closing_) return answer(Refusal{Reason::cancelled, kClosed});
    if (std::string fault = member::fault_of_name("the name", name); !fault.empty())
      return answer(Refusal{Reason::invalid, std::move(fault)});
    questions_[session_.show(name, from_now(timeout_))] = answer;
  });
}

void Engine::survey(std::string after, Answer answer) {
  post([this, after = std::move(after), answer = std::move(answer)] {
    if (is_closing_) return answer(Refusal{Reason::cancelled, kClosed});
    questions_[session_.survey(after, from_now(timeout_))] = answer;
  });
}

std::string Engine::member() const {
  const std::scoped_lock lock(mutex_);
  return member_;
}

// ---- its end

void Engine::stop() {
  if (!thread_.joinable()) return;
  if (is_own_thread()) {  // a callback was the last to know of the client
    thread_.detach();
    return close();
  }
  asio::post(io_, [this] { close(); });
  thread_.join();
}

void Engine::close() {
  is_closing_ = true;
  pause_.cancel();
  if (dial_) dial_->cancel();
  const bool is_known = is_welcome_ || former_;
  session_.close();
  close_former();
  refuse_all();
  if (!is_known) return io_.stop();
  // The member answers by closing the connection; one that hangs is not waited for.
  constexpr auto kLongest = std::chrono::milliseconds(500);
  tick_.set(from_now(kLongest), [this] { io_.stop(); });
}

void Engine::refuse_all() {
  for (auto& [ticket, waiter] : std::exchange(waiters_, {}))
    waiter.done(Refusal{Reason::cancelled, kClosed});
  for (auto& [ticket, errand] : std::exchange(errands_, {}))
    errand.done(Refusal{Reason::cancelled, kClosed});
  for (auto& [ticket, answer] : std::exchange(questions_, {}))
    answer(Refusal{Reason::cancelled, kClosed});
  for (auto& [ticket, held] : std::exchange(held_, {})) {
    held->is_over = true;
    held->lose(kClosed);
    held->tell();
  }
  for (auto& [ticket, leaver] : std::exchange(leaving_, {})) leaver.done({});
}

// ---- what the session says

void Engine::send(const api::Call& call) {
  if (!channel_) return;
  wire::Message message;
  net::encode(call, *message.mutable_call());
  channel_->send(message);
}

void Engine::granted(Ticket ticket, const Grant& grant) {
  const auto place = waiters_.find(ticket);
  const Waiter waiter = std::move(place->second);
  waiters_.erase(place);
  auto held = std::make_shared<Held>(ticket, waiter.request, grant, weak_from_this());
  held_[ticket] = held;
  waiter.done(Hold(std::move(held)));
}

void Engine::refused(Ticket ticket, const Refusal& refusal) {
  if (const auto place = waiters_.find(ticket); place != waiters_.end()) {
    const Waiter waiter = std::move(place->second);
    waiters_.erase(place);
    return waiter.done(refusal);
  }
  if (const auto place = errands_.find(ticket); place != errands_.end()) {
    const Errand errand = std::move(place->second);
    errands_.erase(place);
    return errand.done(refusal);
  }
  const auto place = questions_.find(ticket);
  const Answer answer = std::move(place->second);
  questions_.erase(place);
  answer(refusal);
}

void Engine::renewed(Ticket ticket, Instant until) { held_.at(ticket)->until_ns = until.ns; }

// Callbacks come after the session has finished its step, which may also say that the hold is over.
void Engine::lost(Ticket ticket, const std::string& why) {
  const auto& held = held_.at(ticket);
  held->lose(why);
  asio::post(io_, [held] { held->tell(); });
}

void Engine::left(Ticket ticket) {
  const auto place = held_.find(ticket);
  place->second->is_over = true;
  held_.erase(place);
  finish_leaving(ticket, {});
}

void Engine::lasts(Ticket ticket, const Grant& grant) {
  const auto place = errands_.find(ticket);
  const Errand errand = std::move(place->second);
  errands_.erase(place);
  errand.done(LastingHold{errand.owner, grant.group, grant.token});
}

void Engine::stays(Ticket ticket, const Refusal& refusal) {
  const auto place = leaving_.find(ticket);
  if (place != leaving_.end()) finish_leaving(ticket, refusal_of(place->second, refusal));
}

void Engine::finish_leaving(Ticket ticket, const Outcome<void>& outcome) {
  const auto place = leaving_.find(ticket);
  if (place == leaving_.end()) return;
  const Leaver leaver = std::move(place->second);
  leaving_.erase(place);
  leaver.done(outcome);
}

void Engine::answer(Ticket question, const wire::Event& event) {
  if (!session_.answered(question, now())) return;
  const auto place = questions_.find(question);
  const Answer answer = std::move(place->second);
  questions_.erase(place);
  answer(event);
}

}  // namespace coterie::client
