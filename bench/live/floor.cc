#include "floor.h"

#include <boost/asio/connect.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <utility>

#include "cluster.h"

namespace coterie::bench {

namespace asio = boost::asio;
using asio::ip::tcp;
using boost::system::error_code;

namespace {

constexpr std::uint64_t kTime =
    1'000'000;  // numbers as long as those of a cluster that has run for a while
constexpr std::uint64_t kIncarnation = 1'700'000'000'000;

tcp::endpoint at_port(std::uint16_t port) { return {asio::ip::address_v4::loopback(), port}; }

wire::Packet& packet_in(wire::Flow& flow) {
  flow.set_session(1);
  flow.set_first(kTime);
  flow.set_received(kTime);
  wire::Packet& packet = *flow.add_packets();
  packet.set_name("name-1");
  packet.mutable_kind();
  return packet;
}

wire::Frame& frame_in(wire::Message& message) {
  wire::Frame& frame = *message.mutable_frame();
  frame.set_from(kIncarnation);
  frame.set_to(kIncarnation);
  frame.set_clock(kTime);
  frame.set_ceiling(kTime);
  return frame;
}

wire::Message hello(std::size_t self) {
  wire::Message message;
  message.mutable_hello()->set_version(static_cast<std::uint32_t>(self + 1));
  return message;
}

wire::Message acquire() {
  wire::Message message;
  wire::Acquire& call = *message.mutable_call()->mutable_acquire();
  call.set_request(kTime);
  call.set_name("name-1");
  call.mutable_kind();
  return message;
}

wire::Message release() {
  wire::Message message;
  message.mutable_call()->mutable_release()->set_request(kTime);
  return message;
}

}  // namespace

FloorNode::FloorNode(asio::io_context& io, std::vector<std::uint16_t> ports, std::size_t self)
    : io_(io),
      ports_(std::move(ports)),
      self_(self),
      acceptor_(io, at_port(ports_[self])),
      peers_(ports_.size()) {
  wire::Frame& asking = frame_in(request_);
  wire::Request& request = *packet_in(*asking.mutable_asking()).mutable_request();
  request.set_tag(kTime);
  request.set_time(kTime);
  request.set_process(static_cast<std::uint32_t>(self));
  wire::Lock& lock = *packet_in(*frame_in(lock_).mutable_answering()).mutable_lock();
  lock.set_tag(kTime);
  lock.set_number(kTime);
  wire::Numbered& numbered = *packet_in(*frame_in(release_).mutable_asking()).mutable_release();
  numbered.set_tag(kTime);
  numbered.set_number(kTime);
  wire::Granted& granted = *granted_.mutable_event()->mutable_granted();
  granted.set_request(kTime);
  granted.set_token(kTime);
  granted.mutable_good()->set_beat(1);
  granted.mutable_good()->set_lasts_ns(kIncarnation);
  left_.mutable_event()->mutable_left()->set_request(kTime);
  accept();
  for (std::size_t peer = 0; peer < peers_.size(); ++peer) {
    if (peer != self_) connect(peer);
  }
}

bool FloorNode::is_ready() const {
  for (std::size_t peer = 0; peer < peers_.size(); ++peer) {
    if (peer != self_ && !peers_[peer]) return false;
  }
  return true;
}

void FloorNode::accept() {
  acceptor_.async_accept(io_, [this](error_code error, tcp::socket socket) {
    if (error) return;
    auto channel = std::make_shared<net::Channel>(
        net::Socket(std::in_place_type<net::Plain>, std::move(socket)));
    accepted_.push_back(channel);
    channel->start(
        [this, from = channel.get()](const wire::Message& message) {
          on_message(from->shared_from_this(), message);
        },
        [](const std::string&) {});
    accept();
  });
}

void FloorNode::connect(std::size_t peer) {
  auto socket = std::make_shared<tcp::socket>(io_);
  socket->async_connect(at_port(ports_[peer]), [this, peer, socket](error_code error) {
    if (error) {
      auto again = std::make_shared<asio::steady_timer>(io_, std::chrono::milliseconds(10));
      return again->async_wait([this, peer, again](error_code) { connect(peer); });
    }
    peers_[peer] = std::make_shared<net::Channel>(
        net::Socket(std::in_place_type<net::Plain>, std::move(*socket)));
    peers_[peer]->start([](const wire::Message&) {}, [](const std::string&) {});
    peers_[peer]->send(hello(self_));
  });
}

void FloorNode::ask(const wire::Message& message) {
  for (const std::size_t arbiter : {entry_ % peers_.size(), (entry_ + 1) % peers_.size()}) {
    if (arbiter != self_) peers_[arbiter]->send(message);
  }
}

void FloorNode::enter(std::function<void()> done) {
  done_ = std::move(done);
  missing_ = (entry_ + 2) % peers_.size() == self_ ? 2 : 1;
  ask(request_);
}

void FloorNode::leave() {
  ask(release_);
  ++entry_;
}

void FloorNode::on_message(const std::shared_ptr<net::Channel>& from,
                           const wire::Message& message) {
  if (message.has_call()) {
    if (message.call().has_acquire()) return enter([this, from] { from->send(granted_); });
    leave();
    return from->send(left_);
  }
  const wire::Frame& frame = message.frame();
  if (frame.answering().packets_size() > 0) {
    if (--missing_ == 0) done_();
  } else if (frame.asking().packets_size() > 0 && frame.asking().packets(0).has_request()) {
    peers_[frame.asking().packets(0).request().process()]->send(lock_);
  }
}

int run_floor(const std::vector<std::uint16_t>& ports, std::size_t self) {
  asio::io_context io(1);
  FloorNode node(io, ports, self);
  asio::post(io, [] { say_ready(); });
  io.run();
  return 1;
}

double floor_through(std::uint16_t port, std::size_t times) {
  asio::io_context io(1);
  tcp::socket socket(io);
  socket.connect(at_port(port));
  const auto channel = std::make_shared<net::Channel>(
      net::Socket(std::in_place_type<net::Plain>, std::move(socket)));
  std::size_t left = times;
  const wire::Message in = acquire();
  const wire::Message out = release();
  channel->start(
      [&](const wire::Message& message) {
        if (!message.event().has_granted()) return;
        channel->send(out);
        if (--left == 0) return channel->close();
        channel->send(in);
      },
      [](const std::string&) {});
  const double begin = seconds_now();
  channel->send(in);
  io.run();
  return (seconds_now() - begin) / static_cast<double>(times);
}

double floor_at(asio::io_context& io, FloorNode& node, std::size_t times) {
  std::size_t left = times;
  std::function<void()> next = [&] {
    node.leave();
    if (--left == 0) return io.stop();
    node.enter(next);
  };
  io.restart();
  const double begin = seconds_now();
  asio::post(io, [&] { node.enter(next); });
  io.run();
  return (seconds_now() - begin) / static_cast<double>(times);
}

}  // namespace coterie::bench
