// A trace for people: step by step as text, as JSON, and as a file that can be stepped again.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "check/story.h"
#include "cli/check_task.h"

namespace coterie::cli {

// "p0 (a), p2 (b)", or "nobody".
std::string text_of_inside(const check::Scene& scene, bool has_groups);
bool has_groups(const check::Config& config);

// Numbered steps in 80 columns.
std::string text_of_trace(const std::vector<check::Scene>& scenes, bool has_groups);
nlohmann::ordered_json to_json(const std::vector<check::Scene>& scenes, bool has_groups);

// A file of a trace: a comment with the command that made it, then a token per line.
struct TraceFile {
  std::string plan;  // what stands after `coterie check` in the comment; empty if there is none
  std::vector<std::string> tokens;
};
TraceFile read_trace(const std::string& path);

// What each process holds after a trace, a line each.
std::vector<std::string> final_state(check::Space& space, const std::vector<check::Event>& trace);
void print_state(check::Space& space, const std::vector<check::Event>& trace);

// Where a trace goes besides the terminal; empty: nowhere.
struct TraceFiles {
  std::string trace;
  std::string plot;
};
// Refuses files that cannot be written, before any work is done for them.
void check_files(const TraceFiles& files);
void save(const TraceFiles& files, const Task& task, const check::Space& space,
          const std::vector<check::Scene>& scenes, const std::string& reason);

}  // namespace coterie::cli
