// Errors as values. A function that can be given bad input returns Result<T>: the value, or an Error
// that says to a person what was wrong, where, and what is allowed.
#pragma once

#include <boost/system/result.hpp>
#include <cstddef>
#include <optional>
#include <stdexcept>
#include <string>

namespace coterie {

struct Error {
  std::string message = {};    // one sentence: what was wrong and what is allowed
  std::string parameter = {};  // the parameter at fault, if one is
  std::optional<std::size_t> position =
      {};                    // where in the text, as an offset, if it came from a text
  std::string nearest = {};  // the nearest legal form, if there is one
};

template <class T>
using Result = boost::system::result<T, Error>;

// Asking a failed Result for its value is a mistake of the caller's, and is thrown as one.
[[noreturn]] inline void throw_exception_from_error(const Error& error,
                                                    const boost::source_location& /*where*/) {
  throw std::logic_error("value of a failed Result: " + error.message);
}

}  // namespace coterie
