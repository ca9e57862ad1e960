// A client in the same process as its member. What it asks goes to the thread that owns the brain, and no
// further; what it has left, and nobody else wants, its threads enter again by a loan (loan.h).
#pragma once

#include <boost/asio/steady_timer.hpp>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "client/held.h"
#include "client/house.h"
#include "client/keeper.h"
#include "client/loan.h"
#include "net/server.h"

namespace coterie::client {

class Resident final : public Keeper,
                       public std::enable_shared_from_this<Resident>,
                       private net::Resident {
 public:
  static Outcome<std::shared_ptr<Resident>> make(std::shared_ptr<House> house, std::string label);
  Resident(std::shared_ptr<House> house, std::string label);

  std::optional<Hold> take(const Request& request) override;
  void acquire(Request request, Client::Done done, const std::stop_token& cancel) override;
  void release(Ticket ticket, const Patience& patience, Hold::Left done,
               const std::stop_token& cancel) override;
  void abandon(Ticket ticket) override;
  void hold_for(member::Wish wish, const Patience& patience, Errand::Done done,
                const std::stop_token& cancel) override;
  void bury(member::Burial burial, const Patience& patience, Errand::Done done,
            const std::stop_token& cancel) override;
  void change(member::Change change, Errand::Done done, const std::stop_token& cancel) override;
  void watch(const std::shared_ptr<Held>& held) override;
  void show(std::string name, Answer answer) override;
  void survey(std::string after, Answer answer) override;
  std::string member() const override { return house_->name(); }
  const std::string& label() const override { return label_; }
  bool is_own_thread() const override { return house_->is_own_thread(); }
  void stop() override;

  // Of the house, on its thread: nothing is held or asked any more.
  void close(const std::string& why);

 private:
  struct Lent {
    std::string name;
    std::shared_ptr<Loan> loan;
    std::weak_ptr<Held> watcher;  // the last user who wants to know of a loss
    member::Number seen = 0;      // the token that was used last, and when that was seen first
    Instant seen_at;
  };

  std::optional<Hold> take(const Request& request, std::unique_lock<std::mutex> lock);

  // ---- on the house's thread
  void ask(Request request, Client::Done done, const std::stop_token& cancel);
  void give_up(Ticket ticket);
  void leave(Ticket ticket, const Patience& patience, Hold::Left done,
             const std::stop_token& cancel);
  void stay(Ticket ticket);
  // Asks the brain for it.
  using Ask = std::function<void(member::Member& brain, Ticket ticket, Instant at)>;
  void run(const std::string& owner, const Ask& ask, const Errand::Done& done,
           const std::stop_token& cancel);
  bool finish_errand(Ticket ticket, const Outcome<LastingHold>& outcome);
  bool lend(Ticket ticket);
  void publish(const std::string& name, const std::shared_ptr<Loan>& loan);
  void withdraw(const std::string& name);
  bool try_recall(Ticket ticket);
  void arm();
  void look_after();
  void leave_idle_loans();
  void close_if_stopping();
  void lose(const std::shared_ptr<Held>& held, const std::string& why);
  void lose_all(const std::string& why);
  void finish(Ticket ticket);
  void stays(Ticket ticket, const Refusal& refusal);
  // Does it on the house's thread when the token is stopped.
  Cancel when_stopped(const std::stop_token& cancel, void (Resident::*task)(Ticket), Ticket ticket);
  // After the step of the brain that it comes from.
  void later(std::function<void()> task);

  // What the brain says
  void hear(const member::Event& event) override;
  std::optional<member::Number> recall(member::RequestId request) override;
  void on(const member::Granted& granted);
  void on(const member::Refused& refused);
  void on(const member::Lost& lost);
  void on(const member::Left& left);
  void on(const member::Lasts& lasts);
  void on(const member::Kept& /*kept*/) {}
  void on(const member::Ended& ended);
  void on(const member::Stopping& stopping);
  void on(const member::Shown& shown);

  static Instant now();
  static Refusal stopped();

  const std::shared_ptr<House> house_;
  const std::string label_;
  boost::asio::steady_timer timer_;
  bool is_armed_ = false;
  member::SessionId session_ = 0;
  Ticket last_ = 0;
  std::unordered_map<Ticket, Waiter> waiters_;
  std::unordered_map<Ticket, std::shared_ptr<Held>> held_;
  std::unordered_map<Ticket, Lent> lent_;
  std::unordered_map<Ticket, std::vector<Leaver>> leaving_;
  std::unordered_map<Ticket, Errand> errands_;
  std::unordered_map<Ticket, Answer> questions_;
  member::Number generosity_;  // tokens of the next loan
  bool is_stopping_ = false;
  bool is_closed_ = false;
  std::string why_closed_;

  // The brain's thread never waits for it: what it cannot publish it does not lend.
  std::mutex loans_mutex_;
  std::unordered_map<std::string, std::shared_ptr<Loan>> loans_;  // by name; some are over
};

}  // namespace coterie::client
