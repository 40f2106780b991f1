// SPDX-License-Identifier: Apache-2.0
#include "core/io/lmdb_reader.h"

#include <lmdb.h>
#include <sys/stat.h>

#include <cstdlib>
#include <functional>
#include <utility>

#include "absl/strings/str_cat.h"
#include "core/io/file.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace sluice {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

using Entries = std::vector<std::pair<std::string, std::string>>;

void Check(int error) { ASSERT_EQ(error, 0) << mdb_strerror(error); }

MDB_val ValueOf(const std::string& bytes) {
  return {bytes.size(), const_cast<char*>(bytes.data())};
}

// Files that LMDB's own library writes.
class LmdbReaderTest : public testing::Test {
 protected:
  LmdbReaderTest() {
    std::string folder = testing::TempDir() + "/lmdb_XXXXXX";
    folder_ = mkdtemp(folder.data());
  }

  using Change = std::function<void(MDB_txn*, MDB_dbi)>;
  // One transaction for each change.
  void Write(const std::vector<Change>& changes, unsigned flags = 0) {
    MDB_env* env;
    Check(mdb_env_create(&env));
    Check(mdb_env_set_mapsize(env, 64 << 20));
    Check(mdb_env_set_maxdbs(env, 4));
    Check(mdb_env_open(env, folder_.c_str(), 0, 0600));
    for (const Change& change : changes) {
      MDB_txn* txn;
      MDB_dbi dbi;
      Check(mdb_txn_begin(env, nullptr, 0, &txn));
      Check(mdb_dbi_open(txn, nullptr, flags | MDB_CREATE, &dbi));
      change(txn, dbi);
      Check(mdb_txn_commit(txn));
    }
    mdb_env_close(env);
  }
  static Change Put(Entries entries) {
    return [entries = std::move(entries)](MDB_txn* txn, MDB_dbi dbi) {
      for (const auto& [key, value] : entries) {
        MDB_val k = ValueOf(key), v = ValueOf(value);
        Check(mdb_put(txn, dbi, &k, &v, 0));
      }
    };
  }

  std::string File() const { return folder_ + "/data.mdb"; }
  // All entries, or those before an error and its text.
  static std::pair<Entries, std::string> Read(const std::string& path) {
    auto reader = LmdbReader::Open(path);
    if (!reader.ok()) return {{}, std::string(reader.status().message())};
    Entries found;
    std::string key, value;
    while (true) {
      const absl::StatusOr<bool> more = (*reader)->Next(&key, &value);
      if (!more.ok()) return {found, std::string(more.status().message())};
      if (!*more) return {found, ""};
      found.emplace_back(key, value);
    }
  }
  Entries ReadAll() const {
    auto [found, error] = Read(folder_);
    EXPECT_THAT(error, IsEmpty());
    return found;
  }

  std::string folder_;
};

std::string Numbered(int i) { return absl::StrCat(100000 + i); }

Entries Many(int count, size_t size) {
  Entries entries;
  for (int i = 0; i < count; ++i) {
    entries.emplace_back(Numbered(i), std::string(size, static_cast<char>(i)));
  }
  return entries;
}

TEST_F(LmdbReaderTest, EntriesAreInTheOrderOfTheirKeys) {
  const Entries entries = {{"a", "1"}, {"b", ""}, {std::string("b\0", 2), "x"}, {"c", "3"}};
  Write({Put({entries[3], entries[1], entries[0], entries[2]})});
  EXPECT_EQ(ReadAll(), entries);
  EXPECT_EQ(Read(File()).first, entries);  // the file itself
}

TEST_F(LmdbReaderTest, EmptyDatabasesHaveNoEntries) {
  Write({Put({})});
  EXPECT_THAT(ReadAll(), IsEmpty());
}

TEST_F(LmdbReaderTest, TreesAreWalked) {
  const Entries entries = Many(30000, 20);
  Write({Put(entries)});
  EXPECT_EQ(ReadAll(), entries);
}

