// A disk that rots: a store gives exactly what was on disk, or says that it lost it. Never less in silence, never a crash.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstring>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "data_folder.h"
#include "net/journal.h"
#include "net/mark.h"
#include "net/store.h"
#include "net/table.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace coterie::net {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

class StoreDamage : public ::testing::Test {
 protected:
  // A table of some blocks, and a journal with something in it.
  StoreDamage() {
    auto store = Store::open(good_.path());
    EXPECT_FALSE(store->save({7, 8}));
    EXPECT_FALSE(store->set_property("identity", "seven"));
    for (int i = 0; i < 150; ++i) {
      const std::size_t length = i % 40 < 20 ? 12'000 : 10;
      keep_twice(*store, "n" + std::to_string(i % 40), keepsake_of(std::string(length, 'a')));
    }
    for (const std::string name : {"x", "y", "z"}) keep_twice(*store, name, keepsake_of(name));
    expected_ = held_by(good_);
    EXPECT_EQ(expected_.keepsakes.size(), 43U);
    part_ = good_.has("journal.2") ? "journal.2" : "journal.3";
    EXPECT_TRUE(good_.has(part_));
    EXPECT_GT(good_.read("table").size(), 3 * std::size_t{64 * 1'024});
  }

  static Held held_by(const DataFolder& folder) {
    const DataFolder copy("copy");
    copy.become(folder);
    const auto store = Store::open(copy.path());
    EXPECT_TRUE(store) << store.error().message;
    EXPECT_FALSE(store->lost()) << *store->lost();
    return Held::by(*store);
  }

  enum class Found : std::uint8_t { all, lost };
  // After the damage the store gives all, or says that it lost its disk and keeps the files.
  Found find(const std::string& what, const std::function<void()>& damage) {
    bad_.become(good_);
    damage();
    const Bytes table =
        bad_.has("table") && !fs::is_directory(bad_.file("table")) ? bad_.read("table") : Bytes();
    auto store = Store::open(bad_.path());
    if (!store) {
      ADD_FAILURE() << what << ": " << store.error().message;
      return Found::lost;
    }
    if (!store->lost()) {
      EXPECT_EQ(Held::by(*store), expected_) << what << ": something else is given, in silence";
      return Found::all;
    }
    last_lost_ = *store->lost();
    EXPECT_EQ(Held::by(*store), Held{}) << what;
    EXPECT_TRUE(store->has_been_used()) << what;
    if (!table.empty()) {
      EXPECT_EQ(bad_.read("damaged-1/table"), table) << what << ": the evidence is gone";
    }
    // What it learns is kept, and its next start is an ordinary one.
    EXPECT_FALSE(store->save({9, 0})) << what;
    keep_twice(*store, "learned", keepsake_of("somebody"));
    store = Store::open(good_.path());  // lets the other go
    const auto again = Store::open(bad_.path());
    EXPECT_TRUE(again && !again->lost() && again->saved() && again->has_been_used()) << what;
    return Found::lost;
  }
  Found flip(const std::string& file, std::size_t at) {
    return find("bit at " + file + " " + std::to_string(at), [&] {
      Bytes bytes = bad_.read(file);
      bytes.at(at) = static_cast<char>(bytes.at(at) ^ 16);
      bad_.write(file, bytes);
    });
  }
  Found change(const std::string& file, const std::function<void(Bytes&)>& how) {
    return find(file, [&] {
      Bytes bytes = bad_.read(file);
      how(bytes);
      bad_.write(file, bytes);
    });
  }
  // Of the last record, in the last part of the journal.
  std::size_t last_page() const {
    const Bytes bytes = good_.read(part_);
    return bytes.find_last_not_of('\0') / kPage * kPage;
  }

  DataFolder good_{"good"};
  DataFolder bad_{"bad"};
  Held expected_;
  std::string part_;
  std::string last_lost_;
};

TEST_F(StoreDamage, AFlippedBitInTheTable) {
  const std::size_t size = good_.read("table").size();
  const std::size_t first = kPreambleSize + kBlockHead;
  for (const std::size_t at :
       {std::size_t{0}, std::size_t{8}, std::size_t{13}, kPreambleSize, kPreambleSize + 8,
        kPreambleSize + 17, kPreambleSize + 33, first, first + 10, first + 20, first + 40,
        first + kBlockHead, first + kBlockHead + 1'000, size / 2, size - 1, size - kBlockHead})
    EXPECT_EQ(flip("table", at), Found::lost) << at;
  EXPECT_THAT(last_lost_, HasSubstr("the data in " + bad_.path() + " is damaged: table: at byte "));
  EXPECT_THAT(last_lost_, HasSubstr("; its files are in " + bad_.path() + "/damaged-1 now"));
}

// Also in the very last record, which was on disk: the mark says so.
TEST_F(StoreDamage, AFlippedBitInTheJournal) {
  const std::size_t last = last_page();
  ASSERT_GE(last, 3 * kPage);
  for (const std::size_t at : {std::size_t{0}, std::size_t{9}, kPreambleSize, kPreambleSize + 20,
                               kPreambleSize + kBlockHead})
    EXPECT_EQ(flip(part_, at), Found::lost) << at;
  for (const std::size_t record : {kPage, (last / kPage / 2) * kPage, last}) {
    for (const std::size_t at : {0U, 7U, 8U, 16U, 24U, 32U, 40U, 47U, 48U, 50U})
      EXPECT_EQ(flip(part_, record + at), Found::lost) << record + at;
  }
  EXPECT_EQ(flip(part_, last + kPage - 1), Found::all) << "what nobody reads";
  EXPECT_EQ(flip(part_, last + kPage), Found::all);
  EXPECT_EQ(flip(part_, last + kPage + 9), Found::all);
  EXPECT_EQ(flip(part_, good_.read(part_).size() - 1), Found::all);
}

TEST_F(StoreDamage, AFlippedBitInTheMark) {
  for (const std::size_t at : {0U, 9U, 13U}) EXPECT_EQ(flip("durable", at), Found::lost);
  for (const std::size_t page : {kPage, 2 * kPage}) {
    for (const std::size_t at : {0U, 8U, 16U, 24U, 32U, 40U, 100U})
      EXPECT_EQ(flip("durable", page + at), Found::all) << "the other place is enough";
  }
}

TEST_F(StoreDamage, PagesThatAreZero) {
  const std::size_t last = last_page();
  const auto zero = [](std::size_t at, std::size_t size) {
    return [=](Bytes& bytes) { bytes.replace(at, size, size, '\0'); };
  };
  for (std::size_t page = 0; page <= last; page += kPage)
    EXPECT_EQ(change(part_, zero(page, kPage)), Found::lost) << page;
  EXPECT_EQ(change(part_, zero(last - kPage, 2 * kPage)), Found::lost);
  EXPECT_EQ(change(part_, zero(kPage, last)), Found::lost);
  EXPECT_EQ(change(part_, zero(0, last + kPage)), Found::lost);
  EXPECT_EQ(change("table", zero(0, 512)), Found::lost);
  EXPECT_EQ(change("table", zero(100'000, kPage)), Found::lost);
  EXPECT_EQ(change("durable", zero(0, kPage)), Found::lost);
  EXPECT_EQ(change("durable", zero(kPage, kPage)), Found::all);
  EXPECT_EQ(change("durable", zero(kPage, 2 * kPage)), Found::lost);
}

TEST_F(StoreDamage, RecordsInAnotherOrder) {
  const std::size_t last = last_page();
  const auto copy_page = [&](std::size_t from, std::size_t to) {
    return change(part_, [=](Bytes& bytes) { bytes.replace(to, kPage, bytes, from, kPage); });
  };
  EXPECT_EQ(copy_page(kPage, 2 * kPage), Found::lost);
  EXPECT_EQ(copy_page(2 * kPage, kPage), Found::lost);
  EXPECT_EQ(copy_page(last - kPage, last), Found::lost);
  EXPECT_EQ(copy_page(last, last + kPage), Found::lost) << "a record stands where none was";
  EXPECT_EQ(change(part_,
                   [=](Bytes& bytes) {
                     const Bytes page = bytes.substr(last, kPage);
                     bytes.replace(last, kPage, bytes, last - kPage, kPage);
                     bytes.replace(last - kPage, kPage, page);
                   }),
            Found::lost);
}

TEST_F(StoreDamage, FilesThatAreCutOffOrGoneOrSomethingElse) {
  for (const std::string& file : {std::string("table"), part_, std::string("durable")}) {
    const std::size_t size = good_.read(file).size();
    for (const std::size_t left : {std::size_t{0}, std::size_t{1}, std::size_t{16}, std::size_t{64},
                                   kPage, size / 2, size - 1})
      EXPECT_EQ(change(file, [&](Bytes& bytes) { bytes.resize(left); }), Found::lost)
          << file << " " << left;
    EXPECT_EQ(change(file, [](Bytes& bytes) { bytes += '\0'; }), Found::lost) << file;
    EXPECT_EQ(find(file, [&] { fs::remove(bad_.file(file)); }), Found::lost) << file;
    EXPECT_EQ(find(file,
                   [&] {
                     fs::remove(bad_.file(file));
                     fs::create_directory(bad_.file(file));
                   }),
              Found::lost)
        << file;
    EXPECT_EQ(find(file,
                   [&] {
                     fs::remove(bad_.file(file));
                     ASSERT_EQ(::mkfifo(bad_.file(file).c_str(), 0600), 0);
                   }),
              Found::lost)
        << file;
  }
}

// All of an older copy is for the other members to notice, by the sequence that they saw.
TEST_F(StoreDamage, AnOldCopyOfSomeFilesBesideOthers) {
  const auto names_in = [](const DataFolder& folder) {
    std::map<std::string, std::vector<std::string>> names;
    for (const auto& entry : fs::directory_iterator(folder.path())) {
      const std::string name = entry.path().filename().string();
      if (name != "lock") names[name.substr(0, name.find('.'))].push_back(name);
    }
    return names;
  };
  for (const int more : {1, 10, 140, 300}) {
    const DataFolder old("old");
    old.become(good_);
    {
      auto store = Store::open(good_.path());
      ASSERT_TRUE(store);
      for (int i = 0; i < more; ++i)
        keep_twice(*store, "n" + std::to_string(i % 40), keepsake_of(std::to_string(more + i)));
    }
    expected_ = held_by(good_);
    const Bytes sameness = good_.read("table");
    for (unsigned which = 1; which < 7; ++which) {
      const std::vector<std::string> kinds{"table", "journal", "durable"};
      const bool is_table_same = old.read("table") == sameness;
      const bool is_old_copy = (which | (is_table_same ? 1U : 0U)) == 7;
      if (is_old_copy) continue;
      const Found found = find("old files " + std::to_string(which), [&] {
        for (unsigned kind = 0; kind < 3; ++kind) {
          if ((which >> kind & 1U) == 0) continue;
          const std::string& sort = kinds[kind];
          auto present = names_in(bad_);
          auto former = names_in(old);
          for (const auto& name : present[sort]) fs::remove(bad_.file(name));
          for (const auto& name : former[sort]) fs::copy(old.file(name), bad_.file(name));
        }
      });
      const bool is_only_mark = (which & (is_table_same ? ~1U : ~0U)) == 4;
      const bool is_nothing = is_table_same && which == 1;
      EXPECT_EQ(found, is_only_mark || is_nothing ? Found::all : Found::lost) << which << more;
    }
  }
}

TEST_F(StoreDamage, FilesOfAnotherStore) {
  const DataFolder other("other");
  {
    auto store = Store::open(other.path());
    for (int i = 0; i < 1'000 && !other.has(part_); ++i)
      keep_twice(*store, "o", keepsake_of(std::to_string(i)));
  }
  for (const std::string& file : {std::string("table"), part_, std::string("durable")}) {
    const Bytes bytes = other.read(file);
    ASSERT_FALSE(bytes.empty()) << file;
    EXPECT_EQ(change(file, [&](Bytes& to) { to = bytes; }), Found::lost) << file;
  }
}

// Also one whose journal is shorter.
TEST_F(StoreDamage, TheMarkOfAnotherStore) {
  const DataFolder other("other");
  {
    auto store = Store::open(other.path());
    EXPECT_FALSE(store->save({7, 8}));
  }
  EXPECT_EQ(change("durable", [&](Bytes& to) { to = other.read("durable"); }), Found::lost);
}

// As long as the journal is short beside the table, it is not made part of it.
TEST_F(StoreDamage, AJournalOfSeveralParts) {
  std::vector<std::string> parts;
  {
    auto store = Store::open(good_.path());
    for (int i = 0; i < 300; ++i)
      keep_twice(*store, "large" + std::to_string(i), keepsake_of(std::string(12'000, 'x')));
    for (int i = 0; i < 2'000 && parts.size() < 2; ++i) {
      keep_twice(*store, "small", keepsake_of(std::to_string(i)));
      parts.clear();
      for (int part = 1; part < 40; ++part) {
        if (good_.has("journal." + std::to_string(part)) && !good_.has("table.new"))
          parts.push_back("journal." + std::to_string(part));
      }
    }
    keep_twice(*store, "small", keepsake_of("the last"));
  }
  ASSERT_EQ(parts.size(), 2U);
  expected_ = held_by(good_);
  for (const std::string& part : parts) {
    const std::size_t last = good_.read(part).find_last_not_of('\0');
    EXPECT_EQ(flip(part, kPage), Found::lost) << part;
    EXPECT_EQ(flip(part, last), Found::lost) << part;
    EXPECT_EQ(change(part, [&](Bytes& bytes) { bytes.replace(last, 1, 1, '\0'); }), Found::lost);
    EXPECT_EQ(find(part, [&] { fs::remove(bad_.file(part)); }), Found::lost) << part;
  }
  EXPECT_EQ(find("swapped",
                 [&] {
                   fs::rename(bad_.file(parts[0]), bad_.file("other"));
                   fs::rename(bad_.file(parts[1]), bad_.file(parts[0]));
                   fs::rename(bad_.file("other"), bad_.file(parts[1]));
                 }),
            Found::lost);
}

// It is asked for again and again, and each time what was damaged is kept.
TEST_F(StoreDamage, IsSetAsideUnderANameOfItsOwn) {
  for (const std::string place : {"damaged-1", "damaged-2", "damaged-3"}) {
    {
      auto store = Store::open(good_.path());
      ASSERT_TRUE(store) << store.error().message;
      keep_twice(*store, "a", keepsake_of(place));
    }
    EXPECT_FALSE(good_.has(place));
    fs::resize_file(good_.file("table"), 3);
    {
      const auto store = Store::open(good_.path());
      ASSERT_TRUE(store && store->lost());
      EXPECT_THAT(*store->lost(), HasSubstr("/" + place + " now"));
    }
    EXPECT_EQ(good_.read(place + "/table").size(), 3U);
    const auto again = Store::open(good_.path());
    EXPECT_TRUE(again && !again->lost() && again->has_been_used());
  }
}

// The machine stopped after the files were set aside, and before there were others.
TEST_F(StoreDamage, IsRememberedBeforeThereIsANewTable) {
  fs::resize_file(good_.file("table"), 3);
  { ASSERT_TRUE(Store::open(good_.path())->lost()); }
  for (const std::string file : {"table", "journal.1", "durable"}) fs::remove(good_.file(file));
  const auto store = Store::open(good_.path());
  ASSERT_TRUE(store) << store.error().message;
  EXPECT_TRUE(store->lost());
  EXPECT_TRUE(store->has_been_used());
}

TEST_F(StoreDamage, AnotherFormatIsRefusedAndNothingIsChanged) {
  // As a later version would begin its files.
  Bytes table = good_.read("table");
  constexpr std::size_t kFormatAt = 8;
  constexpr std::size_t kChecksumAt = 12;
  table.at(kFormatAt) = 4;
  const std::uint32_t checksum = XXH32(table.data(), kChecksumAt, 0);
  std::memcpy(table.data() + kChecksumAt, &checksum, sizeof checksum);
  good_.write("table", table);
  const auto store = Store::open(good_.path());
  ASSERT_FALSE(store);
  EXPECT_EQ(
      store.error().message,
      "the data folder " + good_.path() +
          " cannot be used: table has storage format 4; this program reads and writes format 3");
  EXPECT_EQ(good_.read("table"), table);
  fs::remove(good_.file("table"));
  good_.write("data.mdb", "of an earlier version");
  const auto earlier = Store::open(good_.path());
  ASSERT_FALSE(earlier);
  EXPECT_THAT(earlier.error().message, HasSubstr("data.mdb is of an earlier version"));
}

// Then nothing is lost: an operator mends it.
TEST_F(StoreDamage, NoPermissionIsRefusedAndNothingIsChanged) {
  if (::geteuid() == 0) GTEST_SKIP() << "root may read everything";
  fs::permissions(good_.file("table"), fs::perms::none);
  const auto store = Store::open(good_.path());
  ASSERT_FALSE(store);
  EXPECT_THAT(store.error().message, HasSubstr("table: cannot be opened: Permission denied"));
  EXPECT_FALSE(good_.has("damaged-1"));
}

}  // namespace
}  // namespace coterie::net
