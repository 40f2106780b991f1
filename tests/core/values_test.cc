// SPDX-License-Identifier: Apache-2.0
// Status, float16, dtype and shape.
#include <cmath>
#include <limits>

#include "core/status.h"
#include "core/tensor/dtype.h"
#include "core/tensor/float16.h"
#include "core/tensor/shape.h"
#include "core/utf8.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace sluice {
namespace {

using ::testing::HasSubstr;

TEST(StatusTest, ConcatenatesOurValues) {
  EXPECT_EQ(InvalidArgument("got ", Shape{2, 3}, " of ", kFloat, ", ", true, " ", 1.5).message(),
            "got [2,3] of float, true 1.5");
}

TEST(StatusTest, AnnotatedErrorKeepsCodeAndPayload) {
  const absl::Status status = Annotate(MarkDerived(Aborted("gone")), "step 3");
  EXPECT_EQ(status.code(), absl::StatusCode::kAborted);
  EXPECT_EQ(status.message(), "step 3: gone");
  EXPECT_TRUE(IsDerived(status));
  EXPECT_FALSE(IsDerived(Aborted("first")));
  EXPECT_TRUE(Annotate(absl::OkStatus(), "step 3").ok());
}

TEST(Utf8Test, KeepsCharactersAndNamesOtherBytes) {
  const std::string whole = "a \xC3\xA4 \xE2\x82\xAC \xF0\x9F\x98\x80";
  EXPECT_EQ(AsUtf8(whole), whole);
  EXPECT_EQ(AsUtf8("\xFF\xFE."), "\\xff\\xfe.");
  EXPECT_EQ(AsUtf8("cut \xE2\x82"), "cut \\xe2\\x82");
  EXPECT_EQ(AsUtf8("\xED\xA0\x80"), "\\xed\\xa0\\x80");  // a surrogate
  EXPECT_EQ(AsUtf8("\xC0\x80"), "\\xc0\\x80");           // a longer form than needed
}

TEST(Float16Test, EveryHalfSurvivesTheRoundTrip) {
  for (uint32_t bits = 0; bits < 0x10000; ++bits) {
    const uint16_t h = static_cast<uint16_t>(bits);
    const float f = internal::HalfBitsToFloat(h);
    if (std::isnan(f)) {
      EXPECT_TRUE(std::isnan(static_cast<float>(Half::FromBits(h))));
      continue;
    }
    ASSERT_EQ(internal::FloatToHalfBits(f), h);
    ASSERT_EQ(Half(f).bits, h);
    ASSERT_EQ(std::bit_cast<uint32_t>(static_cast<float>(Half::FromBits(h))),
              std::bit_cast<uint32_t>(f));
  }
}

TEST(Float16Test, PortableRoundingEqualsTheHardware) {
  for (uint32_t bits = 0; bits < 0xffffff00u; bits += 0x1fe1) {
    const float f = std::bit_cast<float>(bits);
    ASSERT_EQ(internal::FloatToHalfBits(f), Half(f).bits) << std::hex << bits;
  }
  for (float f : {65519.0f, 65520.0f, 0x1p-24f, 0x1p-25f, 0x1.8p-25f, 0x1.ffcp-15f, -0.0f}) {
    EXPECT_EQ(internal::FloatToHalfBits(f), Half(f).bits) << f;
  }
}

TEST(Float16Test, Bfloat16RoundsHalfToEven) {
  EXPECT_EQ(Bfloat16(1.0f).bits, 0x3f80);
  EXPECT_EQ(Bfloat16(std::bit_cast<float>(0x3f808000u)).bits, 0x3f80);
  EXPECT_EQ(Bfloat16(std::bit_cast<float>(0x3f818000u)).bits, 0x3f82);
  EXPECT_EQ(Bfloat16(std::numeric_limits<float>::quiet_NaN()).bits, 0x7fc0);
  EXPECT_EQ(Bfloat16(std::numeric_limits<float>::max()).bits, 0x7f80);
}

TEST(DTypeTest, NamesRoundTrip) {
  for (int i = 1; i <= 23; ++i) {
    const DType t = static_cast<DType>(i);
    EXPECT_EQ(ParseDType(Name(t)), t);
    EXPECT_EQ(ParseDType(Name(MakeRef(t))), MakeRef(t));
    EXPECT_EQ(IsPlain(t), SizeOf(t) != 0);
  }
  EXPECT_EQ(ParseDType("float32"), kFloat);
  EXPECT_EQ(ParseDType("float16"), kHalf);
  EXPECT_EQ(ParseDType("quaternion"), kInvalid);
  EXPECT_EQ(Name(static_cast<DType>(999)), "dtype 999");
}

TEST(DTypeTest, SetsKnowOnlyKnownTypes) {
  EXPECT_TRUE(kReal.contains(kHalf));
  EXPECT_FALSE(kReal.contains(kString));
  for (int number : {0, 24, 64, 100, 101, 999, -1})
    EXPECT_FALSE(kAnyType.contains(static_cast<DType>(number)));
  EXPECT_EQ((DTypeSet{kDouble, kFloat}).ToString(), "{float, double}");
}

TEST(DTypeTest, VisitorNamesTheMissingType) {
  const absl::Status status =
      VisitDType(FloatingTypes{}, kInt32, [](auto) { return absl::OkStatus(); });
  EXPECT_EQ(status.code(), absl::StatusCode::kUnimplemented);
  EXPECT_THAT(std::string(status.message()), HasSubstr("int32"));
}

TEST(ShapeTest, CreateRefusesWhatNoTensorCanHave) {
  constexpr int64_t kMax = std::numeric_limits<int64_t>::max();
  EXPECT_TRUE(Shape::Create({}).ok());
  EXPECT_EQ(Shape::Create({kMax})->num_elements(), kMax);
  EXPECT_EQ(Shape::Create({0, kMax})->num_elements(), 0);
  for (const std::vector<int64_t>& dims :
       std::vector<std::vector<int64_t>>{{-1},
                                         {-2, 3},
                                         {kMax, 2},
                                         {int64_t{1} << 32, int64_t{1} << 31},
                                         {0, kMax, kMax},
                                         std::vector<int64_t>(255, 1)}) {
    EXPECT_EQ(Shape::Create(dims).status().code(), absl::StatusCode::kInvalidArgument);
  }
  EXPECT_EQ(Shape::Create(std::vector<int64_t>(254, 1))->rank(), 254);
}

TEST(ShapeTest, EditsKeepTheCount) {
  Shape shape{2, 3};
  shape.AddDim(4);
  shape.InsertDim(0, 5);
  EXPECT_EQ(shape.num_elements(), 120);
  shape.SetDim(1, 0);
  EXPECT_EQ(shape.num_elements(), 0);
  shape.RemoveDim(1);
  EXPECT_EQ(shape.ToString(), "[5,3,4]");
  EXPECT_EQ(Shape{}.ToString(), "[]");
}

TEST(ShapeDeathTest, TrustedShapeThatDoesNotFitIsABug) {
  EXPECT_DEATH(Shape({int64_t{1} << 62, 4}), "impossible shape");
}

TEST(PartialShapeTest, MergesWhatIsKnown) {
  const PartialShape a{-1, 3}, b{2, -1};
  EXPECT_EQ(*a.MergeWith(b), (PartialShape{2, 3}));
  EXPECT_EQ(*a.MergeWith(PartialShape()), a);
  EXPECT_EQ(*PartialShape().MergeWith(a), a);
  EXPECT_FALSE(a.MergeWith(PartialShape{2, 4}).ok());
  EXPECT_FALSE(a.CompatibleWith(PartialShape{2}));
  EXPECT_EQ(a.ToString(), "[?,3]");
  EXPECT_EQ(PartialShape().ToString(), "<unknown>");
  EXPECT_FALSE(a.ToShape().ok());
  EXPECT_EQ(*(PartialShape{2, 3}).ToShape(), (Shape{2, 3}));
  EXPECT_FALSE(PartialShape::Create({-2}).ok());
  const PartialShape huge{-1, int64_t{1} << 40};
  EXPECT_FALSE(huge.MergeWith(PartialShape{int64_t{1} << 40, -1}).ok());
}

}  // namespace
}  // namespace sluice
