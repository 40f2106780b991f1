// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "core/device/gpu_devices.h"

namespace sluice {
namespace {

using ::testing::HasSubstr;

TEST(GpuOptionsTest, NamesGpus) {
  GpuOptions options;
  EXPECT_TRUE(CheckGpuOptions(options).ok());
  EXPECT_FALSE(options.listed());
  options.visible = "2,0";
  EXPECT_TRUE(CheckGpuOptions(options).ok());
  EXPECT_TRUE(options.listed());
  EXPECT_EQ(VisibleGpus(options), (std::vector<int>{2, 0}));
}

TEST(GpuOptionsTest, RefusesWhatIsNoListOfGpus) {
  for (const char* visible : {"", "-1", "1,", "a", "0,0", "1 ,2x", "1000", "All"}) {
    const absl::Status status = CheckGpuOptions({.visible = visible});
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument) << visible;
    EXPECT_THAT(std::string(status.message()), HasSubstr("visible GPUs")) << visible;
  }
}

TEST(GpuOptionsTest, RefusesFractionsAndLimitsOutOfRange) {
  for (double fraction : {-0.1, 1.5, std::nan("")}) {
    EXPECT_THAT(std::string(CheckGpuOptions({.memory_fraction = fraction}).message()),
                HasSubstr("it must be more than 0 and at most 1"));
  }
  EXPECT_TRUE(CheckGpuOptions({.memory_fraction = 1}).ok());
  EXPECT_FALSE(CheckGpuOptions({.memory_limit = -1}).ok());
  EXPECT_FALSE(CheckGpuOptions({.pinned_limit = -1}).ok());
}

}  // namespace
}  // namespace sluice
