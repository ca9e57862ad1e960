// Group k-exclusion: at most k groups inside, any number of processes of each.
//
// Jiang, "A distributed group k-exclusion algorithm using k-write-read coterie", sections 3 to 5.
//
// A process collects the votes of a write quorum Q (ES), then registers as its group's leader at Q and at a
// read quorum P, one registrar after another in the order of their numbers (WS). A read quorum meets every
// write quorum, so whoever asks for the group's votes meets a registrar: the leader hears of it (FOLLOW) and
// lets it in (R-GRANT). The leader holds Q until its last follower has left.
//
// Corrected:
//   C1  YIELD grants the front of the queue, not the request that caused the PREEMPT;
//   C2  RELEASE grants only if nothing is granted;
//   C3  a follower keeps its requests queued until it is let in;
//   C4  FOLLOW, R-GRANT and R-RELEASE name the request that leads;
//   C5  COMPETE waits at a registrar that has another leader, instead of FAIL;
//   C6  a leader knows its followers by their requests, not by their processes;
//   C7  CANCEL runs along the chain of registrars, behind COMPETE;
//   C8  there is no NOTICE;
//   C9  only leaders let others in: there are no chains of references;
//   C10 COMPETE finds the granted request too;
//   C11 the leader stays registered until its last follower has left: it lingers (XS), and its arbiters tell
//       it the best request that waits (WANTED), so that no worse one is let in before it.
// A leader that lingers is outside: its process may ask again, and even lead another forum meanwhile. CLEAR
// is merged into the last RELEASE. Uncontended: 2|Q| + 2|Q∪P| + 1 messages, |Q∪P| + 3 hops to enter.
//
// +parallel asks all registrars at once; a better competitor takes a registrar from a worse one that has not
// all of them (CHALLENGE, CONCEDE). Uncontended: 2|Q| + 3|Q∪P| messages, 4 hops.
//
// Assumes: reliable FIFO channels; a k-coterie, or a write-read system whose write quorums are one.
#pragma once

#include <optional>
#include <set>
#include <variant>

#include "protocol/node.h"
#include "protocol/vote.h"

namespace coterie::protocol::group_k {

using Stamps = std::set<Stamp>;

struct Request {  // requester → arbiter: lend me your vote
  static constexpr std::string_view kName = "REQUEST";
  Stamp stamp;
  Group group = 0;
  COTERIE_FIELDS(stamp, group)
};
using Grant = Stamped<"GRANT">;  // arbiter → requester: it is yours
struct
    Preempt {  // arbiter → requester: a better request came; give it back unless you have a quorum
  static constexpr std::string_view kName = "PREEMPT";
  Stamp stamp;
  COTERIE_FIELDS(stamp)
};
using Yield = Stamped<"YIELD">;  // requester → arbiter: here it is; I go on waiting for it

struct Release {  // requester → arbiter: I want your vote no more; closing: nor to be the leader
  static constexpr std::string_view kName = "RELEASE";
  Stamp stamp;
  bool closing = false;
  COTERIE_FIELDS(stamp, closing)
};
struct Compete {  // requester → registrar → the next: register me; these of my group I have met
  static constexpr std::string_view kName = "COMPETE";
  Stamp stamp;
  Group group = 0;
  NodeSet registrars;  // all of them; nobody if they are asked at once
  Stamps met;
  COTERIE_FIELDS(stamp, group, registrars, met)
};
struct Success {  // the last registrar → requester: you lead (at once: as far as I am concerned)
  static constexpr std::string_view kName = "SUCCESS";
  Stamp stamp;
  Stamps met;
  COTERIE_FIELDS(stamp, met)
};
// registrar → requester: a better one competes; give way unless you lead
using Challenge = Stamped<"CHALLENGE">;
using Concede = Stamped<"CONCEDE">;  // requester → registrar: I give way; I go on competing

struct Cancel {  // requester → registrar → the next: I compete no more
  static constexpr std::string_view kName = "CANCEL";
  Stamp stamp;
  NodeSet registrars;
  COTERIE_FIELDS(stamp, registrars)
};
using Clear = Stamped<"CLEAR">;  // leader → registrar: I lead no more

struct Follow {  // registrar → leader: one of your group has come
  static constexpr std::string_view kName = "FOLLOW";
  Stamp follower;
  Stamp leader;
  COTERIE_FIELDS(follower, leader)
};
struct RGrant {  // leader → follower: come in
  static constexpr std::string_view kName = "R-GRANT";
  Stamp follower;
  Stamp leader;
  COTERIE_FIELDS(follower, leader)
};
struct RRelease {  // follower → leader: I have left, or never came
  static constexpr std::string_view kName = "R-RELEASE";
  Stamp follower;
  Stamp leader;
  COTERIE_FIELDS(follower, leader)
};
using Linger = Stamped<"LINGER">;  // leader → arbiter: I have left, my followers have not

struct Wanted {  // arbiter → lingering leader: the best request that waits for your vote
  static constexpr std::string_view kName = "WANTED";
  Stamp leader;
  std::optional<Stamp> best;
  COTERIE_FIELDS(leader, best)
};
using Message = std::variant<Request, Grant, Preempt, Yield, Release, Compete, Success, Challenge,
                             Concede, Cancel, Clear, Follow, RGrant, RRelease, Linger, Wanted>;

class Requester : public Part<Message> {
 public:
  explicit Requester(const Context<Message>& context);

