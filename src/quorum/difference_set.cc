// Singer (1938): let x generate the multiplicative group of the field with q³ elements, and let n =
// q²+q+1. The elements whose trace onto the field with q elements is 0 form a plane through the
// origin; since x^n is in the small field, whether x^i is one of them depends on i modulo n only.
// Those residues i are the difference set.
//
// With q = p^e the field is that of polynomials over the integers modulo p, modulo a polynomial of
// degree 3e, and x is the polynomial x: we try polynomials until x has order q³ - 1. No other test
// is needed: then the powers of x are all the q³ - 1 nonzero remainders, so each of them has an
// inverse.
#include "quorum/difference_set.h"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "base/assert.h"

namespace coterie::quorum {
namespace {

std::vector<std::uint64_t> prime_factors(std::uint64_t number) {
  std::vector<std::uint64_t> factors;
  for (std::uint64_t divisor = 2; divisor * divisor <= number; ++divisor) {
    if (number % divisor != 0) continue;
    factors.push_back(divisor);
    while (number % divisor == 0) number /= divisor;
  }
  if (number > 1) factors.push_back(number);
  return factors;
}

std::uint64_t power_of(std::uint64_t base, std::size_t exponent) {
  std::uint64_t power = 1;
  for (std::size_t i = 0; i < exponent; ++i) power *= base;
  return power;
}

// Entry i is the coefficient of x^i; as many entries as the degree of the field.
using Element = std::vector<std::uint64_t>;

// The remainders modulo x^degree - reduction, over the integers modulo p.
class Remainders {
 public:
  Remainders(std::uint64_t p, Element reduction) : p_(p), reduction_(std::move(reduction)) {}

  std::size_t degree() const { return reduction_.size(); }
  Element one() const {
    Element element(degree(), 0);
    element[0] = 1;
    return element;
  }
  Element x() const { return times_x(one()); }

  Element sum(Element a, const Element& b) const {
    for (std::size_t i = 0; i < degree(); ++i) a[i] = (a[i] + b[i]) % p_;
    return a;
  }
  Element times(Element a, std::uint64_t factor) const {
    for (std::uint64_t& coefficient : a) coefficient = coefficient * factor % p_;
    return a;
  }
  Element times_x(Element a) const {
    const std::uint64_t overflow = a.back();
    std::rotate(a.begin(), a.end() - 1, a.end());
    a[0] = 0;
    return sum(std::move(a), times(reduction_, overflow));
  }
  Element product(const Element& a, const Element& b) const {
    Element result(degree(), 0);
    for (std::size_t i = degree(); i-- > 0;)
      result = sum(times_x(std::move(result)), times(a, b[i]));
    return result;
  }
  Element power(Element base, std::uint64_t exponent) const {
    Element result = one();
    for (; exponent > 0; exponent /= 2) {
      if (exponent % 2 == 1) result = product(result, base);
      base = product(base, base);
    }
    return result;
  }

 private:
  std::uint64_t p_;
  Element reduction_;
};

bool has_order(const Remainders& ring, std::uint64_t order,
               const std::vector<std::uint64_t>& prime_factors_of_order) {
  const Element one = ring.one();
  if (ring.power(ring.x(), order) != one) return false;
  return std::none_of(
      prime_factors_of_order.begin(), prime_factors_of_order.end(),
      [&](std::uint64_t factor) { return ring.power(ring.x(), order / factor) == one; });
}

// A field with p^degree elements in which x generates all but 0.
Remainders find_field(std::uint64_t p, std::size_t degree) {
  const std::uint64_t order = power_of(p, degree) - 1;
  const std::vector<std::uint64_t> factors = prime_factors(order);
  Element reduction(degree, 0);
  while (true) {
    // The next polynomial: its coefficients are the digits of a number that counts up.
    auto digit = reduction.begin();
    while (*digit == p - 1) *digit++ = 0;
    ++*digit;
    Remainders ring(p, reduction);
    if (has_order(ring, order, factors)) return ring;
  }
}

// The trace of each power x^0, x^1, ..., below the degree: that of the others follows by linearity.
std::vector<Element> traces_of_basis(const Remainders& field, std::uint64_t q) {
  std::vector<Element> traces;
  for (std::size_t i = 0; i < field.degree(); ++i) {
    const Element element = field.power(field.x(), i);
    const Element conjugate = field.power(element, q);
    traces.push_back(field.sum(element, field.sum(conjugate, field.power(conjugate, q))));
  }
  return traces;
}

// q+1 residues have q(q+1) = n-1 differences: if these differ, each number is one of them.
bool differences_differ(const std::vector<NodeId>& residues, std::size_t n) {
  NodeSet seen(n);
  for (const NodeId a : residues) {
    for (const NodeId b : residues) {
      if (a == b) continue;
      const auto difference = static_cast<NodeId>((a + n - b) % n);
      if (seen.contains(difference)) return false;
      seen.insert(difference);
    }
  }
  return true;
}

}  // namespace

std::optional<PrimePower> as_prime_power(std::size_t number) {
  if (number < 2) return std::nullopt;
  std::size_t prime = 2;
  while (prime * prime <= number && number % prime != 0) ++prime;
  if (number % prime != 0) prime = number;
  std::size_t exponent = 0;
  while (number % prime == 0) {
    number /= prime;
    ++exponent;
  }
  if (number != 1) return std::nullopt;
  return PrimePower{prime, exponent};
}

std::vector<NodeId> singer_difference_set(std::size_t q) {
  const std::optional<PrimePower> power = as_prime_power(q);
  COTERIE_ASSERT(power.has_value());
  const Remainders field = find_field(power->prime, 3 * power->exponent);
  const std::vector<Element> traces = traces_of_basis(field, q);
  const Element zero(field.degree(), 0);

  const std::size_t n = q * q + q + 1;
  std::vector<NodeId> residues;
  Element element = field.one();
  for (NodeId i = 0; i < n; ++i) {
    Element trace = zero;
    for (std::size_t j = 0; j < field.degree(); ++j) {
      if (element[j] != 0) trace = field.sum(std::move(trace), field.times(traces[j], element[j]));
    }
    if (trace == zero) residues.push_back(i);
    element = field.times_x(std::move(element));
  }
  COTERIE_ASSERT(residues.size() == q + 1);
  const NodeId first = residues.front();
  for (NodeId& residue : residues) residue -= first;
  COTERIE_ASSERT(differences_differ(residues, n));
  return residues;
}

}  // namespace coterie::quorum
