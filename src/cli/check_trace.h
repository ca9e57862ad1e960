// A trace for people: step by step as text, as JSON, and as a file that can be stepped again.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "check/story.h"

namespace coterie::cli {

// "p0 (a), p2 (b)", or "nobody".
std::string text_of_inside(const check::Scene& scene, bool has_groups);
bool has_groups(const check::Config& config);

// Numbered steps in 80 columns.
std::string text_of_trace(const std::vector<check::Scene>& scenes, bool has_groups);
nlohmann::ordered_json to_json(const std::vector<check::Scene>& scenes, bool has_groups);

// The command on lines of 80 columns that a shell takes as one, the first after `indent` columns.
std::string text_of_command(const std::string& command, std::size_t indent);

// A file of a trace: a comment with the command that made it, then a token per line.
struct TraceFile {
  std::string plan;  // what stands after `coterie check` in the comment; empty if there is none
  std::vector<std::string> tokens;
};
std::string text_of_file(const std::string& plan, const std::vector<check::Scene>& scenes);
TraceFile read_trace(const std::string& path);

// Refuses a file that cannot be written, before any work is done for it.
void check_output_path(const std::string& path, const std::string& option,
                       const std::string& ending = "");
void write_file(const std::string& path, const std::string& text);

}  // namespace coterie::cli
