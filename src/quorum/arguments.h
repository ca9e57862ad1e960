// The parameters of one base of a spec, as its construction asks for them. The first thing that is
// wrong is kept, and whatever is asked after it gets a stand-in, so that a construction can ask for
// all it needs and look once.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "coterie/quorum.h"
#include "coterie/result.h"
#include "quorum/spec_text.h"

namespace coterie::quorum {

class Arguments {
 public:
  // Refuses keys that are not among these, and keys given twice. `form` is shown in errors.
  Arguments(const SystemText& text, std::string_view form, std::span<const std::string_view> keys);

  bool has(std::string_view key) const { return find(key) != nullptr; }

  std::size_t number(std::string_view key);
  std::size_t number_or(std::string_view key, std::size_t otherwise);
  std::vector<std::size_t> list(std::string_view key);
  bool yes_or_no(std::string_view key, bool otherwise);
  // For keys that exclude each other.
  void refuse(std::string_view key, std::string message);

  // The system that `make` makes, unless something was wrong. An error of the construction's own is
  // put at the parameter that it names.
  template <class Make>
  Result<System> build(Make make) const {
    if (error_) return *error_;
    Result<System> system = make();
    return system ? std::move(system) : Result<System>(placed(system.error()));
  }

 private:
  const ParameterText* find(std::string_view key) const;
  const ParameterText* require(std::string_view key);
  void fail(Error error);
  Error placed(Error error) const;

  const SystemText& text_;
  std::string_view form_;
  std::optional<Error> error_;
};

}  // namespace coterie::quorum
