// Connections that others make to a member: members that speak, and clients.
#include <fmt/format.h>
#include <spdlog/logger.h>

#include <algorithm>
#include <chrono>
#include <utility>

#include "member/incarnation.h"
#include "net/codec.h"
#include "net/codec_packet.h"
#include "net/origin.h"
#include "net/server.h"
#include "net/tls.h"
#include "net/version.h"
#include "quorum/visible.h"

namespace coterie::net {

namespace asio = boost::asio;
using boost::system::error_code;
using member::Instant;

namespace {

constexpr auto kPatience = std::chrono::seconds(5);  // for a hello
constexpr std::size_t kLongestLabel = 100;
// To a client: what can become of all its names at once, each with the longest of groups, and then some.
constexpr std::size_t kMostUnsent = 32U << 20U;

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

void Server::welcome(Socket socket) {
  const GuestId id = ++last_guest_;
  Guest& guest = guests_[id];
  guest.origin = origin_of(socket);
  guest.channel = new_channel(std::move(socket));
  guest.newcomer = add_newcomer(
      [this, id] { refuse(id, "too many connections that do not say whose they are"); });
  guest.impatience = std::make_unique<asio::steady_timer>(io_, kPatience);
  guest.impatience->async_wait([this, id](error_code error) {
    if (!error) refuse(id, "it did not say who it is");
  });
  guest.channel->start([this, id](const wire::Message& message) { on_guest(id, message); },
                       [this, id](const std::string& reason) {
                         const auto gone = guests_.find(id);
                         if (gone != guests_.end() && gone->second.channel->was_abused())
                           complain(Complaint::bytes, "", gone->second.channel->peer(), reason);
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
      if (!guest.member) return refuse(id, "a frame of members before the hello of a member");
      const auto frame = decode(message.frame());
      if (!frame)
        return refuse(id,
                      "a frame with a field that is out of range, or with text that is not UTF-8");
      if (frame->from != guest.life) return refuse(id, "a frame of another life than its hello");
      const NodeId from = *guest.member;
      think([&](member::Member& brain, Instant at) { brain.receive(from, *frame, at); });
      return;
    }
    case wire::Message::kCall:
      if (guest.session == 0) return refuse(id, "a call before a hello");
      return on_call(id, message.call());
    default:
      return refuse(id, "a message that is neither a hello, a frame nor a call");
  }
}

void Server::on_hello(GuestId id, const wire::Hello& hello) {
  switch (hello.who_case()) {
    case wire::Hello::kMember:
      // Before anything else of it is read: in another version it may mean something else.
      if (std::string fault = fault_of_member_version(hello.version()); !fault.empty())
        return refuse(id, fault);
      return greet_member(id, hello.member());
    case wire::Hello::kClient:
      if (std::string fault = fault_of_client_version(hello.version(), kClientVersion);
          !fault.empty())
        return refuse(id, fault);
      return greet_client(id, hello.client());
    default:
      return refuse(id,
                    "a hello that says neither that it is a member's nor that it is a client's");
  }
}

void Server::greet_member(GuestId id, const wire::MemberHello& hello) {
  Guest& guest = guests_.at(id);
  const auto& names = settings_.member.names;
  const auto place = std::find(names.begin(), names.end(), hello.name());
  if (place == names.end())
    return refuse(id, fmt::format("\"{}\" is no member here; members are: {}",
                                  printable(hello.name()), fmt::join(names, ", ")));
  // Nobody connects to itself: this one lies, and the brain has no link to itself that could take its frames.
  if (hello.name() == settings_.name())
    return refuse(
        id, fmt::format("member {} is this one, and does not connect to itself", settings_.name()));
  const auto member = static_cast<NodeId>(place - names.begin());
  const auto flaw = tls_ ? flaw_of(guest.channel->socket(), peer_authorities_, identity_of(member))
                         : std::nullopt;
  if (flaw)
    return refuse(id, fmt::format("the certificate that was shown for member {} is refused: {}",
                                  hello.name(), *flaw));
  if (hello.cluster() != settings_.cluster())
    return refuse(id,
                  "the configurations differ: " + difference(settings_.name(), settings_.cluster(),
                                                             hello.name(), hello.cluster()),
                  hello.name());
  wire::Message answer;
  answer.mutable_hello()->set_version(kMemberVersion);
  *answer.mutable_hello()->mutable_member() = hello_of_ours();
  if (!identity_ || hello.identity().empty()) {  // one of us does not know its cluster yet
    guest.impatience.reset();
    guest.channel->send(answer);
    leave(id, "");
    // That a cluster is new is believed only of the one that answers at the member's address: see on_peer().
    if (!identity_ && !hello.identity().empty()) hear_of_birth(member, hello);
    return;
  }
  if (hello.identity() != identity_->cluster)
    return refuse(id,
                  difference_of_clusters(settings_.name(), identity_->cluster, hello.name(),
                                         is_seed(hello.identity()) ? hello.identity() : "?"),
                  hello.name());
  if (!brain_ || is_outdated_) return refuse(id, "it begins another life", hello.name());
  if (std::string fault = fault_of_life(member, hello.incarnation()); !fault.empty())
    return refuse(id, fault, hello.name());
  forget_former(member);
  newcomers_.erase(guest.newcomer);
  guest.member = member;
  guest.life = hello.incarnation();
  guest.impatience.reset();
  guest.channel->allow(Limits::kMessage);
  guest.channel->send(answer);
}

// Frames to a member go to its address: whoever answers there is that member, as long as it answers. Another process of the
// same name is refused, and so cannot take its place.
std::string Server::fault_of_life(NodeId member, member::Incarnation life) {
  if (life == 0 || life > member::kLastIncarnation)
    return "its incarnation is 0, or greater than any can be";
  const Peer& peer = peers_[member];
  const std::string& name = settings_.member.names[member];
  if (peer.is_connected && peer.life != life && brain_->reaches(member) && !brain_->doubts(member))
    return fmt::format(
        "member {} runs at {} (incarnation {}), and this is another process of that name "
        "(incarnation {}): stop one of them",
        name, settings_.addresses[member].text(), peer.life, life);
  const member::Incarnation known = brain_->known(member).incarnation;
  if (known != 0 && member::is_leap(known, life))
    return fmt::format(
        "incarnation {} is too far beyond the last one that is known of member {} ({}) to be "
        "believed",
        life, name, known);
  // It is told by the answer to its first frame, and begins another life.
  if (life < known)
    complain(
        Complaint::member, name, settings_.addresses[member].text(),
        fmt::format("incarnation {} is not its last one, which was {}: it has lost its data or "
                    "has an old copy of it, or another process has run with its name",
                    life, known));
  return "";
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
  if (is_stopping_) return refuse(id, "the member is stopping");
  if (!brain_ || is_outdated_) return refuse(id, why_unborn());
  Guest& guest = guests_.at(id);
  const bool is_resumed = hello.session() != 0 && brain_->has_session(hello.session());
  if (!is_resumed && clients() >= settings_.clients)
    return refuse(id, fmt::format("the member has {} clients already, and serves no more "
                                  "(limits.clients)",
                                  settings_.clients));
  newcomers_.erase(guest.newcomer);
  guest.impatience.reset();
  guest.channel->allow_unsent(kMostUnsent);
  guest.session = is_resumed ? hello.session() : new_session();
  if (const auto former = sessions_.find(guest.session); former != sessions_.end()) {
    Guest& before =
        guests_.at(former->second);  // it has lost that connection, and we did not notice
    before.session = 0;
    before.channel->close();
    turns_.erase(former->second);
    guests_.erase(former->second);
  }
  sessions_[guest.session] = id;
  wire::Message answer;
  answer.mutable_hello()->set_version(kClientVersion);
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

// A session whose connection is lost counts until it is over.
std::size_t Server::clients() const { return brain_->sessions() - residents_.size(); }

// Hard to guess: who knows it can go on with it.
member::SessionId Server::new_session() {
  constexpr unsigned kHalf = 32;
  member::SessionId session = 0;
  while (session == 0 || brain_->has_session(session))
    session = (member::SessionId{chance_()} << kHalf) | chance_();
  return session;
}

// The client is told when it is granted: it can take its hold to another member by that.
member::Secret Server::new_secret() {
  constexpr unsigned kHalf = 32;
  const auto half = [this] { return (std::uint64_t{chance_()} << kHalf) | chance_(); };
  return {half(), half()};
}

// One that comes again by the same mistake comes from another port.
void Server::complain(Complaint kind, const std::string& who, const std::string& address,
                      const std::string& reason) {
  const std::string from = who.empty() ? address : fmt::format("member {} at {}", who, address);
  const std::string host = address.substr(0, address.rfind(':'));
  warn(kind, fmt::format("{} {} {}", who, host, reason),
       fmt::format("refused {}: {}", from, reason));
}

void Server::refuse(GuestId id, const std::string& reason, const std::string& member) {
  const auto place = guests_.find(id);
  if (place == guests_.end()) return;
  // It may repeat what the other side has said, of any length.
  constexpr std::size_t kLongestReason = 1'000;
  const std::string shown = quorum::visible_line(reason, kLongestReason);
  wire::Message goodbye;
  goodbye.mutable_goodbye()->set_reason(shown);
  place->second.channel->send(goodbye);
  const bool is_client = place->second.session != 0;
  const bool is_member = place->second.member.has_value() || !member.empty();
  complain(is_client   ? Complaint::call
           : is_member ? Complaint::member
                       : Complaint::hello,
           member, place->second.channel->peer(), shown);
  leave(id, shown);
}

// A client that is gone keeps its session for as long as it may believe, and may come back to it.
void Server::leave(GuestId id, const std::string& reason) {
  const auto place = guests_.find(id);
  if (place == guests_.end()) return;
  Guest guest = std::move(place->second);
  guests_.erase(place);
  newcomers_.erase(guest.newcomer);
  turns_.erase(id);
  guest.channel->close();
  if (guest.session != 0) sessions_.erase(guest.session);
  if (!guest.member) return;
  log_->debug("member {} speaks no more: {}", settings_.member.names[*guest.member], reason);
  const NodeId member = *guest.member;
  think([&](member::Member& brain, Instant at) { brain.disconnected(member, at); });
}

}  // namespace coterie::net
