// Members in rows of equal length, numbered row by row: what grid-rw and the torus have in common.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "coterie/quorum.h"
#include "coterie/result.h"

namespace coterie::quorum {

// What is wrong with rows x cols members, if anything; `spec` writes the nearest legal shape.
std::optional<Error> rectangle_error(
    std::size_t rows, std::size_t cols,
    const std::function<std::string(std::size_t rows, std::size_t cols)>& spec);

std::vector<std::vector<NodeId>> rows_layout(std::size_t rows, std::size_t cols);

// The family whose quorums are the row covers: exactly one member of each row.
std::shared_ptr<const Family> row_covers(std::size_t rows, std::size_t cols);
// The family whose quorums are the rows.
std::shared_ptr<const Family> full_rows(std::size_t rows, std::size_t cols);

// Visits `base` with one member of each of the given rows added, for every such choice, until
// `visit` answers false. Answers whether it visited all. REQUIRES: base has none of these rows.
bool for_each_choice(const NodeSet& base, std::span<const std::size_t> rows, std::size_t cols,
                     const Family::Visit& visit);

}  // namespace coterie::quorum
