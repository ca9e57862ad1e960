// What happens to a hold, for programs: one JSON object per line, on standard error or in a file. The command
// that runs meanwhile keeps its standard output to itself.
#pragma once

#include <cstdint>
#include <cstdio>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>

#include "cli/input.h"
#include "coterie/client.h"

namespace coterie::cli {

class HoldEvents {
 public:
  // Silent unless `is_json`, or a path is given; a path takes them away from standard error. Throws a Failure
  // if it cannot be written.
  HoldEvents(std::string name, bool is_json, const std::string& path);

  bool are_wanted() const { return file_ != nullptr; }
  // Standard error is for these: then nothing else may be written there.
  bool own_standard_error() const { return are_wanted() && !opened_; }

  // Where it stands in line; told when that changes.
  void waiting(const Status& status, const std::string& label);
  void granted(const std::string& group, std::uint64_t token, const std::string& member);
  void running(int process);
  void lost(const std::string& why, bool is_killed);
  // Of a band: it waits to be let out; it was; it ended before.
  void leaving(const std::string& why);
  void left();
  void abandoned();
  void ended(int exit_code, bool is_lost);
  // It ends without having run anything.
  void failed(const Failure& failure);
  void interrupted(int signal);

 private:
  void tell(const char* event, const nlohmann::ordered_json& more);

  struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  std::string name_;
  std::unique_ptr<std::FILE, Close> opened_;
  std::FILE* file_ = nullptr;
  std::string last_;  // reason to wait that was told
};

}  // namespace coterie::cli
