// Cohorts (Jiang and Huang): what their paper computes beyond what every family answers.
#pragma once

#include <cstddef>
#include <optional>
#include <span>

#include "coterie/node_set.h"

namespace coterie::quorum {

// Function Get_Quorum of Figure 1, as printed: the last cohort becomes primary if it can, a supporting
// one if it cannot, and so on backwards. It asks each cohort for the available members of lowest number.
// Their Obtain says "more than" where it must say "at least"; with that alone it would hardly ever
// form a quorum, so that is mended. REQUIRES: sizes are legal for k, and sum to available.universe()
std::optional<NodeSet> get_quorum_as_printed(std::size_t k, std::span<const std::size_t> sizes,
                                             const NodeSet& available);

// ES(l), equation (2): the expected size when a fraction f of the quorums, at every level, takes the
// last cohort as primary. REQUIRES: sizes are legal for k, 0 <= f <= 1
double expected_size_by_fraction(std::size_t k, std::span<const std::size_t> sizes, double f);
// The closed form, equation (3), for l cohorts of which all but the first have size s. REQUIRES: f > 0
double expected_size_closed_form(std::size_t k, std::size_t l, std::size_t s, double f);
// Its limit as l grows: s - k + 1/f.
double expected_size_limit(std::size_t k, std::size_t s, double f);

}  // namespace coterie::quorum
