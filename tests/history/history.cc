#include "history/history.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <sstream>

namespace coterie::history {
namespace {

constexpr std::array<std::string_view, 4> kKinds = {"mutex", "semaphore", "room", "band"};
constexpr std::array<std::string_view, 5> kActs = {"enter", "hold", "release", "set", "look"};
constexpr std::array<std::string_view, 6> kAnswers = {"none",   "granted", "done",
                                                      "absent", "refused", "unsure"};

// A word of a line: never empty.
std::string word(const std::string& text) { return text.empty() ? "-" : text; }
std::string text_of_word(const std::string& word) { return word == "-" ? "" : word; }

template <class Value, std::size_t Count>
bool find(const std::array<std::string_view, Count>& names, const std::string& name, Value& value) {
  const auto* const place = std::find(names.begin(), names.end(), name);
  value = static_cast<Value>(place - names.begin());
  return place != names.end();
}

bool read_call(std::istream& line, Call& call) {
  std::string act;
  std::string kind;
  line >> act >> call.name >> kind >> call.min >> call.limit >> call.owner >> call.group >>
      call.is_exclusive >> call.called;
  call.owner = text_of_word(call.owner);
  call.group = text_of_word(call.group);
  return line && find(kActs, act, call.act) && find(kKinds, kind, call.kind);
}

bool read_answer(std::istream& line, Call& call) {
  std::string answer;
  std::size_t seen = 0;
  line >> call.answered >> answer >> call.token >> call.group >> call.limit >> seen;
  call.group = text_of_word(call.group);
  for (std::string owner; seen > 0 && line; --seen) {
    std::uint64_t token = 0;
    line >> owner >> token;
    call.seen.emplace_back(owner, token);
  }
  return line && find(kAnswers, answer, call.answer);
}

bool read_end(std::istream& line, Call& call) {
  return static_cast<bool>(line >> call.until >> call.leave_called >> call.left >> call.was_lost >>
                           call.promised);
}

std::string since(Time time, Time origin) {
  return time == kNever ? "never" : fmt::format("{:.6f}", static_cast<double>(time - origin) / 1e6);
}

}  // namespace

std::string_view text_of(Kind kind) { return kKinds[static_cast<std::size_t>(kind)]; }
std::string_view text_of(Act act) { return kActs[static_cast<std::size_t>(act)]; }
std::string_view text_of(Answer answer) { return kAnswers[static_cast<std::size_t>(answer)]; }

std::string text_of(const Call& call, Time origin) {
  std::string text = fmt::format("{}/{}: {} {} {}", call.client, call.number, text_of(call.act),
                                 call.act == Act::enter ? text_of(call.kind) : "", call.name);
  if (!call.owner.empty()) text += " as " + call.owner;
  if (!call.group.empty()) text += " in group " + call.group;
  if (call.is_exclusive) text += " alone";
  if (call.act == Act::set || call.kind == Kind::semaphore)
    text += fmt::format(" limit {}", call.limit);
  text += fmt::format(", called {} ms, {}", since(call.called, origin), text_of(call.answer));
  if (call.answer == Answer::granted) text += fmt::format(" token {}", call.token);
  text += (call.answer == Answer::none ? ", died at " : " at ") + since(call.answered, origin);
  if (call.act == Act::enter && call.answer == Answer::granted) {
    text += ", believed until " + since(call.until, origin);
    if (call.left != kNever) text += ", left at " + since(call.left, origin);
    if (call.was_lost) text += ", lost";
  }
  for (const auto& [owner, token] : call.seen) text += fmt::format(", {} ({})", owner, token);
  return text;
}

std::string line_of_call(const Call& call) {
  return fmt::format("c {} {} {} {} {} {} {} {} {} {} {}\n", call.client, call.number,
                     text_of(call.act), call.name, text_of(call.kind), call.min, call.limit,
                     word(call.owner), word(call.group), call.is_exclusive ? 1 : 0, call.called);
}

std::string line_of_answer(const Call& call) {
  std::string text =
      fmt::format("a {} {} {} {} {} {} {} {}", call.client, call.number, call.answered,
                  text_of(call.answer), call.token, word(call.group), call.limit, call.seen.size());
  for (const auto& [owner, token] : call.seen) text += fmt::format(" {} {}", owner, token);
  return text + "\n";
}

std::string line_of_end(const Call& call) {
  return fmt::format("e {} {} {} {} {} {} {}\n", call.client, call.number, call.until,
                     call.leave_called, call.left, call.was_lost ? 1 : 0, call.promised);
}

bool read(std::string_view text, std::vector<Call>& calls) {
  std::map<std::pair<std::string, std::uint64_t>, std::size_t> known;
  while (true) {
    const std::size_t end = text.find('\n');
    if (end == std::string_view::npos) return true;  // torn, or over
    std::istringstream line{std::string(text.substr(0, end))};
    text.remove_prefix(end + 1);
    std::string what;
    std::pair<std::string, std::uint64_t> id;
    if (!(line >> what >> id.first >> id.second)) return false;
    const auto [place, is_new] = known.try_emplace(id, calls.size());
    if (is_new != (what == "c")) return false;
    if (is_new) {
      calls.emplace_back();
      calls.back().client = id.first;
      calls.back().number = id.second;
    }
    Call& call = calls[place->second];
    const bool is_read = what == "c"   ? read_call(line, call)
                         : what == "a" ? read_answer(line, call)
                         : what == "e" ? read_end(line, call)
                                       : false;
    if (!is_read) return false;
  }
}

}  // namespace coterie::history
