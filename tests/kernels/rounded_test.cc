// SPDX-License-Identifier: Apache-2.0
#include "kernels/cpu/common/rounded.h"

#include <bit>
#include <cmath>

#include "gtest/gtest.h"

namespace sluice::kernels {
namespace {

template <typename N>
void ExpectRoundsAsConversionDoes() {
  for (uint64_t bits = 0; bits < uint64_t{1} << 32; bits += 1009) {
    const float x = std::bit_cast<float>(static_cast<uint32_t>(bits));
    const float rounded = RoundTo<N>(x), converted = N(x);
    if (std::isnan(x)) {
      EXPECT_TRUE(std::isnan(rounded)) << bits;
    } else {
      EXPECT_EQ(std::bit_cast<uint32_t>(rounded), std::bit_cast<uint32_t>(converted)) << x;
    }
  }
}

TEST(RoundedTest, RoundsAsTheConversionDoes) {
  ExpectRoundsAsConversionDoes<Half>();
  ExpectRoundsAsConversionDoes<Bfloat16>();
}

TEST(RoundedTest, RoundsTiesToEven) {
  EXPECT_EQ(RoundTo<Half>(2049), 2048);
  EXPECT_EQ(RoundTo<Half>(2051), 2052);
  EXPECT_EQ(RoundTo<Half>(65519.996f), 65504);
  EXPECT_EQ(RoundTo<Half>(65520), HUGE_VALF);
  EXPECT_EQ(RoundTo<Half>(1.5f * 0x1p-24f), 0x1p-23f);
  EXPECT_EQ(RoundTo<Half>(0x1p-25f), 0);
  EXPECT_EQ(RoundTo<Bfloat16>(257), 256);
}

TEST(RoundedTest, RoundsAfterEachOperation) {
  using R = Rounded<Half>;
  const R x = 3, fifth = 0.2f;
  EXPECT_EQ(static_cast<float>(fifth), 0.199951171875f);
  EXPECT_EQ(static_cast<float>(x * fifth), 0.599609375f);
  EXPECT_EQ(static_cast<float>(R(2048) + R(1) + R(1)), 2048);
  EXPECT_EQ(static_cast<float>(std::exp(R(1)) * R(1)), 2.71875f);
}

}  // namespace
}  // namespace sluice::kernels
