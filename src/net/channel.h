// A connection that carries messages of proto/coterie.proto, each after its length, with or without TLS.
//
// What is sent while a write is under way, or within one handler, goes out together in the next write. What nobody waits for
// goes after what others send that somebody does. What comes is handed on some at a time, so that other connections have
// their turns between. All calls and callbacks are on the socket's executor, one at a time.
#pragma once

#include <proto/coterie.pb.h>

#include <algorithm>
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
  void allow(std::size_t most) {
    most_ = most;
    most_unsent_ = std::max(most_unsent_, kMostUnsentOfLongest * most);
  }
  // More than this that the other side has not read makes it one that does not read.
  void allow_unsent(std::size_t bytes) { most_unsent_ = bytes; }
  std::size_t unsent() const { return out_.size() + writing_.size(); }
  // Asked before anything is written: false if nothing may leave any more.
  void before_write(std::function<bool()> may_leave) { may_leave_ = std::move(may_leave); }
  // Nothing is read until resume(); what has come and was not handed on waits.
  void pause() { is_paused_ = true; }
  void resume();
  enum class Haste : std::uint8_t { now, later };
  void send(const wire::Message& message, Haste haste = Haste::now);
  // Begins to write at once what was sent, and not when its thread has time.
  void hurry();
  // After what was sent is written. No callback comes any more.
  void close();

  boost::asio::any_io_executor executor();
  const Socket& socket() const { return socket_; }  // to ask whose certificate was shown
  std::string peer() const { return peer_; }        // its address, for people
  // It ended since the other side did what nobody does: sent what is no message, or did not read.
  bool was_abused() const { return was_abused_; }

 private:
  void read();
  void take(std::size_t count);
  void take_later();
  void schedule_write(Haste haste);
  void write();
  void fail(const std::string& reason);
  void fail_by_abuse(const std::string& reason);
  void fail_by(boost::system::error_code error);
  void shut();

  Socket socket_;
  std::string peer_;
  std::function<void(const wire::Message&)> on_message_;
  std::function<void(const std::string&)> on_close_;
  std::vector<char> in_;
  std::size_t at_ = 0;    // of it: what is before was handed on
  std::size_t used_ = 0;  // of it
  static constexpr std::size_t kMostUnsentOfLongest = 4;
  std::size_t most_;
  std::size_t most_unsent_;
  std::function<bool()> may_leave_;
  bool is_paused_ = false;
  bool is_stalled_ = false;  // by a pause: nobody reads
  std::string out_;          // to be written
  std::string writing_;
  bool is_writing_ = false;  // or about to
  bool can_wait_ = false;    // what is about to be written
  bool is_closing_ = false;
  bool is_shut_ = false;
  bool was_abused_ = false;
  wire::Message message_;  // it keeps its room
};

}  // namespace coterie::net
