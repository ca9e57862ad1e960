// A client's side of its session with a member: what it asks, what it believes, and what follows from what
// it hears. No sockets, no clock and no thread: a driver gives it connections and the time. The drivers are
// client::Engine, with real ones; torture (sim/torture_client.h), with simulated ones; and tests, by hand.
//
// Requests live longer than sessions. One that waits is asked again where the client goes next, with the place in
// line that it had. A hold is believed for as long as the session that gave it promised; if the next member grants it
// too before that is over, it has moved there (move.cc), and its user has noticed nothing.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "api/belief.h"
#include "api/calls.h"
#include "api/events.h"
#include "api/hello.h"
#include "coterie/client.h"

namespace coterie::session {

using api::Duration;
using api::Instant;
using Ticket = api::RequestId;  // of a request or a question, in all sessions

struct Grant {
  std::string group;
  std::uint64_t token = 0;
  Instant until;
};

// Where a session's outputs go, in order. None of these may call the session back.
class Listener {
 public:
  virtual ~Listener() = default;
  virtual void send(const api::Call& call) = 0;
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

 protected:
  Listener() = default;
  Listener(const Listener&) = default;
  Listener& operator=(const Listener&) = default;
};

class Session {
 public:
  // REQUIRES: the listener outlives the session.
  Session(std::string label, Listener& listener) : label_(std::move(label)), out_(listener) {}
  virtual ~Session() = default;
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  // A connection to a member is there: what to say first. Going on with the session is only possible with
  // the member that gave it.
  api::Hello hello(bool is_same_member, Instant now);
  void welcomed(const api::Welcome& welcome, Instant now);
  void receive(const api::Event& event, Instant now);
  // The member has answered a question (show, survey). The driver keeps the answer itself, since the session decides nothing
  // by it. False: nobody waits for that answer any more. A question that no member answers is refused.
  bool answered(Ticket question, Instant now);
  void disconnected();
  // No other member is found to move on to.
  void cannot_move();
  // Whether there is a session that its member may still know.
  bool may_resume(Instant now) const;
  // Whether it is inside by the session that was given last: that one's member let it in, or took it over.
  bool is_here(Ticket ticket) const;

  // `wish.wait` is not looked at: `end` says until when it waits.
  Ticket acquire(api::Wish wish, Instant end, Instant now);
  // Ends the lasting hold of an owner. `burial.wait` is not looked at.
  Ticket bury(api::Burial burial, Instant end, Instant now);
  // Other numbers for a name.
  Ticket change(api::Change change, Instant now);
  // Leaves, or gives up waiting. In a band it leaves when it may; if that is not before `end`, or not at once for who
  // tries, it stays.
  void release(Ticket ticket, Instant now, Instant end = Instant::never(), bool is_try = false);
  void stay(Ticket ticket, Instant now);  // does not want to leave any more
  // Is out at once, whether or not it may leave. A request for an owner is answered when its member has said how it came out:
  // arbiters may be writing it down.
  void abandon(Ticket ticket, Instant now);
  Ticket show(const std::string& name, Instant end);
  Ticket survey(const std::string& after, Instant end);  // with the names after this one
  // Leaves everything.
  void close();

  void tick(Instant now);
  Instant next_tick() const;

 protected:  // for mutants (mutants/session.h), which get the virtual ones wrong
  enum class Phase : std::uint8_t {
    waiting,
    inside,
    asking,     // inside, until it is let out
    leaving,    // the member has been told that it is gone, and somebody waits for its answer
    giving_up,  // for an owner: it is not wanted any more; the member says how it came out
  };
  struct Entry {
    api::Wish wish;
    Phase phase = Phase::waiting;
    Instant end = Instant::never();       // waiting: of its patience; else: of belief
    Instant since = {};                   // inside: when it was granted first
    std::uint64_t session = 0;            // inside or leaving: the number of the one that gave it
    std::uint64_t shown_in = 0;           // the number of the one where its ticket was shown last
    std::string shown_to = {};            // that member, until it answers
    bool is_doomed = false;               // inside or asking: told that it cannot last
    Instant stays_at = Instant::never();  // asking: of its patience
    bool is_trying = false;               // asking
    std::uint64_t asked_in = 0;           // asking: the number of the first that was asked, or 0
    std::optional<api::Burial> burial = {};  // waiting: for this instead
    std::size_t times_asked = 0;             // waiting
    std::optional<api::Change> change;       // waiting: for these numbers to hold for the name
    std::optional<Refusal> refusal = {};     // giving up: if nothing came of it

    bool is_inside() const { return phase == Phase::inside || phase == Phase::asking; }
  };
  struct Question {
    api::Call call;
    Instant end;
  };
  using Entries = std::map<Ticket, Entry>;

