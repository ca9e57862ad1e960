// Assertions that stay on in release. A violated invariant stops the program; it never grants a lock.
#pragma once

namespace coterie {

[[noreturn]] void assertion_failed(const char* condition, const char* file, int line);

}  // namespace coterie

// One condition each, so that the report names the one that broke.
#define COTERIE_ASSERT(condition) \
  ((condition) ? static_cast<void>(0) : ::coterie::assertion_failed(#condition, __FILE__, __LINE__))
