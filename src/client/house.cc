#include "client/house.h"

#include <boost/asio/post.hpp>
#include <chrono>
#include <utility>

#include "client/resident.h"
#include "net/log.h"

namespace coterie::client {

namespace asio = boost::asio;

House::House() : work_(io_.get_executor()) {}

Outcome<std::shared_ptr<House>> House::make(net::Settings settings, bool is_new,
                                            const std::string& log) {
  auto house = std::make_shared<House>();
  const std::string name = settings.name();
  auto server = net::Server::make(house->io_, std::move(settings), {.is_new = is_new},
                                  net::make_log(name, log));
  if (!server) return Refusal{Reason::invalid, server.error().message};
  house->server_ = *std::move(server);
  house->port_ = house->server_->port();
  house->run();
  return house;
}

void House::run() {
  server_->on_failure([this](const std::string& why) { end("its member failed: " + why); });
  asio::post(io_, [this] { server_->start(); });
  thread_ = std::thread([this, self = shared_from_this()] {
    io_.run();
    constexpr auto kLongest = std::chrono::milliseconds(500);  // to write what was said last
    io_.restart();
    io_.run_for(kLongest);
    {
      const std::scoped_lock lock(mutex_);
      is_finished_ = true;
    }
    io_.restart();
    io_.poll();  // what was posted before
  });
}

bool House::post(std::function<void()> task) {
  const std::scoped_lock lock(mutex_);
  if (is_finished_) return false;
  asio::post(io_, std::move(task));
  return true;
}

void House::stop() {
  if (!thread_.joinable()) return;
  post([this] { server_->stop([this] { end("its member has stopped"); }); });
  is_own_thread() ? thread_.detach() : thread_.join();
}

void House::end(const std::string& why) {
  const auto residents = residents_;
  for (Resident* const resident : residents) resident->close(why);
  work_.reset();
  io_.stop();
}

}  // namespace coterie::client
