// A data folder of a test's own, and what is in its store.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <optional>
#include <string>

#include "base/pack.h"
#include "member/lasting.h"
#include "net/store.h"

namespace coterie::net {

class DataFolder {
 public:
  // One for each name, in each test of each process.
  explicit DataFolder(const std::string& name) {
    const auto* const test = ::testing::UnitTest::GetInstance()->current_test_info();
    // In memory, if there is such a folder: these tests wait for a disk thousands of times, and need none.
    const std::string memory = "/dev/shm/";
    const bool has_memory = ::access(memory.c_str(), W_OK) == 0;
    path_ = (has_memory ? memory : ::testing::TempDir()) + "coterie-" + std::to_string(::getpid()) +
            '-' + test->test_suite_name() + '-' + test->name() + '-' + name;
    for (char& letter : path_) {
      if (letter == ' ') letter = '_';
    }
    std::filesystem::remove_all(path_);
  }
  ~DataFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  DataFolder(const DataFolder&) = delete;
  DataFolder& operator=(const DataFolder&) = delete;

  const std::string& path() const { return path_; }
  std::string file(const std::string& name) const { return path_ + '/' + name; }
  bool has(const std::string& name) const { return std::filesystem::exists(file(name)); }
  // As it would be found after a crash now.
  void become(const DataFolder& other) const {
    std::filesystem::remove_all(path_);
    std::filesystem::copy(other.path_, path_, std::filesystem::copy_options::recursive);
  }
  Bytes read(const std::string& name) const {
    if (!std::filesystem::is_regular_file(file(name))) return {};
    Bytes bytes(std::filesystem::file_size(file(name)), '\0');
    std::ifstream from(file(name), std::ios::binary);
    from.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    return bytes;
  }
  void write(const std::string& name, const Bytes& bytes) const {
    std::ofstream to(file(name), std::ios::binary | std::ios::trunc);
    to << bytes;
  }

 private:
  std::string path_;
};

inline Bytes keepsake_of(const std::string& owner) {
  member::Keepsake keepsake;
  keepsake.lastings.push_back({owner, 7, ""});
  return packed(keepsake);
}

inline void keep_twice(Store& store, const std::string& name, const Bytes& bytes) {
  for (int copy = 0; copy < 2; ++copy) {
    const auto error = store.keep(name, bytes);
    EXPECT_FALSE(error) << error->message;
  }
}

// All that a store gave when it was opened.
struct Held {
  std::optional<std::uint64_t> ceiling;
  Store::Properties properties;
  std::map<std::string, Bytes> keepsakes;
  bool operator==(const Held&) const = default;

  static Held by(const Store& store) {
    Held held;
    if (store.saved()) held.ceiling = store.saved()->ceiling;
    held.properties = store.properties();
    held.keepsakes = {store.keepsakes().begin(), store.keepsakes().end()};
    return held;
  }
};

}  // namespace coterie::net
