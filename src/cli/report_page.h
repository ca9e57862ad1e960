// The reports of experiments as one page that needs nothing else: style and pictures are inside, and it has
// no scripts.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "sim/experiment.h"

namespace coterie::cli {

// A report with what the page shows of it.
struct Exhibit {
  sim::Report report;
  std::string command;             // that makes it again
  std::vector<std::string> drawn;  // its pictures, then its heat maps, as SVG
  std::vector<std::string> files;  // written for it, relative to the page
};

std::string_view word_of(sim::Ruling ruling);

// How many of the findings of one report, or of all, are of each ruling: "12 hold, 3 differ, 1 open".
std::string tally(const std::vector<const sim::Report*>& reports);

std::string page_of(std::span<const Exhibit> exhibits);

}  // namespace coterie::cli
