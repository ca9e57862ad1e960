#include "cli/input.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string_view>

#include "cli/table.h"
#include "coterie/constructions.h"
#include "coterie/spec.h"

namespace coterie::cli {
namespace {

constexpr std::size_t kMaxRange = 10'000;

Error file_error(std::string message) {
  return {.message = std::move(message), .parameter = {}, .position = {}, .nearest = {}};
}

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  while (true) {
    const std::size_t at = text.find(separator);
    parts.push_back(text.substr(0, at));
    if (at == std::string_view::npos) return parts;
    text.remove_prefix(at + 1);
  }
}

template <class Number>
std::optional<Number> number(std::string_view text) {
  Number value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

bool is_probability(double value) { return value >= 0 && value <= 1; }  // false for NaN

// Nothing is dropped silently: a key that is given twice is an error too.
nlohmann::json read_json(const std::string& text, const std::string& path) {
  std::set<std::string> keys;
  std::string repeated;
  const auto watch = [&](int depth, nlohmann::json::parse_event_t event, nlohmann::json& value) {
    if (event == nlohmann::json::parse_event_t::key && depth == 1) {
      const auto& key = value.get_ref<const std::string&>();
      if (!keys.insert(key).second) repeated = key;
    }
    return true;
  };
  nlohmann::json json;
  try {
    json = nlohmann::json::parse(text, watch);
  } catch (const nlohmann::json::parse_error& error) {
    throw Failure(fmt::format("'{}' is not JSON: the mistake is at byte {}", path, error.byte));
  } catch (const nlohmann::json::exception&) {
    throw Failure(fmt::format("'{}' has a number that is out of range", path));
  }
  if (!repeated.empty()) throw Failure(fmt::format("'{}' has '{}' twice", path, repeated));
  return json;
}

}  // namespace

Result<std::string> read_file(const std::string& path) {
  std::error_code failed;
  if (!std::filesystem::exists(path, failed)) return file_error(fmt::format("no file '{}'", path));
  if (!std::filesystem::is_regular_file(path, failed)) {
    return file_error(fmt::format("'{}' is not a file", path));
  }
  if (std::filesystem::file_size(path, failed) > quorum::kMaxTextBytes) {
    return file_error(
        fmt::format("'{}' is larger than {} MiB", path, quorum::kMaxTextBytes >> 20U));
  }
  std::ifstream file(path, std::ios::binary);
  if (!file.is_open()) return file_error(fmt::format("cannot open '{}'", path));
  std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  if (file.bad()) return file_error(fmt::format("cannot read '{}'", path));
  // Said in place: an Error, too, can be made of one string.
  Result<std::string> result(boost::system::in_place_value, std::move(text));
  return result;
}

quorum::System read_system(const std::string& spec) {
  Result<quorum::System> system = quorum::parse(spec, read_file);
  if (!system) throw Failure(quorum::explain(system.error(), spec));
  return *std::move(system);
}

double read_probability(const std::string& text, const std::string& option) {
  const std::optional<double> value = number<double>(text);
  if (!value || !is_probability(*value)) {
    throw Failure(fmt::format("{} must be a probability from 0 to 1, not '{}'", option, text));
  }
  return *value;
}

std::vector<double> read_probabilities(const std::string& text, const std::string& option) {
  const std::vector<std::string_view> parts = split(text, ':');
  if (parts.size() == 1) return {read_probability(text, option)};
  if (parts.size() != 3) {
    throw Failure(
        fmt::format("{} must be a probability or a range FROM:TO:STEP, not '{}'", option, text));
  }
  const double from = read_probability(std::string(parts[0]), option);
  const double to = read_probability(std::string(parts[1]), option);
  const double step = read_probability(std::string(parts[2]), option);
  const double count = step > 0 ? std::floor((to - from) / step + 1e-9) + 1 : 0;
  if (from > to || count < 1 || count > static_cast<double>(kMaxRange)) {
    throw Failure(
        fmt::format("{}: a range FROM:TO:STEP goes up, in 1 to {} steps greater than 0, not '{}'",
                    option, kMaxRange, text));
  }
  std::vector<double> values;
  for (std::size_t i = 0; i < static_cast<std::size_t>(count); ++i) {
    // Rounded to what was meant: 0.5 + 7 * 0.01 is 0.57.
    values.push_back(
        std::min(to, std::round((from + static_cast<double>(i) * step) * 1e12) / 1e12));
  }
  return values;
}

std::vector<std::size_t> read_sizes(const std::string& text, const std::string& option) {
  std::vector<std::size_t> sizes;
  for (const std::string_view item : split(text, ',')) {
    std::vector<std::size_t> range;
    for (const std::string_view part : split(item, ':')) {
      const auto value = number<std::uint32_t>(part);
      if (!value || *value == 0 || *value > quorum::kMaxMembers) break;
      range.push_back(*value);
    }
    const std::size_t parts = split(item, ':').size();
    const bool is_range = parts == 3 && range.size() == 3 && range[0] <= range[1];
    if (range.size() != parts || (parts != 1 && !is_range)) {
      throw Failure(
          fmt::format("{} must be sizes such as 5,10 or FROM:TO:STEP, each from 1 to {}, not '{}'",
                      option, quorum::kMaxMembers, item));
    }
    const std::size_t last = is_range ? range[1] : range[0];
    const std::size_t step = is_range ? range[2] : 1;
    for (std::size_t size = range[0]; size <= last; size += step) {
      sizes.push_back(size);
      if (sizes.size() > kMaxRange)
        throw Failure(fmt::format("{}: more than {} sizes", option, kMaxRange));
    }
  }
  return sizes;
}

std::vector<double> read_up_file(const std::string& path, const quorum::System& system) {
  const Result<std::string> text = read_file(path);
  if (!text) throw Failure(text.error().message);
  const nlohmann::json json = read_json(*text, path);
  if (!json.is_array() && !json.is_object()) {
    throw Failure(fmt::format(
        "'{}' must be a JSON array of {} probabilities, or an object with one per member", path,
        system.n()));
  }
  if (json.size() != system.n()) {
    throw Failure(fmt::format(
        "'{}' has {}, but {} has {}", path,
        json.size() == 1 ? "1 probability" : fmt::format("{} probabilities", json.size()),
        system.spec(), counted(system.n(), "member")));
  }
  std::vector<double> up;
  for (NodeId member = 0; member < system.n(); ++member) {
    const std::string& label = system.label(member);
    if (json.is_object() && !json.contains(label)) {
      throw Failure(fmt::format("'{}' has no probability for member '{}'", path, label));
    }
    const nlohmann::json& value = json.is_object() ? json[label] : json[member];
    if (!value.is_number() || !is_probability(value.get<double>())) {
      throw Failure(fmt::format("'{}': the probability of member '{}' must be from 0 to 1, not {}",
                                path, label, value.dump()));
    }
    up.push_back(value.get<double>());
  }
  return up;
}

}  // namespace coterie::cli
