// Where the processes of a run, and its witness, are found: a port of loopback that admits who knows the run's
// secret and says who it is.
#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <functional>
#include <memory>
#include <string>

#include "coterie/node_set.h"
#include "net/channel.h"

namespace coterie::net {

class ClassicDoor {
 public:
  struct Host {
    // The first that a guest says. False: it is sent away.
    std::function<bool(const wire::ClassicHello&, std::shared_ptr<Channel>)> admits;
    // What those who were admitted say then, and that they are gone.
    std::function<void(NodeId, const wire::Message&)> on_message;
    std::function<void(NodeId, const std::string& reason)> on_gone;
  };
  ClassicDoor(boost::asio::io_context& io, std::uint64_t secret);

  std::uint16_t port() const { return acceptor_.local_endpoint().port(); }
  // REQUIRES: called once; what the host refers to outlives the door and its guests.
  void open(Host host);
  void close();

  // Connects to the door at this port, and says who it is. Throws boost::system::system_error.
  std::shared_ptr<Channel> visit(std::uint16_t port, NodeId self) const;

 private:
  void accept();

  boost::asio::io_context& io_;
  std::uint64_t secret_;
  boost::asio::ip::tcp::acceptor acceptor_;
  std::shared_ptr<const Host> host_;
};

}  // namespace coterie::net