  void enter(const Demand& demand);
  void exit();
  void alarm(const NodeSet& prefer);
  void on(NodeId from, const Grant& message);
  virtual void on(NodeId from, const Preempt& message);
  void on(NodeId from, const Success& message);
  void on(NodeId from, const Challenge& message);
  virtual void on(NodeId from, const Follow& message);
  virtual void on(NodeId from, const RGrant& message);
  virtual void on(NodeId from, const RRelease& message);
  virtual void on(NodeId from, const Wanted& message);
  bool at_rest() const { return phase_ == Phase::ncs && leading_.empty(); }

  COTERIE_FIELDS(phase_, current_, group_, asked_, votes_, registrars_, registered_, pending_,
                 reference_, leading_)

 protected:
  enum class Phase : std::uint8_t {
    ncs,
    es,
    ws,
    cs
  };  // not critical, entry, wait, critical section

  // A forum that we lead, until its last follower has left.
  struct Forum {
    NodeSet quorum;
    NodeSet registrars;          // the quorum among them
    Stamps followers;            // let in, and not known to have left
    Map<NodeId, Time> admitted;  // the last request of each process that was let in
    Stamps refused;              // for a better request that waits
    Map<NodeId, Stamp> wanted;   // the best request that waits at each arbiter
    COTERIE_FIELDS(quorum, registrars, followers, admitted, refused, wanted)
  };
  using Leading = Map<Stamp, Forum>;

  bool is_asking(const Stamp& stamp) const { return phase_ == Phase::es && stamp == current_; }
  bool is_competing(const Stamp& stamp) const { return phase_ == Phase::ws && stamp == current_; }
  bool is_inside(const Stamp& stamp) const { return phase_ == Phase::cs && stamp == current_; }
  void ask(const NodeSet& quorum);
  NodeSet next_quorum() const;
  void compete();
  virtual void cancel();
  void lead();
  void stop_asking();
  void forget();
  void admit(Leading::value_type& led, const Stamp& follower);
  bool may_admit(const Leading::value_type& led, const Stamp& follower) const;
  virtual void leave_forum(Leading::value_type& led);
  virtual void close(const Stamp& leader);

  Phase phase_ = Phase::ncs;
  Stamp current_;
  Group group_ = 0;
  NodeSet asked_;                   // in WS: the quorum
  NodeSet votes_;                   // in ES: of those asked
  NodeSet registrars_;              // in WS: where to register
  NodeSet registered_;              // in WS, all asked at once: where we are
  Stamps pending_;                  // in WS: who will follow us if we lead
  std::optional<Stamp> reference_;  // in CS: whom we follow, unless we lead
  Leading leading_;

 private:
  bool parallel_;
};

// A process's vote, and its registers: who leads each group, and who competes for that.
class Arbiter : public Part<Message> {
 public:
  explicit Arbiter(const Context<Message>& context);

  virtual void on(NodeId from, const Request& message);
  virtual void on(NodeId from, const Yield& message);
  virtual void on(NodeId from, const Release& message);
  virtual void on(NodeId from, const Compete& message);
  void on(NodeId from, const Concede& message);
  virtual void on(NodeId from, const Cancel& message);
  void on(NodeId from, const Clear& message);
  virtual void on(NodeId from, const Linger& message);
  bool at_rest() const { return vote_.empty() && registers_.empty(); }

  COTERIE_FIELDS(vote_, lingering_, wanted_, registers_)

 protected:
  using Registers = Map<Group, Vote<Compete>>;  // no group without a leader

  // Does what the state now calls for: grants, preempts, tells a lingering leader who waits.
  void pump();
  const Request* best_candidate() const;
  void grant(const Stamp& stamp);
  virtual void preempt(const Stamp& better);
  void tell_wanted(const std::optional<Stamp>& best);

  virtual void tell_leader(const Request& request);
  void register_best(Group group);
  virtual bool is_met(const Request& request, const Compete& by) const;
  Registers::iterator find_register(const Stamp& stamp);
  bool unregister(const Stamp& stamp);

  Vote<Request> vote_;
  bool lingering_ = false;       // the holder has left, its followers have not
  std::optional<Stamp> wanted_;  // what the lingering holder was told
  Registers registers_;          // of each group: the leader holds it, the others wait

 private:
  bool parallel_;
};

}  // namespace coterie::protocol::group_k
