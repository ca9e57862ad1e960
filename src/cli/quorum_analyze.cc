#include "cli/quorum_analyze.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "cli/input.h"
#include "cli/numbers.h"
#include "cli/table.h"
#include "cli/terminal.h"
#include "cli/verified_system.h"
#include "quorum/visible.h"

namespace coterie::cli {
namespace {

using nlohmann::ordered_json;
using quorum::Kind;
using quorum::System;

std::string up_text(const AnalyzeOptions& options) {
  return options.up_file.empty()
             ? fmt::format("when each is up {}", options.up)
             : fmt::format("when up as in {}", quorum::visible(options.up_file));
}

std::string resilience_text(std::size_t failures) {
  if (failures == 0) return "0: the failure of one member can leave no quorum";
  return failures == 1 ? "1: a quorum is left whichever member fails"
                       : fmt::format("{0}: a quorum is left whichever {0} members fail", failures);
}

void print_strategy(std::string_view title, const std::vector<std::pair<NodeSet, double>>& strategy,
                    const System& system) {
  fmt::print("  {}{}\n", title,
             strategy.empty() ? ": all images of a smallest quorum, by symmetry" : "");
  for (const auto& [quorum, share] : strategy) {
    fmt::print("    {:.4f}  {}\n", share, cut_for_terminal(text_of(quorum, system), kColumns - 12));
  }
}

void print_family(const System& system, std::size_t index, const Numbers& numbers,
                  const AnalyzeOptions& options) {
  if (system.kind() != Kind::coterie) fmt::print("\n{}\n", family_name(system, index));
  const auto line = [](std::string_view name, const std::string& text) {
    fmt::print("  {:<18} {}\n", name, text);
  };
  if (system.kind() != Kind::coterie)
    line("disjoint quorums", fmt::format("at most {}", numbers.k));
  line("quorum size", text_of_size(numbers));
  line("expected size",
       numbers.expected_size
           ? fmt::format("{} (by {}), {}", text_of(*numbers.expected_size, 4),
                         quorum::name(numbers.expected_size->method), up_text(options))
           : fmt::format("no quorum is ever up, {}", up_text(options)));
  line("load", numbers.load ? fmt::format("{:.6f}, capacity {:.4f}", numbers.load->load,
                                          numbers.load->capacity())
                            : "not decided: allow more --steps");
  line("resilience", numbers.resilience ? resilience_text(*numbers.resilience)
                                        : "not decided: allow more --steps");
  if (numbers.clients) {
    const auto [fewest, most] = *numbers.clients;
    line("clients per node",
         fewest == most ? fmt::format("{}", most) : fmt::format("{} to {}", fewest, most));
  }
  for (std::size_t h = 1; h <= numbers.availability.size(); ++h) {
    const quorum::Estimate& estimate = numbers.availability[h - 1];
    std::string text =
        fmt::format("{} (by {}", text_of(estimate, 9), quorum::name(estimate.method));
    if (estimate.method == quorum::Method::sampling) {
      text += fmt::format(": 95 % within {:.6f} to {:.6f}", estimate.low, estimate.high);
    }
    line(fmt::format("availability h={}", h), text + ")");
  }
  if (options.strategy && numbers.load)
    print_strategy("best strategy", numbers.load->write_strategy, system);
}

// Null: by symmetry, too many quorums to list.
ordered_json strategy_json(const std::vector<std::pair<NodeSet, double>>& strategy,
                           const System& system) {
  if (strategy.empty()) return nullptr;
  ordered_json json = ordered_json::array();
  for (const auto& [quorum, share] : strategy) {
    json.push_back({{"quorum", cli::to_json(quorum, system)}, {"share", share}});
  }
  return json;
}

ordered_json family_json(const System& system, const Numbers& numbers,
                         const AnalyzeOptions& options) {
  ordered_json json = to_json(numbers);
  if (options.strategy && numbers.load) {
    json["strategy"] = strategy_json(numbers.load->write_strategy, system);
  }
  return json;
}

ordered_json system_json(const System& system, const std::vector<Numbers>& numbers,
                         const AnalyzeOptions& options) {
  ordered_json json{{"spec", system.spec()}};
  if (system.kind() == Kind::coterie) {
    json.update(family_json(system, numbers[0], options));
  } else {
    json["n"] = system.n();
    json["k"] = system.k();
    if (system.kind() == Kind::write_read) {
      json["write"] = family_json(system, numbers[0], options);
      json["read"] = family_json(system, numbers[1], options);
    } else {
      json["group_count"] = system.family_count();
      json["groups"] = ordered_json::array();
      for (const Numbers& of_group : numbers)
        json["groups"].push_back(family_json(system, of_group, options));
    }
  }
  json["up"] = options.up_file.empty() ? ordered_json(read_probability(options.up, "--up"))
                                       : ordered_json(options.up_file);
  return json;
}

void add_mix(ordered_json& json, const std::optional<quorum::Load>& mixed, double reads,
             const System& system, const AnalyzeOptions& options) {
  json["reads"] = reads;
  json["load"] = mixed ? ordered_json(mixed->load) : ordered_json(nullptr);
  json["capacity"] = mixed ? ordered_json(mixed->capacity()) : ordered_json(nullptr);
  if (options.strategy && mixed) {
    json["strategy"] = {{"write", strategy_json(mixed->write_strategy, system)},
                        {"read", strategy_json(mixed->read_strategy, system)}};
  }
}

void print_mix(const std::optional<quorum::Load>& mixed, double reads, const System& system,
               const AnalyzeOptions& options) {
  fmt::print("\n{:.1f} % reads\n  {:<18} {}\n", 100 * reads, "load",
             mixed ? fmt::format("{:.6f}, capacity {:.4f}", mixed->load, mixed->capacity())
                   : "not decided: allow more --steps");
  if (!options.strategy || !mixed) return;
  if (reads < 1) print_strategy("best write strategy", mixed->write_strategy, system);
  if (reads > 0) print_strategy("best read strategy", mixed->read_strategy, system);
}

}  // namespace

void analyze(const AnalyzeOptions& options) {
  const System system = read_system(options.spec);
  const std::vector<double> up =
      options.up_file.empty()
          ? std::vector<double>(system.n(), read_probability(options.up, "--up"))
          : read_up_file(options.up_file, system);
  const bool mixes = !options.reads.empty();
  if (mixes && system.kind() != Kind::write_read) {
    throw Failure(fmt::format(
        "--reads is for write-read pairs such as grid-rw or torus, not for {}", system.spec()));
  }
  const double reads = mixes ? read_probability(options.reads, "--reads") : 0;

  interrupted();
  quorum::Effort effort = options.effort;
  effort.stop = interrupted;
  const bool is_k_verified = verify_k(system, effort);
  std::vector<Numbers> numbers;
  for (std::size_t i = 0; i < shown_families(system, options.groups); ++i) {
    numbers.push_back(measure(system.family(i), up, effort));
  }
  std::optional<quorum::Load> mixed;
  if (mixes) {
    Budget budget(effort.steps, effort.stop);
    mixed = quorum::optimal_load(system.write(), system.read(), reads, budget);
  }
  if (options.json) {
    ordered_json json = system_json(system, numbers, options);
    json["k_verified"] = is_k_verified;
    if (mixes) add_mix(json, mixed, reads, system, options);
    print_json(json);
  } else {
    fmt::print("{}\n  {:<18} {}\n  {:<18} {}{}\n", title_of(system), "members", system.n(), "k",
               system.k(),
               is_k_verified ? "" : ", as the file says; not verified: allow more --steps");
    for (std::size_t i = 0; i < numbers.size(); ++i) print_family(system, i, numbers[i], options);
    fmt::print("{}", text_of_rest(system, options.groups));
    if (mixes) print_mix(mixed, reads, system, options);
  }
  if (interrupted()) {
    throw Failure("interrupted: what was not finished is not decided, or as wide as its interval",
                  kExitFound);
  }
}

}  // namespace coterie::cli
