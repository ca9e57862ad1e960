// Who sees all of a run: brings the processes together, is told each of their steps, judges by the rule who is
// inside, and counts what they sent when all is quiet.
//
// A process waits until its step was seen, so the witness takes for inside who surely is: since it was told so,
// and until it is told that the process asks to leave. For floors, who is surely outside, the same way.
#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "net/channel.h"
#include "net/classic.h"
#include "net/classic_door.h"
#include "spec/rule.h"

namespace coterie::net {

class ClassicWitness {
 public:
  // Listens on loopback. REQUIRES: the plan outlives it.
  ClassicWitness(boost::asio::io_context& io, const ClassicPlan& plan);
  ~ClassicWitness();
  ClassicWitness(const ClassicWitness&) = delete;
  ClassicWitness& operator=(const ClassicWitness&) = delete;

  std::uint16_t port() const { return door_.port(); }
  // Calls `done` once: when all is served and quiet, when something is wrong, or after stop().
  void start(std::function<void()> done);
  // Counts what there is, and ends.
  void stop();
  // What is known; all of it when done.
  const ClassicReport& report() const { return report_; }

 private:
  struct Seen {  // a process
    std::shared_ptr<Channel> channel;
    std::uint16_t port = 0;
    bool is_ready = false;
    spec::Place place = spec::Place::outside;
    std::uint64_t served = 0;
    protocol::Groups groups;       // asked for; then the one that it is in
    bool is_out_of_place = false;  // of a floor, outside at the start: it comes in first
    std::optional<wire::Testimony::Counts> counts;  // of this round
  };

  bool admits(const wire::ClassicHello& hello, std::shared_ptr<Channel> channel);
  void on_testimony(NodeId process, const wire::Testimony& testimony);
  void on_ready(NodeId process);
  void on_moved(NodeId process, const wire::Testimony::Moved& moved);
  bool take(Seen& seen, const wire::Testimony::Moved& moved);
  void on_counts(NodeId process, const wire::Testimony::Counts& counts);
  void on_gone(NodeId process, const std::string& reason);

  void judge();
  bool is_settled() const;
  void count();
  void add_counts();
  void fail(const std::string& fault);
  void finish();
  void watch();
  void tell_all(const wire::Message& message) const;
  std::uint64_t wanted() const { return plan_.requesters * plan_.requests; }

  const ClassicPlan& plan_;
  std::optional<spec::Rule> at_most_;
  std::optional<spec::Rule> at_least_;
  ClassicDoor door_;
  boost::asio::steady_timer again_;  // to count
  boost::asio::steady_timer watch_;
  std::function<void()> done_;
  std::vector<Seen> seen_;
  std::size_t ready_ = 0;
  std::chrono::steady_clock::time_point began_;
  std::uint64_t steps_ = 0;                   // of all processes
  std::uint64_t steps_then_ = 0;              // when the watch last looked
  std::optional<std::uint64_t> sent_before_;  // by the last count
  bool is_counting_ = false;
  bool is_stopping_ = false;  // whatever is counted next is the end
  ClassicReport report_;
};

}  // namespace coterie::net
