#include "check/plan_options.h"

#include <algorithm>
#include <array>

namespace coterie::check {
namespace {

Texts number_unless_none(std::uint32_t number) {
  return number == 0 ? Texts{} : Texts{std::to_string(number)};
}

std::string set_late(bool& is_late, std::string_view text) {
  if (text != "any" && text != "late")
    return "must be any or late, not '" + std::string(text) + "'";
  is_late = text == "late";
  return {};
}

constexpr std::array kOptions = {
    PlanOption{"system", "SPEC", "a quorum system; a protocol made of two may take two",
               [](Plan& plan, std::string_view text) {
                 plan.systems.emplace_back(text);
                 return std::string();
               },
               [](const Plan& plan) { return plan.systems; }, true},
    PlanOption{"processes", "N", "how many processes: as many as the system has members",
               [](Plan& plan, std::string_view text) { return set_number(plan.processes, text); },
               [](const Plan& plan) { return number_if_set(plan.processes); }},
    PlanOption{"requesters", "M", "only the first M of them ask",
               [](Plan& plan, std::string_view text) { return set_number(plan.requesters, text); },
               [](const Plan& plan) { return number_if_set(plan.requesters); }},
    PlanOption{"requests", "R", "how often each of these asks (1)",
               [](Plan& plan, std::string_view text) { return set_number(plan.requests, text); },
               [](const Plan& plan) {
                 return plan.requests == 1 ? Texts{} : Texts{std::to_string(plan.requests)};
               }},
    PlanOption{
        "groups", "a,b,a|N|each",
        "the group of each process (a+b: either); or how many groups, each request free; or a "
        "group for each request",
        [](Plan& plan, std::string_view text) { return set_text(plan.groups, text); },
        [](const Plan& plan) { return text_if_set(plan.groups); }},
    PlanOption{"min", "L", "at least L inside: floors and bands",
               [](Plan& plan, std::string_view text) { return set_number(plan.min, text); },
               [](const Plan& plan) { return number_if_set(plan.min); }},
    PlanOption{"max", "K", "at most K inside, or K groups (what the system allows)",
               [](Plan& plan, std::string_view text) { return set_number(plan.max, text); },
               [](const Plan& plan) { return number_if_set(plan.max); }},
    PlanOption{"inside", "i,j,...|none",
               "who starts inside: floors and bands (all, or the first K)",
               [](Plan& plan, std::string_view text) { return set_text(plan.inside, text); },
               [](const Plan& plan) { return text_if_set(plan.inside); }},
    PlanOption{"quorums", "i+j,...|any",
               "the quorum of each process, or any: every choice is explored",
               [](Plan& plan, std::string_view text) { return set_text(plan.quorums, text); },
               [](const Plan& plan) { return text_if_set(plan.quorums); }},
    PlanOption{"locks", "r", "at most r locks per node: maekawa-m (no limit)",
               [](Plan& plan, std::string_view text) { return set_count(plan.locks, text); },
               [](const Plan& plan) {
                 return plan.locks == 0 ? Texts{} : Texts{std::to_string(plan.locks)};
               }},
    PlanOption{
        "self", "queued|immediate",
        "a message to oneself is a step of its own (queued), or part of the same step",
        [](Plan& plan, std::string_view text) {
          if (text != "queued" && text != "immediate")
            return "must be queued or immediate, not '" + std::string(text) + "'";
          plan.immediate_to_self = text == "immediate";
          return std::string();
        },
        [](const Plan& plan) { return plan.immediate_to_self ? Texts{"immediate"} : Texts{}; }},
    PlanOption{"alarms", "any|late",
               "an alarm goes off at any moment, or when no message is under way",
               [](Plan& plan, std::string_view text) { return set_late(plan.late_alarms, text); },
               [](const Plan& plan) { return plan.late_alarms ? Texts{"late"} : Texts{}; }},
    PlanOption{"unordered", "", "messages on one channel may overtake each other",
               [](Plan& plan, std::string_view /*text*/) {
                 plan.fifo = false;
                 return std::string();
               },
               [](const Plan& plan) { return plan.fifo ? Texts{} : Texts{""}; }},
    PlanOption{
        "crashes", "N", "up to N crashes: for protocols that survive them",
        [](Plan& plan, std::string_view text) { return set_number(plan.faults.crashes, text); },
        [](const Plan& plan) { return number_unless_none(plan.faults.crashes); }},
    PlanOption{
        "restarts", "N", "up to N of the crashed come back",
        [](Plan& plan, std::string_view text) { return set_number(plan.faults.restarts, text); },
        [](const Plan& plan) { return number_unless_none(plan.faults.restarts); }},
    PlanOption{
        "lapses", "N", "up to N leases between two that live run out",
        [](Plan& plan, std::string_view text) { return set_number(plan.faults.lapses, text); },
        [](const Plan& plan) { return number_unless_none(plan.faults.lapses); }},
    PlanOption{
        "suspicions", "N", "up to N times one that lives is taken for dead",
        [](Plan& plan, std::string_view text) { return set_number(plan.faults.suspicions, text); },
        [](const Plan& plan) { return number_unless_none(plan.faults.suspicions); }},
    PlanOption{
        "cancels", "N", "up to N requests are given up",
        [](Plan& plan, std::string_view text) { return set_number(plan.faults.cancels, text); },
        [](const Plan& plan) { return number_unless_none(plan.faults.cancels); }},
    PlanOption{"strike", "any|late",
               "crashes, and ends of leases: at any moment, or when all has settled",
               [](Plan& plan, std::string_view text) { return set_late(plan.late_faults, text); },
               [](const Plan& plan) { return plan.late_faults ? Texts{"late"} : Texts{}; }},
    PlanOption{"reduce", "", "of steps that commute explore one order; finish is then not judged",
               [](Plan& plan, std::string_view /*text*/) {
                 plan.reduce = true;
                 return std::string();
               },
               [](const Plan& plan) { return plan.reduce ? Texts{""} : Texts{}; }},
    PlanOption{
        "property", "P,...",
        "only these of safety, tokens, survives, served, leaks, slot, entry, finish (those it "
        "claims, without tokens and survives)",
        [](Plan& plan, std::string_view text) {
          const auto parsed = parse_properties(text);
          if (!parsed) return parsed.error().message;
          return set_text(plan.properties, text);
        },
        [](const Plan& plan) { return text_if_set(plan.properties); }},
};

// The words of a command line: broken at blanks; '...' keeps what is in it together; \' is a quote.
Result<std::vector<std::string>> words_of(std::string_view text) {
  std::vector<std::string> words;
  bool is_open = false;  // a word
  bool is_quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool is_literal = !is_quoted && text[i] == '\\' && i + 1 < text.size();
    if (is_literal) ++i;
    const bool is_quote = !is_literal && text[i] == '\'';
    if (is_quote) is_quoted = !is_quoted;
    const bool is_gap = !is_quoted && !is_literal && (text[i] == ' ' || text[i] == '\t');
    if (!is_gap && !is_open) words.emplace_back();
    is_open = !is_gap;
    if (is_open && !is_quote) words.back() += text[i];
  }
  if (is_quoted) return Error{"there is no second ' in: " + std::string(text)};
  return words;
}

}  // namespace

