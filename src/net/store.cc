#include "net/store.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <lmdb.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <utility>

#include "base/pack.h"
#include "member/lasting.h"

namespace coterie::net {

struct Store::Environment {
  MDB_env* env = nullptr;
  MDB_dbi table = 0;
  int lock = -1;  // held while the store is open
};

void Store::Close::operator()(Environment* environment) const {
  if (environment->env != nullptr) mdb_env_close(environment->env);
  if (environment->lock >= 0) ::close(environment->lock);
  delete environment;  // NOLINT(cppcoreguidelines-owning-memory): this is its owner
}

Store::Store(std::string folder, std::unique_ptr<Environment, Close> environment)
    : folder_(std::move(folder)), environment_(std::move(environment)) {}

namespace {

constexpr std::string_view kKey = "member";
constexpr std::string_view kRound = "round";  // of the journal
constexpr const char* kJournal = "/journal";
constexpr char kKeepsake = '/';                          // before the name that it belongs to
constexpr std::size_t kMapSize = std::size_t{1} << 30U;  // of addresses, not of disk
constexpr mdb_mode_t kMode = 0600;

MDB_val value_of(std::string_view text) {
  return {text.size(), const_cast<char*>(text.data())};  // NOLINT: LMDB does not write to it
}

Error failure(int code) { return {.message = fmt::format("cannot save: {}", mdb_strerror(code))}; }

// A transaction that is undone unless it is committed.
class Transaction {
 public:
  Transaction(MDB_env* env, unsigned flags) : error_(mdb_txn_begin(env, nullptr, flags, &txn_)) {}
  ~Transaction() {
    if (txn_ != nullptr) mdb_txn_abort(txn_);
  }
  Transaction(const Transaction&) = delete;
  Transaction& operator=(const Transaction&) = delete;
  MDB_txn* get() const { return txn_; }
  int error() const { return error_; }
  int commit() { return mdb_txn_commit(std::exchange(txn_, nullptr)); }

 private:
  MDB_txn* txn_ = nullptr;
  int error_ = 0;
};

std::string_view text_of(const MDB_val& value) {
  return {static_cast<const char*>(value.mv_data), value.mv_size};
}

template <class What>
bool is_readable(std::string_view bytes, What& what) {
  Reader reader(bytes);
  unpack(reader, what);
  return reader.good() && reader.at_end();
}

constexpr const char* kUnreadable = "what it holds cannot be read";

// What is wrong with it, if anything is.
std::string read_all(MDB_txn* transaction, MDB_dbi table, std::optional<member::Durable>& durable,
                     std::uint64_t& round, Store::Keepsakes& keepsakes) {
  MDB_cursor* cursor = nullptr;
  if (const int code = mdb_cursor_open(transaction, table, &cursor); code != 0)
    return mdb_strerror(code);
  const std::unique_ptr<MDB_cursor, decltype(&mdb_cursor_close)> owner(cursor, mdb_cursor_close);
  MDB_val key;
  MDB_val value;
  int code = mdb_cursor_get(cursor, &key, &value, MDB_FIRST);
  for (; code == 0; code = mdb_cursor_get(cursor, &key, &value, MDB_NEXT)) {
    const std::string_view name = text_of(key);
    member::Keepsake keepsake;
    if (name == kKey) {
      if (!is_readable(text_of(value), durable.emplace())) return kUnreadable;
    } else if (name == kRound) {
      if (!is_readable(text_of(value), round)) return kUnreadable;
    } else if (name.front() == kKeepsake && is_readable(text_of(value), keepsake)) {
      keepsakes.emplace_back(name.substr(1), text_of(value));
    } else {
      return kUnreadable;
    }
  }
  return code == MDB_NOTFOUND ? "" : mdb_strerror(code);
}

}  // namespace

Result<Store> Store::open(const std::string& folder) {
  const auto failed = [&](const std::string& why) {
    return Error{.message = fmt::format("the data folder {} cannot be used: {}", folder, why)};
  };
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) return failed(error.message());
  Store store(folder, std::unique_ptr<Environment, Close>(new Environment));
  Environment& made = *store.environment_;
  made.lock = ::open((folder + "/lock").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, kMode);
  if (made.lock < 0) return failed(std::strerror(errno));
  if (::flock(made.lock, LOCK_EX | LOCK_NB) != 0) return failed("another member runs on it");
  int code = mdb_env_create(&made.env);
  if (code == 0) code = mdb_env_set_mapsize(made.env, kMapSize);
  if (code == 0) code = mdb_env_open(made.env, folder.c_str(), MDB_NOTLS, kMode);
  if (code != 0) return failed(mdb_strerror(code));
  {
    Transaction transaction(made.env, 0);
    code = transaction.error();
    if (code == 0) code = mdb_dbi_open(transaction.get(), nullptr, 0, &made.table);
    if (code != 0) return failed(mdb_strerror(code));
    if (std::string fault =
            read_all(transaction.get(), made.table, store.saved_, store.round_, store.keepsakes_);
        !fault.empty())
      return failed(fault);
    code = transaction.commit();
    if (code != 0) return failed(mdb_strerror(code));
  }
  if (const auto fault = store.read_journal()) return failed(fault->message);
  return store;
}

