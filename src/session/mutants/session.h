// Sessions that get one thing wrong. Torture must see each of them (sim/torture_mutants.cc).
#pragma once

#include <algorithm>
#include <utility>

#include "session/session.h"

namespace coterie::session::mutants {

class BelievesTwice : public Session {
 public:
  using Session::Session;

 protected:
  Instant believed(const api::Good& good, Instant now) const override {
    const Instant until = Session::believed(good, now);
    return until <= now ? until : now + (until - now) * 2;
  }
};

class BelievesBlindly : public Session {
 public:
  using Session::Session;

 protected:
  Instant believed(const api::Good& /*good*/, Instant /*now*/) const override {
    return Instant::never();
  }
};

class BelievesLate : public Session {
 public:
  using Session::Session;

 protected:
  Instant believed(const api::Good& good, Instant now) const override {
    const Instant until = Session::believed(good, now);
    return until <= now ? until : until + length_ / 4;
  }
};

// It counts such a grant from when it came.
class TakesLateGrants : public Session {
 public:
  using Session::Session;

 protected:
  Instant believed(const api::Good& good, Instant now) const override {
    const Instant until = Session::believed(good, now);
    return until > now ? until : now + good.lasts;
  }
};

class CountsFromArrival : public Session {
 public:
  using Session::Session;

 protected:
  Instant believed(const api::Good& good, Instant now) const override {
    return now + (Session::believed(good, now) > Instant{} ? good.lasts : Duration{});
  }
};

class RenewsByOldAnswers : public Session {
 public:
  using Session::Session;

 protected:
  Instant believed(const api::Good& good, Instant /*now*/) const override {
    return std::max(last_beat_, hello_at_) + good.lasts;
  }
};

class RenewsElsewhere : public Session {
 public:
  using Session::Session;

 protected:
  bool is_renewable(const Entry& entry) const override { return entry.is_inside(); }
};

class KeepsUnwanted : public Session {
 public:
  using Session::Session;

 protected:
  void let_go(Ticket ticket, bool is_quiet) override {
    if (!is_quiet) Session::let_go(ticket, is_quiet);
  }
};

class MovesLate : public Session {
 public:
  using Session::Session;

 protected:
  bool is_unbroken(const Entry& entry, const api::Granted& granted,
                   Instant /*now*/) const override {
    return granted.token == entry.wish.ticket->token;
  }
};

class MovesUnasked : public Session {
 public:
  using Session::Session;

 protected:
  void on_refused_move(Entry& entry) override { entry.session = number_; }
};

class ShowsOldTickets : public Session {
 public:
  using Session::Session;

 protected:
  void remember(Entry& entry, const api::Granted& granted) override {
    if (entry.wish.ticket && entry.wish.ticket->token == granted.token) return;
    Session::remember(entry, granted);
  }
};

class ShowsTicketsTwice : public Session {
 public:
  using Session::Session;

 protected:
  bool is_shown_elsewhere(const Entry& /*entry*/) const override { return false; }
};

// It goes on believing while it asks.
class ShowsOverTickets : public Session {
 public:
  using Session::Session;

 protected:
  void show_ticket(Ticket ticket, Entry& entry, Instant now) override {
    entry.end = std::max(entry.end, now + length_);
    out_.renewed(ticket, entry.end);
    Session::show_ticket(ticket, entry, now);
  }
};

class StaysUnsure : public Session {
 public:
  using Session::Session;

 protected:
  bool may_be_out(const Entry& /*entry*/) const override { return false; }
};

}  // namespace coterie::session::mutants