std::span<const PlanOption> plan_options() { return kOptions; }

Result<Plan> parse_plan(std::string_view text) {
  const auto words = words_of(text);
  if (!words) return words.error();
  Plan plan;
  for (std::size_t i = 0; i < words->size(); ++i) {
    const std::string& word = (*words)[i];
    if (!word.starts_with("--")) {
      if (!plan.protocol.empty())
        return Error{"one protocol at a time: '" + plan.protocol + "' or '" + word + "'"};
      plan.protocol = word;
      continue;
    }
    const auto* const option =
        std::find_if(kOptions.begin(), kOptions.end(),
                     [&](const PlanOption& each) { return word.substr(2) == each.name; });
    if (option == kOptions.end()) return Error{"there is no option '" + word + "'"};
    const bool takes_value = !option->value.empty();
    if (takes_value && i + 1 == words->size()) return Error{word + " needs a value"};
    const std::string wrong = option->set(plan, takes_value ? (*words)[++i] : "");
    if (!wrong.empty()) return Error{word + ": " + wrong};
  }
  if (plan.protocol.empty()) return Error{"no protocol is named in: " + std::string(text)};
  return plan;
}

std::string text_of(const Plan& plan) {
  return quoted(plan.protocol) + text_of_options(plan_options(), plan);
}

}  // namespace coterie::check
