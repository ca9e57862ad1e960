// Files as the store uses them: what fails says what was to be done, where, and why.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "base/pack.h"

namespace coterie::net {

// Why what is on a disk cannot be used.
struct Fault {
  enum class Kind : std::uint8_t {
    // It is not what was written, or cannot be read any more: the member does not know what it promised.
    damage,
    // It may be as it was, but this program cannot read or write it now: a permission, no space, another format.
    refusal,
  };
  Kind kind = Kind::refusal;
  std::string text;
};

// A descriptor, closed with its owner.
class File {
 public:
  File() = default;
  explicit File(int descriptor) : descriptor_(descriptor) {}
  File(File&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}
  File& operator=(File&& other) noexcept {
    std::swap(descriptor_, other.descriptor_);
    return *this;
  }
  ~File();

  bool is_open() const { return descriptor_ >= 0; }
  int get() const { return descriptor_; }
  // False: errno says why.
  bool write(std::string_view bytes, std::size_t at) const;
  bool sync() const;  // what was written, but no times
  // So many bytes, or fewer where the file ends; no value: errno says why.
  std::optional<std::size_t> read(char* to, std::size_t count, std::size_t at) const;

 private:
  int descriptor_ = -1;
};

// REQUIRES: the last call of the system failed. `name` is that of the file, without its folder.
Fault fault_of_system(const std::string& name, const std::string& what);
Fault damage_of(const std::string& name, const std::string& what);

// An ordinary file that is there, to read and write. Nothing else is opened: a folder or a device is damage.
std::optional<Fault> open_file(const std::string& folder, const std::string& name, File& file,
                               std::size_t& size);
std::optional<Fault> read_file(const std::string& folder, const std::string& name, File& file,
                               Bytes& content);
// A file of that content, under a name that it had not. It is there whole when this returns, and after a crash there
// whole or not at all.
std::optional<Fault> make_file(const std::string& folder, const std::string& name,
                               std::string_view content, File& file);
// A folder that its owner alone may use, whatever the umask is. One that is there already stays as it is, if its mode lets nobody but
// the owner write: whoever may write a folder can put other files in the place of those that are in it.
std::optional<Fault> make_private_folder(const std::string& folder);
// What was made, renamed or removed in the folder is so on disk.
std::optional<Fault> sync_folder(const std::string& folder);

}  // namespace coterie::net
