// One peer: what is known of its life, the session in which we ask it and it leases to us, and the session in
// which it asks us and we lease to it.
//
// A lease is a heartbeat that was answered. Who asks counts it from when the heartbeat was sent, who answers
// from when it came, and longer by what clocks may drift: so who asks always stops first. When the lease is
// over, so is the session; what is still under way in it is dropped by its number.
//
// A peer that comes back is another peer, and what its former life held stays held until that life's lease is
// over. There is room for one former life: a peer that comes back twice within a lease waits.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <utility>

#include "member/api.h"
#include "member/stream.h"
#include "member/tally.h"
#include "member/wire.h"

namespace coterie::member {

// Who hears what comes of a link's inputs.
class Ear {
 public:
  virtual ~Ear() = default;
  virtual void on_ask(NodeId from, const Packet<Ask>& packet) = 0;
  virtual void on_answer(NodeId from, const Packet<Answer>& packet) = 0;
  // The lease that the peer gives us: it begins, is doubted, is no longer doubted, is over.
  virtual void on_up(NodeId peer) = 0;
  virtual void on_suspect(NodeId peer) = 0;
  virtual void on_trust(NodeId peer) = 0;
  virtual void on_lapse(NodeId peer) = 0;
  // The lease that we give the peer: its holder has begun another life; it is over, for this or that life.
  virtual void on_reborn(NodeId peer) = 0;
  virtual void on_expire(NodeId peer, protocol::Life life) = 0;

 protected:
  Ear() = default;
  Ear(const Ear&) = default;
  Ear& operator=(const Ear&) = default;
};

struct Timing {
  Duration lease;
  Duration lent;  // the same lease, as who gives it counts it
  Duration heartbeat;
  Duration suspect_after;
};

class Link {
 public:
  // `seen` is what our former life knew of the peer.
  Link(NodeId peer, Incarnation self, const Timing& timing, Instant now, Ear& ear, Tally& tally,
       const Seen& seen = {});

  // REQUIRES of the other inputs: these two were called with this `now`, for all links the first before the
  // second, so that nobody enters by a lease that is over.
  void stop_believing(Instant now);
  void advance(Instant now);  // everything else that is due
  Instant next() const;

  void receive(const Frame& frame, Instant now);
  void connected(Instant now);
  void disconnected();

  // REQUIRES: is_up()
  void ask(Packet<Ask> packet);
  // Dropped if the peer has no session.
  void answer(Packet<Answer> packet);

  bool has_to_send() const;
  void fill(Frame& frame, Instant now);

  bool is_up() const { return asking_.is_up; }
  bool is_doubted() const { return asking_.is_doubted; }
  // Until when the peer's lease to us lasts. REQUIRES: is_up()
  Instant leased_until() const { return asking_.until; }
  // Until when ours to the peer lasts, for this or its former life; nothing if there is none.
  std::optional<Instant> lent_until(protocol::Life life) const;
  std::optional<protocol::Life> life_of(Incarnation incarnation) const;
  // Packets that the peer is not known to have.
  std::size_t backlog() const { return asking_.sender.unarrived(); }
  // It has said farewell, and nothing since.
  bool has_left() const { return has_left_; }
  // The peer's last life that we know of.
  Seen known() const { return life_ != 0 ? Seen{life_, durable_} : seen_; }

 private:
  struct Asking {
    Incarnation with = 0;  // whom; 0: nobody yet
    std::uint64_t session = 0;
    bool is_up = false;
    bool is_doubted = false;
    Instant opened;
    Instant until;
    Instant heard;  // the last answer to a heartbeat
    std::deque<std::pair<std::uint64_t, Instant>> beats;
    Sender<Ask> sender;
    Receiver receiver;
  };
  struct Answering {
    std::uint64_t session = 0;
    bool is_lent = false;
    bool is_over = false;  // the session: nothing more of it counts
    Instant until;
    std::uint64_t beat = 0;  // to be answered
    Sender<Answer> sender;
    Receiver receiver;
  };

  bool know(Incarnation incarnation);
  void open_session(Instant now);
  bool is_asking() const { return asking_.with != 0 && asking_.with == life_; }
  void expire();
  void doubt();
  void receive_asking(const Flow<Ask>& flow, Instant now);
  void receive_answering(const Flow<Answer>& flow, Instant now);
  void renew_lease(std::uint64_t beat, Instant now);

  NodeId peer_;
  Incarnation self_;
  const Timing& timing_;
  Ear& ear_;
  Tally& tally_;
  Incarnation life_ = 0;       // the peer's; 0: not known yet
  std::uint64_t durable_ = 0;  // of that life
  Seen seen_;                  // of an earlier life of the peer, or by an earlier life of ours
  bool is_silent_ = false;     // the peer grants nothing yet: others are asked rather
  bool has_left_ = false;
  Asking asking_;
  Answering answering_;
  std::optional<Instant> former_until_;  // what we lent to its former life
  Incarnation former_ = 0;
  std::uint64_t beats_ = 0;
  Instant next_beat_;
  bool is_beat_due_ = true;
  bool is_greeting_due_ = false;  // the peer does not know this life of ours
};

}  // namespace coterie::member
