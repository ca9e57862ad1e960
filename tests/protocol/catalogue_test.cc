// Every entry of the catalogue, whatever the algorithm: it can be named, made, saved and loaded.
#include "protocol/catalogue.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cctype>
#include <set>

#include "protocol/network.h"

namespace coterie::protocol {
namespace {

using testing::HasSubstr;

// The clean version, each variant and each mutant of every entry, as text.
std::vector<std::string> versions() {
  std::vector<std::string> texts;
  for (const Entry& entry : catalogue()) {
    const std::string name(entry.name);
    texts.push_back(name);
    for (const Variant& variant : entry.variants)
      texts.push_back(name + "+" + std::string(variant.name));
    for (const Mutant& mutant : entry.mutants)
      texts.push_back(name + "@" + std::string(mutant.name));
  }
  return texts;
}

// A few settings, one of which suits each version.
std::vector<Setting> settings(const Version& version) {
  std::vector<Setting> all;
  for (const char* spec : {"majority:n=3", "k-majority:n=5,k=2", "k-singleton:n=4,k=2",
                           "surficial:groups=3,degree=2", "grid-rw:rows=2,cols=2"}) {
    for (const std::uint32_t max : {1U, 2U}) {
      for (const std::uint32_t min : {0U, 1U}) {
        for (const bool is_inside : {false, true}) {
          Setting& setting = all.emplace_back(over(spec, max, min));
          setting.version = version;
          if (is_inside) setting.inside = setting.everyone();
        }
      }
    }
  }
  return all;
}

// One that the version, or the version with one variant more, does not refuse.
std::optional<Setting> fitting(const Choice& choice) {
  std::vector<Version> versions = {choice.version};
  for (const Variant& variant : choice.entry->variants) {
    versions.push_back(choice.version);
    versions.back().variants.emplace_back(variant.name);
  }
  for (const Version& version : versions) {
    for (const Setting& setting : settings(version)) {
      if (choice.entry->refuse == nullptr || choice.entry->refuse(setting).empty()) return setting;
    }
  }
  return std::nullopt;
}

class Catalogue : public testing::TestWithParam<std::string> {};

TEST_P(Catalogue, TextNamesTheVersion) {
  const auto choice = parse_choice(GetParam());
  ASSERT_TRUE(choice) << choice.error().message;
  EXPECT_EQ(choice->text(), GetParam());
  EXPECT_NE(choice->make(), nullptr);
}

TEST_P(Catalogue, InitialStatesSurviveSavingAndLoading) {
  const Choice choice = *parse_choice(GetParam());
  const auto setting = fitting(choice);
  ASSERT_TRUE(setting) << "no setting that it does not refuse";
  for (NodeId self = 0; self < setting->processes; ++self) {
    const auto process = choice.make()(*setting, self);
    Writer before;
    process->save(before);
    const auto copy = choice.make()(*setting, self);
    Reader reader(before.bytes());
    copy->load(reader);
    EXPECT_TRUE(reader.good());
    EXPECT_TRUE(reader.at_end());
    Writer after;
    copy->save(after);
    EXPECT_EQ(before.bytes(), after.bytes());
    std::string text;
    process->describe(text);
    EXPECT_FALSE(text.empty());
    EXPECT_TRUE(process->at_rest());
  }
}

class NoOutput : public Sink {
 public:
  void send(NodeId, std::string_view, const Label&) override { FAIL(); }
  void entered(Group) override { FAIL(); }
  void exited() override { FAIL(); }
  void set_alarm() override { FAIL(); }
};

TEST_P(Catalogue, RefusesBytesThatAreNoMessage) {
  const Choice choice = *parse_choice(GetParam());
  const auto setting = fitting(choice);
  ASSERT_TRUE(setting);
  const auto process = choice.make()(*setting, 0);
  NoOutput sink;
  EXPECT_FALSE(process->on(1, "", sink));
  EXPECT_FALSE(process->on(1, "\x7f", sink)) << "no such message";
  EXPECT_FALSE(process->on(1, Bytes(40, '\xff'), sink));
}

std::string test_name(const testing::TestParamInfo<std::string>& version) {
  std::string name = version.param;
  for (char& letter : name) {
    if (std::isalnum(static_cast<unsigned char>(letter)) == 0) letter = '_';
  }
  return name + "_" + std::to_string(version.index);
}

INSTANTIATE_TEST_SUITE_P(All, Catalogue, testing::ValuesIn(versions()), test_name);

TEST(CatalogueText, NamesAreDifferent) {
  std::set<std::string> seen;
  for (const std::string& text : versions()) EXPECT_TRUE(seen.insert(text).second) << text;
}

TEST(CatalogueText, SaysWhatIsAllowed) {
  const auto error = [](std::string_view text) {
    const auto choice = parse_choice(text);
    return choice ? std::string() : choice.error().message;
  };
  EXPECT_THAT(error("maekwa"), HasSubstr("no protocol \"maekwa\"; there are: maekawa, "));
  EXPECT_THAT(error(""), HasSubstr("there are: maekawa, "));
  EXPECT_EQ(error("maekawa+entry"), "maekawa has no variant \"entry\"; it has: none");
  EXPECT_EQ(error("maekawa@S9"), "maekawa has no mutant \"S9\"; it has: S1, S2");
  EXPECT_EQ(error("maekawa@S1@S2"), "one mutant at a time: \"maekawa@S1@S2\" has two");
  EXPECT_EQ(error("maekawa[central]"), "it is made of 0 algorithms, not of 1");
  EXPECT_EQ(error("maekawa[central"), "\"[central\" has no closing bracket");
}

TEST(CatalogueText, AVariantIsNamedOnce) {
  for (const Entry& entry : catalogue()) {
    for (const Variant& variant : entry.variants) {
      const std::string once = std::string(entry.name) + "+" + std::string(variant.name);
      EXPECT_EQ(parse_choice(once + "+" + std::string(variant.name))->text(), once);
    }
  }
}

}  // namespace
}  // namespace coterie::protocol
