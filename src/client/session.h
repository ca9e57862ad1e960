// A client's side of its session with a member: what it asks, what it believes, and what follows from what
// it hears. No sockets, no clock and no thread: an Engine (engine.h) gives it connections and the time, and
// tests do so by hand.
//
// Requests live longer than sessions. One that waits is asked again where the client goes next, with the place in
// line that it had. A hold is believed for as long as the session that gave it promised; if the next member grants it
// too before that is over, it has moved there (session_move.cc), and its user has noticed nothing.
#pragma once

#include <proto/coterie.pb.h>

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "coterie/client.h"
#include "member/belief.h"
#include "member/member.h"
#include "member/time.h"

namespace coterie::client {

using member::Duration;
using member::Instant;
using Ticket = member::RequestId;  // of a request or a question, in all sessions

struct Grant {
  std::string group;
  std::uint64_t token = 0;
  Instant until;
};

Reason reason_of(member::Refusal why);
inline constexpr const char* kLostQuorum = "its member lost the quorum that it had";

// Where a session's outputs go, in order. None of these may call the session back.
class Listener {
 public:
  virtual ~Listener() = default;
  virtual void send(const wire::Message& message) = 0;
  // The connection is of no use any more, once what was sent is written: another is needed.
  virtual void part() = 0;
  // Another is needed, and this one is kept meanwhile, unheard: false if there is no other member to go to.
  virtual bool move_on() = 0;
  virtual void close_former() = 0;  // leaves all that is held there
  // What becomes of a request: granted or refused; after granted, lost at most once, and left in the end.
  virtual void granted(Ticket ticket, const Grant& grant) = 0;
  virtual void refused(Ticket ticket, const Refusal& refusal) = 0;
  virtual void renewed(Ticket ticket, Instant until) = 0;
  virtual void lost(Ticket ticket, const std::string& why) = 0;
  virtual void left(Ticket ticket) = 0;
  // It wanted to leave, and is not let out: it is inside as before.
  virtual void stays(Ticket ticket, const Refusal& refusal) = 0;
  // What was asked for an owner is done: it holds, or holds no more.
  virtual void lasts(Ticket ticket, const Grant& grant) = 0;
  // Shown or Surveyed. A question that nobody answers is refused.
  virtual void answered(Ticket ticket, const wire::Event& event) = 0;

 protected:
  Listener() = default;
  Listener(const Listener&) = default;
  Listener& operator=(const Listener&) = default;
};

class Session {
 public:
  // REQUIRES: the listener outlives the session.
  Session(std::string label, Listener& listener) : label_(std::move(label)), out_(listener) {}

  // A connection to a member is there: what to say first. Going on with the session is only possible with
  // the member that gave it.
  wire::Message hello(bool is_same_member, Instant now);
  void welcomed(const wire::Welcome& welcome, Instant now);
  void receive(const wire::Event& event, Instant now);
  void disconnected();
  // No other member is found to move on to.
  void cannot_move();
  // Whether there is a session that its member may still know.
  bool may_resume(Instant now) const;

  // `wish.wait` is not looked at: `end` says until when it waits.
  Ticket acquire(member::Wish wish, Instant end, Instant now);
  // Ends the lasting hold of an owner. `burial.wait` is not looked at.
  Ticket bury(member::Burial burial, Instant end, Instant now);
  // Other numbers for a name.
  Ticket change(member::Change change, Instant now);
  // Leaves, or gives up waiting. In a band it leaves when it may; if that is not before `end`, or not at once for who
  // tries, it stays.
  void release(Ticket ticket, Instant now, Instant end = Instant::never(), bool is_try = false);
  void stay(Ticket ticket, Instant now);  // does not want to leave any more
  void abandon(Ticket ticket);            // is out at once, whether or not it may leave
  Ticket show(const std::string& name, Instant end);
  Ticket survey(Instant end);
  // Leaves everything.
  void close();

  void tick(Instant now);
  Instant next_tick() const;

