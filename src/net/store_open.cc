// A store at its start: what the folder holds, whether all of it is there, and what becomes of it if not.
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <random>
#include <vector>

#include "member/lasting.h"
#include "net/store.h"
#include "net/store_keys.h"

namespace coterie::net {

namespace {

namespace fs = std::filesystem;

constexpr const char* kDamaged = "damaged-";
constexpr mode_t kLockMode = 0600;
constexpr mode_t kFolderMode = 0700;

template <class What>
bool is_readable(std::string_view bytes, What& what) {
  Reader reader(bytes);
  unpack(reader, what);
  return reader.good() && reader.at_end();
}

std::optional<std::uint64_t> part_of(std::string_view name) {
  if (!name.starts_with(Journal::kName)) return std::nullopt;
  name.remove_prefix(Journal::kName.size());
  std::uint64_t part = 0;
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), part);
  const bool is_number = error == std::errc() && end == name.data() + name.size();
  return is_number && part > 0 ? std::optional(part) : std::nullopt;
}

StoreId new_id() {
  std::random_device chance;
  constexpr unsigned kHalf = 32;
  return (StoreId{chance()} << kHalf) | chance();
}

std::string quoted(std::uint64_t sequence) { return std::to_string(sequence); }

}  // namespace

struct Store::Files {
  bool has_table = false;
  bool has_mark = false;
  std::vector<std::uint64_t> parts;  // of the journal, in order
  std::vector<std::string> drafts;   // of files that never were in force
  std::vector<std::string> all;      // but for drafts
  bool has_damaged = false;
  bool has_former = false;  // of a format before this one

  static std::optional<Fault> list(const std::string& folder, Files& files) {
    std::error_code error;
    for (fs::directory_iterator entry(folder, error), end; !error && entry != end;
         entry.increment(error)) {
      const std::string name = entry->path().filename().string();
      const auto part = part_of(name);
      files.has_table |= name == kTableName;
      files.has_mark |= name == Mark::kName;
      files.has_damaged |= name.starts_with(kDamaged);
      files.has_former |= name == "data.mdb";
      if (part) files.parts.push_back(*part);
      if (part || name == kTableName || name == Mark::kName) files.all.push_back(name);
      if (name.ends_with(".new")) files.drafts.push_back(name);
    }
    if (error) return Fault{Fault::Kind::refusal, error.message()};
    std::sort(files.parts.begin(), files.parts.end());
    return std::nullopt;
  }

  // The table is made last: without it nothing was ever saved, unless it is gone.
  bool are_of_birth(const std::string& folder) const {
    Mark mark;
    if (has_mark && (Mark::open(folder, mark) || mark.content().sequence > 0)) return false;
    return std::all_of(parts.begin(), parts.end(), [&](std::uint64_t part) {
      Journal journal;
      Journal::Content content;
      return part == 1 && !Journal::open(folder, part, journal, content) &&
             content.records.empty() && !content.has_rest;
    });
  }
};

Result<Store> Store::open(const std::string& folder) {
  const auto failed = [&](const std::string& why) {
    return Error{.message = "the data folder " + folder + " cannot be used: " + why};
  };
  std::error_code error;
  const fs::path above = fs::absolute(folder, error).lexically_normal().parent_path();
  if (!error) fs::create_directories(above, error);
  if (error) return failed(error.message());
  if (const auto fault = make_private_folder(folder)) return failed(fault->text);
  File lock(::open((folder + "/lock").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, kLockMode));
  if (!lock.is_open()) return failed(std::string("lock: ") + std::strerror(errno));
  if (::flock(lock.get(), LOCK_EX | LOCK_NB) != 0) return failed("another member runs on it");
  Store store(folder, std::move(lock));
  if (const auto fault = store.start()) return failed(fault->text);
  return store;
}

std::optional<Fault> Store::start() {
  Files files;
  if (auto fault = Files::list(folder_, files)) return fault;
  was_lost_ = files.has_damaged;
  if (!files.has_table) {
    if (files.has_former)
      return Fault{Fault::Kind::refusal,
                   "data.mdb is of an earlier version, which this program does not read; start the "
                   "member with another folder, as one that lost its disk"};
    if (files.all.empty() && !files.has_damaged) return be_born();
    if (files.all.empty()) {
      lost_ = "the files of the data folder " + folder_ + " were damaged, and set aside before";
      return be_born();
    }
    if (!files.has_damaged && files.are_of_birth(folder_)) {
      for (const std::string& name : files.all) ::unlink((folder_ + '/' + name).c_str());
      return be_born();
    }
  }
  auto fault = files.has_table ? read(files) : damage_of(kTableName, "it is missing");
  if (!fault) return std::nullopt;
  if (fault->kind == Fault::Kind::refusal) return fault;
  Store fresh(folder_, std::move(lock_));
  *this = std::move(fresh);
  if (auto trouble = set_aside(files, fault->text)) return trouble;
  return be_born();
}

// The table last: until it is there, nothing else counts.
std::optional<Fault> Store::be_born() {
  id_ = new_id();
  if (auto fault = Mark::make(folder_, id_, mark_)) return fault;
  if (auto fault = Journal::make(folder_, 1, id_, 1, 0, journal_)) return fault;
  parts_.emplace(journal_.part(), journal_.size());
  TableWriter table;
  const std::string draft = std::string(kTableName) + ".new";
  if (auto fault = TableWriter::make(folder_, draft, id_, 0, table)) return fault;
  if (auto fault = table.finish()) return fault;
  if (std::rename((folder_ + '/' + draft).c_str(), (folder_ + '/' + kTableName).c_str()) != 0)
    return fault_of_system(draft, "cannot be renamed");
  table_size_ = table.size();
  if (auto fault = sync_folder(folder_)) return fault;
  const fs::path above = fs::absolute(folder_ + "/..");
  static_cast<void>(sync_folder(above.string()));  // not every folder may be read
  return std::nullopt;
}

