// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "kernels/common/image/png.h"
#include "kernels/common/string_hash.h"
#include "tests/kernels/kernel_runner.h"

namespace sluice::kernels {
namespace {

// Figures of TensorFlow 1.15.
TEST(StringHashTest, BucketsAreTensorFlows) {
  constexpr uint64_t kKey[2] = {1, 2};
  EXPECT_EQ(MurmurHash64("a") % 1000000, 535868u);
  EXPECT_EQ(MurmurHash64("hello") % 1000000, 780938u);
  EXPECT_EQ(FarmFingerprint64("a") % 1000000, 363939u);
  EXPECT_EQ(FarmFingerprint64("hello") % 1000000, 800296u);
  EXPECT_EQ(SipHash24(kKey, "a") % 1000000, 958646u);
  EXPECT_EQ(SipHash24(kKey, "hello") % 1000000, 801622u);
}

TEST(PngTest, StartsAndEndsAsPngFilesDo) {
  const std::vector<uint8_t> pixels(4 * 3 * 3, 7);
  auto png = EncodePng(pixels.data(), {1, 3, 4, 3}, 8);
  ASSERT_TRUE(png.ok());
  EXPECT_EQ(png->substr(0, 16), absl::string_view("\x89PNG\r\n\x1a\n\0\0\0\rIHDR", 16));
  EXPECT_EQ(png->substr(png->size() - 8), "IEND\xae\x42\x60\x82");
}

TEST(ReduceJoinTest, SizesOfNothingAreNotWalked) {
  Tensor empty(kString, Shape{int64_t{1} << 40, 0});
  auto joined = RunOp("ReduceJoin", {}, {empty, Tensor::Vector<int32_t>({0, 1})});
  ASSERT_TRUE(joined.ok()) << joined.status();
  EXPECT_EQ((*joined)[0].scalar<std::string>(), "");
}

TEST(AsStringTest, AWidthThatWouldCostGigabytesIsRefused) {
  const AttrMap attrs = {{"width", int64_t{1} << 40}};
  EXPECT_TRUE(
      absl::IsInvalidArgument(RunOp("AsString", attrs, {Tensor::Scalar<float>(1)}).status()));
}

TEST(StringTest, NGramsOfHostileWidthsAreRefusedOrNone) {
  const Tensor words = Tensor::Vector<std::string>({"a", "b", "c"});
  const Tensor splits = Tensor::Vector<int64_t>({0, 3});
  const auto run = [&](int64_t width, int64_t pad, bool keep_short) {
    const AttrMap attrs = {{"separator", " "}, {"ngram_widths", std::vector<int64_t>{width}},
                           {"left_pad", "("},  {"right_pad", ")"},
                           {"pad_width", pad}, {"preserve_short_sequences", keep_short}};
    return RunOp("StringNGrams", attrs, {words, splits});
  };
  EXPECT_TRUE(absl::IsInvalidArgument(run(INT64_MAX, -1, false).status()));
  EXPECT_TRUE(absl::IsInvalidArgument(run(INT64_MAX, INT64_MAX, false).status()));
  EXPECT_TRUE(absl::IsInvalidArgument(run(INT64_MAX, int64_t{1} << 62, true).status()));
  const auto none = run(INT64_MAX, 1, false);
  ASSERT_TRUE(none.ok()) << none.status();
  EXPECT_EQ((*none)[0].num_elements(), 0);
}

}  // namespace
}  // namespace sluice::kernels
