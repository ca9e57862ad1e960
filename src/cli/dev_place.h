// A folder as the kernel knows it, once it was opened: what its path leads to later, and where symbolic links in it lead, does
// not matter any more. In a folder that all may write to, such as /tmp, another user may have made it first.
#pragma once

#include <optional>
#include <string>
#include <utility>

namespace coterie::cli {

class DevPlace {
 public:
  // Nothing: there is nothing of that name. Throws Failure if it is no folder, or a symbolic link.
  static std::optional<DevPlace> open(const std::string& path);
  ~DevPlace();
  DevPlace(DevPlace&& other) noexcept : path_(std::move(other.path_)), file_(other.file_) {
    other.file_ = -1;
  }
  DevPlace& operator=(DevPlace&&) = delete;
  DevPlace(const DevPlace&) = delete;
  DevPlace& operator=(const DevPlace&) = delete;

  // Throws Failure unless it belongs to this user and nobody else has any right to it.
  void refuse_if_shared() const;
  // Takes all rights from others. Throws Failure if it belongs to another user.
  void make_private() const;
  bool is_empty() const;

  // A file in it. Nothing: there is none, or it is something else than a file.
  std::optional<std::string> read(const std::string& name) const;
  // Throws Failure, and leaves nothing, if it cannot be written.
  void write(const std::string& name, const std::string& text) const;
  // A descriptor, to write at its end; negative: it cannot be opened.
  int open_to_append(const std::string& name) const;
  void remove(const std::string& name) const;

 private:
  DevPlace(std::string path, int file) : path_(std::move(path)), file_(file) {}
  std::string path_;
  int file_;
};

}  // namespace coterie::cli
