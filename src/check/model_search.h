// Breadth-first search of every state of a model that is not a protocol of processes and channels (space.h): its states are
// plain bytes, and a function lists the steps of a state. Table, edges and verdicts are those of explore.h.
//
// A Model has:
//   State                                        trivially copyable, without padding
//   State initial() const
//   void steps(const State&, std::vector<ModelStep<State>>&) const
//   std::optional<ModelFault> fault(const State&) const
//   bool is_good_end(const State&) const         of a state from which only chance leads on
//   std::string describe(const ModelLabel&) const
#pragma once

#include <xxhash.h>

#include <algorithm>
#include <boost/unordered/unordered_flat_set.hpp>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/assert.h"
#include "check/explore.h"
#include "check/finish.h"
#include "check/table.h"

namespace coterie::check {

struct ModelFault {
  Property property = Property::safety;
  std::string reason;
};

// What a step is, for its story: a kind, and up to three numbers that the model explains.
struct ModelLabel {
  std::uint8_t kind = 0;
  std::uint8_t first = 0;
  std::uint8_t second = 0;
  std::uint8_t third = 0;
};

template <class State>
struct ModelStep {
  State next;
  ModelLabel label;
  bool is_chance = false;  // it may happen or not: no end waits for it
};

struct ModelOutcome : Outcome {
  std::vector<std::string> story;  // the trace in words
  const Outcome& summary() const { return *this; }
};

template <class Model>
class ModelSearch {
 public:
  using State = typename Model::State;
  static_assert(std::has_unique_object_representations_v<State>);

  ModelSearch(Model model, const Options& options)
      : model_(std::move(model)), options_(options), table_(true) {}

  ModelOutcome run() {
    ModelOutcome outcome;
    std::optional<Found> fault = search(outcome);
    outcome.states = table_.size();
    if (!fault && outcome.reason.empty()) {
      outcome.verdict = Verdict::holds;
      const Edges* const edges = &edges_;
      const Ends ends = can_finish({&edges, 1}, table_.size());
      outcome.is_acyclic = ends.is_acyclic;
      if (const auto lost = first_lost(table_, ends))
        fault = Found{{Property::finish, "from here some call is never answered"}, *lost};
    }
    if (!fault) return outcome;
    outcome.verdict = Verdict::violated;
    outcome.property = fault->what.property;
    outcome.reason = fault->what.reason;
    const std::uint32_t length = *table_.depth(fault->fingerprint);
    COTERIE_ASSERT(find_path(model_.initial(), fault->fingerprint, length, outcome.story));
    std::reverse(outcome.story.begin(), outcome.story.end());
    return outcome;
  }

 private:
  struct Found {
    ModelFault what;
    Fingerprint fingerprint = 0;
  };
  struct Reached {
    State state;
    Fingerprint fingerprint;
    std::uint32_t number;
  };

  static Fingerprint fingerprint_of(const State& state) {
    return XXH3_64bits(&state, sizeof(state));
  }

  // Sets outcome.reason if it stops before the end.
  std::optional<Found> search(Outcome& outcome) {
    table_.reserve(kSlice);
    std::vector<Reached> level;
    std::vector<Reached> next;
    const State initial = model_.initial();
    const Fingerprint root = fingerprint_of(initial);
    level.push_back({initial, root, table_.insert(root, 0).number});
    std::optional<Found> first;
    while (true) {
      for (std::size_t at = 0; at < level.size(); ++at) {
        if (at % kSlice == 0 && !go_on(outcome, level.size() + next.size())) return first;
        expand(level[at], next, outcome, first);
      }
      if (first || next.empty()) return first;
      std::swap(level, next);
      next.clear();
      ++outcome.depth;
    }
  }

  bool go_on(Outcome& outcome, std::size_t waiting) {
    table_.reserve(kSlice * kMostSteps);
    const std::size_t bytes = table_.bytes() + edges_.bytes() + waiting * 2 * sizeof(Reached) +
                              table_.size() * kBytesToFinish;
    outcome.bytes = std::max(outcome.bytes, bytes);
    const Progress progress{table_.size(), outcome.transitions, outcome.depth, waiting, bytes};
    if (bytes > options_.memory_limit) outcome.reason = "the memory limit is reached";
    if (!options_.progress(progress)) outcome.reason = "it was interrupted";
    return outcome.reason.empty();
  }

  // Of several faults at the least depth the one of least property and fingerprint is told.
  void expand(const Reached& from, std::vector<Reached>& next, Outcome& outcome,
              std::optional<Found>& first) {
    if (auto fault = model_.fault(from.state)) {
      const bool is_before = !first || std::pair(fault->property, from.fingerprint) <
                                           std::pair(first->what.property, first->fingerprint);
      if (is_before) first = Found{*std::move(fault), from.fingerprint};
      return;
    }
    steps_.clear();
    targets_.clear();
    model_.steps(from.state, steps_);
    COTERIE_ASSERT(steps_.size() <= kMostSteps);
    for (const ModelStep<State>& step : steps_) {
      const Fingerprint fingerprint = fingerprint_of(step.next);
      const Table::Entry entry = table_.insert(fingerprint, outcome.depth + 1);
      if (!step.is_chance) targets_.push_back(entry.number);
      if (entry.is_new) next.push_back({step.next, fingerprint, entry.number});
    }
    outcome.transitions += steps_.size();
    edges_.add(from.number, targets_);
    if (targets_.empty() && model_.is_good_end(from.state)) edges_.add_good_end(from.number);
  }

  // The way back, latest step first.
  bool find_path(const State& state, Fingerprint target, std::uint32_t left,
                 std::vector<std::string>& story) {
    const Fingerprint fingerprint = fingerprint_of(state);
    if (left == 0) return fingerprint == target;
    const std::uint32_t depth = *table_.depth(target) - left;
    if (!dead_ends_.insert(fingerprint).second) return false;
    std::vector<ModelStep<State>> steps;
    model_.steps(state, steps);
    for (const ModelStep<State>& step : steps) {
      if (table_.depth(fingerprint_of(step.next)) != depth + 1) continue;
      if (!find_path(step.next, target, left - 1, story)) continue;
      story.push_back(model_.describe(step.label));
      return true;
    }
    return false;
  }

  static constexpr std::size_t kSlice = 1024;
  static constexpr std::size_t kMostSteps = 128;

  Model model_;
  const Options& options_;
  Table table_;
  Edges edges_;
  std::vector<ModelStep<State>> steps_;
  std::vector<std::uint32_t> targets_;
  boost::unordered_flat_set<Fingerprint> dead_ends_;
};

}  // namespace coterie::check
