#include "base/assert.h"

#include <unistd.h>

#include <exception>
#include <string>

namespace coterie {

void assertion_failed(const char* condition, const char* file, int line) {
  const std::string text =
      std::string(file) + ":" + std::to_string(line) + ": assertion failed: " + condition + "\n";
  // The last words of a broken program: straight to standard error, whatever state the rest is in.
  [[maybe_unused]] const auto written = ::write(STDERR_FILENO, text.data(), text.size());
  std::terminate();
}

}  // namespace coterie
