// A member's connections to the others.
#include <fmt/format.h>
#include <spdlog/logger.h>

#include <boost/asio/connect.hpp>
#include <chrono>

#include "net/codec.h"
#include "net/server.h"
#include "net/tls.h"

namespace coterie::net {

namespace asio = boost::asio;
using asio::ip::tcp;
using boost::system::error_code;
using member::Instant;

void Server::dial(NodeId peer) {
  const Address& address = settings_.addresses[peer];
  auto resolver = std::make_shared<tcp::resolver>(io_);
  const auto on_connected = [this, peer](const std::shared_ptr<Socket>& socket) {
    return [this, peer, socket](error_code error, const tcp::endpoint& /*end*/) {
      if (error) return dial_again(peer, error.message());
      auto* const secure = std::get_if<Secure>(&*socket);
      if (secure == nullptr) return speak(peer, std::move(*socket));
      secure->async_handshake(Secure::client, [this, peer, socket](error_code failed) {
        if (failed) return dial_again(peer, "TLS: " + failed.message());
        const std::string name = name_shown(*socket);
        if (name != settings_.member.names[peer])
          return dial_again(peer, fmt::format("its certificate is of \"{}\"", name));
        speak(peer, std::move(*socket));
      });
    };
  };
  resolver->async_resolve(
      address.host, std::to_string(address.port),
      [this, peer, resolver, on_connected](error_code error,
                                           const tcp::resolver::results_type& found) {
        if (error) return dial_again(peer, error.message());
        auto socket = tls_ ? std::make_shared<Socket>(std::in_place_type<Secure>, Plain(io_), *tls_)
                           : std::make_shared<Socket>(std::in_place_type<Plain>, io_);
        auto* const secure = std::get_if<Secure>(&*socket);
        Plain& plain = secure != nullptr ? secure->next_layer() : std::get<Plain>(*socket);
        asio::async_connect(plain, found, on_connected(socket));
      });
}

// A trouble is worth a line when it is new.
void Server::dial_again(NodeId peer, const std::string& trouble) {
  Peer& known = peers_[peer];
  if (known.trouble != trouble) {
    known.trouble = trouble;
    log_->info("member {} cannot be reached at {}: {}", settings_.member.names[peer],
               settings_.addresses[peer].text(), trouble);
  }
  if (is_stopping_) return;
  constexpr auto kAgain = std::chrono::milliseconds(100);
  known.again = std::make_unique<asio::steady_timer>(io_, kAgain);
  known.again->async_wait([this, peer](error_code error) {
    if (!error && !is_stopping_) dial(peer);
  });
}

void Server::speak(NodeId peer, Socket socket) {
  Peer& known = peers_[peer];
  known.channel = std::make_shared<Channel>(std::move(socket));
  wire::Message hello;
  hello.mutable_hello()->set_version(kVersion);
  hello.mutable_hello()->mutable_member()->set_name(settings_.name());
  hello.mutable_hello()->mutable_member()->set_cluster(settings_.cluster());
  known.channel->send(hello);
  known.channel->start(
      [this, peer](const wire::Message& message) { on_peer(peer, message); },
      [this, peer](const std::string& reason) {
        Peer& gone = peers_[peer];
        gone.channel.reset();
        if (std::exchange(gone.is_connected, false)) {
          think([&](member::Member& brain, Instant at) { brain.disconnected(peer, at); });
        }
        dial_again(peer, reason);
      });
}

void Server::on_peer(NodeId peer, const wire::Message& message) {
  Peer& known = peers_[peer];
  if (message.content_case() == wire::Message::kGoodbye) {
    const std::string reason = message.goodbye().reason();
    known.channel->close();
    known.channel.reset();
    known.is_connected = false;
    return dial_again(peer, "it refuses us: " + reason);
  }
  if (message.content_case() != wire::Message::kHello || known.is_connected) return;
  known.is_connected = true;
  known.trouble.clear();
  log_->info("member {} is reached at {}", settings_.member.names[peer],
             settings_.addresses[peer].text());
  think([&](member::Member& brain, Instant at) { brain.connected(peer, at); });
}

}  // namespace coterie::net
