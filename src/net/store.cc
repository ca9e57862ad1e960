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

Store::Store(std::unique_ptr<Environment, Close> environment)
    : environment_(std::move(environment)) {}

namespace {

constexpr std::string_view kKey = "member";
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

// What is wrong with it, if anything is.
std::string read_all(MDB_txn* transaction, MDB_dbi table, std::optional<member::Durable>& durable,
                     Store::Keepsakes& keepsakes) {
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
      if (!is_readable(text_of(value), durable.emplace())) return "what it holds cannot be read";
    } else if (name.front() == kKeepsake && is_readable(text_of(value), keepsake)) {
      keepsakes.emplace_back(name.substr(1), text_of(value));
    } else {
      return "what it holds cannot be read";
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
  Store store(std::unique_ptr<Environment, Close>(new Environment));
  Environment& made = *store.environment_;
  made.lock = ::open((folder + "/lock").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, kMode);
  if (made.lock < 0) return failed(std::strerror(errno));
  if (::flock(made.lock, LOCK_EX | LOCK_NB) != 0) return failed("another member runs on it");
  int code = mdb_env_create(&made.env);
  if (code == 0) code = mdb_env_set_mapsize(made.env, kMapSize);
  // A commit writes what is new, waits for the disk, and says where it is; that is on disk with the next.
  if (code == 0) code = mdb_env_open(made.env, folder.c_str(), MDB_NOTLS | MDB_NOMETASYNC, kMode);
  if (code != 0) return failed(mdb_strerror(code));
  Transaction transaction(made.env, 0);
  code = transaction.error();
  if (code == 0) code = mdb_dbi_open(transaction.get(), nullptr, 0, &made.table);
  if (code != 0) return failed(mdb_strerror(code));
  if (std::string fault = read_all(transaction.get(), made.table, store.saved_, store.keepsakes_);
      !fault.empty())
    return failed(fault);
  code = transaction.commit();
  if (code != 0) return failed(mdb_strerror(code));
  return store;
}

std::optional<Error> Store::save(const member::Durable& durable) {
  if (auto error = put(std::string(kKey), packed(durable))) return error;
  if (const int code = mdb_env_sync(environment_->env, 1); code != 0) return failure(code);
  saved_ = durable;
  return std::nullopt;
}

std::optional<Error> Store::keep(const std::string& name, const Bytes& keepsake) {
  if (auto error = put(kKeepsake + name, keepsake)) return error;
  // To take it away a second time would change nothing, and so write nothing.
  if (!keepsake.empty()) return std::nullopt;
  const int code = mdb_env_sync(environment_->env, 1);
  return code == 0 ? std::nullopt : std::optional(failure(code));
}

std::optional<Error> Store::put(const std::string& key, const Bytes& value) {
  Transaction transaction(environment_->env, 0);
  int code = transaction.error();
  MDB_val place = value_of(key);
  MDB_val content = value_of(value);
  if (code == 0 && value.empty()) {
    code = mdb_del(transaction.get(), environment_->table, &place, nullptr);
    if (code == MDB_NOTFOUND) code = 0;
  } else if (code == 0) {
    code = mdb_put(transaction.get(), environment_->table, &place, &content, 0);
  }
  if (code == 0) code = transaction.commit();
  if (code != 0) return failure(code);
  return std::nullopt;
}

}  // namespace coterie::net
