#include "history/disks.h"

#include <fcntl.h>
#include <unistd.h>

#include <cstdlib>

namespace coterie::history {

Disks::Disks(const cli::Folder& folder, std::vector<std::string> names, cli::Serving& serving)
    : folder_(folder.path()), names_(std::move(names)), serving_(serving) {
  for (std::size_t i = 0; i < names_.size(); ++i) slow(i, 0);
}

// The member inherits the environment; nothing else is started meanwhile.
void Disks::start(std::size_t member, std::vector<std::string> arguments) {
  const char* const sanitizer = std::getenv("ASAN_OPTIONS");
  const std::string before = sanitizer == nullptr ? "" : sanitizer;
  const std::string after =
      before.empty() ? "verify_asan_link_order=0" : before + ":verify_asan_link_order=0";
  ::setenv("ASAN_OPTIONS", after.c_str(), 1);
  ::setenv("LD_PRELOAD", COTERIE_SLOW_DISK, 1);
  ::setenv("COTERIE_TEST_DISK", file(member).c_str(), 1);
  serving_.start(member, std::move(arguments));
  ::unsetenv("LD_PRELOAD");
  ::unsetenv("COTERIE_TEST_DISK");
  sanitizer == nullptr ? ::unsetenv("ASAN_OPTIONS") : ::setenv("ASAN_OPTIONS", before.c_str(), 1);
}

bool Disks::slow(std::size_t member, std::uint32_t milliseconds) {
  const int out = ::open(file(member).c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
  const bool is_done = ::pwrite(out, &milliseconds, sizeof milliseconds, 0) == sizeof milliseconds;
  ::close(out);
  return is_done;
}

}  // namespace coterie::history
