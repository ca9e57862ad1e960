// What clients of a real cluster were told, and when, by a clock that all of them share. A history is what the judge
// (judge.h) reads; this file shares no code with the members, their rules or torture.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace coterie::history {

using Time = std::int64_t;  // nanoseconds of the common clock
inline constexpr Time kNever = std::numeric_limits<Time>::max();

enum class Kind : std::uint8_t { mutex, semaphore, room, band };

enum class Act : std::uint8_t {
  enter,    // a leased hold: belief lasts from `answered` until `until`
  hold,     // a lasting hold for an owner
  release,  // the end of that
  set,      // a new limit, for all
  look,     // which owners hold, asked when nothing else is going on: `seen`
};

enum class Answer : std::uint8_t {
  none,     // the client died at `answered`, or still waits (kNever)
  granted,  // enter, hold: with `token`
  done,     // release, set, look
  absent,   // release: the owner has no hold
  refused,  // nothing happened, and nothing will
  unsure,   // the client was told that the outcome cannot be told
};

struct Call {
  std::string client;
  std::uint64_t number = 0;  // with the client: which call
  Act act = Act::enter;
  std::string name;
  Kind kind = Kind::mutex;
  std::uint32_t min = 0;    // of a band
  std::uint32_t limit = 1;  // that the client asked for, or sets
  std::string owner;        // hold, release; enter of a band: the participant
  std::string group;        // of a room
  bool is_exclusive = false;
  Time called = 0;
  Time answered = kNever;
  Answer answer = Answer::none;
  std::uint64_t token = 0;
  // Of an entry that was granted:
  Time until = kNever;         // the last moment of belief; kNever: the client did not live to tell
  Time leave_called = kNever;  // kNever: it was lost, or abandoned
  Time left = kNever;          // when the library said that it is out
  bool was_lost = false;       // the library said that the hold was lost
  Time promised = kNever;      // valid_until when the loss was told
  // Of a look: owner and token of each lasting hold.
  std::vector<std::pair<std::string, std::uint64_t>> seen = {};
};

// A definite answer: the call took effect before it, or never does.
inline bool is_definite(Answer answer) {
  return answer != Answer::none && answer != Answer::unsure;
}

std::string_view text_of(Kind kind);
std::string_view text_of(Act act);
std::string_view text_of(Answer answer);
// One line for people: times in milliseconds after `origin`.
std::string text_of(const Call& call, Time origin);

// A client writes each of these as soon as it knows it, so that a client that is killed leaves what it had asked for.
std::string line_of_call(const Call& call);    // before it asks
std::string line_of_answer(const Call& call);  // answered, answer, token, group
std::string line_of_end(const Call& call);     // how belief ended

// Adds the calls that a client's lines tell; a torn last line is left out. False: the text is no history.
bool read(std::string_view text, std::vector<Call>& calls);

}  // namespace coterie::history
