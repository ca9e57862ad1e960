// Pages shown one after another until a signal ends it, or the key q. On a terminal each takes the place of the one before, on the
// terminal's other screen: afterwards the terminal is as it was. Elsewhere they follow each other.
#pragma once

#include <chrono>
#include <optional>
#include <string>

#include "cli/keys.h"
#include "cli/signals.h"

namespace coterie::cli {

class Screen {
 public:
  explicit Screen(bool is_in_place);
  ~Screen();
  Screen(const Screen&) = delete;
  Screen& operator=(const Screen&) = delete;

  void show(std::string page);
  // Sleeps for so long. The code to exit with, if a signal or a key has come that ends the program.
  std::optional<int> rest(std::chrono::milliseconds time);

 private:
  void open();
  void close();
  void draw();
  void suspend();

  Signals signals_;
  const bool is_in_place_;
  std::optional<Keys> keys_;  // while it is open
  std::string page_;
};

}  // namespace coterie::cli
