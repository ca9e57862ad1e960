// The client library: hold a mutex, have one of a semaphore's places, be in a room with others of the same group, or be
// one of those of whom enough must stay, anywhere in a fleet.
//
//   auto client = coterie::Client::connect({.addresses = {"10.0.0.1:7401", "10.0.0.2:7401"}});
//   if (!client) return complain(client.error().text);
//   auto hold = client->mutex("deploys", coterie::Patience::at_most(30s));
//   if (!hold) return complain(hold.error().text);
//   write_with(hold->token());  // and look at hold->is_valid() now and then
//
// A hold is a promise with an end: it is good until `valid_until`, which the library moves on while the
// cluster lets it. When that fails the hold is *lost*: callbacks and a stop token tell at once. A program
// that does not look, or sleeps too long, is caught by the token, which grows with every entry that
// excludes an earlier one: let what you write to refuse a smaller one than it has seen.
//
// docs/client.md tells the rest. coterie/client_async.h has the forms with Asio's completion tokens.
#pragma once

#include <boost/system/result.hpp>
#include <chrono>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "coterie/clock.h"

namespace coterie {

namespace client {
class Keeper;
struct Held;
}  // namespace client

// ---- errors are values

enum class Reason : std::uint8_t {
  would_wait,    // and it was only to be tried
  timed_out,     // patience ended
  cancelled,     // by its stop token, or because the client was closed
  held_already,  // this client holds the name, or waits for it
  mismatch,      // the name is in use as something else
  invalid,       // an argument that cannot be
  unreachable,   // no member answers
  lost,          // the hold ended before it was released
  must_stay,     // in a band: too few would be left; the hold is as good as before
  look_first,    // between members and this library: what an owner has is looked at, and named
  unheard,       // inside this library: its member was left before it said how a request came out
};
struct Refusal {
  Reason reason{};
  std::string text = {};  // one sentence, for people
};
template <class T>
using Outcome = boost::system::result<T, Refusal>;

// Asking a refused Outcome for its value is a mistake of the caller's, and is thrown as one.
[[noreturn]] inline void throw_exception_from_error(const Refusal& refusal,
                                                    const boost::source_location& /*where*/) {
  throw std::logic_error("value of a refused Outcome: " + refusal.text);
}

// ---- what to ask for

class Patience {
 public:
  static Patience forever() { return {}; }
  static Patience try_once();
  static Patience at_most(std::chrono::nanoseconds time);  // from when it is asked
  static Patience until(Clock::time_point end);

  bool is_try() const { return is_try_; }
  // If one asks now. None: for ever.
  std::optional<Clock::time_point> end(Clock::time_point now) const;

 private:
  bool is_try_ = false;
  std::optional<std::chrono::nanoseconds> time_;
  std::optional<Clock::time_point> end_;
};

// What a name stands for. Who says something else than those who use it is refused (`mismatch`).
struct Kind {
  enum class Type : std::uint8_t { mutex, room, semaphore, band };
  static constexpr std::uint32_t kNoMax = std::numeric_limits<std::uint32_t>::max();

  Type type = Type::mutex;
  std::uint32_t min = 0;  // of a band: so many stay inside, at least
  std::uint32_t max = 1;  // so many are inside, at most; of a room: of so many groups

  bool operator==(const Kind&) const = default;
};

struct Request {
  std::string name;
  Kind kind = {};
  // Of a room: any one will do. Of a band: the one name that the participant goes by.
  std::vector<std::string> groups = {};
  bool is_alone = false;  // in a room, instead of a group: nobody else is inside
  Patience patience = Patience::forever();

  static Request mutex(std::string name, Patience patience = Patience::forever());
  // One of `limit` places.
  static Request semaphore(std::string name, std::uint32_t limit,
                           Patience patience = Patience::forever());
  static Request room(std::string name, std::vector<std::string> groups,
                      Patience patience = Patience::forever());
  // A room with readers, who share it, and writers, who are alone.
  static Request read(std::string name, Patience patience = Patience::forever());
  static Request write(std::string name, Patience patience = Patience::forever());
  // `count` rooms in one: so many groups are inside at once.
  static Request rooms(std::string name, std::uint32_t count, std::vector<std::string> groups,
                       Patience patience = Patience::forever());
  // One of those of whom `min` stay inside, from when so many have been, and at most `max` are. It goes by the name `as`,
  // which no two have at once, and leaves when it may: see Hold::leave.
  static Request band(std::string name, std::string as, std::uint32_t min,
                      std::uint32_t max = Kind::kNoMax, Patience patience = Patience::forever());
};

// ---- what one gets

// Released when it is destroyed; of a band that is abandoned: out at once, as by a crash, whether or not enough stay. Any
// thread may use it, one at a time; callbacks come on the client's own.
class Hold {
 public:
  explicit Hold(std::shared_ptr<client::Held> held);  // for the library
  Hold(Hold&&) noexcept;
  Hold& operator=(Hold&& other) noexcept;
  ~Hold();

