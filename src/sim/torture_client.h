// A client of a cluster: errands to names that it enters, stays in and leaves. What it asks for, and when it leaves, moves or
// crashes, is decided here. What it may believe, what it shows to another member and what it gives back is decided by the
// session that ships (session/session.h): this is a driver of that, like client::Engine, and finds its member by the same Road.
#pragma once

#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "api/hello.h"
#include "base/random.h"
#include "member/api.h"
#include "member/member.h"
#include "session/change_call.h"
#include "session/ended_holds.h"
#include "session/road.h"
#include "session/session.h"
#include "sim/torture_operation.h"
#include "sim/torture_plan.h"

namespace coterie::sim::torture {

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
  std::string owner;         // of what is to last, or does
  bool is_unwanted = false;  // seeking: it has given up
  bool is_sought = false;    // waiting or ending: there may be more, of an earlier life
  bool may_be_over =
      false;  // ending: that was asked for before, and nobody has said how it came out
  std::set<NodeId> without;  // seeking: members that do not know of it, and cannot be told any more
  session::Ticket ticket = 0;      // of what the session does for it; 0: nothing
  std::uint64_t session = 0;       // inside: the number of the one that gave it, or took it over
  bool is_doomed = false;          // inside: it was told that it cannot last
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
  // It is nowhere any more, but perhaps in a band that it wants to leave.
  bool is_finished() const {
    return phase == Phase::resting || (kind.type == member::Type::band && wants_out());
  }
  // Of its owner, whatever becomes of its client.
  bool is_durable() const { return phase >= Phase::lasting; }
};

// Why a client is inside no more.
enum class Ending : std::uint8_t { left, crashed, lost, ran_out, abandoned };

class ClientOutlet {
 public:
  virtual ~ClientOutlet() = default;
  // Over a new connection.
  virtual void greet(NodeId member, const api::Hello& hello) = 0;
  virtual void abandon() = 0;       // the connection, without a word
  virtual void set_aside() = 0;     // the connection is kept, and not heard any more
  virtual void close_former() = 0;  // that one: all that is held there is left
  virtual void call(const api::Call& call) = 0;
  virtual void begins(std::size_t errand) = 0;  // to believe
  virtual void extends(std::size_t errand) = 0;
  virtual void moves(std::size_t errand) = 0;  // to the present member
  virtual void parts(std::size_t errand) = 0;  // if it may: it has asked to leave
  virtual void stays(std::size_t errand) = 0;  // after all, or since it must
  virtual void ends(std::size_t errand, Ending why) = 0;
  virtual void misses(std::size_t errand) = 0;  // what its owner held, and has not ended

 protected:
  ClientOutlet() = default;
  ClientOutlet(const ClientOutlet&) = default;
  ClientOutlet& operator=(const ClientOutlet&) = default;
};

class Client final : private session::Listener {
 public:
  Client(const Plan& plan, std::uint32_t number, std::string label, Random random,
         ClientOutlet& out);

  // With what an earlier life of it had to remember.
  void start(member::Instant now, const std::vector<Errand>& former = {});
  void tick(member::Instant now);
  member::Instant next_tick() const;
  void welcomed(const api::Welcome& welcome, member::Instant now);
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
  // The member to which it is connected gave it, or has taken it over.
  bool is_current(const Errand& errand) const {
    return is_welcome_ && session_->is_here(errand.ticket);
  }
  // So often it says that it is there, at least.
  static member::Duration beat_every(const Plan& plan);
  // A member that does not answer a hello for so long is not waited for.
  static member::Duration patience(const Plan& plan);

 private:
  // The way to a member: torture_road.cc
  void seek();
  void fail();
  void lose_connection();
  void go_without_word(member::Instant now);
  // What the session says, in torture_heard.cc
  void send(const api::Call& call) override { out_.call(call); }
  void part() override;
  bool move_on() override;
  void close_former() override;
  void granted(session::Ticket ticket, const session::Grant& grant) override;
  void refused(session::Ticket ticket, const Refusal& refusal) override;
  void renewed(session::Ticket ticket, member::Instant until) override;
  void lost(session::Ticket ticket, const std::string& why) override;
  void left(session::Ticket ticket) override;
  void stays(session::Ticket ticket, const Refusal& refusal) override;
  void lasts(session::Ticket ticket, const session::Grant& grant) override;
  // Holds that last: torture_lasting.cc
  void operate(std::size_t index, member::Instant end, const ClientOperation::Maker& make);
  void hold_for_owner(std::size_t index, const member::Wish& wish, member::Instant end);
  void go_on_with_operations();
  void hold_done(std::size_t index, const HoldOutcome& outcome);
  void end_done(std::size_t index, const HoldOutcome& outcome);
  void change_done(Errand& errand, const HoldOutcome& outcome);
  void remember(const std::vector<Errand>& former, member::Instant now);
  bool is_owned(std::size_t resource, const Errand& but) const;
  void seek_owned(Errand& errand);
  void seek_on(Errand& errand);
  void shown(const member::Shown& shown);
  bool is_nowhere(Errand& errand, const std::vector<NodeId>& dark) const;
  void it_lasts(std::size_t index, const std::string& group, member::Number token);
  void end_lasting(std::size_t index);
  void step_lasting(std::size_t index);
  void ended(std::size_t index, member::Number token);
  // What it asks for: torture_wish.cc
  void step(std::size_t index);
  void ask(Errand& errand);
  std::size_t choose_resource(const Errand& errand);
  member::Wish wish_of(Errand& errand);
  std::string name_of(const Errand& errand) const;
  void mistake(member::Wish& wish);
  std::vector<std::string> groups_of(const Errand& errand);
  const member::Kind& kind_of(std::size_t resource) const;
  bool change(Errand& errand);
  bool reform(Errand& errand);
  void change_by(const Errand& errand, const session::ChangeCall::ChangeOf& change_of);
  void give_up(Errand& errand);
  bool cancel(const Errand& errand);  // its operation; false: it has none
  void part_from(std::size_t index);
  void leave(std::size_t index);
  void rest(Errand& errand);
  std::size_t find(session::Ticket ticket) const;  // errands_.size(): none
  member::Duration draw(const Distribution& distribution);
  member::Duration draw_hold();

  const Plan& plan_;
  std::uint32_t number_;
  std::string label_;
  Random random_;
  ClientOutlet& out_;
  std::vector<Errand> errands_;
  std::vector<bool> is_other_;  // of each name: it asks for the other kind
  std::unique_ptr<session::Session> session_;
  std::vector<std::unique_ptr<ClientOperation>> operations_;  // of each errand; none: it has none
  session::EndedHolds ends_;
  session::Road road_;
  member::Instant now_;  // of the present input
  bool is_dialling_ = false;
  bool is_welcome_ = false;
  bool has_former_ = false;
  member::Instant next_road_;   // without a connection: seeks; dialling: gives that up
  std::uint64_t sessions_ = 0;  // how many were given
  bool is_finishing_ = false;
  std::optional<member::Instant> promised_;  // when everything healed
  bool is_closed_ = false;
};

}  // namespace coterie::sim::torture
