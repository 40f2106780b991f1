// SPDX-License-Identifier: Apache-2.0
// Faults that a GPU may hide: the double shows each.
#include <algorithm>
#include <numeric>

#include "tests/cuda_double/device_test.h"
#include "tests/cuda_double/faulty_kernels.h"
#include "tests/cuda_double/sample_kernels.h"

namespace sluice::cuda_double {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

#if defined(__SANITIZE_ADDRESS__)
constexpr bool kAddressSanitizer = true;
#else
constexpr bool kAddressSanitizer = false;
#endif

std::vector<int> Counting(int n) {
  std::vector<int> values(static_cast<size_t>(n));
  std::iota(values.begin(), values.end(), 0);
  return values;
}

class PlantedFaultsTest : public DeviceTest {
 protected:
  // The `n` results of a kernel that gets the numbers 0 to 255, for each seed.
  template <typename Launch>
  std::vector<std::vector<int>> InEachOrder(size_t n, Launch launch) {
    std::vector<std::vector<int>> results;
    for (const uint64_t seed : kSeeds) {
      Begin(seed);
      const DeviceArray<int> out(n), in(Counting(256));
      EXPECT_EQ(launch(in.data(), out.data()), cudaSuccess);
      EXPECT_EQ(Wait(), cudaSuccess);
      results.push_back(out.Get());
    }
    return results;
  }

  // Under AddressSanitizer: the process ends with a report that names the kernel.
  template <typename Body>
  void ExpectReport(Body body, const char* kernel) {
    GTEST_FLAG_SET(death_test_style, "threadsafe");
    const auto run = [&] {
      Begin(0);
      body();
      Wait();
    };
    EXPECT_DEATH(run(), kernel);
  }

