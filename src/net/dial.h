// Makes a connection to an address, with or without TLS.
#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/ssl/context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "net/channel.h"
#include "net/settings.h"

namespace coterie::net {

class Dial : public std::enable_shared_from_this<Dial> {
 public:
  struct Answer {
    std::optional<Socket> socket;  // none: there was trouble
    std::string trouble = {};      // for people
    bool is_refused = false;       // the machine is there, and nobody listens
  };
  using Done = std::function<void(Answer)>;

  // What a certificate must show, besides being signed by the authority.
  enum class Shows : std::uint8_t {
    host,  // that it is for the address
    name,  // that it is a member's: the caller looks, by flaw_of()
  };
  // `tls` may be null, and must otherwise outlive it.
  Dial(boost::asio::io_context& io, boost::asio::ssl::context* tls, Shows shows);
  // REQUIRES: called once. `done` is called once, unless it is cancelled.
  void start(const Address& address, std::chrono::milliseconds at_most, Done done);
  void cancel();

 private:
  // To the first of these that takes it. `trouble` is what the last one before them said.
  void connect(std::vector<boost::asio::ip::tcp::endpoint> found, std::size_t at,
               const boost::system::error_code& trouble);
  void shake_hands();
  void fail(const std::string& trouble, bool is_refused = false);
  void finish(Answer answer);
  Plain& plain();

  boost::asio::ip::tcp::resolver resolver_;
  boost::asio::steady_timer timer_;
  std::optional<Socket> socket_;
  Shows shows_;
  Address address_;
  Done done_;
};

}  // namespace coterie::net
