#include "net/channel.h"

#include <netinet/tcp.h>

#include <boost/asio/buffer.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/write.hpp>
#include <cstring>
#include <utility>

#include "net/codec.h"

namespace coterie::net {

namespace asio = boost::asio;
using boost::system::error_code;

namespace {

constexpr std::size_t kHead = 4;
constexpr std::size_t kChunk = 64U << 10U;  // read at once
constexpr std::size_t kMostAtOnce = 32;  // messages, or half a chunk: then others have their turn
constexpr std::size_t kMuch = 256U << 10U;  // bytes
constexpr int kDeaf = 3'000;                // milliseconds
constexpr unsigned kByte = 8;

Plain& lowest(Socket& socket) {
  if (auto* const secure = std::get_if<Secure>(&socket)) return secure->next_layer();
  return std::get<Plain>(socket);
}

std::size_t length_at(const char* bytes) {
  std::size_t length = 0;
  for (std::size_t i = 0; i < kHead; ++i)
    length = (length << kByte) | static_cast<unsigned char>(bytes[i]);
  return length;
}

}  // namespace

std::string address_of(const Plain& socket) {
  error_code error;
  const auto end = socket.remote_endpoint(error);
  if (error) return "unknown";
  return end.address().to_string() + ':' + std::to_string(end.port());
}

Channel::Channel(Socket socket)
    : socket_(std::move(socket)),
      peer_(address_of(lowest(socket_))),
      in_(kChunk),
      most_(Limits::kCall),
      most_unsent_(kMostUnsentOfLongest * Limits::kCall) {
  error_code ignored;
  lowest(socket_).set_option(asio::ip::tcp::no_delay(true), ignored);
  // What is not acknowledged for so long makes the connection a dead one. TCP itself would try for minutes,
  // ever more rarely, and go on long after the network does.
  using Deaf = asio::detail::socket_option::integer<IPPROTO_TCP, TCP_USER_TIMEOUT>;
  lowest(socket_).set_option(Deaf(kDeaf), ignored);
}

asio::any_io_executor Channel::executor() { return lowest(socket_).get_executor(); }

void Channel::start(std::function<void(const wire::Message&)> on_message,
                    std::function<void(const std::string&)> on_close) {
  on_message_ = std::move(on_message);
  on_close_ = std::move(on_close);
  read();
}

void Channel::read() {
  if (at_ > 0) std::memmove(in_.data(), in_.data() + at_, used_ - at_);
  used_ -= std::exchange(at_, 0);
  if (in_.size() - used_ < kChunk / 2) in_.resize(2 * in_.size());
  const auto buffer = asio::buffer(in_.data() + used_, in_.size() - used_);
  auto done = [self = shared_from_this()](error_code error, std::size_t count) {
    if (self->is_shut_ || self->is_closing_) return;
    if (error) return self->fail_by(error);
    self->take(count);
  };
  std::visit([&](auto& socket) { socket.async_read_some(buffer, std::move(done)); }, socket_);
}

// Messages that are there in whole, up to what is enough for one turn.
void Channel::take(std::size_t count) {
  used_ += count;
  const std::size_t first = at_;
  bool is_turn_over = false;
  for (std::size_t taken = 0; used_ - at_ >= kHead && !is_paused_; ++taken) {
    const std::size_t length = length_at(in_.data() + at_);
    if (length > most_)
      return fail_by_abuse("a message of " + std::to_string(length) + " bytes; at most " +
                           std::to_string(most_) + " are allowed");
    if (used_ - at_ - kHead < length) break;
    is_turn_over = taken == kMostAtOnce || at_ - first >= kChunk / 2;
    if (is_turn_over) break;
    if (!message_.ParseFromArray(in_.data() + at_ + kHead, static_cast<int>(length)))
      return fail_by_abuse("bytes that are no message");
    at_ += kHead + length;
    on_message_(message_);
    if (is_shut_ || is_closing_) return;
  }
  if (is_paused_) {
    is_stalled_ = true;
  } else if (is_turn_over) {
    take_later();
  } else {
    read();
  }
}

void Channel::take_later() {
  asio::post(executor(), [self = shared_from_this()] {
    if (!self->is_shut_ && !self->is_closing_) self->take(0);
  });
}

void Channel::resume() {
  is_paused_ = false;
  if (std::exchange(is_stalled_, false)) take_later();
}

void Channel::send(const wire::Message& message, Haste haste) {
  if (is_shut_ || is_closing_) return;
  if (out_.size() > most_unsent_) return fail_by_abuse("the other side does not read");
  const std::size_t length = message.ByteSizeLong();
  for (std::size_t i = kHead; i-- > 0;) out_ += static_cast<char>(length >> (kByte * i));
  message.AppendToString(&out_);
  schedule_write(haste);
}

// Later: when all that is ready to run now has had its turn, and what that has sent in haste is on its way.
void Channel::schedule_write(Haste haste) {
  const bool is_scheduled = std::exchange(is_writing_, true);
  if (is_scheduled && (haste == Haste::later || !can_wait_)) return;
  can_wait_ = haste == Haste::later;
  asio::post(executor(), [self = shared_from_this(), haste] {
    if (haste == Haste::now) return self->hurry();
    asio::post(self->executor(), [self] { self->hurry(); });
  });
}

void Channel::hurry() {
  if (is_writing_ && writing_.empty()) write();
}

void Channel::write() {
  if (is_shut_) return;
  if (out_.empty()) {
    is_writing_ = false;
    if (is_closing_) shut();
    return;
  }
  if (may_leave_ && !may_leave_()) return;
  writing_.swap(out_);
  can_wait_ = false;
  auto done = [self = shared_from_this()](error_code error, std::size_t /*count*/) {
    if (self->is_shut_) return;
    if (error) return self->fail_by(error);
    self->writing_.clear();
    self->write();
  };
  std::visit(
      [&](auto& socket) { asio::async_write(socket, asio::buffer(writing_), std::move(done)); },
      socket_);
}

// What it was sent is more than lies on a way: it has come, and nobody takes it.
void Channel::fail_by(error_code error) {
  if (error == asio::error::timed_out && unsent() > kMuch)
    return fail_by_abuse("the other side does not read");
  fail(error == asio::error::eof ? "it was closed" : error.message());
}

void Channel::fail_by_abuse(const std::string& reason) {
  was_abused_ = true;
  fail(reason);
}

void Channel::fail(const std::string& reason) {
  if (is_shut_) return;
  shut();
  const auto on_close = std::exchange(on_close_, {});
  on_message_ = {};
  if (on_close) asio::post(executor(), [on_close, reason] { on_close(reason); });
}

void Channel::close() {
  if (std::exchange(is_closing_, true)) return;
  asio::post(executor(), [self = shared_from_this()] {
    self->on_close_ = {};
    self->on_message_ = {};
    if (!self->is_writing_) self->shut();
  });
}

void Channel::shut() {
  if (std::exchange(is_shut_, true)) return;
  error_code ignored;
  lowest(socket_).shutdown(Plain::shutdown_both, ignored);
  lowest(socket_).close(ignored);
}

}  // namespace coterie::net
