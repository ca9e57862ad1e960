// A client of a cluster: errands to names that it enters, stays in and leaves, over one session with one member
// at a time. It believes on its own clock, by member/belief.h, whatever becomes of the session.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/random.h"
#include "member/belief.h"
#include "member/events.h"
#include "member/member.h"
#include "sim/torture_plan.h"

namespace coterie::sim::torture {

// What a client says to its member.
struct Open {
  std::string label;
  std::uint64_t beat = 0;
};
struct KeepAlive {
  std::uint64_t beat = 0;
};
struct Leave {
  member::RequestId request = 0;
  member::Duration wait;  // in a band, at most; 0: for ever
};
struct Stay {  // after all
  member::RequestId request = 0;
};
struct Look {
  member::RequestId request = 0;
  std::string name;
};
struct Close {};
using Call = std::variant<Open, KeepAlive, member::Wish, Leave, Stay, member::Burial,
                          member::Change, Look, Close>;

struct Errand {
  enum class Phase : std::uint8_t {
    resting,
    waiting,
    inside,
    parting,   // of a band: inside, until it is told that it has left
    leaving,   // it believes no more to be inside
    changing,  // how many may be
    lasting,   // its owner holds it
    ending,    // the same, until it is told that that is over
    seeking,   // whether its owner holds it: nobody has told it
  };
  Phase phase = Phase::resting;
  std::size_t resource = 0;
  member::Kind kind;
  member::Wish wish;         // as it was asked
  std::string owner;         // of what is to last, or does
  bool is_unwanted = false;  // seeking: it has given up
  bool is_sought = false;    // ending: it was found, and there may be more
  std::set<NodeId> without;  // seeking: members that do not know of it, and cannot be told any more
  member::RequestId request = 0;
  std::uint64_t session = 0;  // in which it was asked for, counted by the client
  member::Origin origin;      // inside: for its ticket
  // Inside, but not by the present member: with which it was asked to take over.
  member::RequestId shown = 0;
  bool may_be_out = false;         // it asked a member to leave that it does not hear any more
  member::Instant asked;           // in this life of its client
  bool is_of_former_life = false;  // it was asked for in another
  member::Instant sought;          // seeking: since then
  member::Instant
      next;  // resting: asks; waiting: gives up; inside: leaves; parting: stays after all
  member::Instant until;  // inside: it believes
  std::string group;      // of a band: the name that it goes by
  member::Number token = 0;
  bool owes = false;  // after everything has healed: it must still enter

  bool is_inside() const { return phase == Phase::inside || phase == Phase::parting; }
  bool wants_out() const { return phase == Phase::parting || phase == Phase::leaving; }
  // Of its owner, whatever becomes of its client.
  bool is_durable() const { return phase >= Phase::lasting; }
};

// Why a client is inside no more.
enum class Ending : std::uint8_t { left, crashed, lost, ran_out, abandoned };

class ClientOutlet {
 public:
  virtual ~ClientOutlet() = default;
  virtual void connect(NodeId member) = 0;
  virtual void abandon() = 0;  // the connection, without a word
  virtual void call(const Call& call) = 0;
  virtual void begins(std::size_t errand) = 0;  // to believe
  virtual void extends(std::size_t errand) = 0;
  virtual void moves(std::size_t errand) = 0;  // to the present member
  virtual void parts(std::size_t errand) = 0;  // if it may: it has asked to leave
  virtual void stays(std::size_t errand) = 0;  // after all, or since it must
  virtual void ends(std::size_t errand, Ending why) = 0;

 protected:
  ClientOutlet() = default;
  ClientOutlet(const ClientOutlet&) = default;
  ClientOutlet& operator=(const ClientOutlet&) = default;
};

class Client {
 public:
  Client(const Plan& plan, std::uint32_t number, std::string label, Random random,
         ClientOutlet& out);

  // With what an earlier life of it had to remember.
  void start(member::Instant now, const std::vector<Errand>& former = {});
  void tick(member::Instant now);
  member::Instant next_tick() const;
  void hear(const member::Event& event, member::Instant now);
  void broken(member::Instant now);  // the connection is
  void move(member::Instant now);    // to another member, without a word
  void crash();                      // it believes nothing any more
  // Every errand that is not inside must enter, however long it takes; the others go on as ever.
  void promise(member::Instant now);
  bool owes() const;
  // No new errands.
  void finish(member::Instant now);
  // It is nowhere any more, but for bands that it wants to leave.
  bool is_finished() const;
  void close();

