// A trace told: who did what, what was sent, who is inside; and a trace taken again from its short form.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "check/space.h"
#include "coterie/result.h"

namespace coterie::check {

std::string name_of(NodeId process);  // "p3"

struct Scene {
  Event event;
  std::string token;  // the event in short, as --replay takes it: "0 enter a", "1<0", "2 exit"
  std::string what;   // in words
  struct Sent {
    NodeId from;
    NodeId to;
    std::string message;
  };
  std::string received;    // the message of a delivery
  std::vector<Sent> sent;  // in order
  bool entered = false;
  bool exited = false;
  std::vector<spec::Place> places;      // of every process, afterwards
  std::vector<protocol::Group> groups;  // of those inside
};

std::vector<Scene> narrate(Space& space, const std::vector<Event>& trace);

// The trace whose tokens these are. An error names the first that is not possible, and what is there.
Result<std::vector<Event>> find_trace(Space& space, const std::vector<std::string>& tokens);

// The state after a trace, process by process.
std::string describe_state(Space& space, const std::vector<Event>& trace);

}  // namespace coterie::check
