// Each file of a store by itself, with any byte of it damaged.
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "data_folder.h"
#include "net/journal.h"
#include "net/mark.h"
#include "net/table.h"

namespace coterie::net {
namespace {

namespace fs = std::filesystem;

constexpr StoreId kStore = 0x1234567890abcdef;
constexpr std::uint64_t kFirst = 300;

TEST(JournalDamage, EveryByteOfAFile) {
  const std::vector<Bytes> records{"one", std::string(kPage + 100, 'x'), "three"};
  const Bytes file = Journal::file_of(4, kStore, kFirst, records);
  Journal::Content whole;
  ASSERT_FALSE(Journal::read(4, file, whole));
  ASSERT_EQ(whole.records, records);
  const std::size_t last = 4 * kPage;  // where the last record is
  Bytes damaged = file;
  for (std::size_t at = 0; at < 6 * kPage; ++at) {
    // Of what is all the same, some.
    if (at % kPage > 160 && at % 61 != 0) continue;
    damaged[at] = static_cast<char>(file[at] ^ (1 << (at % 8)));
    Journal::Content content;
    const auto fault = Journal::read(4, damaged, content);
    damaged[at] = file[at];
    if (fault) continue;
    if (content.records == records && content.next() == whole.next()) continue;
    // Nothing in this file says that the last record was on disk: the mark does.
    EXPECT_GE(at, last);
    EXPECT_EQ(content.records.size(), 2U) << at;
  }
}

TEST(JournalDamage, ATornRecordIsCutOff) {
  const Bytes file = Journal::file_of(4, kStore, kFirst, {"one", std::string(3 * kPage, 'x')});
  for (std::size_t page = 2; page < 6; ++page) {
    Bytes torn = file;
    torn.replace(page * kPage, kPage, kPage, '\0');
    Journal::Content content;
    const auto fault = Journal::read(4, torn, content);
    ASSERT_FALSE(fault) << fault->text;
    EXPECT_EQ(content.records, std::vector<Bytes>{"one"}) << page;
    EXPECT_TRUE(content.has_rest);
  }
}

// Two that were written, and neither waited for: the disk may have the second alone.
TEST(JournalDamage, ARecordAfterATornOneIsCutOffToo) {
  const DataFolder folder("data");
  fs::create_directories(folder.path());
  Journal journal;
  ASSERT_FALSE(Journal::make(folder.path(), 1, kStore, 1, 0, journal));
  ASSERT_FALSE(journal.write("one", 0));
  ASSERT_FALSE(journal.sync());
  ASSERT_FALSE(journal.write("two", 1));
  ASSERT_FALSE(journal.write("three", 1));
  Bytes file = folder.read("journal.1");
  file.replace(2 * kPage, kPage, kPage, '\0');
  Journal::Content content;
  ASSERT_FALSE(Journal::read(1, file, content));
  EXPECT_EQ(content.records, std::vector<Bytes>{"one"});
  // But not if one that came after it says that it was on disk.
  ASSERT_FALSE(journal.sync());
  ASSERT_FALSE(journal.write("four", 3));
  file = folder.read("journal.1");
  file.replace(2 * kPage, kPage, kPage, '\0');
  const auto fault = Journal::read(1, file, content);
  ASSERT_TRUE(fault);
  EXPECT_EQ(fault->text,
            "journal.1: record 2, at byte 8192, is damaged: record 4 says that it was on disk");
}

File file_with(const Bytes& bytes) {
  File file(::memfd_create("table", MFD_CLOEXEC));
  EXPECT_TRUE(file.write(bytes, 0));
  return file;
}

// All entries, or nothing if it is damaged.
std::optional<Values> entries_of(const Bytes& bytes) {
  TableReader reader;
  Values values;
  auto fault = TableReader::open(file_with(bytes), bytes.size(), reader);
  while (!fault && !reader.at_end()) {
    values.emplace(reader.key(), reader.value());
    fault = reader.next();
  }
  if (!fault) return values;
  EXPECT_EQ(fault->kind, Fault::Kind::damage) << fault->text;
  return std::nullopt;
}

class TableDamage : public ::testing::Test {
 protected:
  Bytes table_of(const Values& values, std::uint64_t base) const {
    fs::create_directories(folder_.path());
    TableWriter writer;
    EXPECT_FALSE(TableWriter::make(folder_.path(), "table", kStore, base, writer));
    for (const auto& [key, value] : values) EXPECT_FALSE(writer.add(key, value));
    EXPECT_FALSE(writer.finish());
    return folder_.read("table");
  }

