// A part of the journal: a file of records, one after the other. A record that was written is safe after one wait for the disk.
//
// The file has its whole size from the beginning, so that a write changes bytes and nothing else. A record begins on a page
// of its own: what is safe already is not written again, so a write that a crash tears damages nothing but itself.
//
// A record has a sequence number, one more than the record before it, and says up to which number all records were known to
// be on disk when it was written. That is how damage differs from a torn write:
//   - what is no record, at the end of those in order, with nothing after it that says that it was on disk: it was being
//     written when the machine stopped, nobody was told of it, and it is cut off;
//   - the same, but a later record, a later part or the mark (mark.h) says that it was on disk: damage.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/pack.h"
#include "net/block.h"
#include "net/disk.h"

namespace coterie::net {

inline constexpr std::size_t kPage = 4'096;

class Journal {
 public:
  static constexpr std::string_view kName = "journal.";  // and the number of the part
  static std::string name_of(std::uint64_t part);

  // What a part holds.
  struct Content {
    StoreId store = 0;
    std::uint64_t first = 0;  // sequence number of its first record
    std::vector<Bytes> records;
    std::size_t end = 0;        // of the last record, in bytes
    std::uint64_t durable = 0;  // up to this one all records were on disk, as the part itself says
    bool has_rest = false;      // what was being written when the machine stopped
    std::uint64_t next() const { return first + records.size(); }
  };
  // Fills `content`, or says why it cannot: then the file is not as it was written.
  static std::optional<Fault> read(std::uint64_t part, std::string_view file, Content& content);

  // A new part, on disk when it returns. All before `first` is on disk. It has room for a record of that size.
  static std::optional<Fault> make(const std::string& folder, std::uint64_t part, StoreId store,
                                   std::uint64_t first, std::size_t size, Journal& made);
  // A part to go on with, after its last record.
  static std::optional<Fault> open(const std::string& folder, std::uint64_t part, Journal& opened,
                                   Content& content);

  std::uint64_t part() const { return part_; }
  std::uint64_t next() const { return next_; }  // sequence number
  std::size_t size() const { return size_; }    // of the file
  bool has_room_for(std::size_t record) const;
  // A crash of the process does not lose it, one of the machine may. REQUIRES: has_room_for(record.size())
  std::optional<Fault> write(std::string_view record, std::uint64_t durable);
  // What was written is on disk when it returns.
  std::optional<Fault> sync();
  // After open(): what was being written when the machine stopped is zeros again, and what was read is on disk for certain, when
  // it returns. Before, nothing is changed.
  std::optional<Fault> settle();

  // The bytes of a file, for tests: a part with these records, each written when all before it were on disk.
  static Bytes file_of(std::uint64_t part, StoreId store, std::uint64_t first,
                       const std::vector<Bytes>& records);

 private:
  File file_;
  std::uint64_t part_ = 0;
  StoreId store_ = 0;
  std::uint64_t next_ = 0;
  std::size_t end_ = 0;
  std::size_t size_ = 0;
  bool is_safe_ = true;
  bool has_rest_ = false;
};

}  // namespace coterie::net
