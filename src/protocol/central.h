// Mutual exclusion by a coordinator, process 0: three messages.
//
// A yardstick, and what the other algorithms do without: whoever the coordinator is carries all the load,
// and when it fails all wait.
// Assumes: reliable channels; FIFO is not needed.
#pragma once

#include <tuple>
#include <variant>
#include <vector>

#include "protocol/node.h"

namespace coterie::protocol::central {

struct Request {  // requester → coordinator
  static constexpr std::string_view kName = "REQUEST";
  static std::tuple<> fields() { return {}; }
};
struct Grant {  // coordinator → requester: enter
  static constexpr std::string_view kName = "GRANT";
  static std::tuple<> fields() { return {}; }
};
struct Release {  // requester → coordinator: I have left
  static constexpr std::string_view kName = "RELEASE";
  static std::tuple<> fields() { return {}; }
};
using Message = std::variant<Request, Grant, Release>;

class Requester : public Part<Message> {
 public:
  using Part::Part;

  void enter(const Demand& demand);
  void exit();
  void on(NodeId from, const Grant& message);
  bool at_rest() const { return phase_ == Phase::idle; }

  COTERIE_FIELDS(phase_)

 private:
  enum class Phase : std::uint8_t { idle, waiting, inside };

  Phase phase_ = Phase::idle;
};

class Coordinator : public Part<Message> {
 public:
  using Part::Part;

  void on(NodeId from, const Request& message);
  void on(NodeId from, const Release& message);
  bool at_rest() const { return queue_.empty(); }

  COTERIE_FIELDS(queue_)

 private:
  std::vector<NodeId> queue_;  // first come first served; the first is inside, or will be
};

}  // namespace coterie::protocol::central
