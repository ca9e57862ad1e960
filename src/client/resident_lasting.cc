// What a resident does for owners.
#include "client/resident.h"

namespace coterie::client {

using member::Member;

void Resident::hold_for(member::Wish wish, const Patience& patience, Errand::Done done,
                        const std::stop_token& cancel) {
  if (!wish.is_try) wish.wait = wait_of(patience);
  const auto ask = [this, wish](Member& brain, Ticket ticket, Instant at) mutable {
    wish.request = ticket;
    brain.acquire(session_, wish, at);
  };
  const bool is_posted = house_->post([self = shared_from_this(), ask, owner = wish.owner, done,
                                       cancel] { self->run(owner, ask, done, cancel); });
  if (!is_posted) done(stopped());
}

void Resident::bury(member::Burial burial, const Patience& patience, Errand::Done done,
                    const std::stop_token& cancel) {
  burial.wait = wait_of(patience);
  const auto ask = [this, burial](Member& brain, Ticket ticket, Instant at) mutable {
    burial.request = ticket;
    brain.bury(session_, burial, at);
  };
  const bool is_posted = house_->post([self = shared_from_this(), ask, owner = burial.owner, done,
                                       cancel] { self->run(owner, ask, done, cancel); });
  if (!is_posted) done(stopped());
}

void Resident::change(member::Change change, Errand::Done done, const std::stop_token& cancel) {
  const auto ask = [this, change = std::move(change)](Member& brain, Ticket ticket,
                                                      Instant at) mutable {
    change.request = ticket;
    brain.change(session_, change, at);
  };
  const bool is_posted = house_->post(
      [self = shared_from_this(), ask, done, cancel] { self->run("", ask, done, cancel); });
  if (!is_posted) done(stopped());
}

void Resident::run(const std::string& owner, const Ask& ask, const Errand::Done& done,
                   const std::stop_token& cancel) {
  if (is_closed_) return done(Refusal{Reason::cancelled, why_closed_});
  const Ticket ticket = ++last_;
  errands_[ticket] = {owner, done, when_stopped(cancel, &Resident::give_up, ticket)};
  house_->server().think([&](Member& brain, Instant at) { ask(brain, ticket, at); });
}

bool Resident::finish_errand(Ticket ticket, const Outcome<LastingHold>& outcome) {
  const auto place = errands_.find(ticket);
  if (place == errands_.end()) return false;
  later([done = std::move(place->second.done), outcome] { done(outcome); });
  errands_.erase(place);
  return true;
}

void Resident::on(const member::Lasts& lasts) {
  const auto place = errands_.find(lasts.request);
  if (place == errands_.end()) return;
  finish_errand(lasts.request, LastingHold{place->second.owner, lasts.group, lasts.token});
}

}  // namespace coterie::client
