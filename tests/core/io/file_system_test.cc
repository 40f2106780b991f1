// SPDX-License-Identifier: Apache-2.0
#include "core/io/file_system.h"

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <map>

#include "core/io/checkpoint/bundle_reader.h"
#include "core/io/checkpoint/bundle_writer.h"
#include "core/io/event_file.h"
#include "core/io/file.h"
#include "core/io/lmdb_reader.h"
#include "core/tensor/tensor.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace sluice {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

// Files in memory, as an example of another file system; folders are only parts of names.
class MemoryFiles final : public FileSystem {
 public:
  class Reader final : public RandomAccessFile {
   public:
    Reader(const std::string& path, std::string bytes)
        : RandomAccessFile(path, bytes.size()), bytes_(std::move(bytes)) {}
    absl::StatusOr<size_t> ReadSome(uint64_t offset, size_t size, char* to) const override {
      return bytes_.copy(to, size, offset);
    }

   private:
    const std::string bytes_;
  };

  class SequentialReader final : public Input {
   public:
    SequentialReader(const std::string& path, std::string bytes)
        : path_(path), bytes_(std::move(bytes)) {}
    absl::StatusOr<size_t> Read(char* to, size_t size) override {
      const size_t n = bytes_.copy(to, size, at_);
      at_ += n;
      return n;
    }
    const std::string& path() const override { return path_; }

   private:
    const std::string path_, bytes_;
    size_t at_ = 0;
  };

  class Writer final : public OutputFile {
   public:
    explicit Writer(std::string* to) : to_(to) {}
    absl::Status Consume(absl::string_view* bytes) override {
      to_->append(bytes->data(), bytes->size());
      *bytes = "";
      return absl::OkStatus();
    }
    absl::Status Close() override { return absl::OkStatus(); }

   private:
    std::string* const to_;
  };

  absl::StatusOr<std::unique_ptr<Input>> OpenInput(const std::string& path) override {
    if (!files_.contains(path)) return NotFound(path, "; none");
    return std::make_unique<SequentialReader>(path, files_[path]);
  }
  absl::StatusOr<std::unique_ptr<RandomAccessFile>> OpenRandomAccess(
      const std::string& path) override {
    if (!files_.contains(path)) return NotFound(path, "; none");
    return std::make_unique<Reader>(path, files_[path]);
  }
  absl::StatusOr<std::unique_ptr<OutputFile>> OpenOutput(const std::string& path,
                                                         WriteMode mode) override {
    if (mode != WriteMode::kAppend) files_[path].clear();
    return std::make_unique<Writer>(&files_[path]);
  }
  absl::StatusOr<FileInfo> Describe(const std::string& path) override {
    if (!files_.contains(path)) return NotFound(path, "; none");
    return FileInfo{.size = files_[path].size()};
  }
  absl::Status MakeFolder(const std::string&) override { return absl::OkStatus(); }
  absl::Status RemoveFile(const std::string& path) override {
    return files_.erase(path) == 1 ? absl::OkStatus() : NotFound(path, "; none");
  }
  absl::Status RemoveEmptyFolder(const std::string&) override { return absl::OkStatus(); }
  absl::Status RemoveFolderWithContents(const std::string&) override { return absl::OkStatus(); }
  absl::Status Rename(const std::string& from, const std::string& to) override {
    files_[to] = std::move(files_[from]);
    files_.erase(from);
    return absl::OkStatus();
  }
  absl::StatusOr<std::vector<std::string>> List(const std::string&) override {
    return Unimplemented("no lists");
  }
  absl::StatusOr<std::vector<std::string>> Match(const std::string& pattern) override {
    std::vector<std::string> found;
    for (const auto& [path, unused] : files_) {
      if (path == pattern) found.push_back(path);
    }
    return found;
  }

  std::vector<std::string> Paths() const {
    std::vector<std::string> paths;
    for (const auto& [path, unused] : files_) paths.push_back(path);
    return paths;
  }

 private:
  std::map<std::string, std::string> files_;
};

MemoryFiles& Memory() {
  static MemoryFiles* const files = [] {
    auto made = std::make_unique<MemoryFiles>();
    MemoryFiles* const raw = made.get();
    EXPECT_TRUE(RegisterFileSystem("memory", std::move(made)).ok());
    return raw;
  }();
  return *files;
}

TEST(FileSystemTest, ASchemeIsAWordBeforeColonAndSlashes) {
  EXPECT_EQ(SchemeOf("s3://bucket/x"), "s3");
  EXPECT_EQ(SchemeOf("a.b1://x"), "a.b1");
  for (const char* path : {"/tmp/x", "x", "", "://x", "3s://x", ".a://x", "a+b://x", "a:/x",
                           "s3:", "/tmp/s3://x", "C:x"})
    EXPECT_EQ(SchemeOf(path), "") << path;
}

TEST(FileSystemTest, AnUnknownSchemeIsNamed) {
  const absl::Status status = FileSystemOf("s3://bucket/logs").status();
  EXPECT_EQ(status.code(), absl::StatusCode::kUnimplemented);
  EXPECT_EQ(status.message(), "File system scheme 's3' not implemented (file: 's3://bucket/logs')");
}

