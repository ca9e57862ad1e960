// What torture found, as text and as JSON.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "sim/torture_batch.h"

namespace coterie::cli {

// The command that runs one seed again in the same way.
std::string replay_of(std::uint64_t seed, const sim::torture::Mode& mode);

void print_findings(const sim::torture::Findings& findings, const sim::torture::Mode& mode);
nlohmann::ordered_json to_json(const sim::torture::Findings& findings,
                               const sim::torture::Mode& mode);

// The lines of a plan, wrapped.
void print_plan(std::uint64_t seed, const sim::torture::Mode& mode);

}  // namespace coterie::cli
