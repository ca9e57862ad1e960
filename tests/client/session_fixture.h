// A session by hand: the test is the member, the network and the clock.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "client/session.h"

namespace coterie::client {

inline constexpr Duration kLength = Duration::milliseconds(3'000);
constexpr Instant at(std::int64_t ms) { return Instant{} + Duration::milliseconds(ms); }

class SessionTest : public testing::Test, public Listener {
 protected:
  // What it said and told since the last look, a line each.
  std::vector<std::string> heard() { return std::exchange(heard_, {}); }

  void welcome(std::uint64_t id, Instant now, bool is_resumed = false) {
    wire::Welcome welcome = welcome_of(id);
    welcome.set_is_resumed(is_resumed);
    session_.welcomed(welcome, now);
  }
  static wire::Welcome welcome_of(std::uint64_t id) {
    wire::Welcome welcome;
    welcome.set_session(id);
    welcome.set_session_ns(static_cast<std::uint64_t>(kLength.ns));
    welcome.set_drift_ppm(0);
    welcome.set_member("n1");
    return welcome;
  }
  // Connected at 0; its first beat has the number 1.
  void connect() {
    session_.hello(false, at(0));
    welcome(7, at(0));
  }
  Ticket ask(Instant now, Instant end = Instant::never(), bool is_try = false) {
    member::Wish wish;
    wish.name = "door";
    wish.is_try = is_try;
    return session_.acquire(wish, end, now);
  }
  void grant(Ticket ticket, std::uint64_t beat, std::int64_t lasts_ms, Instant now) {
    wire::Event event;
    *event.mutable_granted() = granted_of(ticket, beat, lasts_ms);
    session_.receive(event, now);
  }
  static wire::Granted granted_of(Ticket ticket, std::uint64_t beat, std::int64_t lasts_ms) {
    wire::Granted granted;
    granted.set_request(ticket);
    granted.set_token(42);
    granted.mutable_good()->set_beat(beat);
    granted.mutable_good()->set_lasts_ns(static_cast<std::uint64_t>(lasts_ms) * 1'000'000);
    return granted;
  }
  void refuse(Ticket ticket, wire::Refusal why, Instant now) {
    wire::Event event;
    event.mutable_refused()->set_request(ticket);
    event.mutable_refused()->set_why(why);
    session_.receive(event, now);
  }
  void keep(std::uint64_t beat, std::int64_t lasts_ms, Instant now) {
    wire::Event event;
    event.mutable_kept()->mutable_good()->set_beat(beat);
    event.mutable_kept()->mutable_good()->set_lasts_ns(static_cast<std::uint64_t>(lasts_ms) *
                                                       1'000'000);
    session_.receive(event, now);
  }
  // Connected, and inside since 0 until 3000.
  Ticket connect_and_enter() {
    connect();
    const Ticket ticket = ask(at(0));
    grant(ticket, 1, 3'000, at(0));
    heard();
    return ticket;
  }

  // In a band, since 0 until 3000.
  Ticket connect_and_join() {
    connect();
    member::Wish wish;
    wish.name = "web";
    wish.kind = {member::Type::band, 3, member::kNoMax};
    wish.groups = {"web-1"};
    const Ticket ticket = session_.acquire(wish, Instant::never(), at(0));
    grant(ticket, 1, 3'000, at(0));
    heard();
    return ticket;
  }
  void let_out(Ticket ticket, Instant now) {
    wire::Event event;
    event.mutable_left()->set_request(ticket);
    session_.receive(event, now);
  }

  // The same, with what it takes to move, from a member in its fourth life.
  Ticket connect_and_get_ticket(member::Type type = member::Type::mutex) {
    connect();
    member::Wish wish;
    wish.name = "door";
    wish.kind = {type};
    const Ticket ticket = session_.acquire(wish, Instant::never(), at(0));
    grant_from(4, ticket, 1, at(0));
    heard();
    return ticket;
  }
  void grant_from(std::uint64_t life, Ticket ticket, std::uint64_t beat, Instant now,
                  std::uint64_t token = 42) {
    wire::Event event;
    *event.mutable_granted() = granted_of(ticket, beat, 3'000);
    event.mutable_granted()->set_token(token);
    event.mutable_granted()->mutable_origin()->set_incarnation(life);
    session_.receive(event, now);
  }
  void stop_member(Instant now) {
    wire::Event event;
    event.mutable_stopping();
    session_.receive(event, now);
  }
  void go_elsewhere(Instant now) {
    session_.disconnected();
    session_.hello(false, now);
    welcome(9, now);
  }

  void send(const wire::Message& message) override {
    const wire::Call& call = message.call();
    if (call.has_acquire()) {
      std::string text = "ask " + std::to_string(call.acquire().request());
      if (call.acquire().wait_ns() > 0)
        text += " for " + std::to_string(call.acquire().wait_ns() / 1'000'000) + " ms";
      if (call.acquire().place() > 0) text += " in place " + std::to_string(call.acquire().place());
      if (call.acquire().has_ticket())
        text +=
            " with a ticket of " + std::to_string(call.acquire().ticket().origin().incarnation());
      heard_.push_back(text);
    } else if (call.has_release()) {
      const bool is_asked = !call.release().is_abandonment();
      const std::string gone = call.release().is_quiet() ? "let go " : "leave ";
      std::string text = (is_asked ? "ask out " : gone) + std::to_string(call.release().request());
      if (call.release().wait_ns() > 0)
        text += " for " + std::to_string(call.release().wait_ns() / 1'000'000) + " ms";
      heard_.push_back(text + (call.release().is_try() ? " at once" : ""));
    } else if (call.has_stay()) {
      heard_.push_back("stay " + std::to_string(call.stay().request()));
    } else if (call.has_bury()) {
      heard_.push_back("bury " + std::to_string(call.bury().request()));
    } else if (call.has_keep_alive()) {
      heard_.push_back("beat " + std::to_string(call.keep_alive().beat()));
    } else if (call.has_close()) {
      heard_.emplace_back("close");
    } else {
      heard_.emplace_back("question");
    }
  }
  void part() override { heard_.emplace_back("part"); }
  bool move_on() override {
    if (has_elsewhere_) heard_.emplace_back("move on");
    return has_elsewhere_;
  }
  void close_former() override { heard_.emplace_back("close former"); }
  void granted(Ticket ticket, const Grant& grant) override {
    tell("granted", ticket, " until " + std::to_string(grant.until.ns / 1'000'000));
  }
  void refused(Ticket ticket, const Refusal& refusal) override {
    tell("refused", ticket, " " + std::to_string(static_cast<int>(refusal.reason)));
  }
  void renewed(Ticket ticket, Instant until) override {
    tell("renewed", ticket, " until " + std::to_string(until.ns / 1'000'000));
  }
  void lost(Ticket ticket, const std::string& /*why*/) override { tell("lost", ticket, ""); }
  void left(Ticket ticket) override { tell("left", ticket, ""); }
  void stays(Ticket ticket, const Refusal& /*refusal*/) override { tell("stays", ticket, ""); }
  void lasts(Ticket ticket, const Grant& grant) override {
    tell("lasts", ticket, " " + std::to_string(grant.token));
  }
  void answered(Ticket ticket, const wire::Event& /*event*/) override {
    tell("answered", ticket, "");
  }
  void tell(const std::string& what, Ticket ticket, const std::string& more) {
    heard_.push_back(what + ' ' + std::to_string(ticket) + more);
  }
  static std::string refused_as(Ticket ticket, Reason reason) {
    return "refused " + std::to_string(ticket) + ' ' + std::to_string(static_cast<int>(reason));
  }

  Session session_{"tester", *this};
  std::vector<std::string> heard_;
  bool has_elsewhere_ = true;
};

}  // namespace coterie::client
