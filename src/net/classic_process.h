// One process of a run: the algorithm, its user, and its connections to the others and to the witness.
//
// The witness sees less than there is, never more: a process waits until it has been seen inside before it
// leaves, and says that it leaves before it does.
#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/random.h"
#include "net/channel.h"
#include "net/classic.h"
#include "net/classic_door.h"
#include "spec/rule.h"

namespace coterie::net {

class ClassicProcess final : private protocol::Sink {
 public:
  // REQUIRES: the plan outlives it.
  ClassicProcess(boost::asio::io_context& io, const ClassicPlan& plan, NodeId self);
  ~ClassicProcess() override;
  ClassicProcess(const ClassicProcess&) = delete;
  ClassicProcess& operator=(const ClassicProcess&) = delete;

  // Takes part until the witness, who listens there, ends the run or is gone. Throws
  // boost::system::system_error if there is nobody.
  void start(std::uint16_t witness);

 private:
  // Connections.
  void on_cue(const wire::Cue& cue);
  void meet(const wire::Cue::Ports& ports);
  bool admits(const wire::ClassicHello& hello, std::shared_ptr<Channel> channel);
  void add_peer(NodeId peer, std::shared_ptr<Channel> channel);
  void on_peer(NodeId peer, const wire::Message& message);
  void on_lost_peer(NodeId peer, const std::string& reason);
  void end();

  // The user.
  void go_on();
  void pause(std::chrono::nanoseconds mean, std::function<void()> then);
  void ask_to_enter();
  void ask_to_leave();
  void tell(wire::Testimony::Step step, const protocol::Groups& groups, std::function<void()> then);
  void send_counts() const;
  void complain(const std::string& trouble) const;

  // Sink.
  void send(NodeId to, std::string_view message, const protocol::Label& label) override;
  void entered(protocol::Group group) override;
  void exited() override;
  void set_alarm() override;
  void deliver(NodeId from, std::string_view message);

  boost::asio::io_context& io_;
  const ClassicPlan& plan_;
  const NodeId self_;
  std::unique_ptr<protocol::Process> process_;
  Random random_;
  ClassicDoor door_;
  boost::asio::steady_timer pause_;
  boost::asio::steady_timer alarm_;
  std::shared_ptr<Channel> witness_;
  std::vector<std::shared_ptr<Channel>> peers_;
  std::size_t met_ = 0;
  bool is_over_ = false;

  spec::Place place_;
  std::uint64_t left_;          // requests
  std::function<void()> then_;  // when the witness has seen the last step
  std::vector<ClassicReport::Type> types_;
  std::uint64_t to_itself_ = 0;
  std::uint64_t received_ = 0;
};

}  // namespace coterie::net