  // Runs a kernel that must fail the device.
  template <typename Launch>
  void ExpectFault(Launch launch, cudaError_t error, const char* report) {
    Begin(0);
    const DeviceArray<int> out(256);
    EXPECT_EQ(launch(out.data()), cudaSuccess);
    EXPECT_EQ(Wait(), error);
    EXPECT_THAT(Reports(), ElementsAre(HasSubstr(report)));
    EXPECT_EQ(launch(out.data()), error) << "the error is sticky";
  }
};

// A copy in one stream, a kernel in the other that reads what it brings.
void CopyThenScale(cudaStream_t copies, cudaStream_t computes, bool with_event, float* got) {
  void* pinned = nullptr;
  ASSERT_EQ(cudaHostAlloc(&pinned, sizeof(float), cudaHostAllocPortable), cudaSuccess);
  *static_cast<float*>(pinned) = 3;
  const DeviceArray<float> in(1), out(1);
  cudaEvent_t event = nullptr;
  ASSERT_EQ(cudaEventCreateWithFlags(&event, cudaEventDisableTiming), cudaSuccess);
  SetDelay(2000);
  ASSERT_EQ(cudaMemcpyAsync(in.data(), pinned, sizeof(float), cudaMemcpyHostToDevice, copies),
            cudaSuccess);
  ASSERT_EQ(cudaEventRecord(event, copies), cudaSuccess);
  if (with_event) {
    ASSERT_EQ(cudaStreamWaitEvent(computes, event, 0), cudaSuccess);
  }
  ASSERT_EQ(LaunchScale(in.data(), 2, 1, out.data(), 1, computes), cudaSuccess);
  ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  *got = out.Get()[0];
  cudaEventDestroy(event);
  cudaFreeHost(pinned);
}

TEST_F(PlantedFaultsTest, MissingEventBetweenCopyAndKernel) {
  int wrong = 0;
  for (uint64_t seed = 0; seed < 40; ++seed) {
    Begin(seed);
    float got = 0;
    CopyThenScale(stream_, other_, /*with_event=*/true, &got);
    EXPECT_EQ(got, 7) << seed;
    Begin(seed);
    CopyThenScale(stream_, other_, /*with_event=*/false, &got);
    wrong += got != 7;
  }
  EXPECT_GT(wrong, 4) << "of 40 seeds";
}

TEST_F(PlantedFaultsTest, PinnedMemoryThatTheHostChangesBeforeTheCopy) {
  void* pinned = nullptr;
  ASSERT_EQ(cudaHostAlloc(&pinned, sizeof(int), cudaHostAllocPortable), cudaSuccess);
  const DeviceArray<int> first(1), second(1);
  HoldStreams(true);
  *static_cast<int*>(pinned) = 1;
  cudaMemcpyAsync(first.data(), pinned, sizeof(int), cudaMemcpyHostToDevice, stream_);
  *static_cast<int*>(pinned) = 2;
  int pageable = 3;
  cudaMemcpyAsync(second.data(), &pageable, sizeof(int), cudaMemcpyHostToDevice, stream_);
  pageable = 4;
  HoldStreams(false);
  ASSERT_EQ(Wait(), cudaSuccess);
  EXPECT_EQ(first.Get()[0], 2) << "pinned memory is read when the stream comes to it";
  EXPECT_EQ(second.Get()[0], 3) << "pageable memory is read at once";
}

TEST_F(PlantedFaultsTest, HostReadOfDeviceMemoryBeforeTheKernel) {
  const DeviceArray<float> out(std::vector<float>{1});
  const DeviceArray<float> fresh(1);
  HoldStreams(true);
  ASSERT_EQ(LaunchScale(out.data(), 2, 0, fresh.data(), 1, stream_), cudaSuccess);
  EXPECT_THAT(std::vector<unsigned char>(reinterpret_cast<unsigned char*>(fresh.data()),
                                         reinterpret_cast<unsigned char*>(fresh.data() + 1)),
              testing::Each(kPoison));
  HoldStreams(false);
  ASSERT_EQ(Wait(), cudaSuccess);
  EXPECT_EQ(fresh.Get()[0], 2);
}

// Frees the input or the output of a kernel that has not run.
void FreeTooEarly(bool input, cudaStream_t stream, float* result) {
  void *in = nullptr, *out = nullptr;
  const float one = 1;
  ASSERT_EQ(cudaMalloc(&in, sizeof(float)), cudaSuccess);
  ASSERT_EQ(cudaMalloc(&out, sizeof(float)), cudaSuccess);
  ASSERT_EQ(cudaMemcpy(in, &one, sizeof(one), cudaMemcpyHostToDevice), cudaSuccess);
  HoldStreams(true);
  ASSERT_EQ(LaunchScale(static_cast<float*>(in), 2, 0, static_cast<float*>(out), 1, stream),
            cudaSuccess);
  ASSERT_EQ(cudaFree(input ? in : out), cudaSuccess);
  HoldStreams(false);
  ASSERT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
  if (!input) return;
  ASSERT_EQ(cudaMemcpy(result, out, sizeof(*result), cudaMemcpyDeviceToHost), cudaSuccess);
}

TEST_F(PlantedFaultsTest, MemoryFreedBeforeTheKernelReadsIt) {
  float result = 0;
  if (kAddressSanitizer)
    return ExpectReport([&] { FreeTooEarly(true, stream_, &result); }, "ScaleKernel");
  FreeTooEarly(true, stream_, &result);
  EXPECT_NE(result, 2);
}

TEST_F(PlantedFaultsTest, MemoryFreedBeforeTheKernelWritesIt) {
  if (kAddressSanitizer)
    return ExpectReport([&] { FreeTooEarly(false, stream_, nullptr); }, "ScaleKernel");
  FreeTooEarly(false, stream_, nullptr);
  EXPECT_THAT(Reports(), ElementsAre(HasSubstr("written after it was freed")));
}

TEST_F(PlantedFaultsTest, MemoryFreedBeforeTheCopy) {
  void *in = nullptr, *pinned = nullptr;
  ASSERT_EQ(cudaMalloc(&in, 64), cudaSuccess);
  ASSERT_EQ(cudaHostAlloc(&pinned, 64, cudaHostAllocPortable), cudaSuccess);
  HoldStreams(true);
  ASSERT_EQ(cudaMemcpyAsync(pinned, in, 64, cudaMemcpyDeviceToHost, stream_), cudaSuccess);
  ASSERT_EQ(cudaFree(in), cudaSuccess);
  HoldStreams(false);
  EXPECT_EQ(Wait(), cudaErrorIllegalAddress);
  EXPECT_THAT(Reports(), ElementsAre(HasSubstr("device memory that was freed")));
}

TEST_F(PlantedFaultsTest, PinnedMemoryFreedBeforeTheCopy) {
  void* pinned = nullptr;
  const DeviceArray<char> in(64);
  ASSERT_EQ(cudaHostAlloc(&pinned, 64, cudaHostAllocPortable), cudaSuccess);
  HoldStreams(true);
  ASSERT_EQ(cudaMemcpyAsync(pinned, in.data(), 64, cudaMemcpyDeviceToHost, stream_), cudaSuccess);
  ASSERT_EQ(cudaFreeHost(pinned), cudaSuccess);
  HoldStreams(false);
  EXPECT_EQ(Wait(), cudaErrorIllegalAddress);
  EXPECT_THAT(Reports(), ElementsAre(HasSubstr("pinned memory that was freed")));
}

TEST_F(PlantedFaultsTest, MissingBarrier) {
  std::vector<int> reversed = Counting(256);
  std::reverse(reversed.begin(), reversed.end());
  const auto results = InEachOrder(
      256, [&](const int* in, int* out) { return LaunchWithoutBarrier(in, out, stream_); });
  EXPECT_THAT(results, testing::Each(Not(reversed)));
}

TEST_F(PlantedFaultsTest, ThreadsOfAWarpThatAreTakenToRunInStep) {
  const auto results =
      InEachOrder(1, [&](const int* in, int* out) { return LaunchInStep(in, out, stream_); });
  EXPECT_THAT(results, Contains(Not(ElementsAre(31 * 32 / 2))));
}

TEST_F(PlantedFaultsTest, IndexPastTheEnd) {
  if (kAddressSanitizer) {
    const auto run = [&] {
      const DeviceArray<int> out(100);
      LaunchPastEnd(out.data(), 100, stream_);
      Wait();
    };
    return ExpectReport(run, "PastEndKernel");
  }
  ExpectFault([&](int* out) { return LaunchPastEnd(out, 256, stream_); }, cudaErrorIllegalAddress,
              "memory behind an allocation of 1024 bytes was written");
}

TEST_F(PlantedFaultsTest, SharedMemoryPastTheEnd) {
  if (kAddressSanitizer) {
    const auto run = [&] {
      const DeviceArray<int> out(100);
      LaunchPastShared(out.data(), stream_);
      Wait();
    };
    return ExpectReport(run, "PastSharedKernel");
  }
  ExpectFault([&](int* out) { return LaunchPastShared(out, stream_); }, cudaErrorLaunchFailure,
              "shared memory was written outside of its bounds");
}

TEST_F(PlantedFaultsTest, SharedMemoryThatNobodyWrote) {
  const auto results =
      InEachOrder(32, [&](const int*, int* out) { return LaunchUnwrittenShared(out, stream_); });
  const int poison = static_cast<int>(0x01010101u * kPoison);
  EXPECT_THAT(results, testing::Each(testing::Each(poison)));
}

TEST_F(PlantedFaultsTest, KernelThatNeedsItsBlocksInOrder) {
  const auto results = InEachOrder(65, [&](const int*, int* out) {
    EXPECT_EQ(cudaMemsetAsync(out, 0, 65 * sizeof(int), stream_), cudaSuccess);
    return LaunchInBlockOrder(out, 64, stream_);
  });
  EXPECT_EQ(results[0], Counting(65)) << "seed 0 goes in order";
  EXPECT_NE(results[1], results[0]);
  EXPECT_NE(results[2], results[0]);
  EXPECT_NE(results[3], results[2]);
}

TEST_F(PlantedFaultsTest, ThreadsAtDifferentBarriers) {
  ExpectFault([&](int* out) { return LaunchTwoBarriers(out, stream_); }, cudaErrorLaunchFailure,
              "wait at different barriers");
}

TEST_F(PlantedFaultsTest, ThreadsThatReturnBeforeTheBarrier) {
  ExpectFault([&](int* out) { return LaunchEarlyReturn(out, stream_); }, cudaErrorLaunchFailure,
              "128 threads ended before the others reached __syncthreads in ");
}

TEST_F(PlantedFaultsTest, MasksThatDoNotFit) {
  ExpectFault([&](int* out) { return LaunchWrongMask(out, stream_); }, cudaErrorLaunchFailure,
              "wait for ever: thread 0 at a shuffle in ");
}

}  // namespace
}  // namespace sluice::cuda_double