TEST_F(LmdbReaderTest, LargeValuesHavePagesOfTheirOwn) {
  Entries entries = Many(50, 3000);
  entries.emplace_back("200000", std::string(5'000'000, 'z'));
  Write({Put(entries)});
  EXPECT_EQ(ReadAll(), entries);
}

TEST_F(LmdbReaderTest, TheLastTransactionCounts) {
  const Entries old = Many(1000, 100);
  auto remove = [&](MDB_txn* txn, MDB_dbi dbi) {
    for (int i = 0; i < 1000; i += 2) {
      MDB_val key = ValueOf(old[i].first);
      Check(mdb_del(txn, dbi, &key, nullptr));
    }
  };
  Entries left;
  for (int i = 1; i < 1000; i += 2) left.push_back(old[i]);
  Write({Put(old), remove});
  EXPECT_EQ(ReadAll(), left);
  Write({Put({{"0", "first"}})});
  left.insert(left.begin(), {"0", "first"});
  EXPECT_EQ(ReadAll(), left);
}

TEST_F(LmdbReaderTest, KeysMayHaveSeveralValues) {
  Entries entries = {{"a", "1"}, {"a", "22"}, {"a", "3"}, {"b", "one"}};
  for (int i = 0; i < 5000; ++i) entries.emplace_back("c", Numbered(i));
  entries.emplace_back("d", "last");
  Write({Put(entries)}, MDB_DUPSORT);
  EXPECT_EQ(ReadAll(), entries);
}

TEST_F(LmdbReaderTest, SortedDuplicatesMayHaveOneSize) {
  Entries entries = {{"a", "000001"}, {"a", "000002"}, {"b", "000001"}};
  for (int i = 0; i < 5000; ++i) entries.emplace_back("c", Numbered(i));
  Write({Put(entries)}, MDB_DUPSORT | MDB_DUPFIXED);
  EXPECT_EQ(ReadAll(), entries);
}

TEST_F(LmdbReaderTest, FilesOfOtherFormatsAreErrors) {
  EXPECT_EQ(LmdbReader::Open(folder_).status().code(), absl::StatusCode::kNotFound);
  ASSERT_TRUE(WriteFile(File(), std::string(10000, 'x')).ok());
  EXPECT_THAT(Read(folder_).second, HasSubstr("is not an LMDB file, or damaged"));
  ASSERT_TRUE(WriteFile(File(), "").ok());
  EXPECT_THAT(Read(folder_).second, HasSubstr("it is cut off or damaged"));
}

// Files cut at every 500th byte, or with changed bytes: an error, or entries, and no crash.
TEST_F(LmdbReaderTest, DamageIsNoCrash) {
  Entries entries = Many(300, 40);
  for (int i = 0; i < 300; ++i) entries.emplace_back("c", Numbered(i));
  Write({Put(entries)}, MDB_DUPSORT);
  const std::string with_duplicates = *ReadFile(File());
  folder_ += "_large";
  ASSERT_EQ(mkdir(folder_.c_str(), 0700), 0);
  Write({Put({{"large", std::string(20000, 'z')}}), Put(Many(300, 40))});
  const std::string path = folder_ + "/bad";
  for (const std::string& good : {with_duplicates, *ReadFile(File())}) {
    ASSERT_TRUE(WriteFile(path, good).ok());
    const Entries all = Read(path).first;
    for (size_t at = 0; at < good.size(); at += 500) {
      ASSERT_TRUE(WriteFile(path, good.substr(0, at)).ok());
      const auto [found, error] = Read(path);
      EXPECT_TRUE(!error.empty() || found == all) << at;
    }
    for (size_t at = 0; at < good.size(); at += at % 4096 < 48 ? 4 : 500) {
      for (const int change : {0x01, 0xff}) {
        std::string bad = good;
        bad[at] = static_cast<char>(bad[at] ^ change);
        ASSERT_TRUE(WriteFile(path, bad).ok());
        EXPECT_LE(Read(path).first.size(), 100 * all.size());
      }
    }
  }
}

}  // namespace
}  // namespace sluice
