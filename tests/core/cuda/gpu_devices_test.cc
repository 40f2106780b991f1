// SPDX-License-Identifier: Apache-2.0
#include "core/device/gpu_devices.h"

#include <gmock/gmock.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "tests/core/cuda/cuda_device_fixture.h"

namespace sluice::cuda {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

constexpr int64_t kMiB = 1 << 20;

class GpuDevicesTest : public CudaDeviceTest {
 protected:
  static std::string Refusal(const GpuOptions& options, absl::StatusCode code) {
    const auto devices = CreateGpuDevices(options, kTask, nullptr);
    EXPECT_EQ(devices.status().code(), code) << devices.status();
    return std::string(devices.status().message());
  }
};

TEST_F(GpuDevicesTest, AllOrSomeOrNone) {
  cuda_double::SetDevices(2, 1024 * kMiB);
  {
    const auto all = *CreateGpuDevices({}, kTask, nullptr);
    ASSERT_EQ(all.size(), 2u);
    EXPECT_EQ(all[1]->name(), "/job:a/replica:0/task:0/device:GPU:1");
    const auto other = *CreateGpuDevices({.visible = "1"}, kTask, nullptr);
    ASSERT_EQ(other.size(), 1u);
    EXPECT_EQ(other[0]->name(), "/job:a/replica:0/task:0/device:GPU:0");
    EXPECT_NE(all[0]->attributes().incarnation, other[0]->attributes().incarnation);
    EXPECT_EQ((*CreateGpuDevices({.most = 1}, kTask, nullptr)).size(), 1u);
  }
  EXPECT_TRUE((*CreateGpuDevices({.visible = "none"}, kTask, nullptr)).empty());
  EXPECT_TRUE((*CreateGpuDevices({.most = 0}, kTask, nullptr)).empty());
  EXPECT_EQ(cuda_double::CountAll().streams, 0);
}

TEST_F(GpuDevicesTest, TheReasonForNoneIsNamed) {
  cuda_double::SetDriverVersion(0);
  EXPECT_THAT(Refusal({}, absl::StatusCode::kUnavailable),
              AllOf(HasSubstr("there is no NVIDIA driver"), HasSubstr("install it")));
  cuda_double::SetDriverVersion(12040);
  EXPECT_THAT(Refusal({}, absl::StatusCode::kUnavailable),
              AllOf(HasSubstr("is for CUDA 12.4"), HasSubstr("update the driver")));
  cuda_double::SetDevices(0, 0);
  EXPECT_THAT(Refusal({}, absl::StatusCode::kUnavailable), HasSubstr("the driver shows no GPU"));
}

TEST_F(GpuDevicesTest, AGpuThatDoesNotExistIsRefused) {
  cuda_double::SetDevices(2, 1024 * kMiB);
  EXPECT_THAT(Refusal({.visible = "0,2"}, absl::StatusCode::kInvalidArgument),
              HasSubstr("there is no GPU 2: the driver shows 2, counted from 0"));
}

TEST_F(GpuDevicesTest, BusyOnesHaveWorkThatIsNotDone) {
  EXPECT_TRUE(BusyGpus().empty());
  cuda_double::SetDevices(2, 1024 * kMiB);
  auto devices = *CreateGpuDevices({}, kTask, nullptr);
  EXPECT_TRUE(BusyGpus().empty());
  cuda_double::HoldStreams(true);
  absl::Notification copied;
  devices[1]->CopyFromHost(Tensor::Vector<float>({1, 2, 3}), [&](const absl::StatusOr<Tensor>& t) {
    EXPECT_TRUE(t.ok()) << t.status();
    copied.Notify();
  });
  EXPECT_THAT(BusyGpus(), ::testing::ElementsAre("/job:a/replica:0/task:0/device:GPU:1"));
  cuda_double::HoldStreams(false);
  copied.WaitForNotification();
  devices.clear();
  EXPECT_TRUE(BusyGpus().empty());
}

TEST_F(GpuDevicesTest, MemoryIsBounded) {
  cuda_double::SetDevices(1, 1024 * kMiB);
  const auto limit = [](const GpuOptions& options) {
    return (*CreateGpuDevices(options, kTask, nullptr)).front()->attributes().memory_limit;
  };
  EXPECT_EQ(limit({}), 724 * kMiB);  // all but the reserve
  EXPECT_EQ(limit({.memory_fraction = 0.25}), 256 * kMiB);
  EXPECT_EQ(limit({.memory_limit = 100 * kMiB}), 100 * kMiB);
  EXPECT_EQ(limit({.memory_fraction = 0.25, .memory_limit = 300 * kMiB}), 256 * kMiB);
  EXPECT_THAT(Refusal({.memory_limit = 2000 * kMiB}, absl::StatusCode::kInvalidArgument),
              HasSubstr("exceeds the GPU's 1073741824 bytes"));
  EXPECT_THAT(Refusal({.memory_fraction = 1.5}, absl::StatusCode::kInvalidArgument),
              HasSubstr("at most 1"));
}

TEST_F(GpuDevicesTest, AFullGpuIsNotUsed) {
  cuda_double::SetDevices(1, 1024 * kMiB);
  void* others = nullptr;
  ASSERT_EQ(cudaMalloc(&others, 900 * kMiB), cudaSuccess);
  EXPECT_THAT(Refusal({}, absl::StatusCode::kUnavailable),
              AllOf(HasSubstr("GPU 0: only "), HasSubstr("end other processes")));
  // A limit says that it is meant.
  EXPECT_EQ((*CreateGpuDevices({.memory_limit = 50 * kMiB}, kTask, nullptr)).size(), 1u);
  EXPECT_EQ(cudaFree(others), cudaSuccess);
}

TEST_F(GpuDevicesTest, TheNumaNodeIsTheKernels) {
  const std::filesystem::path folder =
      std::filesystem::path(testing::TempDir()) / Cat("pci-", getpid());
  const auto write = [&](const char* bus, const char* text) {
    std::filesystem::create_directories(folder / bus);
    std::ofstream(folder / bus / "numa_node") << text;
  };
  write("0000:01:00.0", "1\n");
  write("0000:02:00.0", "-1\n");  // a machine with one node
  EXPECT_EQ(NumaNode("0000:01:00.0", folder), 1);
  EXPECT_EQ(NumaNode("0000:02:00.0", folder), 0);
  EXPECT_EQ(NumaNode("0000:03:00.0", folder), 0);
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace sluice::cuda
