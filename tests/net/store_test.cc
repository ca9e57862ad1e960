// What a member keeps is there after a crash of its machine, at whatever moment.
#include "net/store.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <csignal>
#include <filesystem>
#include <map>

#include "data_folder.h"

namespace coterie::net {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

using Kept = std::map<std::string, Bytes>;

TEST(Store, RemembersAndHasOneUser) {
  const DataFolder folder("data");
  {
    auto store = Store::open(folder.path());
    ASSERT_TRUE(store) << store.error().message;
    EXPECT_FALSE(store->has_been_used());
    EXPECT_FALSE(store->save({7, 8}));
    const auto second = Store::open(folder.path());
    ASSERT_FALSE(second);
    EXPECT_EQ(second.error().message,
              "the data folder " + folder.path() + " cannot be used: another member runs on it");
  }
  const auto again = Store::open(folder.path());
  ASSERT_TRUE(again) << again.error().message;
  ASSERT_TRUE(again->saved());
  EXPECT_EQ(again->saved()->incarnation, 7U);
  EXPECT_EQ(again->saved()->ceiling, 8U);
  EXPECT_TRUE(again->has_been_used());
  EXPECT_FALSE(again->lost());
  EXPECT_FALSE(Store::open("/dev/null/folder"));
}

TEST(Store, HasPropertiesOfItsMember) {
  const DataFolder folder("data");
  {
    auto store = Store::open(folder.path());
    ASSERT_TRUE(store) << store.error().message;
    EXPECT_FALSE(store->set_property("identity", "seven"));
    EXPECT_FALSE(store->set_property("other", "eight"));
    EXPECT_FALSE(store->set_property("other", ""));
    EXPECT_TRUE(store->has_been_used());
  }
  const auto again = Store::open(folder.path());
  ASSERT_TRUE(again) << again.error().message;
  EXPECT_EQ(again->properties(), (Store::Properties{{"identity", "seven"}}));
}

// By it an older copy of the folder is known.
TEST(Store, HasASequenceThatGrowsWithEveryDurableWrite) {
  const DataFolder folder("data");
  std::uint64_t last = 0;
  const auto has_grown = [&last](const Store& store) {
    const bool has = store.durable_sequence() > last;
    last = store.durable_sequence();
    return has;
  };
  for (int life = 0; life < 3; ++life) {
    auto store = Store::open(folder.path());
    ASSERT_TRUE(store) << store.error().message;
    EXPECT_EQ(store->durable_sequence(), last);
    EXPECT_FALSE(store->save({7, 8}));
    EXPECT_TRUE(has_grown(*store));
    EXPECT_FALSE(store->set_property("identity", std::to_string(life)));
    EXPECT_TRUE(has_grown(*store));
    EXPECT_FALSE(store->keep("a", keepsake_of(std::to_string(life))));
    EXPECT_FALSE(has_grown(*store)) << "it is not on disk yet";
    EXPECT_FALSE(store->keep("a", keepsake_of(std::to_string(life))));
    EXPECT_TRUE(has_grown(*store));
    EXPECT_FALSE(store->raise_sequence(last + 1'000));
    EXPECT_GE(store->durable_sequence(), last + 1'000);
    EXPECT_TRUE(has_grown(*store));
    EXPECT_FALSE(store->raise_sequence(last - 1));
    EXPECT_EQ(store->durable_sequence(), last);
  }
}

class StoreKeeps : public ::testing::Test {
 protected:
  // What a machine that crashes now finds.
  Kept after_crash() {
    crashed_.become(folder_);
    const auto store = Store::open(crashed_.path());
    EXPECT_TRUE(store) << store.error().message;
    EXPECT_FALSE(store->lost()) << *store->lost();
    return Held::by(*store).keepsakes;
  }

  DataFolder folder_{"data"};
  DataFolder crashed_{"crashed"};
};

TEST_F(StoreKeeps, WhatWasKeptTwice) {
  auto store = Store::open(folder_.path());
  ASSERT_TRUE(store) << store.error().message;
  keep_twice(*store, "a", keepsake_of("one"));
  keep_twice(*store, "b", keepsake_of("two"));
  keep_twice(*store, "a", keepsake_of("three"));
  EXPECT_EQ(after_crash(), (Kept{{"a", keepsake_of("three")}, {"b", keepsake_of("two")}}));
  keep_twice(*store, "a", {});
  EXPECT_EQ(after_crash(), (Kept{{"b", keepsake_of("two")}}));
}

// If only the process ends.
TEST_F(StoreKeeps, WhatWasKeptOnce) {
  auto store = Store::open(folder_.path());
  keep_twice(*store, "a", keepsake_of("one"));
  EXPECT_FALSE(store->keep("a", keepsake_of("two")));
  EXPECT_FALSE(store->keep("b", keepsake_of("three")));
  EXPECT_EQ(after_crash(), (Kept{{"a", keepsake_of("two")}, {"b", keepsake_of("three")}}));
  keep_twice(*store, "c", keepsake_of("four"));
  EXPECT_EQ(
      after_crash(),
      (Kept{{"a", keepsake_of("two")}, {"b", keepsake_of("three")}, {"c", keepsake_of("four")}}));
}

TEST_F(StoreKeeps, WhatCameAfterARestart) {
  for (const std::string name : {"a", "b"}) {
    auto before = Store::open(folder_.path());
    keep_twice(*before, name, keepsake_of("of " + name));
  }
  auto store = Store::open(folder_.path());
  keep_twice(*store, "a", {});
  EXPECT_EQ(after_crash(), (Kept{{"b", keepsake_of("of b")}}));
}

// Whatever is written by then of the next table.
TEST_F(StoreKeeps, MoreThanAJournalHolds) {
  auto store = Store::open(folder_.path());
  Kept expected;
  for (int i = 0; i < 600; ++i) {
    const std::string name = std::to_string(i % 50);
    const std::string owner = std::to_string(i) + std::string(i < 50 ? 5'000 : 10, 'x');
    const Bytes bytes = i % 7 == 3 ? Bytes() : keepsake_of(owner);
    keep_twice(*store, name, bytes);
    expected.erase(name);
    if (!bytes.empty()) expected.emplace(name, bytes);
    if (i % 50 == 0 || (i > 124 && i < 136)) {
      EXPECT_EQ(after_crash(), expected) << i;
    }
  }
  EXPECT_EQ(after_crash(), expected);
  std::uintmax_t size = 0;
  for (const auto& entry : fs::directory_iterator(folder_.path())) size += entry.file_size();
  EXPECT_LT(size, 3U << 20U) << "what is in the table is not in the journal any more";
}

TEST_F(StoreKeeps, WhatIsLongerThanAJournal) {
  auto store = Store::open(folder_.path());
  const Bytes large = keepsake_of(std::string(200 * kPage, 'x'));
  keep_twice(*store, "a", keepsake_of("one"));
  keep_twice(*store, "b", large);
  keep_twice(*store, "a", keepsake_of("two"));
  EXPECT_EQ(after_crash(), (Kept{{"a", keepsake_of("two")}, {"b", large}}));
}

// Its birth was interrupted: nothing can have been saved.
TEST_F(StoreKeeps, NothingBeforeItsTableWasMade) {
  { ASSERT_TRUE(Store::open(folder_.path())); }
  fs::remove(folder_.file("table"));
  auto store = Store::open(folder_.path());
  ASSERT_TRUE(store) << store.error().message;
  EXPECT_FALSE(store->lost());
  EXPECT_FALSE(store->has_been_used());
  keep_twice(*store, "a", keepsake_of("one"));
  EXPECT_EQ(after_crash(), (Kept{{"a", keepsake_of("one")}}));
}

// While it lives, files of this process cannot grow beyond so many bytes: as if the disk was full.
class FullDisk {
 public:
  explicit FullDisk(rlim_t bytes) {
    former_handler_ = std::signal(SIGXFSZ, SIG_IGN);  // so that a write fails instead
    ::getrlimit(RLIMIT_FSIZE, &former_);
    const rlimit limit{bytes, former_.rlim_max};
    ::setrlimit(RLIMIT_FSIZE, &limit);
  }
  ~FullDisk() {
    ::setrlimit(RLIMIT_FSIZE, &former_);
    static_cast<void>(std::signal(SIGXFSZ, former_handler_));
  }
  FullDisk(const FullDisk&) = delete;
  FullDisk& operator=(const FullDisk&) = delete;

 private:
  rlimit former_{};
  void (*former_handler_)(int) = nullptr;
};

// In the middle of a record: it is torn, and what was before it is there.
TEST_F(StoreKeeps, NothingMoreOnceTheDiskWasFull) {
  auto store = Store::open(folder_.path());
  keep_twice(*store, "a", keepsake_of("one"));
  const Bytes large = keepsake_of(std::string(3 * kPage, 'x'));
  {
    const FullDisk full(4 * kPage);
    const auto error = store->keep("b", large);
    ASSERT_TRUE(error);
    EXPECT_EQ(error->message, "cannot save: journal.1: cannot be written: File too large");
  }
  const auto again = store->keep("c", keepsake_of("two"));
  ASSERT_TRUE(again) << "what the kernel dropped is not written by trying again";
  EXPECT_TRUE(store->save({7, 8}));
  EXPECT_EQ(after_crash(), (Kept{{"a", keepsake_of("one")}}));
}

// The journal goes on meanwhile.
TEST_F(StoreKeeps, AllWhileANewTableCannotBeWritten) {
  auto store = Store::open(folder_.path());
  Kept expected;
  const auto keep_many = [&](int from, int count) {
    for (int i = from; i < from + count; ++i) {
      expected[std::to_string(i)] = keepsake_of(std::string(2'000, 'x'));
      keep_twice(*store, std::to_string(i), expected[std::to_string(i)]);
    }
  };
  keep_many(0, 400);  // a table of 800 kB, more than a part of the journal
  EXPECT_TRUE(store->take_warnings().empty());
  {
    const FullDisk full(150 * kPage);
    keep_many(400, 250);
  }
  const auto warnings = store->take_warnings();
  ASSERT_FALSE(warnings.empty());
  EXPECT_THAT(warnings.front(), HasSubstr("table.new: cannot be written: File too large; this is "
                                          "tried again, and meanwhile the journal grows"));
  EXPECT_EQ(after_crash(), expected);
  keep_many(650, 400);
  EXPECT_TRUE(store->take_warnings().empty());
  EXPECT_EQ(after_crash(), expected);
}

}  // namespace
}  // namespace coterie::net
