#include "protocol/band.h"

namespace coterie::protocol {

std::string refuse_band(const Setting& setting, std::size_t l, std::size_t k) {
  const std::size_t n = setting.processes;
  const std::string bounds = "at least " + std::to_string(l) + " and at most " + std::to_string(k);
  if (k > n) return bounds + " inside of " + std::to_string(n) + ": k may be n at most";
  if (l >= k) return bounds + " inside: nobody could ever move, l must be below k";
  const std::size_t inside = setting.inside.size();
  if (inside >= l && inside <= k) return "";
  return std::to_string(inside) + " are inside at the start, " + bounds + " may be";
}

std::string refuse_unless_coterie(const Setting& setting) {
  if (setting.systems.empty()) return "it needs a quorum system: a coterie";
  const quorum::System& system = setting.system();
  if (system.kind() == quorum::Kind::groups || system.k() != 1) {
    return system.spec() + " has quorums that do not meet: it needs a coterie";
  }
  return "";
}

}  // namespace coterie::protocol
