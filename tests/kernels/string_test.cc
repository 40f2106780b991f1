// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "kernels/common/image/png.h"
#include "kernels/common/string_hash.h"
#include "proto/example.pb.h"
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

// A text of more than 4 MB is parsed in blocks, whose edges may be anywhere.
TEST(DecodeJsonExampleTest, ParsesLongTexts) {
  std::string numbers, names, plain;
  for (int i = 0; i < 600'000; ++i) absl::StrAppend(&numbers, i == 0 ? "" : ", ", i * 1000, ".5");
  for (int i = 0; i < 5'000'000; ++i) plain += static_cast<char>('a' + i % 26);
  const std::string encoded = absl::Base64Escape(plain);
  const std::string text = absl::StrCat(
      R"({"features": {"feature": {"\u00e9": {"float_list": {"value": [)", numbers,
      R"(]}}, "long": {"bytesList": {"value": [")", encoded, R"(", ")", encoded, R"("]}}}}})");
  ASSERT_GT(text.size(), 3 * (4u << 20));
  const auto out = RunOp("DecodeJSONExample", {}, {Tensor::Scalar<std::string>(text)});
  ASSERT_TRUE(out.ok()) << out.status();
  proto::Example example;
  ASSERT_TRUE(example.ParseFromString((*out)[0].scalar<std::string>()));
  const auto& features = example.features().feature();
  const auto& floats = features.at("\u00e9").float_list();
  ASSERT_EQ(floats.value_size(), 600'000);
  for (int i = 0; i < 600'000; ++i)
    ASSERT_EQ(floats.value(i), static_cast<float>(i * 1000.0 + 0.5));
  ASSERT_EQ(features.at("long").bytes_list().value_size(), 2);
  for (const std::string& value : features.at("long").bytes_list().value())
    EXPECT_TRUE(value == plain);

  const auto cut = RunOp("DecodeJSONExample", {},
                         {Tensor::Scalar<std::string>(text.substr(0, text.size() - 2))});
  EXPECT_TRUE(absl::IsInvalidArgument(cut.status())) << cut.status();
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
