// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <filesystem>

#include "core/io/atomic_file.h"
#include "core/io/checkpoint/bundle_reader.h"
#include "core/io/checkpoint/bundle_writer.h"
#include "core/io/checkpoint/checkpoint_v1.h"
#include "core/io/file.h"
#include "core/io/snappy.h"

namespace sluice {
namespace {

class BundleTest : public testing::Test {
 protected:
  BundleTest() { std::filesystem::create_directories(folder_); }
  ~BundleTest() override { std::filesystem::remove_all(folder_); }
  std::string Path(const std::string& name) const { return folder_ + "/" + name; }

  const std::string folder_ = testing::TempDir() + "bundle_" +
                              testing::UnitTest::GetInstance()->current_test_info()->name();
};

Tensor Floats(const Shape& shape) {
  Tensor tensor(kFloat, shape);
  for (int64_t i = 0; i < shape.num_elements(); ++i) {
    tensor.mutable_data<float>()[i] = static_cast<float>(i);
  }
  return tensor;
}

TEST_F(BundleTest, KeysOfSlicesAreOrderedCode) {
  auto slice = TensorSlice::Parse("0,3:-");
  ASSERT_TRUE(slice.ok());
  EXPECT_EQ(slice->KeyOf("v"), std::string("\x00v\x00\x01\x01\x02\x80\x83\x80\x7f", 10));
  slice = TensorSlice::Parse("64,300");
  ASSERT_TRUE(slice.ok());
  EXPECT_EQ(slice->KeyOf(""), std::string("\x00\x00\x01\x01\x01\xc0\x40\xc1\x2c", 9));
}

TEST_F(BundleTest, SlicesAreReadBackInOtherPieces) {
  auto writer = BundleWriter::Create(Path("p"));
  ASSERT_TRUE(writer.ok());
  const Tensor whole = Floats({10, 4});
  for (const char* part : {"10 4 0,3:-", "10 4 3,7:0,1", "10 4 3,7:1,3"}) {
    auto parsed = ShapeAndSlice::Parse(part);
    ASSERT_TRUE(parsed.ok());
    Tensor piece(kFloat, parsed->slice_shape);
    CopyOverlap(whole.shape(), TensorSlice::Whole(2), whole, parsed->slice, &piece);
    ASSERT_TRUE((*writer)->AddSlice("v", *parsed, piece).ok());
  }
  ASSERT_TRUE((*writer)->Commit().ok());
  auto reader = BundleReader::Open(Path("p"));
  ASSERT_TRUE(reader.ok());
  auto stored = (*reader)->Find("v");
  ASSERT_TRUE(stored.ok());
  auto slice = TensorSlice::Parse("2,4:1,2");
  auto read = (*reader)->ReadSlice("v", *stored, *slice);
  ASSERT_TRUE(read.ok()) << read.status();
  EXPECT_EQ(read->ToString(), "float [4,2] {9, 10, 13, 14, 17, 18, 21, 22}");
  auto all = (*reader)->Read("v", *stored);
  ASSERT_TRUE(all.ok());
  for (int i = 0; i < 40; ++i) EXPECT_EQ(all->data<float>()[i], static_cast<float>(i));
}

TEST_F(BundleTest, SlicesThatDoNotCoverAreInvalid) {
  auto writer = BundleWriter::Create(Path("p"));
  auto part = ShapeAndSlice::Parse("1000000000000 0,3");
  ASSERT_TRUE((*writer)->AddSlice("v", *part, Floats({3})).ok());
  ASSERT_TRUE((*writer)->Commit().ok());
  auto reader = BundleReader::Open(Path("p"));
  auto stored = (*reader)->Find("v");
  ASSERT_TRUE(stored.ok());
  EXPECT_TRUE(absl::IsInvalidArgument((*reader)->Read("v", *stored).status()));
}

TEST_F(BundleTest, NothingIsLeftOfAWriterThatIsDropped) {
  {
    auto writer = BundleWriter::Create(Path("sub/p"));
    ASSERT_TRUE(writer.ok());
    ASSERT_TRUE((*writer)->Add("a", Floats({100000})).ok());
    EXPECT_TRUE(absl::IsInvalidArgument((*writer)->Add("a", Floats({1}))));
  }
  EXPECT_TRUE(std::filesystem::is_empty(Path("sub")));
}

TEST_F(BundleTest, MergedBundlesHoldTheSlicesOfAll) {
  for (int i = 0; i < 2; ++i) {
    auto writer = BundleWriter::Create(Path(absl::StrCat("temp/part", i)));
    auto part = ShapeAndSlice::Parse(i == 0 ? "4 0,1" : "4 1,3");
    ASSERT_TRUE((*writer)->AddSlice("v", *part, Floats(part->slice_shape)).ok());
    ASSERT_TRUE((*writer)->Add(absl::StrCat("only", i), Floats({2})).ok());
    ASSERT_TRUE((*writer)->Commit().ok());
  }
  ASSERT_TRUE(MergeBundles({Path("temp/part0"), Path("temp/part1")}, Path("all"), false).ok());
  EXPECT_TRUE(std::filesystem::is_empty(Path("temp")));
  auto reader = BundleReader::Open(Path("all"));
  ASSERT_TRUE(reader.ok());
  auto stored = (*reader)->Find("v");
  ASSERT_TRUE(stored.ok());
  auto read = (*reader)->Read("v", *stored);
  ASSERT_TRUE(read.ok()) << read.status();
  EXPECT_EQ(read->ToString(), "float [4] {0, 0, 1, 2}");
  EXPECT_TRUE((*reader)->Find("only1").ok());
  EXPECT_TRUE(absl::IsNotFound((*reader)->Find("only2").status()));
}

TEST_F(BundleTest, AMergeNamesTheBundleThatIsMissing) {
  auto writer = BundleWriter::Create(Path("there"));
  ASSERT_TRUE((*writer)->Add("v", Floats({2})).ok());
  ASSERT_TRUE((*writer)->Commit().ok());
  const std::vector<std::string> parts = {Path("there"), Path("missing")};
  const absl::Status refused = MergeBundles(parts, Path("all"), false);
  EXPECT_EQ(refused.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(refused.message()), testing::HasSubstr(Path("missing")));
  EXPECT_TRUE(MergeBundles(parts, Path("all"), true).ok());
}

// Its memory is never read: the possible size of a message is checked first.
TEST_F(BundleTest, TheOlderFormatRefusesWhatNoMessageHolds) {
  const Shape shape{int64_t{1} << 28};
  const Tensor large = *Tensor::Allocate(CpuAllocator(), kInt32, shape);
  V1Writer writer(Path("v1"));
  const absl::Status status =
      writer.AddSlice("large", {shape, shape, TensorSlice::Whole(1)}, large);
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(status.message()),
              testing::HasSubstr("Tensor slice is too large to serialize"));
  EXPECT_TRUE(writer
                  .AddSlice("small", {Shape{2}, Shape{2}, TensorSlice::Whole(1)},
                            Tensor::Vector<int32_t>({1, -1}))
                  .ok());
}

TEST_F(BundleTest, AFileThatIsNoCheckpointMayNeedAnotherReader) {
  ASSERT_TRUE(WriteFile(Path("words"), "these are words").ok());
  const absl::Status status = V1Reader::Open(Path("words")).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kDataLoss);
  EXPECT_THAT(std::string(status.message()),
              testing::AllOf(testing::HasSubstr("Unable to open table file " + Path("words")),
                             testing::HasSubstr("perhaps your file is in a different file format "
                                                "and you need to use a different restore "
                                                "operator?")));
}

