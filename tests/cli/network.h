// A network between real processes that can be cut and slowed down: each member has a door that others connect
// to, and what comes in there is passed on to it. Who connects is known by the hello.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <chrono>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace coterie::cli {

boost::asio::ip::tcp::endpoint endpoint_of(const std::string& address);  // host:port

class Network {
 public:
  // One door for each member.
  explicit Network(std::vector<std::string> names);
  ~Network();
  Network(const Network&) = delete;
  Network& operator=(const Network&) = delete;

  std::vector<std::string> doors() const;  // host:port
  // Nothing passes before it is told where the members listen.
  void lead_to(const std::vector<std::string>& addresses);

  // What one says does not reach the other: it waits on the way, and comes when the network heals, also if its sender
  // has closed the connection since.
  void cut(const std::string& from, const std::string& to);
  void part(const std::string& one, const std::string& other);  // both ways
  // Connections between the two break, and cannot be made again.
  void sever(const std::string& one, const std::string& other);
  // Connections break, and can be made again.
  void shake(const std::string& one, const std::string& other);
  void delay(std::chrono::milliseconds time);  // of everything
  // What one says reaches the other so much later.
  void slow(const std::string& from, const std::string& to, std::chrono::milliseconds time);
  void heal();  // all of these

 private:
  using Socket = boost::asio::ip::tcp::socket;
  using Way = std::pair<std::string, std::string>;  // from, to
  struct Passage;                                   // one connection
  template <class Result>
  using Awaitable = boost::asio::awaitable<Result>;

  Awaitable<void> keep_door(std::size_t member);
  Awaitable<void> pass(std::shared_ptr<Passage> passage);
  Awaitable<void> pump(std::shared_ptr<Passage> passage, bool is_forward);
  Awaitable<void> let_pass(const Way& way);        // returns when something may
  std::chrono::milliseconds rest(const Way& way);  // until it may pass; negative: ask again
  bool is_severed(const Way& way);
  void break_all(const std::string& one, const std::string& other);

  std::vector<std::string> names_;
  boost::asio::io_context io_;
  std::vector<boost::asio::ip::tcp::acceptor> acceptors_;

  std::mutex mutex_;  // of these
  std::vector<boost::asio::ip::tcp::endpoint> members_;
  std::set<Way> cuts_;
  std::set<Way> severed_;
  std::map<Way, std::chrono::milliseconds> slow_;
  std::chrono::milliseconds delay_{};
  std::vector<std::weak_ptr<Passage>> passages_;

  std::thread thread_;
};

}  // namespace coterie::cli
