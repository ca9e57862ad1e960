#include "net/server.h"

#include <fmt/format.h>
#include <spdlog/logger.h>

#include <algorithm>
#include <boost/asio/connect.hpp>
#include <boost/asio/post.hpp>
#include <chrono>
#include <utility>

#include "net/codec.h"
#include "net/dial.h"
#include "net/tls.h"

namespace coterie::net {

namespace asio = boost::asio;
using asio::ip::tcp;
using boost::system::error_code;
using member::Instant;

namespace {

// It never goes back, even if the one on the wall does.
Instant steady_now() {
  return {std::chrono::duration_cast<std::chrono::nanoseconds>(
              std::chrono::steady_clock::now().time_since_epoch())
              .count()};
}

member::Incarnation wall_milliseconds() {
  return static_cast<member::Incarnation>(std::chrono::duration_cast<std::chrono::milliseconds>(
                                              std::chrono::system_clock::now().time_since_epoch())
                                              .count());
}

}  // namespace

Server::Server(asio::io_context& io, Settings settings, bool is_new, Store store, Log log)
    : io_(io),
      settings_(std::move(settings)),
      is_new_(is_new),
      store_(std::move(store)),
      log_(std::move(log)),
      acceptor_(io),
      timer_(io),
      peers_(settings_.member.names.size()) {}

Server::~Server() = default;

Result<std::unique_ptr<Server>> Server::make(asio::io_context& io, Settings settings, bool is_new,
                                             Log log) {
  auto store = Store::open(settings.data);
  if (!store) return store.error();
  if (is_new && store->saved())
    return Error{.message = fmt::format("the data folder {} has been used: its cluster is not new",
                                        settings.data)};
  std::unique_ptr<Server> server(
      new Server(io, std::move(settings), is_new, std::move(*store), std::move(log)));
  if (auto prepared = server->prepare(); !prepared) return prepared.error();
  return server;
}

Result<void> Server::prepare() {
  if (settings_.tls) {
    auto context = make_tls(*settings_.tls);
    if (!context) return context.error();
    tls_.emplace(std::move(*context));
  }
  error_code error;
  tcp::resolver resolver(io_);
  const auto found = resolver.resolve(settings_.listen.host, std::to_string(settings_.listen.port),
                                      tcp::resolver::passive, error);
  if (!error) {
    const tcp::endpoint end = *found.begin();
    acceptor_.open(end.protocol(), error);
    if (!error) acceptor_.set_option(tcp::acceptor::reuse_address(true), error);
    if (!error) acceptor_.bind(end, error);
    if (!error) acceptor_.listen(asio::socket_base::max_listen_connections, error);
  }
  if (error)
    return Error{.message = fmt::format("cannot listen on {}: {}", settings_.listen.text(),
                                        error.message())};
  return {};
}

void Server::renew_certificates() {
  if (!settings_.tls) return log_->warn("there is no [tls], and so no certificate to read again");
  auto renewed = make_tls(*settings_.tls);
  std::optional<std::string> trouble;
  if (!renewed) {
    trouble = renewed.error().message;
  } else if (const auto flaw = flaw_of(*renewed, settings_.name())) {
    trouble = fmt::format("others would refuse {}: {}", settings_.tls->certificate, *flaw);
  }
  if (trouble) return log_->error("the certificates of before stay in use: {}", *trouble);
  tls_.emplace(std::move(*renewed));
  log_->info("certificates were read again: connections from now on use them");
}

std::uint16_t Server::port() const { return acceptor_.local_endpoint().port(); }

Instant Server::now() { return steady_now(); }

void Server::start() {
  using member::Birth;
  member::Start start;
  start.incarnation = wall_milliseconds();
  if (store_.saved()) {
    start.incarnation = std::max(start.incarnation, store_.saved()->incarnation + 1);
    start.ceiling = store_.saved()->ceiling;
  }
  start.keepsakes = store_.keepsakes();
  start.birth = is_new_ ? Birth::cluster : start.ceiling == 0 ? Birth::amnesia : Birth::restart;
  save({start.incarnation, start.ceiling});
  if (has_failed_) return;
  if (start.birth == Birth::amnesia)
    log_->warn(
        "no data in {}: grants nothing until a quorum of others has told what it may have "
        "granted; if the cluster is new, start each member once with --new-cluster",
        settings_.data);
  log_->info("member {} listens on {} incarnation={} system={}", settings_.name(),
             settings_.listen.text(), start.incarnation, settings_.member.system.spec());
  Outlet& outlet = *this;
  brain_ = std::make_unique<member::Member>(settings_.member, start, now(), outlet);
  accept();
  for (NodeId peer = 0; peer < peers_.size(); ++peer) {
    if (peer != settings_.member.self) dial(peer);
  }
  arm();
}

// Many things are due soon after each other; to wake for each would cost more than to be a little late.
void Server::arm() {
  constexpr std::int64_t kGrain = 2'000'000;
  Instant next = brain_->next_tick();
  if (next != Instant::never()) next.ns += kGrain - next.ns % kGrain;
  if (next == armed_) return;
  armed_ = next;
  timer_.expires_at(std::chrono::steady_clock::time_point(std::chrono::nanoseconds(next.ns)));
  timer_.async_wait([this](error_code error) {
    if (error) return;
    armed_ = Instant::never();
    think([](member::Member& brain, Instant at) { brain.tick(at); });
  });
}

void Server::save(const member::Durable& durable) {
  if (!has_failed_) fail_if(store_.save(durable));
}

// Others may write down the same, and clients wait for what was said before: they hear of it before we wait for our disk.
void Server::keep(const std::string& name, const Bytes& keepsake) {
  if (has_failed_) return;
  for (const Peer& peer : peers_) {
    if (peer.channel) peer.channel->hurry();
  }
  for (const auto& [id, guest] : guests_) guest.channel->hurry();
  fail_if(store_.keep(name, keepsake));
}

void Server::fail_if(const std::optional<Error>& error) {
  if (!error) return;
  has_failed_ = true;  // nothing leaves any more: what depends on it must not
  log_->critical("{}", error->message);
  if (on_failure_) asio::post(io_, [this, reason = error->message] { on_failure_(reason); });
}

namespace {

bool is_given_back(const member::Packet<member::Ask>& packet) {
  return std::holds_alternative<member::Release>(packet.body) ||
         std::holds_alternative<member::Erase>(packet.body) ||
         std::holds_alternative<member::Withdraw>(packet.body);
}

// A write takes its time: first those by whose answers others go on.
Channel::Haste haste_of(const member::Frame& frame) {
  const auto& asks = frame.asking.packets;
  const bool can_wait = !asks.empty() && std::all_of(asks.begin(), asks.end(), is_given_back) &&
                        frame.answering.packets.empty() && frame.questions.empty() &&
                        frame.reports.empty();
  return can_wait ? Channel::Haste::later : Channel::Haste::now;
}

// Who has left asks for no more; the others go on by what they hear.
Channel::Haste haste_of(const member::Event& event) {
  return std::holds_alternative<member::Left>(event) ? Channel::Haste::later : Channel::Haste::now;
}

}  // namespace

void Server::send(NodeId to, const member::Frame& frame) {
  Peer& peer = peers_[to];
  if (has_failed_ || !peer.is_connected) return;  // links send again
  outgoing_.Clear();
  encode(frame, *outgoing_.mutable_frame());
  peer.channel->send(outgoing_, haste_of(frame));
}

void Server::tell(member::SessionId session, const member::Event& event) {
  if (has_failed_) return;
  if (const auto resident = residents_.find(session); resident != residents_.end())
    return resident->second->hear(event);
  const auto place = sessions_.find(session);
  if (place == sessions_.end()) return;
  outgoing_.Clear();
  encode(event, settings_.member.names, *outgoing_.mutable_event());
  guests_.at(place->second).channel->send(outgoing_, haste_of(event));
}

void Server::stop(std::function<void()> done) {
  on_stopped_ = std::move(done);
  if (!brain_ || has_failed_) return on_stopped_();
  is_stopping_ = true;
  log_->info("member {} stops", settings_.name());
  think([](member::Member& brain, Instant at) { brain.stop(at); });
}

void Server::finish_stop() {
  timer_.cancel();
  error_code ignored;
  acceptor_.close(ignored);
  for (Peer& peer : peers_) {
    if (peer.again) peer.again->cancel();
    if (peer.dial) peer.dial->cancel();
    if (peer.channel) peer.channel->close();
  }
  for (auto& [id, guest] : guests_) guest.channel->close();
  if (on_stopped_) asio::post(io_, std::exchange(on_stopped_, {}));
}

}  // namespace coterie::net
