// How far the journal is on disk, in a file of its own: a journal that ends before that has lost what was promised.
//
// It is written after each wait for the journal, and nobody waits for it: the kernel brings it to the disk within seconds. In
// two places by turns, so that a write which a crash tears leaves the one before it.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "net/block.h"
#include "net/disk.h"

namespace coterie::net {

class Mark {
 public:
  static constexpr const char* kName = "durable";

  struct Content {
    StoreId store = 0;
    std::uint64_t sequence = 0;
    std::uint64_t turn = 0;
  };
  static std::optional<Fault> read(std::string_view file, Content& content);

  static std::optional<Fault> make(const std::string& folder, StoreId store, Mark& made);
  static std::optional<Fault> open(const std::string& folder, Mark& opened);

  bool is_open() const { return file_.is_open(); }
  const Content& content() const { return content_; }
  std::optional<Fault> write(std::uint64_t sequence);
  std::optional<Fault> sync() const;

 private:
  File file_;
  Content content_;
};

}  // namespace coterie::net
