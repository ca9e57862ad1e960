// One decoder, given whatever bytes there are. Each file of this folder has one of these; built with libFuzzer
// it is a program that looks for bytes that break it (`make fuzz`), and otherwise a part of `replay`, which
// gives it those of corpus/NAME again (`make test`).
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace coterie::fuzz {

using Decoder = void (*)(std::string_view bytes);

// For replay. Returns a number so that it can be called before main.
int enlist(const char* name, Decoder decoder);

}  // namespace coterie::fuzz

#ifdef COTERIE_LIBFUZZER
#define COTERIE_FUZZ(name)                                                            \
  static void fuzz_##name(std::string_view bytes);                                    \
  extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) { \
    fuzz_##name({reinterpret_cast<const char*>(data), size});                         \
    return 0;                                                                         \
  }                                                                                   \
  static void fuzz_##name(std::string_view bytes)
#else
#define COTERIE_FUZZ(name)                                                                       \
  static void fuzz_##name(std::string_view bytes);                                               \
  [[maybe_unused]] static const int enlisted_##name = coterie::fuzz::enlist(#name, fuzz_##name); \
  static void fuzz_##name(std::string_view bytes)
#endif
