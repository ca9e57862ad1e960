// Breadth-first search of every state of a configuration.
//
// The same verdict, counts and trace come out whatever the number of threads: the search goes level by
// level, and of several faults at the least depth the one of least fingerprint is told.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "check/space.h"

namespace coterie::check {

enum class Property : std::uint8_t {
  asserts,   // no assertion of the algorithm fails: judged always
  safety,    // the rule, in every state
  tokens,    // at every entry its token exceeds those of entries before it
  survives,  // nobody loses a hold though at most one process has crashed
  served,    // nobody waits in an end state
  leaks,     // nothing is held or remembered in an end state
  slot,      // a free slot is reachable
  entry,     // concurrent entry
  finish,    // from every state, every request can still be served
};
std::string_view name_of(Property property);

enum class Verdict : std::uint8_t { holds, violated, unfinished };
std::string_view name_of(Verdict verdict);

struct Progress {
  std::uint64_t states;
  std::uint64_t transitions;
  std::uint32_t depth;
  std::uint64_t waiting;  // states found and not yet looked at
  std::size_t bytes;
};

struct Options {
  std::vector<Property> properties;
  unsigned threads = 1;
  // Explores one order of steps that commute, where it can tell: fewer states, the same verdict (sends.h has the
  // proof). Finish cannot be judged so, and is left out.
  bool reduce = false;
  std::size_t memory_limit = std::size_t{4} << 30U;  // bytes
  // Called now and then by one thread; false stops the search.
  std::function<bool(const Progress&)> progress = [](const Progress&) { return true; };
};

struct Outcome {
  Verdict verdict = Verdict::unfinished;
  Property property = Property::safety;  // of a violation
  std::string reason;                    // of a violation, or why it is unfinished
  std::vector<Event> trace;              // to the violation
  std::uint64_t states = 0;
  std::uint64_t transitions = 0;
  std::uint32_t depth = 0;
  bool is_acyclic = false;  // if finish was asked
  bool is_reduced = false;
  std::size_t bytes = 0;  // at most in use
  std::size_t local_states = 0;
  std::size_t local_steps = 0;

  // That two different states had the same fingerprint, so that one was never looked at.
  double collision_probability() const;
};

Outcome explore(Space& space, const Options& options);

}  // namespace coterie::check
