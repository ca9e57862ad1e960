#include "net/disk.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

namespace coterie::net {

namespace {

constexpr mode_t kPrivate = 0600;
constexpr mode_t kPrivateFolder = 0700;
constexpr mode_t kWrittenByOthers = 0022;
constexpr mode_t kModeBits = 07777;

// What no retry and no operator mends: the content is gone.
bool is_loss(int code) {
  return code == EIO || code == EISDIR || code == ENOTDIR || code == ELOOP || code == ENXIO;
}

}  // namespace

File::~File() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

bool File::write(std::string_view bytes, std::size_t at) const {
  while (!bytes.empty()) {
    const ssize_t count = ::pwrite(descriptor_, bytes.data(), bytes.size(), static_cast<off_t>(at));
    if (count < 0 && errno != EINTR) return false;
    if (count <= 0) continue;
    bytes.remove_prefix(static_cast<std::size_t>(count));
    at += static_cast<std::size_t>(count);
  }
  return true;
}

bool File::sync() const { return ::fdatasync(descriptor_) == 0; }

std::optional<std::size_t> File::read(char* to, std::size_t count, std::size_t at) const {
  std::size_t done = 0;
  while (done < count) {
    const ssize_t more =
        ::pread(descriptor_, to + done, count - done, static_cast<off_t>(at + done));
    if (more == 0) break;
    if (more < 0 && errno != EINTR) return std::nullopt;
    if (more > 0) done += static_cast<std::size_t>(more);
  }
  return done;
}

Fault fault_of_system(const std::string& name, const std::string& what) {
  const int code = errno;
  return {is_loss(code) ? Fault::Kind::damage : Fault::Kind::refusal,
          name + ": " + what + ": " + std::strerror(code)};
}

Fault damage_of(const std::string& name, const std::string& what) {
  return {Fault::Kind::damage, name + ": " + what};
}

std::optional<Fault> open_file(const std::string& folder, const std::string& name, File& file,
                               std::size_t& size) {
  // Not blocking: to open a pipe would wait for its other end.
  file = File(::open((folder + '/' + name).c_str(), O_RDWR | O_CLOEXEC | O_NONBLOCK));
  struct stat about {};
  if (!file.is_open() && errno == ENOENT) return damage_of(name, "it is missing");
  if (!file.is_open() || ::fstat(file.get(), &about) != 0)
    return fault_of_system(name, "cannot be opened");
  if (!S_ISREG(about.st_mode)) return damage_of(name, "is not an ordinary file");
  size = static_cast<std::size_t>(about.st_size);
  return std::nullopt;
}

std::optional<Fault> read_file(const std::string& folder, const std::string& name, File& file,
                               Bytes& content) {
  std::size_t size = 0;
  if (auto fault = open_file(folder, name, file, size)) return fault;
  content.resize(size);
  const auto count = file.read(content.data(), size, 0);
  if (!count) return fault_of_system(name, "cannot be read");
  content.resize(*count);
  return std::nullopt;
}

std::optional<Fault> make_file(const std::string& folder, const std::string& name,
                               std::string_view content, File& file) {
  const std::string path = folder + '/' + name;
  const std::string draft = path + ".new";
  file = File(::open(draft.c_str(), O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, kPrivate));
  if (!file.is_open() || !file.write(content, 0) || ::fsync(file.get()) != 0 ||
      std::rename(draft.c_str(), path.c_str()) != 0) {
    Fault fault = fault_of_system(name, "cannot be made");
    ::unlink(draft.c_str());
    return fault;
  }
  return sync_folder(folder);
}

std::optional<Fault> make_private_folder(const std::string& folder) {
  if (::mkdir(folder.c_str(), kPrivateFolder) == 0) return std::nullopt;
  if (errno != EEXIST) return fault_of_system(folder, "cannot be made");
  struct stat about {};
  if (::stat(folder.c_str(), &about) != 0) return fault_of_system(folder, "cannot be looked at");
  if (!S_ISDIR(about.st_mode)) return Fault{Fault::Kind::refusal, folder + " is no folder"};
  if ((about.st_mode & kWrittenByOthers) == 0) return std::nullopt;
  return Fault{Fault::Kind::refusal,
               fmt::format("others than its owner can write it (mode {:04o}). Make sure that its "
                           "files are this member's own, and then: chmod go-w {}",
                           about.st_mode & kModeBits, folder)};
}

std::optional<Fault> sync_folder(const std::string& folder) {
  const File file(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!file.is_open() || ::fsync(file.get()) != 0)
    return fault_of_system(folder, "cannot be written to disk");
  return std::nullopt;
}

}  // namespace coterie::net
