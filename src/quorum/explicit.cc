// Explicit systems: quorums as a JSON text lists them. docs/quorums.md has the format.
//
// A list is taken as it is. Whether its quorums meet, and whether they are minimal, is for the
// checks of properties.h to say; here it must only be a list of non-empty sets of members that have
// names. Errors say which quorum is wrong, counted from 1 as a person would, and what is allowed.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <unordered_map>
#include <utility>

#include "coterie/constructions.h"
#include "quorum/listed.h"

namespace coterie::quorum {
namespace {

using Json = nlohmann::json;

constexpr std::size_t kMaxQuorums = 100'000;
constexpr std::size_t kMaxEntries = 1'000'000;  // names in all quorums together
constexpr std::size_t kMaxName = 100;
constexpr const char* kForms =
    R"({"quorums": [["a","b"],...]}, {"write": [...], "read": [...]} or {"groups": [[...],...]})";

// Thrown and caught in this file only: reading a nested text has many ways to fail.
struct Refused {
  std::string message;
};

template <class... Values>
[[noreturn]] void refuse(fmt::format_string<Values...> format, Values&&... values) {
  throw Refused{fmt::format(format, std::forward<Values>(values)...)};
}

// Line and column, from 1, of the last of the first `bytes` bytes.
std::pair<std::size_t, std::size_t> place_of(std::string_view text, std::size_t bytes) {
  const std::string_view before = text.substr(0, bytes == 0 ? 0 : bytes - 1);
  const auto lines = static_cast<std::size_t>(std::count(before.begin(), before.end(), '\n'));
  const std::size_t line_begin = lines == 0 ? 0 : before.rfind('\n') + 1;
  return {lines + 1, before.size() - line_begin + 1};
}

Json parse_json(std::string_view text) {
  if (text.size() > kMaxTextBytes)
    refuse("the text has {} bytes; up to {} are read", text.size(), kMaxTextBytes);
  if (text.find_first_not_of(" \t\r\n") == std::string_view::npos) {
    refuse("the text is empty; write {}", kForms);
  }
  std::vector<std::string> keys;
  const auto refuse_repeated_keys = [&](int depth, Json::parse_event_t event, Json& value) {
    if (depth != 1 || event != Json::parse_event_t::key) return true;
    const auto& key = value.get_ref<const std::string&>();
    if (std::find(keys.begin(), keys.end(), key) != keys.end())
      refuse("\"{}\" is given twice", key);
    keys.push_back(key);
    return true;
  };
  try {
    return Json::parse(text, refuse_repeated_keys);
  } catch (const Json::parse_error& error) {
    const auto [line, column] = place_of(text, error.byte);
    refuse("line {}, column {}: {}", line, column,
           error.byte > text.size() ? "the JSON text ends too early" : "this is not JSON");
  } catch (const Json::exception& error) {
    refuse("this is not JSON that can be read: {}", error.what());
  }
}

std::string name_of(const Json& value, const std::string& where) {
  std::string name;
  if (value.is_number_unsigned()) {
    name = std::to_string(value.get<std::uint64_t>());
  } else if (value.is_string()) {
    name = value.get<std::string>();
  } else {
    refuse("{} has a member that is neither a name in quotes nor a whole number", where);
  }
  const bool is_printable = std::none_of(name.begin(), name.end(), [](char c) {
    return static_cast<unsigned char>(c) < ' ' || c == '\x7f';
  });
  if (name.empty() || name.size() > kMaxName || !is_printable) {
    refuse("{} has a name that is not 1 to {} printable characters", where, kMaxName);
  }
  return name;
}

bool is_number(const std::string& name) {
  return std::all_of(name.begin(), name.end(), [](char c) { return c >= '0' && c <= '9'; }) &&
         (name.size() == 1 || name.front() != '0');
}

// Numbers come first, by value; then the others, by text.
bool comes_before(const std::string& a, const std::string& b) {
  if (is_number(a) != is_number(b)) return is_number(a);
  if (is_number(a) && a.size() != b.size()) return a.size() < b.size();
  return a < b;
}

// One list of quorums in the text, and what to call one of them.
struct Source {
  const Json* quorums;
  std::string what;  // "write quorum"
  std::string of;    // " of group 2"
  std::string key_of_k;

  std::string quorum(std::size_t index) const {
    return fmt::format("{} {}{}", what, index + 1, of);
  }
};

class ExplicitReader {
 public:
  explicit ExplicitReader(std::string_view text) : json_(parse_json(text)) {}

  System read(const std::string& origin) {
    if (!json_.is_object()) refuse("the text must be a JSON object: {}", kForms);
    refuse_unknown_keys();
    const auto [kind, sources] = find_sources();
    for (const Source& source : sources) check_shape(source);
    name_members(sources);
    std::vector<std::shared_ptr<const Family>> families;
    for (const Source& source : sources) {
      QuorumLists quorums = read_quorums(source);
      const std::size_t k = read_k(source, quorums);
      families.push_back(std::make_shared<Listed>(names_.size(), k, std::move(quorums)));
    }
    return System(kind, "file:" + origin, std::move(families)).with_labels(std::move(names_));
  }

 private:
  void refuse_unknown_keys() const {
    for (const auto& [key, value] : json_.items()) {
      const auto known = {"quorums", "write", "read", "groups", "members", "k", "read_k"};
      if (std::find(known.begin(), known.end(), key) == known.end()) {
        refuse("\"{}\" has no meaning here; the keys are {}", key.substr(0, kMaxName),
               fmt::join(known, ", "));
      }
    }
  }

