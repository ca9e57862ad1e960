// What must outlive a crash of a member, in a folder of its own (LMDB).
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "coterie/result.h"
#include "member/events.h"

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
  // Empty: nothing is kept under the name any more. On disk when the next returns, as what is kept twice needs no more.
  [[nodiscard]] std::optional<Error> keep(const std::string& name, const Bytes& keepsake);

 private:
  struct Environment;  // LMDB's
  struct Close {
    void operator()(Environment* environment) const;
  };
  explicit Store(std::unique_ptr<Environment, Close> environment);
  [[nodiscard]] std::optional<Error> put(const std::string& key, const Bytes& value);

  std::unique_ptr<Environment, Close> environment_;
  std::optional<member::Durable> saved_;
  Keepsakes keepsakes_;
};

}  // namespace coterie::net
