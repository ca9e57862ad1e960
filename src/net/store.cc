#include "net/store.h"

#include <sys/statvfs.h>
#include <unistd.h>

#include <algorithm>
#include <numeric>

#include "base/pack.h"
#include "net/store_keys.h"

namespace coterie::net {

Store::~Store() {
  if (!mark_.is_open()) return;
  // After an orderly end the mark is on disk with what it says. It is no loss if it is not.
  static_cast<void>(mark_.sync());
}

// The kernel may have dropped what it could not write: to try again would succeed, and nothing would be on disk.
std::optional<Error> Store::fail(const Fault& fault) {
  failure_ = Error{.message = "cannot save: " + fault.text};
  return failure_;
}

std::optional<Error> Store::save(const member::Durable& durable) {
  if (auto error = write_and_sync(std::string(kMemberKey), packed(durable))) return error;
  saved_ = durable;
  return std::nullopt;
}

std::optional<Error> Store::set_property(const std::string& key, const Bytes& value) {
  if (auto error = write_and_sync(kPropertyKey + key, value)) return error;
  properties_.erase(key);
  if (!value.empty()) properties_.emplace(key, value);
  return std::nullopt;
}

std::optional<Error> Store::raise_sequence(std::uint64_t seen) {
  if (seen <= durable_sequence()) return std::nullopt;
  const std::uint64_t offset = seen - durable_;
  if (auto error = write_and_sync(std::string(kOffsetKey), packed(offset))) return error;
  offset_ = offset;
  return std::nullopt;
}

std::optional<Error> Store::keep(const std::string& name, const Bytes& keepsake) {
  const std::string key = kKeepsakeKey + name;
  return key == last_key_ && keepsake == last_value_ ? sync() : write(key, keepsake);
}

std::optional<Error> Store::write_and_sync(const std::string& key, const Bytes& value) {
  if (auto error = write(key, value)) return error;
  return sync();
}

std::optional<Error> Store::write(const std::string& key, const Bytes& value) {
  if (failure_) return failure_;
  const Bytes record = packed(std::pair(key, value));
  if (!journal_.has_room_for(record.size())) {
    if (const auto fault = begin_part(record.size())) return fail(*fault);
  }
  if (const auto fault = journal_.write(record, durable_)) return fail(*fault);
  journalled_[key] = value;
  last_key_ = key;
  last_value_ = value;
  return std::nullopt;
}

std::optional<Error> Store::sync() {
  if (failure_) return failure_;
  if (const auto fault = journal_.sync()) return fail(*fault);
  durable_ = journal_.next() - 1;
  if (const auto fault = mark_.write(durable_)) return fail(*fault);
  go_on_with_checkpoint();
  return std::nullopt;
}

// All before it is on disk first, and the mark too.
std::optional<Fault> Store::begin_part(std::size_t record) {
  if (auto fault = journal_.sync()) return fault;
  durable_ = journal_.next() - 1;
  if (auto fault = mark_.write(durable_)) return fault;
  if (auto fault = mark_.sync()) return fault;
  Journal next;
  if (auto fault = Journal::make(folder_, journal_.part() + 1, id_, journal_.next(), record, next))
    return fault;
  journal_ = std::move(next);
  begin_checkpoint();
  parts_.emplace(journal_.part(), journal_.size());
  look_at_space();
  return std::nullopt;
}

// Often enough that a start has not much more to read than the table, seldom enough that a large table is not written for a
// few records. REQUIRES: the last part has nothing yet, and all before it is on disk.
void Store::begin_checkpoint() {
  constexpr std::size_t kShare = 4;
  const std::size_t journal =
      std::accumulate(parts_.begin(), parts_.end(), std::size_t{0},
                      [](std::size_t sum, const auto& part) { return sum + part.second; });
  if (checkpoint_ || journal < table_size_ / kShare) return;
  checkpoint_ = std::make_unique<Checkpoint>(folder_, durable_, journal_.part(),
                                             std::exchange(journalled_, {}));
  if (const auto fault = checkpoint_->begin(id_)) return give_up_checkpoint(*fault);
}

void Store::go_on_with_checkpoint() {
  if (!checkpoint_) return;
  if (const auto fault = checkpoint_->step()) return give_up_checkpoint(*fault);
  if (!checkpoint_->is_done()) return;
  table_size_ = checkpoint_->size();
  const auto first = parts_.lower_bound(checkpoint_->next_part());
  for (auto part = parts_.begin(); part != first; ++part)
    ::unlink((folder_ + '/' + Journal::name_of(part->first)).c_str());
  parts_.erase(parts_.begin(), first);
  checkpoint_.reset();
}

void Store::give_up_checkpoint(const Fault& fault) {
  std::string warning =
      "the journal in " + folder_ + " cannot become part of its table: " + fault.text;
  warning += fault.kind == Fault::Kind::damage
                 ? "; if this member starts again, it starts as one that lost its disk"
                 : "; this is tried again, and meanwhile the journal grows";
  warnings_.push_back(std::move(warning));
  Values values = checkpoint_->take_values();
  checkpoint_.reset();
  journalled_.merge(values);  // what is there already is later
}

// The next table needs the room of this one and of the journal again.
void Store::look_at_space() {
  constexpr std::size_t kLeast = std::size_t{64} << 20U;
  struct statvfs about {};
  if (::statvfs(folder_.c_str(), &about) != 0) return;
  const std::size_t left = about.f_bavail * about.f_frsize;
  const bool is_short = left < std::max(kLeast, 4 * table_size_);
  if (is_short && !is_space_short_)
    warnings_.push_back("only " + std::to_string(left >> 20U) +
                        " MiB are left for the data folder " + folder_ +
                        ": a member that cannot save stops");
  is_space_short_ = is_short;
}

}  // namespace coterie::net
