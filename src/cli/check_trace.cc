#include "cli/check_trace.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "cli/check_diagram.h"
#include "cli/input.h"
#include "cli/output.h"
#include "cli/table.h"

namespace coterie::cli {
namespace {

using check::Scene;
using nlohmann::ordered_json;

constexpr std::string_view kCommand = "# coterie check ";

bool is_inside(const Scene& scene, NodeId process) {
  const spec::Place place = scene.places[process];
  return place == spec::Place::inside || place == spec::Place::leaving;
}

// One line for each message, with all to whom it goes.
std::vector<std::string> texts_of_sent(const Scene& scene) {
  std::vector<std::pair<std::string, std::string>> messages;  // and the receivers
  for (const Scene::Sent& sent : scene.sent) {
    const std::string to = fmt::format("p{}", sent.to);
    if (!messages.empty() && messages.back().first == sent.message) {
      messages.back().second += ", " + to;
    } else {
      messages.emplace_back(sent.message, to);
    }
  }
  std::vector<std::string> texts;
  texts.reserve(messages.size());
  for (const auto& [message, to] : messages)
    texts.push_back(fmt::format("sends {} to {}", message, to));
  return texts;
}

// Who comes in and goes out.
std::vector<std::string> texts_of_changes(const Scene& scene) {
  std::vector<std::string> texts;
  for (const NodeId process : scene.entered) texts.push_back(fmt::format("in comes p{}", process));
  for (const NodeId process : scene.exited) texts.push_back(fmt::format("out goes p{}", process));
  for (const NodeId process : scene.outlived)
    texts.push_back(
        fmt::format("p{} is dead, and its clients believe on that they are inside", process));
  for (const NodeId process : scene.ended)
    texts.push_back(
        fmt::format("{} believe no more that they are", spec::name_of_clients(process)));
  return texts;
}

std::string text_of_file(const std::string& plan, const std::vector<Scene>& scenes) {
  std::string text = fmt::format("{}{}\n", kCommand, plan);
  for (const Scene& scene : scenes) text += scene.token + "\n";
  return text;
}

}  // namespace

bool has_groups(const check::Config& config) {
  const protocol::Problem problem = config.choice.problem();
  return problem == protocol::Problem::room || problem == protocol::Problem::rooms;
}

std::string text_of_inside(const Scene& scene, bool has_groups) {
  std::vector<std::string> names;
  for (NodeId process = 0; process < scene.places.size(); ++process) {
    if (!is_inside(scene, process)) continue;
    names.push_back(has_groups ? fmt::format("p{} ({})", process,
                                             protocol::Groups::name_of(scene.groups[process]))
                               : fmt::format("p{}", process));
  }
  for (NodeId process = 0; process < scene.outliving.size(); ++process) {
    if (!scene.outliving[process]) continue;
    const std::string clients = spec::name_of_clients(process);
    names.push_back(has_groups ? fmt::format("{} ({})", clients,
                                             protocol::Groups::name_of(*scene.outliving[process]))
                               : clients);
  }
  return names.empty() ? "nobody" : fmt::format("{}", fmt::join(names, ", "));
}

std::string text_of_trace(const std::vector<Scene>& scenes, bool has_groups) {
  const std::size_t digits = fmt::format("{}", scenes.size()).size();
  const std::size_t indent = digits + 2;
  std::string text;
  for (std::size_t i = 0; i < scenes.size(); ++i) {
    const Scene& scene = scenes[i];
    text += wrapped(fmt::format("{:>{}}. {}", i + 1, digits, scene.what), indent + 2);
    for (const std::string& sent : texts_of_sent(scene))
      text += wrapped(std::string(indent, ' ') + sent, indent + 2);
    if (const std::vector<std::string> changes = texts_of_changes(scene); !changes.empty()) {
      text += wrapped(fmt::format("{:{}}{}; inside: {}", "", indent, fmt::join(changes, "; "),
                                  text_of_inside(scene, has_groups)),
                      indent + 2);
    }
  }
  return text;
}

ordered_json to_json(const std::vector<Scene>& scenes, bool has_groups) {
  ordered_json trace = ordered_json::array();
  for (const Scene& scene : scenes) {
    ordered_json step{{"token", scene.token}, {"what", scene.what}, {"received", nullptr}};
    if (scene.event.is_delivery)
      step["received"] = {{"from", scene.event.from}, {"message", scene.received}};
    step["sent"] = ordered_json::array();
    for (const Scene::Sent& sent : scene.sent)
      step["sent"].push_back({{"to", sent.to}, {"message", sent.message}});
    step["inside"] = ordered_json::array();
    for (NodeId process = 0; process < scene.places.size(); ++process) {
      if (!is_inside(scene, process)) continue;
      ordered_json one{{"process", process}};
      if (has_groups) one["group"] = protocol::Groups::name_of(scene.groups[process]);
      step["inside"].push_back(one);
    }
    for (NodeId process = 0; process < scene.outliving.size(); ++process) {
      if (!scene.outliving[process]) continue;
      ordered_json clients{{"clients_of_dead_life_of", process}};
      if (has_groups) clients["group"] = protocol::Groups::name_of(*scene.outliving[process]);
      step["inside"].push_back(clients);
    }
    trace.push_back(step);
  }
  return trace;
}

TraceFile read_trace(const std::string& path) {
  const Result<std::string> text = read_file(path);
  if (!text) throw Failure(fmt::format("--replay: {}", text.error().message));
  TraceFile file;
  std::string_view rest = *text;
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    std::string_view line = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (file.plan.empty() && line.starts_with(kCommand)) file.plan = line.substr(kCommand.size());
    if (!line.empty() && line.front() != '#') file.tokens.emplace_back(line);
  }
  return file;
}

std::vector<std::string> final_state(check::Space& space, const std::vector<check::Event>& trace) {
  std::istringstream text(describe_state(space, trace));
  std::vector<std::string> lines;
  for (std::string line; std::getline(text, line);) lines.push_back(line);
  return lines;
}

void print_state(check::Space& space, const std::vector<check::Event>& trace) {
  fmt::print("\n");
  for (const std::string& line : final_state(space, trace)) fmt::print("{}", wrapped(line, 3));
}

void check_files(const TraceFiles& files) {
  if (!files.trace.empty()) check_output_path(files.trace, "--trace");
  if (!files.plot.empty()) check_output_path(files.plot, "--plot", ".svg");
}

void save(const TraceFiles& files, const Task& task, const check::Space& space,
          const std::vector<Scene>& scenes, const std::string& reason) {
  if (!files.trace.empty()) write_file(files.trace, text_of_file(task.plan, scenes));
  if (!files.plot.empty()) {
    const std::vector<std::string> heading{task.plan,
                                           fmt::format("after step {}: {}", scenes.size(), reason)};
    write_file(files.plot, draw_diagram(space, scenes, heading));
  }
}

}  // namespace coterie::cli
