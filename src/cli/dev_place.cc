#include "cli/dev_place.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>

#include "cli/input.h"

namespace coterie::cli {

namespace {

constexpr mode_t kOwnFile = 0600;
constexpr mode_t kOwnFolder = 0700;
constexpr mode_t kOfOthers = 0077;

struct stat look_at_file(int file) {
  struct stat found {};
  ::fstat(file, &found);
  return found;
}

void refuse_if_foreign(const std::string& path, const struct stat& found) {
  if (found.st_uid == ::geteuid()) return;
  throw Failure(
      fmt::format("{} belongs to another user (number {}), and is not trusted: let COTERIE_DEV "
                  "name a folder of "
                  "your own",
                  path, found.st_uid));
}

}  // namespace

std::optional<DevPlace> DevPlace::open(const std::string& path) {
  const int file = ::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (file >= 0) return DevPlace(path, file);
  const int error = errno;
  if (error == ENOENT) return std::nullopt;
  std::error_code ignored;
  if (error == ELOOP || std::filesystem::is_symlink(path, ignored))
    throw Failure(
        fmt::format("{} is a symbolic link, and is not followed: COTERIE_DEV must name the folder "
                    "itself",
                    path));
  if (error == ENOTDIR)
    throw Failure(fmt::format("{} is no folder: COTERIE_DEV must name one", path));
  throw Failure(fmt::format("{} cannot be read: {}", path, std::strerror(error)));
}

DevPlace::~DevPlace() {
  if (file_ >= 0) ::close(file_);
}

void DevPlace::refuse_if_shared() const {
  const struct stat found = look_at_file(file_);
  refuse_if_foreign(path_, found);
  if ((found.st_mode & kOfOthers) == 0) return;
  throw Failure(
      fmt::format("other users have rights to {} (mode {:04o}), so it is not trusted: `chmod 0700` "
                  "it if nobody else has changed it, or let COTERIE_DEV name another",
                  path_, found.st_mode & 07777U));
}

void DevPlace::make_private() const {
  refuse_if_foreign(path_, look_at_file(file_));
  if (::fchmod(file_, kOwnFolder) != 0)
    throw Failure(fmt::format("cannot make {} private: {}", path_, std::strerror(errno)));
}

bool DevPlace::is_empty() const {
  std::error_code error;
  return std::filesystem::is_empty(fmt::format("/proc/self/fd/{}", file_), error) && !error;
}

std::optional<std::string> DevPlace::read(const std::string& name) const {
  // It could be a pipe, which would wait for a writer.
  const int file = ::openat(file_, name.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  if (file < 0) return std::nullopt;
  std::string text;
  std::array<char, 4'096> part{};
  constexpr std::size_t kMost = 1U << 20U;
  ssize_t count = S_ISREG(look_at_file(file).st_mode) ? 1 : -1;
  while (count > 0 && text.size() < kMost) {
    count = ::read(file, part.data(), part.size());
    if (count > 0) text.append(part.data(), static_cast<std::size_t>(count));
  }
  ::close(file);
  return count < 0 ? std::nullopt : std::optional(text);
}

void DevPlace::write(const std::string& name, const std::string& text) const {
  const int file = ::openat(file_, name.c_str(),
                            O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, kOwnFile);
  const bool is_written =
      file >= 0 && ::write(file, text.data(), text.size()) == static_cast<ssize_t>(text.size());
  if (file >= 0) ::close(file);
  if (is_written) return;
  remove(name);  // half of it would not be known as ours
  throw Failure(fmt::format("cannot write {}/{}", path_, name), kExitFound);
}

int DevPlace::open_to_append(const std::string& name) const {
  return ::openat(file_, name.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW | O_CLOEXEC,
                  kOwnFile);
}

void DevPlace::remove(const std::string& name) const { ::unlinkat(file_, name.c_str(), 0); }

}  // namespace coterie::cli