  const std::vector<Errand>& errands() const { return errands_; }
  const std::string& label() const { return label_; }
  bool is_connected() const { return is_connected_; }
  // The session in which it holds is the one that it has.
  bool is_current(const Errand& errand) const {
    return is_connected_ && errand.session == session_;
  }
  // Or it is about to be: the member has been shown its ticket.
  bool is_moving(const Errand& errand) const { return is_connected_ && errand.shown != 0; }
  // At least so often it says that it is there; without an answer for so long it looks for another member.
  static member::Duration beat_every(const Plan& plan);
  static member::Duration patience(const Plan& plan);

 private:
  void connect(member::Instant now);
  void disconnect(member::Instant now, member::Duration for_so_long);
  void keep_alive(member::Instant now);
  // At another member: torture_move.cc
  void go_on(member::Instant now);
  bool stays_in_line(const Errand& errand) const;
  void show_ticket(Errand& errand, member::Instant now);
  void on_moved(std::size_t index, const member::Granted& granted, member::Instant now);
  std::size_t find_moving(member::RequestId request) const;
  // Holds that last: torture_lasting.cc
  void remember(const std::vector<Errand>& former, member::Instant now);
  bool is_owned(std::size_t resource, const Errand& but) const;
  static void seek(Errand& errand, member::Instant now);
  static void seek_on(Errand& errand, member::Instant now);
  bool is_nowhere(Errand& errand, const std::vector<NodeId>& dark) const;
  void it_lasts(std::size_t index, const std::string& group, member::Number token,
                member::Instant now);
  void end_lasting(std::size_t index);
  void step_lasting(std::size_t index, member::Instant now);
  bool on_refused_end(std::size_t index, const member::Refused& refused, member::Instant now);
  void step(std::size_t index, member::Instant now);
  void ask(Errand& errand, member::Instant now);
  std::size_t choose_resource(const Errand& errand);
  member::Wish wish_of(Errand& errand);
  std::string name_of(const Errand& errand) const;
  void mistake(member::Wish& wish);
  std::vector<std::string> groups_of(const Errand& errand);
  void give_up(Errand& errand);
  const member::Kind& kind_of(std::size_t resource) const;
  bool change(Errand& errand);
  bool reform(Errand& errand);
  void part(std::size_t index, member::Instant now);
  void stay(std::size_t index, member::Instant now);
  void leave(std::size_t index, Ending why, member::Instant now);
  void leave_all(member::Instant now);
  void end(std::size_t index, Ending why, member::Instant now);
  void rest(Errand& errand, member::Instant now);
  std::size_t find(member::RequestId request) const;  // errands_.size(): none
  member::Instant believed(const member::Good& good, member::Instant now) const;
  member::Duration draw(const Distribution& distribution);
  member::Duration draw_hold();

  void on(const member::Granted& granted, member::Instant now);
  void on(const member::Refused& refused, member::Instant now);
  void on(const member::Lost& lost, member::Instant now);
  void on(const member::Left& left, member::Instant now);
  void on(const member::Lasts& lasts, member::Instant now);
  void on(const member::Kept& kept, member::Instant now);
  void on(const member::Ended& ended, member::Instant now);
  void on(const member::Stopping& stopping, member::Instant now);
  void on(const member::Shown& shown, member::Instant now);

  const Plan& plan_;
  std::uint32_t number_;
  std::string label_;
  Random random_;
  ClientOutlet& out_;
  std::vector<Errand> errands_;
  std::vector<bool> is_other_;  // of each name: it asks for the other kind
  member::Belief belief_;
  std::uint64_t session_ = 0;
  NodeId member_ = 0;
  bool is_connected_ = false;
  bool is_finishing_ = false;
  std::optional<member::Instant> promised_;  // when everything healed
  bool is_closed_ = false;
  member::RequestId last_request_ = 0;
  member::Instant heard_;
  member::Instant next_beat_;  // or, without a connection, when it looks for one
};

}  // namespace coterie::sim::torture
