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
constexpr mdb_mode_t kMode = 0600;

MDB_val value_of(std::string_view text) {
  return {text.size(), const_cast<char*>(text.data())};  // NOLINT: LMDB does not write to it
}

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
  if (code == 0) code = mdb_env_open(made.env, folder.c_str(), MDB_NOTLS, kMode);
  if (code != 0) return failed(mdb_strerror(code));
  Transaction transaction(made.env, 0);
  code = transaction.error();
  if (code == 0) code = mdb_dbi_open(transaction.get(), nullptr, 0, &made.table);
  if (code != 0) return failed(mdb_strerror(code));
  MDB_val key = value_of(kKey);
  MDB_val value;
  code = mdb_get(transaction.get(), made.table, &key, &value);
  if (code == 0) {
    Reader reader({static_cast<const char*>(value.mv_data), value.mv_size});
    member::Durable durable;
    unpack(reader, durable);
    if (!reader.good() || !reader.at_end()) return failed("what it holds cannot be read");
    store.saved_ = durable;
  } else if (code != MDB_NOTFOUND) {
    return failed(mdb_strerror(code));
  }
  code = transaction.commit();
  if (code != 0) return failed(mdb_strerror(code));
  return store;
}

std::optional<Error> Store::save(const member::Durable& durable) {
  const Bytes bytes = packed(durable);
  Transaction transaction(environment_->env, 0);
  int code = transaction.error();
  MDB_val key = value_of(kKey);
  MDB_val value = value_of(bytes);
  if (code == 0) code = mdb_put(transaction.get(), environment_->table, &key, &value, 0);
  if (code == 0) code = transaction.commit();
  if (code != 0) return Error{.message = fmt::format("cannot save: {}", mdb_strerror(code))};
  saved_ = durable;
  return std::nullopt;
}

}  // namespace coterie::net
