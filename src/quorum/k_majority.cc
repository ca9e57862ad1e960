// The k-majority coterie (Kakugawa, Fujita, Yamashita and Ae 1993; as compared in Jiang and Huang,
// Section 5.3): any q = ceil((n+1)/(k+1)) members. Then (k+1) q > n, so at most k quorums are disjoint.
//
// Corrected: that any k-1 disjoint quorums leave room for one more also needs k q <= n, which the
// papers do not say; it fails, for instance, for k = 2 and n = 3.
#include <fmt/format.h>

#include "coterie/constructions.h"
#include "quorum/limits.h"
#include "quorum/threshold.h"

namespace coterie::quorum {
namespace {

std::size_t quorum_size(std::size_t n, std::size_t k) { return (n + 1 + k) / (k + 1); }

bool is_legal(std::size_t n, std::size_t k) { return k * quorum_size(n, k) <= n; }

// n = k is legal (quorums of one member), and so is n = k(k+1)-1 and more, so there is one near by.
std::size_t nearest_legal(std::size_t n, std::size_t k) {
  for (std::size_t distance = 1;; ++distance) {
    if (n + distance <= kMaxMembers && is_legal(n + distance, k)) return n + distance;
    if (n >= k + distance && is_legal(n - distance, k)) return n - distance;
  }
}

}  // namespace

Result<System> k_majority(std::size_t n, std::size_t k) {
  if (auto error = check_members(n)) return std::move(*error);
  if (auto error = outside("k", k, 1, n)) return std::move(*error);
  const std::size_t q = quorum_size(n, k);
  if (!is_legal(n, k)) {
    return Error{.message = fmt::format("with n = {} and k = {} a quorum has {} members, and {} of "
                                        "them need {} members: they are not {} disjoint quorums",
                                        n, k, q, k, k * q, k),
                 .parameter = "n",
                 .position = {},
                 .nearest = fmt::format("k-majority:n={},k={}", nearest_legal(n, k), k)};
  }
  return System(Kind::coterie, fmt::format("k-majority:n={},k={}", n, k),
                {std::make_shared<Threshold>(n, q)});
}

}  // namespace coterie::quorum
