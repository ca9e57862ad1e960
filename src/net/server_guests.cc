// Connections that others make to a member: members that speak, and clients.
#include <fmt/format.h>
#include <spdlog/logger.h>

#include <algorithm>
#include <chrono>
#include <utility>

#include "member/naming.h"
#include "net/codec.h"
#include "net/codec_packet.h"
#include "net/server.h"
#include "net/tls.h"
#include "quorum/visible.h"

namespace coterie::net {

namespace asio = boost::asio;
using boost::system::error_code;
using member::Instant;

namespace {

constexpr auto kPatience = std::chrono::seconds(5);  // for a handshake, and for a hello
constexpr auto kPause = std::chrono::milliseconds(100);
constexpr std::size_t kLongestLabel = 100;

// A label as it may be shown to people.
std::string printable(std::string_view label) {
  std::string shown;
  while (!label.empty()) {
    const quorum::Character first = quorum::first_character(label);
    if (shown.size() + first.bytes > kLongestLabel) break;
    shown += first.is_visible ? label.substr(0, first.bytes) : "?";
    label.remove_prefix(first.bytes);
  }
  return shown.empty() ? "client" : shown;
}

}  // namespace

void Server::accept() {
  acceptor_.async_accept(io_, [this](error_code error, Plain socket) {
    if (error == asio::error::operation_aborted || is_stopping_) return;
    if (error) {  // too many files are open, perhaps: to try at once would not help
      log_->warn("cannot accept a connection: {}", error.message());
      auto pause = std::make_shared<asio::steady_timer>(io_, kPause);
      return pause->async_wait([this, pause](error_code /*never*/) {
        if (!is_stopping_) accept();
      });
    }
    if (guests_.size() + strangers_ >= settings_.clients + peers_.size()) {
      log_->warn("too many connections: at most {} clients are allowed", settings_.clients);
    } else if (!tls_) {
      welcome(Socket(std::in_place_type<Plain>, std::move(socket)));
    } else {
      shake_hands(std::move(socket));
    }
    accept();
  });
}

void Server::shake_hands(Plain socket) {
  struct Stranger {
    std::string address;
    Secure stream;
    asio::steady_timer impatience;
  };
  const auto stranger = std::make_shared<Stranger>(Stranger{
      address_of(socket), Secure(std::move(socket), *tls_), asio::steady_timer(io_, kPatience)});
  ++strangers_;
  stranger->impatience.async_wait([stranger](error_code error) {
    error_code ignored;
    if (!error) stranger->stream.next_layer().close(ignored);
  });
  stranger->stream.async_handshake(Secure::server, [this, stranger](error_code failed) {
    --strangers_;
    stranger->impatience.cancel();
    if (failed) return complain("", stranger->address, trouble_of(stranger->stream, failed));
    welcome(Socket(std::in_place_type<Secure>, std::move(stranger->stream)));
  });
}

void Server::welcome(Socket socket) {
  const GuestId id = ++last_guest_;
  Guest& guest = guests_[id];
  guest.name_shown = name_shown(socket);
  guest.channel = std::make_shared<Channel>(std::move(socket));
  guest.impatience = std::make_unique<asio::steady_timer>(io_, kPatience);
  guest.impatience->async_wait([this, id](error_code error) {
    if (!error) refuse(id, "it did not say who it is");
  });
  guest.channel->start([this, id](const wire::Message& message) { on_guest(id, message); },
                       [this, id](const std::string& reason) {
                         const auto gone = guests_.find(id);
                         if (gone != guests_.end() && gone->second.channel->was_abused())
                           complain("", gone->second.channel->peer(), reason);
                         leave(id, reason);
                       });
}

void Server::on_guest(GuestId id, const wire::Message& message) {
  Guest& guest = guests_.at(id);
  const bool is_greeted = guest.member.has_value() || guest.session != 0;
  switch (message.content_case()) {
    case wire::Message::kHello:
      if (is_greeted) return refuse(id, "a second hello");
      return on_hello(id, message.hello());
    case wire::Message::kFrame: {
      const auto frame = guest.member ? decode(message.frame()) : std::nullopt;
      if (!frame) return refuse(id, "a frame that cannot be");
      const NodeId from = *guest.member;
      think([&](member::Member& brain, Instant at) { brain.receive(from, *frame, at); });
      return;
    }
    case wire::Message::kCall:
      if (guest.session == 0) return refuse(id, "a call before a hello");
      return on_call(id, message.call());
    default:
      return refuse(id, "a message that cannot be");
  }
}

void Server::on_hello(GuestId id, const wire::Hello& hello) {
  if (hello.version() == 0) return refuse(id, "a hello without a version");
  switch (hello.who_case()) {
    case wire::Hello::kMember:
      return greet_member(id, hello.member());
    case wire::Hello::kClient:
      return greet_client(id, hello.client());
    default:
      return refuse(id, "a hello of nobody");
  }
}

void Server::greet_member(GuestId id, const wire::MemberHello& hello) {
  Guest& guest = guests_.at(id);
  const auto& names = settings_.member.names;
  const auto place = std::find(names.begin(), names.end(), hello.name());
  if (place == names.end())
    return refuse(id, fmt::format("\"{}\" is no member here; members are: {}",
                                  printable(hello.name()), fmt::join(names, ", ")));
  if (tls_ && guest.name_shown != hello.name())
    return refuse(id, fmt::format("a certificate of \"{}\" for member {}",
                                  printable(guest.name_shown), hello.name()));
  if (hello.cluster() != settings_.cluster())
    return refuse(id,
                  "the configurations differ: " + difference(settings_.name(), settings_.cluster(),
                                                             hello.name(), hello.cluster()),
                  hello.name());
  const auto member = static_cast<NodeId>(place - names.begin());
  forget_former(member);
  guest.member = member;
  guest.impatience.reset();
  guest.channel->allow(Limits::kMessage);
  wire::Message answer;
  answer.mutable_hello()->set_version(kVersion);
  answer.mutable_hello()->mutable_member()->set_name(settings_.name());
  guest.channel->send(answer);
}

// A member speaks on one connection: of one before, we did not notice that it is broken.
void Server::forget_former(NodeId member) {
  const auto former = std::find_if(guests_.begin(), guests_.end(), [&](const auto& guest) {
    return guest.second.member == member;
  });
  if (former == guests_.end()) return;
  former->second.channel->close();
  guests_.erase(former);
}

void Server::greet_client(GuestId id, const wire::ClientHello& hello) {
  if (!brain_ || is_stopping_) return refuse(id, "the member is stopping");
  Guest& guest = guests_.at(id);
  guest.impatience.reset();
  const bool is_resumed = hello.session() != 0 && brain_->has_session(hello.session());
  guest.session = is_resumed ? hello.session() : new_session();
  if (const auto former = sessions_.find(guest.session); former != sessions_.end()) {
    Guest& before =
        guests_.at(former->second);  // it has lost that connection, and we did not notice
    before.session = 0;
    before.channel->close();
    guests_.erase(former->second);
  }
  sessions_[guest.session] = id;
  wire::Message answer;
  answer.mutable_hello()->set_version(kVersion);
  wire::Welcome& welcome = *answer.mutable_hello()->mutable_welcome();
  welcome.set_session(guest.session);
  welcome.set_session_ns(static_cast<std::uint64_t>(settings_.member.session.ns));
  welcome.set_drift_ppm(static_cast<std::uint64_t>(settings_.member.drift.ppm));
  welcome.set_member(settings_.name());
  welcome.set_is_resumed(is_resumed);
  const member::Member::Standing standing = brain_->standing(guest.session);
  for (const member::Granted& granted : standing.inside) encode(granted, *welcome.add_inside());
  for (const member::RequestId request : standing.waiting) welcome.add_waiting(request);
  guest.channel->send(answer);
  const auto session = guest.session;
  think([&](member::Member& brain, Instant at) {
    if (is_resumed) return brain.keep_alive(session, hello.beat(), at);
    brain.open(session, printable(hello.label()), hello.beat(), at);
  });
}

// Hard to guess: who knows it can go on with it.
member::SessionId Server::new_session() {
  constexpr unsigned kHalf = 32;
  member::SessionId session = 0;
  while (session == 0 || brain_->has_session(session))
    session = (member::SessionId{chance_()} << kHalf) | chance_();
  return session;
}

void Server::on_call(GuestId id, const wire::Call& call) {
  const member::SessionId session = guests_.at(id).session;
  think([&](member::Member& brain, Instant at) {
    switch (call.what_case()) {
      case wire::Call::kKeepAlive:
        return brain.keep_alive(session, call.keep_alive().beat(), at);
      case wire::Call::kAcquire: {
        const auto wish = decode(call.acquire());
        if (!wish) return refuse(id, "a request that cannot be");
        return brain.acquire(session, *wish, at);
      }
      case wire::Call::kRelease: {
        const auto how = decode(call.release());
        if (!how) return refuse(id, "a request that cannot be");
        return brain.release(session, call.release().request(), at, *how);
      }
      case wire::Call::kBury: {
        const auto burial = decode(call.bury());
        if (!burial) return refuse(id, "a request that cannot be");
        return brain.bury(session, *burial, at);
      }
      case wire::Call::kChange: {
        const auto change = decode(call.change());
        if (!change) return refuse(id, "a request that cannot be");
        return brain.change(session, *change, at);
      }
      case wire::Call::kStay:
        return brain.stay(session, call.stay().request(), at);
      case wire::Call::kShow:
        if (std::string fault = member::fault_of_name("the name", call.show().name());
            !fault.empty())
          return tell(session, member::Refused{call.show().request(), member::Refusal::invalid,
                                               std::move(fault)});
        return brain.show(session, call.show().request(), call.show().name(), at);
      case wire::Call::kClose:
        brain.close(session, at);
        return leave(id, "");
      case wire::Call::kSurvey: {
        wire::Message answer;
        wire::Surveyed& surveyed = *answer.mutable_event()->mutable_surveyed();
        surveyed.set_request(call.survey().request());
        survey(surveyed);
        return guests_.at(id).channel->send(answer);
      }
      default:
        return refuse(id, "a call that cannot be");
    }
  });
}

// Who comes again by the same mistake comes from another port.
void Server::complain(const std::string& who, const std::string& address,
                      const std::string& reason) {
  const std::string from = who.empty() ? address : fmt::format("member {} at {}", who, address);
  const std::string host = address.substr(0, address.rfind(':'));
  const bool is_due = complaints_.is_due(fmt::format("{} {} {}", who, host, reason), now());
  log_->log(is_due ? spdlog::level::warn : spdlog::level::debug, "refused {}: {}", from, reason);
}

void Server::refuse(GuestId id, const std::string& reason, const std::string& member) {
  const auto place = guests_.find(id);
  if (place == guests_.end()) return;
  wire::Message goodbye;
  goodbye.mutable_goodbye()->set_reason(reason);
  place->second.channel->send(goodbye);
  complain(member, place->second.channel->peer(), reason);
  leave(id, reason);
}

// A client that is gone keeps its session for as long as it may believe, and may come back to it.
void Server::leave(GuestId id, const std::string& reason) {
  const auto place = guests_.find(id);
  if (place == guests_.end()) return;
  Guest guest = std::move(place->second);
  guests_.erase(place);
  guest.channel->close();
  if (guest.session != 0) sessions_.erase(guest.session);
  if (!guest.member) return;
  log_->debug("member {} speaks no more: {}", settings_.member.names[*guest.member], reason);
  const NodeId member = *guest.member;
  think([&](member::Member& brain, Instant at) { brain.disconnected(member, at); });
}

}  // namespace coterie::net
