// The last things that happened, in words. A run is only told when it has failed: it is run again for that.
#pragma once

#include <fmt/format.h>

#include <deque>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sim/torture_clock.h"

namespace coterie::sim::torture {

class Story {
 public:
  Story() = default;  // of nothing
  // Of one name, or of all, and of what concerns the whole cluster.
  Story(std::optional<std::size_t> resource, std::size_t most)
      : is_on_(true), resource_(resource), most_(most) {}

  bool is_on() const { return is_on_; }
  bool is_about(std::size_t resource) const {
    return is_on_ && (!resource_ || *resource_ == resource);
  }
  template <class... Args>
  void tell(Real now, fmt::format_string<Args...> format, Args&&... args) {
    if (!is_on_) return;
    lines_.push_back(fmt::format("{:12.6f}  ", seconds(now)) +
                     fmt::format(format, std::forward<Args>(args)...));
    if (lines_.size() > most_) lines_.pop_front();
  }
  std::vector<std::string> take() {
    return {std::make_move_iterator(lines_.begin()), std::make_move_iterator(lines_.end())};
  }

 private:
  bool is_on_ = false;
  std::optional<std::size_t> resource_;
  std::size_t most_ = 0;
  std::deque<std::string> lines_;
};

}  // namespace coterie::sim::torture