  std::pair<Kind, std::vector<Source>> find_sources() const {
    const bool is_pair = json_.contains("write") || json_.contains("read");
    const int forms = int{json_.contains("quorums")} + int{is_pair} + int{json_.contains("groups")};
    if (forms != 1) {
      refuse("{}; write {}", forms == 0 ? "there are no quorums" : "only one form can be given",
             kForms);
    }
    if (json_.contains("read_k") && !is_pair) refuse(R"("read_k" is for "read" only)");
    if (json_.contains("quorums")) {
      return {Kind::coterie, {{&json_["quorums"], "quorum", "", "k"}}};
    }
    if (is_pair) {
      if (!json_.contains("write")) refuse(R"("read" needs "write" beside it)");
      if (!json_.contains("read")) refuse(R"("write" needs "read" beside it)");
      return {Kind::write_read,
              {{&json_["write"], "write quorum", "", "k"},
               {&json_["read"], "read quorum", "", "read_k"}}};
    }
    const Json& groups = json_["groups"];
    if (!groups.is_array() || groups.empty())
      refuse("\"groups\" must be a list of lists of quorums");
    std::vector<Source> sources;
    for (const Json& group : groups) {
      sources.push_back({&group, "quorum", fmt::format(" of group {}", sources.size() + 1), "k"});
    }
    return {Kind::groups, std::move(sources)};
  }

  void check_shape(const Source& source) {
    const auto& [quorums, what, of, key_of_k] = source;
    if (!quorums->is_array()) refuse("the {}s{} must be a list of lists of members", what, of);
    if (quorums->empty()) refuse("there is no {}{}; at least one is needed", what, of);
    for (std::size_t i = 0; i < quorums->size(); ++i) {
      const Json& quorum = (*quorums)[i];
      if (!quorum.is_array()) refuse("{} must be a list of members", source.quorum(i));
      if (quorum.empty()) refuse("{} is empty; a quorum has at least one member", source.quorum(i));
      entries_ += quorum.size();
    }
    quorums_ += quorums->size();
    if (quorums_ > kMaxQuorums || entries_ > kMaxEntries) {
      refuse("there are more than {} quorums, or {} members in them", kMaxQuorums, kMaxEntries);
    }
  }

  void name_members(const std::vector<Source>& sources) {
    if (json_.contains("members")) {
      const Json& members = json_["members"];
      if (!members.is_array() || members.empty()) refuse("\"members\" must be a list of names");
      for (const Json& member : members) names_.push_back(name_of(member, "\"members\""));
    } else {
      for (const Source& source : sources) {
        for (std::size_t i = 0; i < source.quorums->size(); ++i) {
          for (const Json& member : (*source.quorums)[i]) {
            names_.push_back(name_of(member, source.quorum(i)));
          }
        }
      }
      std::sort(names_.begin(), names_.end(), comes_before);
      names_.erase(std::unique(names_.begin(), names_.end()), names_.end());
    }
    if (names_.size() > kMaxMembers) refuse("there may be {} members in all", kMaxMembers);
    for (std::size_t i = 0; i < names_.size(); ++i) {
      if (!ids_.emplace(names_[i], static_cast<NodeId>(i)).second) {
        refuse(R"("members" has "{}" twice)", names_[i]);
      }
    }
  }

  QuorumLists read_quorums(const Source& source) const {
    QuorumLists lists;
    std::map<std::vector<NodeId>, std::size_t> seen;
    for (std::size_t i = 0; i < source.quorums->size(); ++i) {
      std::vector<NodeId> quorum;
      for (const Json& member : (*source.quorums)[i]) {
        const std::string name = name_of(member, source.quorum(i));
        const auto id = ids_.find(name);
        if (id == ids_.end())
          refuse(R"({} has "{}", who is not in "members")", source.quorum(i), name);
        quorum.push_back(id->second);
      }
      std::sort(quorum.begin(), quorum.end());
      const auto twice = std::adjacent_find(quorum.begin(), quorum.end());
      if (twice != quorum.end()) refuse(R"({} has "{}" twice)", source.quorum(i), names_[*twice]);
      lists.add(quorum);
      const auto [same, is_new] = seen.emplace(std::move(quorum), i);
      if (!is_new) {
        refuse("{} is {} again; each may be given once", source.quorum(i),
               source.quorum(same->second));
      }
    }
    return lists;
  }

  std::size_t read_k(const Source& source, const QuorumLists& quorums) const {
    const std::string& key = source.key_of_k;
    if (json_.contains(key)) {
      const Json& k = json_[key];
      if (!k.is_number_unsigned() || k < 1 || k > names_.size()) {
        refuse("\"{}\" must be a whole number from 1 to {}, the number of members", key,
               names_.size());
      }
      return k.get<std::size_t>();
    }
    Budget budget;
    const std::optional<std::size_t> k = largest_packing(quorums, names_.size(), budget);
    if (!k) {
      refuse(
          "how many {}s{} can be disjoint was not decided in {} steps; say it by \"{}\": a number",
          source.what, source.of, Budget::kDefaultSteps, key);
    }
    return *k;
  }

  const Json json_;
  std::size_t quorums_ = 0;
  std::size_t entries_ = 0;
  std::vector<std::string> names_;
  std::unordered_map<std::string, NodeId> ids_;
};

}  // namespace

Result<System> explicit_system(std::string_view json, const std::string& origin) {
  if (origin.find_first_of("@;]") != std::string::npos) {
    return Error{.message =
                     fmt::format("'{}' cannot be written in a spec: no '@', ';' or ']'", origin)};
  }
  try {
    return ExplicitReader(json).read(origin);
  } catch (const Refused& refused) {
    return Error{.message = fmt::format("{}: {}", origin, refused.message)};
  }
}

}  // namespace coterie::quorum
