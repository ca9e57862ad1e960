#include "base/assert.h"

#include <unistd.h>

#include <exception>
#include <string>

#include "base/assertion_watch.h"

namespace coterie {
namespace {

thread_local int watches = 0;

}  // namespace

AssertionWatch::AssertionWatch() { ++watches; }
AssertionWatch::~AssertionWatch() { --watches; }

void assertion_failed(const char* condition, const char* file, int line) {
  if (watches > 0) {
    const std::string path = file;
    throw AssertionFailure{"\"" + std::string(condition) + "\" in " +
                           path.substr(path.rfind('/') + 1) + ":" + std::to_string(line)};
  }
  const std::string text =
      std::string(file) + ":" + std::to_string(line) + ": assertion failed: " + condition + "\n";
  // The last words of a broken program: straight to standard error, whatever state the rest is in.
  [[maybe_unused]] const auto written = ::write(STDERR_FILENO, text.data(), text.size());
  std::terminate();
}

}  // namespace coterie
