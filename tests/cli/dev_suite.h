// A cluster of `coterie dev` for all tests of a suite, which use names of their own.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <sstream>
#include <string>

#include "cli/command.h"

namespace coterie::cli {

class DevSuite : public testing::Test {
 protected:
  static void start(const std::string& lease) {
    folder_ = new Folder;
    ::setenv("COTERIE_DEV", "dev", 1);  // in the folder that each command runs in
    const Outcome started = folder_->run("dev --members 3 --detach --lease " + lease);
    ASSERT_EQ(started.exit_code, 0) << started.err;
  }
  // Its lease is long, so that nothing is lost by a machine that is busy.
  static void SetUpTestSuite() { start("10s"); }
  static void TearDownTestSuite() {
    folder_->run("dev stop");
    ::unsetenv("COTERIE_DEV");
    delete folder_;
  }
  static Outcome run(const std::string& arguments) { return folder_->run(arguments); }
  static std::string write_script(const std::string& script) {
    folder_->write("script.sh",
                   "binary='" + command_path() + "'\ncoterie() { \"$binary\" \"$@\"; }\n" + script);
    return "sh script.sh";
  }
  // Runs it inside a shell, with `coterie` at hand.
  static Outcome shell(const std::string& hold, const std::string& script) {
    return run(hold + " -- " + write_script(script));
  }
  // The same with nothing around it.
  static Outcome shell(const std::string& script) {
    return run("--version >/dev/null && " + write_script(script));
  }
  // By name, as `coterie dev` wrote them.
  static std::string addresses() {
    std::istringstream lines(folder_->read("dev/members"));
    std::string list;
    for (std::string name, address; lines >> name >> address;) list += ' ' + address;
    return list;
  }
  inline static Folder* folder_ = nullptr;
};

}  // namespace coterie::cli
