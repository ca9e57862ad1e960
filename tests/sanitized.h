// Instrumented code is five to ten times slower, and sanitizers find in a few random rounds what they find in many:
// so there are fewer rounds and smaller shapes then, but no fewer kinds of them.
#pragma once

namespace coterie {

#ifdef COTERIE_SANITIZED
inline constexpr bool kIsSanitized = true;
#else
inline constexpr bool kIsSanitized = false;
#endif

}  // namespace coterie
