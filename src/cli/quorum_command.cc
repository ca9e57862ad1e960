#include "cli/quorum_command.h"

#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "cli/table.h"
#include "coterie/spec.h"

namespace coterie::cli {

void add_quorum_list(CLI::App& quorum) {
  CLI::App* list = quorum.add_subcommand("list", "the constructions, with an example of each");
  const auto json = std::make_shared<bool>(false);
  list->add_flag("--json", *json, "print one JSON object");
  list->footer("Example:\n  coterie quorum list");
  list->callback([json] {
    if (*json) {
      nlohmann::ordered_json all = nlohmann::ordered_json::array();
      for (const auto& info : quorum::constructions()) {
        all.push_back({{"name", info.name},
                       {"parameters", info.parameters},
                       {"example", info.example},
                       {"summary", info.summary}});
      }
      fmt::print("{}\n", nlohmann::ordered_json{{"constructions", all}}.dump(2));
      return;
    }
    for (const auto& info : quorum::constructions()) {
      fmt::print("{}", wrapped(fmt::format("{:<12} {}", info.name, info.summary), 13));
      fmt::print("{:<12} {}\n", "", info.example);
    }
  });
}

void add_quorum_command(CLI::App& app, int& exit_code) {
  CLI::App* quorum =
      app.add_subcommand("quorum", "show, check, analyze and compare quorum systems");
  quorum->require_subcommand(1);
  quorum->footer(
      "A system is written as a spec, such as majority:n=5, grid:rows=3,cols=4 or\n"
      "cohorts:k=2,sizes=2/3/3; 'coterie quorum list' shows all of them.\n\n"
      "Example:\n  coterie quorum analyze cohorts:k=2,sizes=2/3x17 --up 0.9");
  add_quorum_list(*quorum);
  add_quorum_show(*quorum);
  add_quorum_check(*quorum, exit_code);
  add_quorum_analyze(*quorum);
  add_quorum_compare(*quorum);
}

}  // namespace coterie::cli
