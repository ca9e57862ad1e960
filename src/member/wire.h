// What members say to each other: frames. A frame may be lost, late or doubled; links (link.h) make of them
// sessions in which each packet arrives once and in order.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "base/fields.h"
#include "member/api.h"
#include "protocol/census.h"
#include "protocol/shares.h"

namespace coterie::member {

using protocol::Number;
using protocol::Priority;

// What a member knows of a life of another: its number, and the last of its writes that was safe on its disk.
struct Seen {
  Incarnation incarnation = 0;  // 0: none
  std::uint64_t durable = 0;
  COTERIE_FIELDS(incarnation, durable)
};

// A requester to an arbiter. Groups have names here: members number them as they like.
struct Request {
  Time tag{};
  Priority priority;
  std::vector<std::string> groups;
  bool is_try = false;  // answer QUEUED if it must wait (trials.h)
  Secret beside = {};   // of a mutex: it is for the client inside that has shown this
  COTERIE_FIELDS(tag, priority, groups, is_try, beside)
};
using Yield = protocol::shares::Yield;
using Release = protocol::shares::Release;
using Terms = protocol::census::Terms;
struct Poll {  // to count: your vote for me to enter or leave
  Time tag{};
  Priority priority;
  protocol::census::Way way{};
  bool is_try = false;  // answer QUEUED if it must wait (trials.h)
  Secret beside = {};   // it is for the client inside that has shown this, who is not counted
  COTERIE_FIELDS(tag, priority, way, is_try, beside)
};
struct Commit {
  Time tag{};
  Number number = 0;
  std::string group;
  bool arms = false;
  bool is_shown = false;
  std::string owner = {};  // out: the lasting hold of this owner, with that number, is over
  COTERIE_FIELDS(tag, number, group, arms, is_shown, owner)
};
using Withdraw = protocol::census::Withdraw;
struct Record {
  std::string group;
  COTERIE_FIELDS(group)
};
using Erase = protocol::census::Erase;
struct Pin {  // my hold lasts: write it down (lasting.h)
  std::string owner;
  Number number = 0;
  std::string group;
  bool is_given = false;  // a quorum has; this needs no answer
  Attempt attempt = {};
  Number ended = 0;  // the greatest token of this owner that its client knew as over when it called
  std::uint64_t given_at = 0;  // see Lasting
  COTERIE_FIELDS(owner, number, group, is_given, attempt, ended, given_at)
};
struct Unpin {  // it is over: write that down
  std::string owner;
  Number number = 0;  // 0: none; what do you have of this owner's?
  // Only if you have it; and what else do you have of this owner's?
  bool is_question = false;
  Attempt attempt = {};  // instead of a number: nothing comes of it (settling.h)
  COTERIE_FIELDS(owner, number, is_question, attempt)
};
struct Settle {  // agree to this, of an owner's hold (settling.h)
  using How = api::Burial::How;
  How how{};
  std::string owner;
  Number number = 0;
  Attempt attempt = {};
  bool is_inquiry = false;  // only say whether you know it as given, and vote on nothing
  bool is_given = false;    // to be confirmed: a member knows it as given
  COTERIE_FIELDS(how, owner, number, attempt, is_inquiry, is_given)
};
struct Agree {  // these are the terms now
  Terms terms;
  COTERIE_FIELDS(terms)
};
struct Disown {  // of a mutex: the client of that one is out, though its member may not know
  Origin origin;
  Number number = 0;
  Secret secret = {};
  COTERIE_FIELDS(origin, number, secret)
};
// What proves one client's hold at an arbiter, besides where it came from.
struct Key {
  Secret secret;
  Number token = 0;
  COTERIE_FIELDS(secret, token)
};
struct Keys {  // of those inside by my hold: these, and no others any more (keyring.h)
  std::vector<Key> keys;
  COTERIE_FIELDS(keys)
};
struct Vouch {  // do you know of this hold? A client shows it to me
  Origin origin;
  Key key;
  std::string group;  // of a room; in a band the name
  COTERIE_FIELDS(origin, key, group)
};
struct Probed {  // to PROBE: you have heard all that I said before
  NodeId id = 0;
  Time tag{};
  COTERIE_FIELDS(id, tag)
};
using Ask = std::variant<Request, Yield, Release, Poll, Commit, Withdraw, Record, Erase, Pin, Unpin,
                         Agree, Disown, Keys, Vouch, Settle, Probed>;

// An arbiter to a requester.
struct Lock {
  Time tag{};
  std::string group;
  Number number = 0;
  bool is_wanted = false;
  COTERIE_FIELDS(tag, group, number, is_wanted)
};
using Inquire = protocol::shares::Inquire;
using Wanted = protocol::shares::Wanted;
struct Queued {  // to a try: what is recorded here is so, and nothing is on its way
  Time tag{};
  bool has_vote = false;   // to count: yours is the vote. Otherwise others are before you
  bool is_silent = false;  // this arbiter has restarted, and grants nothing yet
  COTERIE_FIELDS(tag, has_vote, is_silent)
};
struct Probe {    // this requester tries: is there anything that you have not told me yet?
  NodeId id = 0;  // see id_of() in resource.h
  Time tag{};     // of its request
  COTERIE_FIELDS(id, tag)
};
struct Mismatch {  // the name is in use, as something else
  Time tag{};
  Kind known;
  COTERIE_FIELDS(tag, known)
};
struct Recorded {  // as inside
  NodeId id = 0;   // see id_of() in resource.h
  protocol::Life life{};
  std::string group;
  std::string owner = {};  // of a hold that lasts, and its number, instead of the id
  Number number = 0;
  bool is_over = false;
  bool is_shown = false;  // see protocol::census::Guest
  COTERIE_FIELDS(id, life, group, owner, number, is_over, is_shown)
};
struct Grant {
  Time tag{};
  Number number = 0;
  std::vector<Recorded> census;
  Terms terms;
  COTERIE_FIELDS(tag, number, census, terms)
};
struct Update {
  Time tag{};
  std::vector<Recorded> census;
  Terms terms;
  COTERIE_FIELDS(tag, census, terms)
};
using Preempt = protocol::census::Preempt;
struct Pinned {
  std::string owner;
  Number number = 0;
  bool is_refused = false;  // the owner has another, or this one is over
  bool is_full = false;     // refused since the name has as many as it may
  COTERIE_FIELDS(owner, number, is_refused, is_full)
};
struct Unpinned {
  std::string owner;
  Number number = 0;        // 0: that is all
  bool is_refused = false;  // it may have to stay
  bool is_named = false;    // it is not over: so there is this
  Attempt attempt = {};
  COTERIE_FIELDS(owner, number, is_refused, is_named, attempt)
};
struct Settled {
  enum class Verdict : std::uint8_t {
    agreed,     // and written down
    confirmed,  // to be withdrawn: others may rely on it, by this arbiter's word; asked: it was given
    denied,     // to be confirmed: this arbiter has agreed that nothing comes of it
    unable,     // to be denied: it is written down here; to be confirmed: it is not
  };
  Settle settle;  // what was asked
  Verdict verdict{};
  Number number = 0;  // of the hold that it is about, if it is known
  std::string group;
  COTERIE_FIELDS(settle, verdict, number, group)
};
struct Agreed {
  std::uint64_t version = 0;
  COTERIE_FIELDS(version)
};
struct Vouched {
  bool is_known = false;
  COTERIE_FIELDS(is_known)
};
using Answer = std::variant<Lock, Inquire, Wanted, Queued, Mismatch, Grant, Update, Preempt, Pinned,
                            Unpinned, Agreed, Vouched, Settled, Probe>;

template <class Body>
struct Packet {
  std::string name;
  Kind kind;
  Slot slot = 0;
  Body body;
  COTERIE_FIELDS(name, kind, slot, body)
};

// One direction of a session: packets in order, and how many of the other direction's have arrived.
template <class Body>
struct Flow {
  std::uint64_t session = 0;  // 0: none
  std::uint64_t beat = 0;     // asking: a heartbeat; answering: the one that is answered; 0: none
  std::uint64_t first = 0;    // the number of the first packet
  std::vector<Packet<Body>> packets;
  std::uint64_t received = 0;
  COTERIE_FIELDS(session, beat, first, packets, received)
};

// What a member knows of a name: see view.h. Questions and reports belong to no session.
struct Question {
  std::uint64_t id = 0;
  std::string name;
  COTERIE_FIELDS(id, name)
};
struct Report {
  std::uint64_t id = 0;
  Bytes view;
  COTERIE_FIELDS(id, view)
};

struct Frame {
  Incarnation from = 0;
  Incarnation to = 0;         // 0: the sender does not know it yet
  std::uint64_t durable = 0;  // the sender's last write that is safe on its disk
  Seen seen;                  // with a heartbeat or its answer: of an earlier life of the receiver
  Time clock{};               // Lamport's
  Number ceiling = 0;         // no number of the sender exceeds it; 0: it does not know what it had
  bool is_silent = false;     // the sender has restarted, and grants nothing yet
  bool is_farewell = false;
  // The sender lost its disk, and its silence is over: it asks for the keepsakes of the receiver.
  bool asks_others = false;
  std::string asks_after = {};  // those of names after this one: it has the others
  Flow<Ask> asking;             // the sender's session: it asks
  Flow<Answer> answering;       // the receiver's session: the sender answers
  std::vector<Question> questions;
  std::vector<Report> reports;
  // To a member that asks: what the sender must not forget of names (lasting.h), as much as goes into a frame.
  std::optional<Bytes> keepsakes;
  std::string keepsakes_after = {};  // of the names after this one
  bool has_more = false;             // the last of these is not the sender's last
  std::uint64_t lent_ns = 0;         // with these: no lease that the sender has given lasts longer
  COTERIE_FIELDS(from, to, durable, seen, clock, ceiling, is_silent, is_farewell, asks_others,
                 asks_after, asking, answering, questions, reports, keepsakes, keepsakes_after,
                 has_more, lent_ns)
};

}  // namespace coterie::member
