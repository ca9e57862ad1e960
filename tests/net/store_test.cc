// What a member keeps is there after a crash of its machine, at whatever moment.
#include "net/store.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>

#include "base/pack.h"
#include "member/lasting.h"

namespace coterie::net {
namespace {

namespace fs = std::filesystem;

TEST(Store, RemembersAndHasOneUser) {
  const std::string folder = ::testing::TempDir() + "coterie-store-test";
  std::filesystem::remove_all(folder);
  {
    auto store = Store::open(folder);
    ASSERT_TRUE(store) << store.error().message;
    EXPECT_FALSE(store->save({7, 8}));
    const auto second = Store::open(folder);
    ASSERT_FALSE(second);
    EXPECT_EQ(second.error().message,
              "the data folder " + folder + " cannot be used: another member runs on it");
  }
  const auto again = Store::open(folder);
  ASSERT_TRUE(again);
  ASSERT_TRUE(again->saved());
  EXPECT_EQ(again->saved()->incarnation, 7U);
  EXPECT_EQ(again->saved()->ceiling, 8U);
  EXPECT_FALSE(Store::open("/dev/null/folder"));
}

constexpr std::size_t kPage = 4'096;

class StoreKeeps : public ::testing::Test {
 protected:
  StoreKeeps() {
    fs::remove_all(folder_);
    fs::remove_all(crashed_);
  }

  static Bytes keepsake(const std::string& owner) {
    member::Keepsake keepsake;
    keepsake.lastings.push_back({owner, 7, ""});
    return packed(keepsake);
  }
  static void keep_twice(Store& store, const std::string& name, const Bytes& bytes) {
    for (int copy = 0; copy < 2; ++copy) EXPECT_FALSE(store.keep(name, bytes));
  }
  // What a machine that crashes now finds, after it was changed.
  template <class Change>
  Result<Store> after_crash(const Change& change) {
    fs::remove_all(crashed_);
    fs::copy(folder_, crashed_);
    change();
    return Store::open(crashed_);
  }
  std::map<std::string, Bytes> after_crash() {
    const auto store = after_crash([] {});
    EXPECT_TRUE(store) << store.error().message;
    return kept(*store);
  }
  static std::map<std::string, Bytes> kept(const Store& store) {
    return {store.keepsakes().begin(), store.keepsakes().end()};
  }
  // Of the journal, in the copy.
  void overwrite(std::size_t at, const Bytes& bytes) const {
    std::fstream file(crashed_ + "/journal", std::ios::in | std::ios::out | std::ios::binary);
    file.seekp(static_cast<std::streamoff>(at));
    file << bytes;
  }

  std::string folder_ = ::testing::TempDir() + "coterie-keeps-test";
  std::string crashed_ = ::testing::TempDir() + "coterie-crashed-test";
};

TEST_F(StoreKeeps, WhatWasKeptTwice) {
  auto store = Store::open(folder_);
  ASSERT_TRUE(store) << store.error().message;
  keep_twice(*store, "a", keepsake("one"));
  keep_twice(*store, "b", keepsake("two"));
  keep_twice(*store, "a", keepsake("three"));
  EXPECT_EQ(after_crash(),
            (std::map<std::string, Bytes>{{"a", keepsake("three")}, {"b", keepsake("two")}}));
  keep_twice(*store, "a", {});
  EXPECT_EQ(after_crash(), (std::map<std::string, Bytes>{{"b", keepsake("two")}}));
}

// If only the process ends.
TEST_F(StoreKeeps, WhatWasKeptOnce) {
  auto store = Store::open(folder_);
  keep_twice(*store, "a", keepsake("one"));
  EXPECT_FALSE(store->keep("a", keepsake("two")));
  EXPECT_FALSE(store->keep("b", keepsake("three")));
  EXPECT_EQ(after_crash(),
            (std::map<std::string, Bytes>{{"a", keepsake("two")}, {"b", keepsake("three")}}));
  keep_twice(*store, "c", keepsake("four"));
  EXPECT_EQ(after_crash(),
            (std::map<std::string, Bytes>{
                {"a", keepsake("two")}, {"b", keepsake("three")}, {"c", keepsake("four")}}));
}

TEST_F(StoreKeeps, WhatWasBeforeARecordThatIsTorn) {
  auto store = Store::open(folder_);
  keep_twice(*store, "a", keepsake("one"));
  keep_twice(*store, "a", keepsake(std::string(2 * kPage, 'x')));
  const auto torn = after_crash([&] { overwrite(2 * kPage, Bytes(kPage, '\0')); });
  ASSERT_TRUE(torn) << torn.error().message;
  EXPECT_EQ(kept(*torn), (std::map<std::string, Bytes>{{"a", keepsake("one")}}));
  const auto lost = after_crash([&] { overwrite(kPage, Bytes(kPage, '\0')); });
  EXPECT_EQ(kept(*lost), (std::map<std::string, Bytes>{{"a", keepsake("one")}}));
}

TEST_F(StoreKeeps, WhatCameAfterARestart) {
  for (const std::string name : {"a", "b"}) {
    auto before = Store::open(folder_);
    keep_twice(*before, name, keepsake("of " + name));
  }
  auto store = Store::open(folder_);
  keep_twice(*store, "a", {});
  EXPECT_EQ(after_crash(), (std::map<std::string, Bytes>{{"b", keepsake("of b")}}));
}

// Records of an earlier round, which stand behind those of this one, are none.
TEST_F(StoreKeeps, MoreThanAJournalHolds) {
  auto store = Store::open(folder_);
  std::map<std::string, Bytes> expected;
  for (int i = 0; i < 300; ++i) {
    const std::string name = std::to_string(i % 50);
    const Bytes bytes = i % 7 == 3 ? Bytes() : keepsake(std::to_string(i));
    keep_twice(*store, name, bytes);
    expected.erase(name);
    if (!bytes.empty()) expected.emplace(name, bytes);
    if (i % 20 == 0 || (i > 120 && i < 140)) {
      EXPECT_EQ(after_crash(), expected) << i;
    }
  }
}

TEST_F(StoreKeeps, WhatIsLongerThanAJournal) {
  auto store = Store::open(folder_);
  keep_twice(*store, "a", keepsake("one"));
  keep_twice(*store, "b", keepsake(std::string(200 * kPage, 'x')));
  keep_twice(*store, "a", keepsake("two"));
  const auto all = after_crash();
  EXPECT_EQ(all.at("a"), keepsake("two"));
  EXPECT_EQ(all.at("b").size(), keepsake(std::string(200 * kPage, 'x')).size());
}

TEST_F(StoreKeeps, NothingIfItsJournalIsGone) {
  auto store = Store::open(folder_);
  keep_twice(*store, "a", keepsake("one"));
  const auto gone = after_crash([&] { fs::remove(crashed_ + "/journal"); });
  ASSERT_FALSE(gone);
  EXPECT_EQ(gone.error().message, "the data folder " + crashed_ +
                                      " cannot be used: its journal: No such file or directory");
  const auto shorter = after_crash([&] { fs::resize_file(crashed_ + "/journal", kPage); });
  ASSERT_FALSE(shorter);
}

}  // namespace
}  // namespace coterie::net
