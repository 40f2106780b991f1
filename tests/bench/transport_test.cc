// SPDX-License-Identifier: Apache-2.0
#include <numeric>

#include "bench/transport/kinds.h"
#include "bench/transport/payload.h"
#include "bench/transport/statistics.h"
#include "bench/transport/usage.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace sluice::bench {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

TEST(StatisticsTest, PercentilesAreValuesThatWereSeen) {
  std::vector<double> values(1000);
  std::iota(values.begin(), values.end(), 1.0);
  EXPECT_EQ(Percentile(values, 50), 500);
  EXPECT_EQ(Percentile(values, 99), 990);
  EXPECT_EQ(Percentile(values, 99.9), 999);
  EXPECT_EQ(Percentile(values, 100), 1000);
  EXPECT_EQ(Percentile({7}, 50), 7);
}

TEST(StatisticsTest, MedianOfAnEvenNumberIsBetweenTheMiddleTwo) {
  EXPECT_EQ(Median({4, 1, 3, 2}), 2.5);
  EXPECT_EQ(Median({3, 1, 2}), 2);
}

TEST(PayloadTest, SizesAreAListOrARangeByFours) {
  EXPECT_THAT(*ParseSizes("1,4K,64M"), ElementsAre(1, 4096, 64 << 20));
  EXPECT_THAT(*ParseSizes("1:64"), ElementsAre(1, 4, 16, 64));
  EXPECT_THAT(*ParseSizes(""), ElementsAre());
  for (const char* text : {"0", "-1", "1T", "4K,", "x:y"}) {
    EXPECT_TRUE(absl::IsInvalidArgument(ParseSizes(text).status())) << text;
  }
}

TEST(PayloadTest, MixesAreThoseOfTfGrpcBench) {
  constexpr int64_t kSmall = 10, kMedium = 10 << 10, kLarge = 1 << 20;
  EXPECT_EQ(MixedPayload("uniform")->bytes(), 4 * kSmall + 3 * kMedium + 3 * kLarge);
  EXPECT_EQ(MixedPayload("skewed")->bytes(), kSmall + 3 * kMedium + 6 * kLarge);
  EXPECT_EQ(MixedPayload("random")->buffers, MixedPayload("random")->buffers);
  EXPECT_EQ(MixedPayload("random")->buffers.size(), 10u);
  EXPECT_TRUE(absl::IsInvalidArgument(MixedPayload("even").status()));
}

TEST(PayloadTest, BuffersLieSideBySideAndAreEncodedAsStrings) {
  Payload payload{"two", {3, 5}};
  const std::vector<Tensor> plain = SourceTensors(payload);
  ASSERT_EQ(plain.size(), 2u);
  EXPECT_EQ(plain[0].data<char>() + 3, plain[1].data<char>());
  payload.serialised = true;
  const std::vector<Tensor> encoded = EncodedTensors(payload);
  EXPECT_EQ(encoded[1].scalar<std::string>(), std::string(5, '\1'));
}

TEST(KindsTest, NamesAreOfTransports) {
  EXPECT_EQ(ParseKinds("")->size(), AllKinds().size());
  EXPECT_EQ(ParseKinds("tcp,raw-tcp")->size(), 2u);
  EXPECT_THAT(std::string(ParseKinds("tcp,pigeon").status().message()), HasSubstr("pigeon"));
}

TEST(UsageTest, GrowsWithWhatIsDone) {
  const Usage before = UsedHere();
  Usage used;
  while ((used = UsedHere() - before).own < 0.05) {
  }
  EXPECT_GT(used.busy, 0.01);  // in ticks of a hundredth
}

}  // namespace
}  // namespace sluice::bench
