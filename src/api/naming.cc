#include "api/naming.h"

#include <algorithm>

#include "api/calls.h"
#include "quorum/visible.h"

namespace coterie::api {

namespace {

constexpr std::size_t kLongestName = 255;
constexpr std::size_t kMostGroups = 256;
constexpr std::size_t kMostGroupBytes = 4'096;  // of all: a frame has room for a thousand requests

bool is_printable(const std::string& text) {
  return std::all_of(text.begin(), text.end(),
                     [](unsigned char c) { return c >= 0x20 && c != 0x7f; });
}

}  // namespace

std::string fault_of_name(const std::string& what, const std::string& name) {
  if (name.empty()) return what + " must not be empty";
  if (name.size() > kLongestName)
    return what + " has " + std::to_string(name.size()) + " bytes; at most " +
           std::to_string(kLongestName) + " are allowed";
  if (!is_printable(name)) return what + " must not contain control characters";
  if (!quorum::is_text(name)) return what + " must be text in UTF-8";
  return "";
}

std::string fault_of(const Kind& kind) {
  if (kind.type > Type::band) return "no such kind of name";
  if (kind.max == 0) return "at most 0 inside: nobody could enter";
  if (kind.type == Type::mutex && kind.max != 1) return "in a mutex there is one at a time";
  if (kind.type != Type::band && kind.min != 0) return "only a band can have a minimum";
  if (kind.min > kind.max)
    return "at least " + std::to_string(kind.min) + " inside and at most " +
           std::to_string(kind.max) + ": that cannot be";
  return "";
}

std::string text_of(const Kind& kind) {
  const std::string max = std::to_string(kind.max);
  switch (kind.type) {
    case Type::mutex:
      return "a mutex";
    case Type::room:
      return kind.max == 1 ? "a room" : "a room for " + max + " groups";
    case Type::semaphore:
      return "a semaphore of " + max;
    case Type::band:
      break;
  }
  if (kind.max == kNoMax) return "a band of at least " + std::to_string(kind.min);
  return kind.min == 0 ? "a band of at most " + max
                       : "a band of " + std::to_string(kind.min) + " to " + max;
}

std::string fault_of(const Wish& wish) {
  if (std::string fault = fault_of_name("the name", wish.name); !fault.empty()) return fault;
  const bool has_groups = !wish.groups.empty() || wish.is_alone;
  if (std::string fault = fault_of(wish.kind); !fault.empty()) return fault;
  if (wish.kind.type == Type::mutex && has_groups) return "a mutex has no groups; ask for a room";
  if (wish.kind.type == Type::semaphore && has_groups)
    return "a semaphore has no groups; ask for a room";
  if (wish.kind.type == Type::room && !has_groups) return "a room needs a group";
  if (wish.kind.type == Type::band && (wish.is_alone || wish.groups.size() != 1))
    return "in a band everybody goes by one name";
  if (!wish.owner.empty()) {
    if (std::string fault = fault_of_name("the owner", wish.owner); !fault.empty()) return fault;
    if (wish.kind.type == Type::band && wish.groups.front() != wish.owner)
      return "in a band the owner of a hold is who is inside";
  }
  if (wish.is_alone && !wish.groups.empty()) return "who is alone cannot name groups too";
  if (wish.groups.size() > kMostGroups)
    return "a request names " + std::to_string(wish.groups.size()) + " groups; at most " +
           std::to_string(kMostGroups) + " are allowed";
  std::size_t bytes = 0;
  for (const std::string& group : wish.groups) {
    if (std::string fault = fault_of_name("a group", group); !fault.empty()) return fault;
    bytes += group.size();
  }
  if (bytes > kMostGroupBytes)
    return "the groups have " + std::to_string(bytes) + " bytes together; at most " +
           std::to_string(kMostGroupBytes) + " are allowed";
  return "";
}

}  // namespace coterie::api
