// The floor: the messages of an entry and a leaving, over the same sockets, and no logic at all. Who gets a
// message sends the next one, which was made beforehand; nobody decides, remembers or checks anything.
//
//   client → m1: acquire    m1 → arbiters: REQUEST    arbiters → m1: LOCK    m1 → client: granted
//   client → m1: release    m1 → arbiters: RELEASE                           m1 → client: left
//
// Of three members the quorum of the i-th entry is {i mod 3, i + 1 mod 3}, as it is of names; a member sends itself
// nothing. As a client of ours does, the floor's sends a release and the next acquire together.
#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "net/channel.h"

namespace coterie::bench {

class FloorNode {
 public:
  // Listens at its port, and connects to those of the others, which must be there soon.
  FloorNode(boost::asio::io_context& io, std::vector<std::uint16_t> ports, std::size_t self);

  // An entry and a leaving by a client that is here already.
  void enter(std::function<void()> done);
  void leave();
  bool is_ready() const;

 private:
  void accept();
  void connect(std::size_t peer);
  void on_message(const std::shared_ptr<net::Channel>& from, const wire::Message& message);
  void ask(const wire::Message& message);

  boost::asio::io_context& io_;
  std::vector<std::uint16_t> ports_;
  std::size_t self_;
  boost::asio::ip::tcp::acceptor acceptor_;
  std::vector<std::shared_ptr<net::Channel>> peers_;  // that we made
  std::vector<std::shared_ptr<net::Channel>> accepted_;
  wire::Message request_, lock_, release_, granted_, left_;
  std::size_t entry_ = 0;
  std::size_t missing_ = 0;  // LOCKs
  std::function<void()> done_;
};

// A child: never returns.
int run_floor(const std::vector<std::uint16_t>& ports, std::size_t self);

// Seconds for an entry and a leaving: by a client of the node at this port, and at that node itself.
double floor_through(std::uint16_t port, std::size_t times);
double floor_at(boost::asio::io_context& io, FloorNode& node, std::size_t times);

}  // namespace coterie::bench
