// What members log, and `coterie status` says, of others that do not answer or do not agree.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>
#include <fstream>
#include <string>

#include "cli/command.h"
#include "cli/serving.h"

namespace coterie::cli {
namespace {

using testing::HasSubstr;

std::size_t count_of(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (std::size_t at = 0; (at = text.find(part, at)) != std::string::npos; ++at) ++count;
  return count;
}

TEST(Log, TellsWhoDoesNotAnswerAndThatNoQuorumIsLeft) {
  const Folder folder;
  Serving serving(folder, {});
  serving.start_all();
  ASSERT_TRUE(serving.is_ready()) << serving.log(0);
  serving.signal(1, SIGSTOP);
  EXPECT_TRUE(serving.has_logged(0, "member b does not answer: others are asked in its place"));
  EXPECT_TRUE(serving.has_logged(0, "the lease of member b has ended"));
  serving.signal(2, SIGSTOP);
  EXPECT_TRUE(serving.has_logged(0, "no quorum of members answers"));
  EXPECT_THAT(folder.run("status --members " + serving.addresses()[0]).out,
              HasSubstr("  no quorum  "));
  serving.signal(1, SIGCONT);
  EXPECT_TRUE(serving.has_logged(0, "member b answers again"));
  serving.signal(2, SIGCONT);
}

TEST(Log, SaysWhoIsRefusedAndInWhatTheyDifferButNotAgainAndAgain) {
  const Folder folder;
  Serving serving(folder, {});
  serving.start_all();
  ASSERT_TRUE(serving.is_ready()) << serving.log(0);
  serving.signal(2, SIGKILL);
  serving.wait(2);
  std::ofstream(folder.path() + "/c.toml", std::ios::app) << "\ndrift_ppm = 7\n";
  serving.start(2);
  const std::string differ = "the configurations differ: a has drift 1000 ppm; c has drift 7 ppm";
  ASSERT_TRUE(serving.has_logged(0, differ)) << serving.log(0);
  ASSERT_TRUE(serving.has_logged(2, "member a cannot be reached"));
  ASSERT_TRUE(comes_true([&] {
    return count_of(folder.run("status --members " + serving.list()).out, "drift") > 0;
  })) << folder.run("status --members " + serving.list()).out;
  EXPECT_EQ(count_of(serving.log(0), "refused member c"), 1U) << serving.log(0);
}

}  // namespace
}  // namespace coterie::cli
