// The text form of systems: what parses, what is printed, and where errors point.
#include "coterie/spec.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <algorithm>

#include "base/random.h"
#include "coterie/constructions.h"
#include "quorum/list_text.h"
#include "quorum/reference.h"

namespace coterie::quorum {
namespace {

using ::testing::HasSubstr;

Result<std::string> text(const char* content) { return {boost::system::in_place_value, content}; }

Result<std::string> read_file(const std::string& path) {
  if (path == "three.json") return text(R"({"quorums": [["a","b"],["b","c"],["a","c"]]})");
  if (path == "broken.json") return text(R"({"quorums": [[)");
  return Error{.message = path + " cannot be read"};
}

std::string printed(std::string_view spec) {
  const Result<System> system = parse(spec, read_file);
  return system ? system->spec() : explain(system.error(), spec);
}

TEST(Spec, EveryConstructionHasALegalExample) {
  EXPECT_EQ(constructions().size(), 15U);
  for (const ConstructionInfo& info : constructions()) {
    if (info.name == "file") continue;
    EXPECT_EQ(printed(info.example), info.example);
    EXPECT_EQ(info.example.substr(0, info.name.size()), info.name);
  }
}

TEST(Spec, OtherFormsArePrintedInTheOneThatSaysAll) {
  const std::vector<std::pair<std::string, std::string>> forms = {
      {"majority:n=5,halves=no", "majority:n=5"},
      {"majority:halves=no,n=4", "majority:n=4,halves=no"},
      {"majority:n=007", "majority:n=7"},
      {"weighted:votes=1x5", "weighted:votes=1x5"},
      {"weighted:votes=1/1/1,threshold=2", "weighted:votes=1x3"},
      {"grid:n=25", "grid:rows=5,cols=5"},
      {"plane:n=13", "plane:order=3"},
      {"cohorts:n=8,k=2", "cohorts:k=2,sizes=2/3/3"},
      {"cohorts:n=7,k=1", "cohorts:k=1,sizes=1/2x3"},
      {"cohorts:n=53,k=2", "cohorts:k=2,sizes=2/3x17"},
      {"torus:n=24,k=1", "torus:rows=6,cols=4,k=1"},
      {"torus:n=24,k=2", "torus:rows=8,cols=3,k=2"},
      {"wall:n=6", "wall:widths=1/2/3"},
      {"wall:n=8", "wall:widths=1/2/5"},
      {"wall:n=2", "wall:widths=2"},
      {"wall:widths=1/2x4/3", "wall:widths=1/2x4/3"},
      {"wall:widths=2x2", "wall:widths=2/2"},
      {"file:three.json", "file:three.json"},
      {"file:three.json@majority:n=3", "file:three.json@majority:n=3"},
      {"all:n=2@[file:three.json;all:n=1]", "all:n=2@[file:three.json;all:n=1]"},
      {"all:n=2@all:n=2@majority:n=3", "all:n=2@all:n=2@majority:n=3"},
  };
  for (const auto& [given, canonical] : forms) EXPECT_EQ(printed(given), canonical);
}

TEST(Spec, ListsPrintRunsOfThreeInShort) {
  const auto print = [](std::vector<std::size_t> items) { return print_list(items); };
  EXPECT_EQ(print({}), "");
  EXPECT_EQ(print({1, 2, 2, 3, 3, 3, 3}), "1/2/2/3x4");
}

struct Mistake {
  std::string spec;
  std::size_t position;
  std::string message;
};

TEST(Spec, EveryMistakeIsPointedAt) {
  const std::vector<Mistake> mistakes = {
      {"", 0, "the spec is empty"},
      {" majority:n=3", 0, "white space where the name"},
      {":n=3", 0, "':' where the name"},
      {"majority n=3", 8, "white space where"},
      {"majorty:n=3", 0, "did you mean 'majority'?"},
      {"Tree:n=3", 0, "did you mean 'tree'?"},
      {"GRID-RW:rows=2,cols=2", 0, "there is no system 'GRID-RW'; did you mean 'grid-rw'?"},
      {"zebra:n=3", 0, "there are majority, weighted"},
      {"majority", 8, "majority needs n: write majority:n=N"},
      {"majority=3", 8, "'=' where"},
      {"majority:", 9, "the spec ends where a parameter"},
      {"majority:3", 10, "'=' after '3'"},
      {"majority:n", 10, "'=' after 'n'"},
      {"majority:n,halves=no", 10, "',' where '=' after 'n'"},
      {"majority:n=", 11, "a whole number is missing"},
      {"majority:n=5,", 13, "a parameter"},
      {"majority:n=5x", 12, "'x' in a whole number"},
      {"majority:n=-5", 11, "'-' in a whole number"},
      {"majority:n=5 ", 12, "white space in a whole number"},
      {"majority:n=5.0", 12, "'.' in a whole number"},
      {"majority:n=99999999999999999999999", 11, "too large"},
      {"majority:m=5", 9, "no parameter 'm'; it takes n, halves"},
      {"majority:n=5,n=5", 13, "'n' is given twice"},
      {"majority:n=5,halves=maybe", 20, "yes or no"},
      {"majority:n=0", 11, "n must be"},
      {"majority:n=1000001", 11, "n must be"},
      {"majority:n=5]", 12, "']' where"},
      {"majority:n=5;", 12, "';' where"},
      {"majority:n=5@", 13, "the spec ends where the name"},
      {"majority:n=3@majority:n=3@", 26, "the spec ends where the name"},
      {"majority:n=3@[all:n=1;all:n=1", 29, "the list that begins at offset 13 is not closed"},
      {"majority:n=3@[all:n=1;;all:n=1]", 22, "';' where the name"},
      {"majority:n=3@[all:n=1;all:n=1]", 13,
       "a list has one system for each member of majority:n=3, so 3, not 2"},
      {"majority:n=3@[]", 14, "']' where the name"},
      {"majority:n=3@all:n=1]", 20, "']' where"},
      {"majority:n=3@[all:n=1;all:n=1;all:n=1]x", 38, "'x' where the end"},
      {"majority:n=3@[all:n=1;all:n=1;all:n=1]@all:n=2", 38, "'@' where the end"},
      {"majority:n=3@tree:n=4", 20, "n must be odd"},
      {"majority:n=3@k-majority:n=5,k=2", 13, "disjoint"},
      {"majority:n=3@surficial:groups=3,degree=2", 13, "cannot stand inside"},
      {"all:n=2@[all:n=1000000;all:n=1000000]", 23, "1000000 members in all"},
      {"all:n=1000@all:n=1000@all:n=1000", 11, "1000000 members in all"},
      {"weighted:votes=1//2", 17, "a whole number is missing"},
      {"weighted:votes=1/2/", 19, "a whole number is missing"},
      {"weighted:votes=1x", 17, "a whole number is missing"},
      {"weighted:votes=1x0", 17, "at least once"},
      {"weighted:votes=1x2x3", 18, "'x' in a whole number"},
      {"weighted:votes=1x999999999", 15, "up to 1000000 numbers"},
      {"weighted:votes=3/1x999999/1x999999", 26, "up to 1000000 numbers"},
      {"weighted:votes=1/1/1,threshold=1", 31, "threshold"},
      {"weighted:threshold=1", 20, "weighted needs votes"},
      {"grid:rows=5", 11, "grid needs cols"},
      {"grid:cols=5", 11, "grid needs rows"},
      {"grid:n=5,rows=2", 9, "rows follow from n"},
      {"grid:rows=0,cols=5", 10, "rows must be"},
      {"grid:rows=5,cols=0", 17, "cols must be"},
      {"grid:rows=1000000,cols=1000000", 10, "n must be"},
      {"grid:n=0", 7, "n must be"},
      {"plane:n=14", 8, "q*q+q+1"},
      {"plane:order=6", 12, ""},
      {"torus:n=8,k=3", 8, "no torus for k = 3 has 8 members"},
      {"torus:n=9,k=10", 12, "k must be"},
      {"torus:rows=3,cols=3,k=2", 11, ""},
      {"cohorts:n=9,k=2", 10, "do not add up to 9"},
      {"cohorts:k=2,sizes=3/3", 18, "first cohort"},
      {"wall:n=5,widths=1/2", 9, "widths follow from n"},
      {"wall:widths=2/1", 14, "useless"},
      {"wall:widths=1/2x3/0/2", 18, "empty"},
      {"cohorts:k=2,sizes=2/3x4/2/3", 24, "cohort 6"},
      {"wheel:n=2", 8, "n must be"},
      {"file", 4, "':' and a path"},
      {"file:", 5, "a path"},
      {"file:@all:n=1", 5, "a path"},
      {"file:absent.json", 5, "absent.json cannot be read"},
      {"all:n=2@[all:n=1;file:broken.json]", 22, "broken.json: line 1, column"},
      {"file:a@b.json", 8, "'.' where"},
      {std::string("tree:n=3\0", 9), 8, "a character that specs do not have"},
      {"tree:n=\xc3\xa4", 7, "a character that specs do not have"},
  };
  for (const auto& [spec, position, message] : mistakes) {
    const Result<System> system = parse(spec, read_file);
    ASSERT_FALSE(system) << spec;
    EXPECT_THAT(system.error().message, HasSubstr(message)) << spec;
    EXPECT_EQ(system.error().position, position) << spec << ": " << system.error().message;
  }
}

TEST(Spec, TheNearestLegalSpecIsTheWholeSpecAndLegal) {
  for (const char* spec : {"tree:n=4", "majority:n=3@tree:n=4", "wall:widths=2/1/2", "plane:n=14",
                           "plane:order=6", "torus:n=8,k=3", "torus:n=7,k=4",
                           "torus:rows=3,cols=3,k=2", "cohorts:n=9,k=2", "cohorts:n=10,k=2@all:n=2",
                           "k-majority:n=5,k=3", "torus:n=70000,k=50000", "plane:n=100000"}) {
    const Result<System> system = parse(spec);
    ASSERT_FALSE(system) << spec;
    const std::string& nearest = system.error().nearest;
    EXPECT_NE(nearest, "") << spec << ": " << system.error().message;
    EXPECT_TRUE(parse(nearest)) << spec << ": " << nearest;
  }
  EXPECT_EQ(parse("majority:n=3@tree:n=4").error().nearest, "majority:n=3@tree:n=5");
  EXPECT_EQ(parse("tree:n=4@majority:n=3").error().nearest, "tree:n=5@majority:n=3");
  EXPECT_EQ(parse("cohorts:n=9,k=2").error().nearest, "cohorts:k=2,sizes=2/3/3");
}

TEST(Spec, NestingAndLengthAreBounded) {
  std::string deep = "all:n=1";
  for (int i = 0; i < 16; ++i) deep += "@all:n=1";
  EXPECT_TRUE(parse(deep));
  EXPECT_EQ(parse(deep + "@all:n=1").error().position, deep.size() + 1);
  const std::string brackets = [] {
    std::string text;
    for (int i = 0; i < 5000; ++i) text += "all:n=1@[";
    return text;
  }();
  EXPECT_THAT(parse(brackets).error().message, HasSubstr("deep"));
  const Error too_long = parse(std::string(64UL * 1024 + 1, 'a')).error();
  EXPECT_EQ(too_long.position, 64U * 1024);
  EXPECT_FALSE(parse(std::string(64UL * 1024, 'a')));
}

TEST(Spec, ExplainPutsAMarkUnderTheBadCharacter) {
  const auto explained = [](std::string_view spec) { return explain(parse(spec).error(), spec); };
  EXPECT_EQ(explained("tree:n=4"),
            "n must be odd, not 4: every inner member of the tree has two children\n"
            "  tree:n=4\n"
            "         ^\n"
            "nearest: tree:n=5\n");
  EXPECT_THAT(explained("all:n=1\t"), HasSubstr("  all:n=1?\n         ^\n"));
  EXPECT_THAT(explained("\xc3\xa4\xc3\xb6:n=1"), HasSubstr("  \xc3\xa4\xc3\xb6:n=1\n  ^\n"));
  EXPECT_EQ(explain({.message = "m"}, "x"), "m\n");
  EXPECT_EQ(explain({.message = "m", .position = 99}, "x"), "m\n  x\n   ^\n");
}

TEST(Spec, ExplainShowsAWindowOfALongSpec) {
  std::string spec = "weighted:votes=1";
  for (int i = 0; i < 500; ++i) spec += "/1";
  for (const std::size_t bad : {16U, 100U, 500U, 1015U}) {
    std::string broken = spec;
    broken[bad] = '!';
    const Error error = parse(broken).error();
    ASSERT_EQ(error.position, bad);
    const std::string text = explain(error, broken);
    std::vector<std::string> lines;
    for (std::size_t first = 0; first < text.size();) {
      const std::size_t last = text.find('\n', first);
      lines.push_back(text.substr(first, last - first));
      first = last + 1;
    }
    ASSERT_EQ(lines.size(), 3U);
    EXPECT_LE(lines[1].size(), 80U);
    EXPECT_EQ(lines[1][lines[2].find('^')], '!');
  }
}

// Forms of legal specs, and of some that constructions may refuse: {1-9} stands for a number, {1-9/} for a
// list of them.
const std::vector<std::string> kForms = {"majority:n={1-9}",
                                         "majority:n={1-9},halves=no",
                                         "weighted:votes={0-4/}",
                                         "grid:rows={1-4},cols={1-4}",
                                         "grid:n={1-12},cols={1-4}",
                                         "grid-rw:rows={1-4},cols={1-4}",
                                         "plane:order={2-5}",
                                         "torus:rows={1-6},cols={1-4},k={1-3}",
                                         "cohorts:k={1-2},sizes={1-4/}",
                                         "k-majority:n={1-9},k={1-3}",
                                         "k-singleton:n={1-9},k={1-3}",
                                         "surficial:groups={2-4},degree={1-3}",
                                         "tree:n={1-15}",
                                         "wall:widths={1-4/}",
                                         "wheel:n={3-9}"};

std::string some_base() {
  std::string spec = *rc::gen::elementOf(kForms);
  for (std::size_t at = 0; (at = spec.find('{')) != std::string::npos;) {
    const std::size_t end = spec.find('}', at);
    const std::size_t low = std::stoul(spec.substr(at + 1));
    const std::size_t high = std::stoul(spec.substr(spec.find('-', at) + 1));
    const std::size_t most = spec[end - 1] == '/' ? 5 : 1;
    std::vector<std::size_t> items(*rc::gen::inRange<std::size_t>(1, most + 1));
    for (std::size_t& item : items) item = *rc::gen::inRange(low, high + 1);
    spec.replace(at, end + 1 - at, print_list(items));
  }
  return spec;
}

std::string some_spec(int depth) {
  std::string base = some_base();
  const int form = depth == 0 ? 0 : *rc::gen::inRange(0, 4);
  if (form < 2) return base;
  if (form == 2) return base + "@" + some_spec(depth - 1);
  const Result<System> outer = parse(base);
  const std::size_t count = outer ? outer->n() : 1;
  std::string inner;
  for (std::size_t i = 0; i < count; ++i) inner += (i == 0 ? "" : ";") + some_spec(depth - 1);
  return base + "@[" + inner + "]";
}

RC_GTEST_PROP(Spec, PrintingAndParsingGivesTheSameSystem, ()) {
  const std::string spec = some_spec(2);
  const Result<System> system = parse(spec);
  if (!system) RC_DISCARD("refused");
  RC_TAG(system->kind() == Kind::coterie);
  const Result<System> again = parse(system->spec());
  RC_ASSERT(again.has_value());
  RC_ASSERT(again->spec() == system->spec());
  RC_ASSERT(again->kind() == system->kind());
  RC_ASSERT(again->n() == system->n());
  RC_ASSERT(again->layout() == system->layout());
  Random random(*rc::gen::arbitrary<std::uint64_t>());
  for (int round = 0; round < 20; ++round) {
    NodeSet set(system->n());
    for (NodeId member = 0; member < system->n(); ++member) {
      if (random.chance(0.7)) set.insert(member);
    }
    for (std::size_t family = 0; family < system->family_count(); ++family) {
      RC_ASSERT(system->family(family).contains_quorum(set) ==
                again->family(family).contains_quorum(set));
    }
  }
}

RC_GTEST_PROP(Spec, MutatedSpecsGiveASystemOrAnErrorInPlace, ()) {
  const std::vector<std::string> pieces = {":", "=", ",", "@", "[",  "]",  ";",       "/",     "x",
                                           "0", "9", "n", "1", "k=", "n=", "all:n=2", "file:", " "};
  std::string spec = some_spec(2);
  const int mutations = *rc::gen::inRange(1, 5);
  for (int i = 0; i < mutations; ++i) {
    const std::size_t at = *rc::gen::inRange<std::size_t>(0, spec.size() + 1);
    switch (*rc::gen::inRange(0, 4)) {
      case 0:
        spec.erase(at, *rc::gen::inRange<std::size_t>(1, 4));
        break;
      case 1:
        spec.insert(at, *rc::gen::elementOf(pieces));
        break;
      case 2:
        spec.insert(at, 1, *rc::gen::arbitrary<char>());
        break;
      default:
        spec.insert(at, spec.substr(*rc::gen::inRange<std::size_t>(0, spec.size() + 1)));
    }
  }
  const Result<System> system = parse(spec, read_file);
  if (system) {
    RC_ASSERT(parse(system->spec(), read_file)->spec() == system->spec());
    return;
  }
  RC_ASSERT(system.error().position.has_value());
  RC_ASSERT(*system.error().position <= spec.size());
  RC_ASSERT(!system.error().message.empty());
  RC_ASSERT(!explain(system.error(), spec).empty());
}

}  // namespace
}  // namespace coterie::quorum
