// The surficial system for m groups (Joung 2003), of degree d: each pair of groups shares a block
// of d x d members that no other group uses. A quorum of group i has one line of each of its m-1
// blocks: a row where i is the first of the pair, a column where it is the second. Its r-th quorum
// takes the r-th line everywhere, so the d quorums of a group are disjoint, and quorums of
// different groups meet in exactly one member: where the row and the column of their common block
// cross.
#include <fmt/format.h>

#include <limits>
#include <utility>

#include "coterie/constructions.h"
#include "quorum/disjoint.h"

namespace coterie::quorum {
namespace {

std::string surficial_spec(std::size_t groups, std::size_t degree) {
  return fmt::format("surficial:groups={},degree={}", groups, degree);
}

// How many members; nothing if more than are allowed.
std::optional<std::size_t> member_count(std::size_t groups, std::size_t degree) {
  if (groups > kMaxMembers || degree > kMaxMembers) return std::nullopt;
  const std::size_t pairs = groups * (groups - 1) / 2;
  const std::size_t block = degree * degree;
  if (pairs > kMaxMembers || block > kMaxMembers / pairs) return std::nullopt;
  return pairs * block;
}

// The largest value up to `value` that `fits`. REQUIRES: `least` fits, and all below one that fits.
template <class Fits>
std::size_t largest_fit(std::size_t least, std::size_t value, Fits fits) {
  while (least < value) {
    const std::size_t middle = value - (value - least) / 2;
    if (fits(middle)) {
      least = middle;
    } else {
      value = middle - 1;
    }
  }
  return least;
}

std::optional<Error> shape_error(std::size_t groups, std::size_t degree) {
  const std::size_t some_degree =
      largest_fit(1, std::max<std::size_t>(degree, 1),
                  [](std::size_t value) { return member_count(2, value).has_value(); });
  if (groups < 2) {
    return Error{fmt::format("groups = {} is too few: quorums of different groups meet, so there "
                             "must be at least 2 groups",
                             groups),
                 "groups",
                 {},
                 surficial_spec(2, some_degree)};
  }
  if (degree == 0) {
    const std::size_t most = largest_fit(
        2, groups, [](std::size_t value) { return member_count(value, 1).has_value(); });
    return Error{"degree = 0 leaves no members: a group must have at least 1 quorum",
                 "degree",
                 {},
                 surficial_spec(most, 1)};
  }
  if (member_count(groups, degree)) return std::nullopt;
  const std::string limit = fmt::format(
      "{} groups of degree {} need degree² members for each pair of groups, more than the {} that "
      "are allowed",
      groups, degree, kMaxMembers);
  if (!member_count(groups, 1)) {
    const std::size_t most = largest_fit(
        2, groups, [&](std::size_t value) { return member_count(value, some_degree).has_value(); });
    return Error{limit, "groups", {}, surficial_spec(most, some_degree)};
  }
  const std::size_t most = largest_fit(
      1, degree, [&](std::size_t value) { return member_count(groups, value).has_value(); });
  return Error{limit, "degree", {}, surficial_spec(groups, most)};
}

}  // namespace

Result<System> surficial(std::size_t groups, std::size_t degree) {
  if (auto error = shape_error(groups, degree)) return std::move(*error);
  const std::size_t n = *member_count(groups, degree);

  // quorums[i][r]: the r-th quorum of group i.
  std::vector<std::vector<std::vector<MemberRange>>> quorums(
      groups, std::vector<std::vector<MemberRange>>(degree));
  std::vector<std::vector<NodeId>> layout;
  NodeId member = 0;
  for (std::size_t first = 0; first < groups; ++first) {
    for (std::size_t second = first + 1; second < groups; ++second) {
      for (std::size_t row = 0; row < degree; ++row) {
        const auto row_end = static_cast<NodeId>(member + degree);
        quorums[first][row].push_back({member, row_end});
        layout.emplace_back();
        for (std::size_t col = 0; col < degree; ++col, ++member) {
          quorums[second][col].push_back({member, member + 1});
          layout.back().push_back(member);
        }
      }
    }
  }

  std::vector<std::shared_ptr<const Family>> families;
  families.reserve(groups);
  for (const auto& group : quorums) families.push_back(disjoint_quorums(n, group));
  return System(Kind::groups, surficial_spec(groups, degree), std::move(families))
      .with_layout(std::move(layout));
}

}  // namespace coterie::quorum
