#include "cli/network.h"

#include <proto/coterie.pb.h>

#include <array>
#include <boost/asio/as_tuple.hpp>
#include <boost/asio/buffer.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>

namespace coterie::cli {

namespace asio = boost::asio;
using asio::use_awaitable;
using asio::ip::tcp;
using std::chrono::milliseconds;

struct Network::Passage {
  Passage(Socket from, std::size_t door)
      : member(door), outside(std::move(from)), inside(outside.get_executor()) {}
  void close() {
    boost::system::error_code ignored;
    outside.close(ignored);
    inside.close(ignored);
  }

  std::size_t member;
  Socket outside;  // who came
  Socket inside;   // the member
  std::string who;
  std::string hello;  // as it came, with its length
};

namespace {

constexpr milliseconds kMoment{5};

// The name that a hello tells; empty if it is none.
std::string name_in(const std::string& hello) {
  wire::Message message;
  if (!message.ParseFromString(hello)) return "";
  return message.hello().has_member() ? message.hello().member().name()
                                      : message.hello().client().label();
}

}  // namespace

tcp::endpoint endpoint_of(const std::string& address) {
  const std::size_t colon = address.rfind(':');
  return {asio::ip::make_address(address.substr(0, colon)),
          static_cast<std::uint16_t>(std::stoul(address.substr(colon + 1)))};
}

Network::Network(std::vector<std::string> names) : names_(std::move(names)) {
  for (std::size_t i = 0; i < names_.size(); ++i)
    acceptors_.emplace_back(io_, tcp::endpoint(asio::ip::address_v4::loopback(), 0));
  for (std::size_t i = 0; i < names_.size(); ++i) asio::co_spawn(io_, keep_door(i), asio::detached);
  thread_ = std::thread([this] { io_.run(); });
}

Network::~Network() {
  io_.stop();
  thread_.join();
}

std::vector<std::string> Network::doors() const {
  std::vector<std::string> doors;
  for (const tcp::acceptor& acceptor : acceptors_)
    doors.push_back("127.0.0.1:" + std::to_string(acceptor.local_endpoint().port()));
  return doors;
}

void Network::lead_to(const std::vector<std::string>& addresses) {
  const std::scoped_lock lock(mutex_);
  for (const std::string& address : addresses) members_.push_back(endpoint_of(address));
}

asio::awaitable<void> Network::keep_door(std::size_t member) {
  while (true) {
    auto passage =
        std::make_shared<Passage>(co_await acceptors_[member].async_accept(use_awaitable), member);
    asio::co_spawn(io_, pass(passage), [passage](const std::exception_ptr& failed) {
      if (failed) passage->close();
    });
  }
}

asio::awaitable<void> Network::pass(std::shared_ptr<Passage> passage) {
  std::array<unsigned char, 4> head{};
  co_await asio::async_read(passage->outside, asio::buffer(head), use_awaitable);
  std::string body((std::size_t{head[0]} << 24U) | (std::size_t{head[1]} << 16U) |
                       (std::size_t{head[2]} << 8U) | head[3],
                   '\0');
  co_await asio::async_read(passage->outside, asio::buffer(body), use_awaitable);
  passage->who = name_in(body);
  passage->hello = std::string(head.begin(), head.end()) + body;
  if (is_severed({passage->who, names_[passage->member]})) co_return;
  tcp::endpoint inner;
  {
    const std::scoped_lock lock(mutex_);
    passages_.push_back(passage);
    inner = members_.at(passage->member);
  }
  co_await passage->inside.async_connect(inner, use_awaitable);
  passage->outside.set_option(tcp::no_delay(true));
  passage->inside.set_option(tcp::no_delay(true));
  asio::co_spawn(io_, pump(passage, false), asio::detached);
  co_await pump(passage, true);
}

// What is slow can still be cut on its way.
asio::awaitable<void> Network::let_pass(const Way& way) {
  asio::steady_timer timer(io_);
  milliseconds pause = rest(way);
  if (pause > milliseconds(0)) {
    timer.expires_after(pause);
    co_await timer.async_wait(use_awaitable);
    pause = rest(way);
  }
  for (; pause < milliseconds(0); pause = rest(way)) {
    timer.expires_after(kMoment);
    co_await timer.async_wait(use_awaitable);
  }
}

// One direction of a connection, from its hello on. Its end passes like its bytes; the other direction goes on, since
// what was sent before a connection is closed arrives on a real network.
asio::awaitable<void> Network::pump(std::shared_ptr<Passage> passage, bool is_forward) {
  Socket& from = is_forward ? passage->outside : passage->inside;
  Socket& to = is_forward ? passage->inside : passage->outside;
  const std::string& member = names_[passage->member];
  const Way way = is_forward ? Way(passage->who, member) : Way(member, passage->who);
  const auto quietly = asio::as_tuple(use_awaitable);
  std::string bytes = is_forward ? passage->hello : "";
  boost::system::error_code ignored;
  while (true) {
    co_await let_pass(way);
    const auto [failed, written] = co_await asio::async_write(to, asio::buffer(bytes), quietly);
    if (failed) {
      from.shutdown(tcp::socket::shutdown_receive, ignored);
      co_return;
    }
    constexpr std::size_t kChunk = 16'384;
    bytes.resize(kChunk);
    const auto [ended, size] = co_await from.async_read_some(asio::buffer(bytes), quietly);
    if (ended) break;
    bytes.resize(size);
  }
  co_await let_pass(way);
  to.shutdown(tcp::socket::shutdown_send, ignored);
}

milliseconds Network::rest(const Way& way) {
  const std::scoped_lock lock(mutex_);
  if (cuts_.contains(way)) return milliseconds(-1);
  const auto slow = slow_.find(way);
  return slow == slow_.end() ? delay_ : delay_ + slow->second;
}

bool Network::is_severed(const Way& way) {
  const std::scoped_lock lock(mutex_);
  return severed_.contains(way);
}

void Network::cut(const std::string& from, const std::string& to) {
  const std::scoped_lock lock(mutex_);
  cuts_.emplace(from, to);
}

void Network::part(const std::string& one, const std::string& other) {
  cut(one, other);
  cut(other, one);
}

void Network::sever(const std::string& one, const std::string& other) {
  {
    const std::scoped_lock lock(mutex_);
    severed_.emplace(one, other);
    severed_.emplace(other, one);
  }
  shake(one, other);
}

void Network::shake(const std::string& one, const std::string& other) {
  asio::post(io_, [this, one, other] { break_all(one, other); });
}

void Network::break_all(const std::string& one, const std::string& other) {
  const std::scoped_lock lock(mutex_);
  std::erase_if(passages_, [](const auto& passage) { return passage.expired(); });
  for (const auto& weak : passages_) {
    const auto passage = weak.lock();
    if (!passage) continue;
    const std::string& member = names_[passage->member];
    if ((passage->who == one && member == other) || (passage->who == other && member == one))
      passage->close();
  }
}

void Network::delay(milliseconds time) {
  const std::scoped_lock lock(mutex_);
  delay_ = time;
}

void Network::slow(const std::string& from, const std::string& to, milliseconds time) {
  const std::scoped_lock lock(mutex_);
  slow_[{from, to}] = time;
}

void Network::heal() {
  const std::scoped_lock lock(mutex_);
  slow_.clear();
  cuts_.clear();
  severed_.clear();
  delay_ = {};
}

}  // namespace coterie::cli
