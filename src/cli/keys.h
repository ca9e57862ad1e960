// What is typed at the terminal while a page is shown: one key at a time, and not echoed into the page.
#pragma once

#include <termios.h>

namespace coterie::cli {

class Keys {
 public:
  Keys();
  ~Keys();  // the terminal is as it was
  Keys(const Keys&) = delete;
  Keys& operator=(const Keys&) = delete;

  // To wait for; negative if there is no terminal to type at, or it is another job's.
  int file() const { return file_; }
  // Whether this key is among those that were typed since.
  bool take(char key);

 private:
  int file_ = -1;
  termios before_{};
};

}  // namespace coterie::cli
