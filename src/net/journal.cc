#include "net/journal.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>

#include "base/assert.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace coterie::net {

namespace {

constexpr std::size_t kPage = 4'096;
constexpr std::size_t kSize = 128 * kPage;
constexpr mode_t kFileMode = 0600;

struct Head {
  std::uint64_t checksum = 0;
  std::uint64_t size = 0;
};

std::size_t whole_pages(std::size_t size) {
  return (sizeof(Head) + size + kPage - 1) / kPage * kPage;
}

Error failure() { return {.message = std::string("cannot save: ") + std::strerror(errno)}; }

bool write_all(int file, const Bytes& bytes, std::size_t at) {
  for (std::size_t done = 0; done < bytes.size();) {
    const ssize_t count =
        ::pwrite(file, bytes.data() + done, bytes.size() - done, static_cast<off_t>(at + done));
    if (count < 0 && errno != EINTR) return false;
    if (count > 0) done += static_cast<std::size_t>(count);
  }
  return true;
}

// That there is such a file is on disk with its folder.
bool sync_folder_of(const std::string& path) {
  const std::string folder = std::filesystem::path(path).parent_path().string();
  const int file = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (file < 0) return false;
  const bool is_done = ::fsync(file) == 0;
  ::close(file);
  return is_done;
}

}  // namespace

Journal& Journal::operator=(Journal&& other) noexcept {
  std::swap(file_, other.file_);
  round_ = other.round_;
  end_ = other.end_;
  is_safe_ = other.is_safe_;
  return *this;
}

Journal::~Journal() {
  if (file_ >= 0) ::close(file_);
}

Result<Journal> Journal::make(const std::string& path) {
  Journal made(::open(path.c_str(), O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, kFileMode));
  if (made.file_ < 0 || !write_all(made.file_, Bytes(kSize, '\0'), 0) || ::fsync(made.file_) != 0 ||
      !sync_folder_of(path))
    return failure();
  return made;
}

Result<Journal> Journal::open(const std::string& path) {
  Journal known(::open(path.c_str(), O_RDWR | O_CLOEXEC));
  struct stat about {};
  if (known.file_ < 0 || ::fstat(known.file_, &about) != 0)
    return Error{.message = std::string("its journal: ") + std::strerror(errno)};
  if (about.st_size != static_cast<off_t>(kSize))
    return Error{.message = "its journal is not as it was left"};
  return known;
}

Result<std::vector<Bytes>> Journal::read(std::uint64_t round) const {
  Bytes all(kSize, '\0');
  for (std::size_t done = 0; done < kSize;) {
    const ssize_t count = ::pread(file_, all.data() + done, kSize - done, static_cast<off_t>(done));
    if (count == 0) return Error{.message = "its journal is not as it was left"};
    if (count < 0 && errno != EINTR)
      return Error{.message = std::string("its journal: ") + std::strerror(errno)};
    if (count > 0) done += static_cast<std::size_t>(count);
  }
  return records_in(all, round);
}

std::vector<Bytes> Journal::records_in(std::string_view file, std::uint64_t round) {
  std::vector<Bytes> records;
  for (std::size_t at = 0; at < file.size() && file.size() - at > sizeof(Head);) {
    Head head;
    std::memcpy(&head, file.data() + at, sizeof head);
    const std::string_view rest = file.substr(at + sizeof head);
    if (head.size == 0 || head.size > rest.size()) break;
    if (XXH3_64bits_withSeed(rest.data(), head.size, round) != head.checksum) break;
    records.emplace_back(rest.substr(0, head.size));
    at += whole_pages(head.size);
  }
  return records;
}

Bytes Journal::pages_of(const Bytes& record, std::uint64_t round) {
  const Head head{XXH3_64bits_withSeed(record.data(), record.size(), round), record.size()};
  std::array<char, sizeof head> bytes{};
  std::memcpy(bytes.data(), &head, sizeof head);
  Bytes pages(bytes.data(), bytes.size());
  pages += record;
  pages.resize(whole_pages(record.size()), '\0');
  return pages;
}

void Journal::begin(std::uint64_t round) {
  round_ = round;
  end_ = 0;
  is_safe_ = true;
}

bool Journal::has_room_for(const Bytes& record) const {
  return end_ + whole_pages(record.size()) <= kSize;
}

std::optional<Error> Journal::write(const Bytes& record) {
  COTERIE_ASSERT(has_room_for(record));
  COTERIE_ASSERT(!record.empty());
  const Bytes pages = pages_of(record, round_);
  is_safe_ = false;
  if (!write_all(file_, pages, end_)) return failure();
  end_ += pages.size();
  return std::nullopt;
}

std::optional<Error> Journal::sync() {
  if (is_safe_) return std::nullopt;
  if (::fdatasync(file_) != 0) return failure();
  is_safe_ = true;
  return std::nullopt;
}

}  // namespace coterie::net
