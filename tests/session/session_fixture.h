// A session by hand: the test is the member, the network and the clock.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "session/session.h"

namespace coterie::session {

inline constexpr Duration kLength = Duration::milliseconds(3'000);
constexpr Instant at(std::int64_t ms) { return Instant{} + Duration::milliseconds(ms); }

// A call as a line of text.
struct Text {
  static std::string patience(Duration wait) {
    return wait > Duration{} ? " for " + std::to_string(wait.ns / 1'000'000) + " ms" : "";
  }
  std::string operator()(const api::Wish& call) const {
    std::string text = "ask " + std::to_string(call.request) + patience(call.wait);
    if (call.place > Time{})
      text += " in place " + std::to_string(static_cast<std::uint64_t>(call.place));
    if (call.ticket) text += " with a ticket of " + std::to_string(call.ticket->origin.incarnation);
    return text;
  }
  std::string operator()(const api::Release& call) const {
    const std::string gone = call.how.is_quiet ? "let go " : "leave ";
    return (call.how.is_abandonment ? gone : "ask out ") + std::to_string(call.request) +
           patience(call.how.wait) + (call.how.is_try ? " at once" : "");
  }
  std::string operator()(const api::Stay& call) const {
    return "stay " + std::to_string(call.request);
  }
  std::string operator()(const api::Confirm& call) const {
    return "confirm " + std::to_string(call.request);
  }
  std::string operator()(const api::Burial& call) const {
    return "bury " + std::to_string(call.request) + patience(call.wait);
  }
  std::string operator()(const api::KeepAlive& call) const {
    return "beat " + std::to_string(call.beat);
  }
  std::string operator()(const api::Change& call) const {
    return "change " + std::to_string(call.request);
  }
  std::string operator()(const api::Close& /*call*/) const { return "close"; }
  std::string operator()(const api::Show& /*call*/) const { return "question"; }
  std::string operator()(const api::Survey& /*call*/) const { return "question"; }
};

class SessionTest : public testing::Test, public Listener {
 protected:
  // What it said and told since the last look, a line each.
  std::vector<std::string> heard() { return std::exchange(heard_, {}); }

  void welcome(std::uint64_t id, Instant now, bool is_resumed = false) {
    api::Welcome welcome = welcome_of(id);
    welcome.is_resumed = is_resumed;
    session_->welcomed(welcome, now);
  }
  static api::Welcome welcome_of(std::uint64_t id) {
    api::Welcome welcome;
    welcome.session = id;
    welcome.length = kLength;
    welcome.drift = {0};
    welcome.member = "n1";
    return welcome;
  }
  // Connected at 0; its first beat has the number 1.
  void connect() {
    session_->hello(false, at(0));
    welcome(7, at(0));
  }
  Ticket ask(Instant now, Instant end = Instant::never(), bool is_try = false) {
    api::Wish wish;
    wish.name = "door";
    wish.is_try = is_try;
    return session_->acquire(wish, end, now);
  }
  void grant(Ticket ticket, std::uint64_t beat, std::int64_t lasts_ms, Instant now) {
    session_->receive(granted_of(ticket, beat, lasts_ms), now);
  }
  static api::Granted granted_of(Ticket ticket, std::uint64_t beat, std::int64_t lasts_ms) {
    api::Granted granted;
    granted.request = ticket;
    granted.token = 42;
    granted.good = {beat, Duration::milliseconds(lasts_ms)};
    return granted;
  }
  void refuse(Ticket ticket, api::Refusal why, Instant now) {
    session_->receive(api::Refused{ticket, why, ""}, now);
  }
  void keep(std::uint64_t beat, std::int64_t lasts_ms, Instant now) {
    session_->receive(api::Kept{{beat, Duration::milliseconds(lasts_ms)}, {}, {}}, now);
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
    api::Wish wish;
    wish.name = "web";
    wish.kind = {api::Type::band, 3, api::kNoMax};
    wish.groups = {"web-1"};
    const Ticket ticket = session_->acquire(wish, Instant::never(), at(0));
    grant(ticket, 1, 3'000, at(0));
    heard();
    return ticket;
  }
  void let_out(Ticket ticket, Instant now) { session_->receive(api::Left{ticket}, now); }

  // The same, with what it takes to move, from a member in its fourth life.
  Ticket connect_and_get_ticket(api::Type type = api::Type::mutex) {
    connect();
    api::Wish wish;
    wish.name = "door";
    wish.kind = {type};
    const Ticket ticket = session_->acquire(wish, Instant::never(), at(0));
    grant_from(4, ticket, 1, at(0));
    heard();
    return ticket;
  }
  void grant_from(std::uint64_t life, Ticket ticket, std::uint64_t beat, Instant now,
                  std::uint64_t token = 42) {
    api::Granted granted = granted_of(ticket, beat, 3'000);
    granted.token = token;
    granted.origin.incarnation = life;
    session_->receive(granted, now);
  }
  void stop_member(Instant now) { session_->receive(api::Stopping{}, now); }
  void go_elsewhere(Instant now, const std::string& member = "n1") {
    session_->disconnected();
    session_->hello(false, now);
    api::Welcome welcome = welcome_of(9);
    welcome.member = member;
    session_->welcomed(welcome, now);
  }

  void send(const api::Call& call) override { heard_.push_back(std::visit(Text{}, call)); }
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
  void tell(const std::string& what, Ticket ticket, const std::string& more) {
    heard_.push_back(what + ' ' + std::to_string(ticket) + more);
  }
  static std::string refused_as(Ticket ticket, Reason reason) {
    return "refused " + std::to_string(ticket) + ' ' + std::to_string(static_cast<int>(reason));
  }

  std::unique_ptr<Session> session_ = std::make_unique<Session>("tester", *this);
  std::vector<std::string> heard_;
  bool has_elsewhere_ = true;
};

}  // namespace coterie::session