TEST(FileSystemTest, EveryOperationRefusesAnUnknownScheme) {
  const std::string path = "s3://bucket/x";
  const std::pair<const char*, absl::Status> operations[] = {
      {"OpenFile", OpenFile(path).status()},
      {"CreateFile", CreateFile(path, WriteMode::kReplace).status()},
      {"ReadFile", ReadFile(path).status()},
      {"WriteFile", WriteFile(path, "x")},
      {"CopyFile", CopyFile(path, "/dev/null/x")},
      {"DescribeFile", DescribeFile(path).status()},
      {"FileExists", FileExists(path).status()},
      {"RenameFile from", RenameFile(path, "/dev/null/x")},
      {"RenameFile to", RenameFile("/dev/null/x", path)},
      {"RemoveFile", RemoveFile(path)},
      {"RemoveEmptyFolder", RemoveEmptyFolder(path)},
      {"RemoveFolderWithContents", RemoveFolderWithContents(path)},
      {"MakeNewFolder", MakeNewFolder(path)},
      {"MakeFolder", MakeFolder(path)},
      {"MakeFolders", MakeFolders(path)},
      {"MakeFoldersAbove", MakeFoldersAbove(path)},
      {"MakeFolderOf", MakeFolderOf(path)},
      {"ListFolder", ListFolder(path).status()},
      {"MatchingFiles", MatchingFiles(path + "*").status()},
      {"RandomAccessFile", RandomAccessFile::Open(path).status()},
      {"AtomicFile", AtomicFile::Create(path).status()},
      {"EventFile", EventFile::Create(path, "").status()},
      {"LmdbReader", LmdbReader::Open(path).status()},
      {"BundleWriter", BundleWriter::Create(path).status()},
      {"BundleReader", BundleReader::Open(path).status()},
  };
  for (const auto& [name, status] : operations) {
    EXPECT_EQ(status.code(), absl::StatusCode::kUnimplemented) << name << ": " << status;
    EXPECT_THAT(std::string(status.message()), HasSubstr("scheme 's3' not implemented")) << name;
  }
  EXPECT_FALSE(std::filesystem::exists("s3:"));
}

TEST(FileSystemTest, FileUrlsAreOfThisMachine) {
  std::string folder = testing::TempDir() + "/file_system_XXXXXX";
  ASSERT_NE(mkdtemp(folder.data()), nullptr);
  const std::string url = "file://" + folder, host_url = "file://localhost" + folder;
  ASSERT_TRUE(WriteFile(url + "/a/b/x", "text").ok());
  EXPECT_EQ(*ReadFile(host_url + "/a/b/x"), "text");
  EXPECT_EQ(*ReadFile(folder + "/a/b/x"), "text");
  EXPECT_THAT(*MatchingFiles(url + "/a/*/x"), ElementsAre(url + "/a/b/x"));
  EXPECT_THAT(*ListFolder(url + "/a"), ElementsAre("b"));
  EXPECT_TRUE(RenameFile(url + "/a/b/x", folder + "/y").ok());
  EXPECT_EQ(DescribeFile(url + "/y")->size, 4u);
  EXPECT_TRUE(DescribeFile(url)->folder);
  EXPECT_FALSE(*FileExists(url + "/a/b/x"));
  EXPECT_TRUE(MakeFolders(url + "/c/d").ok());
  EXPECT_TRUE(MakeFolders(url + "/c/d").ok());
  EXPECT_EQ(MakeNewFolder(url + "/c/d").code(), absl::StatusCode::kAlreadyExists);
  EXPECT_EQ(MakeFolders(url + "/y").code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_TRUE(RemoveEmptyFolder(url + "/c/d").ok());
  EXPECT_TRUE(RemoveFolderWithContents(url).ok());
  EXPECT_FALSE(std::filesystem::exists(folder));
}

TEST(FileSystemTest, AnotherFileSystemHoldsCheckpointsAndEvents) {
  Memory();
  EXPECT_EQ(RegisterFileSystem("memory", std::make_unique<MemoryFiles>()).code(),
            absl::StatusCode::kAlreadyExists);
  auto writer = BundleWriter::Create("memory://disk/model");
  ASSERT_TRUE(writer.ok()) << writer.status();
  ASSERT_TRUE((*writer)->Add("w", Tensor::Scalar<float>(42)).ok());
  ASSERT_TRUE((*writer)->Commit().ok());
  EXPECT_THAT(Memory().Paths(),
              ElementsAre("memory://disk/model.data-00000-of-00001", "memory://disk/model.index"));
  auto reader = BundleReader::Open("memory://disk/model");
  ASSERT_TRUE(reader.ok()) << reader.status();
  const auto stored = (*reader)->Find("w");
  ASSERT_TRUE(stored.ok()) << stored.status();
  EXPECT_EQ((*reader)->Read("w", *stored)->scalar<float>(), 42);

  ASSERT_TRUE(CopyFile("memory://disk/model.index", "memory://disk/copy").ok());
  EXPECT_EQ(*ReadFile("memory://disk/copy"), *ReadFile("memory://disk/model.index"));
  EXPECT_EQ(RenameFile("memory://disk/copy", "/dev/null/x").code(),
            absl::StatusCode::kUnimplemented);
  auto events = EventFile::Create("memory://logs", ".x");
  ASSERT_TRUE(events.ok()) << events.status();
  EXPECT_GT(ReadFile((*events)->path())->size(), 0u);
  EXPECT_FALSE(std::filesystem::exists("memory:"));
}

}  // namespace
}  // namespace sluice
