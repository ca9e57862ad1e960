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
#include "protocol/census.h"
#include "protocol/shares.h"

namespace coterie::member {

using protocol::Number;
using protocol::Priority;

// One run of a member, from start to end. A later one has a greater number.
using Incarnation = std::uint64_t;

// What a name stands for, as everybody who uses it must agree.
enum class Type : std::uint8_t { mutex, room, semaphore, band };
inline constexpr std::uint32_t kNoMax = std::numeric_limits<std::uint32_t>::max();
struct Kind {
  Type type = Type::mutex;
  std::uint32_t min = 0;  // of a band: at least so many stay inside
  std::uint32_t max = 1;  // so many are inside at once; of a room: of so many groups

  auto operator<=>(const Kind&) const = default;
  COTERIE_FIELDS(type, min, max)
};
std::string text_of(const Kind& kind);   // a mutex
std::string fault_of(const Kind& kind);  // in words; empty if there is none
// Whether those inside are counted (counting.h), or one group is inside at a time (sharing.h).
inline bool is_counted(const Kind& kind) {
  return kind.type >= Type::semaphore || (kind.type == Type::room && kind.max > 1);
}
// The same, but for their numbers: by one algorithm, in which these may change.
inline bool are_alike(const Kind& one, const Kind& other) {
  return one.type == other.type && is_counted(one) == is_counted(other);
}

// Who asks, by its number at its member: see resource.h.
using Slot = std::uint32_t;

// One request of all that ever were: in which life of which member it was made, and when.
struct Origin {
  NodeId member = 0;
  Incarnation incarnation = 0;  // 0: none
  Slot slot = 0;
  Time since{};

  auto operator<=>(const Origin&) const = default;
  COTERIE_FIELDS(member, incarnation, slot, since)
};

// A requester to an arbiter. Groups have names here: members number them as they like.
struct Request {
  Time tag{};
  Priority priority;
  std::vector<std::string> groups;
  bool is_try = false;  // answer QUEUED if it must wait
  Origin beside;        // of a mutex: it is for the client of that one
  COTERIE_FIELDS(tag, priority, groups, is_try, beside)
};
using Yield = protocol::shares::Yield;
using Release = protocol::shares::Release;
using Terms = protocol::census::Terms;
struct Poll {  // to count: your vote for me to enter or leave
  Time tag{};
  Priority priority;
  protocol::census::Way way{};
  bool is_try = false;  // answer QUEUED if it must wait
  COTERIE_FIELDS(tag, priority, way, is_try)
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
  COTERIE_FIELDS(owner, number, group, is_given)
};
struct Unpin {  // it is over: write that down
  std::string owner;
  Number number = 0;  // 0: none; what do you have of this owner's?
  // Only if you have it; and what else do you have of this owner's?
  bool is_question = false;
  COTERIE_FIELDS(owner, number, is_question)
};
struct Agree {  // these are the terms now
  Terms terms;
  COTERIE_FIELDS(terms)
};
struct Disown {  // of a mutex: the client of that one is out, though its member may not know
  Origin origin;
  Number number = 0;
  COTERIE_FIELDS(origin, number)
};
using Ask = std::variant<Request, Yield, Release, Poll, Commit, Withdraw, Record, Erase, Pin, Unpin,
                         Agree, Disown>;

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
struct Queued {  // others are before you
  Time tag{};
  COTERIE_FIELDS(tag)
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
  COTERIE_FIELDS(owner, number, is_refused)
};
struct Unpinned {
  std::string owner;
  Number number = 0;        // 0: that is all
  bool is_refused = false;  // it may have to stay
  bool is_named = false;    // it is not over: so there is this
  COTERIE_FIELDS(owner, number, is_refused, is_named)
};
struct Agreed {
  std::uint64_t version = 0;
  COTERIE_FIELDS(version)
};
using Answer = std::variant<Lock, Inquire, Wanted, Queued, Mismatch, Grant, Update, Preempt, Pinned,
                            Unpinned, Agreed>;

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
  Incarnation to = 0;      // 0: the sender does not know it yet
  Time clock{};            // Lamport's
  Number ceiling = 0;      // no number of the sender exceeds it; 0: it does not know what it had
  bool is_silent = false;  // the sender has restarted, and grants nothing yet
  bool is_farewell = false;
  Flow<Ask> asking;        // the sender's session: it asks
  Flow<Answer> answering;  // the receiver's session: the sender answers
  std::vector<Question> questions;
  std::vector<Report> reports;
  // To one who does not know what it had: all that the sender must not forget of any name (lasting.h).
  std::optional<Bytes> keepsakes;
  COTERIE_FIELDS(from, to, clock, ceiling, is_silent, is_farewell, asking, answering, questions,
                 reports, keepsakes)
};

}  // namespace coterie::member
