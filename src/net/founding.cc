#include "net/founding.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>

namespace coterie::net {

void Founding::resume(std::string seed, Seeds known) {
  seed_ = std::move(seed);
  known_ = std::move(known);
  // The file may name others than before: as long as nothing is founded, it may be changed.
  std::erase_if(known_, [&](const auto& item) {
    return std::find(members_.begin(), members_.end(), item.first) == members_.end();
  });
  if (has_seed()) known_[self_] = seed_;
}

void Founding::give_up() {
  seed_.clear();
  known_.clear();
}

bool Founding::hear(const std::string& member, const Word& word) {
  words_[member] = word;
  if (!has_seed() || !is_seed(word.seed)) return false;
  return known_.try_emplace(member, word.seed).second;
}

bool Founding::has_lost_its_disk(const std::string& member) const {
  const auto word = words_.find(member);
  const auto known = known_.find(member);
  return word != words_.end() && known != known_.end() && is_seed(word->second.seed) &&
         word->second.seed != known->second;
}

std::optional<Founding::Seeds> Founding::founded() const {
  if (!has_seed() || known_.size() < members_.size()) return std::nullopt;
  const bool is_agreed = std::all_of(members_.begin(), members_.end(), [&](const auto& member) {
    if (member == self_) return true;
    const auto word = words_.find(member);
    return word != words_.end() && word->second.seed == known_.at(member) &&
           word->second.known == known_;
  });
  return is_agreed ? std::optional(known_) : std::nullopt;
}

std::string Founding::why() const {
  const char* const way_out =
      "If nothing was ever granted, start each member once with --new-cluster";
  std::vector<std::string> unheard;
  std::copy_if(members_.begin(), members_.end(), std::back_inserter(unheard),
               [&](const auto& member) { return member != self_ && !words_.contains(member); });
  if (!unheard.empty())
    return fmt::format("it has no data, and waits for {}: a new cluster begins when all have met",
                       fmt::join(unheard, ", "));
  for (const auto& [member, word] : words_) {
    const auto mine = word.known.find(self_);
    const bool forgot = mine != word.known.end() && mine->second != seed_;
    if (has_lost_its_disk(member) || forgot)
      return fmt::format(
          "it has no data, and {} has lost its own since they met first, so that the cluster may "
          "not be new. {}",
          has_lost_its_disk(member) ? member : "this member", way_out);
    if (!is_seed(word.seed))
      return fmt::format(
          "it has no data, and {} may have had some and lost it, so that the cluster may not be "
          "new. {}; if not, bring its data back",
          member, way_out);
  }
  return has_seed()
             ? "it has no data, and agrees with the others that the cluster is new"
             : "it has lost its data, and waits until enough others say which cluster this is";
}

}  // namespace coterie::net
