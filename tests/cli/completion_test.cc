// Completion scripts in the shells themselves, and the manual page against every command's help.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <regex>
#include <sstream>
#include <string>
#include <vector>

#include "cli/command.h"

namespace coterie::cli {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::UnorderedElementsAre;

bool is_there(const std::string& program) {
  return std::system(("command -v " + program + " >/dev/null 2>&1").c_str()) == 0;
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

class Bash {
 public:
  Bash() { folder_.write("coterie.bash", folder_.run("completion bash").out); }
  // What is offered for the last of these words.
  std::vector<std::string> offers(const std::string& words) const {
    folder_.write("try.sh", ". ./coterie.bash\nCOMP_WORDS=(" + words +
                                ")\nCOMP_CWORD=$((${#COMP_WORDS[@]} - 1))\n_coterie\n"
                                "for word in \"${COMPREPLY[@]}\"; do echo \"$word\"; done\n");
    const Outcome outcome = folder_.run("--version >/dev/null && bash --norc try.sh");
    EXPECT_EQ(outcome.err, "") << words;
    return lines_of(outcome.out);
  }

 private:
  Folder folder_;
};

TEST(Completion, InBash) {
  if (!is_there("bash")) GTEST_SKIP() << "bash is not installed";
  const Bash bash;
  EXPECT_THAT(bash.offers("coterie ''"), AllOf(Contains("mutex"), Contains("completion"),
                                               Not(Contains("manual")), Not(Contains("--help"))));
  EXPECT_THAT(bash.offers("coterie rep"), UnorderedElementsAre("reproduce"));
  EXPECT_THAT(bash.offers("coterie dev k"), UnorderedElementsAre("kill"));
  EXPECT_THAT(bash.offers("coterie dev --de"), UnorderedElementsAre("--detach"));
  EXPECT_THAT(bash.offers("coterie dev kill --"), UnorderedElementsAre("--help"));
  EXPECT_THAT(bash.offers("coterie mutex deploys --on-lost ''"),
              UnorderedElementsAre("kill", "warn"));
  EXPECT_THAT(bash.offers("coterie band web --on-lost ''"),
              UnorderedElementsAre("kill", "warn", "rejoin"));
  EXPECT_THAT(bash.offers("coterie hold ''"),
              UnorderedElementsAre("mutex", "semaphore", "room", "band"));
  EXPECT_THAT(bash.offers("coterie sim surr"), UnorderedElementsAre("surrogate", "surrogate-k"));
  EXPECT_THAT(bash.offers("coterie dev --classic mut"),
              UnorderedElementsAre("mutin", "mutin-fused"));
  EXPECT_THAT(bash.offers("coterie check maekawa --system maj"), UnorderedElementsAre("majority:"));
  EXPECT_THAT(bash.offers("coterie sim --arrivals ''"),
              UnorderedElementsAre("closed", "open", "bursts"));
  EXPECT_THAT(bash.offers("coterie reproduce coh"), Contains("cohorts"));
  EXPECT_THAT(bash.offers("coterie mutex deploys --wait ''"), IsEmpty());
  for (const char* option :
       {"serve --config", "quorum analyze majority:n=3 --up-file", "reproduce --out",
        "quorum compare majority:n=3 --plot", "check maekawa --trace"})
    EXPECT_THAT(bash.offers(std::string("coterie ") + option + " coterie.b"),
                UnorderedElementsAre("coterie.bash"))
        << option;
  // What follows -- is another program's.
  EXPECT_THAT(bash.offers("coterie mutex deploys -- basenam"), Contains("basename"));
  EXPECT_THAT(bash.offers("coterie mutex deploys -- cat coterie.b"), Contains("coterie.bash"));
}

TEST(Completion, InZshAndFish) {
  const Folder folder;
  folder.write("coterie.zsh", folder.run("completion zsh").out);
  folder.write("coterie.fish", folder.run("completion fish").out);
  if (!is_there("zsh") && !is_there("fish")) GTEST_SKIP() << "neither zsh nor fish is installed";
  if (is_there("zsh")) {
    EXPECT_EQ(folder.run("--version && zsh -n coterie.zsh").exit_code, 0);
  }
  if (!is_there("fish")) return;
  folder.write("try.fish",
               "source coterie.fish\ncomplete -C 'coterie dev --de'\n"
               "complete -C 'coterie mutex x --on-lost '\n");
  const Outcome outcome = folder.run("--version && fish --no-config try.fish");
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_THAT(outcome.out, AllOf(HasSubstr("--detach"), HasSubstr("kill"), HasSubstr("warn")));
}

TEST(Completion, AnotherShellIsRefused) {
  const Folder folder;
  const Outcome outcome = folder.run("completion csh");
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_THAT(outcome.err, HasSubstr("bash"));
}

// The words that begin the lines of a section of help, up to an empty line.
std::vector<std::string> entries(const std::string& help, const std::string& section) {
  std::vector<std::string> names;
  bool is_inside = false;
  for (const std::string& line : lines_of(help)) {
    if (line.starts_with(section)) {
      is_inside = true;
    } else if (line.empty()) {
      is_inside = false;
    } else if (is_inside && line.starts_with("  ") && line[2] != ' ') {
      names.push_back(line.substr(2, line.find_first_of(" ,=", 2) - 2));
    }
  }
  return names;
}

void expect_all_of(const Folder& folder, const std::string& command, const std::string& page,
                   std::size_t& seen) {
  const std::string help = folder.run(command + " --help").out;
  ASSERT_NE(help, "") << command;
  const auto inside = entries(help, "Subcommands:");
  // Its own section, if it does anything by itself.
  const std::size_t begin = page.find(".SS coterie " + command + "\n");
  if (begin != std::string::npos) {
    const std::string section = page.substr(begin, page.find("\n.S", begin + 1) - begin);
    for (const std::string& option : entries(help, "Options:")) {
      if (option == "-h") continue;
      const std::string dashes = std::regex_replace(option, std::regex("-"), "\\-");
      EXPECT_THAT(section, HasSubstr(dashes + "\\fR")) << command;
      ++seen;
    }
  } else {
    EXPECT_THAT(inside, Not(IsEmpty())) << command << " is not in the manual";
  }
  for (const std::string& name : inside) {
    expect_all_of(folder, command.empty() ? name : command + " " + name, page, seen);
  }
}

TEST(Manual, HasEveryCommandAndOption) {
  const Folder folder;
  const std::string page = folder.run("manual").out;
  std::size_t seen = 0;
  expect_all_of(folder, "", page, seen);
  EXPECT_GT(seen, 80U);
  for (const char* code : {"69", "75", "76"}) EXPECT_THAT(page, HasSubstr(code));
  EXPECT_THAT(page, HasSubstr("counts as inside until its lease"));
}

TEST(Manual, IsRenderedWithoutAWarningIn80Columns) {
  if (!is_there("groff")) GTEST_SKIP() << "groff is not installed";
  const Folder folder;
  folder.write("coterie.1", folder.run("manual").out);
  const Outcome outcome =
      folder.run("--version >/dev/null && groff -man -ww -Tascii -rLL=80n -P-cbou coterie.1");
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_EQ(outcome.err, "");
  const auto lines = lines_of(outcome.out);
  EXPECT_GT(lines.size(), 200U);
  for (const std::string& line : lines) EXPECT_LE(line.size(), 80U) << line;
}

}  // namespace
}  // namespace coterie::cli
