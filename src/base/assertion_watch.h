// While a watch exists, an assertion that fails on its thread throws instead of stopping the program: so that
// a checker can tell how it came to that. Nothing that grants a lock may use one.
#pragma once

#include <string>

namespace coterie {

struct AssertionFailure {
  std::string what;  // "condition" in file:line
};

class AssertionWatch {
 public:
  AssertionWatch();
  ~AssertionWatch();
  AssertionWatch(const AssertionWatch&) = delete;
  AssertionWatch& operator=(const AssertionWatch&) = delete;
};

}  // namespace coterie
