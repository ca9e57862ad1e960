// Makes the disk of a member slow, from outside and while it runs: a library that is loaded before others
// (LD_PRELOAD). The file that COTERIE_TEST_DISK names holds, as a 32-bit number, how many milliseconds each
// wait for the disk takes longer.
#include <dlfcn.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>

namespace {

const volatile std::uint32_t* delay() {
  static const volatile std::uint32_t* const shared = [] {
    const char* const path = std::getenv("COTERIE_TEST_DISK");
    const int file = path == nullptr ? -1 : ::open(path, O_RDONLY | O_CLOEXEC);
    void* const memory =
        file < 0 ? MAP_FAILED
                 : ::mmap(nullptr, sizeof(std::uint32_t), PROT_READ, MAP_SHARED, file, 0);
    if (file >= 0) ::close(file);
    return memory == MAP_FAILED ? nullptr : static_cast<const volatile std::uint32_t*>(memory);
  }();
  return shared;
}

void wait() {
  const std::uint32_t milliseconds = delay() == nullptr ? 0 : *delay();
  if (milliseconds == 0) return;
  timespec time{};
  time.tv_sec = milliseconds / 1'000;
  time.tv_nsec = static_cast<long>(milliseconds % 1'000) * 1'000'000;
  ::nanosleep(&time, nullptr);
}

using Sync = int (*)(int);

int sync(const char* name, int file) {
  wait();
  const auto real = reinterpret_cast<Sync>(::dlsym(RTLD_NEXT, name));
  return real(file);
}

}  // namespace

extern "C" int fdatasync(int file) { return sync("fdatasync", file); }
extern "C" int fsync(int file) { return sync("fsync", file); }
