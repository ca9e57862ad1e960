// One vote, lent to one request at a time: the mechanism under every algorithm here that asks permission.
//
// The queue holds every request that has come and not gone, the holder among them, best first.
#pragma once

#include <algorithm>
#include <boost/container/small_vector.hpp>
#include <optional>

#include "base/assert.h"
#include "base/fields.h"
#include "protocol/types.h"

namespace coterie::protocol {

// REQUIRES of Request: a Stamp called stamp.
template <class Request>
class Vote {
 public:
  using Queue = boost::container::small_vector<Request, 4>;

  bool is_free() const { return !holder_.has_value(); }
  bool empty() const { return queue_.empty(); }
  bool holds(const Stamp& stamp) const { return holder_ == stamp; }
  const Request& holder() const { return *find(*holder_); }
  // REQUIRES: !empty()
  const Request& best() const { return queue_.front(); }
  const Queue& queue() const { return queue_; }
  const Request* find(const Stamp& stamp) const {
    const auto place = locate(stamp);
    return place != queue_.end() && place->stamp == stamp ? &*place : nullptr;
  }

  void add(const Request& request) {
    const auto place = locate(request.stamp);
    COTERIE_ASSERT(place == queue_.end() || place->stamp != request.stamp);
    queue_.insert(place, request);
  }
  // Forgets a request, and frees the vote if it held it. Answers whether it was here.
  bool drop(const Stamp& stamp) {
    const auto place = locate(stamp);
    if (place == queue_.end() || place->stamp != stamp) return false;
    queue_.erase(place);
    if (holds(stamp)) take_back();
    return true;
  }
  // The holder waits again.
  void take_back() {
    holder_.reset();
    asked_back_ = false;
  }
  // Lends the vote to the best. REQUIRES: free, not empty
  const Request& lend() {
    COTERIE_ASSERT(!empty());
    return lend(best().stamp);
  }
  // Lends it to one that waits, where not every one may have it. REQUIRES: free, the request is here
  const Request& lend(const Stamp& stamp) {
    COTERIE_ASSERT(is_free());
    holder_ = stamp;
    return holder();
  }
  // Should the holder be asked to give the vote back for a better request? Yes once per tenure.
  bool ask_back() { return !empty() && ask_back(best().stamp); }
  bool ask_back(const Stamp& challenger) {
    if (is_free() || asked_back_ || !(challenger < *holder_)) return false;
    asked_back_ = true;
    return true;
  }

  COTERIE_FIELDS(queue_, holder_, asked_back_)

 private:
  // The first that is not better. Halves without a branch, which would be a guess.
  typename Queue::const_iterator locate(const Stamp& stamp) const {
    auto first = queue_.begin();
    for (std::size_t left = queue_.size(); left > 0;) {
      const std::size_t half = (left + 1) / 2;
      const bool is_better = (first + static_cast<std::ptrdiff_t>(half - 1))->stamp < stamp;
      first += static_cast<std::ptrdiff_t>(half * static_cast<std::size_t>(is_better));
      left -= half;
    }
    return first;
  }

  Queue queue_;
  std::optional<Stamp> holder_;
  bool asked_back_ = false;
};

}  // namespace coterie::protocol
