// Every algorithm by name, with its variants and its mutants: what `coterie check --list` shows and what
// every driver makes its processes from.
//
// A version is written NAME+variant+variant@mutant, as in surrogate+entry+multi@E1; an algorithm that is
// made of others names them in brackets, as in gcs[mutin;k-mutex].
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "coterie/result.h"
#include "protocol/node.h"
#include "protocol/process.h"
#include "spec/rule.h"

namespace coterie::protocol {

using spec::Problem;  // Setting's min and max are its l and k

using Make = std::unique_ptr<Process> (*)(const Setting& setting, NodeId self);

template <class Algorithm>
std::unique_ptr<Process> make_process(const Setting& setting, NodeId self) {
  return std::make_unique<Erased<Algorithm>>(setting, self);
}

struct Variant {
  std::string_view name;
  std::string_view meaning;
};

// A printed algorithm's error, one difference from ours at a time.
struct Mutant {
  std::string_view name;
  std::string_view meaning;  // what it does wrong
  Make make = nullptr;
};

// Which entries have a fencing token that exceeds an earlier entry's.
enum class Tokens : std::uint8_t {
  none,
  grow_between_groups,  // those of another group than the earlier one
  grow,                 // also those of the same process, where each has a group of its own
  grow_always,          // every entry's, also while others are inside
};

// What a version promises beyond its rule, an answer to every request, and nothing left behind.
struct Claims {
  bool free_slot = true;          // a free slot is reachable while those inside stay
  bool concurrent_entry = false;  // friends need not wait for each other to leave
  Tokens tokens = Tokens::none;
};

struct Entry {
  std::string_view name;
  Problem problem = Problem::mutex;
  std::string_view title;  // the paper
  std::vector<Variant> variants = {};
  std::vector<Mutant> mutants = {};
  Make make = nullptr;
  bool chooses_quorums = false;        // per request, so that a driver may say which
  bool takes_groups_together = false;  // a request may name several groups
  bool needs_system = true;
  bool limits_locks = false;   // heeds Setting::locks
  bool starts_inside = false;  // heeds Setting::inside; at rest whoever is inside
  std::size_t parts = 0;       // algorithms that it is made of
  Faults survives = {};
  bool is_told_forget = false;  // see Process::forget
  // The problem, where it depends on the parts.
  Problem (*problem_of)(const Version& version) = nullptr;
  Claims (*claims)(const Version& version) = nullptr;  // the defaults of Claims if there is none
  // What is wrong with a setting, if anything: "" if it will do.
  std::string (*refuse)(const Setting& setting) = nullptr;
};

const std::vector<Entry>& catalogue();

// One algorithm in one version.
struct Choice {
  const Entry* entry = nullptr;
  Version version;

  Problem problem() const;
  Make make() const;
  std::string text() const;  // parses to the same choice
};
Result<Choice> parse_choice(std::string_view text);

}  // namespace coterie::protocol
