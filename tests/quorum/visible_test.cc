// Names and paths that would turn, hide or break a line are shown for what they are.
#include "quorum/visible.h"

#include <gtest/gtest.h>

#include "coterie/spec.h"

namespace coterie::quorum {
namespace {

TEST(Visible, LeavesTextAlone) {
  for (const std::string text :
       {"", "grid:rows=3,cols=4", "Zoë, 日本, 🙂", "two\nlines", "\\x1b"}) {
    EXPECT_EQ(visible(text), text);
  }
}

TEST(Visible, WritesOutWhatWouldNotBeSeen) {
  EXPECT_EQ(visible("a\x1b[31mb\r\t\x7f"), "a\\x1b[31mb\\x0d\\x09\\x7f");
  EXPECT_EQ(visible("a\u202eb\u2066\u200b\ufeff"), "a\\u202eb\\u2066\\u200b\\ufeff");
  EXPECT_EQ(visible("\u0085\u00ad"), "\\x85\\xad");
  EXPECT_EQ(visible(std::string_view("\0", 1)), "\\x00");
}

TEST(Visible, WritesOutBytesThatAreNoText) {
  EXPECT_EQ(visible("\x80"), "\\x80");           // begins nothing
  EXPECT_EQ(visible("\xe2\x80"), "\\xe2\\x80");  // ends too early
  EXPECT_EQ(visible("\xc0\xae"), "\\xc0\\xae");  // a dot, written longer than it is
  EXPECT_EQ(visible("\xff\xfe"), "\\xff\\xfe");
  EXPECT_EQ(visible("\xed\xa0\x80"), "\\ud800");  // half of a pair
}

TEST(Visible, TheMarkOfAnErrorStandsUnderTheCharacter) {
  const std::string spec = "file:\u202ex@?";
  const Error error{.message = "no", .position = spec.find('?')};
  EXPECT_EQ(explain(error, spec), "no\n  file:?x@?\n          ^\n");
}

}  // namespace
}  // namespace coterie::quorum
