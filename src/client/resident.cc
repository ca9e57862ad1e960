#include "client/resident.h"

#include <algorithm>
#include <atomic>
#include <boost/asio/post.hpp>
#include <chrono>
#include <future>
#include <utility>

#include "net/codec.h"
#include "session/reason.h"

namespace coterie::client {

namespace asio = boost::asio;
using member::Member;
using member::Number;
using std::chrono::nanoseconds;

namespace {

// A loan reserves tokens, and what is reserved is used up when it ends: little at first, more for who needs it.
constexpr Number kFewest = 64;
constexpr Number kMost = 65'536;
constexpr Number kGrowth = 8;

}  // namespace

Outcome<std::shared_ptr<Resident>> Resident::make(std::shared_ptr<House> house, std::string label) {
  auto resident = std::make_shared<Resident>(house, std::move(label));
  struct Admission {
    std::promise<bool> is_done;
    std::atomic<bool> is_settled = false;  // or given up
  };
  const auto admission = std::make_shared<Admission>();
  const auto admit = [resident, house, admission] {
    if (admission->is_settled.exchange(true)) return;
    resident->session_ = house->server().admit(resident->label_, *resident);
    if (resident->session_ != 0) house->enter(*resident);
    admission->is_done.set_value(resident->session_ != 0);
  };
  if (house->is_own_thread()) {
    admit();
  } else if (!house->post([house, admit] { house->server().call_when_born(admit); })) {
    return stopped();
  }
  // A new cluster serves nobody before all of its members have met.
  constexpr auto kLongest = std::chrono::seconds(10);
  auto admitted = admission->is_done.get_future();
  if (admitted.wait_for(kLongest) != std::future_status::ready &&
      !admission->is_settled.exchange(true))
    return Refusal{Reason::unreachable, "the member waits for the others of its cluster"};
  if (!admitted.get()) return stopped();
  return resident;
}

Refusal Resident::stopped() { return {Reason::cancelled, "the member has stopped"}; }

Resident::Resident(std::shared_ptr<House> house, std::string label)
    : house_(std::move(house)),
      label_(std::move(label)),
      timer_(house_->io()),
      generosity_(kFewest) {}

Instant Resident::now() { return {nanoseconds(Clock::now().time_since_epoch()).count()}; }

// ---- on any thread

std::optional<Hold> Resident::take(const Request& request) {
  return take(request, std::unique_lock(loans_mutex_));
}

std::optional<Hold> Resident::take(const Request& request, std::unique_lock<std::mutex> lock) {
  if (request.kind.type != Kind::Type::mutex || !lock) return std::nullopt;
  const auto place = loans_.find(request.name);
  if (place == loans_.end()) return std::nullopt;
  std::shared_ptr<Loan> loan = place->second;
  lock.unlock();
  if (!loan->take()) return std::nullopt;
  if (const auto token = loan->enter(now())) {
    const Ticket ticket = loan->request();
    return Hold(std::make_shared<Held>(ticket, request, Grant{{}, *token, {}}, weak_from_this(),
                                       std::move(loan)));
  }
  if (!loan->give_back())
    release(loan->request(), Patience::forever(), [](const Outcome<void>&) {}, {});
  return std::nullopt;
}

void Resident::acquire(Request request, Client::Done done, const std::stop_token& cancel) {
  const bool is_posted = house_->post([self = shared_from_this(), request = std::move(request),
                                       done, cancel] { self->ask(request, done, cancel); });
  if (!is_posted) done(stopped());
}

void Resident::release(Ticket ticket, const Patience& patience, Hold::Left done,
                       const std::stop_token& cancel) {
  const bool is_posted = house_->post([self = shared_from_this(), ticket, patience, done, cancel] {
    self->leave(ticket, patience, done, cancel);
  });
  if (!is_posted) done({});
}

void Resident::abandon(Ticket ticket) {
  house_->post([self = shared_from_this(), ticket] {
    if (self->lend(ticket)) return;
    self->house_->server().think([&](Member& brain, Instant at) {
      brain.release(self->session_, ticket, at, {.is_abandonment = true});
    });
  });
}

void Resident::watch(const std::shared_ptr<Held>& held) {
  const auto over = [held](const std::string& why) {
    if (held->is_over) return;
    held->lose(why);
    held->tell();
  };
  const bool is_posted = house_->post([self = shared_from_this(), held, over] {
    const auto place = self->lent_.find(held->ticket);
    if (place == self->lent_.end() || place->second.loan != held->loan)
      return over(self->is_closed_ ? self->why_closed_ : session::kLostQuorum);
    place->second.watcher = held;
    if (self->is_stopping_) self->lose(held, "its member is stopping");
  });
  if (!is_posted) over("its member has stopped");
}

void Resident::show(std::string name, Answer answer) {
  const bool is_posted = house_->post([self = shared_from_this(), name = std::move(name), answer] {
    const Ticket question = ++self->last_;
    self->questions_[question] = answer;
    const bool is_asked =
        !self->is_closed_ && self->house_->server().think([&](Member& brain, Instant at) {
          brain.show(self->session_, question, name, at);
        });
    if (!is_asked && self->questions_.erase(question) > 0) answer(stopped());
  });
  if (!is_posted) answer(stopped());
}

void Resident::survey(std::string after, Answer answer) {
  const bool is_posted = house_->post([self = shared_from_this(), after, answer] {
    if (self->is_closed_) return answer(stopped());
    wire::Event event;
    self->house_->server().survey(after, *event.mutable_surveyed());
    answer(event);
  });
  if (!is_posted) answer(stopped());
}

void Resident::stop() {
  auto closed = std::make_shared<std::promise<void>>();
  const auto close_it = [self = shared_from_this(), closed] {
    self->close(kClosed);
    closed->set_value();
  };
  if (!house_->post(close_it) || is_own_thread()) return;
  closed->get_future().wait();
}

// ---- on the house's thread: asking

void Resident::ask(Request request, Client::Done done, const std::stop_token& cancel) {
  if (is_closed_) return done(Refusal{Reason::cancelled, why_closed_});
  // It may have been lent since the caller looked: then the brain, if it were asked, would recall it.
  if (auto hold = take(request, std::unique_lock(loans_mutex_, std::try_to_lock)))
    return done(*std::move(hold));
  const Ticket ticket = ++last_;
  member::Wish wish = wish_of(request);
  wish.request = ticket;
  if (!wish.is_try) wish.wait = wait_of(request.patience);
  waiters_[ticket] = {std::move(request), std::move(done), nullptr};
  waiters_[ticket].cancel = when_stopped(cancel, &Resident::give_up, ticket);
  house_->server().think([&](Member& brain, Instant at) { brain.acquire(session_, wish, at); });
}

Cancel Resident::when_stopped(const std::stop_token& cancel, void (Resident::*task)(Ticket),
                              Ticket ticket) {
  if (!cancel.stop_possible()) return nullptr;
  return std::make_unique<Cancel::element_type>(cancel, [weak = weak_from_this(), task, ticket] {
    const auto self = weak.lock();
    if (self) self->house_->post([self, task, ticket] { (self.get()->*task)(ticket); });
  });
}

void Resident::give_up(Ticket ticket) {
  if (!waiters_.contains(ticket) && !errands_.contains(ticket)) return;
  house_->server().think([&](Member& brain, Instant at) { brain.release(session_, ticket, at); });
}

void Resident::leave(Ticket ticket, const Patience& patience, Hold::Left done,
                     const std::stop_token& cancel) {
  if (!held_.contains(ticket) && !lent_.contains(ticket)) return done({});
  if (lend(ticket)) return done({});
  leaving_[ticket].push_back(
      {std::move(done), false, when_stopped(cancel, &Resident::stay, ticket)});
  member::Leave how{.wait = wait_of(patience), .is_try = patience.is_try()};
  house_->server().think(
      [&](Member& brain, Instant at) { brain.release(session_, ticket, at, how); });
}

void Resident::stay(Ticket ticket) {
  const auto place = leaving_.find(ticket);
  if (place == leaving_.end()) return;
  for (Leaver& leaver : place->second) leaver.is_cancelled = true;
  house_->server().think([&](Member& brain, Instant at) { brain.stay(session_, ticket, at); });
}

// ---- on the house's thread: lending

bool Resident::lend(Ticket ticket) {
  net::Server& server = house_->server();
  if (is_stopping_ || server.settings().member.keep <= Duration{}) return false;
  const auto held = held_.find(ticket);
  const auto lent = lent_.find(ticket);
  if (held == held_.end() && lent == lent_.end()) return false;
  const std::string name = held != held_.end() ? held->second->name : lent->second.name;
  Number last = 0;
  server.think(
      [&](Member& brain, Instant at) { last = brain.lend(session_, ticket, generosity_, at); });
  if (last == 0) return false;
  const auto loan = std::make_shared<Loan>(ticket, last - generosity_ + 1, last,
                                           server.brain()->good_until(session_, ticket));
  held_.erase(ticket);
  lent_[ticket] = {name, loan, {}, 0, now()};
  publish(name, loan);
  arm();
  return true;
}

void Resident::publish(const std::string& name, const std::shared_ptr<Loan>& loan) {
  // Not published, it is nobody's, and recalled when it has been idle for long enough.
  if (loans_mutex_.try_lock()) {
    const std::scoped_lock lock(std::adopt_lock, loans_mutex_);
    loans_[name] = loan;
  }
}

void Resident::withdraw(const std::string& name) {
  // If it cannot be now: nobody can take it, and the next one of the same name replaces it.
  if (loans_mutex_.try_lock()) {
    const std::scoped_lock lock(std::adopt_lock, loans_mutex_);
    loans_.erase(name);
  }
}

// Whether it was idle, and is ours alone now.
bool Resident::try_recall(Ticket ticket) {
  const auto place = lent_.find(ticket);
  if (!place->second.loan->recall()) return false;
  generosity_ = place->second.loan->is_used_up() ? std::min(kMost, generosity_ * kGrowth)
                                                 : std::max(kFewest, generosity_ / kGrowth);
  withdraw(place->second.name);
  lent_.erase(place);
  return true;
}

std::optional<Number> Resident::recall(member::RequestId request) {
  const auto place = lent_.find(request);
  if (place == lent_.end()) return 0;
  const auto loan = place->second.loan;
  return try_recall(request) ? std::nullopt : std::optional(loan->token());
}

void Resident::arm() {
  if (is_armed_ || is_closed_ || (held_.empty() && lent_.empty())) return;
  is_armed_ = true;
  timer_.expires_after(nanoseconds(house_->server().settings().member.heartbeat.ns));
  timer_.async_wait([weak = weak_from_this()](boost::system::error_code error) {
    const auto self = weak.lock();
    if (!self || error) return;
    self->is_armed_ = false;
    self->look_after();
    self->arm();
  });
}

// What is held is good for longer now; while the member stops, it is not to be.
void Resident::look_after() {
  const Member* const brain = house_->server().brain();
  if (brain == nullptr || is_closed_) return;
  close_if_stopping();
  if (is_stopping_) return;
  for (const auto& [ticket, held] : held_)
    held->until_ns = std::max(held->until_ns.load(), brain->good_until(session_, ticket).ns);
  for (const auto& [ticket, lent] : lent_) lent.loan->extend(brain->good_until(session_, ticket));
  leave_idle_loans();
}

void Resident::leave_idle_loans() {
  const Duration keep = house_->server().settings().member.keep;
  std::vector<Ticket> idle;
  for (auto& [ticket, lent] : lent_) {
    if (const Number token = lent.loan->token(); token != lent.seen) {
      lent.seen = token;
      lent.seen_at = now();
    }
    if (is_stopping_ || lent.seen_at + keep <= now()) idle.push_back(ticket);
  }
  for (const Ticket ticket : idle) {
    if (!try_recall(ticket)) continue;
    house_->server().think([&](Member& brain, Instant at) { brain.release(session_, ticket, at); });
  }
}

// ---- on the house's thread: its end

void Resident::lose(const std::shared_ptr<Held>& held, const std::string& why) {
  held->lose(why);
  later([held] { held->tell(); });
}

void Resident::lose_all(const std::string& why) {
  for (const auto& [ticket, held] : held_) lose(held, why);
  for (const auto& [ticket, lent] : lent_) {
    if (const auto watcher = lent.watcher.lock(); watcher && !watcher->is_over) lose(watcher, why);
  }
}

void Resident::later(std::function<void()> task) { asio::post(house_->io(), std::move(task)); }

void Resident::close(const std::string& why) {
  if (std::exchange(is_closed_, true)) return;
  why_closed_ = why;
  timer_.cancel();
  house_->leave(*this);
  house_->server().dismiss(session_);
  for (auto& [ticket, waiter] : std::exchange(waiters_, {}))
    later([done = waiter.done, why] { done(Refusal{Reason::cancelled, why}); });
  for (auto& [ticket, answer] : std::exchange(questions_, {}))
    later([answer = answer, why] { answer(Refusal{Reason::cancelled, why}); });
  for (auto& [ticket, errand] : std::exchange(errands_, {}))
    later([done = errand.done, why] { done(Refusal{Reason::cancelled, why}); });
  lose_all(why);
  for (const auto& [ticket, held] : std::exchange(held_, {})) held->is_over = true;
  for (const auto& [ticket, lent] : std::exchange(lent_, {})) {
    static_cast<void>(lent.loan->recall());
    lent.loan->end(now());
  }
  const auto leaving = std::exchange(leaving_, {});
  for (const auto& [ticket, leavers] : leaving) {
    for (const Leaver& leaver : leavers) later([done = leaver.done] { done({}); });
  }
}

// Who holds something may finish, but not renew it.
void Resident::close_if_stopping() {
  if (!is_stopping_ || is_closed_) return;
  leave_idle_loans();
  const Instant at = now();
  const auto ends = [&](const auto& until) { return until <= at; };
  const bool is_over =
      std::all_of(held_.begin(), held_.end(),
                  [&](const auto& item) { return ends(Instant{item.second->until_ns}); }) &&
      std::all_of(lent_.begin(), lent_.end(),
                  [&](const auto& item) { return ends(item.second.loan->until()); });
  if (is_over) close("its member has stopped");
}

// ---- what the brain says

void Resident::hear(const member::Event& event) {
  std::visit([this](const auto& what) { on(what); }, event);
}

void Resident::on(const member::Granted& granted) {
  const auto place = waiters_.find(granted.request);
  if (place == waiters_.end()) return;
  const Grant grant{granted.group, granted.token,
                    house_->server().brain()->good_until(session_, granted.request)};
  const auto held =
      std::make_shared<Held>(granted.request, place->second.request, grant, weak_from_this());
  held_[granted.request] = held;
  arm();
  later([done = std::move(place->second.done), held] { done(Hold(held)); });
  waiters_.erase(place);
}

void Resident::on(const member::Refused& refused) {
  const auto place = waiters_.find(refused.request);
  const Refusal refusal{session::reason_of(refused.why), refused.text};
  if (finish_errand(refused.request, refusal)) return;
  if (refused.why == member::Refusal::must_stay) return stays(refused.request, refusal);
  if (place == waiters_.end()) return finish(refused.request);
  later([done = std::move(place->second.done), refusal] { done(refusal); });
  waiters_.erase(place);
}

void Resident::on(const member::Lost& lost) {
  const std::string why = session::kLostQuorum;
  if (const auto held = held_.find(lost.request); held != held_.end()) {
    lose(held->second, why);
    held->second->is_over = true;
  }
  if (const auto lent = lent_.find(lost.request); lent != lent_.end()) {
    lent->second.loan->end(now());
    const auto watcher = lent->second.watcher.lock();
    const bool was_idle = lent->second.loan->recall();
    if (!was_idle && watcher && !watcher->is_over) lose(watcher, why);
    withdraw(lent->second.name);
    lent_.erase(lent);
  }
  finish(lost.request);
}

void Resident::on(const member::Left& left) {
  if (!finish_errand(left.request, LastingHold{})) finish(left.request);
}

// It is inside no more.
void Resident::finish(Ticket ticket) {
  if (const auto held = held_.find(ticket); held != held_.end()) {
    held->second->is_over = true;
    held_.erase(held);
  }
  lent_.erase(ticket);
  if (is_stopping_) later([self = shared_from_this()] { self->close_if_stopping(); });
  const auto waiting = leaving_.find(ticket);
  if (waiting == leaving_.end()) return;
  for (const Leaver& leaver : waiting->second) later([done = leaver.done] { done({}); });
  leaving_.erase(waiting);
}

void Resident::stays(Ticket ticket, const Refusal& refusal) {
  const auto waiting = leaving_.find(ticket);
  if (waiting == leaving_.end()) return;
  for (const Leaver& leaver : waiting->second)
    later([done = leaver.done, told = refusal_of(leaver, refusal)] { done(told); });
  leaving_.erase(waiting);
}

void Resident::on(const member::Ended& /*ended*/) {
  later([self = shared_from_this()] { self->close("its member has stopped"); });
}

void Resident::on(const member::Stopping& /*stopping*/) {
  is_stopping_ = true;
  lose_all("its member is stopping");
  later([self = shared_from_this()] { self->close_if_stopping(); });
}

void Resident::on(const member::Shown& shown) {
  const auto place = questions_.find(shown.request);
  if (place == questions_.end()) return;
  wire::Event event;
  net::encode(shown, house_->server().settings().member.names, event);
  later([answer = std::move(place->second), event] { answer(event); });
  questions_.erase(place);
}

}  // namespace coterie::client
