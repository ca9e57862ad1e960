// What the command reads: specs, files, probabilities, ranges. Bad input becomes a Failure, which main
// prints to a person.
#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>
#include <vector>

#include "coterie/quorum.h"
#include "coterie/result.h"

namespace coterie::cli {

inline constexpr int kExitFound = 1;  // the command did its work, and what it looked for is wrong
inline constexpr int kExitUsage = 2;  // bad input: nothing was done
inline constexpr int kExitUnfinished = 3;  // what is shown is a part of what was asked for

// Thrown by a command that cannot go on; the message is for a person.
class Failure : public std::runtime_error {
 public:
  explicit Failure(const std::string& message, int exit_code = kExitUsage)
      : std::runtime_error(message), exit_code_(exit_code) {}
  int exit_code() const { return exit_code_; }

 private:
  int exit_code_;
};

Result<std::string> read_file(const std::string& path);
quorum::System read_system(const std::string& spec);

// A probability, or a range FROM:TO:STEP of them. `option` names it in errors.
double read_probability(const std::string& text, const std::string& option);
std::vector<double> read_probabilities(const std::string& text, const std::string& option);
// Whole numbers: 5, 5:50:5, or a list of these joined by commas.
std::vector<std::size_t> read_sizes(const std::string& text, const std::string& option);

// One probability per member: a JSON array in the order of the members, or an object by name.
std::vector<double> read_up_file(const std::string& path, const quorum::System& system);

}  // namespace coterie::cli
