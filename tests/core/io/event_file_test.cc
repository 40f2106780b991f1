// SPDX-License-Identifier: Apache-2.0
#include "core/io/event_file.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "core/io/file.h"
#include "core/io/record.h"

namespace sluice {
namespace {

TEST(EventFileTest, StartsWithItsVersionAndHoldsWhatWasFlushed) {
  const std::string folder = testing::TempDir() + "event_file_test/deep";
  auto file = EventFile::Create(folder, ".v2");
  ASSERT_TRUE(file.ok()) << file.status();
  EXPECT_TRUE((*file)->path().ends_with(".v2"));
  (*file)->Append("an event");
  ASSERT_TRUE((*file)->Flush().ok());
  (*file)->Append("not yet flushed");

  RecordReader reader(*OpenFile((*file)->path()));
  std::string record;
  ASSERT_TRUE(*reader.Read(&record));
  EXPECT_NE(record.find("brain.Event:2"), std::string::npos);
  ASSERT_TRUE(*reader.Read(&record));
  EXPECT_EQ(record, "an event");
  EXPECT_FALSE(*reader.Read(&record));
  std::filesystem::remove_all(testing::TempDir() + "event_file_test");
}

TEST(EventFileTest, TwoOfOneSecondAreTwoFiles) {
  const std::string folder = testing::TempDir() + "event_file_test_two";
  auto first = EventFile::Create(folder, ""), second = EventFile::Create(folder, "");
  ASSERT_TRUE(first.ok() && second.ok());
  EXPECT_NE((*first)->path(), (*second)->path());
  EXPECT_TRUE(absl::IsInvalidArgument(EventFile::Create(folder, "/../x").status()));
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace sluice
