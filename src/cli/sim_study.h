// What `coterie sim` runs: every protocol at every value of the sweep, each from the same seeds.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/batch.h"
#include "sim/plan.h"

namespace coterie::cli {

struct StudyText {
  std::vector<std::string> protocols;
  sim::Plan plan;     // its protocol is not used
  std::string sweep;  // empty: none
  std::uint64_t first_seed = 1;
  std::uint64_t seeds = 10;
};

// One protocol at one value.
struct Trial {
  sim::Plan plan;
  std::string system;  // specs as they are, with sizes; empty if it needs none
  std::size_t processes = 0;
  std::string rule;
  bool ignores_groups =
      false;  // requests name one of several groups, and it serves them as if there were one
  sim::Outcome outcome;

  // The run in which the rule was broken, or all stood still; nothing else of the trial is then good.
  const sim::Run* fault() const;
  bool is_good() const { return fault() == nullptr && !outcome.runs.empty(); }
};

struct Study {
  StudyText text;
  std::optional<sim::Sweep> sweep;
  std::vector<std::string> values;  // of the sweep; one empty text if there is none
  std::vector<Trial> trials;        // value by value, in each the protocols in their order

  const Trial& at(std::size_t value, std::size_t protocol) const {
    return trials[value * text.protocols.size() + protocol];
  }
  bool has_fault() const;
  std::uint64_t runs() const;  // finished
  std::uint64_t runs_asked() const { return trials.size() * text.seeds; }
  // The lines that run it again; and the trial's run with the fault alone.
  std::string command() const;
  static std::string command_of_fault(const Trial& trial);  // REQUIRES: it has one
  // Of the trial beside the first protocol at the same value, seed by seed.
  sim::Mean ratio(std::size_t value, std::size_t protocol, double sim::Measures::*field) const;
};

// Reads all of it and runs it, until it is interrupted. Bad input is a Failure, before anything runs.
Study prepare(const StudyText& text, std::vector<sim::Scenario>& scenarios);
void run(Study& study, std::vector<sim::Scenario> scenarios, unsigned threads);

}  // namespace coterie::cli
