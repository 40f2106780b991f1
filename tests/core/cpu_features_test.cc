// SPDX-License-Identifier: Apache-2.0
#include "core/cpu_features.h"

#include <cstring>

#include "gtest/gtest.h"

namespace sluice {
namespace {

bool HasNoAvx2(const char* feature) { return std::strcmp(feature, "AVX2") != 0; }

TEST(CpuFeaturesTest, NamesWhatAnOlderProcessorLacks) {
  const char* const needed[] = {"FMA", "AVX2", "AVX", nullptr};
  EXPECT_STREQ(MissingCpuFeature(needed, HasNoAvx2), "AVX2");
  EXPECT_EQ(MissingCpuFeature(needed + 2, HasNoAvx2), nullptr);
}

TEST(CpuFeaturesTest, TheProcessorThatRunsThisTestHasAll) {
  EXPECT_EQ(sluice_missing_cpu_feature(), nullptr);
}

TEST(CpuFeaturesTest, TheBuildSaysWhatItNeeds) {
#ifdef __AVX2__
  EXPECT_STREQ(MissingCpuFeature(kBuildCpuFeatures, HasNoAvx2), "AVX2");
#else
  EXPECT_EQ(MissingCpuFeature(kBuildCpuFeatures, HasNoAvx2), nullptr);
#endif
}

}  // namespace
}  // namespace sluice
