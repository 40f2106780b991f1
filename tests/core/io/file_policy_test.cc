// SPDX-License-Identifier: Apache-2.0
#include "core/io/file_policy.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "core/io/file_system.h"

namespace sluice {
namespace {

using ::testing::HasSubstr;
namespace fs = std::filesystem;

class FilePolicyTest : public ::testing::Test {
 protected:
  FilePolicyTest() {
    fs::remove_all(folder_);
    fs::create_directories(root_ / "inner");
    fs::create_directories(folder_ / "outside");
    WriteTo(folder_ / "outside" / "secret");
    WriteTo(root_ / "data");
  }
  ~FilePolicyTest() override {
    EXPECT_TRUE(SetFilePolicy({}).ok());
    fs::remove_all(folder_);
  }

  static FileSystem& Files() { return **FileSystemOf(""); }
  static void WriteTo(const fs::path& path) {
    auto file = Files().OpenOutput(path.string(), WriteMode::kReplace);
    ASSERT_TRUE(file.ok()) << file.status();
    EXPECT_TRUE((*file)->Append("x").ok());
  }
  static absl::Status Read(const fs::path& path) {
    return Files().OpenInput(path.string()).status();
  }
  static absl::Status Write(const fs::path& path) {
    return Files().OpenOutput(path.string(), WriteMode::kReplace).status();
  }
  void Set(FileAccess access) {
    const absl::Status status = SetFilePolicy({access, root_.string()});
    ASSERT_TRUE(status.ok()) << status;
  }

  const fs::path folder_ = fs::path(::testing::TempDir()) / "file_policy";
  const fs::path root_ = folder_ / "root";
};

TEST_F(FilePolicyTest, NoFiles) {
  Set(FileAccess::kNone);
  const absl::Status status = Read(root_ / "data");
  EXPECT_EQ(status.code(), absl::StatusCode::kPermissionDenied);
  EXPECT_THAT(std::string(status.message()), HasSubstr((root_ / "data").string()));
  EXPECT_THAT(std::string(status.message()), HasSubstr("--file_access=none"));
  EXPECT_FALSE(Files().Match((root_ / "*").string()).ok());
}

TEST_F(FilePolicyTest, ReadingOnly) {
  Set(FileAccess::kRead);
  EXPECT_TRUE(Read(root_ / "data").ok());
  const absl::Status status = Write(root_ / "new");
  EXPECT_THAT(std::string(status.message()), HasSubstr("writes no files (--file_access=read)"));
  EXPECT_FALSE(Files().RemoveFile((root_ / "data").string()).ok());
  EXPECT_FALSE(Files().MakeFolder((root_ / "folder").string()).ok());
  EXPECT_FALSE(fs::exists(root_ / "new"));
}

TEST_F(FilePolicyTest, FilesBelowTheRoot) {
  Set(FileAccess::kWrite);
  EXPECT_TRUE(Write(root_ / "inner" / "new").ok());
  EXPECT_TRUE(Read("file://" + (root_ / "data").string()).ok());
  EXPECT_TRUE(Read(root_ / "inner" / ".." / "data").ok());
  EXPECT_EQ(Files().Match((root_ / "*").string())->size(), 2u);
  EXPECT_TRUE(Files().Rename((root_ / "data").string(), (root_ / "moved").string()).ok());
}

TEST_F(FilePolicyTest, NoWayOutOfTheRoot) {
  fs::create_symlink(folder_ / "outside", root_ / "link");
  fs::create_symlink(folder_ / "outside" / "later", root_ / "nowhere");
  Set(FileAccess::kWrite);
  const fs::path outside = folder_ / "outside" / "secret";
  for (const fs::path& path :
       {outside, root_ / ".." / "outside" / "secret", root_ / "link" / "secret",
        root_ / "nowhere" / ".." / ".." / "outside" / "secret", fs::path("/etc/passwd"),
        folder_ / "root2"}) {
    EXPECT_EQ(Read(path).code(), absl::StatusCode::kPermissionDenied) << path;
    EXPECT_EQ(Write(path).code(), absl::StatusCode::kPermissionDenied) << path;
  }
  EXPECT_EQ(Write(root_ / "nowhere").code(), absl::StatusCode::kPermissionDenied);
  EXPECT_FALSE(Files().Match((folder_ / "*").string()).ok());
  EXPECT_TRUE(
      Files().Match((root_ / "link" / "*").string()).value_or(std::vector<std::string>()).empty());
  EXPECT_FALSE(Files().Rename((root_ / "data").string(), outside.string()).ok());
  EXPECT_FALSE(Files().RemoveFolderWithContents((folder_ / "outside").string()).ok());
  EXPECT_TRUE(fs::exists(outside));
}

TEST_F(FilePolicyTest, TheRootIsAFolder) {
  const absl::Status status = SetFilePolicy({FileAccess::kWrite, (root_ / "none").string()});
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(status.message()), HasSubstr("--file_root"));
}

}  // namespace
}  // namespace sluice
