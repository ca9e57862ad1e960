// The models that are no protocols (calls.h, sets.h) by their names: `coterie check calls:two-copies@no-tombstone` is the
// configuration "two-copies" of the model "calls" with the mistake "no-tombstone".
#pragma once

#include <string_view>
#include <vector>

#include "check/calls.h"
#include "check/sets.h"
#include "coterie/result.h"

namespace coterie::check {

template <class Mutant>
struct ModelMutant {
  Mutant mutant;
  std::string_view name;
  std::string_view meaning;
};

const std::vector<CallsConfig>& calls_configs();
const std::vector<ModelMutant<CallsMutant>>& calls_mutants();
const std::vector<SetsConfig>& sets_configs();
const std::vector<ModelMutant<SetsMutant>>& sets_mutants();

// Whether what stands after `coterie check` is a model, not a protocol.
bool is_model(std::string_view plan);

// REQUIRES: is_model(plan). An error names what is not known.
Result<ModelOutcome> run_model(std::string_view plan, const Options& options);

}  // namespace coterie::check
