// What `coterie dev --classic` prints: before a run, and after.
#pragma once

#include <string>

#include "net/classic.h"

namespace coterie::cli {

struct ClassicRun {
  net::ClassicPlan plan;
  std::string rule;     // in words
  std::string command;  // the line that runs it again
};

void print_classic_plan(const ClassicRun& run);
void print_classic_report(const ClassicRun& run, const net::ClassicReport& report);
void print_classic_json(const ClassicRun& run, const net::ClassicReport& report);

}  // namespace coterie::cli