  DataFolder folder_{"data"};
};

TEST_F(TableDamage, EveryByteOfAFile) {
  const Values values{{"/a", "one"}, {"/b", "two"}, {"member", "three"}};
  const Bytes file = table_of(values, 77);
  ASSERT_EQ(entries_of(file), values);
  for (std::size_t at = 0; at < file.size(); ++at) {
    for (const unsigned bit : {0U, 7U}) {
      Bytes damaged = file;
      damaged[at] = static_cast<char>(static_cast<unsigned char>(damaged[at]) ^ (1U << bit));
      EXPECT_FALSE(entries_of(damaged)) << at;
    }
  }
  for (std::size_t size = 0; size < file.size(); ++size)
    EXPECT_FALSE(entries_of(file.substr(0, size))) << size;
  EXPECT_FALSE(entries_of(file + '\0'));
}

TEST_F(TableDamage, BlocksInAnotherOrderOrOfAnotherTable) {
  Values values;
  for (int i = 0; i < 10; ++i) values.emplace("/" + std::to_string(i), Bytes(30'000, 'x'));
  const Bytes file = table_of(values, 77);
  Values other_values = values;
  for (auto& [key, value] : other_values) value.front() = 'y';
  const Bytes other = table_of(other_values, 78);
  ASSERT_EQ(entries_of(file), values);
  // Blocks begin after the preamble and the head, and all but the last have three entries.
  const std::size_t first = kPreambleSize + kBlockHead;
  const std::size_t size = claimed_size(std::string_view(file).substr(first));
  const Bytes one = file.substr(first, size);
  const Bytes two = file.substr(first + size, size);
  const Bytes rest = file.substr(first + 2 * size);
  const Bytes head = file.substr(0, first);
  ASSERT_EQ(entries_of(head + one + two + rest), values);
  EXPECT_FALSE(entries_of(head + two + one + rest));
  EXPECT_FALSE(entries_of(head + one + one + rest));
  EXPECT_FALSE(entries_of(head + one + one + two + rest));
  EXPECT_FALSE(entries_of(head + one + rest));
  EXPECT_FALSE(entries_of(head + one + other.substr(first + size, size) + rest));
}

TEST(MarkDamage, EveryByteOfAFile) {
  const DataFolder folder("data");
  fs::create_directories(folder.path());
  Mark mark;
  ASSERT_FALSE(Mark::make(folder.path(), kStore, mark));
  for (const std::uint64_t sequence : {7U, 8U, 9U}) ASSERT_FALSE(mark.write(sequence));
  const Bytes file = folder.read(Mark::kName);
  for (std::size_t at = 0; at < file.size(); ++at) {
    Bytes damaged = file;
    damaged[at] = static_cast<char>(damaged[at] ^ 4);
    Mark::Content content;
    if (!Mark::read(damaged, content)) {
      EXPECT_TRUE(content.sequence == 9 || content.sequence == 8) << at;
    }
  }
  Mark::Content content;
  EXPECT_TRUE(Mark::read(file.substr(0, 2 * kPage), content));
  EXPECT_TRUE(Mark::read("", content));
}

fs::perms mode_of(const std::string& path) { return fs::status(path).permissions(); }

TEST(StoreFolder, IsMadeForItsOwnerAloneWhateverTheUmaskIs) {
  const DataFolder folder("data");
  const mode_t before = ::umask(0);
  {
    auto store = Store::open(folder.file("deep"));
    ASSERT_TRUE(store) << store.error().message;
  }
  ::umask(before);
  EXPECT_EQ(mode_of(folder.file("deep")), fs::perms::owner_all);
  for (const auto& file : fs::directory_iterator(folder.file("deep")))
    EXPECT_EQ(mode_of(file.path()), fs::perms::owner_read | fs::perms::owner_write) << file;
}

TEST(StoreFolder, IsRefusedIfOthersCanWriteIt) {
  const DataFolder folder("data");
  ASSERT_TRUE(Store::open(folder.path()));
  for (const unsigned mode : {0770U, 0702U, 0777U, 01777U}) {
    fs::permissions(folder.path(), static_cast<fs::perms>(mode));
    const auto store = Store::open(folder.path());
    ASSERT_FALSE(store) << mode;
    EXPECT_NE(store.error().message.find("chmod go-w"), std::string::npos) << store.error().message;
  }
  // Who may only look sees the names of files, whose mode keeps their contents from others.
  for (const unsigned mode : {0700U, 0750U, 0755U}) {
    fs::permissions(folder.path(), static_cast<fs::perms>(mode));
    const auto store = Store::open(folder.path());
    EXPECT_TRUE(store) << store.error().message;
  }
}

}  // namespace
}  // namespace coterie::net
