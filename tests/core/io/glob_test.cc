// SPDX-License-Identifier: Apache-2.0
#include "core/io/glob.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "core/threads/cancel_scope.h"

namespace sluice {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;
using testing::UnorderedElementsAre;

// Ten folders of ten files.
class GlobTest : public testing::Test {
 protected:
  GlobTest() {
    for (int i = 0; i < 100; ++i) {
      const std::string name = absl::StrCat(folder_, "/", i / 10);
      std::filesystem::create_directories(name);
      std::ofstream(absl::StrCat(name, "/f", i % 10)) << "x";
    }
  }
  ~GlobTest() override { std::filesystem::remove_all(folder_); }

  const std::string folder_ = testing::TempDir() + "glob_test";
};

TEST_F(GlobTest, MatchesFilesOfFolders) {
  EXPECT_THAT(*Glob(folder_ + "/[0-9]/f*"), SizeIs(100));
  EXPECT_THAT(*Glob(folder_ + "/3/f[12]"),
              UnorderedElementsAre(folder_ + "/3/f1", folder_ + "/3/f2"));
  EXPECT_THAT(*Glob(folder_ + "/none/*"), IsEmpty());
}

TEST_F(GlobTest, IsBoundedInEntriesAndTime) {
  const std::string pattern = folder_ + "/[0-9]/f*";
  EXPECT_THAT(*Glob(pattern, {.entries = 1000}), SizeIs(100));
  const absl::Status many = Glob(pattern, {.entries = 50}).status();
  EXPECT_TRUE(absl::IsResourceExhausted(many)) << many;
  EXPECT_THAT(many.message(), HasSubstr(pattern));
  EXPECT_THAT(many.message(), HasSubstr("50 entries"));
  // The clock is read once in a while: three times the same search reads enough.
  const std::string all = folder_ + "/*/../*/../*/f*";
  const absl::Status late = Glob(all, {.time = absl::ZeroDuration()}).status();
  EXPECT_TRUE(absl::IsDeadlineExceeded(late)) << late;
  EXPECT_THAT(late.message(), HasSubstr(all));
}

TEST_F(GlobTest, EndsWithItsStep) {
  CancelToken token;
  const auto search = [&]() -> absl::Status { return Glob(folder_ + "/*/*").status(); };
  EXPECT_TRUE(UntilCancelled(&token, search).ok());
  token.Cancel(absl::DeadlineExceededError("too late"));
  const absl::Status status = UntilCancelled(&token, search);
  EXPECT_EQ(status.message(), "too late");
}

}  // namespace
}  // namespace sluice
