// A member's connections to the others.
#include <fmt/format.h>
#include <spdlog/logger.h>

#include <chrono>

#include "net/codec.h"
#include "net/dial.h"
#include "net/server.h"
#include "net/tls.h"
#include "net/version.h"
#include "quorum/visible.h"

namespace coterie::net {

namespace asio = boost::asio;
using boost::system::error_code;
using member::Instant;

namespace {

constexpr auto kLongestDial = std::chrono::seconds(1);

}  // namespace

void Server::dial(NodeId peer) {
  auto dial = std::make_shared<Dial>(io_, tls_ ? &*tls_ : nullptr, Dial::Shows::name);
  peers_[peer].dial = dial;
  dial->start(settings_.addresses[peer], kLongestDial, [this, peer](Dial::Answer answer) {
    peers_[peer].dial.reset();
    if (!answer.socket) return dial_again(peer, answer.trouble);
    const auto flaw =
        tls_ ? flaw_of(*answer.socket, peer_authorities_, identity_of(peer)) : std::nullopt;
    if (flaw) return dial_again(peer, "its certificate is refused: " + *flaw, true);
    speak(peer, *std::move(answer.socket));
  });
}

// A trouble is worth a line when it is new. Who is refused need not hurry: somebody must change something first.
void Server::dial_again(NodeId peer, const std::string& trouble, bool is_refused) {
  Peer& known = peers_[peer];
  if (known.trouble != trouble) {
    known.trouble = trouble;
    log_->log(is_refused ? spdlog::level::warn : spdlog::level::info,
              "member {} cannot be reached at {}: {}", settings_.member.names[peer],
              settings_.addresses[peer].text(), trouble);
  }
  if (is_stopping_) return;
  constexpr std::chrono::milliseconds kAgain{100};
  constexpr std::chrono::milliseconds kRefusedAgain{1'000};
  known.again = std::make_unique<asio::steady_timer>(io_, is_refused ? kRefusedAgain : kAgain);
  known.again->async_wait([this, peer](error_code error) {
    const Peer& again = peers_[peer];
    if (!error && !is_stopping_ && !again.dial && !again.channel) dial(peer);
  });
}

void Server::speak(NodeId peer, Socket socket) {
  Peer& known = peers_[peer];
  error_code ignored;
  known.address =
      std::visit([&](const auto& made) { return made.lowest_layer().remote_endpoint(ignored); },
                 socket)
          .address();
  known.channel = new_channel(std::move(socket));
  known.channel->allow(Limits::kMessage);
  wire::Message hello;
  hello.mutable_hello()->set_version(kMemberVersion);
  *hello.mutable_hello()->mutable_member() = hello_of_ours();
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
    constexpr std::size_t kLongest = 500;
    const std::string reason = quorum::visible_line(message.goodbye().reason(), kLongest);
    known.channel->close();
    known.channel.reset();
    known.is_connected = false;
    return dial_again(peer, "it refuses: " + reason, true);
  }
  if (message.content_case() != wire::Message::kHello || known.is_connected) return;
  if (const std::string fault = fault_of_member_version(message.hello().version());
      !fault.empty()) {
    known.channel->close();
    known.channel.reset();
    return dial_again(peer, fault, true);
  }
  const wire::MemberHello hello = message.hello().member();  // it outlives the channel
  const std::string& name = settings_.member.names[peer];
  const bool is_same = identity_ && brain_ && hello.identity() == identity_->cluster;
  if (!is_same) {
    known.channel->close();
    known.channel.reset();
    if (identity_ && !hello.identity().empty())
      return dial_again(peer,
                        difference_of_clusters(settings_.name(), identity_->cluster, name,
                                               is_seed(hello.identity()) ? hello.identity() : "?"),
                        true);
    hear_of_birth(peer, hello);
    if (!known.dial && !known.channel)
      dial_again(peer, identity_ ? "it does not know its cluster yet" : known.trouble);
    return;
  }
  known.is_connected = true;
  known.life = hello.incarnation();
  known.trouble.clear();
  log_->info("member {} is reached at {}", settings_.member.names[peer],
             settings_.addresses[peer].text());
  think([&](member::Member& brain, Instant at) { brain.connected(peer, at); });
}

}  // namespace coterie::net
