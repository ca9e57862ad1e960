// Explicit systems: what docs/quorums.md says of the JSON format, and every way to get it wrong.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/random.h"
#include "coterie/constructions.h"
#include "quorum/listed.h"
#include "quorum/reference.h"
#include "sanitized.h"

namespace coterie::quorum {
namespace {

using ::testing::HasSubstr;

Result<System> from(std::string_view json) { return explicit_system(json, "q.json"); }

std::string error_of(std::string_view json) {
  const Result<System> system = from(json);
  return system ? "no error" : system.error().message;
}

TEST(Explicit, ListsAnOrdinaryCoterie) {
  const Result<System> system = from(R"({"quorums": [["a","b"],["b","c"],["c","a"]]})");
  ASSERT_TRUE(system);
  EXPECT_EQ(system->kind(), Kind::coterie);
  EXPECT_EQ(system->n(), 3U);
  EXPECT_EQ(system->k(), 1U);
  EXPECT_EQ(system->spec(), "file:q.json");
  EXPECT_EQ(system->label(2), "c");
  const std::vector<NodeSet> as_listed = {NodeSet::of(3, {0, 1}), NodeSet::of(3, {1, 2}),
                                          NodeSet::of(3, {0, 2})};
  EXPECT_EQ(reference::quorums(system->write()), as_listed);
  EXPECT_FALSE(system->write().claims().is_k_coterie);  // nothing is taken on trust
  reference::expect_system_agrees(*system);
}

TEST(Explicit, ListsAWriteReadPair) {
  const Result<System> system =
      from(R"({"write": [[0,2],[0,3],[1,2],[1,3]], "read": [[0,1],[2,3]]})");
  ASSERT_TRUE(system);
  EXPECT_EQ(system->kind(), Kind::write_read);
  EXPECT_EQ(system->write().k(), 2U);
  EXPECT_EQ(system->read().k(), 2U);
  reference::expect_system_agrees(*system);
}

TEST(Explicit, ListsGroups) {
  const Result<System> system = from(R"({"groups": [[[0,1],[2,3]], [[0,2],[1,3]]]})");
  ASSERT_TRUE(system);
  EXPECT_EQ(system->kind(), Kind::groups);
  EXPECT_EQ(system->family_count(), 2U);
  EXPECT_EQ(system->family(1).k(), 2U);
  reference::expect_system_agrees(*system);
}

TEST(Explicit, NumbersComeFirstInTheirOrderThenNames) {
  const Result<System> system = from(R"({"quorums": [["b",10,"9"],["a","007",10]]})");
  ASSERT_TRUE(system);
  std::vector<std::string> labels;
  for (NodeId member = 0; member < system->n(); ++member) labels.push_back(system->label(member));
  EXPECT_EQ(labels, (std::vector<std::string>{"9", "10", "007", "a", "b"}));
}

TEST(Explicit, ANumberAndItsTextAreOneName) {
  EXPECT_EQ(from(R"({"quorums": [[1,2],["2","3"]]})")->n(), 3U);
  EXPECT_THAT(error_of(R"({"quorums": [[1,"1"]]})"), HasSubstr("quorum 1 has \"1\" twice"));
}

TEST(Explicit, MembersGiveTheOrderAndMayBeInNoQuorum) {
  const Result<System> system = from(R"({"members": ["z","y","x"], "quorums": [["y"]]})");
  ASSERT_TRUE(system);
  EXPECT_EQ(system->n(), 3U);
  EXPECT_EQ(system->label(0), "z");
  EXPECT_EQ(reference::quorums(system->write()).front(), NodeSet::of(3, {1}));
}

TEST(Explicit, KIsComputedOrTakenAsClaimed) {
  EXPECT_EQ(from(R"({"quorums": [[0,1],[2,3],[4,5],[0,2,4]]})")->k(), 3U);
  EXPECT_EQ(from(R"({"quorums": [[0,1],[2,3]], "k": 1})")->k(), 1U);
  EXPECT_EQ(from(R"({"write": [[0,1]], "read": [[0],[1]], "read_k": 1})")->read().k(), 1U);
}

TEST(Explicit, WhatIsNotMinimalOrDoesNotMeetIsKept) {
  const Result<System> system = from(R"({"quorums": [[0,1,2],[0,1],[3,4],[3,4,5]]})");
  ASSERT_TRUE(system);
  EXPECT_EQ(reference::quorums(system->write()).size(), 4U);
  // Even if nothing costs anything, the quorum that is found is minimal.
  const std::vector<Cost> free(6, 0);
  EXPECT_EQ(*system->write().find_quorum(NodeSet::all(6), free), NodeSet::of(6, {0, 1}));
  reference::expect_system_agrees(*system, {.minimal = false});
}

TEST(Explicit, RandomListsAgreeWithEnumeration) {
  Random random(7);
  for (int round = 0; round < 40; ++round) {
    const std::size_t n = 1 + random.below(9);
    std::vector<std::string> quorums;
    for (reference::Mask mask = 1; mask < (1U << n); ++mask) {
      if (!random.chance(0.1)) continue;
      quorums.push_back(fmt::format("[{}]", fmt::join(reference::set_of(mask, n), ",")));
    }
    if (quorums.empty()) continue;
    const Result<System> system =
        from(fmt::format(R"({{"quorums": [{}]}})", fmt::join(quorums, ",")));
    ASSERT_TRUE(system);
    EXPECT_EQ(system->k(), reference::Table(system->write()).k());
    reference::expect_system_agrees(*system, {.minimal = false});
  }
}

TEST(Explicit, ManySingleMembersArePackedWithoutSearch) {
  QuorumLists lists;
  constexpr std::size_t kMany = 100'000;
  for (NodeId member = 0; member < kMany; ++member) lists.add(std::vector<NodeId>{member});
  Budget budget;
  EXPECT_EQ(largest_packing(lists, kMany, budget), kMany);
}

TEST(Explicit, AHardPackingIsLeftUndecidedAndTheFileMustSayIt) {
  Random random(3);
  std::vector<std::string> quorums;
  for (int i = 0; i < (kIsSanitized ? 2'000 : 20'000); ++i) {
    NodeSet quorum(60);
    while (quorum.size() < 10) quorum.insert(static_cast<NodeId>(random.below(60)));
    quorums.push_back(fmt::format("[{}]", fmt::join(quorum, ",")));
  }
  const std::string list = fmt::format("{}", fmt::join(quorums, ","));
  EXPECT_THAT(error_of(fmt::format(R"({{"quorums": [{}]}})", list)), HasSubstr("say it by \"k\""));
  const Result<System> claimed = from(fmt::format(R"({{"quorums": [{}], "k": 6}})", list));
  ASSERT_TRUE(claimed);
  Budget budget(1000);
  EXPECT_EQ(claimed->write().find_disjoint(NodeSet::all(60), 6, budget).found,
            Verdict::not_decided);
}

TEST(Explicit, BrokenJsonIsPointedAt) {
  EXPECT_THAT(error_of("{\"quorums\": [[0,1],\n [1 2]]}"), HasSubstr("q.json: line 2, column 5"));
  EXPECT_THAT(error_of(R"({"quorums": [[0)"), HasSubstr("ends too early"));
  EXPECT_THAT(error_of("\x01"), HasSubstr("line 1, column 1"));
  EXPECT_THAT(error_of("{\"quorums\": [[\"\xff\"]]}"), HasSubstr("line 1, column 16"));
  EXPECT_THAT(error_of(std::string(kIsSanitized ? 100'000 : 1'000'000, '[')),
              HasSubstr("ends too early"));
  EXPECT_THAT(error_of(R"({"quorums": [[1e999]]})"), HasSubstr("q.json: "));
}

TEST(Explicit, EveryMistakeHasItsSentence) {
  const std::vector<std::pair<std::string, std::string>> mistakes = {
      {"", "the text is empty"},
      {" \n\t", "the text is empty"},
      {"[]", "must be a JSON object"},
      {"7", "must be a JSON object"},
      {"{}", "there are no quorums"},
      {R"({"k": 1})", "there are no quorums"},
      {R"({"quorums": []})", "there is no quorum"},
      {R"({"quorums": 5})", "the quorums must be a list"},
      {R"({"quorums": {"a": 1}})", "the quorums must be a list"},
      {R"({"quorums": [[0], 5]})", "quorum 2 must be a list of members"},
      {R"({"quorums": [[0], []]})", "quorum 2 is empty"},
      {R"({"quorums": [[0], [0, [1]]]})", "quorum 2 has a member that is neither"},
      {R"({"quorums": [[-1]]})", "quorum 1 has a member that is neither"},
      {R"({"quorums": [[1.5]]})", "quorum 1 has a member that is neither"},
      {R"({"quorums": [[null]]})", "quorum 1 has a member that is neither"},
      {R"({"quorums": [[99999999999999999999]]})", "quorum 1 has a member that is neither"},
      {R"({"quorums": [[""]]})", "printable characters"},
      {R"({"quorums": [["a\nb"]]})", "printable characters"},
      {R"({"quorums": [["a","b","a"]]})", "quorum 1 has \"a\" twice"},
      {R"({"quorums": [[0,1],[2],[1,0]]})", "quorum 3 is quorum 1 again"},
      {R"({"quorums": [[0]], "quorums": [[1]]})", "\"quorums\" is given twice"},
      {R"({"quorums": [[0]], "qorums": []})", "\"qorums\" has no meaning here"},
      {R"({"quorums": [[0]], "write": [[0]]})", "only one form"},
      {R"({"quorums": [[0]], "groups": [[[0]]]})", "only one form"},
      {R"({"write": [[0]]})", R"("write" needs "read")"},
      {R"({"read": [[0]]})", R"("read" needs "write")"},
      {R"({"write": [[0]], "read": []})", "there is no read quorum"},
      {R"({"groups": []})", "\"groups\" must be a list"},
      {R"({"groups": [[[0]], [[0,0]]]})", R"(quorum 1 of group 2 has "0" twice)"},
      {R"({"members": [], "quorums": [[0]]})", "\"members\" must be a list"},
      {R"({"members": 3, "quorums": [[0]]})", "\"members\" must be a list"},
      {R"({"members": ["a","a"], "quorums": [["a"]]})", R"("members" has "a" twice)"},
      {R"({"members": ["a"], "quorums": [["a"],["b"]]})", "quorum 2 has \"b\", who is not in"},
      {R"({"quorums": [[0]], "k": 0})", "\"k\" must be a whole number from 1 to 1"},
      {R"({"quorums": [[0]], "k": 2})", "\"k\" must be a whole number from 1 to 1"},
      {R"({"quorums": [[0]], "k": "1"})", "\"k\" must be a whole number"},
      {R"({"quorums": [[0]], "k": -1})", "\"k\" must be a whole number"},
      {R"({"quorums": [[0]], "read_k": 1})", R"("read_k" is for "read" only)"},
  };
  for (const auto& [json, message] : mistakes)
    EXPECT_THAT(error_of(json), HasSubstr(message)) << json;
}

TEST(Explicit, TooMuchIsRefused) {
  std::string many = R"({"quorums": [[0])";
  for (int i = 1; i <= 100'000; ++i) many += fmt::format(",[{}]", i);
  EXPECT_THAT(error_of(many + "]}"), HasSubstr("more than 100000 quorums"));
  EXPECT_THAT(error_of(std::string(kMaxTextBytes + 1, ' ')), HasSubstr("bytes"));
}

}  // namespace
}  // namespace coterie::quorum