  const std::string& name() const;
  // The one of a room, or the name that it goes by in a band; else empty, and for who is alone.
  const std::string& group() const;
  std::uint64_t token() const;
  // It moves on while all is well.
  Clock::time_point valid_until() const;
  bool is_valid() const;
  // One callback, called once, with a sentence for people, as soon as the hold cannot last: at once if it is
  // so already.
  // It may still be valid for a moment, to finish in: see valid_until().
  void on_lost(std::function<void(const std::string& why)> callback);
  // The same as a token that threads and waits understand.
  std::stop_token lost() const;
  // Leaves, and waits until the member knows it; of a band, until it may leave. An error says that the hold was lost before.
  Outcome<void> release();
  // The same with patience. If it may not leave in that time the answer is `must_stay`, or `cancelled` by the stop token;
  // then, and while it waits, the hold is as good as before. Only a band makes one wait.
  Outcome<void> leave(Patience patience, const std::stop_token& cancel = {});
  // This does not wait: `done` is called later, once, on the client's thread, and must not wait there.
  // REQUIRES: not called again before that.
  using Left = std::function<void(Outcome<void>)>;
  void start_leaving(Patience patience, Left done, const std::stop_token& cancel = {});

 private:
  void let_go();
  void watch() const;
  bool is_out();
  Outcome<void> lost_before() const;
  void ask_out(client::Keeper& keeper, const Outcome<void>& before, const Patience& patience,
               Left done, const std::stop_token& cancel);
  std::shared_ptr<client::Held> held_;
};

// Held for an owner, which is a name: it has no lease, a quorum of members has written it down, and it outlives the client
// that asked for it, its machine, and the restart of all members. Client::release_for ends it.
struct LastingHold {
  std::string owner;
  std::string group;
  std::uint64_t token = 0;
};

// What the cluster knows of a name.
struct Status {
  // Of a hold that lasts, as far as members answer.
  enum class Certainty : std::uint8_t {
    sure,      // a quorum has written it down
    doubtful,  // or not: it depends on those that do not answer
    partial,   // too few have: it was never given
  };
  struct Holder {
    std::string client;  // its label; of a hold that lasts, the owner
    std::string member;  // that it is connected to
    std::string group;   // in a band: the name that it goes by
    std::uint64_t token = 0;
    std::chrono::milliseconds since{};     // so long ago, wherever it was then
    std::chrono::milliseconds good_for{};  // if it is not renewed
    bool is_leaving = false;               // in a band: it waits to be let out
    std::string why = {};                  // it is not yet, in words
    bool is_lasting = false;               // at no member, and without end
    Certainty certainty = Certainty::sure;
    // Of a hold that lasts: when it was given, by the clock of the member that gave it. Nothing if that is not known.
    std::optional<std::chrono::system_clock::time_point> given_at = {};
  };
  struct Waiter {
    std::string client;
    std::string member;
    std::vector<std::string> groups;
    std::chrono::milliseconds since{};
    std::string why;  // in words
  };
  std::string name;
  std::string kind;   // "mutex", "room", "semaphore", "band"; empty if the name is not in use
  std::string terms;  // "at most 3", "3 to 8"; empty if the kind says all
  std::uint32_t min = 0;
  std::uint32_t max = 0;  // as in Kind
  bool is_set = false;    // by Client::set: they hold for all
  // The terms before that, while more or fewer are inside than the new ones say, or what they are inside of, while the name
  // becomes something else; else empty.
  std::string former_terms;
  std::vector<Holder> holders;
  std::vector<Waiter> waiters;    // the first is the next
  std::vector<std::string> dark;  // members that did not answer
};

// What a member knows of itself and of the others.
struct Survey {
  struct Peer {
    std::string name;
    std::string address;
    bool is_connected = false;
    bool is_up = false;       // its lease to this member runs
    bool is_doubted = false;  // it has been silent for long
    std::chrono::milliseconds lease_left{};
    std::string trouble;  // why it is not connected
  };
  std::string member;
  std::uint64_t incarnation = 0;  // which start of it this is
  bool is_silent = false;         // it has restarted, and grants nothing yet
  bool has_quorum = false;        // so many others answer it that its clients can enter
  std::uint64_t sessions = 0;     // of its clients
  std::vector<Peer> peers;
  std::vector<std::string> names;                             // that it remembers
  std::vector<std::pair<std::string, std::uint64_t>> counts;  // what happened how often
};

// ---- the client

// PEM files. Members must show a certificate for the host name or address that they are reached at.
struct Tls {
  std::string certificate;  // ours, with those that lead to the authority
  std::string key;
  std::string authority;  // whose certificates we accept
};

struct Options {
  std::vector<std::string> addresses;  // host:port of members; one is enough to work, more to go on
  // The nearest first. Otherwise one begins anywhere, so that clients are spread over the members.
  bool is_in_order = false;
  std::string label = {};  // how others see this client; by default user@host:pid
  std::optional<Tls> tls = {};
  // How long to look for a member, at first and for questions, before giving up.
  std::chrono::milliseconds timeout{2'000};
};

// Any thread may use it. It has one thread of its own, which keeps holds alive and finds another member when
// the one that it uses is gone. Destroyed, it leaves all that it holds.
class Client {
 public:
  static Outcome<Client> connect(Options options);
  Client(Client&&) noexcept;
  Client& operator=(Client&&) noexcept;
  ~Client();