 private:
  enum class Phase : std::uint8_t {
    waiting,
    inside,
    asking,   // inside, until it is let out
    leaving,  // the member has been told that it is gone, and somebody waits for its answer
  };
  struct Entry {
    member::Wish wish;
    Phase phase = Phase::waiting;
    Instant end = Instant::never();       // waiting: of its patience; else: of belief
    std::uint64_t session = 0;            // inside or leaving: the number of the one that gave it
    std::uint64_t shown_in = 0;           // the number of the one where its ticket was shown last
    bool is_doomed = false;               // inside or asking: told that it cannot last
    Instant stays_at = Instant::never();  // asking: of its patience
    bool is_trying = false;               // asking
    std::uint64_t asked_in = 0;           // asking: the number of the first that was asked, or 0
    std::optional<member::Burial> burial = {};  // waiting: for this instead
    std::size_t times_asked = 0;                // waiting
    std::optional<member::Change> change;       // waiting: for these numbers to hold for the name

    bool is_inside() const { return phase == Phase::inside || phase == Phase::asking; }
  };
  struct Question {
    wire::Call call;
    Instant end;
  };
  using Entries = std::map<Ticket, Entry>;

  void hear(const wire::Event& event, Instant now);
  void on(const wire::Granted& granted, Instant now);
  void on(const wire::Refused& refused, Instant now);
  static bool is_done_before(const Entry& entry, const wire::Refused& refused);
  void on_kept_inside(Entries::iterator place, const wire::Refused& refused);
  void on(const wire::Lost& lost, Instant now);
  void on(const wire::Left& left);
  void on(const wire::Lasts& lasts);
  void on(const wire::Kept& kept);
  void on_ended();
  void on_stopping(Instant now);

  void resume(const wire::Welcome& welcome, Instant now);
  void begin(Instant now);
  bool is_current(const Entry& entry) const {
    return entry.session == number_ && entry.session != former_;
  }
  Ticket add(Entry entry, Instant end, Instant now);
  bool is_moving(const Entry& entry) const {
    return entry.is_inside() && !is_current(entry) && entry.shown_in == number_;
  }
  bool leave_for_another();
  bool is_of_former(const Entry& entry) const {
    return former_ != 0 && entry.session == former_ && entry.is_inside();
  }
  void close_former_if_done();
  void show_ticket(Ticket ticket, Entry& entry, Instant now);
  void resume_move(Ticket ticket, Entry& entry, const wire::Granted* granted, bool is_known,
                   Instant now);
  void moved(Ticket ticket, Entry& entry, const wire::Granted& granted, Instant now);
  void confirm(Ticket ticket, const Entry& entry);
  void want_in(Ticket ticket);
  static void remember(Entry& entry, const wire::Granted& granted);
  void ask(Ticket ticket, Entry& entry, Instant now);
  void let_go(Ticket ticket, bool is_quiet = true);
  void ask_out(Ticket ticket, Entry& entry, Instant now);
  void enter(Ticket ticket, Entry& entry, const wire::Granted& granted, Instant now);
  void renew(Ticket ticket, Entry& entry, const wire::Good& good);
  void lose(Ticket ticket, Entry& entry, const std::string& why);
  Entries::iterator end_of(Entries::iterator place, const std::string& why);
  void keep_alive(Instant now);
  void part_if_stopping();
  void run_out(Ticket ticket, Entry& entry);
  void refuse_unanswered(Instant now);
  Refusal out_of_patience(const Entry& entry) const;
  void call(const wire::Call& call);
  void wake_at(Instant at) { wake_ = std::min(wake_, at); }

  std::string label_;
  Listener& out_;
  Entries entries_;
  std::map<Ticket, Question> questions_;
  Ticket last_ = 0;

  // The session that was given last, whether or not there is a connection.
  std::uint64_t number_ = 0;  // how many were given
  std::uint64_t id_ = 0;      // 0: none, or it is over
  std::uint64_t former_ = 0;  // the number of the one that is left, until all has moved; or 0
  std::string member_;
  Duration length_;
  member::Belief belief_{member::Drift{}};
  bool is_connected_ = false;
  bool is_stopping_ = false;
  Instant heard_;      // something of the member
  Instant last_beat_;  // when it was sent
  Instant next_beat_;  // while connected
  // What a hello said, until it is answered.
  std::uint64_t hello_beat_ = 0;
  Instant hello_at_;

  Instant wake_ = Instant::never();  // not after the first end of an entry or a question
};

}  // namespace coterie::client
