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
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <unordered_map>
#include <vector>

#include "member/member.h"
#include "net/alarm.h"
#include "net/allowance.h"
#include "net/channel.h"
#include "net/clock.h"
#include "net/complaints.h"
#include "net/entrance.h"
#include "net/founding.h"
#include "net/identity.h"
#include "net/rebirths.h"
#include "net/settings.h"
#include "net/store.h"
#include "net/tls.h"
#include "net/turns.h"

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
  struct Launch {
    bool is_new = false;  // no member of this cluster has ever run
    // So many members have lost their data that those which have it are no quorum: go on with what is left.
    bool accepts_loss = false;
  };
  // Listens, but does nothing before start(). Refused if the data folder is not this member's (identity.h).
  static Result<std::unique_ptr<Server>> make(boost::asio::io_context& io, Settings settings,
                                              const Launch& launch, Log log);
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
    } else if (brain_->outdated()) {
      notice_outdated();
    } else {
      watch();
      arm();
    }
    return true;
  }
  // Does it when there is a brain that can serve, or will be none.
  void call_when_born(std::function<void()> does);
  const member::Member* brain() const { return brain_.get(); }
  void survey(const std::string& after, wire::Surveyed& to) const;

  const Settings& settings() const { return settings_; }
  std::uint16_t port() const;  // where it listens

 private:
  enum class Heard : std::uint8_t { never, well, late, not_now, left };
  struct Peer {
    std::shared_ptr<Dial> dial;        // while it is looked for
    std::shared_ptr<Channel> channel;  // that we made; none: we try again
    bool is_connected = false;         // it has answered our hello
    member::Incarnation life = 0;      // as it said then
    std::unique_ptr<boost::asio::steady_timer> again;
    boost::asio::ip::address address;  // where it was reached last
    std::string trouble;               // why there is no connection
    Heard heard = Heard::never;
    bool is_up = false;  // its lease to us ran when we looked last
  };
  using NewcomerId = std::uint64_t;
  struct Guest {  // a connection that was accepted
    std::shared_ptr<Channel> channel;
    std::unique_ptr<boost::asio::steady_timer> impatience;  // until it has said who it is
    NewcomerId newcomer = 0;
    std::optional<NodeId> member;
    member::Incarnation life = 0;   // of the member
    member::SessionId session = 0;  // 0: none yet
    std::string origin;             // origin.h
  };
  using GuestId = std::uint64_t;

  Server(boost::asio::io_context& io, Settings settings, const Launch& launch, Store store,
         Log log);
  Result<void> prepare();

  // server_birth.cc
  static Result<std::optional<Identity>> find_identity(const Store& store);
  Result<void> guard_folder();
  bool has_data() const;
  void set_identity(Identity identity);
  void await_birth();
  void hear_of_birth(NodeId peer, const wire::MemberHello& hello);
  void hear_of_founding(NodeId peer, const wire::MemberHello& hello);
  void try_birth();
  member::Birth birth_of_founder() const;
  std::string why_unborn() const;  // to clients
  void join_cluster();
  void be_born(Identity::Seeds seeds, member::Birth birth);
  void begin_life(member::Birth birth, member::Incarnation above = 0);
  void stop_founding();
  void await_loss();
  void notice_outdated();
  void begin_again();
  void hang_up();
  [[nodiscard]] std::optional<Error> put_aside(const std::string& folder, member::Incarnation last);
  [[nodiscard]] std::optional<Error> open_again();
  void dial_all();
  wire::MemberHello hello_of_ours() const;

  static member::Instant now();
  void arm();

  void accept();
  // A connection of which nobody knows yet whose it is. When there are too many, the oldest must go.
  NewcomerId add_newcomer(std::function<void()> send_away);
  // With TLS, until its handshake is done: server_door.cc
  struct Stranger;
  void await_word(Plain socket);
  void admit_strangers();
  void shake_hands(NewcomerId id);
  void turn_away(NewcomerId id);
  bool is_members(const boost::asio::ip::address& from) const;
  void welcome(Socket socket);
  void on_guest(GuestId id, const wire::Message& message);
  void on_hello(GuestId id, const wire::Hello& hello);
  void greet_member(GuestId id, const wire::MemberHello& hello);
  std::string fault_of_life(NodeId member, member::Incarnation life);
  void forget_former(NodeId member);
  void greet_client(GuestId id, const wire::ClientHello& hello);
  // Calls of clients: server_calls.cc
  void on_call(GuestId id, const wire::Call& call);
  bool must_wait(Guest& guest, const wire::Call& call);
  void call_later(GuestId id, const wire::Call& call);
  void take_turns_after(std::chrono::milliseconds pause);
  void take_turns();
  void answer(GuestId id, const wire::Call& call);
  std::size_t clients() const;
  member::SessionId new_session();
  member::Secret new_secret();
  void refuse(GuestId id, const std::string& reason, const std::string& member = "");
  void complain(Complaint kind, const std::string& who, const std::string& address,
                const std::string& reason);
  // A line of the log, unless there were too many of its kind.
  void warn(Complaint kind, const std::string& sameness, const std::string& line,
            bool is_wrong = true);
  void tell_left_out();
  void leave(GuestId id, const std::string& reason);
  MemberIdentity identity_of(NodeId member) const;  // that its certificate must show

  void dial(NodeId peer);
  void dial_again(NodeId peer, const std::string& trouble, bool is_refused = false);
  void speak(NodeId peer, Socket socket);
  void on_peer(NodeId peer, const wire::Message& message);
  void finish_stop();

  void watch();
  Heard heard_from(NodeId peer) const;
  void tell_of_peer(NodeId peer, Heard before);
  bool hears_quorum() const;

  // Calls that members must write down, or that make them look at much. An origin may be a machine with many clients.
  static constexpr Allowances::Rates kCostly{.session = 2'000, .origin = 4'000, .all = 8'000};

  // The brain's outputs
  void save(const member::Durable& durable) override;
  void keep(const std::string& name, const Bytes& keepsake) override;
  void warn_of_store();
  std::uint64_t durable_number() const override { return store_->durable_sequence(); }
  std::uint64_t time_of_day() const override { return coterie::time_of_day(); }
  void fail_if(const std::optional<Error>& error);
  bool sync();
  std::shared_ptr<Channel> new_channel(Socket socket);
  void send(NodeId to, const member::Frame& frame) override;
  void tell(member::SessionId session, const member::Event& event) override;
  std::optional<member::Number> recall(member::SessionId session,
                                       member::RequestId request) override;

  boost::asio::io_context& io_;
  Settings settings_;
  Launch launch_;
  std::optional<Store> store_;  // none while its files are put aside
  std::optional<Identity> identity_;
  // Until there is an identity: whether the cluster is new, and which one others are of.
  Founding founding_;
  std::map<NodeId, Identity::Seeds> heard_clusters_;
  std::vector<std::function<void()>> when_born_;
  bool is_reading_ = false;  // what the store has goes to the brain
  Log log_;
  std::optional<boost::asio::ssl::context> tls_;
  Authorities peer_authorities_;  // with TLS
  boost::asio::ip::tcp::acceptor acceptor_;
  Alarm timer_;
  member::Instant armed_ = member::Instant::never();
  Alarm loss_;  // to accept it, or to begin another life
  bool is_outdated_ = false;
  Rebirths rebirths_;
  member::Instant born_{};  // when this life began
  std::unique_ptr<member::Member> brain_;
  std::vector<Peer> peers_;
  std::unordered_map<GuestId, Guest> guests_;
  std::unordered_map<member::SessionId, GuestId> sessions_;  // that have a connection
  std::unordered_map<member::SessionId, Resident*> residents_;
  GuestId last_guest_ = 0;
  std::map<NewcomerId, std::function<void()>>
      newcomers_;  // how each is sent away, the oldest first
  NewcomerId last_newcomer_ = 0;
  Entrance entrance_{{}};
  std::unordered_map<NewcomerId, std::shared_ptr<Stranger>> strangers_;  // at the entrance
  boost::asio::steady_timer next_admission_;
  bool is_admission_due_ = false;
  Allowances allowances_{kCostly};
  Turns turns_;
  boost::asio::steady_timer next_turn_;
  bool is_turn_due_ = false;
  // What was kept and is not known to be on disk: nothing that may rest on it leaves before it is.
  bool is_unsafe_ = false;
  std::optional<std::pair<std::string, Bytes>> kept_;  // last
  struct Seen {                                        // and logged
    bool has_quorum = false;
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
