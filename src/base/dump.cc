#include "base/dump.h"

namespace coterie {

void dump(std::string& to, const NodeSet& set) {
  to += '{';
  bool first = true;
  for (const NodeId member : set) {
    dumping::separate(to, first, ",");
    to += std::to_string(member);
  }
  to += '}';
}

void dumping::separate(std::string& to, bool& first, std::string_view mark) {
  if (!std::exchange(first, false)) to += mark;
}

void dumping::dump_name(std::string& to, std::string_view& names) {
  const std::size_t comma = names.find(',');
  std::string_view name = names.substr(0, comma);
  names.remove_prefix(comma == std::string_view::npos ? names.size() : comma + 1);
  while (!name.empty() && name.front() == ' ') name.remove_prefix(1);
  while (!name.empty() && (name.back() == '_' || name.back() == ' ')) name.remove_suffix(1);
  to += name;
}

}  // namespace coterie
