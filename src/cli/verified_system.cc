#include "cli/verified_system.h"

#include <fmt/format.h>

#include "cli/input.h"
#include "cli/numbers.h"
#include "coterie/properties.h"
#include "quorum/visible.h"

namespace coterie::cli {
namespace {

using quorum::System;
using quorum::Verdict;

[[noreturn]] void refuse_k(const System& system, std::size_t index, const std::string& why) {
  const bool is_alone = system.kind() == quorum::Kind::coterie;
  throw Failure(fmt::format("{}: k is given as {}{}, but {}", quorum::visible(system.spec()),
                            system.family(index).k(),
                            is_alone ? "" : " for the " + family_name(system, index), why));
}

}  // namespace

bool verify_k(const System& system, const quorum::Effort& effort) {
  if (system.spec().find("file:") == std::string::npos) return true;
  bool is_verified = true;
  for (std::size_t i = 0; i < system.family_count(); ++i) {
    const quorum::Family& family = system.family(i);
    if (family.claims().is_k_coterie) continue;
    Budget for_more(effort.steps, effort.stop);
    const quorum::Finding more = quorum::intersection(family, for_more);
    if (more.holds == Verdict::no) {
      std::string witness;
      for (const NodeSet& quorum : more.witness)
        witness += (witness.empty() ? "" : ", ") + text_of(quorum, system);
      refuse_k(system, i,
               fmt::format("{} quorums are pairwise disjoint: {}", more.witness.size(), witness));
    }
    Budget for_as_many(effort.steps, effort.stop);
    const quorum::Packing as_many =
        family.find_disjoint(NodeSet::all(family.n()), family.k(), for_as_many);
    if (as_many.found == Verdict::no)
      refuse_k(system, i, fmt::format("no {} quorums are pairwise disjoint", family.k()));
    is_verified = is_verified && more.holds == Verdict::yes && as_many.found == Verdict::yes;
  }
  return is_verified;
}

System read_verified_system(const std::string& spec) {
  System system = read_system(spec);
  verify_k(system, {});
  return system;
}

}  // namespace coterie::cli
