// A session (session.h) on real connections and a real clock, with a thread of its own. Everything of it
// happens on that thread; public functions may be called on any, and hand over.
#pragma once

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ssl/context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <functional>
#include <future>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <unordered_map>
#include <vector>

#include "client/held.h"
#include "client/keeper.h"
#include "coterie/client.h"
#include "net/alarm.h"
#include "net/channel.h"
#include "net/dial.h"
#include "net/settings.h"
#include "session/road.h"
#include "session/session.h"

namespace coterie::client {

class Engine final : public Keeper,
                     public std::enable_shared_from_this<Engine>,
                     private session::Listener {
 public:
  // Found a member, or none in the time that the options give.
  static Outcome<std::shared_ptr<Engine>> make(const Options& options);
  Engine(const Options& options, std::vector<net::Address> addresses,
         std::optional<boost::asio::ssl::context> tls);
  ~Engine() override;
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;

  void acquire(Request request, Client::Done done, const std::stop_token& cancel) override;
  void release(Ticket ticket, const Patience& patience, Hold::Left done,
               const std::stop_token& cancel) override;
  void abandon(Ticket ticket) override;
  void hold_for(member::Wish wish, const Patience& patience, Errand::Done done,
                const std::stop_token& cancel) override;
  void bury(member::Burial burial, const Patience& patience, Errand::Done done,
            const std::stop_token& cancel) override;
  void change(member::Change change, Errand::Done done, const std::stop_token& cancel) override;
  void show(std::string name, Answer answer) override;
  void survey(std::string after, Answer answer) override;
  std::string member() const override;
  const std::string& label() const override { return label_; }
  bool is_own_thread() const override { return std::this_thread::get_id() == thread_.get_id(); }
  // Leaves everything, and ends the thread.
  void stop() override;

 private:
  void run(std::promise<Outcome<void>> first);
  void finish();
  void post(std::function<void()> task);
  static Instant now();
  static Instant from_now(std::chrono::nanoseconds time);
  // Every input to the session is followed by this.
  void arm();
  // Does it on the engine's thread when the token is stopped.
  Cancel when_stopped(const std::stop_token& cancel, std::function<void()> task);
  Instant end_of(const Patience& patience) const;
  void wait_for(Ticket ticket, std::string owner, const Errand::Done& done,
                const std::stop_token& cancel);
  void finish_leaving(Ticket ticket, const Outcome<void>& outcome);
  void close();
  void refuse_all();

  // The way to a member: engine_road.cc
  void seek();
  void dial(bool is_same_member);
  void greet(net::Socket socket, bool is_same_member);
  void on_message(std::uint64_t attempt, const wire::Message& message);
  void on_welcome(const wire::Hello& hello);
  void on_event(const wire::Event& event);
  void on_close(std::uint64_t attempt, const std::string& reason);
  void fail(const std::string& trouble);
  void seek_after(std::chrono::milliseconds pause);
  void give_up_if_first();
  std::chrono::milliseconds longest_attempt() const;
  std::string troubles() const;
  void drop_channel();
  void lose_channel();

  // The session's outputs
  void send(const api::Call& call) override;
  void part() override;
  bool move_on() override;
  void close_former() override;
  void granted(Ticket ticket, const Grant& grant) override;
  void refused(Ticket ticket, const Refusal& refusal) override;
  void renewed(Ticket ticket, Instant until) override;
  void lost(Ticket ticket, const std::string& why) override;
  void left(Ticket ticket) override;
  void stays(Ticket ticket, const Refusal& refusal) override;
  void lasts(Ticket ticket, const Grant& grant) override;
  void answer(Ticket question, const wire::Event& event);

  const std::string label_;
  const std::chrono::milliseconds timeout_;
  const std::vector<net::Address> addresses_;
  boost::asio::io_context io_;
  boost::asio::executor_work_guard<boost::asio::io_context::executor_type> work_;
  std::optional<boost::asio::ssl::context> tls_;
  net::Alarm tick_;
  net::Alarm first_limit_;
  boost::asio::steady_timer pause_;  // before looking again, or until a hello is answered
  Instant armed_ = Instant::never();
  session::Session session_;
  std::unordered_map<Ticket, Waiter> waiters_;
  std::unordered_map<Ticket, std::shared_ptr<Held>> held_;
  std::unordered_map<Ticket, Leaver> leaving_;
  std::unordered_map<Ticket, Errand> errands_;
  std::unordered_map<Ticket, Answer> questions_;

  session::Road road_;         // of the addresses
  std::uint64_t attempt_ = 0;  // so that what comes late from an earlier one is not heard
  std::shared_ptr<net::Dial> dial_;
  std::shared_ptr<net::Channel> channel_;
  std::shared_ptr<net::Channel> former_;  // to a member that stops, until all has moved
  bool is_welcome_ = false;
  std::vector<std::string> troubles_;                 // by address
  std::optional<std::promise<Outcome<void>>> first_;  // until a member is found, or none
  Instant first_end_;
  bool is_closing_ = false;

  mutable std::mutex mutex_;  // of these two
  std::string member_;
  bool is_finished_ = false;  // the thread runs no more tasks

  std::thread thread_;
};

}  // namespace coterie::client
