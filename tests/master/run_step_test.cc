// SPDX-License-Identifier: Apache-2.0
#include "master/run_step.h"

#include <gtest/gtest.h>

namespace sluice::master {
namespace {

TEST(StepNumbersTest, KnowsTheOldestThatLives) {
  StepNumbers numbers(77);
  uint64_t oldest = 0;
  const auto one = numbers.Begin(&oldest);
  EXPECT_EQ(one, (transport::StepId{77, 1}));
  EXPECT_EQ(oldest, 1u);
  const auto two = numbers.Begin(&oldest);
  const auto three = numbers.Begin(&oldest);
  EXPECT_EQ(oldest, 1u);
  numbers.End(two);
  const auto four = numbers.Begin(&oldest);
  EXPECT_EQ(oldest, 1u);
  numbers.End(one);
  const auto five = numbers.Begin(&oldest);
  EXPECT_EQ(oldest, three.number);
  for (const auto& step : {three, four, five}) numbers.End(step);
  EXPECT_EQ(numbers.Begin(&oldest).number, 6u);
  EXPECT_EQ(oldest, 6u);
}

}  // namespace
}  // namespace sluice::master
