// What must outlive a crash of a member, in a folder of its own: a table of all values at one moment (table.h), a journal of
// what came after it (journal.h), and a mark of how far the journal is on disk (mark.h). When the journal has grown long enough, it
// becomes part of the next table (checkpoint.h). docs/storage-format.md has the layout, and what damage is found by what.
//
// Damage is never passed over. Files that do not hold all that was on disk are set aside, in a folder "damaged-N", and lost() says
// what was found: the member starts as one that lost its disk.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "coterie/result.h"
#include "member/events.h"
#include "net/checkpoint.h"
#include "net/disk.h"
#include "net/journal.h"
#include "net/mark.h"
#include "net/table.h"

namespace coterie::net {

class Store {
 public:
  // Makes the folder if there is none, for its owner alone. Refused if another process uses it, if it cannot be read or written, or
  // if others than its owner can write it.
  static Result<Store> open(const std::string& folder);
  Store(Store&&) = default;
  Store& operator=(Store&&) = default;
  ~Store();

  // Nothing if nothing was ever saved.
  const std::optional<member::Durable>& saved() const { return saved_; }
  // What is wrong, if it cannot be saved; then nothing may be granted any more. On disk when it returns.
  [[nodiscard]] std::optional<Error> save(const member::Durable& durable);

  // Why what the folder held cannot be believed, and where those files are now. The member must start as one that lost its
  // disk (Birth::amnesia): it may have promised what it does not know any more.
  const std::optional<std::string>& lost() const { return lost_; }
  // Something was saved here before, now or in what was lost: the cluster is not new.
  bool has_been_used() const { return has_promises() || !properties_.empty(); }
  // What a member must not forget was.
  bool has_promises() const { return saved_ || was_lost_ || !keepsakes_.empty(); }

  // Values that belong to the member itself and to no name, such as its identity: by key. On disk when set_property()
  // returns; an empty value is none.
  using Properties = std::map<std::string, Bytes>;
  const Properties& properties() const { return properties_; }
  [[nodiscard]] std::optional<Error> set_property(const std::string& key, const Bytes& value);

  // The number of the last write that is on disk. It grows with every one of them, over all lives of the member; an older
  // copy of the folder has a lesser one.
  std::uint64_t durable_sequence() const { return offset_ + durable_; }
  // From now on it is at least so much, as others have seen it before a disk was lost. On disk when it returns.
  [[nodiscard]] std::optional<Error> raise_sequence(std::uint64_t seen);

  using Keepsakes = std::vector<std::pair<std::string, Bytes>>;
  const Keepsakes& keepsakes() const {
    return keepsakes_;
  }  // when it was opened, until they are taken
  Keepsakes take_keepsakes() { return std::exchange(keepsakes_, {}); }
  // Empty: nothing is kept under the name any more. What is kept twice is on disk when the second returns, with all that
  // was kept before: it is written once, and waited for once. What is kept once outlives a crash of the process, but
  // perhaps not of the machine.
  [[nodiscard]] std::optional<Error> keep(const std::string& name, const Bytes& keepsake);
  // All that was kept is on disk when it returns.
  [[nodiscard]] std::optional<Error> sync();

  // What an operator should know, since this was asked last: the disk is nearly full, or a table could not be written.
  std::vector<std::string> take_warnings() { return std::exchange(warnings_, {}); }

 private:
  struct Files;  // by their names, as they were found
  Store(std::string folder, File lock) : folder_(std::move(folder)), lock_(std::move(lock)) {}

  // store_open.cc: at the start
  std::optional<Fault> start();
  std::optional<Fault> be_born();
  std::optional<Fault> read(const Files& files);
  std::optional<Fault> read_journal(const Files& files, std::uint64_t base);
  std::optional<Fault> read_values(TableReader table);
  std::optional<Fault> take(const std::string& key, const Bytes& value);
  std::optional<Fault> set_aside(const Files& files, const std::string& why);

  std::optional<Error> write(const std::string& key, const Bytes& value);
  std::optional<Error> write_and_sync(const std::string& key, const Bytes& value);
  std::optional<Fault> begin_part(std::size_t record);
  // Of the next table. What goes wrong is a warning: the table before it and the journal have all.
  void begin_checkpoint();
  void go_on_with_checkpoint();
  void give_up_checkpoint(const Fault& fault);
  void look_at_space();
  std::optional<Error> fail(const Fault& fault);

  std::string folder_;
  File lock_;  // held while the store is open
  StoreId id_ = 0;
  Mark mark_;
  Journal journal_;                             // its last part
  std::map<std::uint64_t, std::size_t> parts_;  // of the journal: their sizes
  std::size_t table_size_ = 0;
  std::uint64_t durable_ = 0;  // the last record that is on disk
  std::uint64_t offset_ = 0;   // of the sequence, before the disk was lost
  Values journalled_;          // what is neither in the table nor in its next one
  std::unique_ptr<Checkpoint> checkpoint_;
  std::string last_key_;  // of the last record
  Bytes last_value_;
  std::optional<Error> failure_;  // after one nothing is written any more
  bool is_space_short_ = false;
  std::vector<std::string> warnings_;

  std::optional<member::Durable> saved_;
  std::optional<std::string> lost_;
  bool was_lost_ = false;  // now or before
  Properties properties_;
  Keepsakes keepsakes_;
};

}  // namespace coterie::net
