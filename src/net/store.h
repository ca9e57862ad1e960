// What must outlive a crash of a member, in a folder of its own: a table (LMDB), and a journal of what is kept (journal.h),
// which comes into the table when the journal is full, or at the next start. The table says which round of the journal
// is not in it yet.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "coterie/result.h"
#include "member/events.h"
#include "net/journal.h"

namespace coterie::net {

class Store {
 public:
  // Makes the folder if there is none. Refused if another process uses it.
  static Result<Store> open(const std::string& folder);

  // Nothing if nothing was ever saved.
  const std::optional<member::Durable>& saved() const { return saved_; }
  // What is wrong, if it cannot be saved; then nothing may be granted any more. On disk when it returns.
  [[nodiscard]] std::optional<Error> save(const member::Durable& durable);

  using Keepsakes = std::vector<std::pair<std::string, Bytes>>;
  const Keepsakes& keepsakes() const { return keepsakes_; }  // when it was opened
  // Empty: nothing is kept under the name any more. What is kept twice is on disk when the second returns, with all that
  // was kept before: it is written once, and waited for once. What is kept once outlives a crash of the process, but
  // perhaps not of the machine.
  [[nodiscard]] std::optional<Error> keep(const std::string& name, const Bytes& keepsake);

 private:
  struct Environment;  // LMDB's
  struct Close {
    void operator()(Environment* environment) const;
  };
  Store(std::string folder, std::unique_ptr<Environment, Close> environment);
  [[nodiscard]] std::optional<Error> read_journal();
  // On disk when it returns, all or nothing.
  using Values = std::map<std::string, Bytes>;
  [[nodiscard]] std::optional<Error> put(const Values& values);
  [[nodiscard]] std::optional<Error> begin_round();

  std::string folder_;
  std::unique_ptr<Environment, Close> environment_;
  std::uint64_t round_ = 0;         // 0: there never was a journal
  std::optional<Journal> journal_;  // from the first that is kept on
  Values journalled_;               // what is to come into the table, by key
  Bytes last_;                      // record
  std::optional<member::Durable> saved_;
  Keepsakes keepsakes_;
};

}  // namespace coterie::net
