// What the tests of floors and bands share.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "protocol/network.h"

namespace coterie::protocol {

// At least l, at most k; those named are inside at the start.
inline Setting band(std::string_view spec, std::uint32_t l, std::uint32_t k,
                    std::initializer_list<NodeId> inside) {
  Setting setting = over(spec, k, l);
  for (const NodeId process : inside) setting.inside.insert(process);
  return setting;
}
inline Setting floor(std::string_view spec, std::uint32_t l) {  // all are inside at the start
  Setting setting = over(spec, 1, l);
  setting.inside = setting.everyone();
  setting.max = static_cast<std::uint32_t>(setting.processes);
  return setting;
}

// Whoever waits to leave waits at the floor, and whoever waits to enter at the ceiling.
inline bool waits_rightly(const Network& net) {
  const NodeSet inside = net.inside();
  const NodeSet waiting = net.waiting();
  return std::all_of(waiting.begin(), waiting.end(), [&](NodeId process) {
    return inside.size() == (inside.contains(process) ? net.setting().min : net.setting().max);
  });
}

// What went wrong in the first of `walks` walks that went wrong: "" if none did.
inline std::string first_fault(std::string_view protocol, const Setting& setting,
                               std::uint64_t walks = 10) {
  for (std::uint64_t seed = 1; seed <= walks; ++seed) {
    Network net(protocol, setting);
    std::string fault =
        net.walk({.seed = seed, .requests = 3, .is_right = [](const Network& network) {
                    const std::size_t inside = network.inside().size();
                    return inside >= network.setting().min && inside <= network.setting().max;
                  }});
    const bool nobody_moves = fault.starts_with("somebody waits in the end");
    if (!fault.empty() && !(nobody_moves && waits_rightly(net))) return fault;
  }
  return "";
}

// The names of the messages that were delivered, each once, in the order in which they came first.
inline std::vector<std::string> names_delivered(const Network& net) {
  std::vector<std::string> names;
  for (const std::string& line : net.transcript()) {
    if (line.find("->") == std::string::npos) continue;
    const std::size_t begin = line.rfind(' ', line.find('(')) + 1;
    const std::string name = line.substr(begin, line.find('(') - begin);
    if (std::ranges::find(names, name) == names.end()) names.push_back(name);
  }
  return names;
}

}  // namespace coterie::protocol
