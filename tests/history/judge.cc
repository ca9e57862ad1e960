#include "history/judge.h"

#include <algorithm>
#include <map>

#include "history/intervals.h"
#include "history/search.h"

namespace coterie::history {

Verdict judge(const std::vector<Call>& calls, const Terms& terms) {
  std::map<std::string, std::vector<const Call*>> names;
  for (const Call& call : calls) names[call.name].push_back(&call);
  Verdict verdict;
  for (auto& [name, of_name] : names) {
    std::stable_sort(of_name.begin(), of_name.end(),
                     [](const Call* a, const Call* b) { return a->called < b->called; });
    verdict.text += fault_of_order(of_name);
    verdict.text += fault_of_tokens(of_name, terms.grace);
    verdict.text += fault_of_floor(of_name, terms.grace);
    verdict.text += fault_of_loss(of_name);
  }
  verdict.is_good = verdict.text.empty();
  return verdict;
}

Counts count(const std::vector<Call>& calls) {
  Counts counts;
  for (const Call& call : calls) {
    if (call.act == Act::enter && call.answer == Answer::granted) {
      ++counts.entries;
      counts.lost += call.was_lost ? 1U : 0U;
    }
    if ((call.act == Act::hold && call.answer == Answer::granted) ||
        (call.act == Act::release && call.answer == Answer::done))
      ++counts.lasting;
    if (!is_definite(call.answer)) ++counts.unsure;
  }
  return counts;
}

}  // namespace coterie::history