  void on(const api::Granted& granted, Instant now);
  void on(const api::Refused& refused, Instant now);
  void on_kept_inside(Entries::iterator place, const api::Refused& refused);
  void on(const api::Lost& lost, Instant now);
  void on(const api::Left& left, Instant now);
  void on(const api::Lasts& lasts, Instant now);
  void on(const api::Kept& kept, Instant now);
  void on(const api::Ended& ended, Instant now);
  void on(const api::Stopping& stopping, Instant now);
  void on(const api::Shown& /*shown*/, Instant /*now*/) {}  // a driver says so by answered()

  void resume(const api::Welcome& welcome, Instant now);
  void begin(Instant now);
  // Until when a promise of the present member is believed.
  virtual Instant believed(const api::Good& good, Instant /*now*/) const {
    return belief_.until(good);
  }
  bool is_current(const Entry& entry) const {
    return entry.session == number_ && entry.session != former_;
  }
  Ticket add(Entry entry, Instant end, Instant now);
  Ticket question(Ticket ticket, api::Call asked, Instant end);
  // A keep-alive renews what its own member gave, and nothing else.
  virtual bool is_renewable(const Entry& entry) const {
    return entry.is_inside() && is_current(entry);
  }
  // Of a hold that a member which we do not hear any more was asked to let out: it may have done so.
  virtual bool may_be_out(const Entry& entry) const { return entry.asked_in != number_; }
  bool is_moving(const Entry& entry) const {
    return entry.is_inside() && !is_current(entry) && entry.shown_in == number_;
  }
  bool leave_for_another();
  bool is_of_former(const Entry& entry) const {
    return former_ != 0 && entry.session == former_ && entry.is_inside();
  }
  void close_former_if_done();
  virtual void show_ticket(Ticket ticket, Entry& entry, Instant now);
  // Another member may be about to take it over, and nobody could stop that.
  virtual bool is_shown_elsewhere(const Entry& entry) const {
    return !entry.shown_to.empty() && entry.shown_to != member_;
  }
  virtual void on_refused_move(Entry& entry) {  // it stays what it was
    entry.shown_in = 0;
    entry.shown_to.clear();
  }
  // What the new member grants was held without a break: until now it was believed, by what the former one gave.
  virtual bool is_unbroken(const Entry& entry, const api::Granted& granted, Instant now) const {
    return now < entry.end && granted.token == entry.wish.ticket->token;
  }
  void resume_move(Ticket ticket, Entry& entry, const api::Granted* granted, bool is_known,
                   Instant now);
  void moved(Ticket ticket, Entry& entry, const api::Granted& granted, Instant now);
  void confirm(Ticket ticket, const Entry& entry);
  virtual void remember(Entry& entry, const api::Granted& granted);
  void ask(Ticket ticket, Entry& entry, Instant now);
  virtual void let_go(Ticket ticket, bool is_quiet = true);
  void ask_out(Ticket ticket, Entry& entry, Instant now);
  void enter(Ticket ticket, Entry& entry, const api::Granted& granted, Instant now);
  void renew(Ticket ticket, Entry& entry, const api::Good& good, Instant now);
  void lose(Ticket ticket, Entry& entry, const std::string& why);
  Entries::iterator end_of(Entries::iterator place, const std::string& why);
  void keep_alive(Instant now);
  // Leases may be shorter than sessions: what is promised until then must be renewed before.
  void renew_before(Instant until, Instant now);
  Duration usual_beat() const;
  void part_if_stopping();
  bool is_busy_with_stopping();
  bool run_out(Ticket ticket, Entry& entry, Instant now);  // whether it is over
  static bool may_be_under_way(const Entry& entry) {
    const bool is_for_owner = entry.burial || !entry.wish.owner.empty();
    return entry.phase == Phase::waiting && is_for_owner && entry.times_asked > 0;
  }
  // An end that names its token, and a vote, have the same effect however often they are asked for.
  static bool may_be_repeated(const Entry& entry) {
    return entry.burial && (entry.burial->token != 0 || entry.burial->how != api::Burial::How::end);
  }
  void withdraw(Ticket ticket, Entry& entry, Refusal refusal, Instant now);
  Entries::iterator end_unheard(Entries::iterator place);
  void refuse_unanswered(Instant now);
  Refusal out_of_patience(const Entry& entry) const;
  void call(const api::Call& call);
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
  // No entry before these keeps the former member, or one that stops, waiting. What has stopped to do so never does
  // again, so that they only go on, and a look at all entries is not needed for each event.
  Ticket former_from_ = 0;
  Ticket stopping_from_ = 0;
  std::string member_;
  Duration length_;
  api::Belief belief_{api::Drift{}};
  bool is_connected_ = false;
  bool is_stopping_ = false;
  Instant heard_;      // something of the member
  Instant last_beat_;  // when it was sent
  Instant next_beat_;  // while connected
  Duration beat_every_;
  // What a hello said, until it is answered.
  std::uint64_t hello_beat_ = 0;
  Instant hello_at_;

  Instant wake_ = Instant::never();  // not after the first end of an entry or a question
};

}  // namespace coterie::session
