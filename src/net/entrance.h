// Who may begin a TLS handshake, and when. A handshake takes a member's one thread about a millisecond, in which it hears nobody else, and
// anybody who can connect can begin one. So only some are under way at once, which bounds how long others wait, and only some begin in a
// second, which bounds what they take of the thread. Connections from addresses of members have places and a rate of their own.
//
// The others wait. Origins take turns (origin.h): whoever comes with a thousand connections waits for itself. When too many wait, the
// oldest of the origin that has most is sent away; and while others wait for a place, a handshake that takes long loses its own.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "net/allowance.h"

namespace coterie::net {

class Entrance {
 public:
  using Id = std::uint64_t;
  struct Limits {
    std::size_t under_way = 256;
    std::uint32_t per_second = 500;
    std::size_t waiting = 1'024;
    std::size_t of_members = 32;  // under way, besides
    std::uint32_t of_members_per_second = 100;
    member::Duration long_enough = member::Duration::milliseconds(500);
  };
  explicit Entrance(const Limits& limits)
      : limits_(limits), others_(limits.per_second), members_(limits.of_members_per_second) {}

  // It waits from now on. Returns whom to send away for it, if too many wait.
  std::optional<Id> knock(Id id, const std::string& origin, bool is_members) {
    // More than members need: others share their address.
    if (is_members && waiting_members_.size() < limits_.of_members) {
      waiting_members_.push_back(id);
      return std::nullopt;
    }
    const auto [place, is_new] = waiting_.try_emplace(origin);
    if (is_new) turns_.push_back(origin);
    place->second.push_back(id);
    if (++waiting_count_ <= limits_.waiting) return std::nullopt;
    auto most = waiting_.begin();
    for (auto each = waiting_.begin(); each != waiting_.end(); ++each) {
      if (each->second.size() > most->second.size()) most = each;
    }
    return take_from(most);
  }

  // Who may begin now, in their order. Each is under way until done().
  std::vector<Id> admit(member::Instant now) {
    std::vector<Id> admitted;
    while (!waiting_members_.empty() && members_under_way_ < limits_.of_members &&
           members_.take(1, now)) {
      ++members_under_way_;
      admitted.push_back(take(waiting_members_));
      begun_.push_back({admitted.back(), now, true});
    }
    while (!turns_.empty() && !is_full() && others_.take(1, now)) {
      const std::string origin = turns_.front();
      turns_.pop_front();
      const auto place = waiting_.find(origin);
      if (place->second.size() > 1) turns_.push_back(origin);
      admitted.push_back(take_from(place, false));
      begun_.push_back({admitted.back(), now, false});
    }
    return admitted;
  }

  // Its handshake is over, however; or it does not wait any more. REQUIRES: it knocked, and was not sent away.
  void done(Id id) {
    const auto begun = std::find_if(begun_.begin(), begun_.end(),
                                    [&](const Begun& each) { return each.id == id; });
    if (begun != begun_.end()) {
      if (begun->is_members) --members_under_way_;
      begun_.erase(begun);
      return;
    }
    if (std::erase(waiting_members_, id) > 0) return;
    for (auto each = waiting_.begin(); each != waiting_.end(); ++each) {
      if (std::erase(each->second, id) == 0) continue;
      --waiting_count_;
      if (each->second.empty()) forget(each);
      return;
    }
  }

  // Whose handshakes take so long that others, for whom there is no place, should have theirs: end them, and call done().
  std::vector<Id> overdue(member::Instant now) const {
    std::vector<Id> late;
    if (!is_full()) return late;
    for (const Begun& each : begun_) {
      if (each.since + limits_.long_enough > now || late.size() == waiting_count_) break;
      if (!each.is_members) late.push_back(each.id);
    }
    return late;
  }

  bool has_waiting() const { return waiting_count_ > 0 || !waiting_members_.empty(); }
  std::size_t waiting() const { return waiting_count_ + waiting_members_.size(); }
  std::size_t under_way() const { return begun_.size(); }

 private:
  struct Begun {
    Id id;
    member::Instant since;
    bool is_members;  // it has a place of theirs
  };
  bool is_full() const { return begun_.size() - members_under_way_ >= limits_.under_way; }

  using Waiting = std::map<std::string, std::deque<Id>>;

  static Id take(std::deque<Id>& from) {
    const Id id = from.front();
    from.pop_front();
    return id;
  }
  // The oldest of an origin. `has_turn`: the origin is still in turns_.
  Id take_from(Waiting::iterator place, bool has_turn = true) {
    const Id id = take(place->second);
    --waiting_count_;
    if (place->second.empty()) has_turn ? forget(place) : void(waiting_.erase(place));
    return id;
  }
  void forget(Waiting::iterator place) {
    std::erase(turns_, place->first);
    waiting_.erase(place);
  }

  Limits limits_;
  Allowance others_;
  Allowance members_;
  Waiting waiting_;                // by origin
  std::deque<std::string> turns_;  // of the origins that wait, each once
  std::size_t waiting_count_ = 0;
  std::deque<Id> waiting_members_;
  std::deque<Begun> begun_;  // the oldest first
  std::size_t members_under_way_ = 0;
};

}  // namespace coterie::net
