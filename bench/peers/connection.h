// A connection on loopback that blocks, and a buffer to read lines and bytes from.
#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/read_until.hpp>
#include <boost/asio/write.hpp>
#include <cstdint>
#include <string>
#include <string_view>

namespace coterie::bench {

class Connection {
 public:
  explicit Connection(std::uint16_t port) : socket_(io_) {
    using boost::asio::ip::tcp;
    socket_.connect(tcp::endpoint(boost::asio::ip::address_v4::loopback(), port));
    socket_.set_option(tcp::no_delay(true));
  }
  void write(std::string_view text) { boost::asio::write(socket_, boost::asio::buffer(text)); }
  // Without its end.
  std::string line() {
    const std::size_t size =
        boost::asio::read_until(socket_, boost::asio::dynamic_buffer(in_), "\r\n");
    std::string line = in_.substr(0, size - 2);
    in_.erase(0, size);
    return line;
  }
  std::string bytes(std::size_t count) {
    if (in_.size() < count)
      boost::asio::read(socket_, boost::asio::dynamic_buffer(in_),
                        boost::asio::transfer_exactly(count - in_.size()));
    std::string found = in_.substr(0, count);
    in_.erase(0, count);
    return found;
  }

 private:
  boost::asio::io_context io_;
  boost::asio::ip::tcp::socket socket_;
  std::string in_;
};

}  // namespace coterie::bench
