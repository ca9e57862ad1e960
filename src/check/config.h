// What the checker explores: an algorithm in a setting, and what its surroundings may do.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "protocol/catalogue.h"
#include "spec/rule.h"

namespace coterie::check {

// When an alarm that is set may go off, a process crash, a lease run out.
enum class When : std::uint8_t {
  any,   // at any moment
  late,  // when no message is under way: they are longer than it takes to settle. Faults: and no alarm is set
};

// How many faults of each kind there may be in all.
struct Budget {
  std::uint32_t crashes = 0;
  std::uint32_t restarts = 0;
  std::uint32_t lapses = 0;
  std::uint32_t suspicions = 0;
  std::uint32_t cancels = 0;

  bool any() const { return crashes + restarts + lapses + suspicions + cancels > 0; }
};

struct Config {
  protocol::Choice choice;
  protocol::Setting setting;
  spec::Rule rule = spec::Rule::at_most(1);
  std::vector<NodeId> requesters;  // who asks at all
  std::uint32_t requests =
      1;  // operations of each requester: an enter or, for who starts inside, an exit
  // What each process may ask for: one demand each, or several of which every choice is explored.
  std::vector<std::vector<protocol::Groups>> demands;
  bool demands_in_turn = false;  // of these each request makes the next one
  // The quorums among which each request chooses, every choice explored; empty: the algorithm's own choice.
  std::vector<NodeSet> quorums;
  bool immediate_to_self = false;  // a message to oneself is handled in the same step
  When alarms = When::any;
  bool fifo = true;  // false: any message of a channel may be the next
  Budget faults;
  When faults_strike = When::any;  // but suspicions and cancellations: any
  // What is judged of the past, and so remembered.
  protocol::Tokens tokens = protocol::Tokens::none;
  bool losses = false;
  // Where faults take away whom the rule wants inside, it is who leaves that must keep it.
  bool judges_leaves() const { return faults.any() && rule.min() > 0; }
  bool judges_past() const { return losses || judges_leaves() || tokens != protocol::Tokens::none; }
};

}  // namespace coterie::check
