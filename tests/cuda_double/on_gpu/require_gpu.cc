// SPDX-License-Identifier: Apache-2.0
// Ends sluice_gpu_test with a reason where it has no GPU, before the first test.
#include <cuda_runtime_api.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>

#include "core/device/gpu_devices.h"

namespace sluice {
namespace {

class RequireGpu : public ::testing::Environment {
  void SetUp() override {
    const auto devices = CreateGpuDevices({}, "/job:a/replica:0/task:0", nullptr);
    if (devices.ok() && !devices->empty()) return;
    std::printf("no GPU: %s\n", std::string(devices.status().message()).c_str());
    std::fflush(stdout);
    std::_Exit(2);
  }
};

[[maybe_unused]] const auto* const added =
    ::testing::AddGlobalTestEnvironment(new RequireGpu);  // gtest deletes it

}  // namespace
}  // namespace sluice
