// The next table of a store, written bit by bit beside the journal: the table before it, with what the journal had when it
// began. A step costs about a millisecond, so that no client and no lease waits for a large table.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "net/table.h"

namespace coterie::net {

class Checkpoint {
 public:
  // With all up to the record `base`, of which these are not in the table before it.
  Checkpoint(std::string folder, std::uint64_t base, std::uint64_t next_part, Values values);
  Checkpoint(const Checkpoint&) = delete;
  Checkpoint& operator=(const Checkpoint&) = delete;
  ~Checkpoint();  // nothing is left of one that is not done

  // The first step of all.
  std::optional<Fault> begin(StoreId store);
  // When is_done(), the new table has taken the place of the one before.
  std::optional<Fault> step();
  bool is_done() const { return is_done_; }

  std::size_t size() const { return writer_.size(); }
  std::uint64_t next_part() const {
    return next_part_;
  }  // of the journal: those before it are in the table
  // It does no more.
  Values take_values() { return std::move(values_); }

 private:
  std::string folder_;
  std::uint64_t base_;
  std::uint64_t next_part_;
  Values values_;
  Merge merge_;
  TableWriter writer_;
  bool is_done_ = false;
};

}  // namespace coterie::net
