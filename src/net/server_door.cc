// The door of a member: connections are accepted, and with TLS shake hands, before anybody listens to them.
#include <fmt/format.h>

#include <chrono>
#include <utility>

#include "net/origin.h"
#include "net/server.h"
#include "net/sockets.h"
#include "net/tls.h"

namespace coterie::net {

namespace asio = boost::asio;
using boost::system::error_code;

namespace {

constexpr auto kLongestHandshake =
    std::chrono::seconds(5);  // for a handshake, and for the wait before it
constexpr auto kPause = std::chrono::milliseconds(100);
constexpr auto kNextAdmission = std::chrono::milliseconds(5);

}  // namespace

struct Server::Stranger {
  std::string address;
  std::string origin;
  bool is_members = false;
  Secure stream;
  asio::steady_timer impatience;
};

void Server::accept() {
  accept_one(acceptor_, [this](error_code error, Plain socket) {
    if (error == asio::error::operation_aborted || is_stopping_) return;
    if (error) {  // too many files are open, perhaps: to try at once would not help
      warn(Complaint::connections, error.message(),
           fmt::format("cannot accept a connection: {}", error.message()));
      auto pause = std::make_shared<asio::steady_timer>(io_, kPause);
      return pause->async_wait([this, pause](error_code /*never*/) {
        if (!is_stopping_) accept();
      });
    }
    if (!tls_) {
      welcome(Socket(std::in_place_type<Plain>, std::move(socket)));
    } else {
      await_word(std::move(socket));
    }
    accept();
  });
}

// Who speaks at once has its place; those who keep silent make room for others. So no number of them keeps a member, or a
// client, from being heard.
Server::NewcomerId Server::add_newcomer(std::function<void()> send_away) {
  constexpr std::size_t kMost = 1'024;  // clients of a member that came back may come all at once
  if (newcomers_.size() >= kMost) {
    auto oldest = newcomers_.extract(newcomers_.begin());
    oldest.mapped()();
  }
  newcomers_.emplace(++last_newcomer_, std::move(send_away));
  return last_newcomer_;
}

// A connection that says nothing takes no place at the entrance.
void Server::await_word(Plain socket) {
  error_code ignored;
  const asio::ip::address from = socket.remote_endpoint(ignored).address();
  const auto stranger = std::make_shared<Stranger>(
      Stranger{address_of(socket), origin_of(from), is_members(from),
               Secure(std::move(socket), *tls_), asio::steady_timer(io_, kLongestHandshake)});
  const auto close = [stranger] {
    error_code unheard;
    stranger->stream.next_layer().close(unheard);
  };
  const NewcomerId id = add_newcomer(close);
  stranger->impatience.async_wait([this, close, id](error_code error) {
    if (error) return;
    close();
    if (strangers_.contains(id)) entrance_.done(id);
    turn_away(id);
  });
  stranger->stream.next_layer().async_wait(
      Plain::wait_read, [this, stranger, id](error_code failed) {
        newcomers_.erase(id);
        if (failed || is_stopping_) return stranger->impatience.cancel(), void();
        strangers_.emplace(id, stranger);
        if (const auto sent_away = entrance_.knock(id, stranger->origin, stranger->is_members)) {
          warn(Complaint::connections, "handshakes",
               fmt::format("too many connections wait for a TLS handshake: {} is sent away",
                           strangers_.at(*sent_away)->address));
          turn_away(*sent_away);
        }
        admit_strangers();
      });
}

void Server::turn_away(NewcomerId id) {
  const auto place = strangers_.find(id);
  if (place == strangers_.end()) return;
  error_code ignored;
  place->second->impatience.cancel();
  place->second->stream.next_layer().close(ignored);
  strangers_.erase(place);
}

void Server::admit_strangers() {
  for (const NewcomerId id : entrance_.overdue(now())) {
    entrance_.done(id);
    turn_away(id);
  }
  for (const NewcomerId id : entrance_.admit(now())) shake_hands(id);
  if (!entrance_.has_waiting() || is_stopping_ || std::exchange(is_admission_due_, true)) return;
  next_admission_.expires_after(kNextAdmission);
  next_admission_.async_wait([this](error_code error) {
    is_admission_due_ = false;
    if (!error) admit_strangers();
  });
}

// Its patience was for the wait too: one that waited for all of it is gone.
void Server::shake_hands(NewcomerId id) {
  const auto stranger = strangers_.at(id);
  stranger->stream.async_handshake(Secure::server, [this, stranger, id](error_code failed) {
    stranger->impatience.cancel();
    strangers_.erase(id);
    entrance_.done(id);
    if (is_stopping_) return;
    admit_strangers();
    if (failed)
      return complain(Complaint::handshake, "", stranger->address,
                      trouble_of(stranger->stream, failed));
    welcome(Socket(std::in_place_type<Secure>, std::move(stranger->stream)));
  });
}

// As configured, if that is an address and no name; or as it was found when it was reached last.
bool Server::is_members(const asio::ip::address& from) const {
  for (NodeId member = 0; member < peers_.size(); ++member) {
    if (member == settings_.member.self) continue;
    error_code error;
    const auto configured = asio::ip::make_address(settings_.addresses[member].host, error);
    if ((!error && configured == from) || peers_[member].address == from) return true;
  }
  return false;
}

}  // namespace coterie::net
