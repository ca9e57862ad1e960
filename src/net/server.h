// A member on real sockets, a real clock and a real disk: the driver of member::Member. Everything happens on
// one thread, that of the io_context: the brain needs no lock.
//
// A member speaks on the connections that it makes and listens on those that it accepts, so between two
// members there are two, and who finds the other gone knows at once whether it was heard.
#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/ssl/context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <functional>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <unordered_map>
#include <vector>

#include "member/member.h"
#include "net/channel.h"
#include "net/complaints.h"
#include "net/settings.h"
#include "net/store.h"

namespace spdlog {
class logger;
}

namespace coterie::net {

class Dial;

// A client in the same process as its member. What it hears comes on the server's thread and in the middle of a
// step of the brain: it must not call the server back.
class Resident {
 public:
  virtual ~Resident() = default;
  virtual void hear(const member::Event& event) = 0;
  // See Outlet.
  virtual std::optional<member::Number> recall(member::RequestId request) = 0;

 protected:
  Resident() = default;
  Resident(const Resident&) = default;
  Resident& operator=(const Resident&) = default;
};

class Server final : private member::Outlet {
 public:
  using Log = std::shared_ptr<spdlog::logger>;
  // Listens, but does nothing before start(). `is_new` says that no member of this cluster has ever run.
  static Result<std::unique_ptr<Server>> make(boost::asio::io_context& io, Settings settings,
                                              bool is_new, Log log);
  ~Server() override;
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  void start();
  // Lets its clients leave, says farewell, and then calls `done`.
  void stop(std::function<void()> done);
  // Reads certificates and keys again, for connections to come. Those that others would refuse are not taken.
  void renew_certificates();
  // It cannot go on: what it had to save could not be saved. Then it grants nothing any more.
  void on_failure(std::function<void(const std::string& reason)> failed) {
    on_failure_ = std::move(failed);
  }

  // A session for a client in this process, until it is dismissed; 0 if nobody is served any more. Like all
  // that follows, on the server's own thread.
  member::SessionId admit(std::string label, Resident& resident);
  void dismiss(member::SessionId session);
  // Every input to the brain goes through here. False: there is no brain any more.
  template <class Does>
  bool think(const Does& does) {
    if (!brain_ || has_failed_ || brain_->is_stopped()) return false;
    does(*brain_, now());
    if (brain_->is_stopped()) {
      finish_stop();
    } else {
      watch();
      arm();
    }
    return true;
  }
  const member::Member* brain() const { return brain_.get(); }
  void survey(wire::Surveyed& to) const;

  const Settings& settings() const { return settings_; }
  std::uint16_t port() const;  // where it listens

 private:
  enum class Heard : std::uint8_t { never, well, late, not_now };
  struct Peer {
    std::shared_ptr<Dial> dial;        // while it is looked for
    std::shared_ptr<Channel> channel;  // that we made; none: we try again
    bool is_connected = false;         // it has answered our hello
    std::unique_ptr<boost::asio::steady_timer> again;
    std::string trouble;  // why there is no connection
    Heard heard = Heard::never;
  };
  struct Guest {  // a connection that was accepted
    std::shared_ptr<Channel> channel;
    std::unique_ptr<boost::asio::steady_timer> impatience;  // until it has said who it is
    std::string name_shown;                                 // by its certificate
    std::optional<NodeId> member;
    member::SessionId session = 0;  // 0: none yet
  };
  using GuestId = std::uint64_t;

  Server(boost::asio::io_context& io, Settings settings, bool is_new, Store store, Log log);
  Result<void> prepare();

  static member::Instant now();
  void arm();

  void accept();
  void shake_hands(Plain socket);
  void welcome(Socket socket);
  void on_guest(GuestId id, const wire::Message& message);
  void on_hello(GuestId id, const wire::Hello& hello);
  void greet_member(GuestId id, const wire::MemberHello& hello);
  void forget_former(NodeId member);
  void greet_client(GuestId id, const wire::ClientHello& hello);
  void on_call(GuestId id, const wire::Call& call);
  member::SessionId new_session();
  void refuse(GuestId id, const std::string& reason, const std::string& member = "");
  void complain(const std::string& who, const std::string& address, const std::string& reason);
  void leave(GuestId id, const std::string& reason);

  void dial(NodeId peer);
  void dial_again(NodeId peer, const std::string& trouble, bool is_refused = false);
  void speak(NodeId peer, Socket socket);
  void on_peer(NodeId peer, const wire::Message& message);
  void finish_stop();

  void watch();
  Heard heard_from(NodeId peer) const;
  void tell_of_peer(NodeId peer, Heard before, bool has_left);
  bool hears_quorum() const;

  static constexpr std::uint32_t kVersion = 1;  // of what is said

  // The brain's outputs
  void save(const member::Durable& durable) override;
  void keep(const std::string& name, const Bytes& keepsake) override;
  void fail_if(const std::optional<Error>& error);
  void send(NodeId to, const member::Frame& frame) override;
  void tell(member::SessionId session, const member::Event& event) override;
  std::optional<member::Number> recall(member::SessionId session,
                                       member::RequestId request) override;

  boost::asio::io_context& io_;
  Settings settings_;
  bool is_new_;
  Store store_;
  Log log_;
  std::optional<boost::asio::ssl::context> tls_;
  boost::asio::ip::tcp::acceptor acceptor_;
  boost::asio::steady_timer timer_;
  member::Instant armed_ = member::Instant::never();
  std::unique_ptr<member::Member> brain_;
  std::vector<Peer> peers_;
  std::unordered_map<GuestId, Guest> guests_;
  std::unordered_map<member::SessionId, GuestId> sessions_;  // that have a connection
  std::unordered_map<member::SessionId, Resident*> residents_;
  GuestId last_guest_ = 0;
  std::size_t strangers_ = 0;  // who are about to show their certificates
  struct Seen {                // and logged
    bool has_quorum = false;
    std::uint64_t farewells = 0;
    std::uint64_t lapses = 0;
    std::uint64_t losses = 0;
  } seen_;
  Complaints complaints_;
  std::random_device chance_;
  std::function<void()> on_stopped_;
  std::function<void(const std::string&)> on_failure_;
  bool has_failed_ = false;
  bool is_stopping_ = false;
  wire::Message outgoing_;  // it keeps its room
};

}  // namespace coterie::net
