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
  // One sentence: what was wrong and what is allowed.
  std::string message = {};
  // The parameter at fault, if one is; and which item of it, if it is a list.
  std::string parameter = {};
  // Where in the text, as an offset, if it came from a text.
  std::optional<std::size_t> position = {};
  // The nearest legal form, if there is one.
  std::string nearest = {};
  std::optional<std::size_t> item = {};
};

template <class T>
using Result = boost::system::result<T, Error>;

// Asking a failed Result for its value is a mistake of the caller's, and is thrown as one.
[[noreturn]] inline void throw_exception_from_error(const Error& error,
                                                    const boost::source_location& /*where*/) {
  throw std::logic_error("value of a failed Result: " + error.message);
}

}  // namespace coterie
