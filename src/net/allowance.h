// How often what is costly may be asked for: so many a second, and no more than a second's worth at once.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <unordered_map>

#include "member/api.h"

namespace coterie::net {

class Allowance {
 public:
  explicit Allowance(std::uint32_t per_second) : per_second_(per_second), left_(per_second) {}

  bool has(std::uint32_t cost, member::Instant now) const { return left_at(now) >= cost; }
  bool take(std::uint32_t cost, member::Instant now) {
    if (!has(cost, now)) return false;
    left_ = left_at(now) - cost;
    since_ = std::max(since_, now);
    return true;
  }
  // As if it had never been used.
  bool is_whole(member::Instant now) const { return left_at(now) >= per_second_; }

 private:
  double left_at(member::Instant now) const {
    constexpr std::int64_t kSecond = 1'000'000'000;
    if (now <= since_) return left_;
    const double more = static_cast<double>((now - since_).ns) / kSecond * per_second_;
    return std::min<double>(per_second_, left_ + more);
  }

  std::uint32_t per_second_;
  double left_;
  member::Instant since_;
};

// The allowances of a member's clients. A call must have the leave of three: its session's, so that a client which comes back to
// its session finds what it had left; its origin's (origin.h), so that a client which comes back as a new one does not begin anew;
// and the member's, for all together. An allowance that is whole again is forgotten: a new one would be the same.
class Allowances {
 public:
  struct Rates {  // a second
    std::uint32_t session;
    std::uint32_t origin;
    std::uint32_t all;
  };
  explicit Allowances(const Rates& rates) : rates_(rates), all_(rates.all) {}

  bool take(member::SessionId session, const std::string& origin, std::uint32_t cost,
            member::Instant now) {
    forget_whole(now);
    Allowance& own = sessions_.try_emplace(session, rates_.session).first->second;
    Allowance& shared = origins_.try_emplace(origin, rates_.origin).first->second;
    if (!own.has(cost, now) || !shared.has(cost, now) || !all_.has(cost, now)) return false;
    own.take(cost, now);
    shared.take(cost, now);
    all_.take(cost, now);
    return true;
  }
  std::size_t size() const { return sessions_.size() + origins_.size(); }

 private:
  void forget_whole(member::Instant now) {
    constexpr member::Duration kEvery = member::Duration::seconds(1);
    if (now < swept_ + kEvery) return;
    swept_ = now;
    const auto is_whole = [&](const auto& item) { return item.second.is_whole(now); };
    std::erase_if(sessions_, is_whole);
    std::erase_if(origins_, is_whole);
  }

  Rates rates_;
  std::unordered_map<member::SessionId, Allowance> sessions_;
  std::unordered_map<std::string, Allowance> origins_;
  Allowance all_;
  member::Instant swept_;
};

}  // namespace coterie::net
