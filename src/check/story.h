// A trace told: who did what, what was sent, who is inside; and a trace taken again from its short form.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "check/space.h"
#include "coterie/result.h"

namespace coterie::check {

using spec::name_of;

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
  // Who came in and who went out by it: of a new link, both ends may.
  std::vector<NodeId> entered;
  std::vector<NodeId> exited;
  // Whose clients went on believing that they are inside when it crashed; and whose clients believe it no more.
  std::vector<NodeId> outlived;
  std::vector<NodeId> ended;
  std::vector<spec::Place> places;      // of every process, afterwards
  std::vector<protocol::Group> groups;  // of those inside
  // Of every process: the group with which the clients of its life that crashed are inside, if they are.
  std::vector<std::optional<protocol::Group>> outliving;
};

std::vector<Scene> narrate(Space& space, const std::vector<Event>& trace);

// The trace whose tokens these are. An error names the first that is not possible, and what is there.
Result<std::vector<Event>> find_trace(Space& space, const std::vector<std::string>& tokens);

// The state after a trace, process by process.
std::string describe_state(Space& space, const std::vector<Event>& trace);

}  // namespace coterie::check
