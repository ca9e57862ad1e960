// What members say to each other: frames. A frame may be lost, late or doubled; links (link.h) make of them
// sessions in which each packet arrives once and in order.
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "base/fields.h"
#include "protocol/shares.h"

namespace coterie::member {

using protocol::Number;
using protocol::Priority;

// One run of a member, from start to end. A later one has a greater number.
using Incarnation = std::uint64_t;

// What a name stands for, as everybody who uses it must agree.
enum class Type : std::uint8_t { mutex, room };
struct Kind {
  Type type = Type::mutex;

  auto operator<=>(const Kind&) const = default;
  COTERIE_FIELDS(type)
};
std::string text_of(const Kind& kind);  // a mutex

// The bundle that asks, by its number at its member: see resource.h.
using Slot = std::uint32_t;

// A requester to an arbiter. Groups have names here: members number them as they like.
struct Request {
  Time tag{};
  Priority priority;
  std::vector<std::string> groups;
  bool is_try = false;  // answer QUEUED if it must wait
  COTERIE_FIELDS(tag, priority, groups, is_try)
};
using Yield = protocol::shares::Yield;
using Release = protocol::shares::Release;
using Ask = std::variant<Request, Yield, Release>;

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
using Answer = std::variant<Lock, Inquire, Wanted, Queued, Mismatch>;

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
  COTERIE_FIELDS(from, to, clock, ceiling, is_silent, is_farewell, asking, answering, questions,
                 reports)
};

}  // namespace coterie::member
