#include "net/server.h"

#include <fmt/format.h>
#include <spdlog/logger.h>

#include <algorithm>
#include <boost/asio/connect.hpp>
#include <boost/asio/post.hpp>
#include <chrono>
#include <utility>

#include "coterie/clock.h"
#include "net/codec.h"
#include "net/dial.h"
#include "net/sockets.h"
#include "net/tls.h"

namespace coterie::net {

namespace asio = boost::asio;
using asio::ip::tcp;
using boost::system::error_code;
using member::Instant;

Server::Server(asio::io_context& io, Settings settings, const Launch& launch, Store store, Log log)
    : io_(io),
      settings_(std::move(settings)),
      launch_(launch),
      store_(std::move(store)),
      log_(std::move(log)),
      acceptor_(io),
      timer_(io),
      loss_(io),
      peers_(settings_.member.names.size()),
      next_admission_(io),
      next_turn_(io) {}

Server::~Server() = default;

Result<std::unique_ptr<Server>> Server::make(asio::io_context& io, Settings settings,
                                             const Launch& launch, Log log) {
  auto store = Store::open(settings.data);
  if (!store) return store.error();
  std::unique_ptr<Server> server(
      new Server(io, std::move(settings), launch, std::move(*store), std::move(log)));
  if (auto guarded = server->guard_folder(); !guarded) return guarded.error();
  if (auto prepared = server->prepare(); !prepared) return prepared.error();
  return server;
}

Result<void> Server::prepare() {
  if (settings_.tls) {
    auto context = make_tls(*settings_.tls);
    if (!context) return context.error();
    auto trusted = peer_authorities(*settings_.tls);
    if (!trusted) return trusted.error();
    // It may be the clock of this machine that is wrong, and others decide by theirs: so this is no reason not to start.
    if (const auto flaw = flaw_of(*context, *trusted, identity_of(settings_.member.self)))
      log_->error("other members would refuse {}: {}", settings_.tls->certificate, *flaw);
    tls_.emplace(std::move(*context));
    peer_authorities_ = std::move(*trusted);
  }
  error_code error;
  tcp::resolver resolver(io_);
  const auto found = resolver.resolve(settings_.listen.host, std::to_string(settings_.listen.port),
                                      tcp::resolver::passive, error);
  if (!error) {
    const tcp::endpoint end = *found.begin();
    error = open_acceptor(acceptor_, end.protocol());
    if (!error) acceptor_.set_option(tcp::acceptor::reuse_address(true), error);
    if (!error) acceptor_.bind(end, error);
    if (!error) acceptor_.listen(asio::socket_base::max_listen_connections, error);
  }
  if (error)
    return Error{.message = fmt::format("cannot listen on {}: {}", settings_.listen.text(),
                                        error.message())};
  return {};
}

MemberIdentity Server::identity_of(NodeId member) const {
  return {.name = settings_.member.names[member], .host = settings_.addresses[member].host};
}

void Server::renew_certificates() {
  if (!settings_.tls) return log_->warn("there is no [tls], and so no certificate to read again");
  auto renewed = make_tls(*settings_.tls);
  auto trusted = peer_authorities(*settings_.tls);
  std::optional<std::string> trouble;
  if (!renewed) {
    trouble = renewed.error().message;
  } else if (!trusted) {
    trouble = trusted.error().message;
  } else if (const auto flaw = flaw_of(*renewed, *trusted, identity_of(settings_.member.self))) {
    trouble = fmt::format("others would refuse {}: {}", settings_.tls->certificate, *flaw);
  }
  if (trouble) return log_->error("the certificates of before stay in use: {}", *trouble);
  tls_.emplace(std::move(*renewed));
  peer_authorities_ = std::move(*trusted);
  log_->info("certificates were read again: connections from now on use them");
}

std::uint16_t Server::port() const { return acceptor_.local_endpoint().port(); }

// It never goes back, even if the clock on the wall does, and goes on while the machine sleeps.
Instant Server::now() { return {Clock::now().time_since_epoch().count()}; }

// Many things are due soon after each other; to wake for each would cost more than to be a little late.
void Server::arm() {
  constexpr std::int64_t kGrain = 2'000'000;
  Instant next = brain_->next_tick();
  if (next != Instant::never()) next.ns += kGrain - next.ns % kGrain;
  if (next == armed_) return;
  armed_ = next;
  timer_.set(next, [this] {
    armed_ = Instant::never();
    think([](member::Member& brain, Instant at) { brain.tick(at); });
  });
}

void Server::save(const member::Durable& durable) {
  if (has_failed_) return;
  fail_if(store_->save(durable));
  warn_of_store();
}

// Others may write down the same, and clients wait for what was said before: they hear of it before we wait for our disk.
// What must be safe is waited for when something is to leave, once for all that was kept until then.
void Server::keep(const std::string& name, const Bytes& keepsake) {
  if (has_failed_ || is_reading_) return;
  if (kept_ && kept_->first == name && kept_->second == keepsake) {
    kept_.reset();
    // Not later than when all that is ready to run has had its turn: others wait for their disks meanwhile.
    if (!std::exchange(is_unsafe_, true)) asio::post(io_, [this] { sync(); });
    return;
  }
  if (!is_unsafe_) {
    for (const Peer& peer : peers_) {
      if (peer.channel) peer.channel->hurry();
    }
    for (const auto& [id, guest] : guests_) guest.channel->hurry();
  }
  fail_if(store_->keep(name, keepsake));
  warn_of_store();
  kept_.emplace(name, keepsake);
}

void Server::warn_of_store() {
  for (const std::string& warning : store_->take_warnings())
    warn(Complaint::store, warning, warning);
}

// Whether anything may leave.
bool Server::sync() {
  if (std::exchange(is_unsafe_, false) && !has_failed_) fail_if(store_->sync());
  return !has_failed_;
}

std::shared_ptr<Channel> Server::new_channel(Socket socket) {
  auto channel = std::make_shared<Channel>(std::move(socket));
  channel->before_write([this] { return sync(); });
  return channel;
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
  if (const auto resident = residents_.find(session); resident != residents_.end()) {
    if (sync()) resident->second->hear(event);
    return;
  }
  const auto place = sessions_.find(session);
  if (place == sessions_.end()) return;
  outgoing_.Clear();
  encode(event, settings_.member.names, *outgoing_.mutable_event());
  guests_.at(place->second).channel->send(outgoing_, haste_of(event));
  // Its place is for others: should it want another session, it comes again.
  if (std::holds_alternative<member::Ended>(event)) leave(place->second, "its session is over");
}

void Server::stop(std::function<void()> done) {
  on_stopped_ = std::move(done);
  is_stopping_ = true;
  if (!brain_ || is_outdated_ || has_failed_) return finish_stop();
  log_->info("member {} stops", settings_.name());
  think([](member::Member& brain, Instant at) { brain.stop(at); });
}

void Server::finish_stop() {
  timer_.cancel();
  loss_.cancel();
  for (const auto& does : std::exchange(when_born_, {})) does();
  error_code ignored;
  acceptor_.close(ignored);
  for (Peer& peer : peers_) {
    if (peer.again) peer.again->cancel();
    if (peer.dial) peer.dial->cancel();
    if (peer.channel) peer.channel->close();
  }
  next_turn_.cancel();
  next_admission_.cancel();
  while (!strangers_.empty()) turn_away(strangers_.begin()->first);
  for (auto& [id, guest] : guests_) guest.channel->close();
  if (on_stopped_) asio::post(io_, std::exchange(on_stopped_, {}));
}

}  // namespace coterie::net
