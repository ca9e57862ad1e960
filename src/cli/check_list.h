// `coterie check --list`: the protocols with their papers, variants and mutants.
#pragma once

namespace coterie::cli {

void list_protocols(bool json);

}  // namespace coterie::cli
