#include "sim/sites.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

namespace coterie::sim {
namespace {

using nlohmann::json;

constexpr const char* kForm = R"({"means": [[0.5, 40], [40, 0.5]], "site_of": [0, 0, 1]})";

bool is_time(const json& value) { return value.is_number() && value.get<double>() >= 0; }

bool is_square(const json& means) {
  return means.is_array() && !means.empty() &&
         std::all_of(means.begin(), means.end(), [&](const json& row) {
           return row.is_array() && row.size() == means.size() &&
                  std::all_of(row.begin(), row.end(), is_time);
         });
}

Result<std::vector<std::uint32_t>> read_places(const json& places, std::size_t sites,
                                               std::size_t processes) {
  if (!places.is_array() || places.size() != processes) {
    return Error{fmt::format("site_of must be an array with the site of each of the {} processes",
                             processes)};
  }
  std::vector<std::uint32_t> site_of;
  for (const json& place : places) {
    if (!place.is_number_unsigned() || place.get<std::uint64_t>() >= sites) {
      return Error{
          fmt::format("site_of: {} is no site; they are 0 to {}", place.dump(), sites - 1)};
    }
    site_of.push_back(place.get<std::uint32_t>());
  }
  return site_of;
}

}  // namespace

Result<Sites> parse_sites(std::string_view text, std::size_t processes) {
  const json file = json::parse(text, nullptr, false);
  if (!file.is_object()) return Error{fmt::format("sites are a JSON object such as {}", kForm)};
  for (const auto& [key, value] : file.items()) {
    if (key != "means" && key != "site_of")
      return Error{
          fmt::format("there is no '{}' in a file of sites, which looks like {}", key, kForm)};
  }
  if (!file.contains("means") || !is_square(file["means"])) {
    return Error{
        "means must be a square of times, none negative: from each site (row) to each site "
        "(column)"};
  }
  Sites sites;
  for (const json& row : file["means"]) sites.means.push_back(row.get<std::vector<double>>());
  if (file.contains("site_of")) {
    auto site_of = read_places(file["site_of"], sites.means.size(), processes);
    if (!site_of) return site_of.error();
    sites.site_of = *std::move(site_of);
  } else {
    for (std::size_t i = 0; i < processes; ++i)
      sites.site_of.push_back(static_cast<std::uint32_t>(i % sites.means.size()));
  }
  return sites;
}

}  // namespace coterie::sim
