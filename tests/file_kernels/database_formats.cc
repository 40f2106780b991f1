// SPDX-License-Identifier: Apache-2.0
#include <lmdb.h>
#include <sqlite3.h>
#include <unistd.h>

#include <cstdlib>

#include "absl/strings/str_cat.h"
#include "core/io/file.h"
#include "gtest/gtest.h"
#include "tests/file_kernels/formats.h"

namespace sluice::kernels {
namespace {

// Two tables, one with an index, values of all kinds and some that need pages of their own.
std::string SqliteFile(int rows, int page_size) {
  const std::string path = absl::StrCat(testing::TempDir(), "/file_kernels_sqlite_", getpid());
  (void)RemoveFile(path);
  sqlite3* database = nullptr;
  EXPECT_EQ(sqlite3_open(path.c_str(), &database), SQLITE_OK);
  const auto execute = [&](const std::string& text) {
    EXPECT_EQ(sqlite3_exec(database, text.c_str(), nullptr, nullptr, nullptr), SQLITE_OK) << text;
  };
  execute(absl::StrCat("PRAGMA page_size = ", page_size));
  execute("CREATE TABLE t (a INTEGER PRIMARY KEY, b TEXT, c REAL, d INTEGER)");
  execute("CREATE INDEX by_text ON t (b)");
  execute("CREATE TABLE u (a INTEGER, e BLOB)");
  for (int i = 0; i < rows; ++i) {
    execute(absl::StrCat("INSERT INTO t VALUES (", i, ", 'text", i * 7 % 10, "', ", i * 0.5, ", ",
                         i % 3 == 0 ? "NULL" : absl::StrCat(i << i % 24), ")"));
    if (i % 4 == 0) execute(absl::StrCat("INSERT INTO u VALUES (", i, ", zeroblob(", i * 60, "))"));
  }
  sqlite3_close(database);
  return *ReadFile(path);
}

AttrMap Columns(const std::vector<DType>& types) {
  return {{"output_types", types},
          {"output_shapes", std::vector<PartialShape>(types.size(), PartialShape(Shape{}))}};
}

std::string ReadSqlite(KernelRunner& runner, const std::string& bytes) {
  const std::string path = FileOf(bytes);
  std::string found;
  for (const char* query :
       {"SELECT a, b, c, d FROM t", "SELECT a, b, c, d FROM t WHERE b > 'text3' ORDER BY b",
        "SELECT a, e, 0.5, 1 FROM u"}) {
    absl::StrAppend(&found,
                    ReadDataSet(runner, "SqlDataset", Columns({kInt64, kString, kDouble, kInt32}),
                                {Text("sqlite"), Text(path), Text(query)}));
  }
  return found;
}

// The file of an environment with `entries` values, of which some need pages of their own.
std::string LmdbFile(int entries, unsigned flags) {
  std::string folder = testing::TempDir() + "/file_kernels_lmdb_XXXXXX";
  EXPECT_NE(mkdtemp(folder.data()), nullptr);
  MDB_env* env = nullptr;
  MDB_txn* txn = nullptr;
  MDB_dbi dbi = 0;
  const auto check = [](int error) { EXPECT_EQ(error, 0) << mdb_strerror(error); };
  check(mdb_env_create(&env));
  check(mdb_env_set_mapsize(env, 1 << 20));
  check(mdb_env_open(env, folder.c_str(), 0, 0600));
  check(mdb_txn_begin(env, nullptr, 0, &txn));
  check(mdb_dbi_open(txn, nullptr, flags | MDB_CREATE, &dbi));
  for (int i = 0; i < entries; ++i) {
    std::string key = absl::StrCat("key", i * 37 % entries / (flags == 0 ? 1 : 5));
    std::string value = absl::StrCat("value", i);
    if (flags == 0 && i % 9 == 0) value.append(static_cast<size_t>(i) * 60, 'x');
    MDB_val k{key.size(), key.data()}, v{value.size(), value.data()};
    check(mdb_put(txn, dbi, &k, &v, 0));
  }
  check(mdb_txn_commit(txn));
  mdb_env_close(env);
  std::string file = *ReadFile(folder + "/data.mdb");
  EXPECT_TRUE(RemoveFolderWithContents(folder).ok());
  return file;
}

std::string ReadLmdb(KernelRunner& runner, const std::string& bytes) {
  return ReadDataSet(runner, "LMDBDataset", Columns({kString, kString}), {Texts({FileOf(bytes)})});
}

}  // namespace

std::vector<FileFormat> DatabaseFormats() {
  // SQLite reads some damaged rows over the end of their page, into what it keeps behind it.
  return {
      {"Sqlite", {SqliteFile(12, 512), SqliteFile(40, 1024)}, ReadSqlite, nullptr, false},
      {"Lmdb", {LmdbFile(6, 0), LmdbFile(150, 0), LmdbFile(90, MDB_DUPSORT)}, ReadLmdb, nullptr}};
}

}  // namespace sluice::kernels
