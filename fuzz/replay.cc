// replay FOLDER: gives every decoder the bytes of FOLDER/NAME. It fails if a decoder has none, or breaks.
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <string>

#include "fuzz.h"

namespace coterie::fuzz {

namespace {

std::map<std::string, Decoder>& decoders() {
  static std::map<std::string, Decoder> all;
  return all;
}

int replay(const std::filesystem::path& corpus) {
  for (const auto& [name, decoder] : decoders()) {
    std::size_t inputs = 0;
    for (const auto& file : std::filesystem::directory_iterator(corpus / name)) {
      std::ifstream stream(file.path(), std::ios::binary);
      const std::string bytes{std::istreambuf_iterator<char>(stream),
                              std::istreambuf_iterator<char>()};
      std::printf("%s\n", file.path().c_str());
      std::fflush(stdout);  // so that the last line names the one that breaks it
      decoder(bytes);
      ++inputs;
    }
    if (inputs == 0) {
      std::printf("%s: no inputs\n", name.c_str());
      return 1;
    }
  }
  return 0;
}

}  // namespace

int enlist(const char* name, Decoder decoder) {
  decoders().emplace(name, decoder);
  return 0;
}

}  // namespace coterie::fuzz

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: replay FOLDER\n");
    return 2;
  }
  return coterie::fuzz::replay(argv[1]);
}
