// A member in this process: its server, and the one thread on which everything of it happens.
#pragma once

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <unordered_set>

#include "coterie/client.h"
#include "net/server.h"
#include "net/settings.h"

namespace coterie::client {

class Resident;

class House : public std::enable_shared_from_this<House> {
 public:
  static Outcome<std::shared_ptr<House>> make(net::Settings settings, bool is_new,
                                              const std::string& log);
  House();
  House(const House&) = delete;
  House& operator=(const House&) = delete;

  // Does it on the house's thread, later. False if that does nothing any more.
  bool post(std::function<void()> task);
  bool is_own_thread() const { return std::this_thread::get_id() == thread_.get_id(); }
  // Waits for the end, unless it is called on the house's own thread.
  // REQUIRES: called before the last reference is gone.
  void stop();
  const std::string& name() const { return server_->settings().name(); }
  std::uint16_t port() const { return port_; }

  // ---- on its own thread

  boost::asio::io_context& io() { return io_; }
  net::Server& server() { return *server_; }
  void enter(Resident& resident) { residents_.insert(&resident); }
  void leave(Resident& resident) { residents_.erase(&resident); }

 private:
  void run();
  void end(const std::string& why);

  boost::asio::io_context io_{1};
  boost::asio::executor_work_guard<boost::asio::io_context::executor_type> work_;
  std::unique_ptr<net::Server> server_;
  std::uint16_t port_ = 0;
  std::unordered_set<Resident*> residents_;
  std::mutex mutex_;          // of this one
  bool is_finished_ = false;  // the thread does nothing any more
  std::thread thread_;
};

}  // namespace coterie::client
