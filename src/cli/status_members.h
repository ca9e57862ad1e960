// The members of a cluster, as those say that answer, for people and for monitors.
#pragma once

#include <chrono>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "cli/cluster.h"

namespace coterie::cli {

// 0.4 s, 12 s, 3 min, 2 h
std::string text_of_time(std::chrono::milliseconds time);

class Members {
 public:
  // Asks those that the options name, and the others of which these tell. With an overview, also who holds each name.
  Members(const ClusterOptions& cluster, bool has_overview);
  ~Members();
  Members(const Members&) = delete;
  Members& operator=(const Members&) = delete;

  bool has_quorum() const;  // one of them can grant something
  // The code to exit with: 0 if all serve; 1 if enough do; 69 if nobody can enter.
  int health() const;
  std::string check_line() const;
  nlohmann::ordered_json check_json() const;
  nlohmann::ordered_json json() const;
  // What to do if nobody answers is the hint.
  std::string page(const std::string& hint) const;

 private:
  struct Found;
  std::unique_ptr<Found> found_;
};

}  // namespace coterie::cli
