// Records one after the other in a file: what is written is safe after one wait for the disk.
//
// The file has its whole size from the beginning, so that a write changes bytes and nothing else. A record begins on a
// page of its own: what is safe already is not written again. It has a checksum, made with the number of the round that
// it belongs to: what was torn, or is of an earlier round, is none.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/pack.h"
#include "coterie/result.h"

namespace coterie::net {

class Journal {
 public:
  // An empty one. On disk when it returns.
  static Result<Journal> make(const std::string& path);
  static Result<Journal> open(const std::string& path);
  Journal(Journal&& other) noexcept
      : file_(std::exchange(other.file_, -1)),
        round_(other.round_),
        end_(other.end_),
        is_safe_(other.is_safe_) {}
  Journal& operator=(Journal&& other) noexcept;
  ~Journal();

  // All that the round has, in order.
  Result<std::vector<Bytes>> read(std::uint64_t round) const;
  // From the first page on. REQUIRES: no round before had this number, and what is in these is not needed any more.
  void begin(std::uint64_t round);
  bool has_room_for(const Bytes& record) const;
  // A crash of the process does not lose it, but one of the machine may. REQUIRES: has_room_for(record)
  [[nodiscard]] std::optional<Error> write(const Bytes& record);
  // What was written is on disk when it returns.
  [[nodiscard]] std::optional<Error> sync();

  // A record as it is in the file, and back: those that stand there one after the other, up to what is none.
  static Bytes pages_of(const Bytes& record, std::uint64_t round);
  static std::vector<Bytes> records_in(std::string_view file, std::uint64_t round);

 private:
  explicit Journal(int file) : file_(file) {}

  int file_;
  std::uint64_t round_ = 0;
  std::size_t end_ = 0;  // of the last record, in bytes
  bool is_safe_ = true;
};

}  // namespace coterie::net
