// What `coterie check` is asked to check, and how it says so.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "check/config.h"
#include "check/explore.h"
#include "check/plan.h"

namespace coterie::cli {

struct Task {
  check::Config config;
  std::vector<check::Property> properties;
  std::string plan;  // as one would write it
};

Task read_task(const check::Plan& plan);
void print_task(const Task& task);
nlohmann::ordered_json to_json(const Task& task);

std::vector<std::string_view> names_of(const std::vector<check::Property>& properties);
// A key and what it says, in 80 columns.
void print_line(const std::string& key, const std::string& text);

}  // namespace coterie::cli
