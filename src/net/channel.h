// A connection that carries messages of proto/coterie.proto, each after its length, with or without TLS.
//
// What is sent while a write is under way, or within one handler, goes out together in the next write. What nobody waits for
// goes after what others send that somebody does. All calls and callbacks are on the socket's executor, one at a time.
#pragma once

#include <proto/coterie.pb.h>

#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/ssl/stream.hpp>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <variant>
#include <vector>

namespace coterie::net {

using Plain = boost::asio::ip::tcp::socket;
using Secure = boost::asio::ssl::stream<Plain>;
using Socket = std::variant<Plain, Secure>;

std::string address_of(const Plain& socket);  // of the other side, for people

class Channel : public std::enable_shared_from_this<Channel> {
 public:
  // REQUIRES: the socket is connected, and its TLS handshake is done.
  explicit Channel(Socket socket);

  // Calls `on_message` for each message until close(), and `on_close` once, with the reason, when the
  // connection ends: by the other side, by an error, or by bytes that are no message.
  void start(std::function<void(const wire::Message&)> on_message,
             std::function<void(const std::string& reason)> on_close);
  // Messages above this are not taken. At first only short ones are: the other side may be anybody.
  void allow(std::size_t most) { most_ = most; }
  enum class Haste : std::uint8_t { now, later };
  void send(const wire::Message& message, Haste haste = Haste::now);
  // Begins to write at once what was sent, and not when its thread has time.
  void hurry();
  // After what was sent is written. No callback comes any more.
  void close();

  boost::asio::any_io_executor executor();
  std::string peer() const { return peer_; }  // its address, for people
  // It ended since the other side did what nobody does: sent what is no message, or did not read.
  bool was_abused() const { return was_abused_; }

 private:
  void read();
  void take(std::size_t count);
  void schedule_write(Haste haste);
  void write();
  void fail(const std::string& reason);
  void fail_by_abuse(const std::string& reason);
  void shut();

  Socket socket_;
  std::string peer_;
  std::function<void(const wire::Message&)> on_message_;
  std::function<void(const std::string&)> on_close_;
  std::vector<char> in_;
  std::size_t used_ = 0;  // of it
  std::size_t most_;
  std::string out_;  // to be written
  std::string writing_;
  bool is_writing_ = false;  // or about to
  bool can_wait_ = false;    // what is about to be written
  bool is_closing_ = false;
  bool is_shut_ = false;
  bool was_abused_ = false;
  wire::Message message_;  // it keeps its room
};

}  // namespace coterie::net