// Files keep their names, so that they can be looked at, or put back.
std::optional<Fault> Store::set_aside(const Files& files, const std::string& why) {
  std::string place;
  for (int number = 1;; ++number) {
    place = folder_ + '/' + kDamaged + std::to_string(number);
    if (::mkdir(place.c_str(), kFolderMode) == 0) break;
    if (errno != EEXIST) return fault_of_system(place, "cannot be made");
  }
  for (const std::string& name : files.all) {
    if (std::rename((folder_ + '/' + name).c_str(), (place + '/' + name).c_str()) != 0)
      return fault_of_system(name, "is damaged (" + why + "), and cannot be set aside");
  }
  lost_ = "the data in " + folder_ + " is damaged: " + why + "; its files are in " + place + " now";
  was_lost_ = true;
  return std::nullopt;
}

std::optional<Fault> Store::read(const Files& files) {
  TableReader table;
  if (auto fault = TableReader::open(folder_, table)) return fault;
  id_ = table.store();
  table_size_ = table.size();
  const std::uint64_t base = table.base();
  if (auto fault = read_journal(files, base)) return fault;
  if (auto fault = read_values(std::move(table))) return fault;
  // All is there. What a crash left over goes; what was read, and may still be on its way to the disk, gets there.
  for (const std::string& name : files.drafts) ::unlink((folder_ + '/' + name).c_str());
  if (auto fault = sync_folder(folder_)) return fault;
  for (const std::uint64_t part : files.parts) {
    if (!parts_.contains(part)) ::unlink((folder_ + '/' + Journal::name_of(part)).c_str());
  }
  if (auto fault = journal_.settle()) return fault;
  durable_ = journal_.next() - 1;
  return mark_.write(durable_);
}

// From the last part back to the one that begins where the table ends, or before.
std::optional<Fault> Store::read_journal(const Files& files, std::uint64_t base) {
  if (auto fault = Mark::open(folder_, mark_)) return fault;
  if (mark_.content().store != id_) return damage_of(Mark::kName, "it belongs to another table");
  if (files.parts.empty()) return damage_of(Journal::name_of(1), "no part of the journal is there");
  std::vector<Journal::Content> contents;  // the last first
  for (auto part = files.parts.rbegin(); part != files.parts.rend(); ++part) {
    Journal journal;
    Journal::Content content;
    if (auto fault = Journal::open(folder_, *part, journal, content)) return fault;
    const std::string name = Journal::name_of(*part);
    if (content.store != id_) return damage_of(name, "it belongs to another table");
    if (!contents.empty() && content.next() != contents.back().first)
      return damage_of(name, "it ends with record " + quoted(content.next() - 1) +
                                 ", but the next part begins with record " +
                                 quoted(contents.back().first));
    parts_.emplace(*part, journal.size());
    if (contents.empty()) journal_ = std::move(journal);
    contents.push_back(std::move(content));
    if (contents.back().first <= base + 1) break;
    const auto before = std::next(part);
    if (before == files.parts.rend() || *before != *part - 1)
      return damage_of(Journal::name_of(*part - 1),
                       "it is missing: the table ends with record " + quoted(base));
  }
  const std::uint64_t end = contents.front().next();
  if (mark_.content().sequence >= end || base >= end)
    return damage_of(Journal::name_of(journal_.part()),
                     "it ends with record " + quoted(end - 1) + ", but record " +
                         quoted(std::max(mark_.content().sequence, base)) + " was on disk");
  for (auto content = contents.rbegin(); content != contents.rend(); ++content) {
    std::uint64_t sequence = content->first;
    for (const Bytes& record : content->records) {
      if (sequence++ <= base) continue;
      std::pair<std::string, Bytes> entry;
      if (!is_readable(record, entry))
        return Fault{Fault::Kind::refusal,
                     "record " + quoted(sequence - 1) + " of the journal cannot be understood"};
      journalled_[entry.first] = std::move(entry.second);
    }
  }
  return std::nullopt;
}

std::optional<Fault> Store::read_values(TableReader table) {
  Merge merge;
  auto fault = merge.begin(std::move(table), journalled_);
  while (!fault && !merge.at_end()) {
    fault = take(merge.key(), merge.value());
    if (!fault) fault = merge.next();
  }
  return fault;
}

std::optional<Fault> Store::take(const std::string& key, const Bytes& value) {
  member::Keepsake keepsake;
  bool is_good = false;
  if (key == kMemberKey) {
    is_good = is_readable(value, saved_.emplace());
  } else if (key == kOffsetKey) {
    is_good = is_readable(value, offset_);
  } else if (key.starts_with(kPropertyKey)) {
    is_good = true;
    properties_.emplace(key.substr(1), value);
  } else if (key.starts_with(kKeepsakeKey)) {
    is_good = is_readable(value, keepsake);
    keepsakes_.emplace_back(key.substr(1), value);
  }
  if (is_good) return std::nullopt;
  return Fault{Fault::Kind::refusal, "what it has under the key \"" + key +
                                         "\" cannot be understood: another version wrote it"};
}

}  // namespace coterie::net
