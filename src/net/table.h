// All that a store held at one moment, in a file that never changes: values by key, in order, in blocks. It is written beside
// the one before it and takes its place whole (checkpoint.h).
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "base/pack.h"
#include "net/block.h"
#include "net/disk.h"

namespace coterie::net {

inline constexpr const char* kTableName = "table";

// One after the other.
class TableReader {
 public:
  // Reads the head.
  static std::optional<Fault> open(const std::string& folder, TableReader& opened);
  static std::optional<Fault> open(File file, std::size_t size, TableReader& opened);

  StoreId store() const { return store_; }
  // All records of the journal up to this one are in the table.
  std::uint64_t base() const { return base_; }
  std::size_t size() const { return size_; }

  bool at_end() const { return at_end_; }
  // REQUIRES of both: it is not at the end.
  const std::string& key() const { return key_; }
  const Bytes& value() const { return value_; }
  std::optional<Fault> next();

 private:
  std::optional<Fault> read_block();
  std::optional<Fault> read_end(const Block& end);
  Fault damage(const std::string& what) const;

  File file_;
  std::size_t size_ = 0;
  StoreId store_ = 0;
  std::uint64_t base_ = 0;
  std::size_t at_ = 0;         // of the next block
  std::uint64_t number_ = 0;   // of the last block
  std::uint64_t entries_ = 0;  // so far
  Bytes block_;
  std::size_t done_ = 0;  // bytes of it
  std::string key_;
  Bytes value_;
  bool at_end_ = false;
};

class TableWriter {
 public:
  // Of the file of that name, which is not the table yet.
  static std::optional<Fault> make(const std::string& folder, const std::string& name,
                                   StoreId store, std::uint64_t base, TableWriter& made);
  // REQUIRES: the key is greater than the one before.
  std::optional<Fault> add(const std::string& key, const Bytes& value);
  // It is on disk, whole, when this returns.
  std::optional<Fault> finish();
  std::size_t size() const { return at_; }

 private:
  std::optional<Fault> write(const Bytes& bytes);
  std::optional<Fault> write_block();

  File file_;
  std::string name_;
  StoreId store_ = 0;
  std::uint64_t base_ = 0;
  std::size_t at_ = 0;
  std::size_t synced_ = 0;
  std::uint64_t number_ = 0;
  std::uint64_t entries_ = 0;
  Writer block_;
};

using Values = std::map<std::string, Bytes>;  // empty: there is none under that key any more

// A table with later values over it, in order.
class Merge {
 public:
  // REQUIRES: the values outlive it, and do not change.
  std::optional<Fault> begin(TableReader table, const Values& values);
  bool at_end() const { return table_.at_end() && later_ == values_->end(); }
  // REQUIRES of both: it is not at the end.
  const std::string& key() const { return is_later() ? later_->first : table_.key(); }
  const Bytes& value() const { return is_later() ? later_->second : table_.value(); }
  std::optional<Fault> next();

 private:
  bool is_later() const {
    return later_ != values_->end() && (table_.at_end() || later_->first <= table_.key());
  }
  std::optional<Fault> skip_empty();
  std::optional<Fault> step();

  TableReader table_;
  const Values* values_ = nullptr;
  Values::const_iterator later_;
};

}  // namespace coterie::net