std::optional<Error> Store::read_journal() {
  if (round_ == 0) return std::nullopt;
  auto journal = Journal::open(folder_ + kJournal);
  if (!journal) return journal.error();
  const auto records = journal->read(round_);
  if (!records) return records.error();
  std::map<std::string, Bytes> all(keepsakes_.begin(), keepsakes_.end());
  for (const Bytes& record : *records) {
    std::pair<std::string, Bytes> kept;
    member::Keepsake keepsake;
    const bool is_good =
        is_readable(record, kept) && (kept.second.empty() || is_readable(kept.second, keepsake));
    if (!is_good) return Error{.message = kUnreadable};
    journalled_[kKeepsake + kept.first] = kept.second;
    all.erase(kept.first);
    if (!kept.second.empty()) all.insert(std::move(kept));
  }
  keepsakes_.assign(all.begin(), all.end());
  journal_.emplace(std::move(*journal));
  return begin_round();
}

// What the journal has is in the table first.
std::optional<Error> Store::begin_round() {
  Values values = journalled_;
  values[std::string(kRound)] = packed(round_ + 1);
  if (auto error = put(values)) return error;
  ++round_;
  journalled_.clear();
  journal_->begin(round_);
  return std::nullopt;
}

std::optional<Error> Store::save(const member::Durable& durable) {
  if (auto error = put({{std::string(kKey), packed(durable)}})) return error;
  saved_ = durable;
  return std::nullopt;
}

std::optional<Error> Store::keep(const std::string& name, const Bytes& keepsake) {
  Bytes record = packed(std::pair(name, keepsake));
  if (journal_ && record == last_) return journal_->sync();
  if (!journal_) {
    auto journal = Journal::make(folder_ + kJournal);
    if (!journal) return journal.error();
    journal_.emplace(std::move(*journal));
    if (auto error = begin_round()) return error;
  }
  if (!journal_->has_room_for(record)) {
    if (auto error = begin_round()) return error;
  }
  journalled_[kKeepsake + name] = keepsake;
  last_ = std::move(record);
  // What is longer than a journal goes where all of that would go.
  return journal_->has_room_for(last_) ? journal_->write(last_) : begin_round();
}

std::optional<Error> Store::put(const Values& values) {
  Transaction transaction(environment_->env, 0);
  int code = transaction.error();
  for (const auto& [key, value] : values) {
    if (code != 0) break;
    MDB_val place = value_of(key);
    MDB_val content = value_of(value);
    if (!value.empty()) {
      code = mdb_put(transaction.get(), environment_->table, &place, &content, 0);
    } else if (code = mdb_del(transaction.get(), environment_->table, &place, nullptr);
               code == MDB_NOTFOUND) {
      code = 0;
    }
  }
  if (code == 0) code = transaction.commit();
  if (code != 0) return failure(code);
  return std::nullopt;
}

}  // namespace coterie::net