  // These wait. A stop token ends the wait, not a hold that was given.
  Outcome<Hold> acquire(Request request, const std::stop_token& cancel = {});
  Outcome<Hold> mutex(std::string name, Patience patience = Patience::forever(),
                      const std::stop_token& cancel = {});
  Outcome<Hold> room(std::string name, std::vector<std::string> groups,
                     Patience patience = Patience::forever(), const std::stop_token& cancel = {});
  Outcome<Hold> read(std::string name, Patience patience = Patience::forever(),
                     const std::stop_token& cancel = {});
  Outcome<Hold> write(std::string name, Patience patience = Patience::forever(),
                      const std::stop_token& cancel = {});

  // This does not: `done` is called later, once, on the client's thread, and must not wait there.
  using Done = std::function<void(Outcome<Hold>)>;
  void start(Request request, Done done, const std::stop_token& cancel = {});

  // Holds for an owner, or finds that it holds already. These two wait. In a band the owner goes by its own name.
  Outcome<LastingHold> hold_for(const std::string& owner, const Request& request,
                                const std::stop_token& cancel = {});
  // Ends what an owner holds; in a band when it may, or the answer is `must_stay`.
  Outcome<void> release_for(const std::string& owner, const std::string& name,
                            Patience patience = Patience::forever(),
                            const std::stop_token& cancel = {});
  // The operator's way: this very hold ends, whoever is left, and however few members have it.
  Outcome<void> end_lasting(const std::string& owner, const std::string& name, std::uint64_t token,
                            Patience patience = Patience::forever(),
                            const std::stop_token& cancel = {});

  // So many may be inside from now on, or must, for all who use the name, whatever they ask for; what is not given
  // stays as it is. Of a semaphore, of a room, or of a band. Returns what holds now.
  Outcome<Kind> set(const std::string& name, Kind::Type type, std::optional<std::uint32_t> min,
                    std::optional<std::uint32_t> max, const std::stop_token& cancel = {});
  // What the name is from now on, whatever it was: who asks for something else is refused. If it was, all leave that first: nobody
  // comes in, who waits is refused, nobody has to stay. A call that is cancelled may have begun that, which goes on.
  Outcome<void> set_kind(std::string name, const Kind& kind, const std::stop_token& cancel = {});
  // What was set, and whether a floor is armed, when all have left: it is what it is asked for as again. Needs all
  // members.
  Outcome<void> forget(std::string name, const std::stop_token& cancel = {});

  Outcome<Status> status(std::string name);
  Outcome<Survey> survey();    // of the member that it is connected to
  std::string member() const;  // the name of that one; empty while there is none
  const std::string& label() const;

 private:
  friend class EmbeddedMember;
  explicit Client(std::shared_ptr<client::Keeper> keeper);
  std::shared_ptr<client::Keeper> keeper_;
};

}  // namespace coterie