// Every byte changed, every length cut: an error or the right values, and no crash.
TEST_F(BundleTest, DamageIsFoundInTheOlderFormatToo) {
  V1Writer writer(Path("v1"));
  const Tensor words = Tensor::Vector<std::string>({"one", "two"});
  const ShapeAndSlice whole{words.shape(), words.shape(), TensorSlice::Whole(1)};
  ASSERT_TRUE(writer.AddSlice("w", whole, words).ok());
  ASSERT_TRUE(writer.Commit().ok());
  const std::string good = *ReadFile(Path("v1"));
  for (size_t at = 0; at < good.size(); ++at) {
    for (const bool cut : {false, true}) {
      std::string bad = cut ? good.substr(0, at) : good;
      if (!cut) bad[at] = static_cast<char>(bad[at] ^ 0x41);
      ASSERT_TRUE(WriteFile(Path("bad"), bad).ok());
      auto reader = V1Reader::Open(Path("bad"));
      if (!reader.ok()) continue;
      auto stored = (*reader)->Find("w");
      if (!stored.ok()) continue;
      auto read = (*reader)->ReadSlice("w", **stored, TensorSlice::Whole(1));
      if (read.ok()) {
        EXPECT_EQ(read->data<std::string>()[1], "two") << at;
      }
    }
  }
}

TEST(SnappyTest, CopiesMayOverlapWhatTheyWrite) {
  // 10 bytes: literal "ab", copy of 8 bytes from 2 back.
  EXPECT_EQ(*UncompressSnappy(std::string("\x0a\x04"
                                          "ab\x11\x02",
                                          6)),
            "ababababab");
  EXPECT_FALSE(UncompressSnappy("\x0a\x04"
                                "ab\x11\x03")
                   .ok());
  EXPECT_FALSE(UncompressSnappy(std::string("\xff\xff\xff\xff\x0f\x04"
                                            "a",
                                            7))
                   .ok());
}

}  // namespace
}  // namespace sluice
